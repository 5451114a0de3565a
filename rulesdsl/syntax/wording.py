"""Wording of all findings about syntax: messages and advice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.diagnostics import Wording
from rulesdsl.source.english import or_list
from rulesdsl.source.language import NEWEST

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from lark import Token

WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": 'text in "quotation marks"',
    "TEXT_BEGIN": 'text in "quotation marks"',
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
    "OFFERED_AS": "`as`",
    "_INDENT": "lines indented below",
    "_DEDENT": "",
    "$END": "",
    "ERROR": "",
}
MAX_WORDS = 8  # in a list of expected words
OPERATORS = {"COMPARE", "SUM", "PRODUCT", "AT_MOST", "AT_LEAST", "SLASH"}

E101 = partial(Wording, "E101")
E102 = partial(Wording, "E102")
E103 = partial(Wording, "E103")
E104 = partial(Wording, "E104")
E407 = partial(Wording, "E407")

# ---------------------------------------------------------------- lines
ODD_MARGIN = E103(
    "The indentation of this line matches no line above it.",
    "Indent it exactly like the lines it belongs to.",
)
DEEP_MARGIN = E103(
    "This line is indented deeper than the one it belongs to.",
    "Lines are indented only below a line that ends with a colon.",
)
TABS = E103(
    "Lines are indented with spaces, not with tabs.",
    "Replace each tab with four spaces; the formatter does this for you.",
)
EARLY_END = E101("The text ends too early.")
EARLY_LINE_END = E101("This line ends too early.")
NO_COLON = E101(
    "The colon at the end of this line is missing.",
    "A line ends with `:` if the lines indented below belong to it.",
)
NOTHING_BELOW = E104(
    "Nothing follows this colon.",
    "Indent the next line below it, or say what happens on the same line.",
)
NOTHING_AFTER_COLON = E104(
    "Nothing follows this colon.",
    "Say what happens, on the same line or indented below it.",
)
BLOCK_AFTER_COLON = E101(
    "`{word}` cannot follow a colon on the same line.",
    "Put it on a line of its own, indented below this one.",
)
NO_OTHER_CASE = E101(
    "This value has no case for everything else.", "Add one more line: `otherwise ...`."
)
NO_DECLARATION = E101("No declaration begins with `{word}`.")

# ---------------------------------------------------------------- tokens
OPEN_TEXT = Wording(
    "E105",
    "This text has no closing quotation mark on its line.",
    'Close it with `"` before the line ends.',
)
OPEN_BRACKET = E101("A bracket on this line is not closed.", "Expected `)`.")
UNKNOWN_SIGN = E102(
    "The character `{sign}` means nothing here.",
    "Names consist of lower-case letters, digits and hyphens, such as red-coin.",
)
SIGN_OF_HABIT = E102("`{written}` means nothing here.")
WORD_OF_HABIT = attrs.evolve(SIGN_OF_HABIT, code="E101")
UNEXPECTED = E101("{token} does not fit here.")
LOOP_WITHOUT_LIMIT = "A loop needs a maximum: `repeat at most 3 times until ...`."
BRACKETS_AROUND = "Put brackets around everything it applies to: `({asked} where ...)`."
ALL_IN_TEXT = "Write `all {things} where ...`."
OUT_OF_ORDER = "Write `{sooner}` before `{later}`."
NO_TEXT_HERE = "There is no text in this place: leave it out."
PLACE_OF_OTHERWISE = "`otherwise` comes right after the body of an `if`, indented like the `if`."
WORD_OF_THE_LANGUAGE = Wording(
    "E413",
    "`{name}` is a word of the language itself.",
    "Choose another name, such as `{name}-1`.",
)
NEWER_LANGUAGE = (
    f"This is written in language {NEWEST}, and the pack in an older one. "
    "`coloma fmt --upgrade` rewrites the pack and says so in its pack.toml."
)

# ---------------------------------------------------------------- sizes
TOO_DEEP = E407(
    "This is nested too deeply.",
    "Give an inner part a name of its own: a verb, a value, or a `let`.",
)
TOO_LARGE = E407("{number} is too large.", "Numbers go up to {most}.")


def expected(accepted: Collection[str], token: Token | None = None) -> str:
    """Return a list of the expected words, or else advice to end the line before a token."""
    words = expected_words(accepted)
    if words:
        return f"Expected {words}."
    could_end = token is not None and "_NL" in accepted and token.type in {"NAME", "NUMBER"}
    way = "The line is complete before this; put the rest on a new line."
    return way if could_end else ""


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
