"""The answers of scenarios and lessons when a name changes: options are called by their words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.declare.names import title_of
from rulesdsl.check.naming import Sort, Thing
from rulesdsl.editor.index.beside import PICKS, phrases_of, strings_of
from rulesdsl.interpreter.labels import slug
from rulesdsl.source.english import spoken
from rulesdsl.source.fix import Edit
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulesdsl.editor.view import View

_PICK = re.compile(r"\s*p[0-9]+ +([^\s:]+)")
_BECAUSE = " because "
_REASONS = ("(?<=“){}(?=[ ”])", "(?<=the ){}(?= of )", r"(?<=has ){}\b", r"(?<=has no ){}\b")
_Changes = list[tuple[re.Pattern[str], str]]  # words, and what is said in their place
_Said = tuple[_Changes, _Changes]


def option_edits(view: View, thing: Thing, words: Mapping[str, str]) -> Iterator[Edit]:
    """Yield the edits of what scenarios and lessons say in words that are made of names."""
    slugs = dict(_slugs(view, words))
    of_log, of_reasons = _said(view, thing, words)
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
                for pattern, new in of_log if key == "log" else of_log + of_reasons:
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


def _said(view: View, thing: Thing, words: Mapping[str, str]) -> _Said:
    """Return what the log and reasons say of a thing, and what they will say; then only reasons.

    Amounts are told by names, what has no title of its own by its name in capitals, and a reason
    tells of what a game declares by its name, in the forms of `interpreter.reasons.words`.
    """
    world = view.world
    of_log: _Changes = []
    of_reasons: _Changes = []
    plain = [(spoken(old), spoken(new)) for old, new in words.items()]
    if thing.sort is Sort.NOUN and (thing.name in world.pieces or thing.name in world.tracks):
        of_log += [(_whole(old), new) for old, new in plain]
    elif thing.sort in {Sort.NOUN, Sort.FIELD, Sort.VERB}:
        of_reasons += [
            (re.compile(form.format(re.escape(old))), new)
            for old, new in plain
            for form in _REASONS
        ]
    titles = {title: each for each, title in _titles(view) if each != thing}
    if _title(view, thing) in {None, title_of(thing.name)}:
        of_log += [
            (_whole(title_of(old)), title_of(new))
            for old, new in words.items()
            if title_of(old) not in titles
        ]
    return of_log, of_reasons


def _title(view: View, thing: Thing) -> str | None:
    """Return the title of a thing, None where nothing of its sort has one."""
    return next((title for each, title in _titles(view) if each == thing), None)


def _titles(view: View) -> Iterator[tuple[Thing, str]]:
    """Yield what has a title, with the title."""
    world = view.world
    for several in (world.pieces, world.kinds, world.places, world.tracks):
        for name, each in several.items():
            yield Thing(Sort.NOUN, name), each.title
    for kind in world.kinds.values():
        for entry in kind.entries:
            yield Thing(Sort.ENTRY, entry.name, kind.name), entry.title


def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-]){re.escape(word)}(?![\w'-])")
