"""Renaming of a symbol at every reference.

The id of an option derives from the words of its line, so answers in scenarios and lessons change
too, and so do expected log messages. The result is checked before anything is changed: a name that
is taken, or that would change the meaning of another name, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.frontend import check_sources
from rulesdsl.check.symbols.declare import title_of
from rulesdsl.check.symbols.symbol_table import Symbol, SymbolKind, SymbolTable
from rulesdsl.check.symbols.tables import NAME
from rulesdsl.editor.documents import PICKS, phrases_of, strings_of
from rulesdsl.editor.references import TextPosition, View, thing_at
from rulesdsl.interpreter.labels import slug
from rulesdsl.packs.overlay import lay, read_packs
from rulesdsl.packs.shapes import matches
from rulesdsl.packs.toml_document import unescaped
from rulesdsl.source.diagnostics import Edit, Findings, edited
from rulesdsl.source.english import a_or_an, plural_of, spoken
from rulesdsl.source.files import Overlay
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax.lexer import begins
from rulesdsl.syntax.wording import WORD_OF_THE_LANGUAGE

_BEGINNING = Symbol(SymbolKind.VERB, "game")


class Refused(Exception):  # noqa: N818 - an answer to the user
    """Reason for a refusal, as a sentence."""


@attrs.frozen
class Renamed:
    """Name at a position that can be renamed."""

    name: str
    span: Span


def renamed_at(view: View, spot: TextPosition) -> Renamed | None:
    """Return the name at a position, or None if it cannot be renamed."""
    thing, found = thing_at(view, spot), view.name_at(spot)
    if thing is None or found is None or _no_word_of_its_own(view, thing):
        return None
    return Renamed(thing.name.rpartition(".")[2], found.span)


def rename(view: View, spot: TextPosition, name: str) -> tuple[Edit, ...]:
    """Return the edits to rename the symbol at a position; raise Refused if that is impossible."""
    thing = thing_at(view, spot)
    if thing is None or _no_word_of_its_own(view, thing):
        raise Refused("There is nothing to rename here.")
    return renaming(view, thing, name)


def renaming(view: View, thing: Symbol, name: str) -> tuple[Edit, ...]:
    """Return the edits that rename a symbol; raise Refused if that is impossible."""
    if name == thing.name.rpartition(".")[2]:
        return ()
    if thing == _BEGINNING:
        raise Refused("Every game begins with `step game`, so it cannot be renamed.")
    _refuse_wrong(name)
    _refuse_taken(view, thing, name)
    words = _words(view.world, thing, name)
    edits = {
        each.span: Edit(each.span, written)
        for each in view.of(thing)
        if (written := words.get(unescaped(view.text_of(each.span)))) is not None
    }
    after = _proven(view, thing, name, _resolved_after(view, edits.values()))
    if thing.sort is not SymbolKind.LOCAL:
        more = option_edits(view, after, thing, words)
        edits = {each.span: each for each in more} | edits
    return tuple(edits[span] for span in sorted(edits))


def _no_word_of_its_own(view: View, thing: Symbol) -> bool:
    return thing == _BEGINNING or view.declaration(thing) == NOWHERE


def _words(world: SymbolTable, thing: Symbol, name: str) -> dict[str, str]:
    """Return the replacement for each word that refers to a symbol: its name, and its plural."""
    old = thing.name.rpartition(".")[2]
    words = {old: name}
    if thing.sort is SymbolKind.NOUN and world.plural(thing.name) == plural_of(thing.name):
        words[plural_of(old)] = plural_of(name)
    return words


# -------------------------------------------------------------------- refusals
def _refuse_wrong(name: str) -> None:
    if not matches(NAME, name):
        raise Refused(
            f"`{name}` cannot be a name: a name consists of lower-case letters and digits, "
            "with hyphens between words."
        )
    if name in {*begins("arg"), *begins("stmt")}:
        raise Refused(WORD_OF_THE_LANGUAGE(name=name)[1])


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
    """Return the view after edits; raise Refused if the meaning of another name has changed."""
    if after is None:
        raise Refused(f"With the name `{name}` the game could not be read.")
    pairs = zip_longest(_meanings(view, thing, name), _meanings(after, None, ""))
    for before, now in pairs:
        if before != now:
            where = (now or before)[0]
            raise Refused(f"The name `{name}` would be taken for something else in {where}.")
    return after


def _resolved_after(view: View, edits: Iterable[Edit]) -> View | None:
    """Return a view after edits, checked without analyses; None if the packs cannot be read."""
    by_file: dict[str, list[Edit]] = {}
    for each in edits:
        by_file.setdefault(each.span.file, []).append(each)
    files, findings = Overlay(), Findings()
    for file, source in view.sources.items():
        files.put(Path(file), edited(source.text, by_file.get(file, [])))
    folders = [pack.folder for pack in view.layers.packs]
    layers = lay(read_packs(folders[0], folders[1:], findings, {}, files), findings)
    if layers is None or not layers.fits:
        return None
    return View(layers, check_sources(layers, findings, analyses=False))


def _meanings(view: View, thing: Symbol | None, name: str) -> list[tuple[object, ...]]:
    """Return the meaning of every name, identified by its number within the line.

    The renamed symbol appears under its new name.
    """
    found: list[tuple[object, ...]] = []
    for file, names in sorted(view.rules.items()):
        line = number = 0
        for each in names:
            number = number + 1 if each.span.line == line else 0
            line = each.span.line
            found.append((file, line, number, *_meaning(each.thing, thing, name)))
    return found


def _meaning(meant: Symbol, thing: Symbol | None, name: str) -> tuple[str, str, str]:
    """Return the kind, owner and name of a symbol; a local has no owner, since it may move."""
    said = name if meant == thing else meant.name.rpartition(".")[2]
    if meant.sort in {SymbolKind.ACTOR, SymbolKind.CANDIDATE}:
        return meant.sort, "", ""
    if meant.sort is SymbolKind.LOCAL:
        return meant.sort, "", said
    is_owner = thing is not None and thing.sort is SymbolKind.NOUN and meant.of == thing.name
    return meant.sort, name if is_owner else meant.of.rpartition(".")[2], said


# -------------------------------------------------------------------- answers and log
_PICK = re.compile(r"\s*p[0-9]+ +([^\s:]+)")
_BECAUSE = " because "
_QUOTED = " because It needs: "  # the rule itself, quoted in a reason
OLD = "old"  # the group of a pattern to replace
_Changes = list[tuple[re.Pattern[str], str]]  # patterns and replacements


def option_edits(
    view: View, after: View, thing: Symbol, words: Mapping[str, str]
) -> Iterator[Edit]:
    """Yield the edits to ids, messages and reasons in scenarios and lessons.

    `after` is the view after the edits to rules and tables.
    """
    slugs = dict(_slugs(view, words))
    of_log, of_reasons = _replacements(view, after, thing, words)
    for source in view.texts_beside.values():
        file = phrases_of(source, ()).file
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
            if isinstance(each, ty.OptionLine) and each.text:
                changed = each.text
                for pattern, new in patterns:
                    changed = pattern.sub(new, changed)
                if each.domain is not None:  # its id begins with the verb alone
                    yield slug(each.text.split()[0]), slug(changed.split()[0])
                elif changed != each.text:
                    yield slug(each.text), slug(changed)


def _replacements(
    view: View, after: View, thing: Symbol, words: Mapping[str, str]
) -> tuple[_Changes, _Changes]:
    """Return the replacements in log messages and reasons, and those in reasons only.

    Messages contain names in amounts, and titles, which may derive from names. Reasons quote
    rules, which contain names.
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
    pairs = [(old, new) for old, new in zip(titles, now, strict=False) if old != new]
    if pairs:
        pairs += [(title_of(old), title_of(new)) for old, new in words.items()]
    pairs = [*plain_nouns, *((old, new) for old, new in dict(pairs).items() if old not in now)]
    return [(_but_in(old, now), new) for old, new in pairs], of_reasons


def _titles(view: View) -> list[str]:
    world = view.world
    tables = (world.pieces, world.kinds, world.places, world.tracks)
    nouns = [each.title for table in tables for each in table.values()]
    return nouns + [entry.title for kind in world.kinds.values() for entry in kind.entries]


def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-]){re.escape(word)}(?![\w'-])")


def _but_in(word: str, titles: list[str]) -> re.Pattern[str]:
    """Return a pattern that captures a word as `OLD`, except within unchanged titles."""
    whole = _whole(word).pattern
    longer = sorted({each for each in titles if re.search(whole, each)}, key=len, reverse=True)
    return re.compile("|".join([*map(re.escape, longer), f"(?P<{OLD}>{whole})"]))
