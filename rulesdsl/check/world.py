"""What a pack declares, looked up by name: the checker's picture of the box."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.packs.manifest_fields import MAX_PLAYERS
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax.token_words import ANY_NAME

if TYPE_CHECKING:
    from rulesdsl.check.types import Type
    from rulesdsl.packs.manifest import Manifest
    from rulesdsl.syntax.declarations import PanelDecl, VerdictDecl, WinDecl
    from rulesdsl.syntax.expressions import Expr, Text
    from rulesdsl.syntax.statements import Body, Formula


Cell = tuple[str, str, str]
"""What changes: ("n" | "l" | "s" | "t" | "f", a piece, track or flag, and where pieces lie).

Where offers are weighed, "o" counts the pieces outside of a place, of which each move into it
takes one, and "u" how far a track can still go up.
"""


@attrs.define
class FieldInfo:
    """A field of a kind: its type, the kind it is indexed by, and its value when absent."""

    name: str
    type: str
    per: str | None
    default: Expr | None
    back: bool  # of a piece: printed on its back too
    quiet: bool  # book-keeping, which nobody is told
    span: Span


@attrs.define
class EntryInfo:
    """One entry of a kind."""

    kind: str
    name: str
    title: str
    id: str
    span: Span
    copies: int = 1
    effects: dict[tuple[str, str | None], Body] = attrs.Factory(dict)
    values: dict[tuple[str, str | None], object] = attrs.Factory(dict)
    formulas: dict[tuple[str, str | None], Expr] = attrs.Factory(dict)
    spans: dict[str, Span] = attrs.Factory(dict)
    wrong: set[str] = attrs.Factory(set)  # fields about which something was reported


@attrs.define
class KindInfo:
    """A kind of things: plain kind, table of places, or pieces with printed data."""

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


@attrs.define
class PieceInfo:
    """A kind of pieces. `style`: counted (all alike), single (one, or one a seat), printed."""

    name: str
    plural: str
    title: str
    span: Span
    style: str
    per: str | None
    count: int
    home: Expr | None
    quiet: bool = False  # book-keeping: neither log nor board speak of it

    @property
    def owned(self) -> bool:
        """Whether every piece belongs to a seat."""
        return self.per is not None


@attrs.define
class PlaceInfo:
    """A kind of places; `dims` are the kinds that index it, its own table first."""

    name: str
    plural: str
    title: str
    span: Span
    stack: bool
    table: bool
    dims: tuple[str, ...]
    seen_by: str | None
    holds: tuple[str, ...]
    quiet: bool = False
    unsure: bool = False  # what it holds could not be made out

    @property
    def owner_dim(self) -> int | None:
        """Which of the dimensions is the seat that the place belongs to."""
        for at, dim in enumerate(self.dims):
            if dim in {"seat", "player"}:
                return at
        return None


@attrs.define
class TrackInfo:
    """A counter: bounds, the kinds that index it, the procedure it lives in."""

    name: str
    plural: str
    title: str
    span: Span
    dims: tuple[str, ...]
    seen_by: str | None
    low: int
    high: int
    during: str | None
    quiet: bool = False


@attrs.define
class FlagInfo:
    """A mark on things."""

    name: str
    span: Span
    dims: tuple[str, ...]
    during: str | None
    quiet: bool = False


@attrs.define
class OptionInfo:
    """A setting of a game: its values are yes/no, numbers, or named."""

    name: str
    title: str
    span: Span
    default: int
    low: int
    high: int
    names: tuple[str, ...]
    switch: bool


@attrs.define
class RivalInfo:
    """A seat that never decides."""

    name: str
    title: str
    span: Span
    scores: bool
    when: Expr | None


@attrs.define
class ParamInfo:
    """A parameter of a procedure or value: its name, its type, or the noun of an amount."""

    name: str
    type: Type
    noun: str | None = None
    preposition: str | None = None
    span: Span = NOWHERE


@attrs.define
class ValueHookInfo:
    """A replacement of a value, in load order."""

    params: tuple[ParamInfo, ...]
    when: Expr | None
    formula: Formula
    span: Span


@attrs.define
class ValueInfo:
    """A named value with up to two parameters."""

    name: str
    span: Span
    params: tuple[ParamInfo, ...]
    formula: Formula
    hooks: list[ValueHookInfo] = attrs.Factory(list)
    score_title: str | None = None


@attrs.define
class HookInfo:
    """A hook on a procedure; parameters are the procedure's, under the hook's names."""

    time: str
    params: tuple[ParamInfo, ...]
    when: Expr | None
    body: Body
    span: Span


@attrs.define
class ProcInfo:
    """A verb, a step, or the effect of a field."""

    key: str
    name: str
    verb: bool
    span: Span
    params: tuple[ParamInfo, ...]
    body: Body
    text: Text | None = None  # what the log says is done
    quiet: bool = False
    hooks: list[HookInfo] = attrs.Factory(list)


@attrs.define
class World:
    """Everything declared, by name."""

    manifest: Manifest
    most_players: int = MAX_PLAYERS
    kinds: dict[str, KindInfo] = attrs.Factory(dict)
    pieces: dict[str, PieceInfo] = attrs.Factory(dict)
    places: dict[str, PlaceInfo] = attrs.Factory(dict)
    tracks: dict[str, TrackInfo] = attrs.Factory(dict)
    flags: dict[str, FlagInfo] = attrs.Factory(dict)
    options: dict[str, OptionInfo] = attrs.Factory(dict)
    rivals: dict[str, RivalInfo] = attrs.Factory(dict)
    values: dict[str, ValueInfo] = attrs.Factory(dict)
    procs: dict[str, list[ProcInfo]] = attrs.Factory(dict)
    constants: dict[str, object] = attrs.Factory(dict)
    constant_spans: dict[str, Span] = attrs.Factory(dict)
    constant_tables: list[str] = attrs.Factory(list)
    constants_used: set[str] = attrs.Factory(set)
    plurals: dict[str, str] = attrs.Factory(dict)  # plural of a kind, piece, place or track
    owners: dict[str, list[str]] = attrs.Factory(dict)  # entry name -> kinds that have it
    panels: list[PanelDecl] = attrs.Factory(list)
    wins: list[WinDecl] = attrs.Factory(list)  # the last one counts
    verdicts: list[VerdictDecl] = attrs.Factory(list)
    nouns: tuple[str, ...] = ()  # see `bundle_nouns`
    renamed: dict[Span, str] = attrs.Factory(dict)  # a new text -> the words it replaces
    retold: dict[str, list[Span]] = attrs.Factory(dict)  # a replaced text -> what replaces it
    broken: set[str] = attrs.Factory(set)  # declared, but the declaration cannot be read
    lost: set[str] = attrs.Factory(set)  # perhaps named on a line that cannot be read
    packs: dict[str, str] = attrs.Factory(dict)  # file -> id of the pack that it is of
    after: dict[str, frozenset[str]] = attrs.Factory(dict)  # mod -> those that it comes after
    mods: frozenset[str] = frozenset()  # ids of mods: what may be before the dot of a name
    start: Span = NOWHERE  # where findings about the pack as a whole point

    def add(self, kind: KindInfo, found: EntryInfo) -> None:
        """Append an entry to a kind."""
        kind.index[found.name] = len(kind.entries)
        kind.entries.append(found)
        self.owners.setdefault(found.name, []).append(kind.name)

    def cell(self, piece: str, place: str) -> Cell:
        """Return the cell that a kind of pieces in a kind of places is counted in."""
        style = self.pieces[piece].style
        if style == "single":
            return ("s", piece, "")
        return ("n" if style == "counted" else "l", piece, place)

    def count_of(self, piece: str, entry: int | None = None) -> int:
        """Return how many pieces of a kind, or with one of its prints, one owner has."""
        info = self.pieces[piece]
        if info.style != "printed":
            return info.count
        entries = self.kinds[piece].entries
        if entry is not None:
            entries = entries[entry : entry + 1]
        return info.count * sum(each.copies for each in entries)

    def everywhere(self, piece: str) -> frozenset[Cell]:
        """Return the cells of all places that hold a kind of pieces."""
        places = self.places.values()
        return frozenset(self.cell(piece, each.name) for each in places if piece in each.holds)

    def activation(self, name: str) -> frozenset[Cell]:
        """Return the cells that last as long as a procedure of this name is carried out."""
        flags = {("f", flag.name, "") for flag in self.flags.values() if flag.during == name}
        tracks = {("t", each.name, "") for each in self.tracks.values() if each.during == name}
        return frozenset(flags | tracks)

    def marks(self, piece: str) -> list[FlagInfo | TrackInfo]:
        """Return the flags and tracks of a kind of pieces."""
        every: list[FlagInfo | TrackInfo] = [*self.flags.values(), *self.tracks.values()]
        return [each for each in every if piece in each.dims]

    def counter(self, name: str) -> TrackInfo | FlagInfo | None:
        """Return the track or flag of a name, None where there is none."""
        return self.tracks.get(self.singular(name)) or self.flags.get(name)

    def comes_over(self, one: str, other: str) -> bool:
        """Whether what a pack says takes the place of what another one says."""
        if one not in self.mods:
            return False
        return other not in self.mods or other in self.after.get(one, ())

    def at_odds(self, one: str, other: str) -> bool:
        """Whether these are two mods, and neither says that it comes after the other."""
        after = self.after
        return (
            one != other
            and {one, other} <= self.mods
            and one not in after.get(other, ())
            and other not in after.get(one, ())
        )

    def pack_of(self, span: Span) -> str:
        """Return the id of the pack that a place is in; empty for what is no file of a pack."""
        return self.packs.get(span.file, "")

    def singular(self, name: str) -> str:
        """Return the declared word for a name that may be a plural."""
        return self.plurals.get(name, name)

    def plural(self, name: str) -> str:
        """Return the declared word for several of a name, the name itself where there is none."""
        return next((many for many, one in self.plurals.items() if one == name), name)

    def declares(self, name: str) -> bool:
        """Whether a name, or its singular, means one thing in the whole game."""
        singular = self.singular(name)
        tables = (self.kinds, self.pieces, self.places, self.tracks)
        alone = (self.flags, self.options, self.rivals, self.values, self.constants)
        return any(singular in each for each in tables) or any(name in each for each in alone)

    def doubtful(self, name: str) -> bool:
        """Whether a name may be unknown only because of something that was reported already."""
        return any(each in self.broken or each in self.lost for each in (name, ANY_NAME))

    @property
    def bundle_nouns(self) -> tuple[str, ...]:
        """The nouns that an amount in a price can be of, in the order of a bundle's numbers."""
        return self.nouns

    @property
    def plain_steps(self) -> list[str]:
        """The steps that can be done by themselves."""
        return [
            name
            for name, overloads in self.procs.items()
            if any(not each.verb and not each.params for each in overloads)
        ]

    @property
    def scores(self) -> list[ValueInfo]:
        """The lines of the final scoring, in the order they are declared."""
        return [value for value in self.values.values() if value.score_title is not None]
