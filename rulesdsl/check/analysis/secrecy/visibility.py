"""Visibility: the seats that can know each value, and text that shows hidden values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis import wording
from rulesdsl.check.symbols.symbol_table import FlagInfo, PlaceInfo, SymbolTable, TrackInfo
from rulesdsl.check.typed.conditions import atoms
from rulesdsl.check.typed.program import Eyes, Program, TypedProc
from rulesdsl.check.typed.traits import bindings, guards_of
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import NOWHERE

_ISSUED = re.compile(r"[%~].*|\.\d+$")
ALL: Eyes = None
NOBODY: Eyes = frozenset()

OF_PARTS = (  # kinds labelled by the meet of their parts
    *(
        ty.Const,
        ty.TextValue,
        ty.SeatNumber,
        ty.Seats,
        ty.SettingValue,
        ty.Bundle,
        ty.Chart,
        ty.TableAt,
    ),
    *(ty.Arith, ty.Comparison, ty.And, ty.Or, ty.Negation, ty.Cases, ty.HasEffect, ty.EntryOf),
    *(ty.OwnerOf, ty.Ring, ty.MakeBundle, ty.BundlePart, ty.Cells),
)


@attrs.frozen
class Sight:
    """Labels of a local: the seats that know its identity, and the seats that know its face.

    `apart` are the locals that are certainly other seats than this one. A piece from `afar` comes
    from all there are, wherever they lie.
    """

    which: Eyes = ALL
    face: Eyes = ALL
    apart: frozenset[str] = frozenset()
    afar: bool = False


OPEN = Sight()
HIDDEN = Sight(NOBODY, NOBODY)


class Sights:
    """Label environment of the locals at a point, with the labels of nodes computed in it.

    Labels of nodes are queried repeatedly; if they were not cached, the work would double at each
    nesting level.
    """

    def __init__(self, known: Mapping[str, Sight]) -> None:
        self.known = dict(known)
        self.faces: dict[ty.Node, Eyes] = {}
        self.inside: dict[tuple[ty.Domain, str], Sights] = {}

    def __getitem__(self, name: str) -> Sight:
        return self.known.get(name, HIDDEN)

    @property
    def labels(self) -> tuple[tuple[str, Eyes, Eyes, frozenset[str]], ...]:
        """The locals in scope, each with the fields of its labels."""
        return tuple((e, sight.which, sight.face, sight.apart) for e, sight in self.known.items())

    def learn(self, name: str, sight: Sight) -> None:
        """Set the labels of a local from this point on."""
        for other, known in self.known.items():
            if name in known.apart:
                self.known[other] = attrs.evolve(known, apart=known.apart - {name})
        self.known[name] = sight
        self.faces, self.inside = {}, {}

    def also(self, name: str, sight: Sight) -> Sights:
        """Return the environment with one more local."""
        inner = Sights(self.known)
        inner.learn(name, sight)
        return inner


def meet(*eyes: Eyes) -> Eyes:
    """Return the intersection of labels: the seats that see everything."""
    some = [each for each in eyes if each is not None]
    return frozenset.intersection(*some) if some else ALL


def within(some: Eyes, others: Eyes) -> bool:
    """Return whether every seat in `some` is in `others`."""
    return others is None or (some is not None and some <= others)


def written_name(local: str) -> str:
    """Return a name as its author wrote it, without the suffixes that the checker adds."""
    return _ISSUED.sub("", local)


def hides(world: SymbolTable) -> bool:
    """Return whether any place, track or flag is hidden from some player."""
    return any(info.seen_by is not None for info in (*world.places.values(), *world.counters))


def seat(value: ty.Value | None, unsure: Eyes = NOBODY) -> Eyes:
    """Return the label of a single seat; `unsure` if the seat is not a local."""
    return frozenset({value.name}) if isinstance(value, ty.Local) else unsure


_CALLING = ty.CallValue | ty.Can | ty.CanDo | ty.FieldFormula | ty.ScoreOf | ty.StandingOf
Call = tuple[ty.Value, tuple[ty.Local, ...], ty.Value, tuple[ty.Value, ...]]
"""A body that is evaluated, its parameters, the acting seat and the arguments."""


# Visibility: an information-flow analysis with seats as security labels.
#
# The label of a value (`Eyes`) is ALL, or the set of locals whose seats can compute the value
# whatever the hidden information is. The lattice operation is intersection (`meet`): a compound
# value is known to the seats that know all of its parts. A local that is a thing has two labels
# (`Sight`): the seats that know *which* thing it is (the top card of a deck: everybody), and those
# that know its *face* (nobody). The number of pieces in a hidden place and the print on their
# backs are public; their faces, and counts of one sort, are not. Pieces without a face are always
# visible. Unknown locals are HIDDEN.
#
# Labels are memoized per node and environment (`Sights`) and, for calls, per body and labels of
# the arguments (`_called`), so nesting does not take exponential time. Labels consist of locals,
# not seats: two locals with the same seat are distinct, and the label of a computed seat (`owner
# of x`) is NOBODY. So knowledge is underestimated; a value also counts as hidden if it does not
# depend on the hidden values that define it (`x - x`), and knowledge from earlier observations is
# not tracked.
class Visibility:
    """Computation of labels for a program's values and domains."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.world = program.world
        self._known: dict[object, Eyes] = {}
        self.read_afar: set[str] = set()
        """The tracks and flags that were read of pieces wherever they lie."""

    # ---------------------------------------------------------------- values
    def face(self, value: ty.Value | ty.Cells, sights: Sights) -> Eyes:
        """Return the label of a value: the seats that can compute it."""
        if value not in sights.faces:
            sights.faces[value] = self._face(value, sights)
        return sights.faces[value]

    def _face(self, value: ty.Value | ty.Cells, sights: Sights) -> Eyes:  # noqa: C901, PLR0912 - one case a kind
        if isinstance(value, OF_PARTS):
            return self.faces(ty.children(value), sights)
        match value:
            case ty.Local():
                return sights[value.name].face
            case ty.IsSome(value=ty.TrackCell(dims=dims)):  # all know if a memory is empty
                return self.faces(dims, sights)
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
            case ty.TrackCell() | ty.FlagCell() if self.is_secret_mark(value, sights):
                return NOBODY
            case ty.TrackCell(track=name, dims=dims) | ty.FlagCell(flag=name, dims=dims):
                return meet(self.track_eyes(name, dims, sights), self.faces(dims, sights))
            case ty.Located(subject=ty.EndOf(index=ty.Local()) as end):
                return self._end(end, sights)  # where the piece at a position lies
            case ty.Located():
                place = self.world.places[value.place]
                hidden = place.seen_by is not None and (self.has_face(value.piece) or place.only)
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
                own = self.pile_eyes(value.piece, value.cells, sights)
                return meet(own, self._end(value, sights))
            case ty.RandomOf():
                return self.things(value.domain, sights)
            case ty.CallValue() | ty.Can() | ty.ScoreOf():
                return meet(*(self._called(*call, sights) for call in self.calls(value)))
            case ty.CanDo() | ty.FieldFormula():
                own = meet(self.face(value.subject, sights), self.face_of(value.key, sights))
                return meet(own, *(self._called(*call, sights) for call in self.calls(value)))
            case ty.StandingOf():
                seen = meet(*(self._called(*call, sights) for call in self.calls(value)))
                return ALL if seen is ALL else NOBODY  # all seats are compared
            case _:
                assert_never(value)

    def face_of(self, value: ty.Value | None, sights: Sights) -> Eyes:
        """Return the label of an optional value; ALL if it is absent."""
        return ALL if value is None else self.face(value, sights)

    def faces(self, values: Iterable[ty.Node], sights: Sights) -> Eyes:
        """Return the meet of the labels of the given values."""
        found = ALL
        for each in values:  # saves a frame: values nest a hundred deep
            found = meet(found, self.face(each, sights))  # type: ignore[arg-type] # no domains
        return found

    def which(self, value: ty.Value, sights: Sights) -> Eyes:
        """Return the seats that know a value's identity, or that it is none."""
        return self.sight(value, sights).which

    def sight(self, value: ty.Value, sights: Sights) -> Sight:
        """Return the labels of a local bound to a value."""
        if isinstance(value, ty.Local):
            return sights[value.name]
        eyes = self.face(value, sights)
        if isinstance(value, ty.BestOf) and isinstance(value.domain.unfiltered, ty.AnyWhere):
            return Sight(eyes, eyes, afar=True)
        if isinstance(value, ty.EndOf):
            return Sight(self._end(value, sights), eyes)
        if isinstance(value, ty.RandomOf):
            return Sight(self.number(value.domain, sights), eyes)
        if isinstance(value, ty.TrackCell) and value.type.family != "number":
            # all know if a memory is empty
            return Sight(self.faces(value.dims, sights), eyes)
        return Sight(eyes, eyes)

    def _end(self, value: ty.EndOf, sights: Sights) -> Eyes:
        return meet(self.count_eyes(value.cells, sights), self.face_of(value.index, sights))

    # ---------------------------------------------------------------- domains
    def members(self, domain: ty.Domain, sights: Sights) -> Eyes:
        """Return the seats that can decide membership in a domain for every element."""
        match domain:
            case ty.Lying() | ty.EndPieces():
                own = self.pile_eyes(domain.piece, domain.cells, sights)
                return meet(own, self.faces(ty.children(domain), sights))
            case ty.Filtered():
                return meet(self.members(domain.base, sights), self._filter(domain, sights))
            case (
                ty.Entries()
                | ty.AllSeats()
                | ty.NumberRange()
                | ty.ListedEntries()
                | ty.AnyWhere()
            ):
                return self.faces(ty.children(domain), sights)
            case _:
                assert_never(domain)

    def number(self, domain: ty.Domain, sights: Sights) -> Eyes:
        """Return the seats that know the size of a domain."""
        if isinstance(domain, ty.Filtered):
            return meet(self.number(domain.base, sights), self._filter(domain, sights))
        if isinstance(domain, ty.EndPieces):
            return self.count_eyes(domain.cells, sights)
        if isinstance(domain, ty.Lying) and domain.owner is domain.entry is None:
            return self.count_eyes(domain.cells, sights)
        return self.members(domain, sights)

    def things(self, domain: ty.Domain, sights: Sights) -> Eyes:
        """Return the seats that know the size and the elements of a domain."""
        return meet(self.number(domain, sights), self.members(domain, sights))

    def _filter(self, domain: ty.Filtered, sights: Sights) -> Eyes:
        return self.face(domain.condition, self.inside(domain.base, domain.variable, sights))

    def inside(self, domain: ty.Domain, variable: str, sights: Sights) -> Sights:
        """Return the environment inside an iteration over a domain."""
        key = domain, variable
        if key not in sights.inside:
            apart = frozenset(other_seats(domain, variable))
            is_afar = isinstance(domain.unfiltered, ty.AnyWhere)
            element = Sight(
                self.number(domain, sights), self.members(domain, sights), apart, is_afar
            )
            sights.inside[key] = sights.also(variable, element)
        return sights.inside[key]

    # ---------------------------------------------------------------- pieces and tracks
    def has_face(self, piece: str) -> bool:
        """Return whether pieces of a kind have a face that can be hidden: only printed ones do."""
        return piece in self.world.pieces and self.world.pieces[piece].style == "printed"

    def track_eyes(
        self, track: str, dims: Sequence[ty.Value], sights: Sights, unsure: Eyes = NOBODY
    ) -> Eyes:
        """Return the seats that see a track or flag at given indexes."""
        info = self.world.counter(track)
        assert info is not None
        return _eyes(info, dims, sights, unsure)

    def is_secret_mark(self, cell: ty.TrackCell | ty.FlagCell, sights: Sights) -> bool:
        """Return whether a cell belongs to a piece that may have been marked in secret."""
        pieces = [dim for dim in cell.dims if self.has_face(dim.type.of)]
        if not any(not isinstance(dim, ty.Local) or sights[dim.name].afar for dim in pieces):
            return False
        self.read_afar.add(cell.counter)
        return cell.counter in self.program.secret_marks

    def pile_eyes(
        self, piece: str, cells: ty.Cells, sights: Sights, unsure: Eyes = NOBODY
    ) -> Eyes:
        """Return the seats that see the faces of the pieces in cells."""
        place = self.world.places[cells.place]
        hidden = self.has_face(piece) or place.only
        return _eyes(place, cells.dims, sights, unsure) if hidden else ALL

    def count_eyes(self, cells: ty.Cells, sights: Sights) -> Eyes:
        """Return the seats that know the cells, and how many pieces lie there."""
        place = self.world.places[cells.place]
        own = _eyes(place, cells.dims, sights, NOBODY) if place.only else ALL
        return meet(own, self.face(cells, sights))

    # ---------------------------------------------------------------- calls
    def calls(self, value: ty.Node) -> list[Call]:
        """Return the bodies that a node evaluates besides its own parts, with their arguments."""
        program = self.program
        if not isinstance(value, _CALLING):
            return []
        match value:
            case ty.CallValue():
                formula = program.values[value.name, value.layer]
                return [(formula.body, formula.params, value.me, value.arguments)]
            case ty.Can():
                params = program.procs[value.proc].params
                return [(program.guards[value.proc], params, value.me, value.arguments)]
            case ty.CanDo():
                return [(guard, (), value.me, ()) for guard in guards_of(value, program)]
            case ty.FieldFormula():
                bodies = program.bodies((value.kind, value.field))
                return [(body, (), value.me, ()) for body in bodies]
            case ty.ScoreOf():
                scores = self.world.scores
                lines = (program.values[score.name, len(score.hooks)] for score in scores)
                of = value.seat
                return [(line.body, line.params, of, (of,) * len(line.params)) for line in lines]
            case ty.StandingOf():
                return [(key, (), value.seat, ()) for _, key in program.ranking]
            case _:
                assert_never(value)

    def evaluated(self, value: ty.Node) -> Iterator[ty.Node]:
        """Yield the parts of a node, and those of the bodies that it evaluates."""
        todo, visited = [value], set[int]()
        while todo:
            for part in ty.walk(todo.pop()):
                yield part
                bodies = [body for body, *_ in self.calls(part) if id(body) not in visited]
                visited.update(map(id, bodies))
                todo += bodies

    def hidden_counter(self, node: ty.Node) -> TrackInfo | FlagInfo | None:
        """Return the track or flag that a node reads, if it is hidden from some seat."""
        if not isinstance(node, ty.TrackCell | ty.FlagCell):
            return None
        info = self.world.counter(node.counter)
        return info if info is not None and info.seen_by is not None else None

    def value_eyes(self, name: str, layer: int) -> tuple[Eyes, str]:
        """Return the label of a named value, and the name of the local that is its seat."""
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
        bound = dict(bindings(params, me, arguments))
        inner = self.passed(bound, sights)
        memo = body, tuple(inner.known.items())
        if memo not in self._known:
            self._known[memo] = self.face(body, inner)
        found = self._known[memo]
        outer = (bound.get(name) or ty.Local(name.removeprefix("^")) for name in found or ())
        return found and frozenset(each.name for each in outer if isinstance(each, ty.Local))

    def passed(self, bound: dict[str, ty.Value], sights: Sights) -> Sights:
        """Return the environment of a callee, with the caller's locals renamed to parameters.

        The names of the caller's locals are also included, marked with `^`.
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
            apart = named(seen.apart)
            names = apart or frozenset()
            inner[name] = Sight(named(seen.which), named(seen.face), names, seen.afar)
        return Sights(inner)


class Emptied(Visibility):
    """Visibility while nothing that is hidden lies in some places."""

    def __init__(self, program: Program, places: frozenset[str]) -> None:
        super().__init__(program)
        self._places = places

    def pile_eyes(
        self, piece: str, cells: ty.Cells, sights: Sights, unsure: Eyes = NOBODY
    ) -> Eyes:
        """Return ALL for these places."""
        is_empty = cells.place in self._places
        return ALL if is_empty else super().pile_eyes(piece, cells, sights, unsure)


def _eyes(
    info: PlaceInfo | TrackInfo | FlagInfo,
    indexes: Sequence[ty.Value | None],
    sights: Sights,
    unsure: Eyes,
) -> Eyes:
    owner = None if info.owner_dim is None else indexes[info.owner_dim]
    match info.seen_by:
        case None:
            return ALL
        case "nobody":
            return NOBODY
        case "owner":
            return seat(owner, unsure)
        case "others":
            if unsure is ALL or not isinstance(owner, ty.Local):
                return unsure
            return others(owner.name, sights)
        case _:
            assert_never(info.seen_by)


def others(owner: str, sights: Sights) -> frozenset[str]:
    """Return the locals that are certainly other seats than a local is."""
    return sights[owner].apart | {
        name for name, sight in sights.known.items() if owner in sight.apart
    }


def other_seats(domain: ty.Domain, variable: str) -> Iterator[str]:
    """Yield the locals from which each element of a domain certainly differs."""
    while isinstance(domain, ty.Filtered):
        local = {variable, domain.variable}
        for part in atoms(domain.condition):
            if isinstance(part, ty.Comparison) and part.op == "<>":
                names = {e.name for e in (part.left, part.right) if isinstance(e, ty.Local)}
                if len(names) == 2 and local & names:  # noqa: PLR2004 - two sides
                    yield from names - local
        domain = domain.base


# Unreadable text: the dual query. `Visibility` proves that a seat sees a value; here a value is
# reported only if provably no seat ever sees it. So values that a seat can see count as seen, and
# so do things in locals (they may be face up by then) and places at which some rule looks.
def check_unreadable(program: Program, findings: Findings) -> None:
    """Report values that text shows although nobody can ever see them."""
    hopeful = _Hopeful(program, _looked_at(program))
    for proc in program.procs.values():
        _check(proc, hopeful, findings)


def _looked_at(program: Program) -> frozenset[str]:
    nodes = (node for proc in program.procs.values() for node in proc.nodes)
    domains = [node.domain.unfiltered for node in nodes if isinstance(node, ty.Peek)]
    piles = (domain for domain in domains if isinstance(domain, ty.Lying | ty.EndPieces))
    kinds = {domain.piece for domain in domains if isinstance(domain, ty.AnyWhere)}
    holders = (place for place in program.world.places.values() if kinds & {*place.holds})
    return frozenset({pile.cells.place for pile in piles} | {place.name for place in holders})


def _check(proc: TypedProc, hopeful: _Hopeful, findings: Findings) -> None:
    found = [*ty.walk_all(proc.block)]
    opened = {
        id(each.words)
        for each in found
        if isinstance(each, ty.Tell) and each.span in hopeful.program.openly
    }
    names = (each.name for each in found if isinstance(each, ty.Local))
    sights = Sights(dict.fromkeys(names, OPEN))
    for each in found:
        if isinstance(each, ty.SetLocal) and each.value.type.family != "piece":
            face = hopeful.face(each.value, sights)
            sights.learn(each.name, Sight(ALL, face))
        if not isinstance(each, ty.MessageText) or each.span == NOWHERE or id(each) in opened:
            continue
        for value in each.values:
            if hopeful.face(value, sights) == NOBODY:
                span = value.span if value.span.line else each.span
                wording.UNSEEN_BY_ALL.report(findings, span)


class _Hopeful(Visibility):
    """Upper bound on visibility: a value is visible if some seat may ever see it."""

    def __init__(self, program: Program, looked_at: frozenset[str]) -> None:
        super().__init__(program)
        self._looked_at = looked_at

    def _face(self, value: ty.Value | ty.Cells, sights: Sights) -> Eyes:
        if isinstance(value, ty.Located):  # a piece may be face up somewhere
            return ALL
        return super()._face(value, sights)

    def track_eyes(
        self, track: str, dims: Sequence[ty.Value], sights: Sights, unsure: Eyes = ALL
    ) -> Eyes:
        """Return NOBODY for a track hidden from everybody and shown to nobody, otherwise ALL."""
        if track in self.world.shown:
            return ALL
        return _perhaps(super().track_eyes(track, dims, sights, unsure or ALL))

    def pile_eyes(self, piece: str, cells: ty.Cells, sights: Sights, unsure: Eyes = ALL) -> Eyes:
        """Return NOBODY for faces that nobody sees and no rule looks at, otherwise ALL."""
        own = super().pile_eyes(piece, cells, sights, unsure or ALL)
        return ALL if cells.place in self._looked_at else _perhaps(own)


def _perhaps(eyes: Eyes) -> Eyes:
    return NOBODY if eyes == NOBODY else ALL
