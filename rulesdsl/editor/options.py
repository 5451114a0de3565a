"""The answers of scenarios and lessons when a name changes: options are called by their words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.declare.names import title_of
from rulesdsl.check.naming import Sort
from rulesdsl.check.types import a_or_an
from rulesdsl.editor.index.beside import PICKS, phrases_of, strings_of
from rulesdsl.interpreter.labels import slug
from rulesdsl.source.english import spoken
from rulesdsl.source.fix import Edit
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulesdsl.check.naming import Thing
    from rulesdsl.editor.view import View

_PICK = re.compile(r"\s*p[0-9]+ +([^\s:]+)")
_BECAUSE = " because "
_QUOTED = " because It needs: "  # the rule itself, see `interpreter.reasons.words`
OLD = "old"  # the group of a pattern that is changed
_Changes = list[tuple[re.Pattern[str], str]]  # words, and what is said in their place
_Said = tuple[_Changes, _Changes]


def option_edits(
    view: View, after: View, thing: Thing, words: Mapping[str, str]
) -> Iterator[Edit]:
    """Yield the edits of what scenarios and lessons say in words that are made of names.

    `after` is what is known when the rules and tables have been changed.
    """
    slugs = dict(_slugs(view, words))
    of_log, of_reasons = _said(view, after, thing, words)
    for source in view.index.texts_beside.values():
        file = phrases_of(source).file
        if file is None:
            continue
        for path, key, text in strings_of(file):
            places = file.index.string_map(path) if key in (*PICKS, "log") else ()
            if key in PICKS:
                picked = _PICK.match(text)
                if picked and picked[1] in slugs:
                    yield _edit(source.path, places, picked.span(1), slugs[picked[1]])
            start = text.find(_BECAUSE) if key == "why-not" else 0
            if key == "log" or (key == "why-not" and start >= 0):
                quoted = text.startswith(_QUOTED, start)
                for pattern, new in of_log + of_reasons if quoted else of_log:
                    for found in pattern.finditer(text, start):
                        if found[OLD] is not None:
                            yield _edit(source.path, places, found.span(OLD), new)


def _edit(
    file: str, places: tuple[tuple[int, int], ...], stretch: tuple[int, int], text: str
) -> Edit:
    start, end = stretch
    return Edit(Span(file, *places[start], *places[end]), text)


def _slugs(view: View, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what options are called now and will be called, where that changes."""
    patterns = [(_whole(old), new) for old, new in words.items()]
    patterns += [(_whole(spoken(old)), spoken(new)) for old, new in words.items()]
    for proc in view.program.procs.values():
        for each in ty.walk(proc.block):
            if isinstance(each, ty.Line) and not each.named and each.text:
                changed = each.text
                for pattern, new in patterns:
                    changed = pattern.sub(new, changed)
                if changed != each.text:
                    yield slug(each.text), slug(changed)
                    first, now = each.text.split()[0], changed.split()[0]
                    if first != now:
                        yield slug(first), slug(now)


def _said(view: View, after: View, thing: Thing, words: Mapping[str, str]) -> _Said:
    """Return what the log and reasons say of a thing, and what they will say; then only reasons.

    Amounts are told by names, what has no title of its own by one made of its name, and a reason
    quotes rules, names included.
    """
    world = view.world
    plain_nouns: list[tuple[str, str]] = []
    plain = [(spoken(old), spoken(new)) for old, new in words.items()]
    if thing.sort is Sort.NOUN and (thing.name in world.pieces or thing.name in world.tracks):
        plain_nouns = plain
    of_reasons = [
        (_but_in(said, []), now)
        for old, new in plain
        for said, now in ((a_or_an(old), a_or_an(new)), (old, new))
    ]
    titles, now = _titles(view), _titles(after)
    told = [(old, new) for old, new in zip(titles, now, strict=False) if old != new]
    if told:
        told += [(title_of(old), title_of(new)) for old, new in words.items()]
    told = [*plain_nouns, *((old, new) for old, new in dict(told).items() if old not in now)]
    return [(_but_in(old, now), new) for old, new in told], of_reasons


def _titles(view: View) -> list[str]:
    """Return the titles of a game, in the order in which it declares what has them."""
    world = view.world
    nouns = [each.title for each in world.pieces.values()]
    nouns += [each.title for each in world.kinds.values()]
    nouns += [each.title for each in world.places.values()]
    nouns += [each.title for each in world.tracks.values()]
    return nouns + [entry.title for kind in world.kinds.values() for entry in kind.entries]


def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-]){re.escape(word)}(?![\w'-])")


def _but_in(word: str, titles: list[str]) -> re.Pattern[str]:
    """Return a pattern that finds a word as `OLD`, but for those within titles that stay."""
    whole = _whole(word).pattern
    longer = sorted({each for each in titles if re.search(whole, each)}, key=len, reverse=True)
    return re.compile("|".join([*map(re.escape, longer), f"(?P<{OLD}>{whole})"]))
