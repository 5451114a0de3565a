from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import attrs
import pytest

from check.mutations import slip
from rulesdsl.source.diagnostics import Findings
from rulesdsl.syntax.lexer import LexemeKind, lexemes
from rulesdsl.syntax.parser import parse_effect, parse_file
from rulesdsl.syntax.statements import BadLine
from syntax.reading import SHIPPED, print_file

SLIPS = 600
LEFT_OUT = {"a", "an", "otherwise"}  # the last: before what a value is in all other cases


def said(text: str) -> Counter[str]:
    """Return the words, numbers and titles of a text, without those that may be left out."""
    said = (
        each
        for each in lexemes(text)
        if each.sort in {LexemeKind.TEXT, LexemeKind.NAME, LexemeKind.NUMBER}
    )
    no_parentheses = str.maketrans("", "", "()")  # those that nothing needs are left out
    texts = (e.text.translate(no_parentheses) for e in said if e.text not in LEFT_OUT)
    words = (" ".join(each.split()) for each in texts)  # in a text, spaces are left out too
    return Counter(each.replace("{ ", "{").replace(" }", "}") for each in words)


def bad_lines(node: object) -> list[BadLine]:
    """Return what stands in a tree for a line that could not be read."""
    if isinstance(node, BadLine):
        return [node]
    if isinstance(node, tuple):
        return [bad for each in node for bad in bad_lines(each)]
    cls = type(node)
    if attrs.has(cls):
        values = (getattr(node, each.name) for each in attrs.fields(cls))
        return [bad for each in values for bad in bad_lines(each)]
    return []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_what_is_read_without_a_finding_says_all_that_the_text_says(path: Path) -> None:
    source, quiet = path.read_text(encoding="utf-8"), 0
    for seed in range(SLIPS // len(SHIPPED)):
        _, text = slip({path.name: source}, random.Random(seed))
        findings = Findings()
        file = parse_file(text, path.name, findings).file

        if not findings.sorted():
            quiet += 1
            assert bad_lines(file) == []
            assert said(print_file(file)) == said(text)
    assert quiet


MARGIN = (
    "step game:\n    {}\n",
    "step game:\n    nothing\n    {}\n    nothing\n",
    "step game:\n    menu:\n        once: nothing\n        {}\n",
    "step game:\n    choose one:\n        nothing\n        {}\n",
    "value v:\n    {}\n    otherwise 1\n",
    "kind thing:\n    {}\n",
    "thing first:\n    {}\n    size = 1\n",
    "add to menu of game:\n    once: nothing\n    {}\n",
)


@pytest.mark.parametrize("text", MARGIN)
@pytest.mark.parametrize("sign", [chr(at) for at in range(32) if chr(at) not in "\t\n\r"])
def test_a_control_character_is_no_line(text: str, sign: str) -> None:
    findings = Findings()

    parse_file(text.format(sign), "a.rules", findings)

    assert findings.has_errors


def test_a_control_character_is_no_line_of_an_effect() -> None:
    findings = Findings()

    parse_effect("nothing\n\x18", "cards.toml", findings)

    assert findings.has_errors


def test_a_loop_without_a_maximum_is_told() -> None:
    findings = Findings()

    parse_file("step game:\n    repeat at least 3 times until 1 = 2: nothing\n", "a", findings)

    assert [each.code for each in findings.sorted()] == ["E101"]


def test_what_is_wrong_is_told_each_time_that_a_file_is_read() -> None:
    wrong = "step game:\n    repeat at least 3 times until 1 = 2: nothing\n"
    right = "step game: nothing\n"
    found: list[list[tuple[str, str]]] = []
    for path, text in (("a", wrong), ("a", wrong), ("b", wrong), ("a", right), ("a", wrong)):
        findings = Findings()
        parse_file(text, path, findings)
        found.append([(each.code, each.span.file) for each in findings.sorted()])

    assert found == [[("E101", "a")], [("E101", "a")], [("E101", "b")], [], [("E101", "a")]]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("move 3 coins intopurse", "intopurse"),
        ("move up to 3 coins fromheap into my purse", "fromheap"),
        ("let x = the site infoo", "infoo"),
    ],
)
def test_a_name_that_begins_with_a_keyword_is_no_keyword(line: str, word: str) -> None:
    findings = Findings()

    parse_file(f"verb act:\n    {line}\n", "box.rules", findings)

    assert [each.message for each in findings.sorted()] == [f"`{word}` does not fit here."]
