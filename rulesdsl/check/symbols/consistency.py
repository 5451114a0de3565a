"""Checks of declarations against each other: references, conflicts, sources of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

import attrs

from rulesdsl.check.symbols import wording
from rulesdsl.check.symbols.declare import SIMPLE_FIELDS, Declarations
from rulesdsl.check.symbols.fields import EFFECT_TITLE
from rulesdsl.check.symbols.names import calls, declared_word, mentions
from rulesdsl.check.symbols.panels import check_panel, check_panel_titles
from rulesdsl.check.symbols.symbol_table import (
    HookInfo,
    SymbolKind,
    SymbolTable,
    ValueHookInfo,
    ValueInfo,
)
from rulesdsl.check.symbols.tables import at_odds
from rulesdsl.check.symbols.types import VIEWERS
from rulesdsl.packs.overlay import Layered
from rulesdsl.packs.toml_document import KeyPath
from rulesdsl.packs.wording import TEXTS_AT_ODDS, report_order
from rulesdsl.source.diagnostics import Findings, Related, Wording
from rulesdsl.source.english import number_in
from rulesdsl.source.facts import NothingHasBack
from rulesdsl.source.language import Language
from rulesdsl.source.span import Span
from rulesdsl.source.tree import walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.node import Identifier
from rulesdsl.syntax.parser import parse_file

ON_THE_BACK = {"number", "yes-no", "text"}
VERDICTS = ("won", "drawn", "lost")
SEATS = ("player", "seat")


# -------------------------------------------------------------------- references
def check_references(names: Declarations, declarations: Iterable[de.Decl]) -> None:
    """Report unknown names in declarations, and drop unknown pieces from places."""
    world = names.world
    for each in declarations:
        _check_references(names, each)
    check_panel_titles(world.panels, names.findings)
    for place in world.places.values():
        known = tuple(name for name in place.holds if name in world.pieces)
        place.unsure, place.holds = known != place.holds, known


def _check_references(  # noqa: C901, PLR0912 - one case per declaration
    names: Declarations, decl: de.Decl
) -> None:
    world = names.world
    if isinstance(decl, de.PlaceDecl):
        _check_dims(names, decl.per, [k.name for k in world.kinds.values() if k.role != "piece"])
        for word in decl.holds:
            names.noted.noun(word, world)
            names.choose(word, world.pieces, "pieces")
    elif isinstance(decl, de.PieceDecl):
        names.one_of(decl.per, SEATS, wording.OWNER_NO_SEAT)
    elif isinstance(decl, de.Counter):
        _check_dims(names, decl.per, [*world.kinds, *world.pieces])
        if decl.during and names.choose(decl.during, world.procs, "verbs or steps"):
            names.noted.word(decl.during, SymbolKind.VERB, decl.during.text)
    elif isinstance(decl, de.PanelDecl):
        check_panel(names, decl)
    elif isinstance(decl, de.VerdictDecl):
        names.one_of(decl.word, VERDICTS, wording.BAD_VERDICT)
        if decl.text.values:
            wording.VALUE_IN_VERDICT.report(names.findings, decl.span)
    if isinstance(decl, de.MemoryDecl):
        _check_memory(names, decl)
    if isinstance(decl, de.PlaceDecl | de.Counter):
        _check_viewers(names, decl)
    if isinstance(decl, de.PlaceDecl | de.KindDecl) and decl.numbered:
        _check_numbers(names, decl)
    if isinstance(decl, de.PlaceDecl | de.PieceDecl | de.KindDecl):
        for field in decl.fields:
            if isinstance(field, de.FieldDecl):
                _check_field(names, field)
                _check_back(names, field, printed=isinstance(decl, de.PieceDecl))


def _check_numbers(names: Declarations, decl: de.PlaceDecl | de.KindDecl) -> None:
    """Check that every entry's title contains exactly one number, and that all differ."""
    noun = decl.names.singular
    kind, first = names.world.kinds.get(noun.text), dict[int, str]()
    if kind is None:
        wording.NOTHING_NUMBERED.report(names.findings, noun.span, name=noun.text)
        return
    for entry in kind.entries:
        number = number_in(entry.title)
        if number is None:
            title, example = entry.title, f"{kind.entries.index(entry) + 1} {entry.title}"
            wording.NO_NUMBER.report(
                names.findings, entry.span, title=title, kind=kind.name, example=example
            )
            return  # the others are alike
        if (other := first.setdefault(number, entry.title)) != entry.title:
            wording.NUMBER_TWICE.report(
                names.findings, entry.span, title=entry.title, other=other, kind=kind.name
            )


def _check_memory(names: Declarations, decl: de.MemoryDecl) -> None:
    """Check that what is remembered is an entry or a seat, and set how many there are."""
    world, kind, memory = names.world, decl.kind, names.world.tracks.get(decl.name.text)
    names.noted.noun(kind, world)
    seats = {"player": world.most_players, "seat": world.most_players + len(world.rivals)}
    kinds = (info for info in world.kinds.values() if info.name not in world.pieces)
    entries = {info.name: len(info.entries) for info in kinds}
    sizes = {**entries, **seats}
    if kind.text in wording.REMEMBERED:
        words = wording.REMEMBERED[kind.text]
        words.report(names.findings, kind.span, name=decl.name.text)
    elif kind.text in SIMPLE_FIELDS:
        wording.NOT_REMEMBERED.report(names.findings, kind.span, kind=kind.text)
    elif kind.text in world.pieces:
        wording.PIECE_REMEMBERED.report(names.findings, kind.span, kind=kind.text)
    elif names.choose(kind, sizes, "kinds of things") and memory is not None:
        memory.high = sizes[kind.text] - 1
        return
    world.broken.add(decl.name.text)


def _check_viewers(names: Declarations, decl: de.PlaceDecl | de.Counter) -> None:
    eyes = decl.seen_by
    if eyes is None or not names.one_of(eyes.viewers, VIEWERS, wording.BAD_EYES):
        return
    if is_ownerless(decl):
        if names.world.language(eyes.span) >= Language.V0_2:
            wording.NO_OWNER.report(names.findings, eyes.span)
        return
    if eyes.counted is None:
        return
    if not isinstance(decl, de.PlaceDecl):
        is_memory = isinstance(decl, de.MemoryDecl)
        words = wording.MEMORY_NOTICED if is_memory else wording.TRACK_COUNTED
        words.report(names.findings, eyes.span, words=eyes.counted)
    elif eyes.counted != "only" and not _is_one_of_several(decl):
        wording.COUNTED_ANYWAY.report(names.findings, eyes.span)


def is_ownerless(decl: de.PlaceDecl | de.Counter) -> bool:
    """Return whether a declaration names an owner as its viewer, but belongs to no player."""
    names_owner = decl.seen_by is not None and decl.seen_by.viewers.text != "nobody"
    return names_owner and set(SEATS).isdisjoint(word.text for word in decl.per)


def _is_one_of_several(place: de.PlaceDecl) -> bool:
    """Return whether each player has several such places, which only their owner sees."""
    dims = (
        *(word.text for word in place.per),
        *(["its own"] if place.table or place.fields else []),
    )
    seen = place.seen_by
    is_own = seen is not None and seen.viewers.text == "owner"
    return is_own and len(dims) > 1 and not set(SEATS).isdisjoint(dims)


def _check_dims(names: Declarations, dims: Iterable[Identifier], known: Iterable[str]) -> None:
    for word in dims:
        names.noted.noun(word, names.world)
        if word.text not in SEATS:
            names.choose(word, [*SEATS, *known], "kinds of things")


def _check_field(names: Declarations, field: de.FieldDecl) -> None:
    world, per, name = names.world, field.per, field.type.text
    if per is not None and not per.text == name == "number":
        names.choose(per, world.kinds, "kinds of things")
    names.noted.noun(per, world)
    names.noted.noun(field.type, world)
    names.noted.value(field.default, name, world)
    singular = world.singular(name)
    if name not in SIMPLE_FIELDS and singular not in world.kinds:
        names.choose(field.type, [*SIMPLE_FIELDS, *world.kinds], "types of fields")
        names.noted.expect(name, (each.plural for each in world.kinds.values()))


def _check_back(names: Declarations, field: de.FieldDecl, *, printed: bool) -> None:
    """Check `seen by all`, which prints a field of a piece on its back."""
    word, kind = field.seen_by, field.type.text
    if word is None or not names.one_of(word, ["all"], wording.BAD_BACK):
        return
    can_be = kind in ON_THE_BACK or kind in names.world.kinds
    if not printed:
        wording.NOTHING_HAS_BACK.report(names.findings, word.span, facts=NothingHasBack())
    elif field.per is not None or not can_be:
        wording.NOT_ON_BACK.report(names.findings, word.span, type=kind)


# -------------------------------------------------------------------- conflicts
@attrs.frozen
class _Replacement:
    """Hook that does not call the original, and its condition, if any."""

    pack: str
    span: Span
    when: ex.Expr | None

    def excludes(self, other: _Replacement) -> bool:
        """Return whether two conditions evidently cannot hold together."""
        return any(
            (
                isinstance(one, ex.Compare)
                and isinstance(two, ex.Compare)
                and one.op == two.op == "="
                and one.left == two.left
                and one.right != two.right
                and all(isinstance(each.right, ex.Name | ex.Number) for each in (one, two))
            )
            or ex.Not(one) == two
            or one == ex.Not(two)
            for one in _conjuncts(self.when)
            for two in _conjuncts(other.when)
        )


def _conjuncts(condition: ex.Expr | None) -> list[ex.Expr]:
    if isinstance(condition, ex.Logic) and condition.op == "and":
        return [*_conjuncts(condition.left), *_conjuncts(condition.right)]
    return [] if condition is None else [condition]


def check_conflicts(
    world: SymbolTable, declarations: Iterable[de.Decl], findings: Findings
) -> None:
    """Report declarations that contradict each other, and drop those that are overridden."""
    every = list(declarations)
    wins = [each for each in every if isinstance(each, de.WinDecl)]
    verdicts = [each for each in every if isinstance(each, de.VerdictDecl)]
    _check_replacements(world, findings)
    _check_winners(wins, world, findings)
    world.ends = [*wins, *_current_verdicts(verdicts, world, findings)]


def _check_replacements(world: SymbolTable, findings: Findings) -> None:
    """Report hooks on the same target if one of them would silently have no effect.

    Within a pack, two unconditional replacements conflict. Between mods without a load order, any
    two conflict that may apply together, since the result must not depend on the ids of the mods.
    A mod may override its game.
    """
    for proc in world.procedures.values():
        hooks = [
            each
            for each in proc.hooks
            if each.time == "instead of" and not calls(each.body, proc.name)
        ]
        _check_hooks(proc.name, hooks, world, findings)
    for value in world.values.values():
        own = [each for each in value.hooks if value.name not in mentions(each.formula)]
        replacements = _check_hooks(value.name, own, world, findings)
        if value.name in world.constants:
            _check_number(value, replacements, world, findings)
    for what, places in world.text_overrides.items():
        for first, second in combinations(places, 2):
            if world.pack_of(first) == world.pack_of(second):
                related = [Related(first, "replaced here first")]
                wording.TWO_TEXTS.report(findings, second, related, what=what)
            else:
                _check_odds(what, first, second, world, findings, TEXTS_AT_ODDS)


def _check_winners(wins: list[de.WinDecl], world: SymbolTable, findings: Findings) -> None:
    """Report two `win with` lines in one pack, or in mods without a load order."""
    for first, second in combinations(wins, 2):
        if world.pack_of(first.span) == world.pack_of(second.span):
            related = [Related(first.span, "the other one")]
            wording.TWO_WINNERS.report(findings, second.span, related)
        elif second is wins[-1] and first != second:
            _check_odds("`win with`", first.span, second.span, world, findings)


def _current_verdicts(
    verdicts: list[de.VerdictDecl], world: SymbolTable, findings: Findings
) -> list[de.VerdictDecl]:
    """Return the verdicts without those replaced by one with the same title in a later pack."""
    found: list[de.VerdictDecl] = []
    for decl in verdicts:
        pack = world.pack_of(decl.span)
        old = [
            each for each in found if each.text == decl.text and world.pack_of(each.span) != pack
        ]
        place = found.index(old[0]) if old else len(found)
        found.insert(place, decl)
        found = [each for each in found if not any(each is one for one in old)]
    for last in found:
        for each in verdicts:
            if each.text == last.text and each != last:
                what = f"when `{last.text.words[0]}` is reached"
                _check_odds(what, each.span, last.span, world, findings)
    return found


def _check_odds(
    what: str,
    first: Span,
    second: Span,
    world: SymbolTable,
    findings: Findings,
    said: Wording = wording.MODS_DISAGREE,
) -> None:
    one, other = world.pack_of(first), world.pack_of(second)
    if at_odds(world, one, other):
        related = [Related(first, f"declared by `{one}` as well")]
        report_order(said, findings, second, related, [one, other], what=what)


def _check_number(
    value: ValueInfo, replacements: list[_Replacement], world: SymbolTable, findings: Findings
) -> None:
    """Report mods that replace a number set by another mod, since one value would be lost."""
    setter = world.pack_of(value.span)
    for each in replacements:
        two = setter != each.pack and {setter, each.pack} <= world.mods
        if two and setter not in world.after.get(each.pack, ()):
            related = [Related(value.span, "set here")]
            mods = [setter, each.pack]
            said = wording.NUMBER_REPLACED
            report_order(said, findings, each.span, related, mods, name=value.name)


def _check_hooks(
    name: str, hooks: Iterable[HookInfo | ValueHookInfo], world: SymbolTable, findings: Findings
) -> list[_Replacement]:
    replacements = [_Replacement(world.pack_of(each.span), each.span, each.when) for each in hooks]
    for first, second in combinations(replacements, 2):
        related = [Related(first.span, "replaced here first")]
        if first.pack == second.pack:
            if first.when is None and second.when is None:
                wording.TWO_HOOKS.report(findings, second.span, related, name=name)
        elif at_odds(world, first.pack, second.pack) and not first.excludes(second):
            mods = [first.pack, second.pack]
            report_order(wording.MODS_REPLACE, findings, second.span, related, mods, name=name)
    return replacements


# -------------------------------------------------------------------- sources of numbers
RULEBOOK = "rulebook"
UNSAID = "no source given"
NUMBER = re.compile(r"(?<![\w-])\d+(?![\w-])")
ABOUT_ITSELF = {"source", "sources"}


@attrs.frozen
class SourceLine:
    """Number that is not from the rulebook: its source, place, name and value."""

    source: str
    span: Span
    name: str
    value: str


def number_sources(layers: Layered, world: SymbolTable) -> tuple[SourceLine, ...]:
    """List the numbers in a pack that are not from the rulebook, in file order."""
    found = [*table_numbers(layers, world), *_in_rules(layers)]
    return tuple(sorted(found, key=lambda line: line.span))


# -------------------------------------------------------------------- tables
def table_numbers(layers: Layered, world: SymbolTable) -> Iterator[SourceLine]:
    """Yield the numbers in all packs' tables that are not from the rulebook."""
    effects = {
        field.name
        for kind in world.kinds.values()
        for field in kind.fields.values()
        if field.type in {"effect", "automatic", "formula"}
    }
    paths = (path for pack in layers.packs for path in pack.toml_paths() if path in layers.asked)
    for path in dict.fromkeys(paths):
        table = layers.get(path, world.start)
        if table is None:
            continue
        for at, number in _numbers(table.data, (), effects):
            source = table.source_of(at) or UNSAID
            if source != RULEBOOK:
                name = ".".join(str(part) for part in at)
                yield SourceLine(source, table.span(at), name, number)


def _numbers(value: object, path: KeyPath, effects: set[str]) -> Iterator[tuple[KeyPath, str]]:
    """Yield the numbers in a value, including those in the text of effects, with their paths."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ABOUT_ITSELF:
                yield from _numbers(inner, (*path, key), effects)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _numbers(inner, (*path, at), effects)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path, str(value)
    elif isinstance(value, str) and not effects.isdisjoint(path) and path[-1] != EFFECT_TITLE.key:
        yield from ((path, number) for number in NUMBER.findall(value))


# -------------------------------------------------------------------- rules
def _in_rules(layers: Layered) -> Iterator[SourceLine]:
    for file in layers.rules:
        source = RULEBOOK
        parsed = parse_file(file.text, file.path, Findings(), file.language)
        for declaration in parsed.file.declarations:
            if isinstance(declaration, de.SourceDecl):
                source = declaration.source
            elif source != RULEBOOK:
                word = declared_word(declaration) or getattr(declaration, "word", None)
                name = word.text if word else ""
                for node in walk(declaration):
                    if isinstance(node, ex.Number):
                        yield SourceLine(source, node.span, name, str(node.value))
