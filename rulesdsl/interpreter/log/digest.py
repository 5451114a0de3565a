"""The story in brief: one line for each turn, and one for what several players do in a row.

Nothing is left out: sentences are joined, without the name that they share, and like ones are
counted. So a game without people is short enough to read.

A line never goes on across an answer of its viewer, and what the viewer does begins a new one.
Where a session stops to ask, it has therefore printed whole lines, which the log repeats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

import attrs

from rulesdsl.interpreter.labels import Labels
from rulesdsl.interpreter.log.lines import Amount
from rulesdsl.interpreter.log.story import StoryLine
from rulesdsl.interpreter.state import CHOICE, Entry
from rulesdsl.source.english import and_list, sentence

_EVERYBODY = "Everybody"
_FEWEST = 3  # house: players of whom one says "everybody"
_MOST_SENTENCES = 4  # house: of the game itself, in one line


@attrs.define
class _Run:
    """Lines about one player without another one's in between, or a line about the game."""

    lines: list[StoryLine]

    @property
    def actor(self) -> int:
        return self.lines[0].actor

    @property
    def is_short(self) -> bool:
        """True for a single sentence, or for effects of what somebody else does."""
        return len(self.lines) == 1 or all(line.nature == "effect" for line in self.lines)


@attrs.define
class _Paragraph:
    """Runs that make one line, after a heading, if there is one."""

    heading: StoryLine | None = None
    runs: list[_Run] = attrs.Factory(list)

    def takes(self, run: _Run, viewer: int | None) -> bool:
        """Return true if a run, which follows directly, belongs to the same line."""
        last = self.runs[-1].lines[-1] if self.runs else self.heading
        if last is None or last.depth != run.lines[0].depth or not run.is_short:
            return False
        if not self.runs:
            return True
        actors = [earlier.actor for earlier in self.runs]
        if run.actor == 0:
            is_news = actors.count(0) < _MOST_SENTENCES
        else:
            is_news = run.actor not in {*actors, viewer}
        return is_news and all(earlier.is_short for earlier in self.runs)


def own_answers(entries: Sequence[Entry], start: int, viewer: int | None) -> list[int]:
    """Return the entries from `start` on with which answers of a viewer begin.

    Secret answers of all players are logged together; the first of them counts.
    """
    starts: list[int] = []
    for at in range(start, len(entries)):
        if viewer and entries[at][0] == CHOICE and entries[at][2] == viewer - 1:
            first = at
            while first > start and entries[first - 1][0] == CHOICE:
                first -= 1
            starts.append(first - start)
    return starts


def digest(
    lines: Sequence[StoryLine], labels: Labels, viewer: int | None, answers: Sequence[int]
) -> tuple[StoryLine, ...]:
    """Return a story of a viewer in brief; `answers` are those of the viewer (`own_answers`)."""
    writer = _Writer(labels)
    return tuple(map(writer.line, _paragraphs(_runs(lines, answers), viewer)))


def _runs(lines: Sequence[StoryLine], answers: Sequence[int]) -> Iterator[StoryLine | _Run | None]:
    """Yield headings and runs in order, and None where a new line has to begin."""
    run: _Run | None = None
    for before, line in pairwise([None, *lines]):
        assert line is not None
        is_apart = before is not None and any(before.last < at <= line.first for at in answers)
        if run and not is_apart and _goes_on(run.lines[-1], line):
            run.lines.append(line)
            continue
        if run:
            yield run
        if is_apart:
            yield None
        run = None if line.level == "part" else _Run([line])
        if run is None:
            yield line
    if run:
        yield run


def _goes_on(line: StoryLine, after: StoryLine) -> bool:
    alike = (line.level, line.depth, line.actor) == (after.level, after.depth, after.actor)
    return alike and bool(line.actor)


def _paragraphs(
    runs: Iterator[StoryLine | _Run | None], viewer: int | None
) -> Iterator[_Paragraph]:
    paragraph = _Paragraph()
    for run in runs:
        if isinstance(run, _Run) and paragraph.takes(run, viewer):
            paragraph.runs.append(run)
            continue
        if paragraph.heading or paragraph.runs:
            yield paragraph
        paragraph = _Paragraph(None, [run]) if isinstance(run, _Run) else _Paragraph(run)
    if paragraph.heading or paragraph.runs:
        yield paragraph


@attrs.define
class _Item:
    """A sentence of a run without its subject, how often it is there, and what it sums up."""

    text: str
    count: int = 1
    gains: tuple[Amount, ...] = ()


@attrs.frozen
class _Writer:
    """Writer of the text of paragraphs."""

    labels: Labels

    def line(self, paragraph: _Paragraph) -> StoryLine:
        """Return a paragraph as one line."""
        lines = [line for run in paragraph.runs for line in run.lines]
        first = paragraph.heading or lines[0]
        if not lines:
            return first
        text = self._text(paragraph.runs)
        if paragraph.heading:
            text = f"{paragraph.heading.text}: {text}"
        actors = {run.actor for run in paragraph.runs}
        return StoryLine(
            *("line", first.depth, actors.pop() if len(actors) == 1 else 0, text),
            *(first.first, max(line.last for line in [first, *lines])),
            goes_on=any(line.goes_on for line in lines),
        )

    def _text(self, runs: Sequence[_Run]) -> str:
        """Return sentences; players who do the same before anything else happens are together."""
        texts: list[str] = []
        actors: dict[str, list[str]] = {}  # by what they do, since the last sentence of the game
        for run in runs:
            for name, lines in groupby(run.lines, self._subject):
                sentences = self._predicates([*lines], name)
                if name:
                    actors.setdefault("; ".join(sentences), []).append(name)
                else:
                    texts += [*self._of_actors(actors), *map(sentence, sentences)]
                    actors.clear()
        return " ".join([*texts, *self._of_actors(actors)])

    def _of_actors(self, actors: Mapping[str, list[str]]) -> Iterator[str]:
        for text, names in actors.items():
            yield sentence(self._together(names, text))

    def _together(self, names: list[str], text: str) -> str:
        if len(names) == len(self.labels.seats) >= _FEWEST:
            return f"{_EVERYBODY} {text}"
        first, *others = dict.fromkeys(names)
        return f"{first} {text}" + (f"; likewise {and_list(others)}" if others else "")

    def _subject(self, line: StoryLine) -> str:
        """Return the name of the actor, if a line begins with it."""
        name = self.labels.seats[line.actor - 1] if line.actor else ""
        return name if name and line.text.startswith(f"{name} ") else ""

    def _predicates(self, lines: Sequence[StoryLine], name: str) -> list[str]:
        """Return sentences without their subject.

        From each act to the next, like ones are counted, and gains are summed up.
        """
        items: list[_Item] = []
        since = 0  # index of the last act
        for line in lines:
            text = line.text.removeprefix(f"{name} ").removesuffix(".")
            alike = next((item for item in items[since:] if _is_like(item, text, line)), None)
            if alike is None:
                items.append(_Item(text, gains=line.gains))
                since = len(items) - 1 if line.nature == "act" else since
            elif line.gains:
                alike.gains = _added(alike.gains, line.gains)
                sums = [self.labels.counted(gain.noun, gain.by) for gain in alike.gains]
                alike.text = f"gains {and_list(sums)}"
            else:
                alike.count += 1
        return [
            item.text if item.count == 1 else f"{item.text} ({item.count} times)" for item in items
        ]


def _is_like(item: _Item, text: str, line: StoryLine) -> bool:
    return bool(item.gains and line.gains) or item.text == text


def _added(gains: Sequence[Amount], more: Sequence[Amount]) -> tuple[Amount, ...]:
    sums = {gain.noun: gain for gain in gains}
    for gain in more:
        before = sums.get(gain.noun)
        sums[gain.noun] = attrs.evolve(gain, by=gain.by + (before.by if before else 0))
    return tuple(sums.values())
