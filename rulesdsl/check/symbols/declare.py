"""Declarations of kinds, pieces, places, tracks, flags, options and panels; name checks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.symbols.names import constant_number, words_in
from rulesdsl.check.symbols.symbol_table import (
    EntryInfo,
    FieldInfo,
    FlagInfo,
    KindInfo,
    OptionSymbol,
    PieceInfo,
    PlaceInfo,
    ReferenceRecorder,
    ReferenceRole,
    RivalInfo,
    SymbolKind,
    TrackInfo,
)
from rulesdsl.source.diagnostics import Related, similar
from rulesdsl.source.english import spoken
from rulesdsl.source.facts import BadBounds, DeclaredTwice, InListTwice, OutOfRange, WrongPrefix
from rulesdsl.source.tree import walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.declarations import Decl, KindDecl
from rulesdsl.syntax.lexer import begins
from rulesdsl.syntax.node import MAX_NUMBER, Identifier
from rulesdsl.syntax.statements import Header
from rulesdsl.syntax.wording import of_the_language

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.symbols.symbol_table import SymbolTable
    from rulesdsl.source.diagnostics import Findings
    from rulesdsl.source.span import Span


NAMING = ("name", "variable", "first", "second", "singular", "plural")


def check_words(world: SymbolTable, declarations: Iterable[Decl], findings: Findings) -> None:
    """Report declared names that are words of the language."""
    for decl in declarations:
        for word in _words_in(decl):
            report_word(word.text, word.span, world, findings)


def has_words(decl: Decl) -> bool:
    """Return whether a declaration declares words of the language."""
    return any(True for _ in _words_in(decl))


def _words_in(decl: Decl) -> Iterator[Identifier]:
    for node in walk(decl):
        reserved = begins("stmt" if isinstance(node, Header) else "arg")
        members = node.members if isinstance(node, KindDecl) else ()
        cls: type = type(node)
        for word in (*(getattr(node, field) for field in _naming(cls)), *members):
            if isinstance(word, Identifier) and word.text in reserved:
                yield word


@cache
def _naming(cls: type) -> list[str]:
    return [field for field in NAMING if hasattr(cls, field)]


def report_word(name: str, span: Span, world: SymbolTable, findings: Findings) -> None:
    """Report a declared name that is a word of the language, and mark it as broken."""
    findings.report("E413", span, *of_the_language(name))
    world.broken.add(name)


Named = tuple[str, str, str, "Span"]
"""Name, plural, title, and span of the name."""

BUILT_IN = {
    "seat",
    "player",
    "number",
    "position",
    "owner",
    "players",
    "seats",
    "score",
    "standing",
    "done",
}


def plural_of(word: str) -> str:
    """Return the regular English plural."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word + "s"


def title_of(name: str) -> str:
    """Return the default title of a thing: its name without the mod's id."""
    return spoken(name.rpartition(".")[2]).capitalize()


def check_prefix(name: str, span: Span, world: SymbolTable, findings: Findings) -> None:
    """Report a name with the prefix of another pack."""
    prefix, dot, bare = name.rpartition(".")
    pack = world.pack_of(span)
    if dot and prefix != pack:
        own = f"`{pack}.{bare}`" if pack in world.mods else f"`{bare}`"
        findings.report(
            "E206",
            span,
            f"`{name}` begins with `{prefix}`, but `{prefix}` is not the mod that declares it.",
            f"Put the id of the declaring mod before the dot: {own}.",
            facts=WrongPrefix(name, own.strip("`")),
        )


def another_name(name: str, span: Span, first: Span, world: SymbolTable) -> str:
    """Return the advice for a name that is declared twice."""
    pack = world.pack_of(span)
    if pack in world.mods and pack != world.pack_of(first) and "." not in name:
        return f"Put the id of the mod before one of them: `{pack}.{name}`."
    return "Give one of them another name."


@attrs.define
class Declarations:
    """State shared by declarations: the symbol table they fill, and the names in use."""

    world: SymbolTable
    findings: Findings
    noted: ReferenceRecorder = attrs.Factory(ReferenceRecorder)
    _taken: dict[str, Span] = attrs.Factory(dict)

    def take(self, word: Identifier) -> bool:
        """Register the name of a declaration; report it and return False if it is taken."""
        taken = self._take(word.text, word.span)
        first = self._taken.get(word.text, word.span) == word.span
        role = ReferenceRole.DECLARES if first else ReferenceRole.USES
        self.noted.word(word, SymbolKind.NOUN, word.text, role=role)
        return taken

    def _take(self, name: str, span: Span) -> bool:
        if name in BUILT_IN:
            report_word(name, span, self.world, self.findings)
            return False
        check_prefix(name, span, self.world, self.findings)
        first = self._taken.setdefault(name, span)
        if first == span:
            return True
        singular = self.world.plurals.get(name)
        how = f"`{name}` is the plural of this; `{singular}/...` gives another"
        self.findings.report(
            "E202",
            span,
            f"`{name}` is declared twice.",
            another_name(name, span, first, self.world),
            [Related(first, how if singular else "declared here first")],
            facts=DeclaredTwice(),
        )
        self.world.broken.add(name)  # ambiguous
        return False

    def take_all(self, names: de.Names) -> Named | None:
        """Register singular and plural; return them with the title, or None if rejected."""
        singular, span = names.singular.text, names.singular.span
        if names.plural is not None:
            self.noted.word(names.plural, SymbolKind.NOUN, singular)
        if not self.take(names.singular):
            return None
        plural = names.plural.text if names.plural else plural_of(singular)
        if plural != singular and self._take(plural, span):
            self.world.plurals[plural] = singular
        return singular, plural, names.title or title_of(singular), span


def word_text(word: Identifier | None) -> str | None:
    """Return the text of an optional word."""
    return None if word is None else word.text


SIMPLE_FIELDS = {"number", "yes-no", "text", "bundle", "effect", "automatic", "formula"}

MOST = 2**63 - 1
MAX_VALUES = 1000  # values of an option


def declare_thing(names: Declarations, decl: de.Decl) -> None:  # noqa: C901 - one case per declaration
    """Declare a thing."""
    match decl:
        case de.KindDecl():
            _kind(names, decl)
        case de.PieceDecl():
            _piece(names, decl)
        case de.PlaceDecl():
            _place(names, decl)
        case de.TrackDecl():
            _track(names, decl)
        case de.FlagDecl():
            name, span = decl.name.text, decl.name.span
            if names.take(decl.name):
                during = word_text(decl.during)
                names.world.flags[name] = FlagInfo(
                    name, span, _texts(decl.per), during, decl.quiet
                )
        case de.OptionDecl():
            _option(names, decl)
        case de.RivalDecl():
            name, span = decl.name.text, decl.name.span
            if names.take(decl.name):
                rival = RivalInfo(name, decl.title, span, not decl.without_score, decl.when)
                names.world.rivals[name] = rival
        case de.PanelDecl():
            names.world.panels.append(decl)
        case de.VerdictDecl():
            names.world.verdicts.append(decl)
        case (
            de.ConstantsDecl()
            | de.EntryDecl()
            | de.SourceDecl()
            | de.ValueDecl()
            | de.ProcedureDecl()
            | de.HookDecl()
            | de.ValueHookDecl()
            | de.TextHookDecl()
            | de.ScoreDecl()
            | de.WinDecl()
        ):
            pass  # not things


def _texts(words: tuple[Identifier, ...]) -> tuple[str, ...]:
    return tuple(word.text for word in words)


def _kind(names: Declarations, decl: de.KindDecl) -> None:
    known = names.world.kinds.get(decl.names.singular.text)
    if known is not None and not decl.members and decl.table is None:
        names.noted.noun(decl.names.singular, names.world)
        _add_fields(names, known, decl.fields)  # extends a kind declared elsewhere
        return
    named = names.take_all(decl.names)
    if named is not None:
        kind = _add_kind(names, KindInfo(*named, "kind"), decl)
        for word in decl.members:
            _member(names, kind, word)


def _member(names: Declarations, kind: KindInfo, word: Identifier) -> None:
    names.noted.word(word, SymbolKind.ENTRY, word.text, kind.name, ReferenceRole.DECLARES)
    if word.text in kind.index:
        names.findings.report(
            "E202",
            word.span,
            f"`{word.text}` is in this list twice.",
            "Leave one out.",
            facts=InListTwice(),
        )
    else:
        title = title_of(word.text)
        names.world.add(kind, EntryInfo(kind.name, word.text, title, word.text, word.span))


def _add_kind(
    names: Declarations, kind: KindInfo, decl: de.KindDecl | de.PieceDecl | de.PlaceDecl
) -> KindInfo:
    if decl.table is not None:
        kind.table, kind.table_span = decl.table.path, decl.table.span
    _add_fields(names, kind, decl.fields)
    names.world.kinds[kind.name] = kind
    return kind


def _add_fields(names: Declarations, kind: KindInfo, fields: de.Fields) -> None:
    for field in fields:
        if not isinstance(field, de.FieldDecl):
            continue
        name = field.name.text
        names.noted.word(field.name, SymbolKind.FIELD, name, kind.name, ReferenceRole.DECLARES)
        if name in kind.fields:
            names.findings.report(
                "E202",
                field.name.span,
                f"`{kind.name}` has a field `{name}` already.",
                "Give one of them another name.",
                [Related(kind.fields[name].span, "declared here first")],
            )
            continue
        kind.fields[name] = FieldInfo(
            name,
            field.type.text,
            word_text(field.per),
            field.default,
            field.seen_by is not None,
            field.quiet,
            field.name.span,
        )


def _piece(names: Declarations, decl: de.PieceDecl) -> None:
    named = names.take_all(decl.names)
    if named is None:
        return
    name, plural, *_ = named
    printed = decl.table is not None or bool(decl.fields)
    count = 1 if decl.count is None else _count(names, decl.count)
    if count is None:
        names.world.broken.update({name, plural})  # counted or single is unknown
        count = 2
    style = "printed" if printed else ("single" if count == 1 else "counted")
    per = word_text(decl.per)
    names.world.pieces[name] = PieceInfo(*named, style, per, count, decl.home, decl.quiet)
    if printed:
        _add_kind(names, KindInfo(*named, "piece"), decl)


def _count(names: Declarations, expr: ex.Expr) -> int | None:
    names.noted.value(expr, "number", names.world)
    number = constant_number(expr, names.world)
    if number is None:
        _not_fixed(
            names,
            expr,
            "The number of pieces in the box is fixed: a number or a named number.",
            "Write a number, or a name from a constants file.",
        )
        return None
    if not 0 < number <= 1000:  # noqa: PLR2004
        names.findings.report(
            "E407",
            expr.span,
            f"A kind cannot have {number} pieces.",
            "It can have 1 to 1000.",
            facts=OutOfRange(1, 1000),
        )
        return None
    return number


def _not_fixed(
    names: Declarations,
    expr: ex.Expr | ex.Range,
    message: str,
    help_text: str,
    facts: object = None,
) -> None:
    """Report an expression that must be constant, or the unknown name in it."""
    world = names.world
    unknown = [each for each in words_in(expr) if each.text not in world.constants]
    if any(world.doubtful(word.text) for word in unknown):
        return
    unknown = [word for word in unknown if word.text not in BUILT_IN]
    for word in unknown:
        names.findings.report(
            "E201",
            word.span,
            f"There is no number called `{word.text}`.",
            similar(word.text, world.constants) or help_text,
        )
    if not unknown:
        names.findings.report("E301", expr.span, message, help_text, facts=facts)


def _place(names: Declarations, decl: de.PlaceDecl) -> None:
    named = names.take_all(decl.names)
    if named is None:
        return
    name, *_ = named
    table = decl.table is not None or bool(decl.fields)
    dims = ((name,) if table else ()) + _texts(decl.per)
    names.world.places[name] = PlaceInfo(
        *named, decl.stack, table, dims, word_text(decl.seen_by), _texts(decl.holds), decl.quiet
    )
    if table:
        _add_kind(names, KindInfo(*named, "place"), decl)


def _track(names: Declarations, decl: de.TrackDecl) -> None:
    named = names.take_all(decl.names)
    if named is None:
        return
    low: int | None = 0
    high: int | None = MOST
    if decl.bounds is not None:
        names.noted.value(decl.bounds, "number", names.world)
        low = constant_number(decl.bounds.low, names.world)
        high = constant_number(decl.bounds.high, names.world)
    if low is None or high is None or low > high:
        assert decl.bounds is not None
        _not_fixed(
            names,
            decl.bounds,
            "The bounds of a track are two fixed numbers, the lower one first.",
            "For example `from 0..20`.",
            BadBounds(),
        )
        low, high = 0, MOST
    dims, during = _texts(decl.per), word_text(decl.during)
    track = TrackInfo(*named, dims, word_text(decl.seen_by), low, high, during, decl.quiet)
    names.world.tracks[track.name] = track


def _option(names: Declarations, decl: de.OptionDecl) -> None:
    name, span = decl.name.text, decl.name.span
    if not names.take(decl.name):
        return
    if decl.switch is not None:
        info = OptionSymbol(name, decl.title, span, int(decl.switch), 0, 1, (), switch=True)
    elif decl.number is not None and decl.bounds is not None:
        info = _number_option(names, decl, decl.number, decl.bounds)
    else:
        values = _texts(decl.values)
        info = OptionSymbol(name, decl.title, span, 0, 0, len(values) - 1, values, switch=False)
        kind = KindInfo(name, name, decl.title, span, "option")
        names.world.kinds[name] = kind
        for word in decl.values:
            _member(names, kind, word)
    names.world.options[name] = info


def _number_option(
    names: Declarations, decl: de.OptionDecl, number: ex.Expr, bounds: ex.Range
) -> OptionSymbol:
    names.noted.value(number, "number", names.world)
    names.noted.value(bounds, "number", names.world)
    default = constant_number(number, names.world)
    low = constant_number(bounds.low, names.world)
    high = constant_number(bounds.high, names.world)
    if default is None or low is None or high is None or not low <= default <= high:
        _not_fixed(
            names,
            ex.Range(number, bounds, span=number.span.to(bounds.span)),
            "The number of an option is fixed and within its bounds.",
            "For example `3 in 2..4`.",
        )
        default = low = high = 0
    elif MAX_VALUES <= high - low <= MAX_NUMBER:
        message = f"An option cannot have {high - low + 1} values."
        help_text = f"It can have 1 to {MAX_VALUES}."
        names.findings.report("E407", bounds.span, message, help_text)
        high = default = low
    return OptionSymbol(
        decl.name.text, decl.title, decl.name.span, default, low, high, (), switch=False
    )
