"""Reading text that must be readable, and printing what was read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulesdsl.source.diagnostics import Findings, LintError
from rulesdsl.source.span import SourceFile
from rulesdsl.syntax.parser import parse_effect, parse_file, parse_formula
from rulesdsl.syntax.printer import LineBudget, lines

if TYPE_CHECKING:
    from rulesdsl.syntax.declarations import Decl, File
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import Body

SHIPPED = sorted((Path(__file__).parents[2] / "content").rglob("*.rules"))


def read_file(text: str) -> File:
    """Return the declarations of a text; `LintError` where anything is wrong with it."""
    findings = Findings()
    parsed = parse_file(text, "a.rules", findings)
    _raise(findings, text)
    return parsed.file


def read_effect(text: str) -> Body:
    """Return the statements of a text."""
    findings = Findings()
    body = parse_effect(text, "a.rules", findings)
    _raise(findings, text)
    assert body is not None
    return body


def read_value(text: str) -> Expr:
    """Return the value of a text."""
    findings = Findings()
    value = parse_formula(text, "a.rules", findings)
    _raise(findings, text)
    assert value is not None
    return value


def _raise(findings: Findings, text: str) -> None:
    if findings.sorted():
        raise LintError(findings.sorted(), {"a.rules": SourceFile("a.rules", text)})


# -------------------------------------------------------------------- printing
def print_file(file: File) -> str:
    """Return a file: a blank line beside every declaration that takes more than one line."""
    text = ""
    tall_before = False
    for declaration in file.declarations:
        printed = lines(declaration, LineBudget())
        tall = len(printed) > 1
        if text and (tall or tall_before):
            text += "\n"
        text += "\n".join(printed) + "\n"
        tall_before = tall
    return text


def print_declaration(declaration: Decl) -> str:
    """Return one declaration, without a line end after it."""
    return "\n".join(lines(declaration, LineBudget()))
