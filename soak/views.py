"""`python -m soak views`: a player's displays in indistinguishable worlds must be equal.

Displays are views, boards, scenes, scores, log, story, questions, remarks about undo, errors and
the answers of `why not`, for all players and a spectator, in positions of random games. `compare`
changes, in a copy of a position, everything that a viewer cannot know, makes the same choice in
both, and compares the displays of the viewer before and after the choice.
"""

from __future__ import annotations

import random
from itertools import islice

import attrs

import rulesdsl
from rulesdsl.interpreter.decisions import shown_now
from rulesdsl.interpreter.knowledge.frames import ask_again
from rulesdsl.table.preview import PREVIEWED, previews
from rulesdsl.table.routes import routes
from rulesdsl.table.undo import obstacle
from soak.peeking import positions
from soak.worlds import carried, change_chance, scrambler_of

_MOST_WAYS = 20  # house: of up to 150 that a session tries
_SOME = 12  # house: one option in twelve is examined


@attrs.define
class Verdict:
    """Counts of positions and of compared viewers, and the first leak of each message."""

    positions: int = 0
    viewers: int = 0
    leaks: dict[str, str] = attrs.Factory(dict)

    @property
    def summary(self) -> str:
        """The result in a few lines."""
        lines = [f"{self.positions} positions, {self.viewers} viewers compared"]
        return "\n".join([*lines, *self.leaks.values(), f"{len(self.leaks)} leaks"])


def run(pack: str, mods: list[str], count: int, seed: int) -> int:
    """Compare displays in positions of random games; return the exit status."""
    loaded, verdict = rulesdsl.load(pack, mods), Verdict()
    least, most = loaded.players
    for players in range(least, most + 1):
        share = -(-count // (most - least + 1))
        judge(loaded, players, share, random.Random(seed), verdict)
    print(verdict.summary)
    return 1 if verdict.leaks else 0


def judge(
    pack: rulesdsl.Pack, players: int, count: int, chance: random.Random, verdict: Verdict
) -> None:
    """Compare the displays of all viewers in some positions of random games."""
    for game, choices, _ in positions(pack, players, chance, count):
        verdict.positions += 1
        try:
            verdict.viewers += compare(pack, game, chance)
        except AssertionError as leak:
            where = f"{players} players, seed {game.seed}, after {len(choices)} choices"
            kind = str(leak).partition(" leaks: ")[0]
            verdict.leaks.setdefault(kind, f"{where}: {leak}")


def compare(pack: rulesdsl.Pack, game: rulesdsl.Game, chance: random.Random) -> int:
    """Raise `AssertionError` if a viewer is shown hidden information in an unfinished game.

    Return the number of viewers compared: all players, and a spectator.
    """
    assert game.setting.pack_id == pack.id
    for viewer in range(game.players + 1):
        _compare(game, viewer, chance)
    return game.players + 1


def _compare(game: rulesdsl.Game, viewer: int, chance: random.Random) -> None:
    other, swaps = scrambler_of(game).elsewhere(game, viewer, chance)
    now = game.log_length
    _same(_shown(game, viewer, now), _shown(other, viewer, now), viewer, "now")
    decision = game.decision and chance.choice(game.decisions)
    if decision is None or not ask_again(other.setting.engine, other.state):
        return
    change_chance(other, viewer, chance)  # the answers of others are among the new options
    other = other.clone()  # which has no cached questions
    if _asked(game, viewer) != _asked(other, viewer):
        return  # the question itself shows the viewer that the worlds differ
    if _turned_up(game, decision.player) != _turned_up(other, decision.player):
        return  # others are told that a question showed hidden pieces, but not which
    own = [each for each in game.decisions if each.player == viewer]
    for each in own:
        bots = game.players - viewer if chance.random() < 1 / 2 else 0
        told = [_final(world, viewer, bots) for world in (game, other)]
        _same({"final": told[0]}, {"final": told[1]}, viewer, "now")
        _same(_errors(game, each), _errors(other, each), viewer, "now")
        _same(_reasons(game, each), _reasons(other, each), viewer, "now")
        twin = next(asked for asked in other.decisions if asked.player == viewer)
        _same(_previews(game, each), _previews(other, twin), viewer, "now")
        _same(_ways(game, each), _ways(other, twin), viewer, "now")
    index = chance.randrange(decision.count)
    there = carried(game, other, decision.player, index, swaps, same=decision.player == viewer)
    if there is not None:
        _choose_in_both(game.clone(), other, viewer, (decision.player, index, there))


def _choose_in_both(
    game: rulesdsl.Game, other: rulesdsl.Game, viewer: int, choice: tuple[int, int, int]
) -> None:
    player, here, there = choice
    since = game.log_length, other.log_length
    learned = game.learned, other.learned
    game.choose(here, player)
    other.choose(there, player)
    grown = game.learned > learned[0], other.learned > learned[1]
    _same({"learned": grown[0]}, {"learned": grown[1]}, viewer, "after a choice")
    if grown[0]:
        return
    before, after = (
        _shown(world, viewer, at) | {"asked": _asked(world, viewer)}
        for world, at in zip((game, other), since, strict=True)
    )
    _same(before, after, viewer, "after a choice")


# -------------------------------------------------------------------- displays
def _shown(game: rulesdsl.Game, viewer: int, since: int) -> dict[str, object]:
    """Return everything that a viewer can read, with the rules that caused each line."""
    changes = [
        (line.actor_in(line.seen(viewer)), text, line.seen_rules(viewer))
        for line in game.log_since(since)
        if (text := line.seen_text(viewer))
    ]
    story, who = game.story(viewer, since), viewer or None
    scores = () if game.over else game.scores(who)  # the end of a game reveals all scores
    texts: dict[str, object] = {"log": changes, "story": story, "over": game.over}
    texts |= {"gains": game.gains, "changes": game.changes(who, since)}
    texts["brief story"] = game.story(viewer, since, brief=True)
    texts |= {"board": game.board(who), "scene": game.scene(who), "score": scores}
    return texts | ({"view": game.view(viewer)} if viewer else {})


def _asked(game: rulesdsl.Game, viewer: int) -> list[object]:
    """Return the players to move; for the viewer, also the prompt and the options."""
    return [
        (
            each.player,
            each.sealed,
            (each.prompt, each.options, each.rules) if each.player == viewer else (),
        )
        for each in game.decisions
    ]


def _turned_up(game: rulesdsl.Game, player: int) -> int:
    """Return the number of hidden pieces that a question shows to a player."""
    return len(shown_now(game.setting.views, game.state, player - 1))


def _final(game: rulesdsl.Game, viewer: int, bots: int) -> list[str]:
    """Return for each option of the viewer why it cannot be undone, as a remark may say."""
    people = range(1, game.players - bots + 1)
    mine = (decision for decision in game.decisions if decision.player == viewer)
    return [
        obstacle(game, viewer, option, people)
        for decision in mine
        for option in range(decision.count)
    ]


def _errors(game: rulesdsl.Game, decision: rulesdsl.Decision) -> dict[str, object]:
    found: dict[str, object] = {}
    for wrong in ("no such thing", 10**6, -1):
        try:
            game.choose(wrong, decision.player)
        except rulesdsl.IllegalChoice as error:
            found[f"error about {wrong}"] = str(error)
    return found


def _reasons(game: rulesdsl.Game, decision: rulesdsl.Decision) -> dict[str, object]:
    """Return the reasons why other options are not offered, as shown to the player to move."""
    asked = [each for each in game.actions if each.asked_in == decision.number]
    some = asked[game.log_length % _SOME :: _SOME]  # explaining all of them would take minutes
    return {f"why not {e.number}": game.why_not(e, decision.player) for e in some}


def _previews(game: rulesdsl.Game, decision: rulesdsl.Decision) -> dict[str, object]:
    return {"previews": previews(game, decision)} if decision.count <= PREVIEWED else {}


def _ways(game: rulesdsl.Game, decision: rulesdsl.Decision) -> dict[str, object]:
    """Return where a player's own choices lead, and what is offered there."""
    ways = islice(routes(game, decision.player), _MOST_WAYS)
    return {"ways": [(way.first, way.decision.prompt, way.decision.options) for way in ways]}


def _same(before: dict[str, object], after: dict[str, object], viewer: int, when: str) -> None:
    for what, shown in before.items():
        if after[what] != shown:
            texts = [repr(shown), repr(after[what])]
            differ = (at for at, (a, b) in enumerate(zip(*texts, strict=False)) if a != b)
            at = max(0, next(differ, 0) - 40)
            told = " or ".join(each[at : at + 120] for each in texts)
            raise AssertionError(f"the {what} of player {viewer} {when} leaks: {told}")
