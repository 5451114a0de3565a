"""Wording of all findings about syntax: messages and advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.source.diagnostics import similar
from rulesdsl.source.english import or_list
from rulesdsl.syntax.lexer import margin_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from lark import Token

    from rulesdsl.source.diagnostics import Said

WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": 'a text in "quotation marks"',
    "TEXT_BEGIN": 'a text in "quotation marks"',
    "TEXT_BETWEEN": "`}`",
    "TEXT_END": "`}`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "EQUAL": "`=`",
    "COMPARE": "a comparison (`=`, `<>`, `<`, `>`, `<=`, `>=`)",
    "SUM": "`+` or `-`",
    "PRODUCT": "`*` or `/`",
    "SLASH": "`/`",
    "__ANON_0": "`..`",
    "_NL": "the end of the line",
    "_INDENT": "lines indented below",
    "_DEDENT": "",
    "$END": "",
    "ERROR": "",
}
MAX_WORDS = 8  # in a list of expected words
MAX_DIGITS = 24  # of a number quoted in a finding
OPERATORS = {"COMPARE", "SUM", "PRODUCT", "AT_MOST", "AT_LEAST", "SLASH"}


# ---------------------------------------------------------------- lines
ODD_MARGIN: Said = (
    "The indentation of this line matches no line above it.",
    "Indent it exactly like the lines it belongs to.",
)
DEEP_MARGIN: Said = (
    "This line is indented deeper than the one it belongs to.",
    "Lines are indented only below a line that ends with a colon.",
)
TABS: Said = (
    "Lines are indented with spaces, not with tabs.",
    "Replace each tab with four spaces; the formatter does this for you.",
)
EARLY_END: Said = "The text ends too early.", ""


def early_line_end(accepted: Iterable[str]) -> Said:
    """Describe a line that ends within a construct."""
    words = expected_words(accepted)
    return "This line ends too early.", f"Expected {words}." if words else ""


NO_COLON: Said = (
    "The colon at the end of this line is missing.",
    "A line ends with `:` if the lines indented below belong to it.",
)
NOTHING_BELOW: Said = (
    "Nothing follows this colon.",
    "Indent the next line below it, or say what happens on the same line.",
)
NOTHING_AFTER_COLON: Said = (
    "Nothing follows this colon.",
    "Say what happens, on the same line or indented below it.",
)


def block_after_colon(word: str) -> Said:
    """Describe a block statement on the line of a colon."""
    return (
        f"`{word}` cannot follow a colon on the same line.",
        "Put it on a line of its own, indented below this one.",
    )


NO_OTHER_CASE: Said = (
    "This value has no case for everything else.",
    "Add one more line: `otherwise ...`.",
)


def no_declaration(word: str) -> Said:
    """Describe a first word that begins no declaration."""
    return f"No declaration begins with `{word}`.", similar(word, margin_words())


# ---------------------------------------------------------------- tokens
OPEN_TEXT: Said = (
    "This text has no closing quotation mark on its line.",
    'Close it with `"` before the line ends.',
)
OPEN_BRACKET: Said = "A bracket on this line is not closed.", "Expected `)`."


def unknown_sign(sign: str) -> Said:
    """Describe a sign that is not part of the language."""
    return (
        f"The character `{sign}` means nothing here.",
        "Names consist of lower-case letters, digits and hyphens, such as red-coin.",
    )


def habit(written: str, advice: str) -> Said:
    """Describe a habit from another language."""
    return f"`{written}` means nothing here.", advice


def unexpected(token: Token, advice: str) -> Said:
    """Describe an unexpected word."""
    return f"{describe(token)} does not fit here.", advice


LOOP_WITHOUT_LIMIT = "A loop needs a maximum: `repeat at most 3 times until ...`."


def brackets_around(asked: str) -> str:
    """Return advice about a misplaced `where`."""
    return f"Put brackets around everything it applies to: `({asked} where ...)`."


PLACE_OF_OTHERWISE = "`otherwise` comes right after the body of an `if`, indented like the `if`."


def expected_instead(accepted: Collection[str], token: Token) -> str:
    """Return the list of expected words, or another hint."""
    words = expected_words(accepted)
    if words:
        return f"Expected {words}."
    could_end = "_NL" in accepted and token.type in {"NAME", "NUMBER"}
    way = "The line could end before it; put the rest on a line of its own."
    return way if could_end else ""


def of_the_language(name: str) -> tuple[str, str]:
    """Describe the declaration of a name that is a word of the language."""
    return (
        f"`{name}` is a word of the language itself.",
        f"Choose another name, such as `{name}-1`.",
    )


# ---------------------------------------------------------------- sizes
TOO_DEEP: Said = (
    "This is nested too deeply.",
    "Give an inner part a name of its own: a verb, a value, or a `let`.",
)


def too_large(number: str, most: int) -> Said:
    """Describe a number that is too large; a long one is shortened."""
    shown = number if len(number) <= MAX_DIGITS else f"{number[:MAX_DIGITS]}..."
    return f"{shown} is too large.", f"Numbers go up to {most}."


# ---------------------------------------------------------------- tokens
def describe(token: Token) -> str:
    """Return a token as shown in messages."""
    if token.type in {"_NL", "_DEDENT", "$END"}:
        return "The end of the line"
    return f"`{token}`"


def expected_words(terminals: Iterable[str]) -> str:
    """Return the expected terminals as a short list, operators last."""
    found = sorted(set(terminals), key=lambda name: (name in OPERATORS, name))
    words: list[str] = []
    for name in found:
        word = WORDS.get(name)
        if word is None:
            word = f"`{name.lower().replace('_', ' ')}`"
        if word and word not in words:
            words.append(word)
    if len(words) > MAX_WORDS:
        return ""
    return or_list(words)
