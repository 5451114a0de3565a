from __future__ import annotations

import re

import pytest

from rulesdsl.source.diagnostics import Diagnostic, Related, Severity
from rulesdsl.source.render import render_text, summary
from rulesdsl.source.span import NOWHERE, SourceFile, Span


def finding(
    span: Span,
    message: str = "no `coim` here",
    help: str = "",
    related: tuple[Related, ...] = (),
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    return Diagnostic("E201", "unknown-name", severity, span, message, help, related)


def shown(text: str, span: Span) -> str:
    """Return the excerpt alone."""
    page = render_text([finding(span)], {span.file: SourceFile(span.file, text)})
    return "\n".join(page.splitlines()[2:-2])


def at(line: int, column: int, end_line: int, end_column: int) -> Span:
    return Span("a.rules", line, column, end_line, end_column)


def test_a_whole_finding() -> None:
    sources = {
        "a.rules": SourceFile("a.rules", "verb pay:\n" * 9 + "    move 1 coim into bank\n"),
        "b.rules": SourceFile("b.rules", "\n\npiece coin 5 in bank\n"),
    }
    diagnostic = finding(
        at(10, 12, 10, 16),
        help="a similar name exists: `coin`\nor declare it",
        related=(
            Related(Span("b.rules", 3, 7, 3, 11), "`coin` is declared here"),
            Related(Span("lost.rules", 3, 7, 3, 11), "and used here"),
            Related(NOWHERE, "the engine has no `coim`"),
        ),
    )

    assert (
        render_text([diagnostic], sources)
        == """\
error[E201 unknown-name]: no `coim` here
  --> a.rules:10:12
   |
10 |     move 1 coim into bank
   |            ^^^^
  ::: b.rules:3:7
   |
 3 | piece coin 5 in bank
   |       ---- `coin` is declared here
  ::: lost.rules:3:7
   = note: and used here
   = note: the engine has no `coim`
   = help: a similar name exists: `coin`
           or declare it

1 error
"""
    )


@pytest.mark.parametrize(
    ("text", "span", "excerpt"),
    [
        ("ab", at(1, 1, 1, 3), "  |\n1 | ab\n  | ^^"),
        ("ab", at(1, 2, 1, 2), "  |\n1 | ab\n  |  ^"),
        ("ab", at(1, 3, 1, 9), "  |\n1 | ab\n  |   ^"),
        ("ab", at(1, 9, 1, 12), "  |\n1 | ab\n  |   ^"),
        ("ab\r\ncd", at(1, 2, 2, 2), "  |\n1 | ab\n  |  ^\n  | ... to line 2"),
        ("", at(1, 1, 1, 1), "  |\n1 |\n  | ^"),
        ("", at(4, 1, 4, 1), ""),
        ("\ta\tb", at(1, 2, 1, 3), "  |\n1 |     a   b\n  |     ^"),
        ("a\tb", at(1, 2, 1, 3), "  |\n1 | a   b\n  |  ^^^"),
        ("日本 x", at(1, 2, 1, 3), "  |\n1 | 日本 x\n  |   ^^"),
        ("e\u0301x", at(1, 3, 1, 4), "  |\n1 | e\u0301x\n  |  ^"),
        ("日\tx", at(1, 3, 1, 4), "  |\n1 | 日  x\n  |     ^"),
        ("a\u202ebc", at(1, 3, 1, 4), "  |\n1 | a\ufffdbc\n  |   ^"),
        ("a\x1b[31mb", at(1, 7, 1, 8), "  |\n1 | a\ufffd[31mb\n  |       ^"),
    ],
)
def test_the_mark_stands_below_its_place(text: str, span: Span, excerpt: str) -> None:
    assert shown(text, span) == excerpt


def test_a_file_that_is_not_at_hand_is_named() -> None:
    lines = render_text([finding(at(1, 1, 1, 2))], {}).splitlines()

    assert lines == ["error[E201 unknown-name]: no `coim` here", " --> a.rules:1:1", "", "1 error"]


def test_what_stands_nowhere_has_no_place() -> None:
    assert render_text([finding(NOWHERE)], {}).splitlines()[1:] == ["", "1 error"]


def test_colour_adds_nothing_but_colour() -> None:
    sources = {"a.rules": SourceFile("a.rules", "a coim\nb")}
    diagnostic = finding(at(1, 3, 2, 1), "one", "two", (Related(at(2, 1, 2, 2), "three"),))
    plain = render_text([diagnostic], sources)
    coloured = render_text([diagnostic], sources, colour=True)

    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert coloured.startswith("\x1b[1;31merror")


def test_no_text_of_a_finding_steers_the_terminal() -> None:
    span = Span("a\x1b[2J.rules", 1, 1, 1, 2)
    page = render_text([finding(span, "m\x1b", "h\x07", (Related(NOWHERE, "r\x9b"),))], {})

    assert not set("\x1b\x07\x9b") & set(page)


@pytest.mark.parametrize(
    ("errors", "warnings", "text"),
    [
        (0, 0, "no findings"),
        (1, 0, "1 error"),
        (2, 1, "2 errors, 1 warning"),
        (0, 3, "3 warnings"),
    ],
)
def test_the_last_line_counts(errors: int, warnings: int, text: str) -> None:
    found = [finding(NOWHERE)] * errors
    found += [finding(NOWHERE, severity=Severity.WARNING)] * warnings

    assert summary(found) == text
    assert render_text(found, {}).splitlines()[-1] == text


@pytest.mark.parametrize("column", [1, 50_000, 99_990])
def test_of_a_very_long_line_what_is_around_the_place_is_shown(column: int) -> None:
    line = "".join(f"{number:<10}" for number in range(10_000))

    text, mark = shown(line, at(1, column, 1, column + 5)).splitlines()[1:3]

    assert len(text) < 320
    assert mark.strip(" |") == "^" * 5
    start = mark.index("^")
    assert text[start : start + 5] == line[column - 1 : column + 4]


def test_a_finding_without_end_is_cut() -> None:
    name = "x" * 100_000
    page = render_text(
        [finding(at(1, 1, 1, 100_001), f"no `{name}`", f"not even `{name}`")],
        {"a.rules": SourceFile("a.rules", name)},
    )

    assert len(page) < 1_500
    assert page.splitlines()[3] == f"1 | {'x' * 300}…"
    assert page.splitlines()[4].count("^") <= 301
