"""What is done as text: in one line where it can be, else in lines with their indentation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.syntax import statements as st
from rulesdsl.syntax.printer.expressions import (
    Level,
    at_level,
    clause,
    optional_word,
    print_expression,
)

if TYPE_CHECKING:
    from rulesdsl.syntax.expressions import Expr

WIDTH = 120
INDENT = "    "
UNREADABLE = "\x18"  # the grammar's sign for a line that could not be read

# What stands on one line, what may stand behind a colon, and what only stands below one.
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
    """Return a statement, in one line where the grammar lets it stand in one."""
    return "\n".join(statement_lines(stmt, _ONE_LINE))


def print_body(body: st.Body) -> str:
    """Return the statements of a body, one below the other."""
    return "\n".join(print_statement(stmt) for stmt in body.statements)


def print_label(body: st.Body) -> str:
    """Return a body in one line for a player to read, whatever stands in it."""
    label = ""
    for line in print_body(body).split("\n"):
        joint = "" if not label else " " if label.endswith(":") else ", "
        label += joint + line.strip()
    return label


def statement_lines(stmt: st.Stmt, page: Page) -> list[str]:
    """Return the lines of a statement, indented from its own margin."""
    if isinstance(stmt, _OneLine):
        return [_line(stmt)]
    match stmt:
        case st.May():
            return _may(stmt, page)
        case st.MayRepeat() | st.Repeat() | st.Until() | st.Each() | st.ActAs() | st.Secret():
            return behind_colon(_loop_head(stmt), stmt.body, page)
        case st.If(branches, otherwise):
            lines: list[str] = []
            for branch in branches:
                word = "otherwise if" if lines else "if"
                head = f"{word} {at_level(branch.condition, Level.EXPR)}"
                lines += behind_colon(head, branch.body, page)
            return lines + _otherwise(otherwise, page)
        case st.IfAble(body, otherwise):
            return behind_colon("if able", body, page) + _otherwise(otherwise, page)
        case st.ChooseOne(options):
            within = [line for option in options for line in _option(option, page.deeper)]
            return ["choose one:", *indented(within)]
        case st.Menu(offers):
            within = [line for offer in offers for line in _menu_line(offer, page.deeper)]
            return ["menu:", *indented(within)]
        case st.BadLine():
            return [UNREADABLE]
        case _:
            assert_never(stmt)


def behind_colon(head: str, body: st.Body, page: Page) -> list[str]:
    """Return a head and its body: on the head's line where it may stand there and fits.

    What does not fit is broken behind its first colon.
    """
    only = body.statements[0] if len(body.statements) == 1 else None
    if isinstance(only, _Inline) and (body.inline or page.join):
        first, *rest = statement_lines(only, attrs.evolve(page, room=sys.maxsize))
        line = f"{head}: {first}"
        if len(line) <= page.room:
            return [line, *rest]
    within = [line for stmt in body.statements for line in statement_lines(stmt, page.deeper)]
    return [f"{head}:", *indented(within)]


def indented(lines: list[str]) -> list[str]:
    """Return lines one level further in."""
    return [INDENT + line for line in lines]


# -------------------------------------------------------------------- one line
def _line(stmt: _OneLine) -> str:
    if isinstance(stmt, st.Sequence):
        return _sequence(stmt)
    if isinstance(stmt, st.Either):
        return " or else ".join(_sequence(way) for way in stmt.ways)
    return _simple(stmt)


def _sequence(stmt: st.Sequence) -> str:
    steps = _in_order(stmt.steps)
    return f"{steps} to {_in_order(stmt.gains)}" if stmt.gains else steps


def _in_order(steps: tuple[st.Stmt, ...]) -> str:
    return ", ".join(print_statement(step) for step in steps)


def _simple(stmt: st.Simple) -> str:  # noqa: C901 - one case for each node
    match stmt:
        case st.Call(verb, arguments):
            return verb.text + "".join(_argument(each) for each in arguments)
        case st.Move(up_to, what, source, into):
            limit = "up to " if up_to else ""
            start = clause("from", source, Level.AMOUNT)
            target = at_level(into, Level.AMOUNT)
            return f"move {limit}{print_expression(what)}{start} into {target}"
        case st.Change(up, target, amount):
            way = "raise" if up else "lower"
            return f"{way} {_lookup(target)} by {at_level(amount, Level.EXPR)}"
        case st.Mark(on, target):
            return f"{'mark' if on else 'clear'} {_lookup(target)}"
        case st.Do(target):
            return f"do {_lookup(target)}"
        case st.Let(name, value, prompt):
            question = "" if prompt is None else f' "{prompt}"'
            return f"let {name.text} = {print_expression(value)}{question}"
        case st.Needs(condition):
            return f"needs {at_level(condition, Level.EXPR)}"
        case st.Shuffle(target):
            return f"shuffle {_lookup(target)}"
        case st.LookAt(what):
            return f"look at {print_expression(what)}"
        case st.EndGame():
            return "end game"
        case st.Nothing():
            return "nothing"
        case _:
            assert_never(stmt)


def _argument(argument: st.Argument) -> str:
    preposition = "" if argument.preposition is None else f" {argument.preposition}"
    return f"{preposition} {print_expression(argument.value)}"


def _lookup(expr: Expr) -> str:
    return at_level(expr, Level.LOOKUP)


# -------------------------------------------------------------------- flow
def _may(stmt: st.May, page: Page) -> list[str]:
    only = stmt.body.statements[0] if len(stmt.body.statements) == 1 else None
    if stmt.label is not None:
        return behind_colon(f'may "{stmt.label}"', stmt.body, page)
    if isinstance(only, _OneLine) and (stmt.body.inline or page.join):
        line = f"may {_line(only)}"
        if len(line) <= page.room:
            return [line]
    return behind_colon("may", stmt.body, page)


def _loop_head(stmt: st.Loop) -> str:
    match stmt:
        case st.MayRepeat(label, limit):
            often = "any number of" if limit is None else f"up to {at_level(limit, Level.EXPR)}"
            return f"may {often} times" if label is None else f'may "{label}" {often} times'
        case st.Repeat(times):
            return f"repeat {at_level(times, Level.EXPR)} times"
        case st.Until(limit, condition):
            most = at_level(limit, Level.ATOM)
            return f"repeat at most {most} times until {at_level(condition, Level.EXPR)}"
        case st.Each():
            domain = clause("in", stmt.domain, Level.LOOKUP)
            start = clause("starting with", stmt.start, Level.LOOKUP)
            where = clause("where", stmt.where, Level.EXPR)
            thing = stmt.kind.text + optional_word(stmt.variable)
            return f"for each {thing}{domain}{start}{where}"
        case st.ActAs(seat):
            return f"for {_lookup(seat)}"
        case st.Secret(choice):
            return f"all choose secretly {print_expression(choice)}"
        case _:
            assert_never(stmt)


def _otherwise(body: st.Body | None, page: Page) -> list[str]:
    return [] if body is None else behind_colon("otherwise", body, page)


def _option(line: st.Line, page: Page) -> list[str]:
    if line.label is not None:
        return behind_colon(f'"{line.label}"', line.body, page)
    return [text for stmt in line.body.statements for text in statement_lines(stmt, page)]


def _menu_line(line: st.MenuLine, page: Page) -> list[str]:
    head = "once" if line.once else "any time"
    if line.label is not None:
        head += f' "{line.label}"'
    if line.kind is not None:
        head += f" for each {line.kind.text}{optional_word(line.variable)}"
        head += clause("in", line.domain, Level.LOOKUP)
        head += clause("where", line.where, Level.EXPR)
    return behind_colon(head, line.body, page)
