"""Long texts in a session, a screen at a time: the rulebook, the log."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from coloma.session.answers import Answers
from coloma.session.screen import Ink, Screen
from coloma.topics import contents, find_topic, topic_lines
from rulesdsl import Rulebook

_LINES = 22  # of a screen of 24, with one for the question and one to spare
_BACK = "q"


def leaf(lines: Iterable[str], screen: Screen, answers: Answers) -> str:
    """Show lines, a screen at a time where somebody sits at a keyboard.

    Returns what was typed instead of Enter to go on, empty where nothing was: it is meant for the
    question that is open.
    """
    left = iter(lines)
    shown = list(islice(left, _LINES))
    while shown:
        for line in shown:
            screen.line(line)
        more = list(islice(left, _LINES))
        if more and answers.is_terminal and screen.is_terminal:
            screen.part("Enter: go on; q: stop reading. ")
            typed = answers.next_line().strip()
            if typed:
                return "" if typed == _BACK else typed
        shown = more
    return ""


def book_lines(book: Rulebook, topic: str, screen: Screen, answers: Answers) -> list[str]:
    """Return the lines of a topic; none where there is no such, and that is said."""
    found = find_topic(book, topic)
    if isinstance(found, str):
        screen.line(answers.refuse(found), Ink.WRONG)
        return []
    lines = list(topic_lines(found))
    if not topic:
        lines += ["", "Topics, for `rules TOPIC`:", *contents(book)]
    return lines
