"""Who surely sees what: an information-flow analysis of values, domains and locals.

The eyes of a value are the locals that hold seats who can work it out whatever lies hidden, or
ALL.  A local that holds a thing has two: who knows *which* thing is meant (the top card of a
deck: everybody), and who knows its *face* (nobody).  How many pieces lie in a hidden place is no
secret, nor what is printed on their backs; which they are, and how many of a sort, is.  Pieces
without a face are always seen.  What is not known to be seen is hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.walk import parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulesdsl.check.program import Program

Eyes = frozenset[str] | None  # names of locals that hold seats; None: everybody
ALL: Eyes = None
NOBODY: Eyes = frozenset()
SEATS = {"seat", "player"}


@attrs.frozen
class Sight:
    """Who knows which thing a local holds, and who knows its face (of a number: what it is)."""

    which: Eyes = ALL
    face: Eyes = ALL


Sights = dict[str, Sight]
Bound = list[tuple[str, "ty.Value"]]
OPEN = Sight()


def meet(eyes: Iterable[Eyes]) -> Eyes:
    """Return who sees all of it."""
    found: Eyes = ALL
    for each in eyes:
        found = each if found is None else found if each is None else found & each
    return found


def within(some: Eyes, others: Eyes) -> bool:
    """Whether all who see the one see the other too."""
    return others is None or (some is not None and some <= others)


def seat(value: ty.Value | None) -> Eyes:
    """Return a seat as the only one who sees something; nobody where no local holds it."""
    return frozenset({value.name}) if isinstance(value, ty.Local) else NOBODY


class Visibility:
    """Who sees what the values of a program come to."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.world = program.world
        self._known: dict[object, Eyes] = {}

    # ---------------------------------------------------------------- values
    def face(self, value: ty.Value | ty.Cells, sights: Sights) -> Eyes:  # noqa: C901, PLR0912 - one case a kind
        """Return who can tell what a value is, given who knows what locals hold."""
        match value:
            case (
                ty.Const() | ty.Text() | ty.SeatNumber() | ty.Seats() | ty.Setting() | ty.Bundle()
            ):
                return ALL
            case ty.Local():
                return sights[value.name].face if value.name in sights else NOBODY
            case (
                ty.Chart()
                | ty.TableAt()
                | ty.Arith()
                | ty.Comparison()
                | ty.And()
                | ty.Or()
                | ty.Negation()
                | ty.Cases()
                | ty.HasEffect()
                | ty.EntryOf()
                | ty.OwnerOf()
                | ty.Ring()
                | ty.MakeBundle()
                | ty.BundlePart()
                | ty.FlagCell()
                | ty.Cells()
            ):
                return self.faces(parts_of(value), sights)
            case ty.IsSome():
                return self.which(value.value, sights)
            case ty.FieldOf():
                field = self.world.kinds[value.kind].fields.get(value.field)
                if field is None or not field.back:
                    return self.faces(parts_of(value), sights)
                return meet([self.which(value.subject, sights), self.face_of(value.key, sights)])
            case ty.LetIn():
                bound = self.sight(value.bound, sights)
                return self.face(value.inner, {**sights, value.name: bound})
            case ty.TrackCell():
                own = self.track_eyes(value.track, value.dims)
                return meet([own, self.faces(value.dims, sights)])
            case ty.Located():
                return meet(
                    [self._location(value.piece, value.place), self.face(value.subject, sights)]
                )
            case ty.MemberOf():
                return meet([self.face(value.subject, sights), self.members(value.domain, sights)])
            case ty.PositionIn():
                return meet([self.face(value.subject, sights), self.members(value.domain, sights)])
            case ty.CountOf() | ty.AnyOf():
                return self.number(value.domain, sights)
            case ty.SumOf():
                inner = {**sights, value.variable: self.candidate(value.domain, sights)}
                return meet([self.number(value.domain, sights), self.face(value.amount, inner)])
            case ty.BestOf():
                inner = {**sights, value.variable: self.candidate(value.domain, sights)}
                ranks = self.faces((each for _, each in value.ranking), inner)
                return meet([ranks, self.things(value.domain, sights)])
            case ty.FirstOf():
                own = meet([self.face(value.values, sights), self.face_of(value.after, sights)])
                inner = {**sights, value.variable: Sight(own, own)}
                return meet([own, self.face(value.condition, inner)])
            case ty.EndOf():
                return meet([self._pile(value.piece, value.cells), self.face(value.cells, sights)])
            case ty.RandomOf():
                return self.things(value.domain, sights)
            case ty.CallValue():
                named = self.program.values[value.name, value.layer]
                return self._called(named.body, named.params, value.me, value.arguments, sights)
            case ty.Can():
                guard, params = self._guard(value.proc)
                return self._called(guard, params, value.me, value.arguments, sights)
            case ty.CanDo() | ty.Formula():
                own = meet([self.face(value.subject, sights), self.face_of(value.key, sights)])
                found = (
                    self._called(each, (), value.me, (), sights) for each in self._held(value)
                )
                return meet([own, *found])
            case ty.ScoreOf():
                lines = (self.program.values[e.name, len(e.hooks)] for e in self.world.scores)
                seats = (value.seat,)
                return meet(
                    self._called(e.body, e.params, *seats, seats[: len(e.params)], sights)
                    for e in lines
                )
            case ty.StandingOf():
                every = (each for _, each in self.program.ranking)
                ranked = meet(self._called(each, (), value.seat, (), sights) for each in every)
                return ALL if ranked is ALL else NOBODY  # it compares all seats
            case ty.ItemAt() | ty.Length():
                return NOBODY
            case _:
                assert_never(value)

    def face_of(self, value: ty.Value | None, sights: Sights) -> Eyes:
        """Return who can tell what a value is; everybody where there is none."""
        return ALL if value is None else self.face(value, sights)

    def faces(self, values: Iterable[ty.Node], sights: Sights) -> Eyes:
        """Return who can tell all of some values."""
        return meet(self.face(each, sights) for each in values)  # type: ignore[arg-type] # no domains

    def which(self, value: ty.Value, sights: Sights) -> Eyes:
        """Return who knows which thing a value means, and whether there is one, face up or not."""
        match value:
            case ty.Local():
                return sights[value.name].which if value.name in sights else NOBODY
            case ty.EndOf():
                return self.face(value.cells, sights)
            case ty.RandomOf():
                return self.number(value.domain, sights)
            case _:
                return self.face(value, sights)

    def sight(self, value: ty.Value, sights: Sights) -> Sight:
        """Return who knows what of a local that is bound to a value."""
        return Sight(self.which(value, sights), self.face(value, sights))

    # ---------------------------------------------------------------- domains
    def members(self, domain: ty.Domain, sights: Sights) -> Eyes:
        """Return who can tell of everything whether it is among the things of a domain."""
        match domain:
            case ty.Entries() | ty.AllSeats() | ty.AnyWhere():
                return ALL
            case ty.Numbers() | ty.Listed():
                return self.faces(parts_of(domain), sights)
            case ty.Lying() | ty.EndPieces():
                own = self._pile(domain.piece, domain.cells)
                return meet([own, self.faces(parts_of(domain), sights)])
            case ty.Filtered():
                return meet([self.members(domain.base, sights), self._kept(domain, sights)])

    def number(self, domain: ty.Domain, sights: Sights) -> Eyes:
        """Return who can tell how many things a domain has."""
        match domain:
            case ty.Lying(owner=None, entry=None) | ty.EndPieces():
                return self.face(domain.cells, sights)
            case ty.Filtered():
                return meet([self.number(domain.base, sights), self._kept(domain, sights)])
            case _:
                return self.members(domain, sights)

    def _kept(self, domain: ty.Filtered, sights: Sights) -> Eyes:
        """Return who can tell of each thing whether it fulfils the condition."""
        inner = {**sights, domain.variable: self.candidate(domain.base, sights)}
        return self.face(domain.condition, inner)

    def candidate(self, domain: ty.Domain, sights: Sights) -> Sight:
        """Return who knows what of each thing that somebody goes through a domain for."""
        return Sight(self.number(domain, sights), self.members(domain, sights))

    def things(self, domain: ty.Domain, sights: Sights) -> Eyes:
        """Return who can tell which and how many things a domain has."""
        return meet([self.number(domain, sights), self.members(domain, sights)])

    # ---------------------------------------------------------------- pieces and tracks
    def has_face(self, piece: str) -> bool:
        """Whether pieces of a kind can lie hidden: those that bear something."""
        return piece in self.world.pieces and self.world.pieces[piece].style == "printed"

    def track_eyes(self, track: str, dims: Sequence[ty.Value]) -> Eyes:
        """Return who sees what a track says at a cell."""
        info = self.world.tracks[track]
        return _eyes(info.seen_by, info.dims, dims)

    def _pile(self, piece: str, cells: ty.Cells) -> Eyes:
        """Return who sees the faces of the pieces that lie in cells."""
        place = self.world.places[cells.place]
        return _eyes(place.seen_by, place.dims, cells.dims) if self.has_face(piece) else ALL

    def _location(self, piece: str, place: str) -> Eyes:
        """Return who can tell in which cell of a kind of places a piece lies."""
        hidden = self.has_face(piece) and self.world.places[place].seen_by is not None
        return NOBODY if hidden else ALL

    # ---------------------------------------------------------------- what is called by name
    def value_eyes(self, name: str, layer: int) -> tuple[Eyes, str]:
        """Return who sees a named value, and how its body calls the seat that it is of."""
        found = self.program.values[name, layer]
        owner = found.params[0].name if found.params else "me"
        sights = dict.fromkeys(("me", *(each.name for each in found.params)), OPEN)
        return self.face(found.body, sights), owner

    def _guard(self, proc: str) -> tuple[ty.Value, tuple[ty.Local, ...]]:
        return self.program.guards.get(proc, ty.YES), self.program.procs[proc].params

    def _held(self, value: ty.CanDo | ty.Formula) -> Iterable[ty.Value]:
        """Return the guards or formulas that a field may hold."""
        if isinstance(value, ty.CanDo):
            return [self._guard(each)[0] for each in self.program.meant(value)]
        return self.program.bodies((value.kind, value.field))

    def _called(
        self,
        body: ty.Value,
        params: tuple[ty.Local, ...],
        me: ty.Value,
        arguments: tuple[ty.Value, ...],
        sights: Sights,
    ) -> Eyes:
        """Return who can tell what a body comes to that is called with arguments."""
        bound = bound_by(params, me, arguments)
        inner = self.inward(bound, sights)
        memo = (id(body), tuple(inner.items()))
        if memo not in self._known:
            self._known[memo] = self.face(body, inner)
        found = self._known[memo]
        outer = {name: each.name for name, each in bound if isinstance(each, ty.Local)}
        return found if found is None else frozenset(outer[n] for n in found if n in outer)

    def inward(self, bound: Bound, sights: Sights) -> Sights:
        """Return who knows what of the locals of what is called, seats by their names there."""

        def named(eyes: Eyes) -> Eyes:
            if eyes is None:
                return ALL
            return frozenset(
                name for name, each in bound if isinstance(each, ty.Local) and each.name in eyes
            )

        return {
            name: Sight(named(self.which(each, sights)), named(self.face(each, sights)))
            for name, each in bound
        }


def bound_by(params: Iterable[ty.Local], me: ty.Value, arguments: tuple[ty.Value, ...]) -> Bound:
    """Return what the locals of something called are bound to."""
    return [("me", me), *zip((each.name for each in params), arguments, strict=True)]


def _eyes(seen_by: str | None, dims: Sequence[str], indexes: Sequence[ty.Value | None]) -> Eyes:
    """Return who sees a cell: all, the seat that it belongs to, or nobody."""
    if seen_by is None:
        return ALL
    owners = (at for dim, at in zip(dims, indexes, strict=False) if dim in SEATS)
    return seat(next(owners, None)) if seen_by == "owner" else NOBODY
