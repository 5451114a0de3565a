"""The schemas of manifests, scenarios and checklists against the readers of these files."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import tomli_w

from packs.on_disk import manifest_of_mod
from rulesdsl.packs.manifest import PackKind, Players
from rulesdsl.packs.manifest_fields import manifest_fields, read_manifest
from rulesdsl.packs.toml_file import TomlFile, parse_toml
from rulesdsl.scenarios.reading import KEYS, read_scenarios
from rulesdsl.schema import schemas_of
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import SourceFile
from schema.fair import write_fair


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The schemas of a game, and of a mod for it as `mod.json`."""
    box = tmp_path_factory.mktemp("box")
    game, mod = write_fair(box / "game"), box / "mod"
    for folder in (game, mod):
        (folder / "scenarios").mkdir(parents=True)
        (folder / "scenarios/a.toml").write_text("")
    (game / "rules_covered.toml").write_text("[ids]\nA-1 = 'a'\n")
    (mod / "pack.toml").write_text(manifest_of_mod("hats"))
    texts = schemas_of(game).texts
    texts["mod.json"] = schemas_of(game, [mod], of=mod).texts["pack.json"]
    found = {name: json.loads(text) for name, text in texts.items()}
    for each in found.values():
        jsonschema.Draft7Validator.check_schema(each)
    return found


def _accepts(schema: dict[str, Any], data: object) -> bool:
    return bool(jsonschema.Draft7Validator(schema).is_valid(data))


def _file(data: dict[str, object], findings: Findings) -> TomlFile:
    file = parse_toml("a.toml", SourceFile("a.toml", tomli_w.dumps(data)), findings)
    assert file
    return file


# -------------------------------------------------------------------- manifests
GAME = {"id": "coins", "name": "Coins", "version": "1.0", "kind": "game"}
MOD = {"id": "hats", "name": "Hats", "version": "1.0", "kind": "mod", "for_game": "coins"}


@pytest.mark.parametrize(
    ("change", "accepted"),
    [
        ({}, True),
        ({"id": "red-deck_2"}, True),
        ({"id": "Red"}, False),
        ({"id": "red deck"}, False),
        ({"id": "a" * 61}, False),
        ({"name": " "}, False),
        ({"name": "two\nlines"}, False),
        ({"name": "x" * 2001}, False),
        ({"version": "1.2.3"}, True),
        ({"version": "1.2.3.4"}, False),
        ({"version": 1}, False),
        ({"engine": ">=0.1"}, True),
        ({"engine": ">=0.1, <9"}, True),
        ({"engine": "< 9 , >= 0.1"}, True),
        ({"engine": ">=0.1, >=0"}, False),
        ({"engine": "0.1"}, False),
        ({"about": "Two\nlines."}, True),
        ({"about": 3}, False),
        ({"players": {"least": 1, "most": 20}}, True),
        ({"players": {"least": 0, "most": 2}}, False),
        ({"players": {"least": 1, "most": 21}}, False),
        ({"players": {"least": 2}}, False),
        ({"players": {"least": 2, "most": 3, "best": 2}}, False),
        ({"players": 4}, False),
        ({"excludes": ["red-deck", "blue-deck >=1.2, <2"]}, True),
        ({"excludes": ["red-deck 1.2"]}, False),
        ({"excludes": ["Red"]}, False),
        ({"excludes": "red-deck"}, False),
        ({"licence": "MIT"}, False),
    ],
)
@pytest.mark.parametrize("kind", ["pack.json", "mod.json"])
def test_a_manifest_is_judged_alike(
    schemas: dict[str, Any], kind: str, change: dict[str, object], accepted: bool
) -> None:
    data = (GAME if kind == "pack.json" else MOD) | change

    assert _accepts(schemas[kind], data) == accepted
    assert _reads(data) == accepted


@pytest.mark.parametrize(
    ("kind", "data", "accepted"),
    [
        ("pack.json", GAME | {"requires": ["hats"]}, False),
        ("pack.json", GAME | {"for_game": "coins"}, False),
        ("mod.json", MOD | {"requires": ["shoes >=1"], "after": ["bags"]}, True),
        ("mod.json", {key: MOD[key] for key in MOD if key != "for_game"}, False),
        ("mod.json", {key: MOD[key] for key in MOD if key != "id"}, False),
    ],
)
def test_games_and_mods_say_different_things(
    schemas: dict[str, Any], kind: str, data: dict[str, object], accepted: bool
) -> None:
    assert _accepts(schemas[kind], data) == accepted
    assert _reads(data) == accepted


def _reads(data: dict[str, object]) -> bool:
    findings = Findings()
    read_manifest(_file(data, findings), findings)
    return not findings.has_errors


def test_the_schemas_know_every_key_of_a_manifest(schemas: dict[str, Any]) -> None:
    for name, kind in (("pack.json", PackKind.GAME), ("mod.json", PackKind.MOD)):
        keys = {each.key for each in manifest_fields(kind)}
        assert set(schemas[name]["properties"]) == keys


# -------------------------------------------------------------------- scenarios
ONE = {"name": "a", "expect": ["1 = 1"]}


@pytest.mark.parametrize(
    ("scenario", "accepted"),
    [
        (ONE, True),
        (ONE | {"players": 4, "seed": 3, "covers": ["A-1"], "over": True}, True),
        (ONE | {"options": {"short": True}, "log": ["gains"], "play": "gain 1 coin"}, True),
        (ONE | {"scores": [1, -2], "places": [1, 2], "given": ["gain 1 coin"]}, True),
        (ONE | {"do": ["p1 done", " p2 *"], "offered": ["p4 a:b"]}, True),
        ({"name": "a"}, False),
        ({"expect": ["1 = 1"]}, False),
        (ONE | {"name": " "}, False),
        (ONE | {"players": 5}, False),
        (ONE | {"seed": -1}, False),
        (ONE | {"options": True}, False),
        (ONE | {"after": 3}, False),
        (ONE | {"given": "gain 1 coin"}, False),
        (ONE | {"given": [" "]}, False),
        (ONE | {"do": ["done"]}, False),
        (ONE | {"do": ["p1"]}, False),
        (ONE | {"offered": ["p1 *"]}, False),
        (ONE | {"not-offered": ["p9 done"]}, False),
        (ONE | {"over": 1}, False),
        (ONE | {"scores": ["1"]}, False),
        (ONE | {"verdicts": ["won", "lost", "none", "drawn"]}, True),
        (ONE | {"verdicts": ["beaten", "lost", "none", "drawn"]}, False),
        (ONE | {"offers": ["p1 done"]}, False),
    ],
)
def test_a_scenario_is_judged_alike(
    schemas: dict[str, Any], scenario: dict[str, object], accepted: bool
) -> None:
    findings = Findings()
    # All that can play are at the table: `p4` is somebody only where four play.
    data: dict[str, object] = {"scenario": [{"players": 4} | scenario]}
    read = read_scenarios([_file(data, findings)], Players(2, 4), findings)

    assert _accepts(schemas["scenarios/scenarios.json"], data) == accepted
    assert bool(read) == accepted


@pytest.mark.parametrize(
    "change",
    [{"options": {"shorter": True}}, {"options": {"short": "yes"}}, {"after": "nowhere"}],
)
def test_a_scenario_names_options_and_steps_that_there_are(
    schemas: dict[str, Any], change: dict[str, object]
) -> None:
    assert not _accepts(schemas["scenarios/scenarios.json"], {"scenario": [ONE | change]})


def test_the_schema_knows_every_key_of_a_scenario(schemas: dict[str, Any]) -> None:
    schema = schemas["scenarios/scenarios.json"]

    assert tuple(schema["properties"]["scenario"]["items"]["properties"]) == KEYS
    assert not _accepts(schema, {"scenarios": [ONE]})


# -------------------------------------------------------------------- the checklist
def test_a_checklist_has_rules_with_words(schemas: dict[str, Any]) -> None:
    schema = schemas["rules_covered.json"]

    assert _accepts(schema, {"ids": {"A-1": "a"}, "exempt": {"A-1": "b"}})
    assert not _accepts(schema, {"ids": {"A-1": ""}})
    assert not _accepts(schema, {"ids": ["A-1"]})
    assert not _accepts(schema, {"rules": {"A-1": "a"}})
