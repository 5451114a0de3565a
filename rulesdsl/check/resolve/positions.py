"""Choices among pieces that the chooser does not see: by their positions, not by their faces.

A search shows the faces: a choice in a stack that nobody sees, among pieces at which the chooser
has just looked, or one whose condition or text of the options says something about the faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import wording
from rulesdsl.check.resolve.attributes import place_type
from rulesdsl.check.resolve.holes import VERB
from rulesdsl.check.resolve.resolver import Resolver
from rulesdsl.check.symbols.symbol_table import SymbolKind
from rulesdsl.check.symbols.types import NUMBER, Type, fits, piece
from rulesdsl.check.typed.conditions import atoms
from rulesdsl.source.diagnostics import similar
from rulesdsl.source.language import Language
from rulesdsl.source.span import Span
from rulesdsl.syntax import expressions as ex

Pile = ty.Lying | ty.EndPieces
_OF_FACES = (ty.EntryOf, ty.OwnerOf, ty.CallValue, ty.CanDo, ty.HasEffect, ty.FieldFormula)


def unseen(
    r: Resolver, domain: ty.Domain, me: ty.Value, local: ty.Local, label: ty.MessageText | None
) -> Pile | None:
    """Return the pieces of a domain if a choice among them must not show the chooser their faces.

    In the label, the text of the options, the local is the piece.
    """
    base, conditions, names = domain, list[ty.Value](), {local.name}
    while isinstance(base, ty.Filtered):
        conditions += atoms(base.condition)
        names.add(base.variable)
        base = base.base
    if not isinstance(base, Pile) or r.world.pieces[base.piece].style != "printed":
        return None
    place = r.world.places[base.cells.place]
    is_search = base in r.scope.looked_at or (place.stack and place.seen_by == "nobody")
    if is_search or _sees(r, base.cells, me, domain.span):
        return None
    if isinstance(base, ty.Lying) and (base.owner or base.entry) is not None:
        return None
    is_search = _tell_faces(r, [*conditions, *(label.values if label else ())], names)
    return None if is_search or _lies_open(r, conditions, me, domain.span) else base


def _sees(r: Resolver, cells: ty.Cells, me: ty.Value, span: Span) -> bool:
    """Return whether a seat sees the pieces in cells, as far as that is certain."""
    place = r.world.places[cells.place]
    at = place.owner_dim
    owner = None if at is None or at >= len(cells.dims) else cells.dims[at]
    if place.seen_by == "others":
        return at is not None and owner not in {None, me}
    is_older = r.world.language(span) < Language.V0_2
    return place.seen_by is None or is_older or (place.seen_by == "owner" and owner == me)


def _lies_open(r: Resolver, conditions: Iterable[ty.Value], me: ty.Value, span: Span) -> bool:
    """Return whether conditions say that a piece lies where a seat sees it."""
    for condition in conditions:
        match condition:
            case ty.MemberOf(domain=ty.Lying(cells=cells)) if _sees(r, cells, me, span):
                return True
            case ty.Comparison(op="=", left=ty.Located(), right=seat) if seat == me:
                return True
    return False


def _tell_faces(r: Resolver, values: Sequence[ty.Value], names: set[str]) -> bool:
    """Return whether any value depends on the face of a piece in one of the locals."""
    for node in (node for value in values for node in ty.walk(value)):
        if isinstance(node, ty.FieldOf):
            field = r.world.kinds[node.kind].fields.get(node.field)
            reads = field is None or not field.back
        else:
            reads = isinstance(node, _OF_FACES)
        if reads and any(isinstance(e, ty.Local) and e.name in names for e in ty.children(node)):
            return True
    return False


@attrs.frozen
class ByPosition:
    """A choice of a position, counted from the top, in place of a piece."""

    number: ty.Local
    domain: ty.Domain
    chosen: ty.EndOf
    label: ty.MessageText | None

    @classmethod
    def of(
        cls,
        r: Resolver,
        domain: ty.Domain,
        base: Pile,
        local: ty.Local,
        label: ty.MessageText | None,
    ) -> ByPosition:
        """Return the choice that replaces one among the pieces of a base."""
        kind, top = Type("number", base.piece), not isinstance(base, ty.EndPieces) or base.top
        first, last = ty.Const(1, type=NUMBER), ty.CountOf(base, type=NUMBER)
        number = r.scope.fresh("position", kind)
        chosen = ty.EndOf(base.piece, base.cells, top, number, type=piece(base.piece))
        numbers: ty.Domain = ty.NumberRange(first, last, element=kind)
        while isinstance(domain, ty.Filtered):
            condition = ty.substitute(domain.condition, domain.variable, chosen)
            numbers = ty.Filtered(numbers, number.name, condition, element=kind)
            domain = domain.base
        if label is None and not base.cells.one:
            label = _with_place(r, base, number, chosen)
        elif label is not None:
            values = (number if value == local else value for value in label.values)
            label = attrs.evolve(label, values=tuple(values))
            label = ty.substitute(label, local.name, chosen)
        return cls(number, numbers, chosen, label)

    def assigned_to(self, local: ty.Local, span: Span) -> ty.Step:
        """Return the step that gives a local the chosen piece."""
        return ty.SetLocal(local.name, self.chosen, span=span)

    def before(self, block: ty.Block, local: ty.Local, span: Span) -> ty.Block:
        """Return a block in which a local has the chosen piece."""
        return attrs.evolve(block, steps=(self.assigned_to(local, span), *block.steps))


def _with_place(
    r: Resolver, base: Pile, number: ty.Local, chosen: ty.EndOf
) -> ty.MessageText | None:
    """Return the text of the options among the pieces of several places, each with its place."""
    place = base.cells.place
    if len(r.world.places[place].dims) != 1:
        return None
    there = ty.Located(base.piece, chosen, place, type=place_type(r, place))
    return ty.MessageText(("", " (", ")"), (number, there), ("", ""))


def previewing(r: Resolver, choice: ex.Choice, local: ty.Local, *, hidden: bool) -> str:
    """Return the key of the verb or step that previews a choice, or an empty string.

    It takes the chosen element and nothing else; pieces that the chooser does not see have no
    preview.
    """
    if choice.preview is None:
        return ""
    name = choice.preview.text
    r.expect(choice.preview, VERB)
    if name not in r.world.procs:
        message = wording.NO_VERB(similar(name, r.world.procs), name=name)
        r.not_known(message, name, choice.preview.span)
        return ""
    fitting = [
        proc
        for proc in r.world.procs[name]
        if [fits(local.type, param.type) and param.noun is None for param in proc.params] == [True]
    ]
    if len(fitting) != 1 or hidden:
        message = wording.NO_PREVIEW(name=name, kind=choice.kind.text)
        r.report(message, choice.preview.span)
        return ""
    r.note(choice.preview.span, SymbolKind.VERB, name)
    return fitting[0].key
