"""Manifests of packs: fields, reader, and versions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

import attrs

from rulesdsl.packs import wording
from rulesdsl.packs.folder import MANIFEST, TablePlace
from rulesdsl.packs.shapes import (
    Field,
    Json,
    Refusal,
    Shape,
    is_table,
    list_of,
    matches,
    table,
    text,
    whole,
    word,
)
from rulesdsl.packs.toml_document import KeyPath, TomlFile
from rulesdsl.source.diagnostics import Findings
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
    """The versions from `least` on, and below `below`; either bound is optional."""

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
    """Return the version written as `1`, `1.2` or `1.2.3`; `None` for anything else."""
    if not _VERSION_PATTERN.fullmatch(text):
        return None
    numbers = [int(part) for part in text.split(".")]
    major, minor, patch = numbers + [0] * (3 - len(numbers))
    return Version(major, minor, patch)


def parse_range(text: str) -> VersionRange | None:
    """Return the range written as `>=1.2`, `<2` or `>=1.2, <2`; `None` for anything else."""
    if not _RANGE.fullmatch(text):
        return None
    bounds = {sign: parse_version(version) for sign, version, _ in _RANGE_BOUND.findall(text)}
    return VersionRange(bounds.get(">="), bounds.get("<"))


ENGINE_VERSION = "0.1.0"
"""The version of the language and its engine; content files depend on it."""


class PackKind(StrEnum):
    """The kind of a pack: a game, or a mod for one."""

    GAME = "game"
    MOD = "mod"


@attrs.frozen
class Players:
    """The supported numbers of players."""

    least: int
    most: int


DEFAULT_PLAYERS = Players(2, 2)
"""The default for games."""


@attrs.frozen
class PackRef:
    """A reference to another pack, with a version range and its span."""

    id: str
    versions: VersionRange = ANY_VERSION
    span: Span = attrs.field(default=NOWHERE, eq=False)

    def __str__(self) -> str:
        return f"{self.id} {self.versions}".rstrip()


@attrs.frozen
class Manifest:
    """The content of a `pack.toml`.

    `players` is `None` for a mod that leaves the number unchanged. `for_game` is the id of the
    game that a mod changes, empty for a game. Mods in `requires` and `after` are loaded earlier.
    """

    id: str
    name: str
    version: Version
    kind: PackKind
    engine: VersionRange = ANY_VERSION
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
        """The ids of all packs to load earlier."""
        return frozenset(each.id for each in (*self.after, *self.requires))


MAX_PLAYERS = PLAYERS.most
_MAX_LETTERS = 2000
_MAX_ID = 60

_ONE_LINE = r"^[^\n]*\S[^\n]*$"
NO_FILE = r"(con|prn|aux|nul|com[0-9]|lpt[0-9])"  # reserved file names on Windows
_ID = rf"(?!{NO_FILE}(?![a-z0-9_-]))[a-z][a-z0-9]*([-_][a-z0-9]+)*"
_REFERENCE = re.compile(r"^([^ <>=]*) *(.*)$")
_NO_ID = Refusal(
    "E003",
    "`{}` cannot be an id.",
    "An id is small letters and digits, with a hyphen between words: `red-deck`.",
)
_NO_VERSION = Refusal(
    "E003", "`{}` is not a version.", 'A version is up to three numbers: "1.0.2".'
)
_NO_RANGE = Refusal(
    "E003",
    "`{}` is not a range of versions.",
    'Give the first version, and the first one that is too new: ">=1.2, <2".',
)

_WHAT = {bool: "yes or no", int: "a number", float: "a number with a fraction", str: "a text"}
_WHAT |= {list: "a list", dict: "a table"}


def manifest_fields(kind: PackKind, own_id: str = "") -> tuple[Field, ...]:
    """Return the fields of the manifest of a game, or of a mod."""
    others = list_of(_reference(own_id), "a list of texts")
    shared = (
        Field("id", _ID_LINE, "The id used by other packs, saves and --mod.", needed=True),
        Field("name", _NAME, "The name shown to people.", needed=True),
        Field("version", _VERSION, "Up to three numbers, such as 1.0.2.", needed=True),
        kind_field([kind]),
        Field("engine", _ENGINE, "The supported engine versions, such as >=0.1, <1."),
        Field("about", _ABOUT, "A short description."),
        Field("players", _PLAYERS, "The supported numbers of players."),
        Field("excludes", others, "Packs that cannot be combined with it."),
    )
    if kind is PackKind.GAME:
        return shared
    return (
        *shared,
        Field("for_game", _ID_LINE, "The id of the game that it changes.", needed=True),
        Field("requires", others, "Required mods, which are loaded before it."),
        Field("after", others, "Mods that are loaded before it, if they are present."),
    )


def kind_field(kinds: Iterable[PackKind]) -> Field:
    """Return the field for the kind of a pack, restricted to some kinds."""
    listed = " or ".join(f'"{each}"' for each in kinds)
    shape = word(kinds, f"`kind` is {listed}, not `{{}}`.", f"Write {listed}.")
    shape = _LINE.then(shape.parse, shape.schema)
    return Field("kind", shape, "The kind of pack: a game, or a mod for one.", needed=True)


def _shown(found: str, place: TablePlace) -> str | None:
    """Reject control characters and excessive length: these texts are printed unescaped."""
    if not found.isprintable():
        place.report("E003", *wording.unprintable())
    elif len(found) > _MAX_LETTERS:
        place.report("E003", *wording.too_long(_MAX_LETTERS))
    else:
        return found
    return None


def _lines(found: str, place: TablePlace) -> str | None:
    return found if _shown(found.replace("\n", ""), place) is not None else None


def _one_line(found: str, place: TablePlace) -> str | None:
    if matches(_ONE_LINE, found):
        return found
    place.report("E003", *wording.several_lines(place.path[-1]))
    return None


def _line_of(pattern: str, refused: Refusal, longest: int | None = None) -> Shape:
    """Return the shape of a line that matches a pattern; other lines are reported, but kept."""

    def parse(found: str, place: TablePlace) -> str:
        if not matches(pattern, found) or len(found) > (longest or _MAX_LETTERS):
            refused.report(found, place)
        return found

    return _LINE.then(parse, text(pattern).schema | ({"maxLength": longest} if longest else {}))


def _reference(own_id: str) -> Shape:
    """Return the shape of a reference to another pack, with an optional version range."""

    def parse(found: str, place: TablePlace) -> PackRef | None:
        other, bounds = _REFERENCE.findall(found)[0]
        versions = parse_range(bounds) if bounds else ANY_VERSION
        if not matches(f"^{_ID}$", other) or len(other) > _MAX_ID:
            _NO_ID.report(other, place)
        elif other == own_id:
            place.report("E003", *wording.names_itself(place.path[0]))
        elif versions is None:
            _NO_RANGE.report(bounds, place)
        else:
            return PackRef(other, versions, place.span)
        return None

    return text().then(_shown).then(parse, text(rf"^{_ID} *({RANGE})?$").schema)


def _players(said: dict[str, object], place: TablePlace) -> Players | None:
    keys = ("least", "most")
    for name in said:
        if name not in keys:
            place.below(name).unknown(f"`players` has no `{name}`.", keys)
    place.lacks("`players`", [key for key in keys if key not in said])
    least, most = (Field(key, whole(), "").read(said, place) for key in keys)
    if least is None or most is None:
        return None
    if not 1 <= least <= MAX_PLAYERS:
        place.below("least").report("E003", *wording.too_few_players(least, MAX_PLAYERS))
        return None
    if not least <= most <= MAX_PLAYERS:
        said_most = wording.too_many_players(most, least, MAX_PLAYERS)
        place.below("most").report("E003", *said_most)
        return None
    return Players(least, most)


_AT_MOST_LETTERS: Json = {"maxLength": _MAX_LETTERS}
_ABOUT = text().then(_lines, text().schema | _AT_MOST_LETTERS)
_LINE = text().then(_lines).then(_one_line)
_NAME = _LINE.then(lambda found, _: found, text(_ONE_LINE).schema | _AT_MOST_LETTERS)
_ID_LINE = _line_of(f"^{_ID}$", _NO_ID, _MAX_ID)
_VERSION = _line_of(f"^{VERSION}$", _NO_VERSION).then(lambda found, _: parse_version(found))
_ENGINE = _line_of(f"^{RANGE}$", _NO_RANGE).then(lambda found, _: parse_range(found))
_HOW_MANY = whole(1, MAX_PLAYERS).schema
_BOTH = table({"least": _HOW_MANY, "most": _HOW_MANY}, ("least", "most"))
_PLAYERS = Shape(is_table, "a table with `least` and `most`", _BOTH, _players)


# -------------------------------------------------------------------- reading
def read_manifest(file: TomlFile, findings: Findings) -> Manifest | None:
    """Return the manifest; errors are reported, and invalid values replaced by placeholders.

    `None` if the rest of the pack cannot be judged: it requires another engine, or has no kind.
    """
    place, data = TablePlace(file.index, (), findings, _wording), file.data
    said = kind_field(list(PackKind)).read(data, place)
    kind = next((each for each in PackKind if each == said), None)
    engine_fits = _fits_engine(data.get("engine"), place)
    fields = manifest_fields(kind or PackKind.GAME, str(data.get("id")))
    _refuse_unknown(data, [each.key for each in fields], place)
    needed = [each.key for each in fields if each.needed] if kind else ["kind"]
    place.lacks(f"`{MANIFEST}`", [key for key in needed if key not in data])
    if kind is None:
        return None
    found = {each.key: each.read(data, place) for each in fields if each.key != "kind"}
    values: dict[str, Any] = {
        "id": "unnamed",
        "name": found["id"] or "Unnamed",
        "version": Version(0, 0, 0),
        "kind": kind,
        "players": DEFAULT_PLAYERS if kind is PackKind.GAME else None,
        **{key: value for key, value in found.items() if value is not None},
    }
    return Manifest(**values) if engine_fits else None


def _fits_engine(wanted: object, place: TablePlace) -> bool:
    allowed = parse_range(wanted) if isinstance(wanted, str) else None
    engine = parse_version(ENGINE_VERSION)
    assert engine
    if allowed is None or engine in allowed:
        return True
    place.below("engine").report("E003", *wording.other_engine(allowed, ENGINE_VERSION))
    return False


def _refuse_unknown(data: dict[str, object], known: list[str], place: TablePlace) -> None:
    of_mods = [each.key for each in manifest_fields(PackKind.MOD)]
    for key in data:
        if key in known:
            continue
        if key in of_mods:
            advice = 'A pack that changes a game says `kind = "mod"`.'
            place.below(key).unknown(f"Only a mod has `{key}`.", (), advice)
        else:
            place.below(key).unknown(
                f"`{MANIFEST}` has no `{key}`.", known, f"It has {', '.join(known)}."
            )


def _wording(path: KeyPath, wanted: str, value: object) -> str:
    name = ".".join(step for step in path if isinstance(step, str))
    here = " in every element" if isinstance(path[-1], int) else ""
    found = _WHAT.get(type(value), "a date or a time")
    return f"`{name}` must be {wanted}{here}, but this is {found}."
