"""Statements and declarations as lines: in one where it can be, else indented below its head."""

from __future__ import annotations

import sys

import attrs

from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.format_lines import INDENT, WIDTH
from rulesdsl.syntax.node import Node
from rulesdsl.syntax.printer.forms import form_of
from rulesdsl.syntax.printer.phrases import in_line, phrase, said

# What is on one line, and what may be after a colon.
_OneLine = st.Simple | st.Sequence | st.Either
_Inline = _OneLine | st.May | st.Loop


@attrs.frozen
class Page:
    """How much room a line has, and whether a lone statement always joins its colon.

    Without `join` it joins only where its author wrote it so.
    """

    room: int = WIDTH
    join: bool = False

    @property
    def deeper(self) -> Page:
        """The page for lines that are indented once more."""
        return attrs.evolve(self, room=self.room - len(INDENT))


_ONE_LINE = Page(sys.maxsize, join=True)


def print_statement(stmt: st.Stmt) -> str:
    """Return a statement, in one line where the grammar allows one."""
    return "\n".join(lines(stmt, _ONE_LINE))


def print_body(body: st.Body) -> str:
    """Return the statements of a body, one below the other."""
    return "\n".join(print_statement(stmt) for stmt in body.statements)


_REPEATED = ("may any number of times", "may up to")


def print_label(body: st.Body) -> str:
    """Return a body in one line for a player to read: what it does, not what it needs."""
    label = ""
    does = tuple(each for each in body.statements if not isinstance(each, st.Needs))
    for line in print_body(st.Body(does, body.inline) if does else body).split("\n"):
        joint = "" if not label else " " if label.endswith(":") else ", "
        words = line.strip()
        label += joint + (words.removeprefix("may ") if words.startswith(_REPEATED) else words)
    return label


def lines(node: Node, page: Page) -> list[str]:
    """Return the lines of a statement or declaration, indented from its own margin."""
    if isinstance(node, st.Call | st.Sequence | st.Either):
        return [in_line(phrase(node))]
    if isinstance(node, st.May):
        return _may(node, page)
    if isinstance(node, st.If):
        return _if(node, page)
    if isinstance(node, st.Menu) and not node.lines:
        asked = [] if node.prompt is None else phrase(node.prompt)
        return [in_line(["menu", *asked, ":"])]  # none of them could be read
    if isinstance(node, st.Line) and node.label is None:
        return [line for stmt in node.body.statements for line in lines(stmt, page)]
    if isinstance(node, de.HookDecl) and node.time.startswith("add to"):
        asked = [] if node.when is None else ["when", *said(node.when, "expr")]
        head = in_line([node.time, *phrase(node.header), *asked, ":"])
        return [head, *lines(node.body.statements[0], page)[1:]]
    return _as_formed(node, page)


def _as_formed(node: Node, page: Page) -> list[str]:
    """Return the lines of a node that is written as its form says."""
    done: list[str] = []
    line: list[str] = []
    for part in form_of(node).parts:
        if part == "_NL":
            done.append(in_line(line))
            line = []
        elif isinstance(part, str):
            line += [] if part in {"_INDENT", "_DEDENT"} else [part]
        elif isinstance(value := getattr(node, part.field), st.Body | st.Formula):
            done += _behind(line, value, page)
            line = []
        elif isinstance(value, tuple) and done:
            done += _below(value, page)
        else:
            line += said(value, part.symbol)
    return [*done, in_line(line)] if line else done


def _behind(head: list[str], what: st.Body | st.Formula, page: Page) -> list[str]:
    """Return a head and its body: on the head's line where it may be there and fits.

    What does not fit is broken after its first colon.
    """
    if isinstance(what, st.Formula):
        return _formula(head, what, page)
    only = what.statements[0] if len(what.statements) == 1 else None
    if isinstance(only, _Inline) and (what.inline or page.join):
        first, *rest = lines(only, attrs.evolve(page, room=sys.maxsize))
        line = f"{in_line([*head, ':'])} {first}"
        if len(line) <= page.room:
            return [line, *rest]
    return [in_line([*head, ":"]), *_below(what.statements, page)]


def _below(nodes: tuple[Node, ...], page: Page) -> list[str]:
    return [INDENT + line for node in nodes for line in lines(node, page.deeper)]


def _if(stmt: st.If, page: Page) -> list[str]:
    found: list[str] = []
    for branch in stmt.branches:
        words = ["otherwise", "if"] if found else ["if"]
        found += _behind([*words, *said(branch.condition, "expr")], branch.body, page)
    return found + (_behind(["otherwise"], stmt.otherwise, page) if stmt.otherwise else [])


def _may(stmt: st.May, page: Page) -> list[str]:
    head = [] if stmt.label is None else phrase(stmt.label)
    head += ["confirm"] if stmt.confirm else []
    only = stmt.body.statements[0] if len(stmt.body.statements) == 1 else None
    if not head and isinstance(only, _OneLine) and (stmt.body.inline or page.join):
        line = in_line(["may", *phrase(only)])
        if len(line) <= page.room:
            return [line]
    return _behind(["may", *head], stmt.body, page)


def _formula(head: list[str], formula: st.Formula, page: Page) -> list[str]:
    line = in_line([*head, ":", *phrase(formula.otherwise)])
    before = [*formula.lets, *formula.cases]
    if not before and formula.inline and len(line) <= page.room:
        return [line]
    last = ["otherwise"] if formula.cases else []
    final = INDENT + in_line([*last, *phrase(formula.otherwise)])
    return [in_line([*head, ":"]), *_below(tuple(before), page), final]
