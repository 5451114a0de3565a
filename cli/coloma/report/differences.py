"""The page of a comparison."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING

from coloma.report.charts import intervals
from coloma.report.page import Page
from coloma.report.sections import Section, Table
from coloma.report.strength import MOST
from coloma.simulation.compared import LEGEND
from rulesdsl.figures.pairs import advantage, chosen
from rulesdsl.figures.uses import POINTS
from rulesdsl.source.english import option_word

if TYPE_CHECKING:
    from coloma.simulation.compared import Compared
    from coloma.simulation.versions import Version
    from rulesdsl.figures.sequences import Interval

GAMES = ("", "before", "after", "difference")


def differences(found: Compared, command: tuple[str, ...]) -> Page:
    """Return the page of a comparison: what it says in words first."""
    name, played = found.after.chosen.pack.name, bool(found.pairs.pairs)
    told = (f"{found.played()}.", f"{LEGEND}.") if not found.verdict.alike else ()
    interrupted = "This is not all: it was interrupted, and tells what was known by then."
    return Page(
        f"{name}: what a change does",
        (*found.verdict.sentences(), *told),
        tuple(_sections(found)) if played else (),
        tuple(_made(found)),
        shlex.join(command),
        "" if found.complete else interrupted,
    )


def _sections(found: Compared) -> Iterator[Section]:
    pairs = found.pairs
    rows = [
        _row(name, pairs.difference(measure))
        for name, measure, unit, _ in found.measures()
        if unit == 1 and "points" in name and pairs.difference(measure).known
    ]
    head, *cells = found.whole()
    yield Section(
        "games",
        "Points, places and length",
        (),
        intervals(rows, "points after the change, less those before") if rows else None,
        "By how many points players score more or less after the change, with 95 % intervals.",
        (Table("All that is compared", head, tuple(cells), is_open=True),),
    )
    items = found.named()
    head, *cells = found.items()
    use = [(found.verdict.titles[e], pairs.of_item(e, chosen(e))) for e in items]
    yield Section(
        "uses",
        "How often each is chosen",
        _too_few(use),
        _of_items(use, "times a game after the change, less those before"),
        "How much more or less often each is chosen in a game after the change.",
        (Table("All of them", head, tuple(cells)),),
    )
    ahead = [(found.verdict.titles[e], pairs.of_item(e, advantage(e, POINTS))) for e in items]
    yield Section(
        "strength",
        "How far ahead those come out who choose it",
        _too_few(ahead),
        _of_items(ahead, "points ahead after the change, less those before"),
        "By how many points more or less each puts those ahead who choose it, after the change.",
    )


def _too_few(named: list[tuple[str, Interval]]) -> tuple[str, ...]:
    few = sum(not found.known for _, found in named)
    if not few:
        return ()
    which = "any of them" if few == len(named) else f"{few} of them"
    return (f"There were too few games to tell of {which}.",)


def _of_items(named: list[tuple[str, Interval]], title: str) -> dict[str, object] | None:
    known = [each for each in named if each[1].known]
    known.sort(key=lambda each: (-abs(each[1].mean), each[0]))
    rows = [_row(*each) for each in known[:MOST]]
    return intervals(rows, title) if rows else None


def _row(name: str, found: Interval) -> dict[str, object]:
    said = {"mean": found.mean, "low": found.low, "high": found.high, "sign": found.sign}
    return {"name": name, **said}


def _made(found: Compared) -> Iterator[tuple[str, str]]:
    plan = found.match.before
    yield from _content("Before", found.before)
    yield from _content("After", found.after)
    yield "coloma", version("coloma")
    yield "Bots", ", ".join(plan.bots)
    yield "Seed", str(plan.seed)
    yield "Games", f"{found.pairs.games} of each content, in {len(found.pairs.pairs)} pairs"


def _content(name: str, told: Version) -> Iterator[tuple[str, str]]:
    pack = told.chosen.pack
    yield name, f"{told.name} ({pack.id}) {pack.version}, SHA-256 {pack.digest}"
    options = told.chosen.setting.options
    said = ", ".join(f"{each}={option_word(value)}" for each, value in options.items())
    yield f"{name}: mods and options", "; ".join(filter(None, (", ".join(pack.mods), said)))
