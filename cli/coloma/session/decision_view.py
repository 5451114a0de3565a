"""The screen of a decision: what happened, the board and the question, as far as it is high."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from coloma.session.cells import wrapped
from coloma.session.question import Question, question_lines

_PROMPT_LINE = 1  # where the answer is typed
_NEWS_KEPT_APART = 5  # lines of news for which there are no empty lines between the parts
_NEWS_KEPT = 3  # lines of news for which options are cut sooner than these are


def decision_lines(
    news: Sequence[str], board: Sequence[Text], question: Question, width: int, height: int
) -> list[Text]:
    """Return the news, the board and the question; the oldest news that have no room are cut."""
    told, room, parts = _layout(news, board, question, width, height)
    lines = [*_latest(told, room), *(line for part in parts for line in part)]
    return lines if lines[0] else lines[1:]


def is_cut(
    news: Sequence[str], board: Sequence[Text], question: Question, width: int, height: int
) -> bool:
    """Whether the screen of a decision has no room for all news."""
    told, room, _ = _layout(news, board, question, width, height)
    return len(told) > room


def story_lines(news: Sequence[str], width: int) -> list[Text]:
    """Return news in lines that fit."""
    return [line for each in news for line in _paragraph(each, width)]


def _layout(
    news: Sequence[str], board: Sequence[Text], question: Question, width: int, height: int
) -> tuple[list[Text], int, list[Sequence[Text]]]:
    """Return the lines of the news, how many have room, and what comes below them."""
    room = height - _PROMPT_LINE - len(board)
    told = story_lines(news, width)
    asked = question_lines(question, width, room - min(len(told), _NEWS_KEPT))
    room -= len(asked)
    parts: list[Sequence[Text]] = [each for each in (board, asked) if each]
    if room - len(parts) >= min(len(told), _NEWS_KEPT_APART):
        parts = [[Text(), *part] for part in parts]
        room -= len(parts)
    return told, room, parts


def _latest(lines: list[Text], room: int) -> list[Text]:
    """Return the last lines that have room, with a mark that says how many are missing."""
    if len(lines) <= room:
        return lines
    left = len(lines) - max(room - 1, 0)
    mark = Text(f"… {left} earlier line{'s' if left > 1 else ''}: log", style="dim")
    return [mark, *lines[left:]] if room > 0 else []


def _paragraph(text: str, width: int) -> list[Text]:
    """Return a text in lines that fit, those after the first further in."""
    margin = " " * (len(text) - len(text.lstrip(" ")))
    first, *rest = wrapped(text.lstrip(" "), width - 2 - len(margin))
    return [Text(margin + first), *(Text(f"{margin}  {line}") for line in rest)]
