"""Interval analysis: bounds on every value, overflow, and limits on declarations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import prod
from typing import TYPE_CHECKING, TypeVar

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis import wording
from rulesdsl.check.symbols.declare import MOST
from rulesdsl.check.symbols.symbol_table import FlagInfo, PlaceInfo, SymbolTable, TrackInfo
from rulesdsl.check.symbols.types import YES_NO
from rulesdsl.check.typed.conditions import holds
from rulesdsl.check.typed.program import Computed, Program
from rulesdsl.check.typed.traits import inline
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import Span

Interval = tuple[int, int]  # lower and upper bound
_Term = tuple["ty.Value", Interval, int]  # of a sum, with its sign
ANY: Interval = (-MOST - 1, MOST)
MAX_THINGS = 2**32  # bound of the index of an element
NONE = -1
MAX_REPEATS = 1000  # computed loop rounds and sizes of number ranges
COUNTED = {"number", "bundle"}
DEEPEST = 12
MAX_ASKED = 1000  # guards evaluated in one query


def most_of(noun: str, world: SymbolTable) -> int | None:
    """Return the largest amount of a piece or track that a seat can have; None if unbounded."""
    piece = world.pieces.get(noun)
    if piece is not None:
        return None if piece.style == "printed" else piece.count
    track = world.tracks.get(noun)
    return track.high if track is not None and track.high < MOST else None


def fits(interval: Interval) -> bool:
    """Return whether an interval fits in 64 bits."""
    return ANY[0] <= interval[0] and interval[1] <= ANY[1]


_BINDING = (ty.LetIn, ty.SetLocal, ty.Decide, ty.ForEach, ty.SumOf, ty.Filtered)


# Interval analysis: lower and upper bounds of every number in all games.
#
# Abstract interpretation in the interval domain, flow-insensitive: tracks, settings and fields
# have their declared bounds or the extremes of their table values, counts run from 0 to the number
# of pieces, and arithmetic is interval arithmetic clamped to 64 bits (`ANY` is the top element).
# There is no fixpoint iteration: named values are evaluated once, callees first (`_known`), and
# locals have the interval of their binding, or `ANY`. Conditions have three truth values
# (`truth`); guards of calls are inlined up to `DEEPEST` levels and `MAX_ASKED` guards.
#
# Intervals are not relational, but equal terms of a sum cancel out: `x - x` is 0. Tests do not
# refine them: after `needs x >= 3` the bounds of `x` are those of its track. Bounds of a sum over
# pieces are loose: the bounds of the summand times the maximum number of pieces.
class Intervals:
    """Intervals of values, and truth values of conditions; a named value has one interval."""

    def __init__(
        self,
        program: Program,
        values: Iterable[Computed] | None = None,
    ) -> None:
        """Evaluate named values; `values` are all values and formulas, callees first."""
        self.program = program
        self.world = program.world
        self._players = program.world.most_players
        self._seats = self._players + len(program.world.rivals)
        self.locals: dict[str, Interval] = {}  # of the current body
        self._depth = 0
        self._known: dict[Computed, Interval] = {}
        self._fields: dict[tuple[str, str], Interval] = {}
        self._asked: dict[ty.Can, bool | None] = {}  # guards evaluated in the current query
        for called in [*program.values] if values is None else values:
            self._computed_for(called)  # callees first, to bound recursion depth

    @contextmanager
    def inside(
        self, params: Iterable[ty.Local] = (), numbers: Iterable[Interval] = ()
    ) -> Iterator[None]:
        """Enter a body with its own locals; `numbers` are the intervals of its arguments."""
        outer = self.locals
        given = zip(params, numbers, strict=False)
        self.locals = {param.name: each for param, each in given if param.type.family in COUNTED}
        try:
            yield
        finally:
            self.locals = outer

    def given(
        self, params: Iterable[ty.Local], arguments: Iterable[ty.Value]
    ) -> tuple[Interval, ...]:
        """Return the intervals of a call's arguments; ANY for those that are not numeric."""
        return tuple(
            self.of(argument) if param.type.family in COUNTED else ANY
            for param, argument in zip(params, arguments, strict=True)
        )

    # ---------------------------------------------------------------- conditions
    def never(self, value: ty.Value) -> bool:
        """Return whether a condition is false in every game."""
        return self.truth(value) is False

    def truth(self, value: ty.Value) -> bool | None:
        """Return True if a condition always holds, False if it never holds, None if undecided."""
        if isinstance(value, ty.Const):
            return value.value != 0
        if isinstance(value, ty.And | ty.Or):
            deciding = isinstance(value, ty.Or)  # the truth value that decides the operation
            parts = {self.truth(part) for part in value.parts}
            return deciding if deciding in parts else None if None in parts else not deciding
        if isinstance(value, ty.Negation):
            inner = self.truth(value.value)
            return None if inner is None else not inner
        if isinstance(value, ty.Comparison) and value.left.type.family == "number":
            left, right = self.of(value.left), self.of(value.right)
            if _impossible(value.op, left, right):
                return False
            return True if _impossible(_OPPOSITE[value.op], left, right) else None
        if isinstance(value, ty.AnyOf):
            return self._any(value.domain)
        if isinstance(value, ty.LetIn):
            self.bind(value)
            return self.truth(value.inner)
        if isinstance(value, ty.Cases):
            every = set(map(self.truth, value.values))
            return every.pop() if len(every) == 1 else None
        return self._of_guard(value) if isinstance(value, ty.Can) else None

    def _any(self, domain: ty.Domain) -> bool | None:
        """Return whether a domain has an element: of numbers, the first one is tried."""
        if self.most(domain) == 0:
            return False
        numbers = domain.unfiltered
        if not isinstance(numbers, ty.NumberRange):
            return None
        conditions: list[ty.Value] = [ty.Comparison("<=", numbers.low, numbers.high, type=YES_NO)]
        while isinstance(domain, ty.Filtered):
            conditions.append(ty.substitute(domain.condition, domain.variable, numbers.low))
            domain = domain.base
        return True if all(map(self.truth, conditions)) else None

    def _of_guard(self, asked: ty.Can) -> bool | None:
        if asked in self._asked:
            return self._asked[asked]
        guard = self.program.guards.get(asked.proc, ty.YES)
        if self._depth > DEEPEST or len(self._asked) >= MAX_ASKED:
            return None
        self._depth += 1
        params = self.program.procs[asked.proc].params
        given = inline(self.program, guard, params, asked.me, asked.arguments)
        found = self._asked[asked] = self.truth(given)
        self._depth -= 1
        if self._depth == 0:
            self._asked.clear()
        return found

    # ---------------------------------------------------------------- numbers
    def of(self, value: ty.Value) -> Interval:
        """Return the bounds on a value, clamped to 64 bits."""
        low, high = self.exact(value)
        return max(low, ANY[0]), min(high, ANY[1])

    def exact(self, value: ty.Value) -> Interval:  # noqa: C901, PLR0912 - one case a node
        """Return the bounds on a value before clamping."""
        if isinstance(value, ty.Const):
            return value.value, value.value
        if isinstance(value, ty.CountOf | ty.PositionIn):
            return 0, self.most(value.domain)
        if isinstance(value, ty.TrackCell):
            return self.world.tracks[value.track].low, self.world.tracks[value.track].high
        if isinstance(value, ty.Seats):
            return 1, self._players if value.players else self._seats
        if isinstance(value, ty.StandingOf):
            return 1, self._seats
        if isinstance(value, ty.SettingValue):
            return self.world.options[value.option].low, self.world.options[value.option].high
        if isinstance(value, ty.Chart):
            return _span_of(number for _, number in value.points)
        if isinstance(value, ty.FieldOf) and value.type.family in COUNTED:
            return self._field(value.kind, value.field)
        if isinstance(value, ty.Bundle):
            return _span_of((0, *value.amounts))
        if isinstance(value, ty.MakeBundle):
            return _joined(map(self.of, value.parts))
        if isinstance(value, ty.BundlePart):
            return self.of(value.bundle)
        if isinstance(value, ty.Arith):
            return self._of_arith(value)
        if isinstance(value, ty.Cases):
            return _joined(map(self.of, value.values))
        if isinstance(value, ty.TableAt):
            return _joined(map(self.of, value.rows))
        if isinstance(value, ty.LetIn):
            self.bind(value)
            return self.of(value.inner)
        if isinstance(value, ty.SumOf):
            self.bind(value)
            return _computed("*", (0, self.most(value.domain)), self.of(value.amount))
        if isinstance(value, ty.Local) and value.name in self.locals:
            return self.locals[value.name]
        if isinstance(value, ty.CallValue):
            return self._computed_for((value.name, value.layer))
        if isinstance(value, ty.FieldFormula):
            return self._computed_for((value.kind, value.field))
        if isinstance(value, ty.ScoreOf):
            return self.total_score()
        return ANY if value.type.family in COUNTED else (NONE, MAX_THINGS)

    def _of_arith(self, value: ty.Arith) -> Interval:
        if value.op in {"+", "-"}:
            terms, (low, high) = self._terms(value, 1)
            least, most = _total(terms) if fits((low, high)) else (low, high)
            return max(low, least), min(high, most)
        low, high = _computed(value.op, self.of(value.left), self.of(value.right))
        if value.op == "/":
            difference = [*self._terms(value.left, 1)[0], *self._terms(value.right, -1)[0]]
            high = min(high, 0) if _total(difference)[1] < 0 else high
        return low, high

    def _terms(self, value: ty.Value, sign: int) -> tuple[list[_Term], Interval]:
        """Return the terms of a sum whose parts all fit, and its bounds."""
        if not isinstance(value, ty.Arith) or value.op not in {"+", "-"}:
            interval = self.of(value)
            return [(value, interval, sign)], interval
        left, of_left = self._terms(value.left, sign)
        right, of_right = self._terms(value.right, sign if value.op == "+" else -sign)
        found = _computed(value.op, of_left, of_right)
        if fits(found):
            return left + right, found
        return [(value, (max(found[0], ANY[0]), min(found[1], ANY[1])), sign)], found

    def bind(self, node: ty.Node) -> None:
        """Record the interval of the local that a node binds, if any."""
        if not isinstance(node, _BINDING):
            return
        if isinstance(node, ty.LetIn):
            self.locals[node.name] = self.of(node.bound)
        elif isinstance(node, ty.SetLocal):
            self.locals[node.name] = self.of(node.value)
        elif isinstance(node, ty.Decide) and node.choice is not None:
            self._bind_each(*node.choice)
        elif isinstance(node, ty.ForEach | ty.SumOf):
            self._bind_each(node.variable, node.domain)
        elif isinstance(node, ty.Filtered):
            self._bind_each(node.variable, node.base)

    def _bind_each(self, name: str, domain: ty.Domain) -> None:
        each = domain.unfiltered
        if isinstance(each, ty.NumberRange):
            self.locals[name] = self.of(each.low)[0], self.of(each.high)[1]

    def total_score(self) -> Interval:
        """Return the unclamped bounds on the sum of all final scoring lines."""
        lines = [(each.name, len(each.hooks)) for each in self.world.scores]
        lows, highs = zip((0, 0), *map(self._computed_for, lines), strict=True)
        return sum(lows), sum(highs)

    def _field(self, kind: str, field: str) -> Interval:
        key = kind, field
        if key not in self._fields:
            numbers: list[int] = []
            for entry in self.world.kinds[kind].entries:
                for (name, _), value in entry.values.items():
                    if name == field and isinstance(value, tuple):
                        numbers.extend(number for _, number in value)
                    elif name == field and isinstance(value, dict):
                        numbers.extend((0, *value.values()))
                    elif name == field and isinstance(value, int):
                        numbers.append(value)
            self._fields[key] = _span_of(numbers) if numbers else ANY
        return self._fields[key]

    def _computed_for(self, key: Computed) -> Interval:
        if key not in self._known:
            self._known[key] = ANY  # recursive values are reported elsewhere
            with self.inside():
                bodies = self.program.bodies(key)
                self._known[key] = _joined(map(self.of, bodies)) if bodies else ANY
        return self._known[key]

    # ---------------------------------------------------------------- domains
    def most(self, domain: ty.Domain) -> int:
        """Return the maximum size of a domain."""
        match domain:
            case ty.Filtered(base=base):
                return self.most(base)
            case ty.EndPieces(count=number):
                return number
            case ty.Entries(kind=kind):
                return len(self.world.kinds[kind].entries)
            case ty.ListedEntries(values=values):
                return self.listed(values)
            case ty.AllSeats(players=players):
                return self._players if players else self._seats
            case ty.Lying():
                return self._lying(domain)
            case ty.AnyWhere(piece=piece):
                return self._pieces(piece, None) * self._owners(piece)
            case ty.NumberRange(low=low, high=high, most=most):
                known = MAX_REPEATS if most is None else most
                return min(max(self.of(high)[1] - self.of(low)[0] + 1, 0), known)

    def listed(self, values: ty.Value) -> int:
        """Return the maximum length of a list; 0 for an unknown kind."""
        kind = self.world.kinds.get(values.type.of)
        return 0 if kind is None else len(kind.entries)

    def _lying(self, domain: ty.Lying) -> int:
        number = self._pieces(domain.piece, domain.entry)
        place = self.world.places[domain.cells.place]
        at = place.owner_dim
        one_seat = domain.owner is not None or (at is not None and domain.cells.dims[at])
        return number if one_seat else number * self._owners(domain.piece)

    def _owners(self, piece: str) -> int:
        return self._seats if self.world.pieces[piece].owned else 1

    def _pieces(self, piece: str, entry: ty.Value | None) -> int:
        at = entry.value if isinstance(entry, ty.Const) else None
        return self.world.count_of(piece, at)


_OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _impossible(op: str, left: Interval, right: Interval) -> bool:
    """Return whether a comparison is false for all numbers in two intervals."""
    (low, high), (least, most) = left, right
    match op:
        case "=":
            return high < least or low > most
        case "<>":
            return low == high == least == most
        case ">" | ">=":
            return not holds(op, high, least)
        case _:
            return not holds(op, low, most)


def _computed(op: str, left: Interval, right: Interval) -> Interval:
    (a, b), (c, d) = left, right
    match op:
        case "+":
            return a + c, b + d
        case "-":
            return a - d, b - c
        case "min":
            return min(a, c), min(b, d)
        case "max":
            return max(a, c), max(b, d)
        case "/":
            return _span_of(x // y for x in left for y in (max(c, 1), max(d, 1)))
        case _:
            return _span_of(x * y for x in left for y in right)


def _total(terms: Iterable[_Term]) -> Interval:
    """Return the bounds on a sum of terms, of which equal ones cancel out."""
    times, bounds = Counter[ty.Value](), dict[ty.Value, Interval]()
    for term, interval, sign in terms:
        times[term] += sign
        bounds[term] = interval
    every = [_computed("*", (n, n), bounds[term]) for term, n in times.items()]
    return sum(low for low, _ in every), sum(high for _, high in every)


def _span_of(numbers: Iterable[int]) -> Interval:
    found = list(numbers)
    return min(found), max(found)


def _joined(every: Iterable[Interval]) -> Interval:
    return _span_of(number for interval in every for number in interval)


if TYPE_CHECKING:
    Body = TypeVar("Body", bound=ty.Node)


# Overflow marking: arithmetic that provably stays within 64 bits needs no clamping at run time.
#
# One forward pass, callers before callees: the intervals of parameters are the join over all calls
# (`_given`), so each body is analysed once, with the least upper bounds of its arguments. Nodes
# that fit are rewritten with `exact=True`; ranges and loops get their maximum size (`most`).
def mark_exact(program: Program, procs: Iterable[str], values: Sequence[Computed]) -> None:
    """Mark arithmetic that cannot overflow; procedures and values are in callers-first order."""
    marking = _Marking(program, values[::-1])
    for key in procs:
        proc = program.procs[key]
        program.procs[key] = attrs.evolve(proc, block=marking.body(key, proc.block, proc.params))
    for field, formula in program.formulas.items():
        program.formulas[field] = marking.body(None, formula)
    for rival, condition in program.rival_conditions.items():
        program.rival_conditions[rival] = marking.body(None, condition)
    program.ranking = tuple((most, marking.body(None, value)) for most, value in program.ranking)
    for called in values:
        name, layer = called
        if isinstance(layer, int) and (name, layer) in program.values:
            value = program.values[name, layer]
            body = marking.body(called, value.body, value.params)
            program.values[name, layer] = attrs.evolve(value, body=body)


class _Marking:
    def __init__(self, program: Program, values: Iterable[Computed]) -> None:
        self._program = program
        self._intervals = Intervals(program, values)
        self._given: dict[
            str | Computed, tuple[Interval, ...]
        ] = {}  # joined intervals of arguments, by callee

    def body(
        self, key: str | Computed | None, node: Body, params: tuple[ty.Local, ...] = ()
    ) -> Body:
        """Return a body with its arithmetic marked; record the intervals of its call arguments."""
        with self._intervals.inside(params, self._given.get(key, ()) if key else ()):
            for each in ty.walk(node):
                self._intervals.bind(each)
                if isinstance(each, ty.Run):
                    self._gives(each.proc, each.arguments)
                elif isinstance(each, ty.CallValue):
                    self._gives((each.name, each.layer), each.arguments)
            return ty.rewrite(node, self._marked)

    def _gives(self, called: str | Computed, arguments: tuple[ty.Value, ...]) -> None:
        new = tuple(map(self._intervals.of, arguments))
        both = zip(self._given.get(called, new), new, strict=True)
        self._given[called] = tuple((min(a, c), max(b, d)) for (a, b), (c, d) in both)

    def _marked(self, node: ty.Node) -> ty.Node:
        if isinstance(node, ty.Arith | ty.SumOf):
            exact = fits(self._intervals.exact(node))
            return attrs.evolve(node, exact=True) if exact else node
        if isinstance(node, ty.NumberRange):
            return attrs.evolve(node, most=self._intervals.most(node))
        if isinstance(node, ty.RepeatTimes):
            return attrs.evolve(node, most=self._intervals.of(node.times)[1])
        return node


MAX_PIECES = 1_000  # of a kind, per owning seat
MAX_ENTRIES = 10_000  # of a kind; a menu option stores an index in 16 bits
MAX_CELLS = 100_000  # of one place, track or flag


def check_sizes(world: SymbolTable, findings: Findings) -> None:
    """Report kinds and arrays that are too large, and too many pieces."""
    for span, things, number, most in _numbers(world):
        if number > most:
            wording.TOO_MANY.report(findings, span, number=number, things=things, most=most)


def _numbers(world: SymbolTable) -> Iterator[tuple[Span, str, int, int]]:
    for kind in world.kinds.values():
        yield kind.span, kind.plural, len(kind.entries), MAX_ENTRIES
    for piece in world.pieces.values():
        yield piece.span, piece.plural, world.count_of(piece.name), MAX_PIECES
    cells: list[PlaceInfo | TrackInfo | FlagInfo] = [*world.places.values()]
    for each in [*cells, *world.tracks.values(), *world.flags.values()]:
        yield each.span, f"cells of `{each.name}`", _cells(each.dims, world), MAX_CELLS


def _cells(dims: tuple[str, ...], world: SymbolTable) -> int:
    return prod(_size(dim, world) for dim in dims)


def _size(dim: str, world: SymbolTable) -> int:
    if dim in world.pieces:
        owners = world.most_players if world.pieces[dim].owned else 1
        return world.count_of(dim) * owners
    if dim in world.kinds:
        return len(world.kinds[dim].entries)
    return world.most_players + len(world.rivals)
