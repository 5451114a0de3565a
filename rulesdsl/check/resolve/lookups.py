"""From `X of Y` and `X at K` to what a field, chart, table or value says there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.names import NameResolver
from rulesdsl.check.types import BUNDLE, NUMBER, UNKNOWN
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.source.span import Span


class LookupResolver(NameResolver):
    """Resolves what is looked up under one or two things."""

    def of(self, expr: ex.Of) -> ty.Value:
        """Return `X of Y`."""
        name = expr.name.text
        if name == "position":
            return self.position(expr)
        value = self.world.values.get(name)
        if value is not None and value.params:
            return self.call_value(name, (expr.owner,), expr.span)
        return self.attribute(name, self.value(expr.owner), expr.span, None)

    def two_dims(self, name: str, first: ty.Value, second: ty.Value, span: Span) -> ty.Value:
        """Return a track or flag that is indexed twice."""
        singular = self.world.singular(name)
        if singular in self.world.tracks:
            return self.track(singular, (first, second), span)
        if name in self.world.flags:
            return self.flag(name, (first, second), span)
        value = self.world.values.get(name)
        if value is not None and len(value.params) == 2:  # noqa: PLR2004
            return self.call_typed(name, (first, second), span)
        self.report("E201", span, f"Nothing called `{name}` has two owners.", "")
        return self.unknown(span)

    def at(self, expr: ex.At) -> ty.Value:
        """Return `X at K`: a column of a field, a chart, a value with two parameters."""
        base, span = expr.base, expr.span
        if isinstance(base, ex.Name) and base.name in self.world.constants:
            self.world.constants_used.add(base.name)
            return self.table_at(base.name, expr.key, span)
        if isinstance(base, ex.Of):
            name = base.name.text
            value = self.world.values.get(name)
            if value is not None and value.params:
                return self.call_value(name, (base.owner, expr.key), span)
            if self.world.singular(name) in self.world.tracks or name in self.world.flags:
                owner = self.value(base.owner)
                return self.two_dims(name, owner, self.value(expr.key), span)
            owner = self.value(base.owner)
            return self.attribute(name, owner, span, expr.key)
        if isinstance(base, ex.My):
            return self.my_at(base, expr.key, span)
        if isinstance(base, ex.Name) and self.scope.candidates:
            candidate = self.scope.candidates[-1]
            if base.name in self.world.values:
                key = self.value(expr.key)
                return self.call_typed(base.name, (candidate, key), span)
            return self.attribute(base.name, candidate, span, expr.key)
        if isinstance(base, ex.Name) and self.value(base).type == UNKNOWN:
            return self.unknown(span)
        self.report("E301", span, "`at` reads a table, a field or a value with two things.", "")
        return self.unknown(span)

    def my_at(self, base: ex.My, key: ex.Expr, span: Span) -> ty.Value:
        """Return `my X at K`."""
        me, name = self.me(span), base.name
        singular = self.world.singular(name)
        if singular in self.world.tracks or name in self.world.flags or name in self.world.values:
            return self.two_dims(name, me, self.value(key), span)
        return self.attribute(name, me, span, key)

    def table_at(self, name: str, key: ex.Expr, span: Span) -> ty.Value:
        """Return what a table of named numbers says for a key."""
        raw = self.world.constants[name]
        if not isinstance(raw, dict):
            self.report("E301", span, f"`{name}` is a single number, not a table.", "")
            return self.unknown(span)
        if all(isinstance(each, str) and each.isdigit() for each in raw):
            points = tuple(sorted((int(at), number) for at, number in raw.items()))
            return ty.Chart(points, self.number(key), type=NUMBER, span=span)
        where = self.value(key)
        kind = self.world.kinds.get(where.type.of)
        if where.type == UNKNOWN:
            return where
        if kind is None or where.type.family != "entry":
            self._mismatch(key.span, where, "a thing that this table lists")
            return self.unknown(span)
        return self.rows_at(name, raw, kind.name, self.total(where, key.span), span)

    def rows_at(
        self, name: str, raw: dict[str, object], kind: str, key: ty.Value, span: Span
    ) -> ty.Value:
        """Return the row of a table for an entry."""
        rows: list[ty.Value] = []
        for each in self.world.kinds[kind].entries:
            found = raw.get(each.name)
            bundle = self.bundle_of(found)
            if bundle is not None:
                rows.append(ty.Bundle(bundle, type=BUNDLE))
            elif isinstance(found, int):
                rows.append(ty.Const(found, type=NUMBER))
            else:
                self.report("E006", span, f"`{name}` says nothing about `{each.name}`.", "")
                return self.unknown(span)
        return ty.TableAt(tuple(rows), key, type=rows[0].type, span=span)
