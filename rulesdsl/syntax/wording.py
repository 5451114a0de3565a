"""The wording of all findings about texts that cannot be read: what is wrong, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.source.english import or_list
from rulesdsl.source.suggest import similar
from rulesdsl.syntax.layout import MARGIN_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from lark import Token

    from rulesdsl.source.diagnostic import Said

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
MAX_WORDS = 8  # of what is listed as expected
MAX_DIGITS = 24  # of a number that a finding repeats
OPERATORS = {"COMPARE", "SUM", "PRODUCT", "AT_MOST", "AT_LEAST", "SLASH"}


# ---------------------------------------------------------------- lines
def odd_margin() -> Said:
    """Describe a line that is as far in as none of those above it."""
    return (
        "This line is indented like none of the lines above it.",
        "Indent it exactly as far as the lines it belongs to.",
    )


def deep_margin() -> Said:
    """Describe a line that is further in than it may be."""
    return (
        "This line is indented deeper than the one it belongs to.",
        "Lines are indented only below a line that ends with a colon.",
    )


def tabs() -> Said:
    """Describe tabs before lines."""
    return (
        "Lines are indented with spaces, not with tabs.",
        "Put four spaces in place of each tab; the formatter does it for you.",
    )


def early_end() -> Said:
    """Describe a text that stops within something."""
    return "The text ends too early.", ""


def early_line_end(accepted: Iterable[str]) -> Said:
    """Describe a line that stops within something."""
    words = expected_words(accepted)
    return "This line ends too early.", f"Expected {words}." if words else ""


def no_colon() -> Said:
    """Describe a line with lines indented below it, and no colon."""
    return (
        "The colon at the end of this line is missing.",
        "A line ends with `:` if the lines indented below belong to it.",
    )


def nothing_below() -> Said:
    """Describe a colon after which the next line is not indented."""
    return (
        "Nothing follows this colon.",
        "Indent the next line below it, or say what happens on the same line.",
    )


def nothing_after_colon() -> Said:
    """Describe a colon at the end of what is said."""
    return (
        "Nothing follows this colon.",
        "Say what happens, on the same line or indented below it.",
    )


def block_after_colon(word: str) -> Said:
    """Describe a statement with lines of its own after a colon."""
    return (
        f"`{word}` cannot follow a colon on the same line.",
        "Put it on a line of its own, indented below this one.",
    )


def no_other_case() -> Said:
    """Describe a value without its last case."""
    return (
        "This value does not say what it is in all other cases.",
        "Add one more line: `otherwise ...`.",
    )


def no_declaration(word: str) -> Said:
    """Describe a first word that begins no declaration."""
    return f"No declaration begins with `{word}`.", similar(word, MARGIN_WORDS)


# ---------------------------------------------------------------- words and signs
def open_text() -> Said:
    """Describe a text without its second quotation mark."""
    return (
        "This text has no closing quotation mark on its line.",
        'Close it with `"` before the line ends.',
    )


def open_bracket() -> Said:
    """Describe a bracket without the one that closes it."""
    return "A bracket of this line is not closed.", "Expected `)`."


def unknown_sign(sign: str) -> Said:
    """Describe a sign that the language lacks."""
    return (
        f"The sign `{sign}` means nothing here.",
        "Names are words of small letters, digits and hyphens, such as red-coin.",
    )


def habit(written: str, advice: str) -> Said:
    """Describe what is written so in other languages."""
    return f"`{written}` means nothing here.", advice


def unexpected(token: Token, advice: str) -> Said:
    """Describe a word that does not fit where it is."""
    return f"{describe(token)} does not fit here.", advice


def loop_without_limit() -> str:
    """Return what to do about `repeat at least`."""
    return "A loop needs a maximum: `repeat at most 3 times until ...`."


def brackets_around(asked: str) -> str:
    """Return what to do about a `where` that does not fit."""
    return f"Put brackets around everything it applies to: `({asked} where ...)`."


def place_of_otherwise() -> str:
    """Return what to do about an `otherwise` that does not fit."""
    return "`otherwise` comes right after an `if` and its lines, as far in as it."


def expected_instead(accepted: Collection[str], token: Token) -> str:
    """Return what to write where a word does not fit."""
    words = expected_words(accepted)
    if words:
        return f"Expected {words}."
    could_end = "_NL" in accepted and token.type in {"NAME", "NUMBER"}
    way = "The line could end before it: what else there is to say is a line of its own."
    return way if could_end else ""


def of_the_language(name: str) -> tuple[str, str]:
    """Return what to say of such a word where it is declared, and what to do."""
    return (
        f"`{name}` is a word of the language itself.",
        f"Choose another name, such as `{name}-1`.",
    )


# ---------------------------------------------------------------- sizes
def too_deep() -> Said:
    """Describe parts within parts within parts."""
    return (
        "This is nested too deeply.",
        "Give an inner part a name of its own: a verb, a value, or a `let`.",
    )


def too_large(number: str, most: int) -> Said:
    """Describe a number that is too large; a long one is cut."""
    shown = number if len(number) <= MAX_DIGITS else f"{number[:MAX_DIGITS]}..."
    return f"{shown} is too large.", f"Numbers go up to {most}."


# ---------------------------------------------------------------- tokens
def describe(token: Token) -> str:
    """Return a token as a reader sees it."""
    if token.type in {"_NL", "_DEDENT", "$END"}:
        return "The end of the line"
    return f"`{token}`"


def expected_words(terminals: Iterable[str]) -> str:
    """Return what may be there as a short list, plain things first."""
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
