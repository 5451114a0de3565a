import random
import re
from collections import Counter
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as hy

from examples import examples
from rulesdsl.source.diagnostics import Findings, LintError
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.declarations import File
from rulesdsl.syntax.format import format_rules
from rulesdsl.syntax.lexer import LexemeKind, comments, lexemes
from rulesdsl.syntax.node import Identifier
from rulesdsl.syntax.parser import parse_effect, parse_file
from rulesdsl.syntax.printer import print_body, print_expression, print_label, print_statement
from rulesdsl.syntax.statements import BadLine, Body
from syntax.reading import (
    SHIPPED,
    print_declaration,
    print_file,
    read_effect,
    read_file,
    read_value,
)
from syntax.strategies import bodies, expressions, files

# Values, statements, and a file as they are printed.
VALUES, STATEMENTS, RULES = (
    (Path(__file__).parent / "printed.txt").read_text("utf-8").split("\n\n", 2)
)


@given(expressions)
@examples(100)
def test_a_printed_value_reads_back_as_it_was(value: ex.Expr) -> None:
    assert read_value(print_expression(value)) == value


@given(bodies)
@examples(50)
def test_a_printed_effect_reads_back_as_it_was(body: Body) -> None:
    assert read_effect(print_body(body)) == body


@given(files)
@examples(50)
def test_a_printed_file_reads_back_as_it_was(file: File) -> None:
    assert read_file(print_file(file)) == file


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_rules_read_back_as_they_were(path: Path) -> None:
    file = read_file(path.read_text(encoding="utf-8"))
    assert read_file(print_file(file)) == file


@pytest.mark.parametrize("text", VALUES.splitlines())
def test_a_value_keeps_only_the_parentheses_it_needs(text: str) -> None:
    assert print_expression(read_value(text)) == text


@pytest.mark.parametrize("text", STATEMENTS.splitlines())
def test_a_statement_prints_in_one_line(text: str) -> None:
    (statement,) = read_effect(text).statements
    assert print_statement(statement) == text


def test_a_file_prints_as_a_person_would_write_it() -> None:
    assert print_file(read_file(RULES)) == RULES


def test_parentheses_without_need_go() -> None:
    text = "((coins in (my purse)) + (2 * (3))) > (worth of (it))"
    assert print_expression(read_value(text)) == "coins in my purse + 2 * 3 > worth of it"


def test_parentheses_come_from_the_tree_alone() -> None:
    either = ex.Logic("or", ex.Name("a"), ex.My("b"))
    nested = ex.Contents(
        ex.NounAmount(ex.At(ex.Number(2), ex.Not(either)), Identifier("coins")), ex.Name("pile")
    )
    assert print_expression(nested) == "2 at (not (a or my b)) coins in pile"


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("may:\n    draw 1 card\n", "may draw 1 card"),
        ("for each card c:\n    discard c\n", "for each card c: discard c"),
        (
            "if a:\n    draw 1 card\n    gain 1 coin\notherwise: nothing\n",
            "if a: draw 1 card, gain 1 coin, otherwise: nothing",
        ),
        ("let c = top of deck\nmove c into hand\n", "let c = top of deck, move c into hand"),
        (
            'choose one:\n    gain 1 coin\n    "Draw": draw 1 card\n',
            'choose one: gain 1 coin, "Draw": draw 1 card',
        ),
    ],
)
def test_a_label_is_one_line(written: str, label: str) -> None:
    assert print_label(read_effect(written)) == label


def test_what_is_too_long_for_its_line_goes_below_it() -> None:
    text = f"verb gain: for each card c: draw {' + '.join(['1000000'] * 9)} cards\n"
    lines = print_file(read_file(text)).splitlines()
    assert [line.strip().split(" ")[0] for line in lines] == ["verb", "for"]
    assert read_file("\n".join(lines) + "\n") == read_file(text)


def test_a_declaration_prints_without_its_neighbours() -> None:
    first, second = read_file("flag used per card\nwin with most score\n").declarations
    assert print_declaration(first) == "flag used per card"
    assert print_declaration(second) == "win with most score"


# A name, rules, and how they are formatted, which is empty where nothing changes.
CASES = re.findall(
    r"^=== ([^\n]+)\n(.*?)^--->\n(.*?)(?=^=== |\Z)",
    (Path(__file__).parent / "formatted.txt").read_text("utf-8"),
    re.MULTILINE | re.DOTALL,
)


def formatted(text: str) -> str:
    """Return the formatted text, which formatting again must not change."""
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


SLIPS = 600
LEFT_OUT = {"a", "an", "otherwise"}  # the last: before what a value is in all other cases


def said(text: str) -> Counter[str]:
    """Return the words, numbers and titles in text, without optional ones."""
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
    """Return a tree's nodes for unreadable lines."""
    if isinstance(node, BadLine):
        return [node]
    if isinstance(node, tuple):
        return [bad for each in node for bad in bad_lines(each)]
    cls = type(node)
    if attrs.has(cls):
        values = (getattr(node, each.name) for each in attrs.fields(cls))
        return [bad for each in values for bad in bad_lines(each)]
    return []


def slip(text: str, seed: int) -> str:
    """Return text with a misspelt name, or with a lexeme dropped, doubled or swapped."""
    words, chance = [each for each in lexemes(text) if each.is_code], random.Random(seed)
    if seed % 2:
        at = chance.choice([each for each in words if each.sort is LexemeKind.NAME]).start + 1
        return f"{text[:at]}x{text[at:]}"
    at = chance.randrange(len(words) - 1)
    one, other = words[at : at + 2]
    between = text[one.start + len(one.text) : other.start]
    new = chance.choice(["", f"{one.text} {one.text}", other.text])
    rest = one.text if new == other.text else other.text
    return text[: one.start] + new + between + rest + text[other.start + len(other.text) :]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_what_is_read_without_a_finding_says_all_that_the_text_says(path: Path) -> None:
    source, quiet = path.read_text(encoding="utf-8"), 0
    for seed in range(SLIPS // len(SHIPPED)):
        text = slip(source, seed)
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
