"""On the faces of which hidden pieces it depends what a step does.

Whoever thinks about other worlds (redraws) has to know where a face decides something that its
viewer does not see: elsewhere it makes no difference which piece lies there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.visibility import ALL, OPEN, Eyes, Sight, Sights

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from rulesdsl.check.disclosure import Disclosure
    from rulesdsl.source.span import Span

Part = ty.Value | ty.Domain | ty.Cells

_ELSEWHERE = (  # what these come to may depend on pieces that are not named here
    *(ty.CallValue, ty.Can, ty.CanDo, ty.Formula, ty.ScoreOf, ty.StandingOf, ty.Located),
    *(ty.RandomOf, ty.FirstOf, ty.TrackCell),
)
_TURNED = {">": "<", ">=": "<=", "=": "=", "<": ">", "<=": ">="}
_OF_PRINTS = (  # `hidden_tracks` computes these again for another piece
    *(ty.Const, ty.Local, ty.FieldOf, ty.Arith, ty.Seats, ty.Setting),
    *(ty.Negation, ty.And, ty.Or, ty.Comparison),
)


def depends(see: Disclosure, step: ty.Step, sights: Sights) -> Iterator[ty.Depend | ty.Bound]:
    """Yield what a step depends on that is not seen by all; lines and steps inside left out."""
    if isinstance(step, ty.Tell):
        return
    if isinstance(step, ty.ChangeTrack) and _is_followed(see, step, sights):
        return
    if isinstance(step, ty.Require):
        yield from _required(see, step.condition, sights, step.span)
        return
    parts = tuple(each for each in ty.children(step) if isinstance(each, Part))
    if isinstance(step, ty.Decide | ty.Secretly):  # what is offered is up to its lines
        parts = tuple(each for each in parts if not isinstance(each, ty.DomainNode))
    yield from depends_on(see, parts, sights, step.span)
    if isinstance(step, ty.DoField) and see.face(step.subject, sights) is not ALL:
        yield from _named(see, step.subject, sights, step.span)


def depends_on(
    see: Disclosure, parts: Iterable[Part], sights: Sights, span: Span
) -> Iterator[ty.Depend]:
    """Yield the pieces that parts of a step depend on, as far as they do not lie open."""
    for each in parts:
        for part in _conditions(each):
            if eyes(see, part, sights) is not ALL:
                yield from _named(see, part, sights, span)


def _conditions(part: Part) -> Iterator[Part]:
    """Yield the conditions that one is made of; any other part as it is."""
    if isinstance(part, ty.And | ty.Or | ty.Negation):
        for each in ty.children(part):
            if isinstance(each, ty.ValueNode):
                yield from _conditions(each)
    else:
        yield part


def eyes(see: Disclosure, part: Part, sights: Sights) -> Eyes:
    """Return who can tell what a part comes to: of a piece, which one; of things, how many."""
    if isinstance(part, ty.DomainNode):
        return see.number(part, sights)
    if isinstance(part, ty.MemberOf) and isinstance(part.domain, ty.Lying):
        lying = part.domain  # where a piece lies is seen, its face need not be
        if lying.owner is lying.entry is None and see.which(part.subject, sights) is ALL:
            return see.face(lying.cells, sights)
    if isinstance(part, ty.Cells) or part.type.family != "piece":
        return see.face(part, sights)
    return see.which(part, sights)


def chosen(
    see: Disclosure, name: str, domain: ty.Domain, sights: Sights, span: Span
) -> tuple[ty.Depend, ...]:
    """Return what it depends on that a thing could be chosen: only its conditions are hidden."""
    found: list[ty.Depend] = []
    base = domain.unfiltered
    hidden = isinstance(base, ty.Lying | ty.EndPieces)
    seen = Sight(ALL, see.members(base, sights)) if hidden else OPEN
    while isinstance(domain, ty.Filtered):
        of = domain.variable
        for each in _named(see, domain.condition, sights.also(of, seen), span):
            it = isinstance(each.on, ty.Local) and each.on.name == of
            thing = ty.Local(name, type=base.element) if it else each.on
            found.append(attrs.evolve(each, on=thing))
        domain = domain.base
    return (*dict.fromkeys(found),)


def _required(
    see: Disclosure, condition: ty.Value, sights: Sights, span: Span
) -> Iterator[ty.Depend | ty.Bound]:
    """Yield what a condition depends on that holds: of a hidden track alone, its bounds."""
    if isinstance(condition, ty.And):
        for each in condition.parts:
            yield from _required(see, each, sights, span)
        return
    bound = _bound(see, condition, sights, span)
    if bound is None:
        yield from depends_on(see, [condition], sights, span)
    else:
        yield bound


def _bound(see: Disclosure, condition: ty.Value, sights: Sights, span: Span) -> ty.Bound | None:
    """Return the bounds that a condition says of a hidden track; None where it is another one."""
    if not isinstance(condition, ty.Comparison) or condition.op not in _TURNED:
        return None
    op, track, by = condition.op, condition.left, condition.right
    if isinstance(by, ty.TrackCell):
        op, track, by = _TURNED[op], by, track
    if not isinstance(track, ty.TrackCell) or see.face(track, sights) is ALL:
        return None
    if see.faces((*track.dims, by), sights) is not ALL:
        return None
    beside = ty.Arith("+" if op == ">" else "-", by, ty.Const(1))
    least = {">": beside, ">=": by, "=": by}.get(op)
    most = {"<": beside, "<=": by, "=": by}.get(op)
    return ty.Bound(track.track, track.dims, least, most, span=span)


def _named(see: Disclosure, part: Part, sights: Sights, span: Span) -> Iterator[ty.Depend]:
    """Yield the pieces on whose faces a part depends; nameless where that cannot be told."""
    every = tuple(ty.walk(part))
    bound = {name for each in every for name in FACTS[type(each)].within(each)}
    used = [e for e in every if isinstance(e, ty.Local) and e.name not in bound]
    hidden = [e for e in used if sights[e.name].face is not ALL]
    opened = Sights(sights.known | {each.name: OPEN for each in hidden})
    for local in dict.fromkeys(each for each in hidden if see.has_face(each.type.of)):
        yield ty.Depend(local, span=span)  # of a number it was noted where it got its name
    if _all(see, part, opened) is ALL:
        return
    for each in every:
        if isinstance(each, _ELSEWHERE) and see.face(each, opened) is not ALL:
            yield ty.Depend(None, span=span)
        elif isinstance(each, ty.Lying | ty.EndPieces | ty.EndOf) and _is_hidden(see, each):
            yield ty.Depend(_whole(each) if _is_plain(each.cells, bound) else None, span=span)


def _all(see: Disclosure, part: Part, sights: Sights) -> Eyes:
    """Return who can tell all that a part comes to."""
    return see.things(part, sights) if isinstance(part, ty.DomainNode) else see.face(part, sights)


def _is_hidden(see: Disclosure, part: ty.Lying | ty.EndPieces | ty.EndOf) -> bool:
    return see.has_face(part.piece) and see.pile_eyes(part.piece, part.cells) is not ALL


def _whole(part: ty.Lying | ty.EndPieces | ty.EndOf) -> ty.Value | ty.Domain:
    """Return all pieces of a pile; at an end, those there alone."""
    if isinstance(part, ty.Lying):
        return ty.Lying(part.piece, part.cells, element=part.element)
    return part


def _is_plain(cells: ty.Cells, bound: Collection[str]) -> bool:
    """Whether cells can be found before anything else is looked at."""
    return all(
        each is None or isinstance(each, ty.Const) or _is_there(each, bound) for each in cells.dims
    )


def _is_there(value: ty.Value, bound: Collection[str]) -> bool:
    return isinstance(value, ty.Local) and value.name not in bound and not value.type.maybe


def _is_followed(see: Disclosure, step: ty.ChangeTrack, sights: Sights) -> bool:
    """Whether redraws compute by themselves what a hidden track has come to (`hidden_tracks`)."""
    if see.program.world.tracks[step.track].seen_by is None:
        return False
    if see.faces(step.dims, sights) is not ALL:
        return False
    for each in ty.walk(step.amount):
        if not isinstance(each, _OF_PRINTS):
            return False
        if isinstance(each, ty.FieldOf) and (
            each.key is not None or not isinstance(each.subject, ty.Local)
        ):
            return False
        if isinstance(each, ty.Local) and not see.has_face(each.type.of):
            return False
    return True
