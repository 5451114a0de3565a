"""The rulebook in a session: a topic, a screen at a time."""

from __future__ import annotations

from itertools import islice

from coloma.session.answers import Answers
from coloma.session.screen import Ink, Screen
from coloma.topics import contents, find_topic, topic_lines
from rulesdsl import Rulebook

_LINES = 22  # of a screen of 24, with one for the question and one to spare


def open_book(book: Rulebook, topic: str, screen: Screen, answers: Answers) -> bool:
    """Show a topic, or what could have been meant; true if the question has scrolled away."""
    found = find_topic(book, topic)
    if isinstance(found, str):
        screen.line(answers.refuse(found), Ink.WRONG)
        return False
    lines = list(topic_lines(found))
    if not topic:
        lines += ["", "Topics, for `rules TOPIC`:", *contents(book)]
    left = iter(lines)
    while leaf := list(islice(left, _LINES)):
        for line in leaf:
            screen.line(line)
        if answers.is_terminal and len(leaf) == _LINES and not _goes_on(screen, answers):
            break
    return True


def _goes_on(screen: Screen, answers: Answers) -> bool:
    screen.part("Enter: go on; q: back to the game. ")
    return not answers.next_line().strip()
