"""Visibility: an information-flow analysis of values, domains and locals.

The eyes of a value are the locals that hold seats who can work it out whatever lies hidden, or
ALL.  A local that holds a thing has two: who knows *which* thing is meant (the top card of a
deck: everybody), and who knows its *face* (nobody).  How many pieces lie in a hidden place is no
secret, nor what is printed on their backs; which they are, and how many of one sort, is.  Pieces
without a face are always seen.  What is not known to be seen is hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.inline import bindings
from rulesdsl.check.program import Eyes
from rulesdsl.check.typed.facts import guards_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rulesdsl.check.program import Program
    from rulesdsl.check.world import PlaceInfo, TrackInfo

ALL: Eyes = None
NOBODY: Eyes = frozenset()

_OF_PARTS = (  # kinds that are as hidden as what they are made of
    *(ty.Const, ty.Text, ty.SeatNumber, ty.Seats, ty.Setting, ty.Bundle, ty.Chart, ty.TableAt),
    *(ty.Arith, ty.Comparison, ty.And, ty.Or, ty.Negation, ty.Cases, ty.HasEffect, ty.EntryOf),
    *(ty.OwnerOf, ty.Ring, ty.MakeBundle, ty.BundlePart, ty.FlagCell, ty.Cells),
)


@attrs.frozen
class Sight:
    """The knowledge of a local: who knows which thing it holds, and who its face or number."""

    which: Eyes = ALL
    face: Eyes = ALL


OPEN = Sight()
HIDDEN = Sight(NOBODY, NOBODY)


class Sights:
    """The knowledge of the locals at a point, and what was found out about nodes with that.

    A node is asked about from several sides, over and over: each answer is worked out once, or
    the work would double with every level that things are put into one another.
    """

    def __init__(self, known: Mapping[str, Sight]) -> None:
        self.known = dict(known)
        self.faces: dict[ty.Node, Eyes] = {}
        self.inside: dict[tuple[ty.Domain, str], Sights] = {}

    def __getitem__(self, name: str) -> Sight:
        return self.known.get(name, HIDDEN)

    @property
    def told(self) -> tuple[tuple[str, Eyes, Eyes], ...]:
        """The locals that there are, with who knows which thing each holds, and who its face."""
        return tuple((name, sight.which, sight.face) for name, sight in self.known.items())

    def learn(self, name: str, sight: Sight) -> None:
        """Take in a local from here on."""
        self.known[name] = sight
        self.faces, self.inside = {}, {}

    def also(self, name: str, sight: Sight) -> Sights:
        """Return these with one more local."""
        return Sights({**self.known, name: sight})


def meet(*eyes: Eyes) -> Eyes:
    """Return who sees all of it."""
    some = [each for each in eyes if each is not None]
    return frozenset.intersection(*some) if some else ALL


def within(some: Eyes, others: Eyes) -> bool:
    """Return whether all who see the one see the other too."""
    return others is None or (some is not None and some <= others)


def seat(value: ty.Value | None, unsure: Eyes = NOBODY) -> Eyes:
    """Return a seat as the only one who sees something; `unsure` where no local holds it."""
    return frozenset({value.name}) if isinstance(value, ty.Local) else unsure


class Visibility:
    """Tells who sees what the values of a program come to."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.world = program.world
        self._known: dict[object, Eyes] = {}

    # ---------------------------------------------------------------- values
    def face(self, value: ty.Value | ty.Cells, sights: Sights) -> Eyes:
        """Return who can tell what a value is, given who knows what locals hold."""
        if value not in sights.faces:
            sights.faces[value] = self._face(value, sights)
        return sights.faces[value]

    def _face(self, value: ty.Value | ty.Cells, sights: Sights) -> Eyes:  # noqa: C901, PLR0912 - one case a kind
        if isinstance(value, _OF_PARTS):
            return self.faces(ty.children(value), sights)
        match value:
            case ty.Local():
                return sights[value.name].face
            case ty.IsSome():
                return self.which(value.value, sights)
            case ty.FieldOf():
                field = self.world.kinds[value.kind].fields.get(value.field)
                if field is None or not field.back:
                    return self.faces(ty.children(value), sights)
                return meet(self.which(value.subject, sights), self.face_of(value.key, sights))
            case ty.LetIn():
                bound = self.sight(value.bound, sights)
                return self.face(value.inner, sights.also(value.name, bound))
            case ty.TrackCell():
                own = self.track_eyes(value.track, value.dims)
                return meet(own, self.faces(value.dims, sights))
            case ty.Located():
                seen_by = self.world.places[value.place].seen_by
                hidden = self.has_face(value.piece) and seen_by is not None
                return NOBODY if hidden else self.face(value.subject, sights)
            case ty.MemberOf() | ty.PositionIn():
                return meet(self.face(value.subject, sights), self.members(value.domain, sights))
            case ty.CountOf() | ty.AnyOf():
                return self.number(value.domain, sights)
            case ty.SumOf():
                return meet(
                    self.number(value.domain, sights),
                    self.face(value.amount, self.inside(value.domain, value.variable, sights)),
                )
            case ty.BestOf():
                inner = self.inside(value.domain, value.variable, sights)
                ranks = self.faces((each for _, each in value.ranking), inner)
                return meet(ranks, self.things(value.domain, sights))
            case ty.FirstOf():
                own = meet(self.face(value.values, sights), self.face_of(value.after, sights))
                inner = sights.also(value.variable, Sight(own, own))
                return meet(own, self.face(value.condition, inner))
            case ty.EndOf():
                own = self.pile_eyes(value.piece, value.cells)
                return meet(own, self.face(value.cells, sights))
            case ty.RandomOf():
                return self.things(value.domain, sights)
            case ty.CallValue():
                called = self.program.values[value.name, value.layer]
                return self._called(called.body, called.params, value.me, value.arguments, sights)
            case ty.Can():
                guard = self.program.guards[value.proc]
                params = self.program.procs[value.proc].params
                return self._called(guard, params, value.me, value.arguments, sights)
            case ty.CanDo() | ty.Formula():
                own = meet(self.face(value.subject, sights), self.face_of(value.key, sights))
                bodies = guards_of(value, self.program)
                if isinstance(value, ty.Formula):
                    bodies = self.program.bodies((value.kind, value.field))
                return meet(own, *(self._called(e, (), value.me, (), sights) for e in bodies))
            case ty.ScoreOf():
                lines = (self.program.values[e.name, len(e.hooks)] for e in self.world.scores)
                of = value.seat
                every = ((e.body, e.params, of, [of] * len(e.params)) for e in lines)
                return meet(*(self._called(*each, sights) for each in every))
            case ty.StandingOf():
                keys = (each for _, each in self.program.ranking)
                seen = meet(*(self._called(each, (), value.seat, (), sights) for each in keys))
                return ALL if seen is ALL else NOBODY  # it compares all seats
            case _:
                assert_never(value)

    def face_of(self, value: ty.Value | None, sights: Sights) -> Eyes:
        """Return who can tell what a value is; everybody where there is none."""
        return ALL if value is None else self.face(value, sights)

    def faces(self, values: Iterable[ty.Node], sights: Sights) -> Eyes:
        """Return who can tell all of some values."""
        found = ALL
        for each in values:  # no frame more: values call one another a hundred deep
            found = meet(found, self.face(each, sights))  # type: ignore[arg-type] # no domains
        return found

    def which(self, value: ty.Value, sights: Sights) -> Eyes:
        """Return who knows which thing a value means, and whether there is one, face up or not."""
        return self.sight(value, sights).which

    def sight(self, value: ty.Value, sights: Sights) -> Sight:
        """Return who knows what of a local that is bound to a value."""
        if isinstance(value, ty.Local):
            return sights[value.name]
        seen = self.face(value, sights)
        if isinstance(value, ty.EndOf):
            return Sight(self.face(value.cells, sights), seen)
        if isinstance(value, ty.RandomOf):
            return Sight(self.number(value.domain, sights), seen)
        return Sight(seen, seen)

    # ---------------------------------------------------------------- domains
    def members(self, domain: ty.Domain, sights: Sights) -> Eyes:
        """Return who can tell of everything whether it is among the things of a domain."""
        match domain:
            case ty.Lying() | ty.EndPieces():
                own = self.pile_eyes(domain.piece, domain.cells)
                return meet(own, self.faces(ty.children(domain), sights))
            case ty.Filtered():
                return meet(self.members(domain.base, sights), self._kept(domain, sights))
            case ty.Entries() | ty.AllSeats() | ty.Numbers() | ty.Listed() | ty.AnyWhere():
                return self.faces(ty.children(domain), sights)
            case _:
                assert_never(domain)

    def number(self, domain: ty.Domain, sights: Sights) -> Eyes:
        """Return who can tell how many things a domain has."""
        if isinstance(domain, ty.Filtered):
            return meet(self.number(domain.base, sights), self._kept(domain, sights))
        if isinstance(domain, ty.EndPieces):
            return self.face(domain.cells, sights)
        if isinstance(domain, ty.Lying) and domain.owner is domain.entry is None:
            return self.face(domain.cells, sights)
        return self.members(domain, sights)

    def things(self, domain: ty.Domain, sights: Sights) -> Eyes:
        """Return who can tell which and how many things a domain has."""
        return meet(self.number(domain, sights), self.members(domain, sights))

    def _kept(self, domain: ty.Filtered, sights: Sights) -> Eyes:
        return self.face(domain.condition, self.inside(domain.base, domain.variable, sights))

    def inside(self, domain: ty.Domain, variable: str, sights: Sights) -> Sights:
        """Return what is known of locals where a domain is gone through, one by one."""
        key = domain, variable
        if key not in sights.inside:
            each = Sight(self.number(domain, sights), self.members(domain, sights))
            sights.inside[key] = sights.also(variable, each)
        return sights.inside[key]

    # ---------------------------------------------------------------- pieces and tracks
    def has_face(self, piece: str) -> bool:
        """Return whether pieces of a kind can lie hidden: those that bear something."""
        return piece in self.world.pieces and self.world.pieces[piece].style == "printed"

    def track_eyes(self, track: str, dims: Sequence[ty.Value], unsure: Eyes = NOBODY) -> Eyes:
        """Return who sees what a track says at a cell."""
        info = self.world.tracks[track]
        return _eyes(info, dims, unsure)

    def pile_eyes(self, piece: str, cells: ty.Cells, unsure: Eyes = NOBODY) -> Eyes:
        """Return who sees the faces of the pieces that lie in cells."""
        place = self.world.places[cells.place]
        return _eyes(place, cells.dims, unsure) if self.has_face(piece) else ALL

    # ---------------------------------------------------------------- what is called by name
    def value_eyes(self, name: str, layer: int) -> tuple[Eyes, str]:
        """Return who sees a named value, and how its body calls the seat that it is of."""
        found = self.program.values[name, layer]
        names = [*(each.name for each in found.params), "me"]
        return self.face(found.body, Sights(dict.fromkeys(names, OPEN))), names[0]

    def _called(
        self,
        body: ty.Value,
        params: Iterable[ty.Local],
        me: ty.Value,
        arguments: Iterable[ty.Value],
        sights: Sights,
    ) -> Eyes:
        """Return who can tell what a body comes to that is called with arguments."""
        bound = dict(bindings(params, me, arguments))
        inner = self.passed(bound, sights)
        memo = body, tuple(inner.known.items())
        if memo not in self._known:
            self._known[memo] = self.face(body, inner)
        found = self._known[memo]
        outer = (bound.get(name) or ty.Local(name.removeprefix("^")) for name in found or ())
        return found and frozenset(each.name for each in outer if isinstance(each, ty.Local))

    def passed(self, bound: dict[str, ty.Value], sights: Sights) -> Sights:
        """Return who knows what of the locals of what is called, seats by their names there.

        Those that have none keep the one that they have here, with a mark.
        """

        def named(eyes: Eyes) -> Eyes:
            if not eyes:
                return eyes
            seats = ((name, each) for name, each in bound.items() if isinstance(each, ty.Local))
            here = (name for name, each in seats if each.name in eyes)
            return frozenset([*here, *(f"^{name}" for name in eyes)])

        inner: dict[str, Sight] = {}
        for name, each in bound.items():
            seen = self.sight(each, sights)
            inner[name] = Sight(named(seen.which), named(seen.face))
        return Sights(inner)


def _eyes(info: PlaceInfo | TrackInfo, indexes: Sequence[ty.Value | None], unsure: Eyes) -> Eyes:
    """Return who sees a cell: all, nobody, or its seat (`unsure` where no local holds that)."""
    if info.seen_by is None:
        return ALL
    own = (at for dim, at in zip(info.dims, indexes, strict=False) if dim in {"seat", "player"})
    return seat(next(own, None), unsure) if info.seen_by == "owner" else NOBODY
