"""From phrases with a kind to domains: `a K in D`, `the K with most ...`, `any K in P`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.field_names import known_as
from rulesdsl.check.naming import Sort
from rulesdsl.check.resolve.filtering import alike, assume_member, filtered
from rulesdsl.check.resolve.holes import KIND, THINGS
from rulesdsl.check.resolve.selections import (
    all_of,
    check_element,
    is_list,
    noun_in,
    try_selection,
)
from rulesdsl.check.typed.walk import substitute
from rulesdsl.check.types import UNKNOWN, YES_NO, entry
from rulesdsl.source.suggest import similar

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.syntax import expressions as ex
    from rulesdsl.syntax.node import Word

_A_LIST = "A list is a field that holds several entries, such as `stops of coast`."


def domain_of(r: Resolver, kind: Word, expr: ex.Expr | None) -> ty.Domain | None:
    """Return what `a K in D`, `the K in D` and the like range over."""
    r.expect(kind, KIND)
    name = r.world.singular(kind.text)
    if expr is None:
        found = all_of(r, name, kind.span)
        if found is None:
            _unknown_kind(r, kind)
        return found
    if name == "number":
        found = try_selection(r, expr)
        if not isinstance(found, ty.Numbers):
            message = "This is no range of numbers."
            r.report("E301", expr.span, message, "Write the range, such as `a number in 1..5`.")
            return None
        return found
    known = (
        name in r.world.pieces
        or name in r.world.kinds
        or name in {"seat", "player"}
        or kind.text in r.world.owners
    )
    if not known:
        _unknown_kind(r, kind)
        return None
    info = r.world.pieces.get(name)
    if info is not None and info.style == "counted":
        help_text = f"Name the place and the number, as in `move 1 {info.name} from ...`."
        alike(r, info.name, kind.span, "there is none to choose", help_text)
        return None
    found = noun_in(r, kind.text, None, expr, kind.span.to(expr.span))
    if found is None and not (info or name in r.world.kinds):
        r.report("E301", expr.span, f"There are no {kind.text} there.", "")
    return found


def _unknown_kind(r: Resolver, kind: Word) -> None:
    """Report a kind that nothing declares."""
    message = f"There is no kind of things called `{kind.text}`."
    known = [*r.world.kinds, *r.world.pieces, "player", "seat"]
    if known_as(kind.text, r.world) is not None:
        message = f"`{kind.text}` is something else: a kind of things is wanted here."
    r.not_known(kind.text, kind.span, message, similar(kind.text, known), anywhere=False)


def best(r: Resolver, expr: ex.The) -> ty.Value:
    """Return `the K with most ...`: one or none."""
    base = domain_of(r, expr.kind, expr.domain)
    if base is None:
        return r.unknown(expr.span)
    base = filtered(r, base, expr.where)
    with r.scope.candidate(base.element) as local:
        assume_member(r, local, base)
        if isinstance(base, ty.Filtered):
            r.scope.assume(_renamed(base.condition, base.variable, local))
        ranking = tuple((step.most, r.number(step.value)) for step in expr.ranking)
    return ty.BestOf(base, local.name, ranking, type=base.element.or_none(), span=expr.span)


def first(r: Resolver, expr: ex.First) -> ty.Value:
    """Return `the first K in LIST after X where ...`: one or none."""
    r.expect(expr.kind, KIND)
    values = r.value(expr.domain, THINGS)
    if not is_list(r, expr.domain):
        return r.report("E301", expr.domain.span, "This is not a list.", _A_LIST, values)
    element = entry(values.type.of)
    if values.type != UNKNOWN:
        check_element(r, element, r.world.singular(expr.kind.text), expr.kind.span)
        r.note(expr.kind.span, Sort.NOUN, element.of)
    after = None if expr.after is None else r.of_type(expr.after, element)
    with r.scope.candidate(element) as local:
        condition = ty.YES if expr.where is None else r.condition(expr.where)
    return ty.FirstOf(values, after, local.name, condition, type=element.or_none(), span=expr.span)


def random_one(r: Resolver, expr: ex.RandomPick) -> ty.Value:
    """Return one by chance; of what always exists, provably one."""
    base = domain_of(r, expr.kind, expr.domain)
    if base is None:
        return r.unknown(expr.span)
    domain = filtered(r, base, expr.where)
    if not r.scope.may_choose:
        message = "A value cannot use chance: it would change each time it is read."
        help_text = "Draw in a verb or step, and keep the result with `let`."
        r.report("E405", expr.span, message, help_text)
    sure = isinstance(domain, ty.AllSeats | ty.Entries)
    kind = domain.element if sure else domain.element.or_none()
    return ty.RandomOf(domain, type=kind, span=expr.span)


def _renamed(condition: ty.Value, name: str, local: ty.Local) -> ty.Value:
    """Return a condition about another candidate, where it only asks for it directly."""
    if isinstance(condition, ty.And):
        renamed = tuple(_renamed(part, name, local) for part in condition.parts)
        return attrs.evolve(condition, parts=renamed)
    if isinstance(condition, ty.IsSome):
        return ty.IsSome(substitute(condition.value, name, local), type=YES_NO)
    return condition
