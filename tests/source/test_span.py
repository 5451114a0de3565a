from __future__ import annotations

import pytest

from rulesdsl.source.span import NOWHERE, SourceFile, Span

EARLY = Span("a.rules", 1, 5, 1, 9)
LATE = Span("a.rules", 3, 2, 4, 1)


@pytest.mark.parametrize("pair", [(EARLY, LATE), (LATE, EARLY)])
def test_joining_covers_both_whatever_their_order(pair: tuple[Span, Span]) -> None:
    assert pair[0].to(pair[1]) == Span("a.rules", 1, 5, 4, 1)


def test_joining_a_span_inside_changes_nothing() -> None:
    assert LATE.to(Span("a.rules", 3, 4, 3, 9)) == LATE


def test_nowhere_adds_nothing() -> None:
    assert EARLY.to(NOWHERE) == EARLY
    assert NOWHERE.to(EARLY) == EARLY


def test_only_lf_and_crlf_end_a_line() -> None:
    source = SourceFile("a.rules", "one\r\ntwo\x0c\u2028still two\n")

    assert source.lines == ("one", "two\x0c\u2028still two", "")


@pytest.mark.parametrize(("n", "line"), [(0, ""), (1, "one"), (2, "two"), (3, ""), (-1, "")])
def test_a_line_that_is_not_there_is_empty(n: int, line: str) -> None:
    assert SourceFile("a.rules", "one\ntwo").line(n) == line
