"""Differences between games of two commits: by aspect, grouped by kind, with examples."""

from __future__ import annotations

import json
import re
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

    `ids` maps ids of options at the other commit to their new names, which are no differences.
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
        """Return the aspects that a text lists; raise ValueError for others."""
        listed = frozenset(text.replace(",", " ").split())
        if unknown := listed - {*ASPECTS}:
            raise ValueError(f"no aspect {', '.join(sorted(unknown))}: {', '.join(ASPECTS)}")
        return listed

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
        asked, parted = [before["asked"], now["asked"]], False
        for at, (old, new) in enumerate(zip_longest(*asked)):
            if pairs := [*self._parting(old, new)]:
                yield from (("ids", pair) for pair in pairs)
                asked, parted = [asked[0][at:], asked[1][at:]], True
                break
            if old["learned"] != new["learned"]:
                yield "secrecy", (f"learned: {old['learned']}", f"learned: {new['learned']}")
            for one, other in zip(old["open"], new["open"], strict=True):
                yield from _of_question(one, other)
        # the log before the question at which the games part; otherwise, the whole log
        ends = [rest[0]["log_length"] if parted and rest else None for rest in asked]
        logs = [side["log"][:end] for side, end in zip((before, now), ends, strict=True)]
        yield from (("log", pair) for pair in _of_lines(*map(_nonempty, logs)))
        for stories in zip(before["stories"], now["stories"], strict=True):
            told = [
                [text for first, text in story if end is None or first < end]
                for story, end in zip(stories, ends, strict=True)
            ]
            yield from (("story", pair) for pair in _of_lines(*told))
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


def _of_lines(before: Sequence[str], now: Sequence[str]) -> Iterator[Pair]:
    """Yield the lines that differ: in pairs, or one without a counterpart, or one that moved."""
    if before == now:
        return
    gone: list[str] = []
    added: list[str] = []
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
    """Yield the paths of plain data with their values."""
    if data and isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _leaves(value, f"{path}.{key}" if path else str(key))
    else:
        yield path, json.dumps(data)


def _nonempty(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if line]


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
