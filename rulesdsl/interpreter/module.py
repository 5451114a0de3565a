"""Generated syntax nodes as a module that is carried out, whose lines name rule lines."""

from __future__ import annotations

import ast
import linecache
import weakref
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter import pynodes as py
from rulesdsl.source.span import NOWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLACED = (ast.stmt, ast.expr, ast.arg, ast.excepthandler)


@attrs.frozen
class Marks:
    """The places in the rules that lines of generated code stand for: a mark for each line."""

    spans: list[Span] = attrs.Factory(lambda: [NOWHERE])
    _line_of: dict[Span, int] = attrs.Factory(dict)

    def line(self, span: Span) -> int:
        """Return the line of generated code that stands for a place."""
        if span not in self._line_of:
            self._line_of[span] = len(self.spans)
            self.spans.append(span)
        return max(self._line_of[span], 1)


def run_module(
    module: ast.Module, file: str, marks: Sequence[Span], owner: type, names: Mapping[str, Any]
) -> dict[str, Any]:
    """Carry a module out and return what it defines; its lines stand for `marks`.

    They are forgotten with the state class, `owner`.
    """
    return ListedCode(file, marks, owner).run(module, {**names})


class ListedCode:
    """Code under the name of one file, whose lines stand for `marks`: there may come more of both.

    They are forgotten with the state class, `owner`.
    """

    def __init__(self, file: str, marks: Sequence[Span], owner: type) -> None:
        self._file = file
        self._marks = marks
        self._lines: list[str] = []
        linecache.cache[file] = entry = (0, None, self._lines, file)
        weakref.finalize(owner, _forget_lines, file, entry)

    def run(self, module: ast.Module, names: dict[str, Any]) -> dict[str, Any]:
        """Carry a module out among `names`, which then have what it defines."""
        code = compile(module, self._file, "exec")
        for span in self._marks[len(self._lines) + 1 :]:  # of tracebacks: the rule lines
            self._lines.append(f"{span.file}:{span.line}:{span.column}\n")
        names["__builtins__"] = BUILTINS
        exec(code, names)  # noqa: S102 - compiled from our own syntax nodes, see the module's words
        return names


def _forget_lines(file: str, entry: object) -> None:
    """Take the lines of code that is gone out of the process, if they are still its own."""
    if linecache.cache.get(file) is entry:
        linecache.cache.pop(file, None)


BUILTINS = {
    each.__name__: each for each in (any, bool, int, len, list, max, min, next, range, sum)
}


def placed(code: py.Code) -> ast.Module:
    """Return a module in which every node has a place."""
    module = ast.Module(code, [])
    _place(module, 1)
    return module


def _place(node: ast.AST, line: int) -> None:
    """Give every node a place: its own where it has one, else that of the node around it."""
    line = getattr(node, "lineno", None) or line
    parts = list(vars(node).values())
    if isinstance(node, PLACED):
        node.lineno = node.end_lineno = line
        node.col_offset = node.end_col_offset = 0
    for part in parts:
        if isinstance(part, list):
            for each in part:
                _place(each, line)
        elif isinstance(part, ast.AST) and not isinstance(part, py.WORDS):
            _place(part, line)
