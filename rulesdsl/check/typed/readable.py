"""Nodes of the checked tree as one line of text: for `coloma dump`, and for tests."""

from __future__ import annotations

import attrs

from rulesdsl.check import typed as ty

_UNTOLD = {"span", "type", "element", "exact", "most"}


def text(node: object) -> str:  # noqa: C901, PLR0912 - one case a kind
    """Return a node as text; a kind without words of its own is told by its name and parts."""
    match node:
        case None:
            return "-"
        case ty.Const(value=value):
            return ("no", "yes")[value] if node.type.family == "yes-no" else str(value)
        case ty.Local(name=name) | ty.Setting(option=name):
            return name
        case ty.And(parts=parts):
            return f"({' and '.join(map(text, parts))})"
        case ty.Or(parts=parts):
            return f"({' or '.join(map(text, parts))})"
        case ty.Negation(value=value):
            return f"not {text(value)}"
        case ty.Arith(op="min" | "max" as op, left=left, right=right):
            return f"{op}({text(left)}, {text(right)})"
        case (
            ty.Comparison(op=op, left=left, right=right) | ty.Arith(op=op, left=left, right=right)
        ):
            return f"({text(left)} {op} {text(right)})"
        case ty.Cases(cases=cases, otherwise=otherwise):
            told = [f"{text(condition)} ? {text(value)}" for condition, value in cases]
            return f"({'; '.join([*told, text(otherwise)])})"
        case ty.LetIn(name=name, bound=bound, inner=inner):
            return f"(let {name} = {text(bound)}: {text(inner)})"
        case ty.IsSome(value=value):
            return f"some {text(value)}"
        case ty.CountOf(domain=domain):
            return f"count {text(domain)}"
        case ty.AnyOf(domain=domain):
            return f"any {text(domain)}"
        case ty.MemberOf(subject=subject, domain=domain):
            return f"({text(subject)} in {text(domain)})"
        case ty.TrackCell(track=name, dims=dims) | ty.FlagCell(flag=name, dims=dims):
            return _cell(name, dims)
        case ty.Can(proc=key, arguments=arguments):
            return f"can {key}({', '.join(map(text, arguments))}) as {text(node.me)}"
        case ty.CanDo(field=field, subject=subject, key=key):
            return f"can do {_field(field, key)} of {text(subject)}"
        case ty.HasEffect(field=field, subject=subject, key=key):
            return f"has {_field(field, key)} of {text(subject)}"
        case ty.FieldOf(field=field, subject=subject, key=key):
            return f"{_field(field, key)} of {text(subject)}"
        case ty.Cells(place=place, dims=dims):
            return _cell(place, dims)
        case ty.Lying(piece=piece, cells=cells, owner=owner, entry=entry):
            whose = f" of {text(owner)}" if owner is not None else ""
            which = f" = {text(entry)}" if entry is not None else ""
            return f"{piece}{whose}{which} at {text(cells)}"
        case ty.Filtered(base=base, variable=variable, condition=condition):
            return f"{{{variable}: {text(base)} | {text(condition)}}}"
        case ty.Entries(kind=kind):
            return f"every {kind}"
        case ty.AllSeats(players=players):
            return "every player" if players else "every seat"
        case ty.Numbers(low=low, high=high):
            return f"{text(low)}..{text(high)}"
        case ty.AnyWhere(piece=piece):
            return f"{piece} anywhere"
        case ty.EndOf(piece=piece, cells=cells, top=top):
            return f"{'top' if top else 'bottom'} {piece} at {text(cells)}"
        case ty.Block(steps=steps):
            return f"{{{'; '.join(map(text, steps))}}}"
        case tuple():
            return f"[{', '.join(map(text, node))}]"
        case _ if attrs.has(type(node)):
            return f"{type(node).__name__}({', '.join(_fields(node))})"
        case _:
            return str(node)


def _fields(node: object) -> list[str]:
    """Return the fields that say something, by name where they could be left out."""
    every = attrs.fields(type(node))  # type: ignore[arg-type]
    found: list[str] = []
    for each in every:
        value = getattr(node, each.name)
        if each.name not in _UNTOLD and value != each.default:
            told = text(value)
            found.append(told if each.default is attrs.NOTHING else f"{each.name}={told}")
    return found


def _field(name: str, key: object) -> str:
    return name if key is None else f"{name}[{text(key)}]"


def _cell(name: str, dims: tuple[object, ...]) -> str:
    if not dims:
        return name
    return f"{name}[{', '.join('*' if each is None else text(each) for each in dims)}]"
