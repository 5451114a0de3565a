"""Pack manifests: their fields and their reader, and version numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override

from rulesdsl.packs import wording
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.packs.shapes import (
    Field,
    InvalidValueError,
    Json,
    Shape,
    TablePlace,
    array,
    is_text,
    matches,
    report_errors,
    strict,
    table,
    text,
)
from rulesdsl.packs.toml_document import KeyPath, TomlFile, TomlTable
from rulesdsl.source.diagnostics import Findings, similar
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
"""The version of the language and its engine, which manifests refer to."""


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


# -------------------------------------------------------------------- structure hooks
def _text(value: object, _: Any = None) -> str:  # noqa: ANN401 - the type of the attribute
    """Check that a string is short and has no control characters, as it is printed unescaped."""
    found: str = strict(str, "text in quotation marks", value)
    if not found.replace("\n", "").isprintable():
        raise InvalidValueError(wording.UNPRINTABLE)
    if len(found) > _MAX_LETTERS:
        raise InvalidValueError(wording.TOO_LONG, most=_MAX_LETTERS)
    return found


def _line(value: object, _: Any = None) -> str:  # noqa: ANN401
    found = _text(value)
    if not matches(_ONE_LINE, found):
        raise InvalidValueError(wording.SEVERAL_LINES)
    return found


def _pack_id(value: object, _: Any = None) -> str:  # noqa: ANN401
    found = _line(value)
    if not matches(f"^{_ID}$", found) or len(found) > _MAX_ID:
        raise InvalidValueError(wording.NO_ID, found=found)
    return found


def _version(value: object, _: Any = None) -> Version:  # noqa: ANN401
    found = parse_version(_line(value))
    if found is None:
        raise InvalidValueError(wording.NO_VERSION, found=value)
    return found


def _range(value: object, _: Any = None) -> VersionRange:  # noqa: ANN401
    found = parse_range(_line(value))
    if found is None:
        raise InvalidValueError(wording.NO_RANGE, found=value)
    return found


def _kind(value: object, _: Any = None) -> PackKind:  # noqa: ANN401
    found = _line(value)
    if found not in set(PackKind):
        raise InvalidValueError(wording.NO_KIND, advice=similar(found, PackKind), found=found)
    return PackKind(found)


def _reference(value: object, _: Any = None) -> PackRef:  # noqa: ANN401
    found = _text(value)
    if "\n" in found:
        raise InvalidValueError(wording.UNPRINTABLE)
    other, bounds = _REFERENCE.findall(found)[0]
    return PackRef(_pack_id(other), _range(bounds) if bounds else ANY_VERSION)


def _references(value: object, _: Any = None) -> tuple[PackRef, ...]:  # noqa: ANN401
    found = strict(list, "a list of quoted items", value)
    return tuple(_CONVERTER.structure(found, list[PackRef]))


def _players(value: object, _: Any = None) -> Players:  # noqa: ANN401
    found = strict(dict, "a table with `least` and `most`", value)
    players = _STRUCTURE_PLAYERS(found, Players)
    least, most = players.least, players.most
    if not 1 <= least <= MAX_PLAYERS:
        raise InvalidValueError(wording.TOO_FEW_PLAYERS, "least", found=least, most=MAX_PLAYERS)
    if not least <= most <= MAX_PLAYERS:
        raise InvalidValueError(
            wording.TOO_MANY_PLAYERS, "most", found=most, least=least, most=MAX_PLAYERS
        )
    return players


_CONVERTER = cattrs.Converter(forbid_extra_keys=True)
_CONVERTER.register_structure_hook(int, lambda value, _: strict(int, "a whole number", value))
_CONVERTER.register_structure_hook(PackRef, _reference)
_STRUCTURE_PLAYERS = make_dict_structure_fn(Players, _CONVERTER, _cattrs_forbid_extra_keys=True)


# -------------------------------------------------------------------- keys
def _text_schema(pattern: str = "", longest: int = _MAX_LETTERS) -> Json:
    return {**text(pattern).schema, "maxLength": longest}


_HOW_MANY: Json = {"type": "integer", "minimum": 1, "maximum": MAX_PLAYERS}
_BOTH = table({"least": _HOW_MANY, "most": _HOW_MANY}, ("least", "most"))
_OTHERS = array(text(rf"^{_ID} *({RANGE})?$").schema)
_ID_SCHEMA = _text_schema(f"^{_ID}$", _MAX_ID)
_KEYS: dict[str, tuple[Callable[[Any, Any], object], Json, str]] = {
    "id": (_pack_id, _ID_SCHEMA, "The id used by other packs, saves and --mod."),
    "name": (_line, _text_schema(_ONE_LINE), "The name shown to people."),
    "version": (_version, text(f"^{VERSION}$").schema, "Up to three numbers, such as 1.0.2."),
    "kind": (_kind, {}, "The kind of pack: a game, or a mod for one."),
    "engine": (
        _range,
        text(f"^{RANGE}$").schema,
        "The supported engine versions, such as >=0.1, <1.",
    ),
    "about": (_text, _text_schema(), "A short description."),
    "players": (_players, _BOTH, "The supported numbers of players."),
    "excludes": (_references, _OTHERS, "Packs that cannot be combined with it."),
    "for_game": (_pack_id, _ID_SCHEMA, "The id of the game that it changes."),
    "requires": (_references, _OTHERS, "Required mods, which are loaded before it."),
    "after": (_references, _OTHERS, "Mods that are loaded before it, if they are present."),
}
_NEEDED = {"id", "name", "version", "kind", "for_game"}
_OF_MODS = ("for_game", "requires", "after")
_HOOKS: dict[str, Any] = {key: override(struct_hook=hook) for key, (hook, *_) in _KEYS.items()}
_STRUCTURE = make_dict_structure_fn(Manifest, _CONVERTER, **_HOOKS)


def manifest_fields(kind: PackKind) -> tuple[Field, ...]:
    """Return the manifest fields for a game or a mod."""
    schemas = {key: schema for key, (_, schema, _) in _KEYS.items()}
    schemas["kind"] = {"type": "string", "enum": [str(kind)]}
    return tuple(
        Field(key, Shape(is_text, "", schemas[key]), about, needed=key in _NEEDED)
        for key, (*_, about) in _KEYS.items()
        if kind is PackKind.MOD or key not in _OF_MODS
    )


# -------------------------------------------------------------------- reading
def read_manifest(file: TomlFile, findings: Findings) -> Manifest | None:
    """Read a manifest; report errors, and replace invalid values with placeholders.

    Return `None` if the rest of the pack cannot be checked, because the pack requires another
    engine or has no valid kind.
    """
    place, data = TablePlace(lambda _: file.index, (), findings, _phrase), file.data
    kind = _structured("kind", data, place) if "kind" in data else None
    engine_fits = _fits_engine(data.get("engine"), place)
    keys = [each.key for each in manifest_fields(kind or PackKind.GAME)]
    _refuse_unknown(data, keys, place)
    needed = [key for key in keys if key in _NEEDED] if kind else ["kind"]
    place.lacks(f"`{MANIFEST}`", [key for key in needed if key not in data])
    if kind is None:
        return None
    said = {key: data[key] for key in keys if key in data}
    wrong = set()
    try:
        _STRUCTURE(said, Manifest)
    except cattrs.ClassValidationError as error:
        inner, _ = error.group_exceptions()
        wrong = {note.name for _, note in inner}
        for each, note in inner:
            if note.name in said:
                report_errors(each, place.below(note.name))
    known = {key: value for key, value in said.items() if key not in wrong}
    usual = {"id": "unnamed", "name": known.get("id", "Unnamed"), "version": "0"}
    manifest: Manifest = _STRUCTURE({**usual, **known}, Manifest)
    return _with_references(manifest, place) if engine_fits else None


def _with_references(manifest: Manifest, place: TablePlace) -> Manifest:
    """Add spans to references, report and drop self-references, and add the default players."""
    found: dict[str, Any] = {}
    for key in ("excludes", "requires", "after"):
        listed: list[PackRef] = []
        for at, each in enumerate(getattr(manifest, key)):
            span = place.below(key, at).span
            if each.id == manifest.id:
                wording.NAMES_ITSELF.report(place.findings, span, key=key)
            else:
                listed.append(attrs.evolve(each, span=span))
        found[key] = tuple(listed)
    usual = manifest.players or (None if manifest.is_mod else DEFAULT_PLAYERS)
    return attrs.evolve(manifest, players=usual, **found)


def _structured(key: str, data: TomlTable, place: TablePlace) -> Any:  # noqa: ANN401 - by key
    try:
        return _KEYS[key][0](data[key], None)
    except ValueError as error:
        report_errors(error, place.below(key))
        return None


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
