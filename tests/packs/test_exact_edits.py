from __future__ import annotations

import tomllib

import pytest

from rulesdsl.packs.toml_document import exact_fixes
from rulesdsl.source.diagnostics import Edit, Fix, diagnose, edited, similar
from rulesdsl.source.span import SourceFile, Span

SAID = 'may "Go": gain 1 coin\ndo \\x'


def fixed(text: str, span: Span, edit: Edit) -> str | None:
    """Return a text after an edit, None where it cannot be made there."""
    finding = diagnose("E101", span, "No.", fixes=[Fix("Do it", (edit,))])
    (found,) = exact_fixes([finding], {span.file: SourceFile(span.file, text)})
    return edited(text, found.fixes[0].edits) if found.fixes else None


@pytest.mark.parametrize(
    "text", ['effect = "gain x"', 'effect = """gain x"""', 'effect = ["a", "gain x"]']
)
def test_what_a_string_is_to_say_is_escaped(text: str) -> None:
    column = text.index("gain") + 1
    span = Span("a.toml", 1, column, 1, column + len("gain"))

    found = fixed(text, span, Edit(span, SAID))

    assert found is not None
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
def test_a_literal_string_takes_only_what_it_can_say(
    text: str, said: str, found: str | None
) -> None:
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
