"""Rename: a new name for a symbol at every reference.

All references are edited. The id of an option derives from the words of its line, so answers in
scenarios and lessons change too, and so do expected log messages. The result is checked before
anything is changed: a name that is taken, or that would change the meaning of another name, is
refused.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.declare import plural_of, title_of
from rulesdsl.check.symbols.symbol_table import Symbol, SymbolKind
from rulesdsl.check.symbols.tables import NAME
from rulesdsl.editor.documents import PICKS, phrases_of, strings_of
from rulesdsl.editor.project import Session
from rulesdsl.editor.references import View, thing_at
from rulesdsl.interpreter.labels import slug
from rulesdsl.packs.shapes import matches
from rulesdsl.source.diagnostics import Edit, edited
from rulesdsl.source.english import a_or_an, spoken
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax.lexer import NO_NAMES, STATEMENTS
from rulesdsl.syntax.wording import of_the_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rulesdsl.check.symbols.symbol_table import SymbolTable
    from rulesdsl.editor.references import Occurrence, TextPosition

_BEGINNING = Symbol(SymbolKind.VERB, "game")


class Refused(Exception):  # noqa: N818 - an answer to the user
    """Reason for a refusal, as a sentence."""


@attrs.frozen
class Renamed:
    """Name at a position that can be renamed."""

    name: str
    span: Span


def renamed_at(view: View, spot: TextPosition) -> Renamed | None:
    """Return the name at a position, None if it cannot be renamed."""
    thing, found = thing_at(view, spot), view.name_at(spot)
    if thing is None or found is None or _no_word_of_its_own(view, thing):
        return None
    return Renamed(thing.name.rpartition(".")[2], found.span)


def rename(view: View, spot: TextPosition, name: str) -> tuple[Edit, ...]:
    """Return the edits that rename the symbol at a position; raise Refused."""
    thing = thing_at(view, spot)
    if thing is None or _no_word_of_its_own(view, thing):
        raise Refused("There is nothing to rename here.")
    return renaming(view, thing, name)[0]


def renaming(view: View, thing: Symbol, name: str) -> tuple[tuple[Edit, ...], View]:
    """Return the edits that rename a symbol, and the view after them.

    Raises Refused.
    """
    if name == thing.name.rpartition(".")[2]:
        return (), view
    if thing == _BEGINNING:
        raise Refused("Every game begins with `step game`, so it cannot be renamed.")
    _refuse_wrong(name)
    _refuse_taken(view, thing, name)
    words = _words(view.world, thing, name)
    edits = {
        each.span: Edit(each.span, written)
        for each in view.of(thing)
        if (written := words.get(view.text_of(each.span))) is not None
    }
    session = _trial(view)
    after = _proven(view, thing, name, _changed_view(view, session, edits.values()))
    if thing.sort is not SymbolKind.LOCAL:
        more = option_edits(view, after, thing, words)
        edits = {each.span: each for each in more} | edits
        after = _changed_view(view, session, edits.values()) or after
    return tuple(edits[span] for span in sorted(edits)), after


def _no_word_of_its_own(view: View, thing: Symbol) -> bool:
    return thing == _BEGINNING or view.declaration(thing) == NOWHERE


def _words(world: SymbolTable, thing: Symbol, name: str) -> dict[str, str]:
    """Return the replacement of each word for a symbol."""
    old = thing.name.rpartition(".")[2]
    words = {old: name}
    if thing.sort is SymbolKind.NOUN and world.plural(thing.name) == plural_of(thing.name):
        words[plural_of(old)] = plural_of(name)
    return words


# -------------------------------------------------------------------- refusals
def _refuse_wrong(name: str) -> None:
    if not matches(NAME, name):
        raise Refused(
            f"`{name}` cannot be a name: a name is small letters and digits, "
            "with hyphens between words."
        )
    if name in NO_NAMES | STATEMENTS:
        raise Refused(of_the_language(name)[0])


def _refuse_taken(view: View, thing: Symbol, name: str) -> None:
    """Refuse a name that is taken in this game, in singular or plural."""
    world = view.world
    names = [name] if thing.sort is not SymbolKind.NOUN else [name, plural_of(name)]
    for each in names:
        if world.declares(each) or each in world.procs or each in world.owners:
            raise Refused(f"`{each}` already means something in this game.")
    kinds = (
        [world.kinds[thing.of]] if thing.sort is SymbolKind.FIELD else list(world.kinds.values())
    )
    if any(name in kind.fields for kind in kinds):
        raise Refused(f"`{name}` is already the name of a field.")


def _proven(view: View, thing: Symbol, name: str, after: View | None) -> View:
    """Return the view after edits; refuse if any other name changed its meaning."""
    if after is None:
        raise Refused(f"With the name `{name}` the game could not be read.")
    told = _meaning(view, thing, name)
    found = _meaning(after, None, "")
    for before, now in zip(told, found, strict=False):
        if before != now:
            raise Refused(f"The name `{name}` would be taken for something else in {now[0]}.")
    if len(told) != len(found):
        raise Refused(f"The name `{name}` would mean something else in this game.")
    return after


def _trial(view: View) -> Session:
    if view.session is not None:
        return view.session.like()
    session = Session(view.layers.game.folder, [pack.folder for pack in view.layers.mods])
    for file, source in (view.sources | view.texts_beside).items():
        session.edit(Path(file), source.text)
    return session


def _changed_view(view: View, session: Session, edits: Iterable[Edit]) -> View | None:
    by_file: dict[str, list[Edit]] = {}
    for each in edits:
        by_file.setdefault(each.span.file, []).append(each)
    for file, changes in by_file.items():
        source = view.source(file)
        assert source is not None
        session.edit(Path(file), edited(source.text, changes))
    state = session.check()
    if state.layers is None or state.checked is None:
        return None
    return View(state.layers, state.checked, session)


_Meaning = tuple[str, int, int, str, str]


def _meaning(view: View, thing: Symbol | None, name: str) -> list[_Meaning]:
    """Return the meaning of every name by its number in the line, independent of columns.

    The renamed symbol appears under its new name.
    """
    found: list[_Meaning] = []
    for file, names in sorted(view.rules.items()):
        line = number = 0
        for each in names:
            number = number + 1 if each.span.line == line else 0
            line = each.span.line
            found.append((file, line, number, *_told(each, thing, name)))
    return found


def _told(each: Occurrence, thing: Symbol | None, name: str) -> tuple[str, str]:
    """Return kind and name of a symbol; of a local, the name only, since its span may move."""
    meant = each.thing
    said = name if thing is not None and meant == thing else meant.name.rpartition(".")[2]
    of = (
        ""
        if meant.sort in {SymbolKind.LOCAL, SymbolKind.ACTOR, SymbolKind.CANDIDATE}
        else meant.of
    )
    if meant.sort in {SymbolKind.ACTOR, SymbolKind.CANDIDATE}:
        said = ""
    if thing is not None and thing.sort is SymbolKind.NOUN and of == thing.name:
        of = name
    return f"{meant.sort} {of.rpartition('.')[2]}", said


# -------------------------------------------------------------------- answers and log
_PICK = re.compile(r"\s*p[0-9]+ +([^\s:]+)")
_BECAUSE = " because "
_QUOTED = " because It needs: "  # the rule itself, quoted in a reason
OLD = "old"  # group of a pattern that is replaced
_Changes = list[tuple[re.Pattern[str], str]]  # patterns and replacements
_Said = tuple[_Changes, _Changes]


def option_edits(
    view: View, after: View, thing: Symbol, words: Mapping[str, str]
) -> Iterator[Edit]:
    """Yield the edits of labels and messages in scenarios and lessons that contain names.

    `after` is the view after the edits of rules and tables.
    """
    slugs = dict(_slugs(view, words))
    of_log, of_reasons = _said(view, after, thing, words)
    for source in view.texts_beside.values():
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
    """Yield the old and new ids of options that change."""
    patterns = [(_whole(old), new) for old, new in words.items()]
    patterns += [(_whole(spoken(old)), spoken(new)) for old, new in words.items()]
    for proc in view.program.procs.values():
        for each in ty.walk(proc.block):
            if isinstance(each, ty.OptionLine) and not each.named and each.text:
                changed = each.text
                for pattern, new in patterns:
                    changed = pattern.sub(new, changed)
                if changed != each.text:
                    yield slug(each.text), slug(changed)
                    first, now = each.text.split()[0], changed.split()[0]
                    if first != now:
                        yield slug(first), slug(now)


def _said(view: View, after: View, thing: Symbol, words: Mapping[str, str]) -> _Said:
    """Return the replacements in log messages and reasons, then those in reasons only.

    Amounts are given by name, symbols without a title by a title made of the name, and a reason
    quotes rules with their names.
    """
    world = view.world
    plain_nouns: list[tuple[str, str]] = []
    plain = [(spoken(old), spoken(new)) for old, new in words.items()]
    if thing.sort is SymbolKind.NOUN and (
        thing.name in world.pieces or thing.name in world.tracks
    ):
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
    world = view.world
    tables = (world.pieces, world.kinds, world.places, world.tracks)
    nouns = [each.title for table in tables for each in table.values()]
    return nouns + [entry.title for kind in world.kinds.values() for entry in kind.entries]


def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-]){re.escape(word)}(?![\w'-])")


def _but_in(word: str, titles: list[str]) -> re.Pattern[str]:
    """Return a pattern that matches a word as `OLD`, except within unchanged titles."""
    whole = _whole(word).pattern
    longer = sorted({each for each in titles if re.search(whole, each)}, key=len, reverse=True)
    return re.compile("|".join([*map(re.escape, longer), f"(?P<{OLD}>{whole})"]))
