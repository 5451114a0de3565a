"""Python for what is read off tracks, marks and tables."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeAlias

from rulesdsl.check import typed as ty
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_searches import SearchGenerator
from rulesdsl.lower.flatten.fields import read_chart

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.lower import form as fm

    # what looks up, asks for or does the effect that a field holds for a subject (and a column)
    _OfAnEffect: TypeAlias = ty.HasEffect | ty.CanDo | ty.DoField | fm.CallField


class FieldGenerator(SearchGenerator):
    """Generates expressions for tracks, flags and fields of entries."""

    # ---------------------------------------------------------------- tracks and flags
    def _TrackCell(self, node: ty.TrackCell) -> ast.expr:
        return self.track(node.track, node.dims)

    def track(self, track: str, dims: tuple[ty.Value, ...]) -> ast.expr:
        """Return the cell of a track."""
        info = self.layout.world.tracks[track]
        return self.indexed(py.identifier(track, "t_"), info.dims, dims)

    def _FlagCell(self, node: ty.FlagCell) -> ast.expr:
        return self.flag(node.flag, node.dims)

    def flag(self, flag: str, dims: tuple[ty.Value, ...]) -> ast.expr:
        """Return the cell of a flag."""
        info = self.layout.world.flags[flag]
        return self.indexed(py.identifier(flag, "f_"), info.dims, dims)

    def indexed(self, field: str, kinds: tuple[str, ...], dims: tuple[ty.Value, ...]) -> ast.expr:
        """Return a cell of a field of the state."""
        if not kinds:
            return py.field(field)
        sizes = tuple(self.layout.size(kind) for kind in kinds)
        return py.item(py.field(field), self.flat(sizes, [self.value(dim) for dim in dims]))

    # ---------------------------------------------------------------- fields
    def _FieldOf(self, node: ty.FieldOf) -> ast.expr:
        field = self.layout.world.kinds[node.kind].fields[node.field]
        if field.type == "number" and field.per == "number":
            assert node.key is not None
            return self._field_chart(node, self.value(node.key))
        rows = self.field_rows(node)
        subject = self.value(node.subject)
        if node.key is None:
            return py.item(self.keep(rows), subject)
        key = self.value(node.key)
        column = py.whole(key)
        if column is not None and column >= 0:
            return py.item(self.keep(tuple(row[column] for row in rows)), subject)  # type: ignore[index]
        return py.item(py.item(self.keep(rows), subject), key)

    def _field_chart(self, node: ty.FieldOf, key: ast.expr) -> ast.expr:
        entries = self.layout.world.kinds[node.kind].entries
        charts = [entry.values.get((node.field, None), ((0, 0),)) for entry in entries]
        subject = self.value(node.subject)
        if isinstance(key, ast.Constant):
            row = tuple(read_chart(chart, key.value) for chart in charts)  # type: ignore[arg-type]
            return py.item(self.keep(self.by_instance(node, row)), subject)
        table = self.keep(self.by_instance(node, tuple(charts)))
        return py.call("read_chart", py.item(table, subject), key)

    def by_instance(
        self, node: ty.FieldOf | _OfAnEffect, row: tuple[object, ...]
    ) -> tuple[object, ...]:
        """Return a row by entries as one by printed pieces, where the subject is a piece."""
        if node.subject.type.family != "piece":
            return row
        return tuple(row[entry] for entry, _ in self.layout.instances(node.kind))

    def field_rows(self, node: ty.FieldOf) -> tuple[object, ...]:
        """Return a field's values by entry, or by printed piece; those with columns as rows."""
        world = self.layout.world
        kind = world.kinds[node.kind]
        field = kind.fields[node.field]
        rows: list[object] = []
        for entry in kind.entries:
            if field.per is None:
                rows.append(self.plain(entry.values.get((field.name, None)), field.type))
            else:
                keys = [each.name for each in world.kinds[field.per].entries]
                rows.append(
                    tuple(
                        self.plain(entry.values.get((field.name, key)), field.type) for key in keys
                    )
                )
        return self.by_instance(node, tuple(rows))

    def plain(self, value: object, kind: str) -> object:
        """Return a field's value as it is kept: a price as a tuple, nothing as -1."""
        if kind == "bundle":
            amounts = value if isinstance(value, dict) else {}
            return tuple(amounts.get(noun, 0) for noun in self.layout.world.bundle_nouns)
        if value is None:
            return () if kind in self.layout.world.plurals else -1
        return value

    def _HasEffect(self, node: ty.HasEffect) -> ast.expr:
        rows = self._effect_rows(node, lambda key: key is not None)
        return self._effect_cell(node, self.keep(rows))

    def effect_function(self, node: _OfAnEffect, name_of: Callable[[str], str]) -> ast.expr:
        """Return the function that stands for the effect of a field: its name is given by key."""
        rows = self._effect_rows(node, lambda key: "never" if key is None else name_of(key))
        return self._effect_cell(node, self.keep_functions(rows))

    def _effect_cell(self, node: _OfAnEffect, table: ast.expr) -> ast.expr:
        found = py.item(table, self.value(node.subject))
        return found if node.key is None else py.item(found, self.value(node.key))

    def _effect_rows(
        self, node: _OfAnEffect, make: Callable[[str | None], object]
    ) -> tuple[object, ...]:
        """Return something for the effect of every subject (and column) of a field."""
        world = self.layout.world
        per = world.kinds[node.kind].fields[node.field].per
        keys = [None] if per is None else [each.name for each in world.kinds[per].entries]
        effects = self.layout.program.effects
        rows: list[object] = []
        for at in range(len(world.kinds[node.kind].entries)):
            whole = effects.get((node.kind, node.field, at, None))
            row = tuple(
                make(effects.get((node.kind, node.field, at, key)) or whole) for key in keys
            )
            rows.append(row[0] if per is None else row)
        return self.by_instance(node, tuple(rows))

    def _Formula(self, node: ty.Formula) -> ast.expr:
        table = self.formula_table(node)
        function = py.item(table, self.value(node.subject))
        return ast.Call(function, [py.name("st"), self.value(node.me)], [])

    def _EntryOf(self, node: ty.EntryOf) -> ast.expr:
        table = self.keep(tuple(entry for entry, _ in self.layout.instances(node.piece)))
        subject = self.value(node.subject)
        if not node.subject.type.maybe:
            return py.item(table, subject)
        return py.call("item_or_none", table, subject)

    def _OwnerOf(self, node: ty.OwnerOf) -> ast.expr:
        if self.layout.world.pieces[node.piece].style != "printed":
            return self.value(node.subject)
        table = self.keep(tuple(owner for _, owner in self.layout.instances(node.piece)))
        return py.item(table, self.value(node.subject))
