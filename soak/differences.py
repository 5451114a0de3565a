"""Differences between games of two commits: by aspect, grouped by kind, with examples."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from difflib import SequenceMatcher, get_close_matches
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from soak.since import Record

ASPECTS = ("ids", "labels", "prompts", "secrecy", "log", "story", "result")
_ABSENT = "(nothing)"
_COMPARED = 40_000  # pairs of lines, in a tenth of a second; of more, only the numbers count
_COPY = re.compile(r"(?<=\w)#\d+")

Pair = tuple[str, str]
"""A text at the other commit, and the one here that stands in its place."""


@attrs.define
class _Kind:
    """Differences with the same words: their number, and the first with its game."""

    count: int
    first: Pair
    game: str


@attrs.frozen
class Differences:
    """Differences of the games added, by aspect.

    `ids` maps ids of options at the other commit to their new names, which are no differences;
    nor is an id of language 0.1 in place of the option's own.
    From the first question with other ids or another player on, two games are no longer the same
    game: nothing after it is compared.
    """

    ids: Mapping[str, str] = {}
    _kinds: dict[str, dict[Pair, _Kind]] = attrs.field(
        init=False, factory=lambda: {aspect: {} for aspect in ASPECTS}
    )
    _games: dict[str, set[str]] = attrs.field(
        init=False, factory=lambda: {aspect: set() for aspect in ASPECTS}
    )

    @staticmethod
    def aspects(text: str) -> frozenset[str]:
        """Return the aspects that a text lists; raise ValueError for others.

        `log` includes `story`, the same events as players read them.
        """
        listed = frozenset(text.replace(",", " ").split())
        if unknown := listed - {*ASPECTS}:
            raise ValueError(f"no aspect {', '.join(sorted(unknown))}: {', '.join(ASPECTS)}")
        return listed | {"story"} if "log" in listed else listed

    def add(self, game: str, before: Record, now: Record) -> None:
        """Compare a game as played at the other commit and here."""
        names = [*before["names"], *now["names"]]
        for aspect, pair in self._differing(before, now):
            self._games[aspect].add(game)
            kind = normalized(pair[0], names), normalized(pair[1], names)
            counted = self._kinds[aspect].setdefault(kind, _Kind(0, pair, game))
            counted.count += 1

    def games_unequal(self, ignored: frozenset[str]) -> int:
        """Return the number of games that differ in an aspect that is not ignored."""
        return len(set().union(*(self._games[aspect] for aspect in {*ASPECTS} - ignored)))

    def text(self, most: int, ignored: frozenset[str]) -> str:
        """Return the differences as lines: for each aspect, the `most` frequent kinds."""
        lines = []
        for aspect in ASPECTS:
            kinds = sorted(self._kinds[aspect].values(), key=lambda kind: -kind.count)
            total = sum(kind.count for kind in kinds)
            games = len(self._games[aspect])
            note = " (ignored)" if aspect in ignored and kinds else ""
            summary = f"{total} differences of {len(kinds)} kinds in {games} games"
            lines.append(f"{aspect}: {summary if kinds else 'equal'}{note}")
            for kind in kinds[:most]:
                lines += [
                    f"  {kind.count} x, first in {kind.game}",
                    f"    - {kind.first[0]}",
                    f"    + {kind.first[1]}",
                ]
            if len(kinds) > most:
                lines.append(f"  and {len(kinds) - most} more kinds")
        return "\n".join(lines)

    # ---------------------------------------------------------------- comparing one game
    def _differing(self, before: Record, now: Record) -> Iterator[tuple[str, Pair]]:
        parted = False
        ends: list[tuple[int, int]] = []  # lengths of both logs at each question, and at the end
        for old, new in zip_longest(before["asked"], now["asked"]):
            ends.append((_log_length(before, old), _log_length(now, new)))
            if pairs := [*self._parting(old, new)]:
                yield from (("ids", pair) for pair in pairs)
                parted = True
                break
            if old["learned"] != new["learned"]:
                yield "secrecy", (f"learned: {old['learned']}", f"learned: {new['learned']}")
            for one, other in zip(old["open"], new["open"], strict=True):
                yield from _of_question(one, other)
        if not parted:
            ends.append((len(before["log"]), len(now["log"])))
        lines = (_numbered(before["log"]), _numbered(now["log"]))
        yield from (("log", pair) for pair in _between_questions(lines, ends))
        for stories in zip(before["stories"], now["stories"], strict=True):
            yield from (("story", pair) for pair in _between_questions(stories, ends))
        if not parted:
            yield from (("result", pair) for pair in _of_data(before["result"], now["result"]))

    def _parting(self, before: Record | None, now: Record | None) -> Iterator[Pair]:
        """Yield why the games part at two questions (None: the game is over); the ids differ."""
        players = [
            [question["player"] for question in asked["open"]] if asked else []
            for asked in (before, now)
        ]
        if before is None or now is None or players[0] != players[1]:
            yield f"asked: {players[0] or 'over'}", f"asked: {players[1] or 'over'}"
            return
        for old, new in zip(before["open"], now["open"], strict=True):
            renamed = [self.ids.get(option, option) for option in old["ids"]]
            if len(renamed) == len(new["ids"]):
                ids = zip(renamed, new["ids"], new["former_ids"], strict=True)
                renamed = [id_ if name == former else name for name, id_, former in ids]
            if renamed != new["ids"] and sorted(renamed) == sorted(new["ids"]):
                yield f"order: {', '.join(renamed)}", f"order: {', '.join(new['ids'])}"
            else:
                yield from _of_lines(renamed, new["ids"])


def _of_question(before: Record, now: Record) -> Iterator[tuple[str, Pair]]:
    for old, new in zip(before["labels"], now["labels"], strict=True):
        if old != new:
            yield "labels", (old, new)
    for aspect, field in (("prompts", "prompt"), ("secrecy", "secrecy")):
        if before[field] != now[field]:
            yield aspect, (str(before[field]), str(now[field]))


def _log_length(record: Record, question: Record | None) -> int:
    """Return the length of a record's log at a question, or once its game is over."""
    return question["log_length"] if question else len(record["log"])


def _numbered(log: Iterable[str]) -> list[tuple[int, str]]:
    return [(place, line) for place, line in enumerate(log) if line]


def _between_questions(
    sides: Iterable[Iterable[tuple[int, str]]], ends: Iterable[tuple[int, int]]
) -> Iterator[Pair]:
    """Yield the lines that differ, stretch by stretch; each line comes with its place in the log.

    A stretch ends where a question was asked: over a whole log, difflib takes minutes.
    """
    both = [
        _stretches(lines, lengths)
        for lines, lengths in zip(sides, zip(*ends, strict=True), strict=True)
    ]
    for old, new in zip(*both, strict=True):
        yield from _of_lines(old, new)


def _stretches(lines: Iterable[tuple[int, str]], ends: Sequence[int]) -> list[list[str]]:
    stretches: list[list[str]] = [[] for _ in ends]
    for place, line in lines:
        if (at := bisect_right(ends, place)) < len(ends):
            stretches[at].append(line)
    return stretches


def _of_lines(before: Sequence[str], now: Sequence[str]) -> Iterator[Pair]:
    """Yield the lines that differ: in pairs, or one without a counterpart, or one that moved."""
    if before == now:
        return
    gone: list[str] = []
    added: list[str] = []
    if len(before) * len(now) > _COMPARED:
        gone, added, before, now = [*before], [*now], (), ()
    for change, *bounds in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        old, new = before[slice(*bounds[:2])], now[slice(*bounds[2:])]
        if change == "equal":
            continue
        if len(old) == len(new):
            yield from zip(old, new, strict=True)
        else:
            unmatched = [*new]
            for line in old:
                if similar := get_close_matches(line, unmatched, n=1):
                    unmatched.remove(similar[0])
                    yield line, similar[0]
                else:
                    gone.append(line)
            added += unmatched
    moved = Counter(gone) & Counter(added)
    if before:
        yield from ((line, f"(elsewhere) {line}") for line in moved.elements())
    yield from ((line, _ABSENT) for line in (Counter(gone) - moved).elements())
    yield from ((_ABSENT, line) for line in (Counter(added) - moved).elements())


def _of_data(before: Record, now: Record) -> Iterator[Pair]:
    old, new = dict(_leaves(before)), dict(_leaves(now))
    for path in {**old, **new}:
        if old.get(path) != new.get(path):
            pair = (f"{path} = {side[path]}" if path in side else _ABSENT for side in (old, new))
            yield next(pair), next(pair)


def _leaves(data: Any, path: str = "") -> Iterator[tuple[str, str]]:  # noqa: ANN401
    """Yield the paths of plain data with their values.

    Equal copies go without their numbers, and the marks of a flag in order, which is that of
    these numbers.
    """
    if data and isinstance(data, dict | list):
        if path.endswith("?") and isinstance(data, list):
            data = sorted(data, key=str)
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _leaves(value, f"{path}.{key}" if path else str(key))
    else:
        yield path, _COPY.sub("", json.dumps(data))


# -------------------------------------------------------------------- kinds
_NAME = re.compile(r"\b[A-Z][\w'-]*(?: (?:of |the |#)?[A-Z][\w'-]*)*")
_LIST = re.compile(r"\b(?:an? |# )?X(?:(?:,| and|, and) (?:an? |# )?X)+")


def normalized(text: str, names: Iterable[str]) -> str:
    """Return a text with its numbers as `#` and its names and titles as `X`.

    `names` are those of the seats. A list of titles counts as one.
    """
    for name in names:
        text = text.replace(name, "X")
    text = _NAME.sub("X", re.sub(r"\d+", "#", text))
    return _LIST.sub("X", text)
