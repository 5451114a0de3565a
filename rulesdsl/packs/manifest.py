"""What a pack says about itself in its `pack.toml`."""

from __future__ import annotations

import re
from enum import StrEnum

import attrs

from rulesdsl.packs.manifest_fields import ManifestFields
from rulesdsl.packs.toml_file import TomlFile
from rulesdsl.packs.versions import (
    ANY_VERSION,
    ENGINE_VERSION,
    Version,
    VersionRange,
    parse_range,
    parse_version,
)
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import NOWHERE, Span

ID = r"[a-z][a-z0-9]*([-_][a-z0-9]+)*"
_ID = re.compile(ID)
_REF = re.compile(r"^([^ <>=]*) *(.*)$")
_ID_ADVICE = "An id is small letters and digits, with a hyphen between words: `red-deck`."
_VERSION_ADVICE = 'A version is up to three numbers: "1.0.2".'
_RANGE_ADVICE = 'Say from which version on, and before which: ">=1.2, <2".'
LONGEST_ID = 60
MOST_PLAYERS = 20

SHARED = ("id", "name", "version", "kind", "engine", "about", "players", "excludes")
OF_MODS = ("for_game", "requires", "after")


class PackKind(StrEnum):
    """Whether a pack is played by itself or changes one that is."""

    GAME = "game"
    MOD = "mod"


@attrs.frozen
class Players:
    """How many people can play."""

    least: int
    most: int


DEFAULT_PLAYERS = Players(2, 2)
"""For a game that does not say."""


@attrs.frozen
class PackRef:
    """Another pack that a manifest names, in which versions, and where it names it."""

    id: str
    versions: VersionRange = ANY_VERSION
    span: Span = attrs.field(default=NOWHERE, eq=False)

    def __str__(self) -> str:
        return f"{self.id} {self.versions}".rstrip()


@attrs.frozen
class Manifest:
    """What a pack says about itself.

    `players` is `None` for a mod that leaves the number as it is. `for_game` is the id of the
    game that a mod changes, and empty for a game. What is required is loaded before, as what
    stands in `after` is.
    """

    id: str
    name: str
    version: Version
    kind: PackKind
    engine: VersionRange = ANY_VERSION
    about: str = ""
    players: Players | None = None
    for_game: str = ""
    requires: tuple[PackRef, ...] = ()
    excludes: tuple[PackRef, ...] = ()
    after: tuple[PackRef, ...] = ()

    @property
    def is_mod(self) -> bool:
        """Whether the pack changes a game instead of being one."""
        return self.kind is PackKind.MOD

    @property
    def loads_after(self) -> frozenset[str]:
        """The ids of all packs that it wants before itself."""
        return frozenset(each.id for each in (*self.after, *self.requires))


def read_manifest(file: TomlFile, findings: Findings) -> Manifest | None:
    """Return the manifest; mistakes are reported, and what is wrong is replaced by a stand-in.

    `None` where the rest of the pack cannot be judged: it is for another engine, or does not say
    whether it is a game or a mod.
    """
    fields = ManifestFields(file, findings)
    manifest = _read(fields)
    fields.report_missing()
    return manifest


def _read(fields: ManifestFields) -> Manifest | None:
    kind = fields.choice("kind", [each.value for each in PackKind])
    engine_fits = _fits_engine(fields)
    fields.refuse_unknown(SHARED, OF_MODS if kind == PackKind.MOD else (), OF_MODS)
    if kind is None:
        return None
    is_mod = kind == PackKind.MOD
    own_id = _id(fields, "id")
    manifest = Manifest(
        id=own_id or "unnamed",
        name=fields.line("name", needed=True) or own_id or "Unnamed",
        version=_version(fields),
        kind=PackKind(kind),
        engine=_range(fields, "engine"),
        about=fields.text("about") or "",
        players=_players(fields) or (None if is_mod else DEFAULT_PLAYERS),
        for_game=_id(fields, "for_game") if is_mod else "",
        requires=_refs(fields, "requires", own_id) if is_mod else (),
        excludes=_refs(fields, "excludes", own_id),
        after=_refs(fields, "after", own_id) if is_mod else (),
    )
    return manifest if engine_fits else None


def _fits_engine(fields: ManifestFields) -> bool:
    wanted = fields.peek("engine")
    allowed = parse_range(wanted) if isinstance(wanted, str) else None
    engine = parse_version(ENGINE_VERSION)
    assert engine
    if allowed is None or engine in allowed:
        return True
    message = f"This pack is for the engine {allowed}, and this is {ENGINE_VERSION}."
    fields.refuse(("engine",), message, "Take another version of the pack or of the engine.")
    return False


def _id(fields: ManifestFields, key: str) -> str:
    found = fields.line(key, needed=True)
    if not found:
        return ""
    if not _is_id(found):
        fields.refuse((key,), f"`{found}` cannot be an id.", _ID_ADVICE)
    return found


def _is_id(text: str) -> bool:
    return bool(_ID.fullmatch(text)) and len(text) <= LONGEST_ID


def _version(fields: ManifestFields) -> Version:
    text = fields.line("version", needed=True)
    version = parse_version(text) if text else None
    if text and version is None:
        fields.refuse(("version",), f"`{text}` is no version.", _VERSION_ADVICE)
    return version or Version(0, 0, 0)


def _range(fields: ManifestFields, key: str) -> VersionRange:
    text = fields.line(key)
    allowed = parse_range(text) if text else None
    if text and allowed is None:
        fields.refuse((key,), f"`{text}` says no range of versions.", _RANGE_ADVICE)
    return allowed or ANY_VERSION


def _players(fields: ManifestFields) -> Players | None:
    if not fields.table("players", ("least", "most")):
        return None
    least = fields.number("players", "least")
    most = fields.number("players", "most")
    if least is None or most is None:
        return None
    if not 1 <= least <= MOST_PLAYERS:
        advice = f"A game has 1 to {MOST_PLAYERS} players."
        fields.refuse(("players", "least"), f"{least} players cannot play.", advice)
        return None
    if not least <= most <= MOST_PLAYERS:
        advice = f"Write a number from {least} to {MOST_PLAYERS}."
        fields.refuse(("players", "most"), f"At most {most} players cannot be.", advice)
        return None
    return Players(least, most)


def _refs(fields: ManifestFields, key: str, own_id: str) -> tuple[PackRef, ...]:
    found = []
    for number, text in fields.lines(key):
        path = (key, number)
        other, bounds = _REF.findall(text)[0]
        versions = parse_range(bounds) if bounds else ANY_VERSION
        if not _is_id(other):
            fields.refuse(path, f"`{other}` cannot be an id.", _ID_ADVICE)
        elif other == own_id:
            fields.refuse(path, f"A pack cannot name itself in `{key}`.")
        elif versions is None:
            fields.refuse(path, f"`{bounds}` says no range of versions.", _RANGE_ADVICE)
        else:
            found.append(PackRef(other, versions, fields.file.index.value_span(path)))
    return tuple(found)
