from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as hy

from rulesdsl.source.diagnostic import LintError
from rulesdsl.syntax.comments import comments
from rulesdsl.syntax.declarations import File
from rulesdsl.syntax.format import format_rules
from syntax.reading import SHIPPED, print_file, read_file
from syntax.strategies import files


def formatted(text: str) -> str:
    """Return the formatted text, which must not change when it is formatted again."""
    once = format_rules(text, "a.rules")
    assert format_rules(once, "a.rules") == once
    return once


# -------------------------------------------------------------------- spaces
@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("verb  gain   n   coins :nothing", "verb gain n coins: nothing"),
        ("verb x:pay 1 coin,draw 1 card", "verb x: pay 1 coin, draw 1 card"),
        ("value x: ( x+y )*2/z -1", "value x: (x + y) * 2 / z - 1"),
        ("value x: a-b - c-3", "value x: a-b - c-3"),
        ("value x: position of( it )", "value x: position of (it)"),
        ("value x: ((y))", "value x: ((y))"),
        ("value x: y>=2and z<>3", "value x: y >= 2 and z <> 3"),
        ("piece coin / coins 5 per seat in stock", "piece coin/coins 5 per seat in stock"),
        ("value x of coin: coin/coins", "value x of coin: coin / coins"),
        ("track score from 0 .. 20", "track score from 0..20"),
        ('option n  "A  #1" :3 in 2..4', 'option n "A  #1": 3 in 2..4'),
        ("kind tool:hammer ,saw", "kind tool: hammer, saw"),
        ('panel "Table"per seat: hand,score', 'panel "Table" per seat: hand, score'),
        ("win with most score  ", "win with most score"),
    ],
)
def test_one_space_where_one_belongs(written: str, wanted: str) -> None:
    assert formatted(written) == f"{wanted}\n"


def test_every_level_is_four_spaces_deep() -> None:
    assert formatted(
        "verb x:\n  if a:\n        gain 1 coin\n        draw 1 card\n  otherwise:\n   nothing\n"
    ) == (
        "verb x:\n    if a:\n        gain 1 coin\n        draw 1 card\n"
        "    otherwise:\n        nothing\n"
    )


def test_line_ends_of_any_system_become_plain() -> None:
    assert formatted("verb x:\r\n\tnothing # why\r\n") == "verb x:\n    nothing  # why\n"


def test_lines_within_parentheses_keep_their_breaks() -> None:
    assert formatted("value x: (y +\n  (z\n   + 1)\n ) * 2  # sum\nvalue y: 1") == (
        "value x: (y +\n    (z\n        + 1)\n    ) * 2  # sum\nvalue y: 1\n"
    )


# -------------------------------------------------------------------- empty lines
def test_at_most_two_empty_lines_between_declarations_and_one_within() -> None:
    assert formatted(
        "\n\nflag a per card\nflag b per card\n\nflag c per card\n\n\n\n\n"
        "verb x:\n\n    draw 1 card\n\n\n    nothing\n\n\n"
    ) == (
        "flag a per card\nflag b per card\n\nflag c per card\n\n\n"
        "verb x:\n    draw 1 card\n\n    nothing\n"
    )


@pytest.mark.parametrize("text", ["", "\n", "  \n\n"])
def test_nothing_stays_nothing(text: str) -> None:
    assert formatted(text) == ""


# -------------------------------------------------------------------- comments
def test_comments_before_a_line_move_with_it() -> None:
    assert formatted(
        "#about\n\n # the verb\nverb x:\n# first\n  # second\n  draw 1 card\n"
        "      # deeper than it may be\n  nothing\n"
    ) == (
        "# about\n\n# the verb\nverb x:\n    # first\n    # second\n    draw 1 card\n"
        "    # deeper than it may be\n    nothing\n"
    )


def test_comments_at_the_end_of_a_body_stay_in_it() -> None:
    text = (
        "verb x:\n    if a:\n        nothing\n        # within\n    # behind it\n"
        "# between\nverb y: nothing\n    # the last\n"
    )
    assert formatted(text) == text.replace("    # the last", "# the last")


def test_section_comments_stay_as_they_are() -> None:
    text = "# ---- coins\nflag a per card\n\n# ====\n#\n#: b\nflag b per card\n"
    assert formatted(text) == text


def test_comments_behind_code_keep_their_column_where_they_can() -> None:
    assert formatted(
        "flag a per card      # one\nflag  b  per card    # two\n\nflag c per card # three\n"
    ) == ("flag a per card      # one\nflag b per card      # two\n\nflag c per card  # three\n")


def test_comments_that_stood_below_each_other_still_do() -> None:
    assert formatted(
        "verb x:\n  draw 1 card    # one\n  nothing\n  gain 1+1 coin  # two\n  nothing # other\n"
    ) == (
        "verb x:\n    draw 1 card      # one\n    nothing\n    gain 1 + 1 coin  # two\n"
        "    nothing  # other\n"
    )


def test_a_comment_goes_on_below_itself() -> None:
    assert formatted("flag a per card # one\n                # more\n") == (
        "flag a per card  # one\n                 # more\n"
    )


def test_a_sign_within_quotation_marks_begins_no_comment() -> None:
    text = 'source "a # b"  # c\n'
    assert formatted(text) == text
    assert comments(text) == ["# c"]


@pytest.mark.parametrize("inner", ['"{0}"', '") {an ace each "{0}"}"'])
def test_texts_in_the_values_of_texts_stay_as_they_are(inner: str) -> None:
    asked = f'"{{an ace each "{{an ace each {inner}}}"}}"'
    text = f"verb x:\n    all choose secretly an ace each {asked}:\n        end game\n"
    assert formatted(text) == text


# -------------------------------------------------------------------- long lines
def test_a_body_that_does_not_fit_goes_below_its_colon() -> None:
    price = " + ".join(["1000000"] * 9)
    assert formatted(f"verb x: for each card c: draw {price} cards   # why\n") == (
        f"verb x:  # why\n    for each card c: draw {price} cards\n"
    )
    wider = price + " + 1000000 + 1"
    assert formatted(f"verb x: for each card c: draw {wider} cards\n") == (
        f"verb x:\n    for each card c:\n        draw {wider} cards\n"
    )


def test_a_colon_that_opens_no_body_is_never_broken() -> None:
    text = f"kind tool: {', '.join(f'tool-number-{n}' for n in range(20))}\n"
    assert formatted(text) == text


def test_a_body_on_lines_of_its_own_stays_there() -> None:
    text = "verb x:\n    nothing\n"
    assert formatted(text) == text


# -------------------------------------------------------------------- promises
def test_what_cannot_be_read_is_not_formatted() -> None:
    with pytest.raises(LintError) as caught:
        format_rules("verb x: move into into\n", "a.rules")
    assert "a.rules:1" in str(caught.value)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_rules_can_be_formatted(path: Path) -> None:
    formatted(path.read_text(encoding="utf-8"))


@given(files)
@settings(max_examples=25, deadline=None)
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
@settings(max_examples=25, deadline=None)
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
@settings(max_examples=25, deadline=None)
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
