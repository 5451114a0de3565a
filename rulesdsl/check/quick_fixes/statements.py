"""Fixes of statements and expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.check.quick_fixes.place import STEP
from rulesdsl.check.resolve.computing import DIVISOR
from rulesdsl.source.fix import Edit, Fix
from rulesdsl.source.span import Span
from rulesdsl.syntax.habits import habit_as_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.quick_fixes.place import Place

_STATEMENT = re.compile(r"(?!let\b)[a-z][\w-]* .*[^:]")
_ARTICLE = re.compile(r"\ban? (?=[a-z])")
_AMOUNT = re.compile(r"(\S+) [a-z][\w-]*")
_BOUNDS = re.compile(r"(\d+)\.\.(\d+)")
_AGAIN = re.compile(r"\bany number of times\b")
_GUARDED = ("if ", "for ", "may", "repeat ", "choose ", "menu", "all ", "let ", "otherwise")


def habit_named(place: Place) -> Iterator[Fix]:
    """Yield what to write in place of a word of another language."""
    written = habit_as_name(place.line, place.span.column)
    for start, end, new in written.changes(place.line, 0) if written else ():
        old = place.line[start:end]
        if old != new:
            line = place.span.line
            span = Span(place.source.path, line, start + 1, line, end + 1)
            sure = written is not None and written.habit.sure
            yield Fix(f"Change `{old.strip()}` to `{new.strip()}`", (Edit(span, new),), sure)
            return


def if_able(place: Place) -> Iterator[Fix]:
    """Yield `if able:` before a statement that may be impossible."""
    yield from _guarded(place, "if able: ")


def for_each_player(place: Place) -> Iterator[Fix]:
    """Yield a loop around a statement of a step, in which nobody acts."""
    if place.text.startswith(_GUARDED) or not _STATEMENT.fullmatch(place.text):
        return
    if place.before.rstrip().endswith(":") or not place.before.strip():
        yield place.insert("for each player: ")


def _guarded(place: Place, guard: str) -> Iterator[Fix]:
    text, before = place.text, place.before
    if not text or not _STATEMENT.fullmatch(text) or text.startswith(_GUARDED):
        return
    if not before.strip() or (not place.in_rules and before.rstrip().endswith(("'", '"'))):
        yield place.insert(guard)
    elif place.in_rules and before.rstrip().endswith(":"):
        start = len(before.rstrip()) + 1
        at = place.span.line
        gap = Span(place.source.path, at, start, at, place.span.column)
        margin = " " * (place.indent + STEP)
        yield Fix(f"Insert `{guard.strip()}`", (Edit(gap, f"\n{margin}{guard}"),))


def as_number(place: Place) -> Iterator[Fix]:
    """Yield a number in place of an article, where so many are wanted and not one of them."""
    if "is needed" in place.finding.message or "is not done to" in place.finding.message:
        new = _ARTICLE.sub("1 ", place.text, count=1)
        if new != place.text:
            yield place.replace(new)


def written_otherwise(place: Place) -> Iterator[Fix]:
    """Yield what to write where a value is of the wrong kind, as far as that is known."""
    message, text = place.finding.message, place.text
    shown = place.quoted(of_help=True)
    amount, bounds = _AMOUNT.fullmatch(text), _BOUNDS.fullmatch(text)
    if "`in` applies to all of" in message and shown:
        yield place.replace(shown[0], safe=True)
    elif "a plain number is needed" in message and amount:
        yield place.replace(amount[1])
    elif "a yes or no is needed" in message and re.match(r"[a-z][\w-]* in ", text):
        yield place.insert("any ")
    elif message == DIVISOR and text:
        yield place.replace(f"({text} at least 1)")
    elif message.startswith("The bounds of a track") and bounds:
        low, high = sorted(bounds.groups(), key=int)
        yield place.replace(f"{low}..{high}", safe=True)
    elif "is kept per" in message and _is_whose(shown, place):
        yield place.replace(shown[0])


def _is_whose(shown: list[str], place: Place) -> bool:
    """Whether the help shows whose a track is, and it is not asked for as a place."""
    said_whose = bool(shown) and shown[0].split()[1:] == [place.text]
    return said_whose and not place.before.endswith(" in ")


def as_the_help_says(place: Place) -> Iterator[Fix]:
    """Yield the first thing that the help shows, in place of the name that the message does."""
    said, shown = place.quoted(), place.quoted(of_help=True)
    if said and shown and place.text == said[0] and "..." not in shown[0]:
        yield place.replace(shown[0])


def so_many_times(place: Place) -> Iterator[Fix]:
    """Yield a bound for what may go on forever."""
    first = place.text.split("\n", maxsplit=1)[0]
    found = _AGAIN.search(first)
    if found:
        column, line = place.span.column + found.start(), place.span.line
        span = Span(place.source.path, line, column, line, column + len(found[0]))
        yield Fix("Change it to `up to 3 times`", (Edit(span, "up to 3 times"),))
    elif first.startswith("any time"):
        line, column = place.span.line, place.span.column
        span = Span(place.source.path, line, column, line, column + len("any time"))
        yield Fix("Change `any time` to `once`", (Edit(span, "once"),))


def named_in_text(place: Place) -> Iterator[Fix]:
    """Yield a text that names what it is about."""
    value = re.search(
        r"put (\{\S+\}) into the text|Name what differs: (\{it\})", place.finding.help
    )
    if value and place.text.endswith('"'):
        yield place.replace(f'{place.text[:-1]} {value[1] or value[2]}"')


def removed_effect(place: Place) -> Iterator[Fix]:
    """Yield what is left without a statement that does nothing."""
    if not place.before.strip() and place.in_rules:
        fix = place.remove_lines(place.span.line, place.last_line(), "Remove it")
        if fix is not None:
            yield fix
