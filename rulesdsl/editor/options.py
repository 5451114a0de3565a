"""The answers of scenarios and lessons when a name changes: options are called by their words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.declare.names import title_of
from rulesdsl.check.naming import Sort
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


def option_edits(view: View, thing: Thing, words: Mapping[str, str]) -> Iterator[Edit]:
    """Yield the edits of what scenarios and lessons say in words that are made of names."""
    slugs = dict(_slugs(view, words))
    said = _said(view, thing, words)
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
                for pattern, new in said:
                    for found in pattern.finditer(text, start):
                        yield _edit(source.path, places, found.span(), new)


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
            if isinstance(each, ty.Line) and each.text:
                changed = each.text
                for pattern, new in patterns:
                    changed = pattern.sub(new, changed)
                if changed != each.text:
                    yield slug(each.text), slug(changed)
                    first, now = each.text.split()[0], changed.split()[0]
                    if first != now:
                        yield slug(first), slug(now)


def _said(view: View, thing: Thing, words: Mapping[str, str]) -> list[tuple[re.Pattern[str], str]]:
    """Return what the log says of a thing, and what it will say.

    Amounts are told by names; what has no title of its own is told by its name in capitals.
    """
    found: list[tuple[re.Pattern[str], str]] = []
    world = view.world
    counted = thing.name in world.pieces or thing.name in world.tracks
    if thing.sort is Sort.NOUN and counted:
        found += [(_whole(old), new) for old, new in words.items()]
    titled = view.world.pieces.get(thing.name) or world.kinds.get(thing.name)
    title = None if titled is None else titled.title
    if thing.sort is Sort.ENTRY:
        kind = world.kinds[thing.of]
        title = kind.entries[kind.index[thing.name]].title
    if title in {None, title_of(thing.name)}:
        found += [(_whole(title_of(old)), title_of(new)) for old, new in words.items()]
    return found


def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-]){re.escape(word)}(?![\w'-])")
