"""`python -m soak completion`: whether the word that is there would have been offered.

At random places of the shipped content a word is deleted behind its first letter, and then as a
whole. Words that give something a name are left out, as are comments and what players read.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.read import check_pack
from rulesdsl.editor.completing import complete
from rulesdsl.editor.index import Role
from rulesdsl.editor.index.beside import EFFECTS, FORMULAS, strings_of
from rulesdsl.editor.view import Spot, View
from rulesdsl.packs.find import packs_below
from rulesdsl.packs.toml_file import parse_toml
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import SourceFile
from rulesdsl.syntax.lexemes import Sort, lexemes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.world import World

OFFERED, FIRST, MANY = 0.98, 0.80, 5  # the thresholds of issue 14, proof 6
_SHOWN = 30
_PHRASES = frozenset({"effect", "automatic", "formula"})
_TOGETHER = (
    "add to menu of", "add to choices of", "instead of value", "instead of text", "instead of",
    "any number of times", "any time", "up to", "or else", "if able", "look at", "the only",
    "the first", "without score", "at most", "at least",
)  # fmt: skip
_WORDS = re.compile("|".join([rf"\b{each}\b(?!-)" for each in _TOGETHER] + [r"[a-z][\w.'-]*"]))


@attrs.frozen
class Place:
    """A word in a text: what sort of text, and where, by line and offsets in it."""

    view: View
    source: SourceFile
    sort: str
    line: int
    start: int
    end: int

    @property
    def word(self) -> str:
        """The word that is there."""
        return self.source.line(self.line)[self.start : self.end]


@attrs.define
class Tally:
    """How often a word was offered, and among the first."""

    tried: Counter[str] = attrs.Factory(Counter)
    offered: Counter[str] = attrs.Factory(Counter)
    first: Counter[str] = attrs.Factory(Counter)
    missed: list[str] = attrs.Factory(list)
    seconds: list[float] = attrs.Factory(list)

    def lines(self) -> Iterator[str]:
        """Say it by the sort of text."""
        every = sum(self.tried.values())
        for sort in sorted(self.tried):
            yield f"  {sort:<20} {_shares(self.tried[sort], self.offered[sort], self.first[sort])}"
        offered, first = sum(self.offered.values()), sum(self.first.values())
        yield f"  {'all':<20} {_shares(every, offered, first)}"
        times = sorted(self.seconds)
        middle, late = times[len(times) // 2], times[int(len(times) * 0.95)]
        yield f"  CPU time: median {middle * 1000:.1f} ms, 95% {late * 1000:.1f} ms"

    @property
    def good(self) -> bool:
        """Whether the thresholds are met."""
        every = sum(self.tried.values())
        offered, first = sum(self.offered.values()), sum(self.first.values())
        return offered >= OFFERED * every and first >= FIRST * every


def _shares(tried: int, offered: int, first: int) -> str:
    shares = f"offered {offered / tried:6.1%}, in the first {MANY} {first / tried:6.1%}"
    return f"{tried:>5} words, {shares}"


def run(folder: str, count: int, seed: int, *, verbose: bool = False) -> int:
    """Try so many places, print a table, return the exit status."""
    chance = random.Random(seed)
    places = [place for view in views(Path(folder)) for place in places_in(view)]
    chosen = chance.sample(places, min(count, len(places)))
    began, empty = Tally(), Tally()
    for place in chosen:
        _try(place, 1, began)
        _try(place, 0, empty)
    print(f"{len(places)} places; one letter is typed:")
    print("\n".join(began.lines()))
    print("nothing is typed:")
    print("\n".join(empty.lines()))
    for each in began.missed[: None if verbose else _SHOWN]:
        print(f"  not offered: {each}")
    return 0 if began.good else 1


def views(folder: Path) -> Iterator[View]:
    """Yield every game below a folder, with its mods."""
    packs = packs_below(folder)
    mods = {each: [mod for mod in packs if mod.is_relative_to(each / "mods")] for each in packs}
    for game in packs:
        if not any(game in each for each in mods.values()):
            layers, checked, _ = check_pack(game, mods[game])
            assert layers is not None
            assert checked is not None
            yield View(layers, checked)


def _try(place: Place, kept: int, tally: Tally) -> None:
    text = place.source.text.split("\n")
    line = text[place.line - 1]
    text[place.line - 1] = line[: place.start + kept] + line[place.end :]
    source = SourceFile(place.source.path, "\n".join(text))
    began = time.process_time()
    spot = Spot(source.path, place.line, place.start + kept + 1)
    words = [each.word for each in complete(place.view, source, spot)]
    tally.seconds.append(time.process_time() - began)
    tally.tried[place.sort] += 1
    if place.word in words:
        tally.offered[place.sort] += 1
        tally.first[place.sort] += words.index(place.word) < MANY
    else:
        tally.missed.append(f"{source.path}:{place.line}: {line.strip()[:90]} | {place.word}")


# -------------------------------------------------------------------- places
def places_in(view: View) -> Iterator[Place]:
    """Yield every word of a game that somebody could be about to write."""
    for source in (*view.sources.values(), *view.index.texts_beside.values()):
        giving = {
            (each.span.line, each.span.column - 1)
            for each in view.index.in_file(source.path)
            if each.role is Role.DECLARES
        }
        if source.path.endswith(".rules"):
            found = _in_rules(view, source)
        elif source.path.endswith(".toml"):
            found = _in_toml(view, source)
        else:
            continue
        yield from (each for each in found if (each.line, each.start) not in giving)


def _in_rules(view: View, source: SourceFile) -> Iterator[Place]:
    for number, line in enumerate(source.lines, 1):
        code = "".join(
            each.text if each.sort in {Sort.NAME, Sort.NUMBER, Sort.BLANK, Sort.SIGN}
            else " " * len(each.text)
            for each in lexemes(line)
        )  # fmt: skip
        for found in _WORDS.finditer(code):
            yield Place(view, source, "rules", number, found.start(), found.end())


def _in_toml(view: View, source: SourceFile) -> Iterator[Place]:
    for each in view.index.in_file(source.path):
        line = source.line(each.span.line)
        start, end = each.span.column - 1, each.span.end_column - 1
        inside = line[:start].count('"') % 2 == 1
        if inside and line[start - 1 : start] == '"' and line[end : end + 1] == '"':
            yield Place(view, source, "TOML values", each.span.line, start, end)
        elif not inside:
            yield Place(view, source, "TOML keys", each.span.line, start, end)
    file = parse_toml(source.path, source, Findings())
    for path, key, text in strings_of(file) if file is not None else ():
        if not _is_phrase(path, key, view.world):
            continue
        places = file.index.string_map(path) if file is not None else ()
        for found in _WORDS.finditer(text):
            line_number, column = places[found.start()]
            start = column - 1
            if source.line(line_number)[start : start + len(found[0])] == found[0]:
                end = start + len(found[0])
                yield Place(view, source, "effects in TOML", line_number, start, end)


def _is_phrase(path: tuple[str | int, ...], key: str, world: World) -> bool:
    if key in EFFECTS or key in FORMULAS:
        return True
    fields = {
        name: field.type for kind in world.kinds.values() for name, field in kind.fields.items()
    }
    return any(fields.get(str(each)) in _PHRASES for each in path)
