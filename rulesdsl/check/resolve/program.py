"""From the world to a checked program: everything in it resolved."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, TypeVar

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.constants import fixed
from rulesdsl.check.mentions import mentions
from rulesdsl.check.program import Home, Program, TypedProc, TypedVerdict
from rulesdsl.check.resolve.cells import cells_of, check_holds
from rulesdsl.check.resolve.procedures import resolve_proc
from rulesdsl.check.resolve.texts import plain
from rulesdsl.check.types import NUMBER, SEAT
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulesdsl.check.program import EffectKey
    from rulesdsl.check.resolve.bodies import Bodies
    from rulesdsl.check.world import EntryInfo, KindInfo, PieceInfo, RivalInfo, ValueInfo
    from rulesdsl.syntax import statements as st

    T = TypeVar("T")


def resolve_program(bodies: Bodies) -> Program:
    """Resolve all bodies of a world into its program; findings say what could not be resolved."""
    world, program = bodies.world, bodies.program
    for name in _callees_first(world.values):
        bodies.value_type(name)
    for overloads in world.procs.values():
        for proc in overloads:
            resolve_proc(bodies, proc)
    for kind in world.kinds.values():
        for at, found in enumerate(kind.entries):
            _fields(bodies, kind, at, found)
    for info in world.pieces.values():
        _home(bodies, info)
    for rival in world.rivals.values():
        _rival(bodies, rival)
    program.ranking = _ranking(bodies)
    verdicts = tuple(_verdicts(bodies))
    program.verdicts = tuple(
        TypedVerdict(each.word.text, each.text, condition, each.span)
        for each, condition in zip(world.verdicts, verdicts, strict=True)
    )
    _spread_failures(program)
    return program


def _callees_first(values: Mapping[str, ValueInfo]) -> list[str]:
    """Return the names of values, those that others speak of before these."""
    spoken: dict[str, list[str]] = {}
    for name, value in values.items():
        hooked = (part for each in value.hooks for part in (each.when, each.formula))
        words = frozenset[str]().union(*map(mentions, (value.formula, *hooked)))
        spoken[name] = sorted(each for each in words if each in values and each != name)
    try:
        return list(TopologicalSorter(spoken).static_order())
    except CycleError:
        return list(values)  # the circle is reported where it is met


def _fields(bodies: Bodies, kind: KindInfo, at: int, found: EntryInfo) -> None:
    """Resolve the effects and formulas of an entry."""
    for (field, column), body in found.effects.items():
        key = kind.name, field, at, column
        _effect(bodies, key, found.name, found.title, body, kind.fields[field].type)
    for (field, column), formula in found.formulas.items():
        bodies.program.formulas[kind.name, field, at, column] = bodies.of_seat(formula).number(
            formula
        )


def _effect(
    bodies: Bodies, key: EffectKey, name: str, title: str, body: st.Body, sort: str
) -> None:
    """Resolve an effect of an entry."""
    kind, field, _, column = key
    program, automatic = bodies.program, sort == "automatic"
    r = bodies.of_seat(body, may_choose=not automatic)
    r.scope.heading = plain(title)
    block = r.block(body)
    proc = ".".join([kind, name, field] + ([column] if column else []))
    program.procs[proc] = TypedProc(
        proc, name, verb=True, params=(), block=block, span=body.span, automatic=automatic
    )
    program.effects[key] = proc
    if r.scope.failed:
        program.failed.add(proc)


def _home(bodies: Bodies, info: PieceInfo) -> None:
    """Resolve where pieces are at the beginning."""
    if info.home is None:
        message = f"Where are the {info.plural} at the beginning?"
        help_text = f"Say it: `piece {info.name} ... in box`."
        bodies.findings.report("E006", info.span, message, help_text)
        return
    owner = ty.Local("owner", type=SEAT)
    r = bodies.of_nobody(info.home)
    r.scope.me = owner if info.owned else None
    cells = cells_of(r, info.home)
    if cells is None:
        return
    place = bodies.world.places[cells.place]
    at = place.owner_dim
    if info.owned and at is not None and cells.dims[at] is None:
        dims = list(cells.dims)
        dims[at] = owner
        cells = attrs.evolve(cells, dims=tuple(dims))
    world = bodies.world
    known = {*world.kinds, *world.pieces, "seat", "player"}
    if not cells.one and not known.issuperset(place.dims):
        return  # reported where the place is declared
    if not cells.one:
        message = f"Each of the {info.plural} begins in one place."
        help_text = "Name one: a place that is there once, or one per seat for pieces per seat."
        bodies.findings.report("E301", info.home.span, message, help_text)
        return
    check_holds(r, place.name, info.name, info.home.span)
    bodies.program.homes[info.name] = Home(info.name, cells)


def _rival(bodies: Bodies, rival: RivalInfo) -> None:
    """Resolve when a rival sits at the table."""
    options = {name: info.default for name, info in bodies.world.options.items()}
    if rival.when is None:
        return
    r = bodies.of_nobody(rival.when)
    condition = r.condition(rival.when)
    if not r.scope.failed and fixed(condition, 1, options) is None:
        message = "Who sits at the table is settled before the game."
        help_text = "Ask only for `players` and for options."
        bodies.findings.report("E301", rival.when.span, message, help_text)
    bodies.program.rival_conditions[rival.name] = condition


def _ranking(bodies: Bodies) -> tuple[tuple[bool, ty.Value], ...]:
    """Return by what is ranked; where nothing is said, the most points win."""
    world, seat = bodies.world, ty.Local("me", type=SEAT)
    ranked: list[tuple[bool, ty.Value]] = []
    for step in world.wins[-1].ranking if world.wins else ():
        if isinstance(step.value, ex.Name) and step.value.name == "score":
            value: ty.Value = ty.ScoreOf(seat, type=NUMBER, span=step.span)
        else:
            value = bodies.of_seat(step.value).number(step.value)
        ranked.append((step.most, value))
    return tuple(ranked) or ((True, ty.ScoreOf(seat, type=NUMBER)),)


def _verdicts(bodies: Bodies) -> Iterator[ty.Value]:
    """Yield for each verdict the condition under which it is one."""
    for verdict in bodies.world.verdicts:
        when = verdict.when
        yield ty.YES if when is None else bodies.of_seat(when).condition(when)


def _spread_failures(program: Program) -> None:
    """Take what asks for a value that failed as failed itself; values come callees first."""
    failed = program.failed_values
    for (name, _), value in program.values.items() if failed else ():
        if _asks(value.body, failed):
            failed.add(name)
    for key, proc in program.procs.items() if failed else ():
        if _asks(proc.block, failed):
            program.failed.add(key)


def _asks(node: ty.Node, values: set[str]) -> bool:
    return any(isinstance(each, ty.CallValue) and each.name in values for each in ty.walk(node))
