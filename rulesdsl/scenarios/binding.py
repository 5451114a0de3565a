"""Resolution of the names in scenarios, which become part of their pack's program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.attributes import cells_of
from rulesdsl.check.resolve.resolver import ResolveContext, Scope
from rulesdsl.check.symbols.symbol_table import OptionSymbol
from rulesdsl.check.symbols.tables import unquoted
from rulesdsl.check.symbols.types import NUMBER, PLAYER, SEAT, YES_NO, Type
from rulesdsl.check.typed.program import Program, TypedProc, TypedValue
from rulesdsl.interpreter.pack import option_number
from rulesdsl.lower.layout import Layout
from rulesdsl.scenarios import wording
from rulesdsl.scenarios.reading import ParsedScenario, ParsedSight
from rulesdsl.scenarios.scenario import RuleText, Scenario
from rulesdsl.source.diagnostics import Findings, similar
from rulesdsl.source.english import or_list
from rulesdsl.source.span import Span
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.expressions import Contents, Expr, Name


@attrs.frozen
class BoundStatement:
    """A statement of a scenario, and the key of its procedure in the program."""

    span: Span
    key: str


@attrs.frozen
class Side:
    """An operand of an expectation, shown when the expectation fails."""

    words: str
    value: str
    type: Type


@attrs.frozen
class Expectation:
    """An expectation, and the name of its value in the program."""

    text: RuleText
    value: str
    sides: tuple[Side, ...]


@attrs.frozen
class BoundSight:
    """Something that a player is expected to see, or not to see if not `wanted`.

    It is a cell of a track or flag, or pieces in a cell of a `place`: any of the kind `of`, or
    those called `name`.
    """

    text: RuleText
    player: int
    wanted: bool
    of: str
    dims: tuple[int, ...]
    place: str = ""
    name: str = ""


@attrs.frozen
class BoundScenario:
    """A scenario that is ready to be compiled and run."""

    scenario: Scenario
    given: tuple[BoundStatement, ...]
    play: tuple[BoundStatement, ...]
    expect: tuple[Expectation, ...]
    sights: tuple[BoundSight, ...] = ()

    @property
    def procs(self) -> set[str]:
        """The keys of its procedures in the program."""
        return {act.key for act in (*self.given, *self.play)}

    @property
    def values(self) -> set[str]:
        """The names of its values in the program."""
        found = {each.value for each in self.expect}
        return found | {side.value for each in self.expect for side in each.sides}


class Binder:
    """Resolver of the statements and expectations of scenarios; it adds them to a program."""

    def __init__(self, bodies: ResolveContext, program: Program, findings: Findings) -> None:
        self.bodies = bodies
        self.program = program
        self.findings = findings
        self._count = 0

    def bind(self, parsed: ParsedScenario) -> BoundScenario:
        """Add a scenario; report its errors at their spans."""
        self._count += 1
        scenario = parsed.scenario
        self._check_options(scenario)
        self._check_after(scenario)
        name = f"scenario {self._count}"
        return BoundScenario(
            scenario,
            self._acts(f"{name} given", scenario, parsed.given),
            # a lesson goes on in an ordinary game, which runs one procedure
            self._acts(
                f"{name} play",
                scenario,
                (parsed.play,) if parsed.play else (),
                whole=scenario.lesson,
            ),
            tuple(
                self._expectation(f"{name} expect {at}", scenario, *each)
                for at, each in enumerate(parsed.expect)
            ),
            tuple(
                sight
                for part in parsed.sights
                if (sight := self._sight(scenario, part)) is not None
            ),
        )

    def _scope(self, scenario: Scenario, *, may_choose: bool = True) -> Scope:
        scope = Scope(None, may_choose=may_choose)
        for number in range(scenario.players):
            scope.locals[f"p{number + 1}"] = ty.Const(number, type=PLAYER)
        for rival in self._rivals(scenario):
            scope.assume(ty.IsSome(ty.SeatNumber(rival, type=SEAT.or_none()), type=YES_NO))
        return scope

    def _rivals(self, scenario: Scenario) -> list[str]:
        """Return the rivals in a scenario, given its players and options."""
        options = self.program.world.options
        numbers = {name: info.default for name, info in options.items()}
        for name, value in scenario.options.items():
            if name in options and _is_value(options[name], value):
                numbers[name] = option_number(options[name], value)
        return Layout(self.program, scenario.players, numbers).rivals

    def _acts(
        self,
        name: str,
        scenario: Scenario,
        texts: Iterable[tuple[RuleText, st.Body]],
        *,
        whole: bool = False,
    ) -> tuple[BoundStatement, ...]:
        """Add statements; if `whole`, each text is a single procedure."""
        found: list[BoundStatement] = []
        for text, body in texts:
            bodies = [body.statements] if whole else _apart(body.statements, scenario)
            for statements in bodies:
                key, part = f"{name} {len(found)}", st.Body(tuple(statements), span=body.span)
                block = self.bodies.resolver(self._scope(scenario)).block(part)
                span = statements[0].span if statements[0].span.line else text.span
                self.program.procs[key] = TypedProc(key, key, False, (), block, span, late={})  # noqa: FBT003
                found.append(BoundStatement(span, key))
        return tuple(found)

    def _expectation(
        self, name: str, scenario: Scenario, text: RuleText, expr: Expr
    ) -> Expectation:
        scope = self._scope(scenario, may_choose=False)
        condition = self.bodies.resolver(scope).condition(expr)
        self._add(name, condition)
        sides: list[Side] = []
        for value in operands(condition):
            words = _words(text, value)
            if words is not None and not isinstance(value, ty.Const | ty.TextValue):
                side, shown = f"{name} side {len(sides)}", counted(value)
                self._add(side, shown)
                sides.append(Side(words, side, shown.type))
        return Expectation(text, name, tuple(sides))

    def _sight(self, scenario: Scenario, sight: ParsedSight) -> BoundSight | None:
        """Resolve what a player sees; report anything else than things in one place, or a cell."""
        text = sight.text
        r = self.bodies.resolver(self._scope(scenario, may_choose=False))
        world, of, name, place = self.program.world, "", "", ""
        dims: tuple[ty.Value | None, ...] = ()
        expr = sight.expr
        if isinstance(expr, Contents) and isinstance(expr.what, Name):
            cells = cells_of(r, expr.where)
            name = world.singular(expr.what.name)
            kinds = [name] if name in world.pieces else world.owners.get(name, [])
            of = next((kind for kind in kinds if kind in world.pieces), "")
            name = "" if name == of else name
            if not of:
                r.value(expr)  # reports an unknown name
            if cells is not None:
                place, dims = cells.place, cells.dims
        else:
            value = r.value(expr)
            if isinstance(value, ty.TrackCell):
                of, dims = value.track, value.dims
            elif isinstance(value, ty.FlagCell):
                of, dims = f"{value.flag}?", value.dims
        indexes = tuple(dim.value for dim in dims if isinstance(dim, ty.Const))
        if of and len(indexes) == len(dims):
            return BoundSight(text, sight.player, sight.wanted, of, indexes, place, name)
        if not r.scope.failed:
            wording.NO_SIGHT.report(self.findings, text.span)
        return None

    def _add(self, name: str, value: ty.Value) -> None:
        self.program.values[name, 0] = TypedValue(name, (), None, value, value.span)

    # ---------------------------------------------------------------- options and `after`
    def _check_options(self, scenario: Scenario) -> None:
        known = self.program.world.options
        for name, value in scenario.options.items():
            span = scenario.option_spans[name]
            if name not in known:
                advice = similar(name, known) or unquoted(name, value, known)
                wording.UNKNOWN_OPTION.report(self.findings, span, advice=advice, name=name)
            elif not _is_value(known[name], value):
                values = _values(known[name])
                wording.BAD_OPTION.report(self.findings, span, name=name, values=values)

    def _check_after(self, scenario: Scenario) -> None:
        after, steps = scenario.after, self.program.world.plain_steps
        if after is not None and after.text not in steps:
            name, advice = after.text, similar(after.text, steps)
            wording.UNKNOWN_STEP.report(self.findings, after.span, advice=advice, name=name)


def _apart(statements: Sequence[st.Stmt], scenario: Scenario) -> Iterator[Sequence[st.Stmt]]:
    """Yield the statements that are carried out, and checked, one after the other.

    A block for a seat or for each player is carried out statement by statement as well. A `let`
    stays with the statements that follow it in its block.
    """
    for at, statement in enumerate(statements):
        if isinstance(statement, st.Let):
            yield statements[at:]
            return
        if isinstance(statement, st.Sequence) and not statement.gains:
            yield from _apart(statement.steps, scenario)
        elif isinstance(statement, st.ActAs):
            for part in _apart(statement.body.statements, scenario):
                inside = st.Body(tuple(part), span=statement.body.span)
                yield (st.ActAs(statement.seat, inside, span=part[0].span),)
        elif isinstance(statement, st.Each) and _is_for_players(statement):
            for number in range(scenario.players):
                seat = Name(f"p{number + 1}")
                yield from _apart((st.ActAs(seat, statement.body),), scenario)
        else:
            yield (statement,)


def _is_for_players(loop: st.Each) -> bool:
    parts = (loop.variable, loop.domain, loop.start, loop.where)
    return loop.kind.text == "player" and parts == (None, None, None, None)


def _values(option: OptionSymbol) -> str:
    if option.names:
        return or_list([f'"{each}"' for each in option.names])
    return "true or false" if option.switch else f"a number from {option.low} to {option.high}"


def _is_value(option: OptionSymbol, value: object) -> bool:
    if option.names:
        return value in option.names
    if option.switch or not isinstance(value, int) or isinstance(value, bool):
        return option.switch and isinstance(value, bool)
    return option.low <= value <= option.high


def operands(condition: ty.Value) -> list[ty.Value]:
    """Return the operands of the comparisons and counts in a condition."""
    if isinstance(condition, ty.And | ty.Or):
        return [side for part in condition.parts for side in operands(part)]
    if isinstance(condition, ty.Negation):
        return operands(condition.value)
    if isinstance(condition, ty.Comparison):
        return [condition.left, condition.right]
    return [condition] if isinstance(condition, ty.AnyOf | ty.IsSome) else []


def counted(value: ty.Value) -> ty.Value:
    """Return the value to show for an operand: `any X` becomes a count."""
    if isinstance(value, ty.AnyOf):
        return ty.CountOf(value.domain, type=NUMBER, span=value.span)
    return value.value if isinstance(value, ty.IsSome) else value


def _words(text: RuleText, value: ty.Value) -> str | None:
    """Return the source text from which a value was parsed, or None if it is unknown."""
    span = value.span
    at = {place: offset for offset, place in reversed(list(enumerate(text.positions)))}
    start = at.get((span.line, span.column))
    end = at.get((span.end_line, span.end_column - 1))
    if span.file != text.span.file or start is None or end is None:
        return None
    words = " ".join(text.text[start : end + 1].split())
    if isinstance(value, ty.AnyOf | ty.IsSome):
        words = words.removeprefix("any ").removeprefix("no ")
    return words
