import copy
import json
import re
import tomllib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from cli.mods_on_disk import write_mod
from coloma.packs import bundled_content, pack_of, select
from examples import examples
from packs.on_disk import manifest_of_mod
from rulesdsl.check.frontend import check_pack
from rulesdsl.packs.folder import BOTS
from rulesdsl.packs.manifest import PackKind, Players, manifest_fields, read_manifest
from rulesdsl.packs.toml_document import TomlFile, parse_toml
from rulesdsl.scenarios.reading import KEYS, read_scenarios
from rulesdsl.schema import schema_path, schemas_of
from rulesdsl.source.diagnostics import Findings, LintError
from rulesdsl.source.span import SourceFile
from schema.fair import tables, write_fair
from schema.judged import changed, judged
from some import some

_ABOUT_TABLES = {"E004", "E005", "E006", "E407"}
_NO_ENTRY = re.compile(r"^There is no [a-z-]+ `")  # E201 is also said of words in effects
# What all entries of a table come to, which no schema can express.
_OF_OTHERS = re.compile(r"^There would be ")
_VALUES: tuple[object, ...] = (
    *(0, 1, -1, 1000, 1001, 1_000_000, 1_000_001, -1_000_001, True, False, 1.5),
    *("", "  ", "red", "spring", "doll", "gain 1 coin", "zzz", "a b", "house", "derived"),
    *([], [""], ["", " "], ["gain 1 coin"], ["spring"], ["spring", "zzz"], [1], [["x"]]),
    *({}, {"coins": 1}, {"coin": 1}, {"fame": 2}, {"card": 1}, {"coins": -1}, {"coins": "1"}),
    *({"1": 2}, {"1": 2, "x": 3}, {"1": "2"}, {"spring": 1}, {"spring": 1, "autumn": 2}),
    *({"spring": "gain 1 coin"}, {"spring": {"coins": 1}}, {"zzz": 1}, {"fee": "house"}),
    *({"fee": "ours"}, {"worth": "house"}, {"red": {"coins": 1}}, {"small": "house"}),
)
_KEYS = (
    *("name", "id", "copies", "source", "sources", "zzz", "worth", "cost", "use", "about", "fee"),
    *("chart", "toll", "prize", "spring", "coins", "1", "20", "lasts", "open", "gives", "size"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_fair(tmp_path_factory.mktemp("fair") / "pack")


@lru_cache
def _validators(folder: Path) -> dict[str, jsonschema.Draft7Validator]:
    return {
        name.replace(".json", ".toml"): validator(json.loads(text))
        for name, text in schemas_of(folder).items()
    }


def _schema_accepts(folder: Path, name: str, data: dict[str, object]) -> bool:
    return bool(_validators(folder)[name].is_valid(data))


def _checker_accepts(folder: Path, name: str, data: dict[str, object]) -> bool:
    whole = (folder / name).read_bytes()
    try:
        (folder / name).write_text(tomli_w.dumps(data), encoding="utf-8")
        found = check_pack(folder)[2].diagnostics
    finally:
        (folder / name).write_bytes(whole)
    return not any(
        (each.code in _ABOUT_TABLES and not _OF_OTHERS.search(each.message))
        or (each.code == "E201" and _NO_ENTRY.match(each.message))
        for each in found
    )


def _paths(data: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths of all values in a table."""
    steps: list[tuple[str | int, object]] = []
    if isinstance(data, dict):
        steps = list(data.items())
    elif isinstance(data, list):
        steps = list(enumerate(data))
    found = [(*path, key) for key, _ in steps]
    return found + [each for key, value in steps for each in _paths(value, (*path, key))]


def _depth_of_fields(name: str) -> int:
    return {"fair.toml": 3, "more.toml": 1}.get(name, 2)


@examples(150)
@given(st.data())
def test_the_schema_accepts_whatever_the_checker_accepts(
    folder: Path, data: st.DataObject
) -> None:
    # What `numbers.toml` names, the rules need: without it other findings follow.
    name = data.draw(st.sampled_from(sorted(tables().keys() - {"numbers.toml"})))
    table: Any = copy.deepcopy(tables()[name])
    places = [each for each in _paths(table) if len(each) >= _depth_of_fields(name)]
    place = data.draw(st.sampled_from(places))
    around = table
    for step in place[:-1]:
        around = around[step]
    way = data.draw(st.sampled_from(["value", "gone", "added"]))
    if way == "value":
        around[place[-1]] = data.draw(st.sampled_from(_VALUES))
    elif way == "gone":
        del around[place[-1]]
    elif isinstance(around, dict):
        around[data.draw(st.sampled_from(_KEYS))] = data.draw(st.sampled_from(_VALUES))
    else:
        around.append(data.draw(st.sampled_from(_VALUES)))

    if _checker_accepts(folder, name, table):
        assert _schema_accepts(folder, name, table), (place, around)


@pytest.mark.parametrize(("name", "judgement", "change"), judged(*tables()))
def test_a_change_is_judged_alike(folder: Path, name: str, judgement: str, change: str) -> None:
    table = changed(tables()[name], change)
    assert _schema_accepts(folder, name, table) == (judgement != "no")
    assert _checker_accepts(folder, name, table) == (judgement == "yes")


JESTER = {"worth": 1, "cost": {"coins": 1}, "colour": "green", "use": "gain 1 coin"}


@pytest.fixture
def schemas(tmp_path: Path) -> dict[str, dict[str, Any]]:
    """Return the schemas of a mod that changes a card, adds one and adds a kind of its own."""
    game = write_fair(tmp_path / "game")
    mod = write_mod(
        tmp_path / "head-gear_2",
        files={
            "hats.rules": 'kind hat from "hats.toml":\n    size: number\n    seen: colour\n',
            "hats.toml": 'source = "house"\n[bowler]\nsize = 3\nseen = "red"\n',
            "cards.toml": "source = 'house'\n[juggler]\nworth = 7\n[clown]\nworth = 1\n"
            "cost = { coins = 1 }\ncolour = 'red'\nuse = 'gain 1 coin'\n",
        },
    )
    return {name: json.loads(text) for name, text in schemas_of(game, [mod], of=mod).items()}


def validator(schema: dict[str, Any]) -> jsonschema.Draft7Validator:
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def accepts(schema: dict[str, Any], data: object) -> bool:
    return bool(validator(schema).is_valid(data))


def test_there_is_a_schema_for_each_file_of_the_mod_and_no_other(schemas: dict[str, Any]) -> None:
    assert sorted(schemas) == ["cards.json", "hats.json", "pack.json"]


def test_a_mod_changes_single_fields_and_adds_whole_entries(schemas: dict[str, Any]) -> None:
    cards = schemas["cards.json"]
    jester = JESTER | {"colour": "red"}

    assert accepts(cards, {"juggler": {"worth": 9}})
    assert accepts(cards, {"juggler": {"cost": {"coins": 1}}, "jester": jester})
    assert not accepts(cards, {"juggler": {"worht": 9}})
    assert not accepts(cards, {"jester": JESTER})


def test_a_mod_can_name_what_the_game_has(schemas: dict[str, Any]) -> None:
    assert accepts(schemas["hats.json"], {"beret": {"size": 1, "seen": "blue"}})
    assert not accepts(schemas["hats.json"], {"beret": {"size": 1, "seen": "green"}})


def test_what_a_mod_brings_may_stand_below_its_id(schemas: dict[str, Any]) -> None:
    cards, jester = schemas["cards.json"], JESTER | {"colour": "red"}
    assert accepts(cards, {"head-gear_2": {"jester": jester, "source": "house"}})
    assert not accepts(cards, {"head-gear_2": {"jester": JESTER}})
    assert not accepts(cards, {"shoes_2": {"jester": jester}})


def test_content_with_errors_has_no_schema(tmp_path: Path) -> None:
    game = write_fair(tmp_path / "game")
    (game / "cards.toml").write_text("[juggler]\n")
    with pytest.raises(LintError):
        schemas_of(game)


CONTENT = bundled_content()
# What `coloma train` writes is read by `rulesdsl.bots`, which names its mistakes; nobody edits it.
FILES = sorted(
    each.relative_to(CONTENT).as_posix()
    for each in CONTENT.rglob("*.toml")
    if each.parent.name != BOTS
)


@lru_cache
def _schemas(folder: Path) -> dict[str, str]:
    """Return the schemas of a bundled pack."""
    selection = select(str(folder), ())
    return schemas_of(selection.game, selection.mods, of=folder)


def _validator(path: str) -> jsonschema.Draft7Validator:
    folder = some(pack_of(CONTENT / path))
    name = schema_path((CONTENT / path).relative_to(folder).as_posix())
    return validator(json.loads(_schemas(folder)[name]))


@pytest.mark.parametrize("path", FILES)
def test_a_shipped_file_is_what_its_schema_says(path: str) -> None:
    _validator(path).validate(tomllib.loads((CONTENT / path).read_text(encoding="utf-8")))


def _change(*path: str | int, to: object) -> Callable[[Any], None]:
    def change(data: Any) -> None:  # noqa: ANN401 - it goes as deep as the path
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("buildings.toml", _change("brewery", "prise", to=6)),
        ("buildings.toml", _change("brewery", "prize", to="6")),
        ("buildings.toml", _change("brewery", "price", "hammer", to={"dollars": 1})),
        ("buildings.toml", _change("brewery", "ability", "shovle", to="gain 1 buck")),
        ("buildings.toml", _change("brewery", "ability", "barker", to=["", " "])),
        ("buildings.toml", _change("brewery", "sources", to={"prise": "house"})),
        ("numbers.toml", _change("horse-price", to="three")),
        ("numbers.toml", _change("source", to="guess")),
        ("pack.toml", _change("kind", to="toy")),
        ("pack.toml", _change("author", to="me")),
        ("scenarios/setup.toml", _change("scenario", 0, "expects", to=["1 = 1"])),
        ("scenarios/setup.toml", _change("scenario", 0, "players", to=9)),
        ("rules_covered.toml", _change("ids", to=["A-1"])),
    ],
)
def test_a_mistake_in_a_shipped_file_is_seen(path: str, change: Callable[[Any], None]) -> None:
    data = tomllib.loads((CONTENT / path).read_text(encoding="utf-8"))
    change(data)
    assert not _validator(path).is_valid(data)


@pytest.fixture(scope="module")
def file_schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return the schemas of a game, and of a mod for it as `mod.json`."""
    box = tmp_path_factory.mktemp("box")
    game, mod = write_fair(box / "game"), box / "mod"
    for folder in (game, mod):
        (folder / "scenarios").mkdir(parents=True)
        (folder / "scenarios/a.toml").write_text("")
    (game / "rules_covered.toml").write_text("[ids]\nA-1 = 'a'\n")
    (mod / "pack.toml").write_text(manifest_of_mod("hats"))
    texts = schemas_of(game)
    texts["mod.json"] = schemas_of(game, [mod], of=mod)["pack.json"]
    return {name: json.loads(text) for name, text in texts.items()}


def _file(data: dict[str, object], findings: Findings) -> TomlFile:
    return some(parse_toml("a.toml", SourceFile("a.toml", tomli_w.dumps(data)), findings))


# -------------------------------------------------------------------- manifests
GAME: dict[str, object] = {"id": "coins", "name": "Coins", "version": "1.0", "kind": "game"}
MOD = GAME | {"id": "hats", "name": "Hats", "kind": "mod", "for_game": "coins"}
BOTH, OF_GAME, OF_MOD = (f"manifest of a {each}" for each in ("game or a mod", "game", "mod"))
KINDS = {"pack.json": (GAME, judged(BOTH, OF_GAME)), "mod.json": (MOD, judged(BOTH, OF_MOD))}


@pytest.mark.parametrize("kind", KINDS)
def test_a_manifest_is_judged_alike(file_schemas: dict[str, Any], kind: str) -> None:
    right, lines = KINDS[kind]
    for _, judgement, change in [("", "yes", f"name = '{right['name']}'"), *lines]:
        data = changed(right, change)
        assert accepts(file_schemas[kind], data) == (judgement == "yes"), change
        assert _reads(data) == (judgement == "yes"), change


def test_a_name_has_an_end(file_schemas: dict[str, Any]) -> None:
    assert not accepts(file_schemas["pack.json"], GAME | {"name": "x" * 2001})
    assert not _reads(GAME | {"name": "x" * 2001})


def _reads(data: dict[str, object]) -> bool:
    findings = Findings()
    read_manifest(_file(data, findings), findings)
    return not findings.has_errors


def test_the_schemas_know_every_key_of_a_manifest(file_schemas: dict[str, Any]) -> None:
    for name, kind in (("pack.json", PackKind.GAME), ("mod.json", PackKind.MOD)):
        keys = {each.key for each in manifest_fields(kind)}
        assert set(file_schemas[name]["properties"]) == keys


# -------------------------------------------------------------------- scenarios
ONE: dict[str, object] = {"name": "a", "expect": ["1 = 1"]}


@pytest.mark.parametrize(("heading", "judgement", "change"), judged("scenario"))
def test_a_scenario_is_judged_alike(
    file_schemas: dict[str, Any], heading: str, judgement: str, change: str
) -> None:
    findings = Findings()
    # All that can play are at the table: `p4` is somebody only where four play.
    data: dict[str, object] = {heading: [changed({"players": 4} | ONE, change)]}
    read = read_scenarios([_file(data, findings)], Players(2, 4), findings)
    assert accepts(file_schemas["scenarios/scenarios.json"], data) == (judgement == "yes")
    assert bool(read) == (judgement == "yes")


@pytest.mark.parametrize(
    "change", [{"options": {"shorter": True}}, {"options": {"short": "yes"}}, {"after": "nowhere"}]
)
def test_scenarios_know_names(file_schemas: dict[str, Any], change: dict[str, object]) -> None:
    assert not accepts(file_schemas["scenarios/scenarios.json"], {"scenario": [ONE | change]})


def test_the_schema_knows_every_key_of_a_scenario(file_schemas: dict[str, Any]) -> None:
    schema = file_schemas["scenarios/scenarios.json"]
    assert tuple(schema["properties"]["scenario"]["items"]["properties"]) == KEYS
    assert not accepts(schema, {"scenarios": [ONE]})


# -------------------------------------------------------------------- the checklist
def test_a_checklist_has_rules_with_words(file_schemas: dict[str, Any]) -> None:
    schema = file_schemas["rules_covered.json"]
    assert accepts(schema, {"ids": {"A-1": "a"}, "exempt": {"A-1": "b"}})
    assert not accepts(schema, {"ids": {"A-1": ""}})
    assert not accepts(schema, {"ids": ["A-1"]})
    assert not accepts(schema, {"rules": {"A-1": "a"}})
