"""From noun phrases to domains: which things are meant, and where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.capabilities import Use, uses
from rulesdsl.check.naming import Sort
from rulesdsl.check.resolve.attributes import nobodys
from rulesdsl.check.resolve.cells import cells_of, check_holds
from rulesdsl.check.resolve.filtering import belonging, filtered
from rulesdsl.check.resolve.holes import THINGS, hole_in
from rulesdsl.check.resolve.stacks import end_pieces
from rulesdsl.check.types import (
    NUMBER,
    PLAYER,
    SEAT,
    SEAT_WORDS,
    YES_NO,
    Type,
    a_or_an,
    entry,
    piece,
)
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.source.span import Span


def all_of(r: Resolver, singular: str, span: Span) -> ty.Domain | None:
    """Return all things that a kind's name means."""
    if singular in SEAT_WORDS:
        players = singular in {"player", "players"}
        return ty.AllSeats(players, element=PLAYER if players else SEAT, span=span)
    kind = r.world.kinds.get(singular)
    if kind is None:
        return None
    r.note(span, Sort.NOUN, kind.name)
    if kind.role == "piece":
        return ty.AnyWhere(singular, element=piece(singular), span=span)
    return ty.Entries(singular, element=entry(singular), span=span)


def selection(r: Resolver, expr: ex.Expr) -> ty.Domain | None:
    """Return the things that a phrase means; reported and None where it means none."""
    found, said = told_selection(r, expr)
    if found is None and not said:
        message = "These cannot be counted or looped over."
        help_text = "For example `cards in my hand`, `all cards in my hand where ...`, `players`."
        r.report("E301", expr.span, message, help_text)
    return found


def told_selection(r: Resolver, expr: ex.Expr) -> tuple[ty.Domain | None, bool]:
    """Return the things that a phrase means, and whether something was reported about it."""
    failed, r.scope.failed = r.scope.failed, False
    found, said = try_selection(r, expr), r.scope.failed
    r.scope.failed |= failed
    return found, said


def try_selection(r: Resolver, expr: ex.Expr) -> ty.Domain | None:
    """Return the things that a phrase means, None where it is no such phrase."""
    if hole_in(r, expr, THINGS) is not None:
        return None
    if isinstance(expr, ex.Name) and expr.name not in r.scope.locals:
        return all_of(r, r.world.singular(expr.name), expr.span) or _listed(r, expr)
    if isinstance(expr, ex.Contents):
        return contents(r, expr)
    if isinstance(expr, ex.All):
        base = selection(r, expr.what)
        return None if base is None else filtered(r, base, expr.where)
    if isinstance(expr, ex.Ends) and expr.count is not None:
        return end_pieces(r, expr)
    if isinstance(expr, ex.Range):
        low, high = r.number(expr.low), r.number(expr.high)
        return ty.Numbers(low, high, element=NUMBER, span=expr.span)
    return _listed(r, expr)


def _listed(r: Resolver, expr: ex.Expr) -> ty.Domain | None:
    """Return the entries of a list-typed value."""
    if not is_list(r, expr):
        return None
    found = r.value(expr)
    return ty.Listed(found, element=entry(found.type.of), span=expr.span)


def is_list(r: Resolver, expr: ex.Expr) -> bool:
    """Whether an expression is a field that holds a list."""
    if isinstance(expr, ex.At):
        return isinstance(expr.base, ex.Of) and is_list(r, expr.base)
    if isinstance(expr, ex.Name):
        local = r.scope.locals.get(expr.name)
        if local is not None:
            return local.type.family == "list"
        name = expr.name
        kinds = [c.type.of for c in r.scope.candidates[-1:]]
    elif isinstance(expr, ex.Of):
        name = expr.name.text
        kinds = list(r.world.kinds)
    else:
        return False
    for kind in kinds:
        info = r.world.kinds.get(kind)
        field = info.fields.get(name) if info else None
        if field is not None and field.type in r.world.plurals:
            return True
    return False


def contents(r: Resolver, expr: ex.Contents) -> ty.Domain | None:
    """Return `X in P` as a domain, None where X is one thing and not a noun."""
    what = expr.what
    if isinstance(what, ex.Name) and what.name not in r.scope.locals:
        return noun_in(r, what.name, None, expr.where, expr.span)
    if isinstance(what, ex.My):
        me = r.me(what.span)
        return noun_in(r, what.name, me, expr.where, expr.span)
    if isinstance(what, ex.Of) and is_piece_noun(r, what.name.text):
        owner = r.of_type(what.owner, SEAT)
        return noun_in(r, what.name.text, owner, expr.where, expr.span)
    return None


def is_piece_noun(r: Resolver, name: str) -> bool:
    """Whether a word names pieces."""
    return r.world.singular(name) in r.world.pieces


def noun_in(
    r: Resolver, noun: str, owner: ty.Value | None, where: ex.Expr, span: Span
) -> ty.Domain | None:
    """Return the pieces or entries that a noun means, in a place or list."""
    singular = r.world.singular(noun)
    info = r.world.pieces.get(singular)
    if info is not None:
        r.note(span, Sort.NOUN, singular)
        return _lying(r, singular, None, owner, where, span)
    owners = [kind for kind in r.world.owners.get(noun, []) if r.world.kinds[kind].role == "piece"]
    if owners:
        kind = r.world.kinds[owners[0]]
        r.note(span, Sort.ENTRY, noun, kind.name)
        which = ty.Const(kind.index[noun], type=entry(kind.name))
        return _lying(r, kind.name, which, owner, where, span)
    if singular in r.world.kinds or singular in {"seat", "player"}:
        if singular in r.world.kinds:
            r.note(span, Sort.NOUN, singular)
        listed = try_selection(r, where)
        if listed is None:
            message = f"This is not a list of {r.world.plural(singular)}."
            help_text = "Name a field that lists them, or leave `in` out to mean all of them."
            r.report("E301", where.span, message, help_text)
            return None
        check_element(r, listed.element, singular, where.span)
        return listed
    r.doubtful(noun)
    return None


def check_element(r: Resolver, element: Type, singular: str, span: Span) -> None:
    """Report things of a list that are of another kind than the one that is named."""
    if element.of != singular:
        message = f"Each of these is {element}, not {a_or_an(singular)}."
        help_text = f"Write `{element.of}`, or name another list."
        r.report("E301", span, message, help_text)


def _lying(
    r: Resolver,
    singular: str,
    which: ty.Value | None,
    owner: ty.Value | None,
    where: ex.Expr,
    span: Span,
) -> ty.Domain | None:
    """Return pieces that lie in places."""
    if isinstance(where, ex.Ends) and where.count is not None:
        return _among_ends(r, singular, which, owner, where, span)
    cells = cells_of(r, where)
    if cells is None:
        return None
    check_holds(r, cells.place, singular, where.span)
    found = ty.Lying(singular, cells, None, which, element=piece(singular), span=span)
    if owner is None:
        return found
    _check_owner(r, singular, cells, owner, span)
    return belonging(r, found, owner)


def _check_owner(r: Resolver, singular: str, cells: ty.Cells, owner: ty.Value, span: Span) -> None:
    """Report pieces of somebody that belong to nobody, or lie with somebody else."""
    at, info = r.world.places[cells.place].owner_dim, r.world.pieces[singular]
    if at is None and not info.owned:
        nobodys(r, info, span)
    elif at is not None and cells.dims[at] not in {None, owner}:
        message = "This names two different owners."
        r.report("E301", span, message, "Remove one of them.")


def _among_ends(
    r: Resolver,
    singular: str,
    which: ty.Value | None,
    owner: ty.Value | None,
    where: ex.Ends,
    span: Span,
) -> ty.Domain | None:
    """Return pieces among the top or bottom ones of a stack."""
    base = end_pieces(r, where)
    if not isinstance(base, ty.EndPieces):
        return base
    check_holds(r, base.cells.place, singular, where.span)
    asked: list[ty.Value] = []
    with r.scope.candidate(base.element) as local:
        if which is not None:
            print_of = ty.EntryOf(singular, local, type=which.type)
            asked.append(ty.Comparison("=", print_of, which, type=YES_NO, span=span))
        if owner is not None:
            _check_owner(r, singular, base.cells, owner, span)
            if r.world.pieces[singular].owned:
                owner_of = ty.OwnerOf(singular, local, type=SEAT)
                asked.append(ty.Comparison("=", owner_of, owner, type=YES_NO, span=span))
    if not asked:
        return base
    condition = asked[0] if len(asked) == 1 else ty.And(tuple(asked), type=YES_NO, span=span)
    return ty.Filtered(base, local.name, condition, element=base.element, span=span)


def looked_at(r: Resolver, expr: ex.Expr) -> ty.Domain | None:
    """Return what is looked at: things, or the top one of a stack."""
    if isinstance(expr, ex.Ends):
        return end_pieces(r, expr)
    found = selection(r, expr)
    if found is None or Use.LOOK in uses(r.world, found):
        return found
    message = "There is nothing to see here: only printed pieces can be looked at."
    help_text = "For example `look at cards in my hand`, `look at top of deck`."
    r.report("E301", expr.span, message, help_text)
    return None
