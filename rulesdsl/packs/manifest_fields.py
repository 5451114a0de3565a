"""The fields of a `pack.toml`, one list for the reader and for editors, and the reader."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rulesdsl.packs import wording
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.packs.manifest import DEFAULT_PLAYERS, Manifest, PackKind, PackRef, Players
from rulesdsl.packs.place import Place
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
from rulesdsl.packs.toml_file import TomlFile
from rulesdsl.packs.toml_spans import Path
from rulesdsl.packs.versions import (
    ANY_VERSION,
    ENGINE_VERSION,
    RANGE,
    VERSION,
    Version,
    parse_range,
    parse_version,
)
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.ranges import PLAYERS

MAX_PLAYERS = PLAYERS.most
_MAX_LETTERS = 2000
_MAX_ID = 60

_ONE_LINE = r"^[^\n]*\S[^\n]*$"
NO_FILE = r"(con|prn|aux|nul|com[0-9]|lpt[0-9])"  # to Windows these are no names of files
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
    'Give the first version, and the first one too new: ">=1.2, <2".',
)

_WHAT = {bool: "yes or no", int: "a number", float: "a number with a fraction", str: "a text"}
_WHAT |= {list: "a list", dict: "a table"}


def manifest_fields(kind: PackKind, own_id: str = "") -> tuple[Field, ...]:
    """Return what the manifest of a game, or that of a mod, says."""
    others = list_of(_reference(own_id), "a list of texts")
    shared = (
        Field("id", _ID_LINE, "What other packs, saves and --mod call it.", needed=True),
        Field("name", _NAME, "What people call it.", needed=True),
        Field("version", _VERSION, "Up to three numbers, such as 1.0.2.", needed=True),
        kind_field([kind]),
        Field("engine", _ENGINE, "The engines that it is for, such as >=0.1, <1."),
        Field("about", _ABOUT, "What it is, in a few words."),
        Field("players", _PLAYERS, "How many people can play."),
        Field("excludes", others, "Packs that it cannot be played with."),
    )
    if kind is PackKind.GAME:
        return shared
    return (
        *shared,
        Field("for_game", _ID_LINE, "The id of the game that it changes.", needed=True),
        Field("requires", others, "Mods that it needs, and that are loaded before it."),
        Field("after", others, "Mods that are loaded before it, where they are there."),
    )


def kind_field(kinds: Iterable[PackKind]) -> Field:
    """Return the field that says of which of some kinds a pack is."""
    listed = " or ".join(f'"{each}"' for each in kinds)
    shape = word(kinds, f"`kind` is {listed}, not `{{}}`.", f"Write {listed}.")
    shape = _LINE.then(shape.parse, shape.schema)
    return Field("kind", shape, "Whether it is a game, or a mod for one.", needed=True)


def _shown(found: str, place: Place) -> str | None:
    """Refuse what would disturb a terminal: these texts are printed as they are."""
    if not found.isprintable():
        place.report("E003", *wording.unprintable())
    elif len(found) > _MAX_LETTERS:
        place.report("E003", *wording.too_long(_MAX_LETTERS))
    else:
        return found
    return None


def _lines(found: str, place: Place) -> str | None:
    return found if _shown(found.replace("\n", ""), place) is not None else None


def _one_line(found: str, place: Place) -> str | None:
    if matches(_ONE_LINE, found):
        return found
    place.report("E003", *wording.several_lines(place.path[-1]))
    return None


def _line_of(pattern: str, refused: Refusal, longest: int | None = None) -> Shape:
    """Return the shape of a line of a pattern. Another line is refused, and yet read."""

    def parse(found: str, place: Place) -> str:
        if not matches(pattern, found) or len(found) > (longest or _MAX_LETTERS):
            refused.report(found, place)
        return found

    return _LINE.then(parse, text(pattern).schema | ({"maxLength": longest} if longest else {}))


def _reference(own_id: str) -> Shape:
    """Return the shape of what names another pack than that of an id, and in which versions."""

    def parse(found: str, place: Place) -> PackRef | None:
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


def _players(said: dict[str, object], place: Place) -> Players | None:
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


_BOUND: Json = {"maxLength": _MAX_LETTERS}
_ABOUT = text().then(_lines, text().schema | _BOUND)
_LINE = text().then(_lines).then(_one_line)
_NAME = _LINE.then(lambda found, _: found, text(_ONE_LINE).schema | _BOUND)
_ID_LINE = _line_of(f"^{_ID}$", _NO_ID, _MAX_ID)
_VERSION = _line_of(f"^{VERSION}$", _NO_VERSION).then(lambda found, _: parse_version(found))
_ENGINE = _line_of(f"^{RANGE}$", _NO_RANGE).then(lambda found, _: parse_range(found))
_HOW_MANY = whole(1, MAX_PLAYERS).schema
_BOTH = table({"least": _HOW_MANY, "most": _HOW_MANY}, ("least", "most"))
_PLAYERS = Shape(is_table, "a table with `least` and `most`", _BOTH, _players)


# -------------------------------------------------------------------- reading
def read_manifest(file: TomlFile, findings: Findings) -> Manifest | None:
    """Return the manifest; mistakes are reported, and what is wrong is replaced by a stand-in.

    `None` where the rest of the pack cannot be judged: it is for another engine, or does not say
    whether it is a game or a mod.
    """
    place, data = Place(file.index, (), findings, _wording), file.data
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


def _fits_engine(wanted: object, place: Place) -> bool:
    allowed = parse_range(wanted) if isinstance(wanted, str) else None
    engine = parse_version(ENGINE_VERSION)
    assert engine
    if allowed is None or engine in allowed:
        return True
    place.below("engine").report("E003", *wording.other_engine(allowed, ENGINE_VERSION))
    return False


def _refuse_unknown(data: dict[str, object], known: list[str], place: Place) -> None:
    """Report the keys that are in the manifest and mean nothing there."""
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


def _wording(path: Path, wanted: str, value: object) -> str:
    name = ".".join(step for step in path if isinstance(step, str))
    here = " in each place" if isinstance(path[-1], int) else ""
    found = _WHAT.get(type(value), "a date or a time")
    return f"`{name}` must be {wanted}{here}, but this is {found}."
