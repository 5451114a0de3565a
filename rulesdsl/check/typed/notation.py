"""Textual form of the typed tree, for `coloma dump` and tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulesdsl.check import typed as ty

_OMITTED = {"span", "type", "element", "exact", "most", "bound", "why", "eyes", "words", "former"}


def text(node: object) -> str:
    """Return the textual form of a node; `Kind(fields)` for kinds that have no notation."""
    if node is None:
        return "-"
    if isinstance(node, tuple):
        return f"[{', '.join(map(text, node))}]"
    if type(node) in _WORDS:
        return _WORDS[type(node)](node)
    if attrs.has(type(node)):
        return f"{type(node).__name__}({', '.join(_fields(node))})"
    return str(node)


def _const(node: ty.Const) -> str:
    return ("no", "yes")[node.value] if node.type.family == "yes-no" else str(node.value)


def _arith(node: ty.Arith) -> str:
    if node.op in {"min", "max"}:
        return f"{node.op}({text(node.left)}, {text(node.right)})"
    return f"({text(node.left)} {node.op} {text(node.right)})"


def _cases(node: ty.Cases) -> str:
    told = [f"{text(condition)} ? {text(value)}" for condition, value in node.cases]
    return f"({'; '.join([*told, text(node.otherwise)])})"


def _can(node: ty.Can) -> str:
    return f"can {node.proc}({', '.join(map(text, node.arguments))}) as {text(node.me)}"


def _lying(node: ty.Lying) -> str:
    whose = f" of {text(node.owner)}" if node.owner is not None else ""
    which = f" = {text(node.entry)}" if node.entry is not None else ""
    return f"{node.piece}{whose}{which} at {text(node.cells)}"


def _fields(node: object) -> list[str]:
    """Return the fields that differ from their default; those that have a default are named."""
    every = attrs.fields(type(node))  # type: ignore[arg-type]
    found: list[str] = []
    for each in every:
        value = getattr(node, each.name)
        if each.name not in _OMITTED and value != each.default:
            told = text(value)
            found.append(told if each.default is attrs.NOTHING else f"{each.name}={told}")
    return found


def _words(node: ty.MessageText) -> str:
    first, *rest = node.said
    amounts = zip(node.values, node.nouns, rest, strict=True)
    said = (f"{{{f'{text(value)} {noun}'.strip()}}}{words}" for value, noun, words in amounts)
    return f'"{first}{"".join(said)}"'


def _block(node: ty.Block) -> str:
    again = f"; again reveals {text(node.reveals_at_end)}" if node.reveals_at_end else ""
    return f"{{{'; '.join(map(text, node.steps))}{again}}}"


def _field_text(name: str, key: object) -> str:
    return name if key is None else f"{name}[{text(key)}]"


def _cell(name: str, dims: tuple[object, ...]) -> str:
    if not dims:
        return name
    return f"{name}[{', '.join('*' if each is None else text(each) for each in dims)}]"


_WORDS: dict[type, Callable[[Any], str]] = {
    ty.Const: _const,
    ty.MessageText: _words,
    ty.Local: lambda node: str(node.name),
    ty.SettingValue: lambda node: str(node.option),
    ty.And: lambda node: f"({' and '.join(map(text, node.parts))})",
    ty.Or: lambda node: f"({' or '.join(map(text, node.parts))})",
    ty.Negation: lambda node: f"not {text(node.value)}",
    ty.Arith: _arith,
    ty.Comparison: lambda node: f"({text(node.left)} {node.op} {text(node.right)})",
    ty.Cases: _cases,
    ty.LetIn: lambda node: f"(let {node.name} = {text(node.bound)}: {text(node.inner)})",
    ty.IsSome: lambda node: f"some {text(node.value)}",
    ty.CountOf: lambda node: f"count {text(node.domain)}",
    ty.AnyOf: lambda node: f"any {text(node.domain)}",
    ty.MemberOf: lambda node: f"({text(node.subject)} in {text(node.domain)})",
    ty.TrackCell: lambda node: _cell(node.track, node.dims),
    ty.FlagCell: lambda node: _cell(node.flag, node.dims),
    ty.Can: _can,
    ty.CanDo: lambda node: f"can do {_field_text(node.field, node.key)} of {text(node.subject)}",
    ty.HasEffect: lambda node: f"has {_field_text(node.field, node.key)} of {text(node.subject)}",
    ty.FieldOf: lambda node: f"{_field_text(node.field, node.key)} of {text(node.subject)}",
    ty.Cells: lambda node: _cell(node.place, node.dims),
    ty.Lying: _lying,
    ty.Filtered: lambda node: f"{{{node.variable}: {text(node.base)} | {text(node.condition)}}}",
    ty.Entries: lambda node: f"every {node.kind}",
    ty.AllSeats: lambda node: "every player" if node.players else "every seat",
    ty.NumberRange: lambda node: f"{text(node.low)}..{text(node.high)}",
    ty.AnyWhere: lambda node: f"{node.piece} anywhere",
    ty.EndOf: lambda node: (
        f"{'top' if node.top else 'bottom'} {node.piece} at {text(node.cells)}"
        if node.index is None
        else f"{node.piece} number {text(node.index)} at {text(node.cells)}"
    ),
    ty.Block: _block,
}
