"""Builder of reads: cells of tracks and flags, and tables for entries' fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.words import effect_in_words
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder.writer import NONE, ONE, ZERO, Writer
from rulesdsl.lower.flat.walk import known, op, select

MAX_DENSE = 64  # charts with a wider range of keys are sparse tables
Of = TypeVar("Of")
Points = tuple[tuple[int, int], ...]
Read = ty.FieldOf | ty.HasEffect | ty.EntryOf | ty.OwnerOf | ty.TrackCell | ty.FlagCell
_OfAnEffect = ty.HasEffect | ty.CanDo | ty.DoField | ty.FieldFormula


def read(w: Writer, node: Read) -> fl.Expr:
    """Return the read of a track or flag, a field, or a piece's entry or owner."""
    match node:
        case ty.TrackCell(track=track, dims=dims):
            return fl.Load(f"t:{track}", cell(w, w.world.tracks[track].dims, dims))
        case ty.FlagCell(flag=flag, dims=dims):
            return fl.Load(f"f:{flag}", cell(w, w.world.flags[flag].dims, dims))
        case ty.FieldOf():
            return _field(w, node)
        case ty.HasEffect() if node.type.family == "text":
            return table(w, _in_words(w, node), index(w, node))
        case ty.HasEffect():
            filled = effects(w, node, "there", lambda _: "yes", "no")
            return table(w, [int(each == "yes") for each in filled], index(w, node))
        case ty.EntryOf():
            entries = [entry for entry, _ in w.layout.instances(node.piece)]
            if not node.subject.type.maybe:
                return table(w, entries, w.value(node.subject))
            subject = w.steady(node.subject, "piece")
            return select(op(">=", subject, ZERO), table(w, entries, subject), NONE)
        case ty.OwnerOf():
            subject = w.value(node.subject)
            if w.world.pieces[node.piece].style != "printed":
                return subject
            return table(w, [owner for _, owner in w.layout.instances(node.piece)], subject)
        case _:
            assert_never(node)


def table(w: Writer, cells: Sequence[int], index: fl.Expr) -> fl.Expr:
    """Return the read of a constant table, folded if the index is constant."""
    at = known(index)
    if at is not None and 0 <= at < len(cells):
        return fl.Literal(cells[at])
    return fl.TableCell(w.shared.table(tuple(cells)), index)


def cell(w: Writer, kinds: Sequence[str], dims: Sequence[ty.Value]) -> fl.Expr:
    """Return the index of a track's or flag's cell."""
    strides = w.layout.strides(tuple(map(w.layout.size, kinds)))
    total: fl.Expr = ZERO
    for stride, at in zip(strides, [w.value(dim) for dim in dims], strict=True):
        total = op("+", op("*", at, fl.Literal(stride)), total)
    return total


# -------------------------------------------------------------------- fields
def _field(w: Writer, node: ty.FieldOf) -> fl.Expr:
    field = w.world.kinds[node.kind].fields[node.field]
    if field.type == "number" and field.per == "number":
        assert node.key is not None
        return _chart_of_entry(w, node, w.value(node.key))
    cells = _printed(w, node, "", lambda said: _plain(w, said, field.type))
    return table(w, cells, index(w, node))


def price(w: Writer, node: ty.FieldOf, at: int) -> fl.Expr:
    """Return the amount of one noun in a field's price."""
    noun = w.world.bundle_nouns[at]

    def amount(said: object) -> int:
        return said.get(noun, 0) if isinstance(said, dict) else 0

    return table(w, _printed(w, node, noun, amount), index(w, node))


def _printed(
    w: Writer, node: ty.FieldOf, noun: str, number: Callable[[object], int]
) -> tuple[int, ...]:
    """Return a field's values as numbers; for a price, the amounts of one noun."""
    entries = w.world.kinds[node.kind].entries

    def of(at: int, key: str | None) -> int:
        return number(entries[at].values.get((node.field, key)))

    return _every(w, node, f"printed {noun}", of)


def _every(
    w: Writer,
    node: ty.FieldOf | _OfAnEffect,
    what: str,
    of: Callable[[int, str | None], Of],
) -> tuple[Of, ...]:
    """Compute a field's value for every subject and column.

    Results are cached for the whole program; `what` is part of the key.
    """
    shared, printed = w.shared, node.subject.type.family == "piece"
    named = what, node.kind, node.field, printed, node.key is None
    if named not in shared.columns:
        keys = [None] if node.key is None else columns(w, node)
        shared.columns[named] = tuple([of(at, key) for at in subjects(w, node) for key in keys])
    return shared.columns[named]


def _plain(w: Writer, value: object, kind: str) -> int:
    """Encode a field's value: a list as the number of its row, text as its number."""
    if kind in w.world.plurals:
        return w.shared.row(tuple(value) if isinstance(value, tuple | list) else ())
    if value is None:
        return -1
    if isinstance(value, str):
        return w.shared.text(value)
    assert isinstance(value, int), value
    return int(value)


def columns(w: Writer, node: ty.FieldOf | _OfAnEffect) -> list[str | None]:
    """Return the columns of a field; a single None if it has none."""
    per = w.world.kinds[node.kind].fields[node.field].per
    return [None] if per is None else [each.name for each in w.world.kinds[per].entries]


def subjects(w: Writer, node: ty.FieldOf | _OfAnEffect) -> list[int]:
    """Return the entries of the possible subjects; for pieces, the entry of each instance."""
    if node.subject.type.family == "piece":
        return [entry for entry, _ in w.layout.instances(node.kind)]
    return [*range(len(w.world.kinds[node.kind].entries))]


def index(w: Writer, node: ty.FieldOf | _OfAnEffect) -> fl.Expr:
    """Return the index of a subject and column in a field's table."""
    subject = w.value(node.subject)
    if node.key is None:
        return subject
    width = fl.Literal(len(columns(w, node)))
    return op("+", op("*", subject, width), w.value(node.key))


# -------------------------------------------------------------------- effects and formulas
def one_of(w: Writer, names: tuple[str, ...], index: fl.Expr) -> tuple[str, fl.Expr | None]:
    """Return the name selected by a constant index; for any other, a table and the index."""
    number = known(index)
    if number is not None or len({*names}) == 1:
        return names[number or 0], None
    return w.shared.choices(names), index


def effects(
    w: Writer, node: _OfAnEffect, what: str, name_of: Callable[[str], str], missing: str
) -> tuple[str, ...]:
    """Return a name for the effect of each subject and column.

    `what` identifies `name_of` in the cache.
    """
    found = w.program.effects

    def of(at: int, key: str | None) -> str:
        alone, kept = (found.get((node.kind, node.field, at, each)) for each in (key, None))
        effect = alone or kept
        return missing if effect is None else name_of(effect)

    return _every(w, node, f"effects {what}", of)


def _in_words(w: Writer, node: ty.HasEffect) -> tuple[int, ...]:
    entries = w.world.kinds[node.kind].entries

    def of(at: int, key: str | None) -> int:
        return w.shared.text(effect_in_words(w.world, entries[at], node.field, key) or "nothing")

    return _every(w, node, "words", of)


def formulas(w: Writer, node: ty.FieldFormula, missing: str) -> tuple[str, ...]:
    """Return the name of the function that computes each subject's formula."""
    names, there = w.shared.formulas, w.program.formulas

    def of(at: int, key: str | None) -> str:
        formula = node.kind, node.field, at, key
        return names[formula] if formula in there else missing

    return _every(w, node, "formulas", of)


# -------------------------------------------------------------------- charts
def _chart_of_entry(w: Writer, node: ty.FieldOf, key: fl.Expr) -> fl.Expr:
    entries = w.world.kinds[node.kind].entries
    every: list[Points] = []
    for at in subjects(w, node):
        found = entries[at].values.get((node.field, None), ((0, 0),))
        assert isinstance(found, tuple)
        every.append(found)
    return read_charts(w, every, w.value(node.subject), key)


def read_charts(w: Writer, charts: list[Points], which: fl.Expr, key: fl.Expr) -> fl.Expr:
    """Return the read, at a key, of one chart that is selected from several."""
    number = known(key)
    if number is not None:
        return table(w, [read_chart(each, number) for each in charts], which)
    keys = sorted({at for points in charts for at, _ in points})
    dense = keys[-1] - keys[0] <= MAX_DENSE
    if dense:
        keys = [*range(keys[0], keys[-1] + 1)]
        last = fl.Literal(keys[-1])
        place = op("-", op("min", op("max", key, fl.Literal(keys[0])), last), fl.Literal(keys[0]))
    else:
        place = _place(w, keys, w.kept(key, "key"))
    cells = [read_chart(points, at) for points in charts for at in keys]
    return table(w, cells, op("+", op("*", which, fl.Literal(len(keys))), place))


def _place(w: Writer, keys: list[int], key: fl.Expr) -> fl.Expr:
    """Return the position of the largest key that is at most `key`, or 0 if there is none."""
    place = w.set("place", ZERO)

    def beyond(each: fl.LocalVar) -> None:
        w.add(fl.Conditional(op(">", each, key), (fl.Break(),)))
        w.add(fl.Set(place.name, op("+", place, ONE)))

    w.loop("point", fl.ConstRow(fl.Literal(w.shared.row(tuple(keys[1:])))), beyond)
    return place


def read_chart(points: Points, key: int) -> int:
    """Return the value at the largest key that is at most `key`, or at the first key."""
    found = points[0][1]
    for at, value in points:
        if at > key:
            break
        found = value
    return found
