"""`python -m soak card_test`: a card that gives 30 gold, against the same one that gives 1.

It is a copy of the shipped game, changed by one line.  What is printed is how long it took, and
what `coloma compare` says; it fails where it is not decided that the card is chosen more often.
`--quick` asks bots that think for a second opinion: they have to agree in direction.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from coloma import loading
from coloma.simulation import comparing
from coloma.simulation.comparing import Match, until_decided
from coloma.simulation.games import Plan
from coloma.simulation.work import Hands
from rulesdsl.figures.pairs import Pairs, advantage, chosen, mean_points
from rulesdsl.figures.uses import POINTS

if TYPE_CHECKING:
    from rulesdsl.figures.uses import Item

PLAYERS = 4
UNTIL = 0.5


@attrs.frozen
class Change:
    """One line of a file that is another one, and the entry that it is about."""

    file: str
    section: str
    before: str
    after: str
    item: Item
    asked: str


CHANGES = {
    "gold": Change(
        "buildings.toml",
        "[express-office]",
        'ability.shovel = "gain 1 gold"',
        'ability.shovel = "gain 30 gold"',
        ("card", "card:express-office"),
        "build-in-town",
    ),
    "barrel": Change(
        "barrels.toml",
        "[gold-barrel]",
        'inside = "gain 2 gold"',
        'inside = "gain 30 gold"',
        ("barrel", "barrel:gold-barrel"),
        "take-barrel",
    ),
    "price": Change(
        "buildings.toml",
        "[brewery]",
        "price.hammer = { bucks = 3",
        "price.hammer = { bucks = 4",
        ("card", "card:brewery"),
        "build-in-town",
    ),
}


def run(path: str, which: str, jobs: int, seed: int, *, quick: bool) -> int:
    """Compare, print what came out, return the exit status."""
    change = CHANGES[which]
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "changed"
        shutil.copytree(path, other)
        _apply(change, other)
        began = time.perf_counter()
        found, spent = _compared(Path(path), other, change, jobs, seed, quick=quick)
    print(f"{which}: {change.before} becomes {change.after}")
    print(f"{len(found.pairs)} pairs of {found.pairs[0].before.games} games, {spent:.0f} s")
    for name, measure in (
        ("points", mean_points),
        ("chosen a game", chosen(change.item)),
        ("ahead by", advantage(change.item, POINTS)),
    ):
        before, after = found.mean(measure)
        own = found.points if name == "points" else found.of_item(change.item, measure)
        print(f"{name}: {before:.2f} before, {after:.2f} after: {own.mean:+.2f} ±{own.radius:.2f}")
    use = found.of_item(change.item, chosen(change.item))
    decided = "decided" if found.decided(UNTIL) else "not decided"
    print(f"{decided} in {time.perf_counter() - began:.0f} s")
    return 0 if use.sign > 0 or which == "price" or (quick and use.mean > 0) else 1


def _apply(change: Change, folder: Path) -> None:
    """Change the line, which is in the section of its entry."""
    file = folder / change.file
    head, section, rest = file.read_text().partition(change.section)
    own, following, others = rest.partition("\n[")
    assert own.count(change.before) == 1, change
    own = own.replace(change.before, change.after)
    file.write_text(head + section + own + following + others)


def _compared(
    one: Path, two: Path, change: Change, jobs: int, seed: int, *, quick: bool
) -> tuple[Pairs, float]:
    kind = "quick" if quick else "trained"
    size = comparing.PAIR_THOUGHT if quick else comparing.PAIR
    most = comparing.MOST_THOUGHT if quick else comparing.MOST
    bots, by = (kind,) * PLAYERS, (change.item[0],)
    plans = [
        Plan(path, (), {}, PLAYERS, size, seed, bots=bots, by=by, asked=change.asked)
        for path in (one, two)
    ]
    for each in (one, two):
        loading.load_pack(each)
    began = time.perf_counter()
    match = Match(plans[0], plans[1], comparing.TRAINING)
    found = Pairs(changed=frozenset({change.item}))
    for known in until_decided(match, most // size, UNTIL, Hands(jobs), found.changed):
        found = known
    return found, time.perf_counter() - began
