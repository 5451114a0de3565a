"""Long texts in a session, a screen at a time: the rulebook, the log."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from coloma.session.answers import Answers
from coloma.session.cells import wrapped
from coloma.session.screen import Ink, Screen
from coloma.topics import contents, find_topic, topic_lines
from rulesdsl import Rulebook

_LINES = 22  # of a screen of 24, with one for the question and one to spare
_BACK = "q"
_NEAR = 9  # house: lines of a screen that may stay empty so that a part is in one piece


def leaf(lines: Iterable[str], screen: Screen, answers: Answers) -> str:
    """Show lines, a screen at a time where somebody sits at a keyboard.

    Returns what was typed instead of Enter to go on, empty where nothing was: it is meant for the
    question that is open.
    """
    left = iter(lines)
    shown = list(islice(left, _LINES))
    while shown:
        shown, more = _at_a_gap(shown)
        for line in shown:
            screen.line(line)
        more += islice(left, _LINES - len(more))
        if more and answers.is_terminal and screen.is_terminal:
            screen.part("Enter: go on; q: stop reading; anything else answers the question. ")
            typed = answers.next_line().strip()
            if typed:
                return "" if typed == _BACK else typed
        shown = more
    return ""


def _at_a_gap(lines: list[str]) -> tuple[list[str], list[str]]:
    """Break a full screen at its last empty line, where that is near its end."""
    gaps = [at for at, line in enumerate(lines) if not line and at >= _LINES - _NEAR]
    if len(lines) < _LINES or not gaps:
        return lines, []
    return lines[: gaps[-1]], lines[gaps[-1] + 1 :]


def book_lines(book: Rulebook, topic: str, screen: Screen, answers: Answers) -> list[str]:
    """Return the lines of a topic; none where there is no such, and that is said."""
    found = find_topic(book, topic)
    if isinstance(found, str):
        refused = answers.refuse(found)
        for line in [refused] if screen.plain else wrapped(refused, screen.width):
            screen.line(line, Ink.WRONG)
        return []
    lines = list(topic_lines(found))
    if not topic:
        lines += ["", "Topics, for `rules TOPIC`:", *contents(book)]
    return lines
