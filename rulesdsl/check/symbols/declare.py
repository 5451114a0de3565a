"""Declarations of kinds, pieces, places, tracks, flags, options and panels; name checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import attrs

from rulesdsl.check.symbols import symbol_table as sy
from rulesdsl.check.symbols import wording
from rulesdsl.check.symbols.names import constant_number, words_in
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.symbols.types import VIEWERS, SeenBy
from rulesdsl.source.diagnostics import Detail, Findings, Related, Wording, among, similar
from rulesdsl.source.english import noun_forms, plural_of, spoken
from rulesdsl.source.facts import BadBounds, DeclaredTwice, InListTwice, OutOfRange, WrongPrefix
from rulesdsl.source.span import Span
from rulesdsl.source.tree import walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.lexer import begins
from rulesdsl.syntax.node import MAX_NUMBER, Identifier
from rulesdsl.syntax.statements import Header
from rulesdsl.syntax.wording import WORD_OF_THE_LANGUAGE

NAMING = ("name", "variable", "first", "second", "singular", "plural")
BUILT_IN = {
    *("seat", "player", "number", "position", "owner"),
    *("players", "seats", "score", "standing", "done"),
}
_WithName = de.FlagDecl | de.MemoryDecl | de.OptionDecl | de.RivalDecl
SIMPLE_FIELDS = {"number", "yes-no", "text", "bundle", "effect", "automatic", "formula"}

NOTHING = -1  # what an empty memory holds
MOST = 2**63 - 1
MAX_PIECES = 1000  # of a kind
MAX_VALUES = 1000  # of an option


# -------------------------------------------------------------------- words of the language
def check_words(world: SymbolTable, declarations: Iterable[de.Decl], findings: Findings) -> None:
    """Report declared names that are keywords of the language."""
    for decl in declarations:
        for word in _reserved_in(decl):
            report_word(word.text, word.span, world, findings)


def _reserved_in(decl: de.Decl) -> Iterator[Identifier]:
    for node in walk(decl):
        reserved = begins("stmt" if isinstance(node, Header) else "arg")
        members = node.members if isinstance(node, de.KindDecl) else ()
        cls: type = type(node)
        for word in (*(getattr(node, field) for field in _naming(cls)), *members):
            if isinstance(word, Identifier) and word.text in reserved:
                yield word


@cache
def _naming(cls: type) -> list[str]:
    return [field for field in NAMING if hasattr(cls, field)]


def report_word(name: str, span: Span, world: SymbolTable, findings: Findings) -> None:
    """Report a declared name that is a keyword of the language, and record it as broken."""
    WORD_OF_THE_LANGUAGE.report(findings, span, name=name)
    world.broken.add(name)


# -------------------------------------------------------------------- names
def title_of(name: str) -> str:
    """Return the default title for a symbol: its name without the mod's id."""
    return spoken(name).capitalize()


def check_prefix(name: str, span: Span, world: SymbolTable, findings: Findings) -> None:
    """Report a name that has the prefix of another pack."""
    prefix, dot, bare = name.rpartition(".")
    pack = world.pack_of(span)
    if dot and prefix != pack:
        own = f"{pack}.{bare}" if pack in world.mods else bare
        facts = WrongPrefix(name, own)
        wording.WRONG_PREFIX.report(findings, span, name=name, prefix=prefix, own=own, facts=facts)


@attrs.define
class Declarations:
    """State for processing declarations: the symbol table, findings, and recorded references."""

    world: SymbolTable
    findings: Findings
    noted: sy.ReferenceRecorder = attrs.Factory(sy.ReferenceRecorder)

    def take(self, word: Identifier) -> bool:
        """Return whether a declaration may use a name; report one that is already taken."""
        first = self._first_span(word.text)
        is_first = first in {None, word.span}
        role = sy.ReferenceRole.DECLARES if is_first else sy.ReferenceRole.USES
        self.noted.word(word, sy.SymbolKind.NOUN, word.text, role=role)
        return self._take(word.text, word.span)

    def _take(self, name: str, span: Span) -> bool:
        world = self.world
        if name in BUILT_IN:
            report_word(name, span, world, self.findings)
            return False
        check_prefix(name, span, world, self.findings)
        first = self._first_span(name)
        if first in {None, span}:
            return True
        assert first is not None
        how = "declared here first"
        if name in world.plurals:
            how = (
                f"`{name}` is the plural of this; to change it, write `{world.plurals[name]}/...`"
            )
        said, facts = wording.DECLARED_TWICE, DeclaredTwice()
        wording.report_twice(
            said, self.findings, span, Related(first, how), world, name=name, facts=facts
        )
        world.broken.add(name)  # ambiguous
        return False

    def _first_span(self, name: str) -> Span | None:
        """Return the span of a noun's declaration; None for a number, which may be redefined."""
        role, singular = self.world.role(name), self.world.singular(name)
        return None if role in {"", "number"} else self.world.nouns[role][singular].span

    def take_all(self, names: de.Names) -> tuple[str, str, str, Span] | None:
        """Return the singular, plural, title and span of a noun, or None if its name is taken."""
        singular, span = names.singular.text, names.singular.span
        if names.plural is not None:
            self.noted.word(names.plural, sy.SymbolKind.NOUN, singular)
        if not self.take(names.singular):
            return None
        bare, plural = spoken(singular), names.plural.text if names.plural else plural_of(singular)
        self.world.nouns_in_words[singular] = noun_forms(
            names.title or bare, bare, spoken(plural) if names.plural else None
        )
        if plural != singular and self._take(plural, span):
            self.world.plurals[plural] = singular
        return singular, plural, names.title or title_of(singular), span

    def choose(self, word: Identifier, known: Iterable[str], what: str, name: str = "") -> bool:
        """Return whether a word, or its singular `name`, is known; report an unknown one.

        A word that may be unknown because of another error is not reported.
        """
        known = list(known)
        self.noted.expect(word.text, known)
        if (name or word.text) in known:
            return True
        if not self.world.doubtful(word.text):
            advice = among(word.text, known)
            said = wording.UNKNOWN
            wording.report_unknown(said, what, word, self.world, self.findings, advice)
        return False

    def one_of(
        self, word: Identifier | None, known: Iterable[str], said: Wording, **fields: Detail
    ) -> bool:
        """Return whether an optional word is absent or in a fixed list; report any other word."""
        known = list(known)
        if word is None:
            return True
        self.noted.expect(word.text, known)
        if word.text in known:
            return True
        help_text = similar(word.text, known)
        said.report(self.findings, word.span, (), advice=help_text, name=word.text, **fields)
        return False


def word_text(word: Identifier | None) -> str | None:
    """Return the text of an optional word, or None."""
    return None if word is None else word.text


def _seen_by(seen: de.SeenBy | None) -> SeenBy | None:
    """Return the viewers of a place or track; `nobody` for an unknown word."""
    if seen is None:
        return None
    return next((viewers for viewers in VIEWERS if viewers == seen.viewers.text), "nobody")


def _texts(words: tuple[Identifier, ...]) -> tuple[str, ...]:
    return tuple(word.text for word in words)


# -------------------------------------------------------------------- things
def declare_thing(names: Declarations, decl: de.Decl) -> None:
    """Declare a kind, piece, place, track, flag, option, rival or panel."""
    world = names.world
    if isinstance(decl, de.KindDecl):
        _kind(names, decl)
    elif isinstance(decl, de.PieceDecl):
        _piece(names, decl)
    elif isinstance(decl, de.PlaceDecl):
        _place(names, decl)
    elif isinstance(decl, de.TrackDecl):
        _track(names, decl)
    elif isinstance(decl, de.PanelDecl):
        world.panels.append(decl)
    elif isinstance(decl, _WithName) and names.take(decl.name):
        name, span = decl.name.text, decl.name.span
        if isinstance(decl, de.FlagDecl | de.MemoryDecl):
            title, dims = decl.title or spoken(name), _texts(decl.per)
            seen_by, during = _seen_by(decl.seen_by), word_text(decl.during)
            if isinstance(decl, de.FlagDecl):
                lasting = during, decl.quiet
                world.flags[name] = sy.FlagInfo(name, title, span, dims, seen_by, *lasting)
                return
            title, kind = decl.title or title_of(name), decl.kind.text
            cells = dims, seen_by, NOTHING, NOTHING, during, decl.quiet
            world.tracks[name] = sy.MemoryInfo(name, name, title, span, *cells, kind=kind)
            world.nouns_in_words[name] = title, title
        elif isinstance(decl, de.OptionDecl):
            world.options[name] = _option(names, decl)
        else:
            rival = sy.RivalInfo(name, decl.title, span, not decl.without_score, decl.when)
            world.rivals[name] = rival


def _kind(names: Declarations, decl: de.KindDecl) -> None:
    known = names.world.kinds.get(decl.names.singular.text)
    if known is not None and not decl.members and decl.table is None:
        names.noted.noun(decl.names.singular, names.world)
        _add_fields(names, known, decl.fields)  # extends a kind declared elsewhere
        return
    named = names.take_all(decl.names)
    if named is not None:
        kind = _add_kind(names, sy.KindInfo(*named, "kind", numbered=decl.numbered), decl)
        _add_members(names, kind, decl.members)


def _add_members(names: Declarations, kind: sy.KindInfo, members: Iterable[Identifier]) -> None:
    for word in members:
        name, span = word.text, word.span
        names.noted.word(word, sy.SymbolKind.ENTRY, name, kind.name, sy.ReferenceRole.DECLARES)
        if name in kind.index:
            wording.LISTED_TWICE.report(names.findings, span, name=name, facts=InListTwice())
        else:
            names.world.add(kind, sy.EntryInfo(kind.name, name, title_of(name), name, span))


def _add_kind(
    names: Declarations, kind: sy.KindInfo, decl: de.KindDecl | de.PieceDecl | de.PlaceDecl
) -> sy.KindInfo:
    if decl.table is not None:
        kind.table, kind.table_span = decl.table.path, decl.table.span
    _add_fields(names, kind, decl.fields)
    names.world.kinds[kind.name] = kind
    return kind


def _add_fields(names: Declarations, kind: sy.KindInfo, fields: de.Fields) -> None:
    for field in fields:
        if not isinstance(field, de.FieldDecl):
            continue
        name, span = field.name.text, field.name.span
        names.noted.word(
            field.name, sy.SymbolKind.FIELD, name, kind.name, sy.ReferenceRole.DECLARES
        )
        per, back = word_text(field.per), field.seen_by is not None
        info = sy.FieldInfo(
            name, field.type.text, per, field.default, back, field.quiet, span, kind.name
        )
        first = kind.fields.setdefault(name, info)
        pack_of = names.world.pack_of
        is_shared = first == info and pack_of(first.span) != pack_of(span)
        if first is not info and not is_shared:
            related = [Related(first.span, "declared here first")]
            wording.FIELD_TWICE.report(names.findings, span, related, kind=kind.name, name=name)


def _piece(names: Declarations, decl: de.PieceDecl) -> None:
    named = names.take_all(decl.names)
    if named is None:
        return
    name, plural, *_ = named
    printed = decl.table is not None or bool(decl.fields)
    count = 1 if decl.count is None else _count(names, decl.count)
    if count is None:
        names.world.broken.update({name, plural})  # it is unknown whether they are counted
        count = 2
    style = "printed" if printed else ("single" if count == 1 else "counted")
    per = word_text(decl.per)
    names.world.pieces[name] = sy.PieceInfo(*named, style, per, count, decl.home, decl.quiet)
    if printed:
        _add_kind(names, sy.KindInfo(*named, "piece"), decl)


def _count(names: Declarations, expr: ex.Expr) -> int | None:
    (number,) = _constants(names, expr)
    if number is None:
        _not_fixed(names, expr, wording.COUNT_NOT_FIXED)
    elif not 0 < number <= MAX_PIECES:
        facts = OutOfRange(1, MAX_PIECES)
        wording.BAD_COUNT.report(
            names.findings, expr.span, number=number, most=MAX_PIECES, facts=facts
        )
        return None
    return number


def _constants(names: Declarations, *exprs: ex.Expr) -> list[int | None]:
    """Evaluate expressions, with None for each one that is not constant."""
    for each in exprs:
        names.noted.value(each, "number", names.world)
    return [constant_number(each, names.world) for each in exprs]


def _not_fixed(
    names: Declarations, expr: ex.Expr | ex.Range, said: Wording, facts: object = None
) -> None:
    """Report an expression that should be constant but is not, or the unknown names in it."""
    world = names.world
    unknown = [each for each in words_in(expr) if each.text not in world.constants]
    if any(world.doubtful(word.text) for word in unknown):
        return
    unknown = [word for word in unknown if word.text not in BUILT_IN]
    for word in unknown:
        advice, missing = similar(word.text, world.constants), wording.UNKNOWN_NUMBER
        wording.report_unknown(
            missing, "numbers", word, world, names.findings, advice or said.advice
        )
    if not unknown:
        said.report(names.findings, expr.span, facts=facts)


def _place(names: Declarations, decl: de.PlaceDecl) -> None:
    titles = names.take_all(decl.names)
    if titles is None:
        return
    name, *_ = titles
    table = decl.table is not None or bool(decl.fields)
    dims = ((name,) if table else ()) + _texts(decl.per)
    seen_by, holds = _seen_by(decl.seen_by), _texts(decl.holds)
    counted = None if decl.seen_by is None else decl.seen_by.counted
    only = None if counted is None else counted == "only"
    names.world.places[name] = sy.PlaceInfo(
        *titles, decl.stack, table, dims, seen_by, holds, decl.quiet, only
    )
    if table:
        _add_kind(names, sy.KindInfo(*titles, "place", numbered=decl.numbered), decl)


def _track(names: Declarations, decl: de.TrackDecl) -> None:
    named = names.take_all(decl.names)
    if named is None:
        return
    low: int | None = 0
    high: int | None = MOST
    if decl.bounds is not None:
        low, high = _constants(names, decl.bounds.low, decl.bounds.high)
        if low is None or high is None or low > high:
            _not_fixed(names, decl.bounds, wording.BOUNDS_NOT_FIXED, BadBounds())
            low, high = 0, MOST
    dims, during, seen_by = _texts(decl.per), word_text(decl.during), _seen_by(decl.seen_by)
    track = sy.TrackInfo(*named, dims, seen_by, low or 0, high or 0, during, decl.quiet)
    names.world.tracks[track.name] = track


def _option(names: Declarations, decl: de.OptionDecl) -> sy.OptionSymbol:
    name, span = decl.name.text, decl.name.span
    if decl.switch is not None:
        return sy.OptionSymbol(name, decl.title, span, int(decl.switch), 0, 1, (), switch=True)
    if decl.number is not None and decl.bounds is not None:
        numbers = _option_numbers(names, decl.number, decl.bounds)
        return sy.OptionSymbol(name, decl.title, span, *numbers, (), switch=False)
    kind = names.world.kinds[name] = sy.KindInfo(name, name, decl.title, span, "option")
    _add_members(names, kind, decl.values)
    values = _texts(decl.values)
    return sy.OptionSymbol(name, decl.title, span, 0, 0, len(values) - 1, values, switch=False)


def _option_numbers(
    names: Declarations, number: ex.Expr, bounds: ex.Range
) -> tuple[int, int, int]:
    """Return the default, minimum and maximum of a numeric option."""
    default, low, high = _constants(names, number, bounds.low, bounds.high)
    if default is None or low is None or high is None or not low <= default <= high:
        whole = ex.Range(number, bounds, span=number.span.to(bounds.span))
        _not_fixed(names, whole, wording.OPTION_NOT_FIXED)
        return 0, 0, 0
    if MAX_VALUES <= high - low <= MAX_NUMBER:
        count = high - low + 1
        wording.TOO_MANY_VALUES.report(names.findings, bounds.span, number=count, most=MAX_VALUES)
        return default, default, default
    return default, low, high
