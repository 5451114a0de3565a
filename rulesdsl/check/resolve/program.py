"""From the world to a checked program: everything in it resolved."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.constants import fixed
from rulesdsl.check.mentions import mentions
from rulesdsl.check.program import Home, Program, TypedProc, TypedVerdict
from rulesdsl.check.resolve.procedures import Procedures
from rulesdsl.check.types import NUMBER, SEAT
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesdsl.check.world import ValueInfo


class ProgramResolver(Procedures):
    """Resolves all bodies of a world into a program."""

    def resolve(self) -> Program:
        """Return the program; findings say what could not be resolved."""
        for name in _callees_first(self.world.values):
            self.value_type(name)
        for overloads in self.world.procs.values():
            for proc in overloads:
                self._proc(proc)
        self._effects()
        self._homes()
        self._rivals()
        self._ranking()
        self._verdicts()
        self._spread_failures()
        return self.program

    def _spread_failures(self) -> None:
        """Take procedures that ask for a value that failed as failed themselves."""
        program = self.program
        if not program.failed_values:
            return
        failed = program.failed_values
        again = True
        while again:
            more = {
                name for (name, _), value in program.values.items() if _asks(value.body, failed)
            }
            again = not more <= failed
            failed.update(more)
        asking = {key for key, proc in program.procs.items() if _asks(proc.block, failed)}
        program.failed.update(asking)

    # ---------------------------------------------------------------- fields
    def _effects(self) -> None:
        for kind in self.world.kinds.values():
            for at, found in enumerate(kind.entries):
                for (field, key), body in found.effects.items():
                    automatic = kind.fields[field].type == "automatic"
                    self._effect(kind.name, field, at, key, found.name, body, automatic=automatic)
                for (field, key), formula in found.formulas.items():
                    scope = self.scope(ty.Local("me", type=SEAT), formula, may_choose=False)
                    scope.fresh("me", SEAT)
                    value = self.resolver(scope).number(formula)
                    self.program.formulas[kind.name, field, at, key] = value

    def _effect(
        self,
        kind: str,
        field: str,
        at: int,
        key: str | None,
        name: str,
        body: st.Body,
        *,
        automatic: bool,
    ) -> None:
        scope = self.scope(ty.Local("me", type=SEAT), body, may_choose=not automatic)
        scope.fresh("me", SEAT)
        block = self.resolver(scope).block(body)
        parts = [kind, name, field] + ([key] if key else [])
        proc = ".".join(parts)
        self.program.procs[proc] = TypedProc(
            proc, name, verb=True, params=(), block=block, span=body.span, automatic=automatic
        )
        self.program.effects[kind, field, at, key] = proc
        if scope.failed:
            self.program.failed.add(proc)

    # ---------------------------------------------------------------- the rest
    def _homes(self) -> None:
        for info in self.world.pieces.values():
            if info.home is None:
                self.findings.report(
                    "E006",
                    info.span,
                    f"Where are the {info.plural} at the beginning?",
                    f"Say it: `piece {info.name} ... in box`.",
                )
                continue
            owner = ty.Local("owner", type=SEAT)
            scope = self.scope(owner if info.owned else None, info.home, may_choose=False)
            cells = self.resolver(scope).cells(info.home)
            if cells is None:
                continue
            place = self.world.places[cells.place]
            at = place.owner_dim
            if info.owned and at is not None and cells.dims[at] is None:
                dims = list(cells.dims)
                dims[at] = owner
                cells = attrs.evolve(cells, dims=tuple(dims))
            if not cells.one:
                self.findings.report(
                    "E301",
                    info.home.span,
                    f"The {info.plural} begin in one place each.",
                    "Name one: a place that is there once, or one per seat for pieces per seat.",
                )
                continue
            if info.name not in place.holds:
                self.resolver(scope).check_holds(place.name, info.name, info.home.span)
            self.program.homes[info.name] = Home(info.name, cells)

    def _rivals(self) -> None:
        for rival in self.world.rivals.values():
            if rival.when is not None:
                scope = self.scope(None, rival.when, may_choose=False)
                condition = self.resolver(scope).condition(rival.when)
                options = {name: info.default for name, info in self.world.options.items()}
                if not scope.failed and fixed(condition, 1, options) is None:
                    self.findings.report(
                        "E301",
                        rival.when.span,
                        "Who sits at the table is settled before the game.",
                        "Ask only for `players` and for options.",
                    )
                self.program.rival_conditions[rival.name] = condition

    def _ranking(self) -> None:
        ranked: list[tuple[bool, ty.Value]] = []
        seat = ty.Local("me", type=SEAT)
        for step in self.world.wins[-1].ranking.steps if self.world.wins else ():
            scope = self.scope(seat, step.value, may_choose=False)
            scope.fresh("me", SEAT)
            if isinstance(step.value, ex.Name) and step.value.name == "score":
                value: ty.Value = ty.ScoreOf(seat, type=NUMBER, span=step.span)
            else:
                value = self.resolver(scope).number(step.value)
            ranked.append((step.most, value))
        best = ty.ScoreOf(seat, type=NUMBER)  # where nothing is said, the most points win
        self.program.ranking = tuple(ranked) or ((True, best),)

    def _verdicts(self) -> None:
        found: list[TypedVerdict] = []
        for verdict in self.world.verdicts:
            condition: ty.Value = ty.YES
            if verdict.when is not None:
                scope = self.scope(ty.Local("me", type=SEAT), verdict.when, may_choose=False)
                scope.fresh("me", SEAT)
                condition = self.resolver(scope).condition(verdict.when)
            found.append(TypedVerdict(verdict.word.text, verdict.text, condition, verdict.span))
        self.program.verdicts = tuple(found)


def _asks(node: ty.Node, values: set[str]) -> bool:
    return any(isinstance(each, ty.CallValue) and each.name in values for each in ty.walk(node))


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
