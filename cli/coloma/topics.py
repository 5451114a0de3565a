"""The topics of a rulebook as lines for a terminal, and finding the one that is meant."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from coloma.session.screen import shown
from rulesdsl import Rulebook, Topic
from rulesdsl.interpreter.rulebook import unmarked
from rulesdsl.source.excerpt import visible
from rulesdsl.source.suggest import closest

WIDTH = 76

_POINT = re.compile(r"(- +|[0-9]+\. +)")
_FENCE = "```"


def topic_lines(topic: Topic) -> Iterator[str]:
    """Yield a topic without its Markdown; pictures and tables stay as they are drawn."""
    prose: list[str] = []
    in_picture = False
    for line in topic.lines:
        if line.startswith(_FENCE):
            yield from _folded(prose)
            in_picture = not in_picture
        elif in_picture:
            yield f"  {visible(line, keep='')}".rstrip()
        elif not line or line.startswith("#"):
            yield from _folded(prose)
            yield from _heading(line)
        else:
            if _POINT.match(line):
                yield from _folded(prose)
            prose.append(line)
    yield from _folded(prose)


def find_topic(book: Rulebook, word: str) -> Topic | str:
    """Return the topic that a word means, or what to say where there is none."""
    if not book.topics:
        return "This game has no rulebook; in a session `read` says what things are."
    found = book.find(word) if word else book.topics[0]
    if found is not None:
        return found
    words = {word.casefold() for each in book.topics for word in (each.name, *each.words)}
    near = closest(word.casefold(), words)[:3]
    listed = ", ".join(each.name for each in book.topics)
    advice = f"Did you mean {' or '.join(near)}?" if near else f"The topics are {listed}."
    return f"The rulebook says nothing about `{word}`. {advice}"


def contents(book: Rulebook) -> Iterator[str]:
    """Yield what there is to read."""
    widest = max((len(each.name) for each in book.topics), default=0)
    for each in book.topics:
        yield f"  {shown(each.name):<{widest}}  {shown(each.title)}"


def _heading(line: str) -> Iterable[str]:
    if not line:
        return [""]
    title = shown(line.lstrip("#"))
    return [title, ("=" if line.startswith("# ") else "-") * len(title)]


def _folded(prose: list[str]) -> list[str]:
    """Return a paragraph or a point of a list in lines, and begin the next one."""
    text = " ".join(each.strip() for each in prose)
    prose.clear()
    if not text:
        return []
    point = _POINT.match(text)
    hanging = " " * (len(point[0]) if point else 0)
    plain = unmarked(shown(text))
    return textwrap.wrap(plain, WIDTH, subsequent_indent=hanging, break_on_hyphens=False)
