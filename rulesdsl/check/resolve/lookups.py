"""From `X of Y` and `X at K` to what a field, chart, table or value says there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.naming import Sort
from rulesdsl.check.resolve.attributes import attribute_of
from rulesdsl.check.resolve.fields import call_typed, call_value, kept
from rulesdsl.check.resolve.names import bundle_of
from rulesdsl.check.types import BUNDLE, NUMBER
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.source.span import Span


def of(r: Resolver, expr: ex.Of) -> ty.Value:
    """Return `X of Y`."""
    name = expr.name.text
    value = r.world.values.get(name)
    if value is not None and value.params:
        return call_value(r, name, (expr.owner,), expr.span)
    return attribute_of(r, name, r.value(expr.owner), expr.span, None)


def _two_dims(r: Resolver, name: str, first: ty.Value, second: ty.Value, span: Span) -> ty.Value:
    """Return a track or flag that is indexed twice."""
    counted = kept(r, name, (first, second), span)
    if counted is not None:
        return counted
    value = r.world.values.get(name)
    if value is not None and len(value.params) == 2:  # noqa: PLR2004
        return call_typed(r, name, (first, second), span)
    message = f"Nothing called `{name}` belongs to two things."
    return r.report("E201", span, message, "It needs a declaration with `per` twice.")


def at(r: Resolver, expr: ex.At) -> ty.Value:
    """Return `X at K`: a column of a field, a chart, a value with two parameters."""
    base, span = expr.base, expr.span
    if isinstance(base, ex.Name) and base.name in r.world.constants:
        r.world.constants_used.add(base.name)
        r.note(base.span, Sort.NOUN, base.name)
        return _table_at(r, base.name, expr.key, span)
    if isinstance(base, ex.Of):
        name = base.name.text
        value = r.world.values.get(name)
        if value is not None and value.params:
            return call_value(r, name, (base.owner, expr.key), span)
        owner = r.value(base.owner)
        if r.world.counter(name) is not None:
            return _two_dims(r, name, owner, r.value(expr.key), span)
        return attribute_of(r, name, owner, span, expr.key)
    if isinstance(base, ex.My):
        return _my_at(r, base, expr.key, span)
    if isinstance(base, ex.Name) and r.scope.candidates:
        candidate = r.scope.candidates[-1]
        if base.name in r.world.values:
            key = r.value(expr.key)
            return call_typed(r, base.name, (candidate, key), span)
        return attribute_of(r, base.name, candidate, span, expr.key)
    found = r.value(base) if isinstance(base, ex.Name) else None
    message = "`at` reads a chart, a field with `per`, or a value of two things."
    help_text = "For example `chart at 2`, `field of x at y`."
    return r.report("E301", span, message, help_text, found)


def _my_at(r: Resolver, base: ex.My, key: ex.Expr, span: Span) -> ty.Value:
    """Return `my X at K`."""
    me, name = r.me(span), base.name
    if r.world.counter(name) is not None or name in r.world.values:
        return _two_dims(r, name, me, r.value(key), span)
    return attribute_of(r, name, me, span, key)


def _table_at(r: Resolver, name: str, key: ex.Expr, span: Span) -> ty.Value:
    """Return what a table of named numbers says for a key."""
    raw = r.world.constants[name]
    if not isinstance(raw, dict):
        return r.report("E301", span, f"`{name}` is a single number, not a chart.", "Remove `at`.")
    if all(isinstance(each, str) and each.isdigit() for each in raw):
        points = tuple(sorted((int(at), number) for at, number in raw.items()))
        return ty.Chart(points, r.number(key), type=NUMBER, span=span)
    where = r.value(key)
    kind = r.world.kinds.get(where.type.of)
    if kind is None or where.type.family != "entry":
        return r.mismatch(key.span, where, "a thing that this table lists")
    return _rows_at(r, name, raw, kind.name, r.total(where, key.span), span)


def _rows_at(
    r: Resolver, name: str, raw: dict[str, object], kind: str, key: ty.Value, span: Span
) -> ty.Value:
    """Return the row of a table for an entry."""
    rows: list[ty.Value] = []
    for each in r.world.kinds[kind].entries:
        found = raw.get(each.name)
        bundle = bundle_of(r, found)
        if bundle is not None:
            rows.append(ty.Bundle(bundle, type=BUNDLE))
        elif isinstance(found, int):
            rows.append(ty.Const(found, type=NUMBER))
        else:
            message = f"`{name}` says nothing about `{each.name}`."
            help_text = f"Add a value for it: `{each.name} = ...`."
            return r.report("E006", span, message, help_text)
    return ty.TableAt(tuple(rows), key, type=rows[0].type, span=span)
