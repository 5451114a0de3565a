import tomllib

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from packs.on_disk import told
from rulesdsl.packs.toml_document import (
    MAX_DEPTH,
    KeyPath,
    TomlFile,
    TomlIndex,
    exact_fixes,
    parse_toml,
)
from rulesdsl.source.diagnostics import Edit, Findings, Fix, edited, similar
from rulesdsl.source.span import SourceFile, Span
from some import reported, some

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
    file = some(read('[card.joker]\ntags = ["a", "b"]\n', Findings()))
    assert file.at(("card", "joker", "tags", 1)) == "b"
    assert file.at(("card", "joker", "tags", 2)) is None
    assert file.at(("card", "queen", "tags")) is None
    assert file.at(("card", 0)) is None
    assert file.at(()) == file.data


@pytest.mark.parametrize(
    ("text", "place", "message", "advice"),
    [
        ("é = 1", "1:1", "invalid statement", ""),
        ("a = 1\r\nb = 1 1\r\n", "2:7", "expected newline", ""),
        ("a = 1\nb = joker\n", "2:5", "invalid value", "quotation marks"),
        ("a = 1\nb 2\n", "2:3", "expected '='", "name = value"),
        ('a = 1\na = "x"\n', "2:8", "cannot overwrite", "already has a value"),
        ('a = "x\nb = 1\n', "1:7", "the line ends inside quotation marks", "closes the text"),
        ("a = [1\nb = 2\n", "2:1", "unclosed array", "closes the list"),
        ("a = [1,\n\n", "1:8", "invalid value", "ends too early"),
        ("[a]\n[a]\n", "2:3", "`a` occurs twice", "Give one of them another name, or merge them."),
    ],
)
def test_invalid_toml_is_located(text: str, place: str, message: str, advice: str) -> None:
    findings = Findings()
    assert read(text, findings) is None
    assert told(findings) == [f"E002 box/deck.toml:{place}"]
    (found,) = findings.sorted()
    assert found.message.startswith(f"This is not valid TOML: {message}".rstrip("."))
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


@given(BITS)
def test_a_text_is_toml_or_reported(text: str) -> None:
    findings = Findings()
    file = read(text, findings)
    assert (file is None) == findings.has_errors
    assert all(each.code == "E002" for each in findings.sorted())


def cut(text: str, span: Span) -> str:
    """Return the text of a span, with LF line endings."""
    lines = SourceFile("", text).lines[span.line - 1 : span.end_line]
    last = lines[-1][: span.end_column - 1]
    whole = "\n".join([*lines[:-1], last])
    return whole[span.column - 1 :]


def leaves(value: object, path: KeyPath = ()) -> list[tuple[KeyPath, object]]:
    """Return every value that is neither a table nor an array, with its path."""
    if isinstance(value, dict):
        return [leaf for key, below in value.items() for leaf in leaves(below, (*path, key))]
    if isinstance(value, list):
        return [leaf for n, below in enumerate(value) for leaf in leaves(below, (*path, n))]
    return [(path, value)]


def located(text: str) -> TomlIndex:
    tomllib.loads(text)
    return TomlIndex(SourceFile("deck.toml", text))


DECK = """\
# a deck
title = "Deck" # its title
owner.name = 'Ann'
[card.joker]
worth = [1, 0x10,
  3, # three
]
cost = { coins = 2, "spare tokens" = -1 }
[card]
back = 1979-05-27 07:32:00
[[hand]]
size = 5
[hand.limit]
most = 7
[[hand]]
size = 6
cards = ["a", 'b', {name="c"}]
"""


@pytest.mark.parametrize(
    ("path", "written"),
    [
        (("title",), '"Deck"'),
        (("owner", "name"), "'Ann'"),
        (("card", "joker", "worth"), "[1, 0x10,\n  3, # three\n]"),
        (("card", "joker", "worth", 2), "3"),
        (("card", "joker", "cost", "spare tokens"), "-1"),
        (("card", "joker"), "[card.joker]"),
        (("card",), "[card]"),
        (("card", "back"), "1979-05-27 07:32:00"),
        (("hand", 0), "[[hand]]"),
        (("hand", 0, "limit", "most"), "7"),
        (("hand", 1, "size"), "6"),
        (("hand", 1, "cards", 2, "name"), '"c"'),
    ],
)
def test_a_value_stands_where_it_is_written(path: KeyPath, written: str) -> None:
    span = located(DECK).span(path)
    assert cut(DECK, span) == written


@pytest.mark.parametrize(
    ("path", "written", "line"),
    [
        (("owner",), "owner", 3),
        (("owner", "name"), "name", 3),
        (("card", "joker", "cost", "spare tokens"), '"spare tokens"', 8),
        (("card",), "card", 9),
        (("hand",), "hand", 11),
        (("hand", 1), "hand", 15),
        (("hand", 1, "cards", 1), "'b'", 17),
    ],
)
def test_a_key_stands_where_it_is_written(path: KeyPath, written: str, line: int) -> None:
    span = located(DECK).key_span(path)
    assert (cut(DECK, span), span.line) == (written, line)


@pytest.mark.parametrize(
    ("path", "span"),
    [
        (("card", "joker", "weight"), Span("deck.toml", 4, 1, 4, 13)),
        (("card", "joker", "cost", "gems", "red"), Span("deck.toml", 8, 8, 8, 42)),
        (("hand", 1, "limit", "most"), Span("deck.toml", 15, 1, 15, 9)),
        (("table",), Span("deck.toml", 1, 1, 1, 1)),
        ((), Span("deck.toml", 1, 1, 1, 1)),
    ],
)
def test_what_is_not_there_stands_at_its_table(path: KeyPath, span: Span) -> None:
    places = located(DECK)
    assert places.span(path) == span
    assert places.key_span(path) == span


def test_an_empty_text_has_its_beginning() -> None:
    assert located("").span(("a",)) == Span("deck.toml", 1, 1, 1, 1)


def test_a_header_names_a_table_better_than_a_table_below_it() -> None:
    text = "[a.b]\n[a]\n[a.c]\n"
    assert located(text).key_span(("a",)).line == 2


STRINGS = [
    ('"ab"', "ab", [1, 2, 3]),
    ('""', "", [1]),
    ("'a\\n'", "a\\n", [1, 2, 3, 4]),
    (r'"a\n\u00e9\"z"', 'a\né"z', [1, 2, 4, 10, 12, 13]),
    (r'"\U0001F600"', "\U0001f600", [1, 11]),
    ('"""a\\\n   \r\n  b"""', "ab", [3, 13, 14]),
    ('"""\na"b"""""', 'a"b""', [4, 5, 6, 7, 8, 9]),
    ('"""\r\na\r\nb"""', "a\nb", [5, 6, 8, 9]),
    ("'''\n\\a''''", "\\a'", [4, 5, 6, 7]),
    ('""""""', "", [3]),
    ('"""\\\\\n"""', "\\\n", [3, 5, 6]),
]


@pytest.mark.parametrize(("written", "value", "offsets"), STRINGS)
def test_characters_of_a_string(written: str, value: str, offsets: list[int]) -> None:
    text = f"k = [ {written} ]"
    start = len("k = [ ")
    assert tomllib.loads(text)["k"] == [value]
    found = located(text).string_map(("k", 0))
    assert [offset_of(text, *place) - start for place in found] == offsets


def offset_of(text: str, line: int, column: int) -> int:
    lines = text.split("\n")
    return sum(len(each) + 1 for each in lines[: line - 1]) + column - 1


PLAIN = [(each, each) for each in ["a", " ", "\t", "é", "\U0001f600", "#", "]"]]
ESCAPES = [("\\n", "\n"), ('\\"', '"'), ("\\\\", "\\"), ("\\u00e9", "é"), ("\\U0001F600", "😀")]
LINES = [("\n", "\n"), ("\r\n", "\n")]
CONTINUED = [("\\\n  ", ""), ("\\ \r\n\n", "")]
KINDS = {
    '"': PLAIN + ESCAPES + [("'", "'")],
    "'": [*PLAIN, ("\\", "\\"), ('"', '"')],
    '"""': PLAIN + ESCAPES + LINES + CONTINUED,
    "'''": [*PLAIN, *LINES, ("\\", "\\")],
}


@given(st.data())
def test_strings_of_all_four_kinds_map_back(data: st.DataObject) -> None:
    fence = data.draw(st.sampled_from(sorted(KINDS)))
    pieces = data.draw(st.lists(st.sampled_from(KINDS[fence])))
    before = f"[t]\nk = {fence}"
    if len(fence) > 1:
        before += data.draw(st.sampled_from(["\n", "\r\n"]))
    written = "".join(piece for piece, _ in pieces)
    text = f"{before}{written}{fence}\n"
    value = tomllib.loads(text)["t"]["k"]
    found = [offset_of(text, *place) for place in located(text).string_map(("t", "k"))]

    assert found[-1] == len(before) + len(written)
    assert len(found) == len(value) + 1
    meanings = (ESCAPES if fence[0] == '"' else []) + LINES
    assert [decode(text, at, meanings) for at in found[:-1]] == list(value)


def decode(text: str, at: int, meanings: list[tuple[str, str]]) -> str:
    """Return the character that is written at an offset."""
    for written, value in meanings:
        if text.startswith(written, at):
            return value
    return text[at]


SCALARS = (
    st.text(max_size=12)
    | st.integers(-(2**63), 2**63 - 1)
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.datetimes()
    | st.dates()
    | st.times()
)
KEYS = st.text(max_size=4)
TOML_TABLES = st.dictionaries(
    KEYS,
    st.recursive(
        SCALARS,
        lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYS, below, max_size=3),
        max_leaves=12,
    ),
    max_size=5,
)


@given(TOML_TABLES, st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_values_are_located(table: dict[str, object], multiline: bool, newline: str) -> None:
    text = tomli_w.dumps(table, multiline_strings=multiline).replace("\n", newline)
    assert some(read(text, Findings())).data == tomllib.loads(text)
    places = TomlIndex(SourceFile("any.toml", text))

    for path, value in leaves(tomllib.loads(text)):
        there = cut(text, places.span(path))
        assert tomllib.loads(f"k = {there}")["k"] == value
        if isinstance(path[-1], str):
            key = cut(text, places.key_span(path))
            assert tomllib.loads(f"{key} = 0") == {path[-1]: 0}
        if isinstance(value, str):
            assert len(places.string_map(path)) == len(value) + 1


SAID = 'may "Go": gain 1 coin\ndo \\x'


def fixed(text: str, span: Span, edit: Edit) -> str | None:
    """Return text after an edit, or None if the edit is not possible."""
    finding = reported("E101", span, "No.", fixes=[Fix("Do it", (edit,))])
    (found,) = exact_fixes([finding], {span.file: SourceFile(span.file, text)})
    return edited(text, found.fixes[0].edits) if found.fixes else None


@pytest.mark.parametrize(
    "text", ['effect = "gain x"', 'effect = """gain x"""', 'effect = ["a", "gain x"]']
)
def test_what_a_string_is_to_say_is_escaped(text: str) -> None:
    column = text.index("gain") + 1
    span = Span("a.toml", 1, column, 1, column + len("gain"))
    found = some(fixed(text, span, Edit(span, SAID)))
    effect = tomllib.loads(found)["effect"]
    assert (effect if isinstance(effect, str) else effect[-1]) == f"{SAID} x"


@pytest.mark.parametrize(
    ("text", "said", "found"),
    [
        ("effect = 'gain'", 'do "x" \\', "effect = 'do \"x\" \\'"),
        ("effect = 'gain'", "it's", None),
        ("effect = 'gain'", "a\nb", None),
        ("effect = '''gain'''", "a\nb", "effect = '''a\nb'''"),
        ("effect = '''gain'''", "it's", None),
    ],
)
def test_edits_of_literal_strings(text: str, said: str, found: str | None) -> None:
    column = text.index("gain") + 1
    span = Span("a.toml", 1, column, 1, column + len("gain"))
    assert fixed(text, span, Edit(span, said)) == found


def test_what_is_outside_of_strings_is_written_as_it_is() -> None:
    span = Span("a.toml", 1, 1, 1, 1)
    assert fixed('b = "c"\n', span, Edit(span, 'a = "b"\n')) == 'a = "b"\nb = "c"\n'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('type = "crad"', 'type = "card"'),
        ("type = 'crad'", "type = 'card'"),
        ('type = "cr\\u0061d"', None),  # it is not written in letters
        ('type = "crad-2"', None),
        ('type = "crad crad"', None),
    ],
)
def test_a_word_is_changed_where_it_is_written_once(text: str, found: str | None) -> None:
    span = Span("a.toml", 1, 8, 1, len(text) + 1)
    (fix,) = similar("crad", ["card"]).fixes(span)
    assert fixed(text, span, fix.edits[0]) == found
