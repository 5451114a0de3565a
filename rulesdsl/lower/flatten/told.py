"""Builds the values in words that people read: for labels as functions, for the log at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flatten import values
from rulesdsl.lower.flatten.writer import NONE, ZERO, Writer
from rulesdsl.lower.fold import op

if TYPE_CHECKING:
    from rulesdsl.lower.flatten.writer import Shared


def tell(w: Writer, step: ty.Tell | ty.Told) -> None:
    """Write an event with words: who acts, their values, and where those pieces lie."""
    if isinstance(step, ty.Told):
        w.tell(fl.Event("told", "", step.span, w.proc), [NONE])
        return
    said: list[fl.Expr] = [w.value(step.me)]
    if step.words is not None:
        said += values.given(w, step.words.values)
        for piece in (each for faces in step.words.faces for each in faces):
            said += _lying(w, piece)
    w.tell(fl.Event(step.what, "", step.span, w.proc, step.words, step.quiet), said)


def _lying(w: Writer, piece: ty.Local) -> list[fl.Expr]:
    """Return a piece and the cell that it lies in, -1 for none."""
    thing = w.steady(piece, "piece")
    cell = w.set("cell", NONE)
    w.when(
        op(">=", thing, ZERO),
        lambda: w.add(fl.Set(cell.name, fl.Load(f"w:{piece.type.of}", thing))),
    )
    return [thing, cell]


def functions(
    shared: Shared, key: str, slots: tuple[str, ...], words: ty.Words | None
) -> tuple[str, ...]:
    """Add a function of a machine's frame for each value of words, and return their names."""
    if words is None:
        return ()
    names: list[str] = []
    for value in words.values:
        parts = shared.layout.world.bundle_nouns if value.type.family == "bundle" else ("",)
        for at, noun in enumerate(parts):
            inner = Writer(shared, key)
            inner.add(fl.Return(values.part(inner, value, at) if noun else inner.value(value)))
            names.append(f"words:{key}.{len(shared.flat.functions)}")
            inner.function(names[-1], slots)
    return tuple(names)
