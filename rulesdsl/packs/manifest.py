"""Pack manifests: their fields and their reader, and version numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import attrs

from rulesdsl.packs import wording
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.packs.shapes import (
    Field,
    Json,
    Shape,
    TablePlace,
    is_table,
    list_of,
    matches,
    table,
    text,
    whole,
    word,
)
from rulesdsl.packs.toml_document import KeyPath, TomlFile, TomlTable
from rulesdsl.source.diagnostics import Detail, Findings, Wording, similar
from rulesdsl.source.english import and_list
from rulesdsl.source.language import Language
from rulesdsl.source.ranges import PLAYERS
from rulesdsl.source.span import NOWHERE, Span

VERSION = r"[0-9]{1,6}(\.[0-9]{1,6}){0,2}"
_VERSION_PATTERN = re.compile(VERSION)
_FROM, _BELOW = rf">= *{VERSION}", rf"< *{VERSION}"
RANGE = rf" *({_FROM} *(, *{_BELOW} *)?|{_BELOW} *(, *{_FROM} *)?)"
_RANGE = re.compile(RANGE)
_RANGE_BOUND = re.compile(rf"(>=|<) *({VERSION})")


@attrs.frozen(order=True)
class Version:
    """A version of up to three numbers; omitted ones are 0."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


@attrs.frozen
class VersionRange:
    """The versions from `least` up to, but excluding, `below`; either bound is optional."""

    least: Version | None = None
    below: Version | None = None

    def __contains__(self, version: Version) -> bool:
        return (self.least is None or self.least <= version) and (
            self.below is None or version < self.below
        )

    def __str__(self) -> str:
        bounds = [f">={self.least}"] if self.least else []
        return ", ".join([*bounds, f"<{self.below}"] if self.below else bounds)


ANY_VERSION = VersionRange()


def parse_version(text: str) -> Version | None:
    """Parse a version such as `1`, `1.2` or `1.2.3`; return `None` for anything else."""
    if not _VERSION_PATTERN.fullmatch(text):
        return None
    numbers = [int(part) for part in text.split(".")]
    major, minor, patch = numbers + [0] * (3 - len(numbers))
    return Version(major, minor, patch)


def parse_range(text: str) -> VersionRange | None:
    """Parse a range such as `>=1.2`, `<2` or `>=1.2, <2`; return `None` for anything else."""
    if not _RANGE.fullmatch(text):
        return None
    bounds = {sign: parse_version(version) for sign, version, _ in _RANGE_BOUND.findall(text)}
    return VersionRange(bounds.get(">="), bounds.get("<"))


ENGINE_VERSION = "0.1.0"
"""The version of the engine, which manifests refer to."""


class PackKind(StrEnum):
    """The kind of a pack: a game, or a mod for one."""

    GAME = "game"
    MOD = "mod"


@attrs.frozen
class Players:
    """The supported player counts."""

    least: int
    most: int


DEFAULT_PLAYERS = Players(2, 2)
"""The player counts of a game whose manifest has none."""


@attrs.frozen
class PackRef:
    """A reference to another pack: its id, the accepted versions, and the span."""

    id: str
    versions: VersionRange = ANY_VERSION
    span: Span = attrs.field(default=NOWHERE, eq=False)

    def __str__(self) -> str:
        return f"{self.id} {self.versions}".rstrip()


@attrs.frozen
class Manifest:
    """The content of a `pack.toml`.

    `players` is `None` for a mod that does not change the player counts. `for_game` is the id of
    the game that a mod changes, or empty for a game. Mods in `requires` and `after` are loaded
    earlier.
    """

    id: str
    name: str
    version: Version
    kind: PackKind
    engine: VersionRange = ANY_VERSION
    language: Language = Language.V0_1
    about: str = ""
    players: Players | None = None
    for_game: str = ""
    excludes: tuple[PackRef, ...] = ()
    requires: tuple[PackRef, ...] = ()
    after: tuple[PackRef, ...] = ()

    @property
    def is_mod(self) -> bool:
        """True if the pack is a mod."""
        return self.kind is PackKind.MOD

    @property
    def loads_after(self) -> frozenset[str]:
        """The ids of all packs that have to be loaded earlier."""
        return frozenset(each.id for each in (*self.after, *self.requires))


MAX_PLAYERS = PLAYERS.most
_MAX_LETTERS = 2000
_MAX_ID = 60

_ONE_LINE = r"^[^\n]*\S[^\n]*$"
NO_FILE = r"(con|prn|aux|nul|com[0-9]|lpt[0-9])"  # reserved file names on Windows
_ID = rf"(?!{NO_FILE}(?![a-z0-9_-]))[a-z][a-z0-9]*([-_][a-z0-9]+)*"
_REFERENCE = re.compile(r"^([^ <>=]*) *(.*)$")

_WHAT = {bool: "yes or no", int: "a number", float: "a number with a fraction", str: "text"}
_WHAT |= {list: "a list", dict: "a table"}


# -------------------------------------------------------------------- values
def _or_refuse(
    convert: Callable[[str], object], refused: Wording, **fields: Detail
) -> Callable[[str, TablePlace], Any]:
    """Return a conversion that reports a value for which `convert` returns None."""

    def parse(written: str, place: TablePlace) -> object:
        value = convert(written)
        if value is None:
            place.refuse(refused, found=written, **fields)
        return value

    return parse


def _if(fits: Callable[[str], bool]) -> Callable[[str], str | None]:
    return lambda written: written if fits(written) else None


def _kind(written: str, place: TablePlace) -> PackKind | None:
    if written in set(PackKind):
        return PackKind(written)
    place.refuse(wording.NO_KIND, advice=similar(written, PackKind), found=written)
    return None


def _language(written: str, place: TablePlace) -> Language | None:
    if written in set(Language):
        return Language(written)
    place.refuse(wording.OTHER_LANGUAGE, found=written, listed=and_list([*Language]))
    return None


def _reference(written: str, place: TablePlace) -> PackRef | None:
    other, bounds = _REFERENCE.findall(written)[0]
    pack_id = _PACK_ID.read(other, place)
    if pack_id is None:
        return None
    versions = _RANGE_SHAPE.read(bounds, place) if bounds else ANY_VERSION
    return None if versions is None else PackRef(pack_id, versions, place.span)


def _players(counts: TomlTable, place: TablePlace) -> Players | None:
    keys = [field.key for field in _COUNTS]
    for key in counts.keys() - {*keys}:
        listed = and_list(keys)
        place.below(key).unknown(wording.UNKNOWN_KEY, keys, table="`players`", listed=listed)
    place.lacks("`players`", [key for key in keys if key not in counts])
    least, most = (field.read(counts, place) for field in _COUNTS)
    if least is None or most is None:
        return None
    if not 1 <= least <= MAX_PLAYERS:
        place.below("least").refuse(wording.TOO_FEW_PLAYERS, found=least, most=MAX_PLAYERS)
    elif not least <= most <= MAX_PLAYERS:
        at_most = place.below("most")
        at_most.refuse(wording.TOO_MANY_PLAYERS, found=most, least=least, most=MAX_PLAYERS)
    else:
        return Players(least, most)
    return None


# -------------------------------------------------------------------- keys
def _limited(pattern: str = "", longest: int = _MAX_LETTERS) -> Json:
    return {**text(pattern).schema, "maxLength": longest}


_PRINTABLE = _if(lambda written: written.replace("\n", "").isprintable())  # printed unescaped
_SHORT = _if(lambda written: len(written) <= _MAX_LETTERS)
_IS_LINE = _if(lambda written: matches(_ONE_LINE, written))
_IS_ID = _if(lambda written: matches(f"^{_ID}$", written) and len(written) <= _MAX_ID)
_TEXT = text().then(_or_refuse(_PRINTABLE, wording.UNPRINTABLE))
_TEXT = _TEXT.then(_or_refuse(_SHORT, wording.TOO_LONG, most=_MAX_LETTERS), _limited())
_LINE = _TEXT.then(_or_refuse(_IS_LINE, wording.SEVERAL_LINES), _limited(_ONE_LINE))
_PACK_ID = _LINE.then(_or_refuse(_IS_ID, wording.NO_ID), _limited(f"^{_ID}$", _MAX_ID))
_VERSION_SHAPE = _LINE.then(
    _or_refuse(parse_version, wording.NO_VERSION), text(f"^{VERSION}$").schema
)
_RANGE_SHAPE = _LINE.then(_or_refuse(parse_range, wording.NO_RANGE), text(f"^{RANGE}$").schema)
_OTHERS = list_of(
    _LINE.then(_reference, text(rf"^{_ID} *({RANGE})?$").schema), "a list of quoted items"
)
_COUNT = attrs.evolve(whole(), schema=whole(1, MAX_PLAYERS).schema)
_COUNTS = (Field("least", _COUNT, ""), Field("most", _COUNT, ""))
_BOTH = table({each.key: _COUNT.schema for each in _COUNTS}, [each.key for each in _COUNTS])
_KIND = _LINE.then(_kind)
_FIELDS = (
    Field("id", _PACK_ID, "The id used by other packs, saves and --mod.", needed=True),
    Field("name", _LINE, "The name shown to people.", needed=True),
    Field("version", _VERSION_SHAPE, "Up to three numbers, such as 1.0.2.", needed=True),
    Field("kind", _KIND, "The kind of pack: a game, or a mod for one.", needed=True),
    Field("engine", _RANGE_SHAPE, "The supported engine versions, such as >=0.1, <1."),
    Field(
        "language",
        _LINE.then(_language, word(Language).schema),
        "The version of the language that it is written in; without it, 0.1.",
    ),
    Field("about", _TEXT, "A short description."),
    Field(
        "players",
        Shape(is_table, "a table with `least` and `most`", _BOTH, _players),
        "The supported numbers of players.",
    ),
    Field("excludes", _OTHERS, "Packs that cannot be combined with it."),
    Field("for_game", _PACK_ID, "The id of the game that it changes.", needed=True),
    Field("requires", _OTHERS, "Required mods, which are loaded before it."),
    Field("after", _OTHERS, "Mods that are loaded before it, if they are present."),
)
_OF_MODS = ("for_game", "requires", "after")


def manifest_fields(kind: PackKind) -> tuple[Field, ...]:
    """Return the manifest fields for a game or a mod."""
    only = attrs.evolve(_KIND, schema=word([kind]).schema)
    return tuple(
        attrs.evolve(each, shape=only) if each.key == "kind" else each
        for each in _FIELDS
        if kind is PackKind.MOD or each.key not in _OF_MODS
    )


# -------------------------------------------------------------------- reading
def read_manifest(file: TomlFile, findings: Findings) -> Manifest | None:
    """Read a manifest; report errors, and replace invalid values with placeholders.

    Return `None` if the rest of the pack cannot be checked, because the pack requires another
    engine, or has no valid kind or language.
    """
    place, data = TablePlace(lambda _: file.index, (), findings, _phrase), file.data
    kind = _KIND.read(data["kind"], place.below("kind")) if "kind" in data else None
    engine_fits = _fits_engine(data.get("engine"), place)
    fields = manifest_fields(kind or PackKind.GAME)
    keys = [each.key for each in fields]
    _refuse_unknown(data, keys, place)
    needed = [each.key for each in fields if each.needed] if kind else ["kind"]
    place.lacks(f"`{MANIFEST}`", [key for key in needed if key not in data])
    if kind is None:
        return None
    values = {each.key: each.read(data, place) for each in fields}
    known = {key: value for key, value in values.items() if value is not None}
    usual = {"id": "unnamed", "name": known.get("id", "Unnamed"), "version": Version(0, 0, 0)}
    usual["players"] = DEFAULT_PLAYERS if kind is PackKind.GAME else None
    manifest = Manifest(**{**usual, **known})
    unreadable = "language" in data and values["language"] is None
    return _without_itself(manifest, place) if engine_fits and not unreadable else None


def _without_itself(manifest: Manifest, place: TablePlace) -> Manifest:
    """Report and drop references of a pack to itself."""
    others: dict[str, Any] = {}
    for key in ("excludes", "requires", "after"):
        references: tuple[PackRef, ...] = getattr(manifest, key)
        for each in references:
            if each.id == manifest.id:
                wording.NAMES_ITSELF.report(place.findings, each.span, key=key)
        others[key] = tuple(each for each in references if each.id != manifest.id)
    return attrs.evolve(manifest, **others)


def _fits_engine(wanted: object, place: TablePlace) -> bool:
    allowed = parse_range(wanted) if isinstance(wanted, str) else None
    engine = parse_version(ENGINE_VERSION)
    assert engine
    if allowed is None or engine in allowed:
        return True
    span = place.below("engine").span
    wording.OTHER_ENGINE.report(place.findings, span, wanted=allowed, engine=ENGINE_VERSION)
    return False


def _refuse_unknown(data: TomlTable, known: list[str], place: TablePlace) -> None:
    for key in (each for each in data if each not in known):
        said = wording.ONLY_OF_MODS if key in _OF_MODS else wording.UNKNOWN_KEY
        near = () if key in _OF_MODS else known
        place.below(key).unknown(said, near, table=f"`{MANIFEST}`", listed=", ".join(known))


def _phrase(path: KeyPath, wanted: str, value: object) -> str:
    name = ".".join(step for step in path if isinstance(step, str))
    whole = f"Every element of `{name}`" if isinstance(path[-1], int) else f"`{name}`"
    found = _WHAT.get(type(value), "a date or a time")
    return f"{whole} must be {wanted}, but this is {found}."
