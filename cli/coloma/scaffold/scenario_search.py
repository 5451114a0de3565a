"""Scenarios found by search: actions that are possible at the start, and their effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from coloma.files import remove, write_whole
from coloma.packs import Selection
from coloma.scaffold.entry_text import inline
from rulesdsl.scenarios import load_suite
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.symbols.symbol_table import SymbolTable
    from rulesdsl.scenarios.binding import WovenScenario
    from rulesdsl.scenarios.suite import Suite


PROBES = "scenarios/probes.toml"
_STILL = "nothing"
_MOST_ANSWERS = 4
_GIFT = 3
_ANY = 999  # a placeholder: expectations are only evaluated


@attrs.frozen
class Probe:
    """A statement to try, and its preparation."""

    play: str
    given: str = _STILL


@attrs.frozen
class ProbeResult:
    """A feasible probe, its answers, and the numbers it changes."""

    probe: Probe
    answers: tuple[str, ...]
    changes: dict[str, int]


def try_probes(
    draft: Path, selection: Selection, probes: Sequence[Probe], world: SymbolTable
) -> Iterator[ProbeResult]:
    """Yield the feasible probes, those that change something first.

    They are added to the draft as scenarios temporarily.
    """
    file = draft / PROBES
    numbers = list(_numbers(world))
    tables = [_table(number, probe, numbers) for number, probe in enumerate(probes)]
    write_whole(file, "\n".join(tables), draft)
    try:
        suite = load_suite(selection.game, selection.mods, of=draft, only=PROBES)
    finally:
        remove(file, draft)
    found = [each for each in _tried(suite, probes) if each is not None]
    yield from (each for each in found if each.changes)
    yield from (each for each in found if not each.changes)


def _tried(suite: Suite, probes: Sequence[Probe]) -> Iterator[ProbeResult | None]:
    by_name = {each.scenario.name: each for each in suite.scenarios}
    for number, probe in enumerate(probes):
        still = by_name.get(f"{number} before")
        woven = by_name.get(f"{number} after")
        if still is not None and woven is not None:
            yield _try(suite, probe, still, woven)


def _try(
    suite: Suite, probe: Probe, still: WovenScenario, woven: WovenScenario
) -> ProbeResult | None:
    before = suite.watch(still).values
    answers: list[str] = []
    for _ in range(_MOST_ANSWERS):
        seen = suite.watch(woven)
        if not seen.carried_out:
            return None
        if not seen.asked:
            changes = {name: now for name, now in seen.values.items() if now != before.get(name)}
            return ProbeResult(probe, tuple(answers), changes)
        (player, ids), *_ = seen.asked
        if not ids:
            return None  # it cannot be completed in this position
        answers.append(f"p{player} {ids[0]}")
        woven = _with_answer(woven, player, ids[0])
    return None


def _with_answer(woven: WovenScenario, player: int, option: str) -> WovenScenario:
    from rulesdsl.scenarios.scenario import ScriptedChoice as Pick

    scenario = woven.scenario
    pick = Pick(player, option, scenario.span)
    return attrs.evolve(woven, scenario=attrs.evolve(scenario, do=(*scenario.do, pick)))


def _table(number: int, probe: Probe, numbers: Sequence[str]) -> str:
    expect = inline([f"{each} = {_ANY}" for each in numbers])
    return "".join(
        f'[[scenario]]\nname = "{number} {when}"\ngiven = {inline([probe.given])}\n'
        f"play = {inline(play)}\nexpect = {expect}\n"
        for when, play in (("before", _STILL), ("after", probe.play))
    )


def with_gifts(probes: Sequence[Probe], world: SymbolTable) -> list[Probe]:
    """Return the probes, each preceded by a gift to the first player."""
    gifts = list(_gifts(world))
    return [attrs.evolve(probe, given=gift) for probe in probes for gift in gifts]


def home_of(piece: str, world: SymbolTable, whose: str) -> str:
    """Return the home of a kind of piece; one that is per seat with its owner.

    `whose` is a template for the name of the place: `my {}`, `{} of p1`.
    """
    home = world.pieces[piece].home
    assert isinstance(home, ex.Name), "every kind of piece has a home"
    place = world.places.get(home.name)
    owned = place is not None and place.owner_dim is not None
    return whose.format(home.name) if owned else home.name


def _gifts(world: SymbolTable) -> Iterator[str]:
    for track in world.tracks.values():
        if _is_of_seats(track.dims) and track.during is None:
            yield f"for p1: raise my {track.name} by {_GIFT}"
    for place in world.places.values():
        for name in place.holds if _is_of_seats(place.dims) else ():
            piece = world.pieces[name]
            home = home_of(name, world, "my {}")
            if piece.style == "counted" and home != f"my {place.name}":
                mine = "my " if piece.owned else ""
                what = f"{mine}{piece.plural} from {home} into my {place.name}"
                yield f"for p1: move up to {_GIFT} {what}"


def _is_of_seats(dims: Sequence[str]) -> bool:
    return len(dims) == 1 and dims[0] in {"seat", "player"}


def _numbers(world: SymbolTable) -> Iterator[str]:
    for track in world.tracks.values():
        if _is_of_seats(track.dims):
            yield f"{track.name} of p1"
    for place in world.places.values():
        if _is_of_seats(place.dims):
            for piece in place.holds:
                yield f"{world.pieces[piece].plural} in {place.name} of p1"
