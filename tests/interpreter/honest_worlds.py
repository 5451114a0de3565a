"""Small packs with hidden pieces in suspended effects, and a judge of what players observe.

The judge knows nothing of the sampler: it plays at random, and groups positions in which a player
has been shown the same from the beginning. In each group, all observations must be equal.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import attrs

import rulesdsl
from packs_on_the_fly import MANIFEST
from rulesdsl.interpreter.knowledge.observing import observe
from soak.judging import view_without_log

CHUNKS = (Path(__file__).parent / "honest_worlds.rules").read_text("utf-8")
CARDS = 'source = "house"\n' + "".join(
    f'[card-{name}]\nworth = {worth}\npower = "{power}"\ncopies = {{copies}}\n'
    for name, worth, power in (
        ("a", 1, "bet"),
        ("b", 2, "raise my fame by 1"),
        ("c", 3, "may raise my fame by 2"),
        ("d", 4, "bet"),
        ("e", 5, "raise my fame by 3"),
        ("f", 2, "may raise my fame by 1"),
        ("g", 3, "bet"),
        ("h", 4, "raise my fame by 1"),
    )
)
BOX = """\
piece card "Card" from "cards.toml" in deck:
    worth: number
    power: effect
stack deck "Deck" seen by nobody holds card
place hand "Hand" per player seen by owner holds card
place slot "Slot" per player seen by nobody holds card
stack pile "Pile" per player seen by nobody holds card
stack rack "Rack" per player seen by others holds card
place pit "Pit" seen by nobody holds card
place open-row "Open" holds card
kind pip: ace, deuce, trey
place nook "Nook" per player per pip seen by owner only holds card
place vault "Vault" seen by nobody only holds card
track fame "Fame" per player
track my-count "Count"
track luck "Luck" per player seen by owner from 0..20
track omen "Omen" per player seen by nobody
track fate "Fate" per player seen by others from 0..20
memory plan "Plan": pip per player seen by owner
memory partner "Partner": player per player seen by owner
memory lot "Lot": pip seen by nobody
flag dirty per card
flag liar per player seen by owner
track wounds "Wounds" per card
score fame-score "Fame": my fame
win with most score
verb bet: may "Bet?": raise my fame by 1
verb all-bet:
    for each player: bet
step game:
    shuffle deck
    for each player:
        move top 2 of deck into my hand
        move top of deck into my {place}
"""
MOST = 30  # choices of a game that are compared


TELLING = "; W630"  # at the end of a name: hidden things decide what is asked, and lint says so


def packs() -> dict[str, str]:
    """Return the steps and verbs of each pack, keyed by its name."""
    blocks = (block.partition("\n") for block in CHUNKS.split("# ")[1:])
    return {name: steps for name, _, steps in blocks}


HONEST = [name for name in packs() if not name.endswith(TELLING)]


def written(folder: Path, steps: str, copies: int = 1) -> Path:
    """Write a pack with these steps at the end of its game."""
    here, verb, verbs = steps.partition("verb ")
    body = "".join(f"    {line}\n" for line in here.splitlines())
    box = BOX.replace("{place}", "pile" if " piles" in steps else "slot")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pack.toml").write_text(MANIFEST)
    (folder / "cards.toml").write_text(CARDS.replace("{copies}", str(copies)))
    (folder / "game.rules").write_text(box + body + verb + verbs)
    return folder


@attrs.define
class Verdict:
    """The number of observations, of those that differ within a group, and an example."""

    observations: int = 0
    repeated: int = 0
    different: int = 0
    example: str = ""


def positions(
    pack: rulesdsl.Pack, players: int, games: int, chance: random.Random
) -> Iterator[tuple[rulesdsl.Game, dict[int, str]]]:
    """Play at random; yield each position with all that each player has been shown so far."""
    for _ in range(games):
        game, at, choices = pack.new_game(players, chance.getrandbits(48)), 0, 0
        shown = dict.fromkeys(range(1, players + 1), "")
        while not game.over and choices < MOST:
            lines = game.log_since(at)
            at = game.log_length
            shown = {each: _digest(before, game, lines, each) for each, before in shown.items()}
            yield game, shown
            decision = chance.choice(game.decisions)
            option = chance.randrange(decision.count)
            shown[decision.player] += decision.options[option].id
            game.choose(option, decision.player)
            choices += 1


def _digest(
    before: str, game: rulesdsl.Game, lines: tuple[rulesdsl.LogLine, ...], player: int
) -> str:
    seen = [(each.actor, each.seen_text(player)) for each in lines]
    asked = [(each.player, each.sealed) for each in game.decisions]
    own = [
        (each.prompt, [(option.id, option.label, option.text) for option in each.options])
        for each in game.decisions
        if each.player == player
    ]
    told = [line for line in seen if line[1]], asked, own, game.view(player), game.board(player)
    return before + repr(told)


def judged(pack: rulesdsl.Pack, players: int, games: int) -> Verdict:
    """Compare the observations in positions that look the same to their player."""
    first: dict[tuple[int, str], str] = {}
    found = Verdict()
    for game, shown in positions(pack, players, games, random.Random(0)):
        for player, key in shown.items():
            observation = json.dumps(observe(game, player).data)
            earlier = first.setdefault((player, key), observation)
            found.observations += 1
            found.repeated += earlier is not observation
            if earlier != observation:
                found.different += 1
                found.example = found.example or f"player {player}\n{earlier}\n{observation}"
    return found


def redrawn(pack: rulesdsl.Pack, players: int, games: int) -> Counter[str]:
    """Redraw every position for every player; return the exceptions by their message."""
    failed = Counter[str]()
    for game, shown in positions(pack, players, games, random.Random(1)):
        for player in shown:
            failed["redraws"] += 1
            try:
                redraws = game.redraws(player)
                for seed in range(2):
                    world = redraws.draw(seed)
                    if view_without_log(world, player) != view_without_log(game, player):
                        failed["another view"] += 1
                    _play_on(pack.game_from_data(world.to_data()), seed)
            except Exception as error:  # noqa: BLE001 - counted
                failed[f"{type(error).__name__}: {error}"] += 1
    return failed


def _play_on(world: rulesdsl.Game, seed: int) -> None:
    chance = random.Random(seed)
    while not world.over:
        decision = chance.choice(world.decisions)
        world.choose(chance.randrange(decision.count), decision.player)


if __name__ == "__main__":  # `.ci/nightly` writes the packs into a folder, for `soak peeking`
    for at, each in enumerate(HONEST):
        written(Path(sys.argv[1]) / str(at), packs()[each], copies=1 + at % 2)
