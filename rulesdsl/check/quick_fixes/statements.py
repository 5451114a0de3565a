"""Fixes of statements and expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.quick_fixes.place import STEP
from rulesdsl.check.resolve.computing import DIVISOR
from rulesdsl.source.fix import Edit, Fix
from rulesdsl.source.span import Span
from rulesdsl.syntax.habits import habit_as_name
from rulesdsl.syntax.token_words import NO_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.quick_fixes.place import Place

_STATEMENT = re.compile(r"(?!let\b)[a-z][\w-]* .*[^:]")
_ARTICLE = re.compile(r"\ban? (?=[a-z])")
_AMOUNT = re.compile(r"(\S+) [a-z][\w-]*")
_BOUNDS = re.compile(r"(\d+)\.\.(\d+)")
_ALONE = re.compile(r"[Ww]rite `([a-z][\w-]*)` by itself")
_AGAIN = re.compile(r"\bany number of times\b")
_GUARDED = ("if ", "for ", "may", "repeat ", "choose ", "menu", "all ", "let ", "otherwise")


def unknown_name(place: Place) -> Iterator[Fix]:
    """Yield what to write in place of a word that means nothing."""
    message, text = place.finding.message, place.text
    if message.endswith("needs a name for how many."):
        yield place.insert("n ", safe=True)
    elif "nothing else has a back" in message and place.before.endswith(" seen by "):
        start = place.span.column - len(" seen by ")
        span = attrs.evolve(place.span, column=start)
        yield Fix("Remove it", (Edit(span, ""),), safe=True)
    elif text in NO_NAMES and place.before.endswith(f" {text} "):
        span = attrs.evolve(place.span, column=place.span.column - len(text) - 1)
        yield Fix(f"Write `{text}` once", (Edit(span, text),), safe=True)
    else:
        yield from _habit_named(place)


def _habit_named(place: Place) -> Iterator[Fix]:
    written = habit_as_name(place.line, place.span.column)
    for start, end, new in written.changes(place.line, 0) if written else ():
        old = place.line[start:end]
        if old != new:
            line = place.span.line
            span = Span(place.source.path, line, start + 1, line, end + 1)
            sure = written is not None and written.habit.sure
            yield Fix(f"Change `{old.strip()}` to `{new.strip()}`", (Edit(span, new),), sure)
            return


def asked_first(place: Place) -> Iterator[Fix]:
    """Yield the question whether a thing is there, before a statement that needs it."""
    asked = [each for each in place.quoted(of_help=True) if each.startswith("if any ")]
    named = bool(asked) and place.finding.help.startswith("Ask first")
    if named and place.in_rules and place.indent and _is_statement(place.line.strip()):
        at = place.span.line
        span = Span(place.source.path, at, place.indent + 1, at, place.indent + 1)
        yield Fix(f"Insert `{asked[0]}`", (Edit(span, f"{asked[0]} "),))


def _is_statement(line: str) -> bool:
    """Whether a line is one statement, without lines of its own."""
    return ":" not in line and not line.startswith(_GUARDED)


def players_only(place: Place) -> Iterator[Fix]:
    """Yield a loop over players, where one over seats makes rivals choose."""
    found = re.search(r"\bfor each seat\b(?=[^:]*: $)", place.before)
    if found and "rivals make no choices" in place.finding.message:
        at = place.span.line
        span = Span(place.source.path, at, found.start() + 1, at, found.end() + 1)
        yield Fix("Change `for each seat` to `for each player`", (Edit(span, "for each player"),))


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


def other_arguments(place: Place) -> Iterator[Fix]:
    """Yield a number in place of an article, where so many are wanted, or a name by itself."""
    alone = _ALONE.search(place.finding.help)
    if alone:
        yield place.replace(alone[1])
    elif "is needed" in place.finding.message or "is not done to" in place.finding.message:
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
    elif message.endswith("but one is needed.") and _is_of_seats(place):
        yield place.replace(f"my {text}")
    elif (alone := _ALONE.search(place.finding.help)) is not None:
        yield place.replace(alone[1])
    elif "is kept per" in message and _is_whose(shown, place):
        yield place.replace(shown[0])


def _is_of_seats(place: Place) -> bool:
    """Whether the finding is about the bare name of a place that everybody has."""
    info = place.world.places.get(place.text) if place.world else None
    return info is not None and info.dims in {("seat",), ("player",)}


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
