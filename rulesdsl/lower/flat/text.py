"""Printer of the flat form, for `coloma dump` and for tests of the passes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.expressions import NOTATION


def function_text(function: fl.Function) -> str:
    """Return a function as text."""
    head = f"function {function.name}({', '.join(function.params)})"
    buffers = (f"    buffer {name}[{most}]" for name, most in function.buffers)
    return "\n".join([head, *buffers, *_body(function.body, 1)])


def machine_text(machine: fl.Machine) -> str:
    """Return a machine as text, block by block."""
    lines = [f"machine {machine.name}({', '.join(machine.params)})"]
    lines += [f"    slot {each}" for each in machine.slots if each not in machine.params]
    lines += [f"    buffer {name}[{most}]" for name, most in machine.buffers]
    for at, block in enumerate(machine.blocks):
        lines += [f"    block {at}", *_body(block, 2)]
    return "\n".join(lines)


def _body(body: fl.Body, depth: int) -> Iterator[str]:
    margin = "    " * depth
    for stmt in body:
        yield margin + node_text(stmt)
        if isinstance(stmt, fl.For):
            yield from _body(stmt.body, depth + 1)
        elif isinstance(stmt, fl.Conditional):
            yield from _body(stmt.yes, depth + 1)
            if stmt.no:
                yield f"{margin}else"
                yield from _body(stmt.no, depth + 1)


_FIELD = re.compile(r"<(\w+)(?::([^>]*))?>")


def node_text(node: fl.Expr | fl.Source | fl.Stmt) -> str:
    """Return a node as text, without the bodies nested in it."""
    between = f" {node.op} " if isinstance(node, fl.ShortCircuit) else ", "

    def field(found: re.Match[str]) -> str:
        value, around = getattr(node, found[1]), found[2]
        if value is None:
            return ""
        if isinstance(value, bool):
            return str(around.split("|")[not value])
        texts = [*map(_text, value)] if isinstance(value, tuple) else [_text(value)]
        return (
            "".join(around.replace("%", each) for each in texts) if around else between.join(texts)
        )

    return _FIELD.sub(field, NOTATION[type(node)])


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return "/".join(map(str, value))
    return node_text(value) if type(value) in NOTATION else str(value)  # type: ignore[arg-type]
