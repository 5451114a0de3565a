from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as hy

from examples import examples
from rulesdsl.source.diagnostics import LintError
from rulesdsl.syntax.declarations import File
from rulesdsl.syntax.format import format_rules
from rulesdsl.syntax.lexer import comments
from syntax.reading import SHIPPED, print_file, read_file
from syntax.strategies import files

# A name, rules, and how they are formatted, which is empty where nothing changes.
CASES = re.findall(
    r"^=== ([^\n]+)\n(.*?)^--->\n(.*?)(?=^=== |\Z)",
    (Path(__file__).parent / "formatted.txt").read_text("utf-8"),
    re.MULTILINE | re.DOTALL,
)


def formatted(text: str) -> str:
    """Return the formatted text, which must not change when it is formatted again."""
    once = format_rules(text, "a.rules")
    assert format_rules(once, "a.rules") == once
    return once


@pytest.mark.parametrize(
    ("written", "wanted"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_rules_are_formatted(written: str, wanted: str) -> None:
    assert formatted(written) == (wanted or written)


def test_spaces_at_the_end_of_a_line_go() -> None:
    assert formatted("win with most score  ") == "win with most score\n"


def test_line_ends_of_any_system_become_plain() -> None:
    assert formatted("verb x:\r\n\tnothing # why\r\n") == "verb x:\n    nothing  # why\n"


@pytest.mark.parametrize("text", ["", "\n", "  \n\n"])
def test_nothing_stays_nothing(text: str) -> None:
    assert formatted(text) == ""


def test_a_sign_within_quotation_marks_begins_no_comment() -> None:
    text = 'source "a # b"  # c\n'
    assert formatted(text) == text
    assert comments(text) == ["# c"]


def test_what_cannot_be_read_is_not_formatted() -> None:
    with pytest.raises(LintError) as caught:
        format_rules("verb x: move into into\n", "a.rules")
    assert "a.rules:1" in str(caught.value)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_rules_can_be_formatted(path: Path) -> None:
    formatted(path.read_text(encoding="utf-8"))


@given(files)
@examples(25)
def test_any_file_says_the_same_when_formatted(file: File) -> None:
    assert read_file(formatted(print_file(file))) == file


SAMPLE = """\
kind tool/tools "Tool":
    worth: number = 2
flag used per tool

step turn:
    menu:
        once: draw 1 card
        any time for each tool t in my hand where not used of t: move t into pile
    if any (all tools) in my hand:
        repeat 2 * (n + 1) times: gain 1 coin to draw 1 card, nothing
    otherwise: may up to 3 times: nothing

value front of seat:
    let r = the row where any my coins in it with least position of it
    position of r if any r
    otherwise rows + 1
"""


@given(hy.data(), hy.integers(1, 9))
@examples(25)
def test_no_spacing_matters(data: hy.DataObject, step: int) -> None:
    def stretched(found: re.Match[str]) -> str:
        return found.group() * data.draw(hy.integers(1, 3))

    def written(line: str) -> str:
        code = line.lstrip()
        margin = " " * ((len(line) - len(code)) // 4 * step)
        return margin + re.sub(r"(?<!any)(?<!up) (?!\")", stretched, code)

    text = "\n".join(written(line) for line in SAMPLE.splitlines())
    assert formatted(text) == SAMPLE


@given(hy.data())
@examples(25)
def test_no_comment_is_ever_lost(data: hy.DataObject) -> None:
    texts = hy.text('# :"(a', max_size=4).map(lambda text: f"#{text}")
    lines: list[str] = []
    for line in SAMPLE.splitlines():
        margins = data.draw(hy.lists(hy.integers(0, 12), max_size=2))
        lines += [" " * margin + data.draw(texts) for margin in margins]
        gap = " " * data.draw(hy.integers(0, 9))
        lines.append(line + gap + data.draw(texts) if data.draw(hy.booleans()) else line)
        lines += [""] * data.draw(hy.integers(0, 3))
    text = "\n".join(lines)
    assert comments(formatted(text)) == comments(text)
