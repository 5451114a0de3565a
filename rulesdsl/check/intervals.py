"""Interval analysis: between which two numbers a value is in every game, whatever is played.

Numbers are whole and within 64 bits; what would go beyond stops at that bound.  So every value has
an interval, the widest being `ANY`.  A local stands for anything of its type, a named value for
what its formula comes to whoever asks.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.declare.things import MOST
from rulesdsl.check.inline import inline
from rulesdsl.check.proofs import holds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.program import Computed, Program
    from rulesdsl.check.world import World

Interval = tuple[int, int]  # least and most
ANY: Interval = (-MOST - 1, MOST)
MAX_THINGS = 2**32  # what stands for a thing: an index, or that there is none
NONE = -1
MAX_REPEATS = 1000  # rounds of a loop whose number is computed, and numbers to go through
COUNTED = {"number", "bundle"}
DEEPEST = 12
MAX_ASKED = 1000  # guards that are looked at below one of them


def most_of(noun: str, world: World) -> int | None:
    """Return how many of a noun one seat can have at most; None where nothing bounds it."""
    piece = world.pieces.get(noun)
    if piece is not None:
        return None if piece.style == "printed" else piece.count
    track = world.tracks.get(noun)
    return track.high if track is not None and track.high < MOST else None


def fits(interval: Interval) -> bool:
    """Whether numbers between these bounds are within 64 bits."""
    return ANY[0] <= interval[0] and interval[1] <= ANY[1]


class Intervals:
    """The intervals of values, and what follows for conditions; each named value is seen once."""

    def __init__(
        self,
        program: Program,
        values: Iterable[Computed] | None = None,
    ) -> None:
        """Look at the values of a program; `values` are all that is computed, callees first."""
        self.program = program
        self.world = program.world
        self._players = program.world.most_players
        self._seats = self._players + len(program.world.rivals)
        self.locals: dict[str, Interval] = {}  # of the body that is looked at
        self._depth = 0
        self._known: dict[Computed, Interval] = {}
        self._fields: dict[tuple[str, str], Interval] = {}
        self._asked: dict[ty.Can, bool | None] = {}  # below the guard that is looked at
        for called in [*program.values] if values is None else values:
            self._computed_for(called)  # callees first, so that no chain of them is gone down

    @contextmanager
    def inside(
        self, params: Iterable[ty.Local] = (), numbers: Iterable[Interval] = ()
    ) -> Iterator[None]:
        """Look at a body with its own locals: what it is given is between these numbers."""
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
        """Return between which numbers the arguments of a call are; ANY for what is no number."""
        return tuple(
            self.of(argument) if param.type.family in COUNTED else ANY
            for param, argument in zip(params, arguments, strict=True)
        )

    # ---------------------------------------------------------------- conditions
    def never(self, value: ty.Value) -> bool:
        """Whether a condition cannot hold in any game."""
        return self.truth(value) is False

    def truth(self, value: ty.Value) -> bool | None:
        """Return whether a condition holds in every game or in none; None: it depends."""
        if isinstance(value, ty.Const):
            return value.value != 0
        if isinstance(value, ty.And | ty.Or):
            deciding = isinstance(value, ty.Or)  # one that holds, or one that does not
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
            return False if self.most(value.domain) == 0 else None
        if isinstance(value, ty.LetIn):
            return self.truth(value.inner)
        if isinstance(value, ty.Cases):
            every = set(map(self.truth, value.values))
            return every.pop() if len(every) == 1 else None
        return self._of_guard(value) if isinstance(value, ty.Can) else None

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
        """Return the least and the most that a number can be."""
        low, high = self.exact(value)
        return max(low, ANY[0]), min(high, ANY[1])

    def exact(self, value: ty.Value) -> Interval:  # noqa: C901, PLR0912 - one case a node
        """Return the interval of a value before it is held within 64 bits."""
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
        if isinstance(value, ty.Setting):
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
            return _computed(value.op, self.of(value.left), self.of(value.right))
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
        if isinstance(value, ty.Formula):
            return self._computed_for((value.kind, value.field))
        if isinstance(value, ty.ScoreOf):
            return self.total_score()
        return ANY if value.type.family in COUNTED else (NONE, MAX_THINGS)

    def bind(self, node: ty.Node) -> None:
        """Take in what a node binds, if it binds a number."""
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
        if isinstance(each, ty.Numbers):
            self.locals[name] = self.of(each.low)[0], self.of(each.high)[1]

    def total_score(self) -> Interval:
        """Return the interval of the lines of the final scoring together, before it is held."""
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
            self._known[key] = ANY  # for values that come back to themselves: reported elsewhere
            with self.inside():
                bodies = self.program.bodies(key)
                self._known[key] = _joined(map(self.of, bodies)) if bodies else ANY
        return self._known[key]

    # ---------------------------------------------------------------- things
    def most(self, domain: ty.Domain) -> int:
        """Return how many things a domain can have at most."""
        match domain:
            case ty.Filtered(base=base):
                return self.most(base)
            case ty.EndPieces(count=number):
                return number
            case ty.Entries(kind=kind):
                return len(self.world.kinds[kind].entries)
            case ty.Listed(values=values):
                return self.listed(values)
            case ty.AllSeats(players=players):
                return self._players if players else self._seats
            case ty.Lying():
                return self._lying(domain)
            case ty.AnyWhere(piece=piece):
                return self._pieces(piece, None) * self._owners(piece)
            case ty.Numbers(low=low, high=high, most=most):
                known = MAX_REPEATS if most is None else most
                return min(max(self.of(high)[1] - self.of(low)[0] + 1, 0), known)

    def listed(self, values: ty.Value) -> int:
        """Return how many things a list can have at most; none where its type is not known."""
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
        """Return how many pieces of a kind, or with a certain print, one owner has."""
        at = entry.value if isinstance(entry, ty.Const) else None
        return self.world.count_of(piece, at)


_OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _impossible(op: str, left: Interval, right: Interval) -> bool:
    """Whether a comparison fails for all numbers within the intervals."""
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


def _span_of(numbers: Iterable[int]) -> Interval:
    found = list(numbers)
    return min(found), max(found)


def _joined(every: Iterable[Interval]) -> Interval:
    return _span_of(number for interval in every for number in interval)
