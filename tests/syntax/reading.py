"""Parsing of text that must be valid, and printing of its tree."""

from pathlib import Path

from rulesdsl.source.diagnostics import Findings, LintError
from rulesdsl.source.span import SourceFile
from rulesdsl.syntax.declarations import Decl, File
from rulesdsl.syntax.expressions import Expr
from rulesdsl.syntax.parser import parse_effect, parse_file, parse_formula
from rulesdsl.syntax.printer import LineBudget, lines
from rulesdsl.syntax.statements import Body

SHIPPED = sorted((Path(__file__).parents[2] / "content").rglob("*.rules"))


def read_file(text: str) -> File:
    """Return the declarations in source text; raise LintError if it is invalid."""
    findings = Findings()
    parsed = parse_file(text, "a.rules", findings)
    _raise(findings, text)
    return parsed.file


def read_effect(text: str) -> Body:
    findings = Findings()
    body = parse_effect(text, "a.rules", findings)
    _raise(findings, text)
    assert body is not None
    return body


def read_value(text: str) -> Expr:
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
    """Print a file, with blank lines around every declaration that spans several lines."""
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
    return "\n".join(lines(declaration, LineBudget()))
