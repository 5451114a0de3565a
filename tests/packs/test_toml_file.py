from __future__ import annotations

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from packs.on_disk import told
from rulesdsl.packs.toml_document import MAX_DEPTH, TomlFile, parse_toml
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import SourceFile

TEXTS = st.text(st.characters(codec="utf-8"), max_size=5)
TABLES = st.dictionaries(
    TEXTS,
    st.recursive(
        st.integers() | TEXTS | st.booleans(),
        lambda below: st.lists(below, max_size=3) | st.dictionaries(TEXTS, below, max_size=3),
        max_leaves=8,
    ),
    max_size=5,
)
# Bits of TOML that, put together, are sometimes right and mostly almost right.
SIGNS = "[]{}=,.\"'#\\\n\r\t ab1-é\0"
WORDS = ("true", "1979-05-27", "inf", "0x1f", "a.b", "\\u00e9")
BITS = st.lists(
    st.sampled_from(
        [*SIGNS, '"""', "'''", "[[", "]]", "\r\n", "a = 1\n", "[b]\n", "[[c]]\n", '"x"', *WORDS]
    ),
    max_size=40,
).map("".join)


def read(text: str, findings: Findings) -> TomlFile | None:
    return parse_toml("deck.toml", SourceFile("box/deck.toml", text), findings)


def test_a_value_is_reached_by_its_path() -> None:
    file = read('[card.joker]\ntags = ["a", "b"]\n', Findings())

    assert file
    assert file.at(("card", "joker", "tags", 1)) == "b"
    assert file.at(("card", "joker", "tags", 2)) is None
    assert file.at(("card", "queen", "tags")) is None
    assert file.at(("card", 0)) is None
    assert file.at(()) == file.data


@pytest.mark.parametrize(
    ("text", "place", "message", "advice"),
    [
        ("a = 1\nb = joker\n", "2:5", "invalid value", "quotation marks"),
        ("a = 1\nb 2\n", "2:3", "expected '='", "name = value"),
        ('a = 1\na = "x"\n', "2:8", "cannot overwrite", "already has a value"),
        ('a = "x\nb = 1\n', "1:7", "the line ends inside a text", "closes the text"),
        ("a = [1\nb = 2\n", "2:1", "unclosed array", "closes the list"),
        ("a = [1,\n", "1:8", "invalid value", "ends too early"),
        ("[a]\n[a]\n", "2:3", "`a` occurs twice", "Give one of them another name, or merge them."),
    ],
)
def test_what_is_not_toml_is_reported_at_its_place(
    text: str, place: str, message: str, advice: str
) -> None:
    findings = Findings()

    assert read(text, findings) is None
    assert told(findings) == [f"E002 box/deck.toml:{place}"]
    (found,) = findings.sorted()
    assert found.message.startswith(f"This is not TOML: {message}".rstrip("."))
    assert advice in found.help


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\nb" + ".b" * 500_000 + " = 1\n",
        'a = 1\n"b"' + " . 'b'" * 100_000 + " = 1\n",
        "a = 1\nb = " + "[" * 500_000,
        "a = 1\nb = " + "{c=" * 300_000,
        "a = 1\nb = " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        "a = 1\nb = " + "9" * 100_000,
    ],
    ids=["dots", "quoted dots", "brackets", "braces", "a little too deep", "digits"],
)
def test_what_would_stop_the_reader_is_reported_at_once(text: str) -> None:
    findings = Findings()

    assert read(text, findings) is None
    assert [each.code for each in findings.sorted()] == ["E002"]


def test_a_table_may_be_as_deep_as_is_allowed() -> None:
    depth = MAX_DEPTH - 1
    dotted = ".".join("a" * depth)

    assert read(f"{dotted} = 1\n", Findings())
    assert read(f"a = {'[' * depth}{']' * depth}\n", Findings())
    assert read(f"# {'Stop. ' * 200}\na = '{'word. ' * 200}'\n", Findings())


@given(TABLES)
def test_what_was_written_is_read_again(table: dict[str, object]) -> None:
    findings = Findings()

    file = read(tomli_w.dumps(table), findings)

    assert file
    assert file.data == table
    assert told(findings) == []


@given(BITS)
def test_a_text_is_toml_or_reported(text: str) -> None:
    findings = Findings()

    file = read(text, findings)

    assert (file is None) == findings.has_errors
    assert all(each.code == "E002" for each in findings.sorted())
