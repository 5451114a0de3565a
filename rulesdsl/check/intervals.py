"""How large and how small a number can be in any game: bounds that hold whatever is played."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.declare.things import MOST
from rulesdsl.check.proofs import instantiate

if TYPE_CHECKING:
    from rulesdsl.check.program import Program
    from rulesdsl.check.world import World

Bounds = tuple[int | None, int | None]  # least and most; None where there is no bound
UNBOUNDED: Bounds = (None, None)
DEEPEST = 12


def most_of(noun: str, world: World) -> int | None:
    """Return how many of a noun one seat can have at most; None where nothing bounds it."""
    piece = world.pieces.get(noun)
    if piece is not None:
        return None if piece.style == "printed" else piece.count
    track = world.tracks.get(noun)
    return track.high if track is not None and track.high < MOST else None


class Reach:
    """Bounds of values and conditions of a program."""

    def __init__(self, program: Program, most_players: int) -> None:
        self.program = program
        self.world = program.world
        self._players = most_players
        self._seats = most_players + len(program.world.rivals)
        self._depth = 0
        self._fresh = count(1)

    # ---------------------------------------------------------------- conditions
    def never(self, value: ty.Value) -> bool:
        """Whether a condition cannot hold in any game."""
        match value:
            case ty.Const():
                return value.value == 0
            case ty.And(parts=parts):
                return any(self.never(part) for part in parts)
            case ty.Or(parts=parts):
                return all(self.never(part) for part in parts)
            case ty.Negation(value=inner):
                return self.always(inner)
            case ty.Comparison(op=op, left=left, right=right) if left.type.family == "number":
                return _impossible(op, self.bounds(left), self.bounds(right))
            case ty.AnyOf(domain=domain):
                return self.most(domain) == 0
            case ty.LetIn(inner=inner):
                return self.never(inner)
            case ty.Cases(cases=cases, otherwise=otherwise):
                return all(self.never(each) for _, each in cases) and self.never(otherwise)
            case ty.Can():
                return self._can_never(value)
            case _:
                return False

    def always(self, value: ty.Value) -> bool:
        """Whether a condition holds in every game."""
        match value:
            case ty.Const():
                return value.value != 0
            case ty.And(parts=parts):
                return all(self.always(part) for part in parts)
            case ty.Or(parts=parts):
                return any(self.always(part) for part in parts)
            case ty.Negation(value=inner):
                return self.never(inner)
            case ty.Comparison(op=op, left=left, right=right) if left.type.family == "number":
                return _impossible(_OPPOSITE[op], self.bounds(left), self.bounds(right))
            case _:
                return False

    def _can_never(self, asked: ty.Can) -> bool:
        guard = self.program.guards.get(asked.proc, ty.YES)
        if self._depth > DEEPEST:
            return False
        self._depth += 1
        params = self.program.procs[asked.proc].params
        found = self.never(instantiate(guard, params, asked.me, asked.arguments, self._fresh))
        self._depth -= 1
        return found

    # ---------------------------------------------------------------- numbers
    def bounds(self, value: ty.Value) -> Bounds:  # noqa: C901 - one case for each node
        """Return the least and the most that a number can be."""
        match value:
            case ty.Const():
                return value.value, value.value
            case ty.CountOf(domain=domain):
                return 0, self.most(domain)
            case ty.TrackCell(track=name):
                track = self.world.tracks[name]
                return track.low, track.high if track.high < MOST else None
            case ty.Seats(players=players):
                return 1, self._players if players else self._seats
            case ty.Setting(option=name):
                option = self.world.options[name]
                return option.low, option.high
            case ty.Chart(points=points):
                return _span_of([number for _, number in points])
            case ty.FieldOf(kind=kind, field=field):
                return self._field(kind, field)
            case ty.Arith(op=op, left=left, right=right):
                return _computed(op, self.bounds(left), self.bounds(right))
            case ty.Cases(cases=cases, otherwise=otherwise):
                return _joined([self.bounds(each) for each in (*(c[1] for c in cases), otherwise)])
            case ty.TableAt(rows=rows):
                return _joined([self.bounds(row) for row in rows])
            case ty.CallValue():
                return self._called(value)
            case _:
                return UNBOUNDED

    def _field(self, kind: str, field: str) -> Bounds:
        values = [
            value
            for entry in self.world.kinds[kind].entries
            for (name, _), value in entry.values.items()
            if name == field
        ]
        numbers = [each for each in values if isinstance(each, int)]
        return _span_of(numbers) if len(numbers) == len(values) else UNBOUNDED

    def _called(self, call: ty.CallValue) -> Bounds:
        value = self.program.values.get((call.name, call.layer))
        if value is None or self._depth > DEEPEST:
            return UNBOUNDED
        self._depth += 1
        found = self.bounds(value.body)
        self._depth -= 1
        return found

    # ---------------------------------------------------------------- things
    def most(self, domain: ty.Domain) -> int | None:
        """Return how many things a domain can have at most."""
        match domain:
            case ty.Filtered(base=base):
                return self.most(base)
            case ty.EndPieces(count=count):
                return count
            case ty.Entries(kind=kind):
                return len(self.world.kinds[kind].entries)
            case ty.AllSeats(players=players):
                return self._players if players else self._seats
            case ty.Lying():
                return self._lying(domain)
            case ty.AnyWhere(piece=piece):
                return self._pieces(piece, None) * self._owners(piece)
            case _:
                return None

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
        info = self.world.pieces[piece]
        if info.style != "printed":
            return info.count
        entries = self.world.kinds[piece].entries
        if isinstance(entry, ty.Const):
            entries = entries[entry.value : entry.value + 1]
        return info.count * sum(each.copies for each in entries)


_OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _impossible(op: str, left: Bounds, right: Bounds) -> bool:
    """Whether a comparison fails for all numbers within the bounds."""
    (low, high), (least, most) = left, right
    match op:
        case ">=":
            return high is not None and least is not None and high < least
        case ">":
            return high is not None and least is not None and high <= least
        case "<=":
            return low is not None and most is not None and low > most
        case "<":
            return low is not None and most is not None and low >= most
        case "=":
            return _impossible(">=", left, right) or _impossible("<=", left, right)
        case _:
            return low is not None and low == high == least == most


def _computed(op: str, left: Bounds, right: Bounds) -> Bounds:
    (a, b), (c, d) = left, right
    match op:
        case "+":
            return _sum(a, c), _sum(b, d)
        case "-":
            return _sum(a, None if d is None else -d), _sum(b, None if c is None else -c)
        case "min":
            return _least(a, c), b if d is None else d if b is None else min(b, d)
        case "max":
            return a if c is None else c if a is None else max(a, c), _most(b, d)
        case "*" if a is not None and c is not None and a >= 0 and c >= 0:
            return a * c, None if b is None or d is None else b * d
        case "/" if a is not None and a >= 0 and c is not None and c > 0:
            return 0, None if b is None else b // c
        case _:
            return UNBOUNDED


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _least(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else min(one, other)


def _most(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else max(one, other)


def _span_of(numbers: list[int]) -> Bounds:
    return (min(numbers), max(numbers)) if numbers else UNBOUNDED


def _joined(every: list[Bounds]) -> Bounds:
    low, high = every[0]
    for other_low, other_high in every[1:]:
        low, high = _least(low, other_low), _most(high, other_high)
    return low, high
