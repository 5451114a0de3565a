"""Every node of generated code in one place only: what rewrites one changes nothing elsewhere.

An expression that stands for a local comes into the code wherever the local is read, as one node.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rulesdsl.interpreter import pynodes as py

if TYPE_CHECKING:
    from rulesdsl.interpreter.gen_moves import Code


def as_trees(code: Code) -> Code:
    """Return code in which a node that stood in several places is copied for all but the first."""
    seen: set[int] = set()
    for each in code:
        _own(each, seen)
    return code


def _own(node: ast.AST, seen: set[int]) -> None:
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            value[:] = [_alone(each, seen) for each in value]
        elif isinstance(value, ast.AST):
            setattr(node, name, _alone(value, seen))


def _alone(node: object, seen: set[int]) -> object:
    if not isinstance(node, ast.AST) or isinstance(node, py.WORDS):
        return node
    if id(node) in seen:
        return py.copied([node])[0]  # a tree by now: its first place has been gone through
    seen.add(id(node))
    _own(node, seen)
    return node
