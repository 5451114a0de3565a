"""Changes of the score, each with the thing or the part of the game that brought it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter.state import CHOICE
from rulesdsl.source.english import opening

if TYPE_CHECKING:
    from rulesdsl.interpreter.labels import Labels
    from rulesdsl.interpreter.log.reader import LogReader
    from rulesdsl.interpreter.state import Entry

_NUMBER = re.compile(r"[0-9]")


@attrs.frozen
class Gain:
    """Change by a number of points in the scoring line `title`, for a column of the scores.

    `source` groups such changes: the plural of the kind of piece or place that the act names, or
    else a part of the game, or the words of the act. `words` tell what happened, `moment` when.
    """

    title: str
    column: int
    by: int
    source: str
    words: str
    moment: str


def gains(reader: LogReader, entries: Sequence[Entry]) -> Iterator[Gain]:
    """Yield the changes of the tracks that are scoring lines, in words that everybody may read."""
    labels = reader.labels
    titles = {line.track: line.title for line in labels.layout.schema.scores if line.track}
    columns = {seat: at for at, seat in enumerate(labels.layout.scoring_seats())}
    headings, opened, moment = _Headings(labels), list[int](), -1
    for at, entry in enumerate(entries if titles else ()):
        event = None if entry[0] == CHOICE else reader.engine.events[entry[0]]
        if event is None:
            continue
        if event.kind in {"act", "part"}:
            if event.kind == "part" and not opened and _NUMBER.search(_told(reader, entries, at)):
                moment = at
            opened.append(at)
        elif event.kind == "told" and opened:
            opened.pop()
        elif event.subject in titles and event.kind == "track":
            around = [
                (reader.line(entries, act).kind, _told(reader, entries, act)) for act in opened
            ]
            source, words = headings.of(around)
            when = _told(reader, entries, moment) if moment >= 0 else ""
            for amount in reader.line(entries, at).amounts:
                column = columns[amount.seat]
                yield Gain(titles[event.subject], column, amount.by, source, words, when)


def _told(reader: LogReader, entries: Sequence[Entry], at: int) -> str:
    """Return the words of an act or a part for everybody, without the name of the one who acts."""
    clause = reader.line(entries, at).seen(0)
    return "" if clause is None else attrs.evolve(clause, who="").text


class _Headings:
    """Reader of the pieces and places that words name."""

    def __init__(self, labels: Labels) -> None:
        world = labels.world
        nouns = {name: world.nouns_in_words[name] for name in (*world.places, *world.pieces)}
        self._plurals = {
            word: opening(plural)
            for title, plural in nouns.values()
            for word in (title, opening(title))
        }
        for name, (_, plural) in nouns.items():
            entries = world.kinds[name].entries if name in world.kinds else ()
            self._plurals |= {entry.title: opening(plural) for entry in entries}
        longest_first = sorted(map(re.escape, self._plurals), key=len, reverse=True)
        self._names = re.compile(rf"(?<![\w-])({'|'.join(longest_first)})(?![\w-])")

    def of(self, around: Sequence[tuple[str, str]]) -> tuple[str, str]:
        """Return the source of a gain, and what happened, from the acts and parts around it."""
        told = [(kind, text) for kind, text in reversed(around) if text]
        words = told[0][1] if told else ""
        for kind, text in told:
            if name := self._names.search(text):
                return self._plurals[name[1]], words
            if kind == "part" and not _NUMBER.search(text):
                return text, words
        return "" if _NUMBER.search(words) else opening(words), words
