"""From `move` to the step that moves: which pieces, whose, from where, into what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.capabilities import Use, uses
from rulesdsl.check.naming import Sort
from rulesdsl.check.resolve.amounts import amount_of
from rulesdsl.check.resolve.calls import pick
from rulesdsl.check.resolve.cells import cells_of, check_holds, one_cell, one_stack, word_of
from rulesdsl.check.resolve.selections import selection
from rulesdsl.check.types import UNKNOWN, YES_NO, a_or_an, entry, piece
from rulesdsl.source.suggest import similar
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.source.span import Span
    from rulesdsl.syntax import statements as st


def move(r: Resolver, stmt: st.Move) -> list[ty.Step]:
    """Return the step of a move."""
    target, top = _target(r, stmt.into)
    if target is None:
        r.evaluate([stmt.what])
        if stmt.source is not None:
            with r.muted():
                cells_of(r, stmt.source)
        return []
    what = stmt.what
    if isinstance(what, ex.Amount) or (
        isinstance(what, ex.Per) and isinstance(what.rate, ex.Amount)
    ):
        return _move_amount(r, stmt, what, target, top=top)
    if stmt.source is not None:
        message = "`from` needs a number of pieces."
        help_text = "For example `move 2 coins from my purse into box`."
        r.report("E205", stmt.source.span, message, help_text)
        return []
    if isinstance(what, ex.All) or (isinstance(what, ex.Ends) and what.count is not None):
        return _move_all(r, stmt, what, target, top=top)
    return _move_one(r, stmt, target, top=top)


def _target(r: Resolver, expr: ex.Expr) -> tuple[ty.Cells | None, bool]:
    """Return the cell where pieces go, and whether on top."""
    if isinstance(expr, ex.Ends) and expr.count is None:
        return one_stack(r, expr.stack), expr.end == "top"
    return one_cell(r, expr), True


def _move_amount(
    r: Resolver, stmt: st.Move, what: ex.Amount | ex.Per, target: ty.Cells, *, top: bool
) -> list[ty.Step]:
    """Return a move of so many pieces of a noun."""
    noun_word = what.noun if isinstance(what, ex.Amount) else None
    if noun_word is not None and _is_printed_entry(r, noun_word.text):
        return _move_entries(r, stmt, what, target, top=top)
    amount = amount_of(r, what)
    assert amount is not None
    number, noun, span = amount
    info = r.world.pieces.get(noun)
    if info is None:
        if noun in r.world.tracks:
            message = f"`{noun}` is a track: there are no pieces to move."
            r.report("E301", span, message, f"Raise or lower it: `raise my {noun} by ...`.")
        return []
    if stmt.source is None:
        message = "A number of pieces has to come from a place."
        help_text = f"Say where: `move 2 {info.plural} from ... into ...`."
        r.report("E205", stmt.span, message, help_text)
        return []
    source = one_cell(r, stmt.source)
    if source is None or number.type == UNKNOWN:
        return []
    check_holds(r, source.place, noun, stmt.source.span)
    check_holds(r, target.place, noun, stmt.into.span)
    if info.style == "printed":
        domain = ty.Lying(noun, source, element=piece(noun), span=stmt.source.span)
        me, up_to = r.actor(), stmt.up_to
        return [ty.MoveSome(domain, number, up_to, target, top, me, span=stmt.span)]
    owner = _owner_of_move(r, noun, None, source, target, stmt.span)
    if info.style == "single":
        return _move_single_amount(r, stmt, noun, source, target, owner)
    return [
        ty.MoveCounted(noun, number, stmt.up_to, source, target, owner, r.actor(), span=stmt.span)
    ]


def _move_single_amount(
    r: Resolver,
    stmt: st.Move,
    noun: str,
    source: ty.Cells,
    target: ty.Cells,
    owner: ty.Value | None,
) -> list[ty.Step]:
    """Return a move of a single piece that is spoken of by number."""
    subject = attrs.evolve(owner or ty.Const(0), type=piece(noun))
    domain = ty.Lying(noun, source, element=piece(noun), span=stmt.span)
    there = ty.MemberOf(subject, domain, type=YES_NO, span=stmt.span)
    step = ty.MoveSingle(noun, subject, target, r.actor(), span=stmt.span)
    if stmt.up_to:
        block = ty.Block((step,), span=stmt.span)
        return [ty.Branching(((there, block),), ty.Block(()), span=stmt.span)]
    return [ty.Require(there, span=stmt.span), step]


def _is_printed_entry(r: Resolver, name: str) -> bool:
    if r.world.singular(name) in r.world.pieces:
        return False
    return any(r.world.kinds[kind].role == "piece" for kind in r.world.owners.get(name, ()))


def _move_entries(
    r: Resolver, stmt: st.Move, what: ex.Amount | ex.Per, target: ty.Cells, *, top: bool
) -> list[ty.Step]:
    """Return a move of pieces with a certain print."""
    assert isinstance(what, ex.Amount)
    number = r.number(what.count)
    name = what.noun.text
    kind = next(k for k in r.world.owners[name] if r.world.kinds[k].role == "piece")
    if stmt.source is None:
        r.report("E205", stmt.span, "A number of pieces has to come from a place.", "")
        return []
    cells = cells_of(r, stmt.source)
    if cells is None:
        return []
    check_holds(r, cells.place, kind, stmt.source.span)
    check_holds(r, target.place, kind, stmt.into.span)
    r.note(what.noun.span, Sort.ENTRY, name, kind)
    which = ty.Const(r.world.kinds[kind].index[name], type=entry(kind))
    domain = ty.Lying(kind, cells, None, which, element=piece(kind), span=stmt.span)
    me, up_to = r.actor(), stmt.up_to
    return [ty.MoveSome(domain, number, up_to, target, top, me, span=stmt.span)]


def _move_all(
    r: Resolver, stmt: st.Move, what: ex.All | ex.Ends, target: ty.Cells, *, top: bool
) -> list[ty.Step]:
    """Return a move of all pieces of a selection."""
    domain = selection(r, what)
    if domain is None:
        return []
    base = domain.unfiltered
    if not isinstance(base, ty.Lying | ty.EndPieces):
        message = "Only pieces in a place can be moved."
        r.report("E301", what.span, message, "For example `all cards in my hand`.")
        return []
    check_holds(r, target.place, base.piece, stmt.into.span)
    me, up_to = r.actor(), True
    if Use.MOVE in uses(r.world, domain):
        return [ty.MoveSome(domain, None, up_to, target, top, me, span=stmt.span)]
    if not isinstance(domain, ty.Lying) or Use.LIST in uses(r.world, domain):
        return _move_all_singles(r, stmt, domain, base.piece, target)
    owner = _owner_of_move(
        r, base.piece, domain.owner, domain.cells, target, stmt.span, everybody=True
    )
    cells = domain.cells
    return [ty.MoveCounted(base.piece, None, up_to, cells, target, owner, me, span=stmt.span)]


def _move_all_singles(
    r: Resolver, stmt: st.Move, domain: ty.Domain, kind: str, target: ty.Cells
) -> list[ty.Step]:
    local = r.scope.fresh("one", domain.element)
    step = ty.MoveSingle(kind, local, target, r.actor(), span=stmt.span)
    block = ty.Block((step,), span=stmt.span)
    return [ty.ForEach(local.name, domain, None, block, span=stmt.span)]


def _move_one(r: Resolver, stmt: st.Move, target: ty.Cells, *, top: bool) -> list[ty.Step]:
    """Return a move of one piece; one that is still to be chosen is chosen first."""
    steps: list[ty.Step] = []
    if isinstance(stmt.what, ex.Choice):
        value = pick(r, stmt.what, None, steps, "Move") or r.unknown(stmt.what.span)
    else:
        value = r.value(stmt.what)
    if value.type == UNKNOWN:
        return steps
    if value.type.family != "piece":
        if r.sort_given(stmt.what.span, value, piece(value.type.of)):
            return []
        message = f"This is {value.type}: only pieces can be moved."
        alike = similar(word_of(stmt.what), r.world.pieces)
        help_text = (
            alike or "Name pieces and their place: `2 coins from my purse`, `top of my deck`."
        )
        r.report("E301", stmt.what.span, message, help_text)
        return []
    kind = value.type.of
    check_holds(r, target.place, kind, stmt.into.span)
    info = r.world.pieces[kind]
    if info.style == "printed":
        moved = ty.MovePrinted(kind, value, target, top, r.actor(), span=stmt.span)
        return [*steps, moved]
    value = r.total(value, stmt.what.span)
    return [*steps, ty.MoveSingle(kind, value, target, r.actor(), span=stmt.span)]


def _owner_of_move(
    r: Resolver,
    noun: str,
    given: ty.Value | None,
    source: ty.Cells,
    target: ty.Cells,
    span: Span,
    *,
    everybody: bool = False,
) -> ty.Value | None:
    """Return whose pieces are moved; None where they are nobody's or everybody's."""
    if not r.world.pieces[noun].owned:
        return None
    here, there = _seat_dim(r, source), _seat_dim(r, target)
    owner = given or here or there
    if here is not None and there is not None and here != there:
        message = f"{a_or_an(noun).capitalize()} of one seat cannot lie in a place of another."
        help_text = "They can go into places that are nobody's, or back to their own seat."
        r.report("E303", span, message, help_text)
    if owner is None and not everybody:
        return r.me(span)
    return owner


def _seat_dim(r: Resolver, cells: ty.Cells) -> ty.Value | None:
    at = r.world.places[cells.place].owner_dim
    return None if at is None else cells.dims[at]
