"""Symbol table of a pack, and the record of references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, ClassVar, TypeAlias, TypeVar

import attrs

from rulesdsl.check.symbols.types import SEAT_WORDS, Indexed, SeenBy, Type
from rulesdsl.packs.manifest import MAX_PLAYERS, Manifest
from rulesdsl.source.language import NEWEST, Language
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.source.tree import walk
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.declarations import Decl, PanelDecl, WinDecl
from rulesdsl.syntax.expressions import Best, Expr, Text
from rulesdsl.syntax.lexer import ANY_NAME
from rulesdsl.syntax.node import Identifier
from rulesdsl.syntax.statements import Body, Formula

Ending = TypeVar("Ending", bound=Decl)
HOLE = "?"  # placeholder for a name being typed; not a valid name


# References: the symbol that each name in the rules refers to, recorded by the resolver during
# every check (like `Info` of go/types). The editor's features are queries on this record.
class SymbolKind(StrEnum):
    """Category of the symbols that a name can refer to."""

    NOUN = "noun"  # a global name: kinds, pieces, tracks, numbers
    VERB = "verb"  # a verb or step
    ENTRY = "entry"  # of the kind `of`
    FIELD = "field"  # of the kind `of`
    LOCAL = "local"  # `of` is the position of its binding
    ACTOR = "actor"  # `me` or `my`
    CANDIDATE = "candidate"  # `it`


class ReferenceRole(StrEnum):
    """Role of a name where it occurs."""

    DECLARES = "declares"
    HOOKS = "hooks"
    USES = "uses"


@attrs.frozen
class Symbol:
    """Symbol: its kind, its name, and the kind or binding that it belongs to."""

    sort: SymbolKind
    name: str
    of: str = ""


@attrs.frozen
class Reference:
    """Span that begins with a name, or with `my` and a name, and the symbol it refers to.

    `type` is set for locals, actors and candidates. With a `role`, the span is exactly the name.
    """

    span: Span
    thing: Symbol
    type: Type | None = None
    role: ReferenceRole | None = None


@attrs.frozen
class HoleExpectation:
    """Names that fit a hole, and the types of locals in scope."""

    names: frozenset[str]
    locals: Mapping[str, Type] = attrs.Factory(dict)


@attrs.define(eq=False)
class ReferenceRecorder:
    """Recorder of references, and of expectations at holes."""

    mentions: list[Reference] = attrs.Factory(list)
    expected: list[HoleExpectation] = attrs.Factory(list)

    def note(self, span: Span, thing: Symbol, kind: Type | None = None) -> None:
        """Record the symbol of the name at the start of a span."""
        self.mentions.append(Reference(span, thing, kind))

    def word(
        self,
        word: Identifier,
        sort: SymbolKind,
        name: str,
        of: str = "",
        role: ReferenceRole = ReferenceRole.USES,
    ) -> None:
        """Record the symbol of a word in a declaration."""
        self.mentions.append(Reference(word.span, Symbol(sort, name, of), role=role))

    def noun(self, word: Identifier | None, world: SymbolTable) -> None:
        """Record a global name, if it is declared."""
        if word is not None and world.declares(word.text):
            self.word(word, SymbolKind.NOUN, world.singular(word.text))

    def value(self, said: ex.Expr | None, kind: str, world: SymbolTable) -> None:
        """Record the names in a field's constant value: an entry, or named numbers."""
        if kind in world.kinds:
            if isinstance(said, ex.Name) and said.name in world.kinds[kind].index:
                self.word(Identifier(said.name, span=said.span), SymbolKind.ENTRY, said.name, kind)
        elif kind == "number":
            for each in walk(said):
                if isinstance(each, ex.Name):
                    self.noun(Identifier(each.name, span=each.span), world)

    def bound(self, name: str, span: Span, kind: Type) -> Symbol:
        """Record the binding of a name to a local, and return its symbol."""
        self.expect(name, ())  # any name fits
        place = f"{span.file}:{span.line}:{span.column}"
        thing = Symbol(SymbolKind.LOCAL, name, place)
        self.note(span, thing, kind)
        return thing

    def expect(
        self, name: str, names: Iterable[str], known: Mapping[str, Type] | None = None
    ) -> None:
        """Record the names that fit in place of `name`, if it is a hole."""
        if name == HOLE:
            self.expected.append(HoleExpectation(frozenset(names), known or {}))


Cell = tuple[str, str, str]
"""Abstract state cell: the kind of state, the piece, track or flag, and the place of pieces.

The kinds are "n" for counted pieces, "l" for printed and "s" for single ones, "t" for tracks and
"f" for flags. The termination analysis also has "o" for the pieces outside a place, of which each
move into the place takes one, and "u" for the distance of a track from its upper bound.
"""


@attrs.define
class FieldInfo:
    """Field of a kind: its type, the kind that indexes it, and its default."""

    name: str
    type: str
    per: str | None
    default: Expr | None
    back: bool  # printed on the backs of pieces
    quiet: bool  # bookkeeping, not shown to players
    span: Span = attrs.field(eq=False)
    kind: str


@attrs.define
class EntryInfo:
    """Entry of a kind; its values are keyed by field and, if the field is indexed, by entry."""

    kind: str
    name: str
    title: str
    id: str
    span: Span
    article: str = ""  # "the " where sentences put it before the title
    copies: int = 1
    effects: dict[tuple[str, str | None], Body] = attrs.Factory(dict)
    values: dict[tuple[str, str | None], object] = attrs.Factory(dict)
    formulas: dict[tuple[str, str | None], Expr] = attrs.Factory(dict)
    spans: dict[str, Span] = attrs.Factory(dict)
    wrong: set[str] = attrs.Factory(set)  # fields with errors

    def values_of(self, field: FieldInfo) -> dict[tuple[str, str | None], Any]:
        """Return the dictionary that holds a field's values; the field's type determines it."""
        if field.type in {"effect", "automatic"}:
            return self.effects
        return self.formulas if field.type == "formula" else self.values


@attrs.define
class KindInfo:
    """Kind: a plain kind, a table of places, or pieces with printed data."""

    name: str
    plural: str
    title: str
    span: Span
    role: str  # "kind", "place", "piece", "option"
    table: str | None = None
    table_span: Span = NOWHERE
    fields: dict[str, FieldInfo] = attrs.Factory(dict)
    entries: list[EntryInfo] = attrs.Factory(list)
    index: dict[str, int] = attrs.Factory(dict)
    numbered: bool = False  # players type the number in an entry's title

    @property
    def has_copies(self) -> bool:
        """True if some entry stands for several equal pieces."""
        return any(entry.copies > 1 for entry in self.entries)


@attrs.define
class PieceInfo:
    """Kind of piece.

    Its `style` is counted (interchangeable pieces), single (one, or one per seat) or printed.
    """

    name: str
    plural: str
    title: str
    span: Span
    style: str
    per: str | None
    count: int
    home: Expr | None
    quiet: bool = False  # bookkeeping: not in the log or on the board

    @property
    def owned(self) -> bool:
        """True if every piece belongs to a seat."""
        return self.per is not None


@attrs.define
class PlaceInfo(Indexed):
    """Kind of place; `dims` are the kinds that index it, its own table first."""

    name: str
    plural: str
    title: str
    span: Span
    stack: bool
    table: bool
    dims: tuple[str, ...]
    seen_by: SeenBy | None
    holds: tuple[str, ...]
    quiet: bool = False
    only: bool | None = None  # others do not know the number of pieces; False: all count them
    unsure: bool = False  # its contents have errors


@attrs.define
class TrackInfo(Indexed):
    """Track: its bounds, the kinds that index it, and the procedure during which it exists."""

    name: str
    plural: str
    title: str
    span: Span
    dims: tuple[str, ...]
    seen_by: SeenBy | None
    low: int
    high: int
    during: str | None
    quiet: bool = False

    @property
    def array(self) -> str:
        """The name of its array in the state."""
        return f"t:{self.name}"


@attrs.define
class MemoryInfo(TrackInfo):
    """Memory: a track with the number of a thing of some kind, or -1 for nothing."""

    kind: str = attrs.field(kw_only=True)

    @property
    def type(self) -> Type:
        """The type of what is remembered."""
        family = self.kind if self.kind in SEAT_WORDS else "entry"
        return Type(family, self.kind, maybe=True)


@attrs.define
class FlagInfo(Indexed):
    """Flag: the kinds that index it, and the procedure during which it exists."""

    name: str
    title: str
    span: Span
    dims: tuple[str, ...]
    seen_by: SeenBy | None
    during: str | None
    quiet: bool = False

    low: ClassVar[int] = 0
    high: ClassVar[int] = 1

    @property
    def array(self) -> str:
        """The name of its array in the state."""
        return f"f:{self.name}"


@attrs.define
class OptionSymbol:
    """Option for a game: boolean, numeric, or with named values."""

    name: str
    title: str
    span: Span
    default: int
    low: int
    high: int
    names: tuple[str, ...]
    switch: bool


@attrs.define
class NumberInfo:
    """Named number, price or chart from a table; `used` if a rule mentions it."""

    name: str
    span: Span
    value: object
    used: bool = False


@attrs.define
class RivalInfo:
    """Rival: a seat that makes no decisions."""

    name: str
    title: str
    span: Span
    scores: bool
    when: Expr | None


@attrs.define
class ParamInfo:
    """Parameter of a procedure or value: name and type, or the noun of an amount."""

    name: str
    type: Type
    noun: str | None = None
    preposition: str | None = None
    span: Span = NOWHERE


@attrs.define
class ValueHookInfo:
    """Hook that replaces a named value."""

    params: tuple[ParamInfo, ...]
    when: Expr | None
    formula: Formula
    span: Span


@attrs.define
class ValueInfo:
    """Named value with up to two parameters, and its hooks in load order."""

    name: str
    span: Span
    params: tuple[ParamInfo, ...]
    formula: Formula
    hooks: list[ValueHookInfo] = attrs.Factory(list)
    score_title: str | None = None
    title: str = ""


@attrs.define
class HookInfo:
    """Hook on a procedure; its parameters rename those of the procedure."""

    time: str
    params: tuple[ParamInfo, ...]
    when: Expr | None
    body: Body
    span: Span


@attrs.define
class ProcInfo:
    """Verb or step, and its hooks in load order."""

    key: str
    name: str
    verb: bool
    span: Span
    params: tuple[ParamInfo, ...]
    body: Body
    text: Text | None = None  # log text
    quiet: bool = False
    hooks: list[HookInfo] = attrs.Factory(list)
    imperative: Text | None = None  # its words on cards and as an option


Declared: TypeAlias = (
    PlaceInfo
    | PieceInfo
    | TrackInfo
    | FlagInfo
    | ValueInfo
    | KindInfo
    | OptionSymbol
    | RivalInfo
    | NumberInfo
    | ProcInfo
    | EntryInfo
    | FieldInfo
)
"""Declared symbol: the meaning of a name in one role."""


# The symbol table has a section for each role of a name:
#
#     kinds   {"card": KindInfo(fields, entries, index)}     entries are numbered from 0
#     pieces  {"coin": PieceInfo(style, per, count, home)}   counted, single or printed
#     places  {"hand": PlaceInfo(dims, holds, seen_by)}      dims: the indexes of its cells
#     procs   {"build": [ProcInfo(params, body, hooks)]}     overloads by types of parameters
#
# `find` looks a name up in the order of `nouns`, then among verbs, entries and fields. A noun has
# one declaration in the whole game, but two roles if a declaration creates two symbols: printed
# pieces, places with a table and options with named values are kinds as well, and a number with a
# hook is a value. The more specific role comes first; verbs, entries and fields come after nouns.
@attrs.define
class SymbolTable:
    """Symbol table: all declarations, by role and name."""

    manifest: Manifest
    most_players: int = MAX_PLAYERS
    kinds: dict[str, KindInfo] = attrs.Factory(dict)
    pieces: dict[str, PieceInfo] = attrs.Factory(dict)
    places: dict[str, PlaceInfo] = attrs.Factory(dict)
    tracks: dict[str, TrackInfo] = attrs.Factory(dict)
    flags: dict[str, FlagInfo] = attrs.Factory(dict)
    shown: dict[str, TrackInfo] = attrs.Factory(dict)  # to whom hidden cells are shown, in bits
    options: dict[str, OptionSymbol] = attrs.Factory(dict)
    rivals: dict[str, RivalInfo] = attrs.Factory(dict)
    values: dict[str, ValueInfo] = attrs.Factory(dict)
    procs: dict[str, list[ProcInfo]] = attrs.Factory(dict)
    constants: dict[str, NumberInfo] = attrs.Factory(dict)
    constant_tables: list[str] = attrs.Factory(list)
    plurals: dict[str, str] = attrs.Factory(dict)  # plural of a kind, piece, place or track
    nouns_in_words: dict[str, tuple[str, str]] = attrs.Factory(dict)  # singular and plural
    words: dict[str, str] = attrs.Factory(dict)  # name -> its title, once all are declared
    worded: dict[Span, ProcInfo] = attrs.Factory(dict)  # calls of verbs with an imperative
    owners: dict[str, list[str]] = attrs.Factory(dict)  # entry name -> kinds that have it
    panels: list[PanelDecl] = attrs.Factory(list)
    ends: list[Decl] = attrs.Factory(list)  # declarations for the end of the game, in order
    bundle_nouns: tuple[str, ...] = ()  # allowed in prices, in the order of a bundle
    renamed: dict[Span, str] = attrs.Factory(dict)  # new text -> the words it replaces
    text_overrides: dict[str, list[Span]] = attrs.Factory(dict)  # replaced text -> replacements
    broken: set[str] = attrs.Factory(set)  # names whose declarations have errors
    lost: set[str] = attrs.Factory(set)  # names that unreadable lines may declare
    packs: dict[str, str] = attrs.Factory(dict)  # file -> id of its pack
    languages: dict[str, Language] = attrs.Factory(dict)  # of packs
    after: dict[str, frozenset[str]] = attrs.Factory(dict)  # mod -> mods that it loads after
    mods: frozenset[str] = frozenset()  # ids of mods, the prefixes of names
    start: Span = NOWHERE  # span of findings about the whole pack

    # ---------------------------------------------------------------- lookup
    @property
    def nouns(self) -> dict[str, Mapping[str, Declared]]:
        """The sections for nouns by role, in lookup order."""
        return {
            "place": self.places,
            "piece": self.pieces,
            "track": self.tracks,
            "flag": self.flags,
            "value": self.values,
            "option": self.options,
            "kind": self.kinds,
            "rival": self.rivals,
            "number": self.constants,
        }

    def role(self, name: str) -> str:
        """Return the first role of a noun, or "" if it is not declared."""
        singular = self.singular(name)
        return next((role for role, known in self.nouns.items() if singular in known), "")

    def find(self, name: str) -> Declared | None:
        """Return the first symbol with the given name, in lookup order, or None."""
        role = self.role(name)
        if role:
            return self.nouns[role][self.singular(name)]
        if name in self.procs:
            return self.procs[name][0]
        if name in self.owners:
            kind = self.kinds[self.owners[name][0]]
            return kind.entries[kind.index[name]]
        return self.field(name)

    def field(self, name: str) -> FieldInfo | None:
        """Return the first field with the given name, or None."""
        kinds = self.kinds.values()
        return next((kind.fields[name] for kind in kinds if name in kind.fields), None)

    def add(self, kind: KindInfo, found: EntryInfo) -> None:
        """Append an entry to a kind."""
        kind.index[found.name] = len(kind.entries)
        kind.entries.append(found)
        self.owners.setdefault(found.name, []).append(kind.name)

    def cell(self, piece: str, place: str) -> Cell:
        """Return the abstract cell for one kind of piece in one kind of place."""
        style = self.pieces[piece].style
        if style == "single":
            return ("s", piece, "")
        return ("n" if style == "counted" else "l", piece, place)

    def count_of(self, piece: str, entry: int | None = None) -> int:
        """Return the number of pieces of a kind, or of copies of one entry, for each owner."""
        info = self.pieces[piece]
        if info.style != "printed":
            return info.count
        entries = self.kinds[piece].entries
        if entry is not None:
            entries = entries[entry : entry + 1]
        return info.count * sum(each.copies for each in entries)

    def everywhere(self, piece: str) -> frozenset[Cell]:
        """Return the cells in all places that can hold a kind of piece."""
        places = self.places.values()
        return frozenset(self.cell(piece, each.name) for each in places if piece in each.holds)

    def activation(self, name: str) -> frozenset[Cell]:
        """Return the cells that exist during an activation of a procedure."""
        lasting = (each for each in self.counters if each.during == name)
        return frozenset((each.array[0], each.name, "") for each in lasting)

    @property
    def numbers(self) -> dict[str, TrackInfo]:
        """The tracks with a number, by name: all but memories."""
        tracks = self.tracks.items()
        return {name: each for name, each in tracks if not isinstance(each, MemoryInfo)}

    @property
    def counters(self) -> list[FlagInfo | TrackInfo]:
        """All flags and tracks."""
        return [*self.flags.values(), *self.tracks.values()]

    def marks(self, piece: str) -> list[FlagInfo | TrackInfo]:
        """Return the flags and tracks indexed by a kind of piece."""
        return [each for each in self.counters if piece in each.dims]

    def counter(self, name: str) -> TrackInfo | FlagInfo | None:
        """Return the track or flag with the given name, or None."""
        return self.tracks.get(self.singular(name)) or self.flags.get(name)

    def pack_of(self, span: Span) -> str:
        """Return the id of the pack that contains a span, or ""."""
        return self.packs.get(span.file, "")

    def language(self, span: Span) -> Language:
        """Return the language of the pack that contains a span; elsewhere, the newest."""
        return self.languages.get(self.pack_of(span), NEWEST)

    def singular(self, name: str) -> str:
        """Return the singular of a declared plural; return any other name unchanged."""
        return self.plurals.get(name, name)

    def plural(self, name: str) -> str:
        """Return the declared plural of a name; return a name without one unchanged."""
        return next((many for many, one in self.plurals.items() if one == name), name)

    def title_of(self, kind: str) -> str:
        """Return the words for one of a kind or piece, or "" if there is none of that name."""
        known = self.kinds.get(kind)
        return self.nouns_in_words.get(kind, (known.title if known else "",))[0]

    def declares(self, name: str) -> bool:
        """Return whether a word is a declared noun, in the singular or plural."""
        return bool(self.role(name))

    def doubtful(self, name: str) -> bool:
        """Return whether a name may be unknown only because of a reported error."""
        return any(each in self.broken or each in self.lost for each in (name, ANY_NAME))

    @property
    def procedures(self) -> dict[str, ProcInfo]:
        """All overloads of verbs and steps, by key."""
        return {proc.key: proc for overloads in self.procs.values() for proc in overloads}

    @property
    def plain_steps(self) -> list[str]:
        """The steps without parameters."""
        found = (each.name for each in self.procedures.values() if not (each.verb or each.params))
        return list(dict.fromkeys(found))

    def endings(self, kind: type[Ending]) -> list[Ending]:
        """Return the declarations of a given kind for the end of the game, in order."""
        return [each for each in self.ends if isinstance(each, kind)]

    @property
    def ranking(self) -> tuple[Best, ...]:
        """The declared criteria of the ranking; the last declaration is in force."""
        wins = self.endings(WinDecl)
        return wins[-1].ranking if wins else ()

    @property
    def scores(self) -> list[ValueInfo]:
        """The final scoring lines, in order of declaration."""
        return [value for value in self.values.values() if value.score_title is not None]
