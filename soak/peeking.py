"""Whether bots look at what they may not know: two worlds that a player cannot tell apart.

The other world is made from the real one in one of two ways.  Pieces that the player has not been
able to tell apart since they were last mixed are exchanged, in the position and in the log from
that moment on.  Or the game is played again with pieces exchanged after a shuffle (`replayed`),
which asks nothing of what bots know: the player must have been shown the same all along.  In both,
what others have answered in secret is another answer, and the next chance is another.  Every bot
must choose the same in both worlds, with the same seed.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

import rulesdsl
from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.thought import Thought
from rulesdsl.bots.weights import FILE, read
from rulesdsl.interpreter.knowledge.following import Knowledge
from rulesdsl.interpreter.knowledge.frames import ask_again, swap_frames
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of
from rulesdsl.interpreter.unseen import shown_now
from soak.playing import state_of
from soak.replayed import replayed
from soak.worlds import carried_raw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.interpreter.knowledge.hidden_tracks import Swaps

_EVERY = 7  # one decision in so many is looked at
Group = tuple[str, int, tuple[int, ...]]
"""Pieces of a kind that cannot be told apart since an entry of the log."""


@attrs.define
class Found:
    """How many choices were compared, and which were not the same."""

    worlds: Counter[str] = attrs.Factory(Counter)
    """Other worlds, by the way in which they were made."""
    choices: Counter[str] = attrs.Factory(Counter)
    swapped: int = 0
    peeked: Counter[str] = attrs.Factory(Counter)

    def told(self) -> str:
        """Say it in a few lines."""
        worlds = ", ".join(f"{count} {way}" for way, count in sorted(self.worlds.items()))
        each = ", ".join(f"{name} {count}" for name, count in sorted(self.choices.items()))
        said = [f"other worlds: {worlds}; {self.swapped} pieces were others"]
        said += [f"choices in two worlds: {each}"]
        said += [
            f"{name} looked at what it may not know: {n} times" for name, n in self.peeked.items()
        ]
        return "\n".join([*said, f"{self.peeked.total()} wrong"])


def run(
    pack_path: Path, positions: int, seed: int, players: int | None, iterations: int | None
) -> int:
    """Compare choices at so many positions of random games."""
    pack, found = rulesdsl.load(pack_path), Found()
    least, most = pack.players
    numbers = range(least, most + 1) if players is None else (players,)
    learned = read(pack_path / FILE, pack) if (pack_path / FILE).exists() else Learned()
    for number in numbers:
        making = Making(partial(pack.simulator, number), learned, Thought(iterations))
        compare(pack, number, -(-positions // len(numbers)), seed, making, found)
        print(f"{number} players: {found.told()}", flush=True)
    print(found.told())
    return 1 if found.peeked else 0


def compare(
    pack: rulesdsl.Pack, players: int, positions: int, seed: int, making: Making, found: Found
) -> None:
    """Compare the choices of all bots at positions of games for so many players."""
    bots = {name: kind.make(making) for name, kind in KINDS.items()}
    chance = random.Random(seed)
    for game, choices, player in _positions(pack, players, chance, positions):
        others = {
            "by what is known": elsewhere(game, player, chance),
            "played again": replayed(pack, game, choices, player, chance),
        }
        of_choice = chance.getrandbits(64)
        here = {name: bot.choose(game, player, of_choice) for name, bot in bots.items()}
        for way, made in others.items():
            if made is None:
                continue
            other, swapped = made
            found.worlds[way] += 1
            found.swapped += swapped
            for name, bot in bots.items():
                found.choices[name] += 1
                if bot.choose(other, player, of_choice) != here[name]:
                    found.peeked[name] += 1


def _positions(
    pack: rulesdsl.Pack, players: int, chance: random.Random, count: int
) -> Iterator[tuple[rulesdsl.Game, list[tuple[int, int]], int]]:
    """Yield positions of random games, the choices up to there, and who is asked then."""
    while count > 0:
        game, choices = pack.new_game(players, chance.getrandbits(32)), list[tuple[int, int]]()
        while (decision := game.decision) is not None and count > 0:
            open_ = [each for each in game.decisions if each.count > 1]
            if open_ and not chance.randrange(_EVERY):
                count -= 1
                yield game, choices, chance.choice(open_).player
            choices.append((decision.player, chance.randrange(decision.count)))
            game.choose(choices[-1][1], decision.player)


def elsewhere(
    game: rulesdsl.Game, player: int, chance: random.Random
) -> tuple[rulesdsl.Game, int] | None:
    """Return another world that looks the same to a player, and how many pieces are others there.

    None where the open question would not come up there: that world looks different.
    """
    copy = game.clone()
    st = state_of(copy)
    swaps: dict[str, dict[int, int]] = {}
    for name, since, group in _alike(game, player):
        own = dict(zip(group, chance.sample(group, len(group)), strict=True))
        swaps.setdefault(name, {}).update(own)
        began = max(since - 1, 0)  # the shuffle itself, if that is what mixed them
        st.log[since:] = [_entry(game, each, name, own) for each in st.log[since:]]
        st.log[began:since] = [_order(game, each, name, own) for each in st.log[began:since]]
    for name, own in swaps.items():
        _exchange(game, st, name, own)
    swap_frames(copy, swaps)
    st.rng = chance.getrandbits(64)
    for at, answer in enumerate(st.answers):
        if answer >= 0 and at != player - 1:
            st.answers[at] = chance.randrange(len(st.options[at]))
    if not ask_again(copy) or _asked(copy, player) != _asked(game, player):
        return None
    return copy, sum(old != new for own in swaps.values() for old, new in own.items())


def _asked(game: rulesdsl.Game, player: int) -> list[object]:
    every = game.decisions
    return [each.raw if each.player == player else each.player for each in every]


def _alike(game: rulesdsl.Game, player: int) -> Iterator[Group]:
    """Yield the pieces that a player cannot tell apart, and since which entry of the log."""
    known, entries = Knowledge.begin(game.setting, player - 1), list[Any]()
    since: dict[tuple[str, int], int] = {}
    causes: dict[str, dict[int, int]] = {}
    for number, entry in enumerate(state_of(game).log, start=1):
        entries.append(entry)
        known.read(entries)
        for name, pieces in known.pieces.items():
            for tag in set(pieces.tags):
                since.setdefault((name, tag), number)
        for name, piece in _counted(game, entry):
            causes.setdefault(name, {})[piece] = number
    known.choose_from(shown_now(game, player - 1), player - 1)
    for name, pieces in known.pieces.items():
        groups: dict[int, list[int]] = {}
        for piece, tag in enumerate(pieces.tags):
            hidden = not known.sees(name, pieces.where[piece])
            mixed = since.get((name, tag), 0)
            counted = causes.get(name, {}).get(piece, 0) > mixed
            if hidden and not counted and pieces.may[piece] == {tag}:
                groups.setdefault(tag, []).append(piece)
        for tag, group in groups.items():
            if len(group) > 1:
                yield name, since.get((name, tag), 0), tuple(group)


def _counted(game: rulesdsl.Game, entry: tuple[Any, ...]) -> Iterator[tuple[str, int]]:
    """Yield the pieces on which it depended what happened: it would have happened otherwise."""
    number, _, _, *values = entry
    event = None if number == CHOICE else game.setting.engine.events[number]
    if event is not None and event.kind == "track" and event.causes:
        pieces = values[len(values) - len(event.causes) :]
        yield from ((e.type.of, piece) for e, piece in zip(event.causes, pieces, strict=True))
    if event is not None and event.kind == "depend" and values:
        yield from ((event.subject, piece) for piece in values[0])


def _entry(
    game: rulesdsl.Game, entry: tuple[Any, ...], name: str, own: dict[int, int]
) -> tuple[Any, ...]:
    """Return an entry of the log with other pieces in it."""
    number, at, actor, *values = entry
    if number == CHOICE:
        return _choice(game, entry, {name: own})
    event = game.setting.engine.events[number]
    if event.subject != name:
        return entry
    if event.kind in {"piece", "draw"}:
        return (number, at, actor, own.get(values[0], values[0]), *values[1:])
    if event.kind in {"peek", "depend"} and values:
        return (number, at, actor, [own.get(each, each) for each in values[0]], *values[1:])
    return _order(game, entry, name, own)


def _order(
    game: rulesdsl.Game, entry: tuple[Any, ...], name: str, own: dict[int, int]
) -> tuple[Any, ...]:
    """Return a shuffle in the log with other pieces in it; any other entry as it is."""
    number, at, actor, *values = entry
    event = None if number == CHOICE else game.setting.engine.events[number]
    if event is None or event.kind != "shuffle" or event.subject != name:
        return entry
    return (number, at, actor, values[0], [own.get(each, each) for each in values[1]])


def _choice(game: rulesdsl.Game, entry: tuple[Any, ...], swaps: Swaps) -> tuple[Any, ...]:
    """Return a choice in the log with other pieces in it: those shown, and one that is secret."""
    ask, option = game.setting.engine.asks[entry[3]], entry[4]
    if ask.sealed or ask.secret(option):
        option = carried_raw(ask, option, swaps)
    shown = [(name, swaps.get(name, {}).get(piece, piece)) for name, piece in entry[-1]]
    return (*entry[:4], option, *entry[5:-1], shown)


def _exchange(game: rulesdsl.Game, st: Any, name: str, own: dict[int, int]) -> None:  # noqa: ANN401
    """Lay pieces where others lie, with the marks of those."""
    piles, where = cells_of(st, f"l:{name}"), cells_of(st, f"w:{name}")
    for cell, pile in enumerate(piles):
        pile[:] = [own.get(each, each) for each in pile]
        for piece in pile:
            where[piece] = cell
    world, layout = game.setting.labels.world, game.setting.layout
    arrays = [(f"f:{e.name}", e.dims) for e in world.flags.values()]
    arrays += [(f"t:{e.name}", e.dims) for e in world.tracks.values()]
    for array, dims in arrays:
        if name not in dims:
            continue
        cells, of_each = cells_of(st, array), layout.cells_of_each(dims, name)
        before = list(cells)
        for old, new in own.items():
            for here, there in zip(of_each[old], of_each[new], strict=True):
                cells[there] = before[here]
