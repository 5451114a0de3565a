"""Resolution of scenarios against the names of the pack, as additions to its program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.program import TypedProc, TypedValue
from rulesdsl.check.resolve.resolver import Scope
from rulesdsl.check.symbols.tables import unquoted
from rulesdsl.check.symbols.types import NUMBER, PLAYER, SEAT, YES_NO, Type
from rulesdsl.interpreter.pack import option_number
from rulesdsl.lower.layout import Layout
from rulesdsl.scenarios.scenario import RuleText, Scenario
from rulesdsl.source.diagnostics import similar
from rulesdsl.source.english import or_list

if TYPE_CHECKING:
    from rulesdsl.check.program import Program
    from rulesdsl.check.resolve.resolver import ResolveContext
    from rulesdsl.check.symbols.symbol_table import OptionSymbol
    from rulesdsl.scenarios.reading import ParsedScenario
    from rulesdsl.source.diagnostics import Findings


@attrs.frozen
class BoundStatement:
    """A statement of a scenario and the key of its procedure."""

    text: RuleText
    key: str


@attrs.frozen
class Side:
    """An operand of an expectation, shown when it fails."""

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
class WovenScenario:
    """A scenario ready to compile and run."""

    scenario: Scenario
    given: tuple[BoundStatement, ...]
    play: BoundStatement | None
    expect: tuple[Expectation, ...]

    @property
    def procs(self) -> set[str]:
        """The keys of its procedures in the program."""
        acts = (*self.given, self.play) if self.play else self.given
        return {act.key for act in acts}

    @property
    def values(self) -> set[str]:
        """The names of its values in the program."""
        found = {each.value for each in self.expect}
        return found | {side.value for each in self.expect for side in each.sides}


class Binder:
    """Resolver of scenarios' statements and expectations, which it adds to a program."""

    def __init__(self, bodies: ResolveContext, program: Program, findings: Findings) -> None:
        self.bodies = bodies
        self.program = program
        self.findings = findings
        self._count = 0

    def weave(self, parsed: ParsedScenario) -> WovenScenario:
        """Add a scenario; report its errors at their spans."""
        self._count += 1
        scenario = parsed.scenario
        self._check_options(scenario)
        self._check_after(scenario)
        name = f"scenario {self._count}"
        given: list[BoundStatement] = []
        for at, (text, body) in enumerate(parsed.given):
            block = self.bodies.resolver(self._scope(scenario)).block(body)
            given.append(self._act(f"{name} given {at}", text, block))
        play: BoundStatement | None = None
        if parsed.play is not None:
            block = self.bodies.resolver(self._scope(scenario)).block(parsed.play[1])
            play = self._act(f"{name} play", parsed.play[0], block)
        expect: list[Expectation] = []
        for at, (text, expr) in enumerate(parsed.expect):
            scope = self._scope(scenario, may_choose=False)
            condition = self.bodies.resolver(scope).condition(expr)
            expect.append(self._expectation(f"{name} expect {at}", text, condition))
        return WovenScenario(scenario, tuple(given), play, tuple(expect))

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
            if name in options and is_value(options[name], value):
                numbers[name] = option_number(options[name], value)
        return Layout(self.program, scenario.players, numbers).rivals

    # ---------------------------------------------------------------- statements
    def _act(self, key: str, text: RuleText, block: ty.Block) -> BoundStatement:
        self.program.procs[key] = TypedProc(key, key, False, (), block, text.span)  # noqa: FBT003
        return BoundStatement(text, key)

    # ---------------------------------------------------------------- expectations
    def _expectation(self, name: str, text: RuleText, condition: ty.Value) -> Expectation:
        self._add(name, condition)
        sides: list[Side] = []
        for value in _sides(condition):
            words = _words(text, value)
            if words is None or isinstance(value, ty.Const | ty.TextValue):
                continue
            side = f"{name} side {len(sides)}"
            shown = _shown(value)
            self._add(side, shown)
            sides.append(Side(words, side, shown.type))
        return Expectation(text, name, tuple(sides))

    def _add(self, name: str, value: ty.Value) -> None:
        self.program.values[name, 0] = TypedValue(name, (), None, value, value.span)

    # ---------------------------------------------------------------- options and `after`
    def _check_options(self, scenario: Scenario) -> None:
        known = self.program.world.options
        for name, value in scenario.options.items():
            span = scenario.option_spans[name]
            if name not in known:
                advice = similar(name, known) or unquoted(name, value, known)
                self.findings.report("E201", span, f"There is no option `{name}`.", advice)
            elif not is_value(known[name], value):
                message = f"The option `{name}` has no such value."
                self.findings.report("E005", span, message, f"Expected {_values(known[name])}.")

    def _check_after(self, scenario: Scenario) -> None:
        after = scenario.after
        if after is None:
            return
        steps = self.program.world.plain_steps
        if after.text not in steps:
            self.findings.report(
                "E204",
                after.span,
                f"There is no step `{after.text}` that can be run by itself.",
                similar(after.text, steps),
            )


def _values(option: OptionSymbol) -> str:
    if option.names:
        return or_list([f'"{each}"' for each in option.names])
    return "true or false" if option.switch else f"a number from {option.low} to {option.high}"


def is_value(option: OptionSymbol, value: object) -> bool:
    """Return true if an option can have a value."""
    if option.names:
        return value in option.names
    if option.switch:
        return isinstance(value, bool)
    return (
        isinstance(value, int)
        and not isinstance(value, bool)
        and option.low <= value <= option.high
    )


def _sides(condition: ty.Value) -> list[ty.Value]:
    """Return the operands of the comparisons and counts in a condition."""
    if isinstance(condition, ty.And | ty.Or):
        return [side for part in condition.parts for side in _sides(part)]
    if isinstance(condition, ty.Negation):
        return _sides(condition.value)
    if isinstance(condition, ty.Comparison):
        return [condition.left, condition.right]
    return [condition] if isinstance(condition, ty.AnyOf | ty.IsSome) else []


def _shown(value: ty.Value) -> ty.Value:
    """Return the value to display: `any X` becomes a count."""
    if isinstance(value, ty.AnyOf):
        return ty.CountOf(value.domain, type=NUMBER, span=value.span)
    return value.value if isinstance(value, ty.IsSome) else value


def _words(text: RuleText, value: ty.Value) -> str | None:
    """Return the part of a text from which a value was parsed, None if unknown."""
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
