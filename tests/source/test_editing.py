from __future__ import annotations

import pytest

from rulesdsl.source.diagnostics import Edit, edited
from rulesdsl.source.span import Span

TEXT = "verb pay:\n    gain é coin\r\nend"


def at(line: int, column: int, end_line: int, end_column: int, text: str) -> Edit:
    return Edit(Span("a.rules", line, column, end_line, end_column), text)


def test_edits_are_made_wherever_they_are_listed() -> None:
    edits = [at(3, 1, 3, 4, "stop"), at(1, 6, 1, 9, "buy"), at(2, 5, 2, 5, "may: ")]

    assert edited(TEXT, edits) == "verb buy:\n    may: gain é coin\r\nstop"


def test_an_edit_can_join_lines() -> None:
    assert edited(TEXT, [at(1, 10, 2, 5, " ")]) == "verb pay: gain é coin\r\nend"


@pytest.mark.parametrize(
    "edits",
    [
        [at(1, 1, 1, 5, ""), at(1, 4, 1, 9, "")],
        [at(4, 1, 4, 1, "")],
        [at(0, 1, 0, 1, "")],
        [at(1, 0, 1, 1, "")],
        [at(1, 11, 1, 11, "")],
        [at(1, 5, 1, 4, "")],
    ],
)
def test_what_cannot_be_made_is_an_error(edits: list[Edit]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - it is about any of them
        edited(TEXT, edits)
