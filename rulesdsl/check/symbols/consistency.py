"""Checks of declarations against each other: references, double definitions, sources."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.symbols.declare import SIMPLE_FIELDS
from rulesdsl.check.symbols.names import calls, mentions, sort_of
from rulesdsl.check.symbols.panels import SEATS, check_panel, check_panel_titles
from rulesdsl.check.symbols.symbol_table import ReferenceRecorder, SymbolKind
from rulesdsl.source.diagnostics import Findings, Related, among, similar
from rulesdsl.source.facts import LoadAfter, NothingHasBack
from rulesdsl.source.span import Span
from rulesdsl.source.tree import walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.parser import parse_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.program import Checked
    from rulesdsl.check.symbols.symbol_table import (
        HookInfo,
        ProcInfo,
        SymbolTable,
        ValueHookInfo,
        ValueInfo,
    )
    from rulesdsl.packs.overlay import Layered, MergedTable
    from rulesdsl.syntax.declarations import VerdictDecl
    from rulesdsl.syntax.node import Identifier


EYES = ("owner", "nobody")
ON_THE_BACK = {"number", "yes-no", "text"}
VERDICTS = ("won", "drawn", "lost")


def check_references(
    world: SymbolTable,
    declarations: Iterable[de.Decl],
    findings: Findings,
    noted: ReferenceRecorder,
) -> None:
    """Report unknown names in declarations; drop unknown contents of places."""
    checker = _References(world, findings, noted)
    for each in declarations:
        checker.check(each)
    check_panel_titles(world.panels, findings)
    for place in world.places.values():
        known = tuple(name for name in place.holds if name in world.pieces)
        place.unsure, place.holds = known != place.holds, known


class _References:
    def __init__(self, world: SymbolTable, findings: Findings, noted: ReferenceRecorder) -> None:
        self.world = world
        self.findings = findings
        self.noted = noted

    def check(  # noqa: C901 - one case per declaration
        self, decl: de.Decl
    ) -> None:
        if isinstance(decl, de.PlaceDecl):
            for word in decl.per:
                self._dim(word)
            for word in decl.holds:
                self.noted.noun(word, self.world)
                self._known(word, self.world.pieces, "pieces")
        elif isinstance(decl, de.PieceDecl):
            self.noted.expect("" if decl.per is None else decl.per.text, SEATS)
            if decl.per is not None and decl.per.text not in SEATS:
                message = f"Pieces belong to a seat or a player, not to `{decl.per.text}`."
                help_text = similar(decl.per.text, SEATS) or "Write `per seat` or `per player`."
                self.findings.report("E201", decl.per.span, message, help_text)
        elif isinstance(decl, de.TrackDecl | de.FlagDecl):
            for word in decl.per:
                self._dim(word, pieces=True)
            self._during(decl.during)
        elif isinstance(decl, de.PanelDecl):
            check_panel(self.world, decl, self.findings, self.noted)
        elif isinstance(decl, de.VerdictDecl):
            self._verdict(decl)
        if isinstance(decl, de.PlaceDecl | de.TrackDecl):
            self._eyes(decl.seen_by)
        if isinstance(decl, de.PlaceDecl | de.PieceDecl | de.KindDecl):
            self._fields(decl.fields, printed=isinstance(decl, de.PieceDecl))

    def _during(self, word: Identifier | None) -> None:
        if word is not None:
            self._known(word, self.world.procs, "verbs or steps")
            if word.text in self.world.procs:
                self.noted.word(word, SymbolKind.VERB, word.text)

    def _dim(self, word: Identifier, *, pieces: bool = False) -> None:
        self.noted.noun(word, self.world)
        if word.text in SEATS:
            return
        kinds = list(self.world.kinds)
        if pieces:
            kinds.extend(self.world.pieces)
        else:
            kinds = [name for name, kind in self.world.kinds.items() if kind.role != "piece"]
        self._known(word, [*SEATS, *kinds], "kinds of things")

    def _eyes(self, word: Identifier | None) -> None:
        self.noted.expect("" if word is None else word.text, EYES)
        if word is not None and word.text not in EYES:
            message = f"A place or track is seen by `owner` or `nobody`, not by `{word.text}`."
            help_text = similar(word.text, EYES) or "If everybody sees it, leave `seen by` out."
            self.findings.report("E201", word.span, message, help_text)

    def _back(self, field: de.FieldDecl, *, printed: bool) -> None:
        """Check `seen by all`, which prints a field of a piece on its back."""
        word = field.seen_by
        if word is None:
            return
        self.noted.expect(word.text, ["all"])
        if word.text != "all":
            self.findings.report(
                "E201",
                word.span,
                f"A field can only be `seen by all`, not by `{word.text}`.",
                "Write `seen by all`, or nothing: then the place of the piece says who sees it.",
            )
        elif not printed:
            self.findings.report(
                "E201",
                word.span,
                "Only a field of a piece can be `seen by all`: nothing else has a back.",
                "Remove `seen by all`: everybody sees these fields.",
                facts=NothingHasBack(),
            )
        elif field.per is not None or not (
            field.type.text in ON_THE_BACK or field.type.text in self.world.kinds
        ):
            self.findings.report(
                "E201",
                word.span,
                f"`{field.type.text}` cannot be printed on a back.",
                "A number, a yes-no, a text or an entry of a kind can.",
            )

    def _fields(self, fields: de.Fields, *, printed: bool) -> None:
        for field in fields:
            if not isinstance(field, de.FieldDecl):
                continue
            self._back(field, printed=printed)
            per = field.per
            if per is not None and not (per.text == "number" and field.type.text == "number"):
                self._known(per, self.world.kinds, "kinds of things")
            self.noted.noun(field.per, self.world)
            self.noted.noun(field.type, self.world)
            self.noted.value(field.default, field.type.text, self.world)
            name = field.type.text
            singular = self.world.plurals.get(name, name)
            if name not in SIMPLE_FIELDS and singular not in self.world.kinds:
                self._unknown(field.type, [*SIMPLE_FIELDS, *self.world.kinds], "types of fields")
                lists = (each.plural for each in self.world.kinds.values())
                self.noted.expect(name, [*SIMPLE_FIELDS, *self.world.kinds, *lists])

    def _verdict(self, decl: de.VerdictDecl) -> None:
        word = decl.word
        self.noted.expect(word.text, VERDICTS)
        if word.text not in VERDICTS:
            message = f"A verdict is won, drawn or lost, not `{word.text}`."
            self.findings.report("E201", word.span, message, similar(word.text, VERDICTS))
        if "{" in decl.text:
            self.findings.report(
                "E102",
                decl.span,
                "Values in braces are not filled in here: the text of a verdict is fixed.",
                "Say it without them, or write several verdicts.",
            )

    def _known(self, word: Identifier, known: Iterable[str], what: str) -> None:
        self.noted.expect(word.text, known)
        if word.text not in set(known):
            self._unknown(word, known, what)

    def _unknown(self, word: Identifier, known: Iterable[str], what: str) -> None:
        if not self.world.doubtful(word.text):
            message = f"There are no {what} called `{word.text}`."
            sort = sort_of(word.text, self.world)
            if sort is not None:
                message = f"`{word.text}` is {sort}, but {what} are needed here."
            self.findings.report("E201", word.span, message, among(word.text, known))


@attrs.frozen
class _Replacement:
    """Hook that does not call the original; `whole` without a condition."""

    pack: str
    span: Span
    whole: bool


def check_replacements(world: SymbolTable, findings: Findings) -> None:
    """Report hooks on the same target of which one would be lost silently.

    Within a pack, two unconditional replacements conflict. Between mods without a load order, one
    is enough, since the winner must not depend on their ids. A mod may override its game.
    """
    for overloads in world.procs.values():
        for proc in overloads:
            _check(proc.name, _of_proc(proc, world), world, findings)
    for value in world.values.values():
        replacements = _of_value(value, world)
        _check(value.name, replacements, world, findings)
        if value.name in world.constants:
            _check_number(value, replacements, world, findings)
    for what, places in world.retold.items():
        for first, second in combinations(places, 2):
            _check_texts(what, first, second, world, findings)


def check_winners(world: SymbolTable, findings: Findings) -> None:
    """Report a second `win with` in one pack, or in mods without a load order."""
    for first, second in combinations(world.wins, 2):
        counts = second is world.wins[-1]
        if world.pack_of(first.span) == world.pack_of(second.span):
            findings.report(
                "E202",
                second.span,
                "Two lines say who wins.",
                "Remove one. Tie-breaks go into the same line: `then most ...`.",
                [Related(first.span, "the other one")],
            )
        elif counts and first != second:
            _check_odds("`win with`", first.span, second.span, world, findings)


def lay_verdicts(world: SymbolTable, findings: Findings) -> None:
    """Override verdicts of other packs that have the same title."""
    found: list[VerdictDecl] = []
    for decl in world.verdicts:
        pack = world.pack_of(decl.span)
        old = [
            each for each in found if each.text == decl.text and world.pack_of(each.span) != pack
        ]
        place = found.index(old[0]) if old else len(found)
        found.insert(place, decl)
        found = [each for each in found if not any(each is one for one in old)]
    for last in found:
        for each in world.verdicts:
            if each.text == last.text and each != last:
                what = f"when `{last.text}` is reached"
                _check_odds(what, each.span, last.span, world, findings)
    world.verdicts = found


def _check_texts(
    what: str, first: Span, second: Span, world: SymbolTable, findings: Findings
) -> None:
    if world.pack_of(first) == world.pack_of(second):
        message, related = f"Two texts replace {what}.", [Related(first, "replaced here first")]
        findings.report("E409", second, message, "Remove one.", related)
    else:
        _check_odds(what, first, second, world, findings)


def _check_odds(
    what: str, first: Span, second: Span, world: SymbolTable, findings: Findings
) -> None:
    one, other = world.pack_of(first), world.pack_of(second)
    if world.at_odds(one, other):
        findings.report(
            "E506",
            second,
            f"These mods disagree on {what}: `{one}`, `{other}`.",
            f'To give `{other}` precedence, add to its pack.toml: after = ["{one}"]',
            [Related(first, f"said by `{one}` as well")],
            facts=LoadAfter(other, one),
        )


def _check_number(
    value: ValueInfo, replacements: list[_Replacement], world: SymbolTable, findings: Findings
) -> None:
    """Report mods that replace a number which another mod sets.

    The number set is lost in any load order.
    """
    setter = world.pack_of(value.span)
    for each in replacements:
        two = setter != each.pack and {setter, each.pack} <= world.mods
        if each.whole and two and setter not in world.after.get(each.pack, ()):
            findings.report(
                "E506",
                each.span,
                f"`{setter}` sets `{value.name}`, and `{each.pack}` replaces it.",
                f"To give `{each.pack}` precedence, add to its pack.toml: "
                f'after = ["{setter}"]\n'
                f"Or use `{value.name}` in its replacement: it has the value set by `{setter}`.",
                [Related(value.span, "set here")],
                facts=LoadAfter(each.pack, setter),
            )


def _of_proc(proc: ProcInfo, world: SymbolTable) -> list[_Replacement]:
    return [
        _replacement(hook, world)
        for hook in proc.hooks
        if hook.time == "instead of" and not calls(hook.body, proc.name)
    ]


def _of_value(value: ValueInfo, world: SymbolTable) -> list[_Replacement]:
    return [
        _replacement(hook, world)
        for hook in value.hooks
        if value.name not in mentions(hook.formula)
    ]


def _replacement(hook: HookInfo | ValueHookInfo, world: SymbolTable) -> _Replacement:
    return _Replacement(world.pack_of(hook.span), hook.span, hook.when is None)


def _check(
    name: str, replacements: list[_Replacement], world: SymbolTable, findings: Findings
) -> None:
    for first, second in combinations(replacements, 2):
        related = [Related(first.span, "replaced here first")]
        if first.pack == second.pack:
            if first.whole and second.whole:
                findings.report(
                    "E409",
                    second.span,
                    f"Two hooks replace `{name}` completely.",
                    "Remove one, or let it call the original by its own name.",
                    related,
                )
        elif (first.whole or second.whole) and world.at_odds(first.pack, second.pack):
            findings.report(
                "E506",
                second.span,
                f"These mods each replace `{name}`: `{first.pack}`, `{second.pack}`.",
                f"To give `{second.pack}` precedence, add to its pack.toml: "
                f'after = ["{first.pack}"]\n'
                "Or let one of them call the original by its own name.",
                related,
                facts=LoadAfter(second.pack, first.pack),
            )


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


def number_sources(layers: Layered, checked: Checked) -> tuple[SourceLine, ...]:
    """List the numbers of a pack that are not from the rulebook, in file order."""
    found = [*table_numbers(layers, checked), *_in_rules(layers)]
    return tuple(sorted(found, key=lambda line: line.span))


# -------------------------------------------------------------------- tables
def table_numbers(layers: Layered, checked: Checked) -> Iterator[SourceLine]:
    """Yield the numbers in a pack's tables that are not from the rulebook."""
    world = checked.program.world
    effects = {
        field.name
        for kind in world.kinds.values()
        for field in kind.fields.values()
        if field.type in {"effect", "automatic", "formula"}
    }
    for path in _tables(layers):
        table = layers.get(path, world.start)
        if table is not None:
            yield from _leaves(table, table.data, (), effects)


def _tables(layers: Layered) -> list[str]:
    unread = {(pack.id, path) for pack, path in layers.unread()}
    found: dict[str, None] = {}
    for pack in layers.packs:
        for path in pack.toml_paths():
            if (pack.id, path) not in unread:
                found[path] = None
    return list(found)


def _leaves(
    table: MergedTable, value: object, path: tuple[str | int, ...], effects: set[str]
) -> Iterator[SourceLine]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ABOUT_ITSELF:
                yield from _leaves(table, inner, (*path, key), effects)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _leaves(table, inner, (*path, at), effects)
    elif isinstance(value, bool):
        return
    elif isinstance(value, int):
        yield from _line(table, path, str(value))
    elif isinstance(value, str) and effects & {part for part in path if isinstance(part, str)}:
        for number in NUMBER.findall(value):
            yield from _line(table, path, number)


def _line(table: MergedTable, path: tuple[str | int, ...], number: str) -> Iterator[SourceLine]:
    source = table.source_of(path) or UNSAID
    if source != RULEBOOK:
        name = ".".join(str(part) for part in path)
        yield SourceLine(source, table.span(path), name, number)


# -------------------------------------------------------------------- rules
def _in_rules(layers: Layered) -> Iterator[SourceLine]:
    for text in layers.rules:
        source = RULEBOOK
        for declaration in parse_file(text.text, text.path, Findings()).file.declarations:
            if isinstance(declaration, de.SourceDecl):
                source = declaration.source
            elif source != RULEBOOK:
                for each in walk(declaration):
                    if isinstance(each, ex.Number):
                        name = _name(declaration)
                        yield SourceLine(source, each.span, name, str(each.value))


def _name(declaration: de.Decl) -> str:
    for part in ("names", "header", "name", "kind", "word"):
        found = getattr(declaration, part, None)
        if found is not None:
            word = getattr(found, "singular", None) or getattr(found, "name", None) or found
            return str(getattr(word, "text", ""))
    return ""
