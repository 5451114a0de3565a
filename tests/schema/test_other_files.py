from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import tomli_w

from packs.on_disk import manifest_of_mod
from rulesdsl.packs.manifest import PackKind, Players, manifest_fields, read_manifest
from rulesdsl.packs.toml_document import TomlFile, parse_toml
from rulesdsl.scenarios.reading import KEYS, read_scenarios
from rulesdsl.schema import schemas_of
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import SourceFile
from schema.fair import write_fair
from schema.judged import changed, judged


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
GAME: dict[str, object] = {"id": "coins", "name": "Coins", "version": "1.0", "kind": "game"}
MOD: dict[str, object] = {
    "id": "hats",
    "name": "Hats",
    "version": "1.0",
    "kind": "mod",
    "for_game": "coins",
}


BOTH, OF_GAME, OF_MOD = (f"manifest of a {each}" for each in ("game or a mod", "game", "mod"))
KINDS = {"pack.json": (GAME, judged(BOTH, OF_GAME)), "mod.json": (MOD, judged(BOTH, OF_MOD))}


@pytest.mark.parametrize("kind", KINDS)
def test_a_manifest_is_judged_alike(schemas: dict[str, Any], kind: str) -> None:
    right, lines = KINDS[kind]
    for _, judgement, change in [("", "yes", f"name = '{right['name']}'"), *lines]:
        data = changed(right, change)
        assert _accepts(schemas[kind], data) == (judgement == "yes"), change
        assert _reads(data) == (judgement == "yes"), change


def test_a_name_has_an_end(schemas: dict[str, Any]) -> None:
    assert not _accepts(schemas["pack.json"], GAME | {"name": "x" * 2001})
    assert not _reads(GAME | {"name": "x" * 2001})


def _reads(data: dict[str, object]) -> bool:
    findings = Findings()
    read_manifest(_file(data, findings), findings)
    return not findings.has_errors


def test_the_schemas_know_every_key_of_a_manifest(schemas: dict[str, Any]) -> None:
    for name, kind in (("pack.json", PackKind.GAME), ("mod.json", PackKind.MOD)):
        keys = {each.key for each in manifest_fields(kind)}
        assert set(schemas[name]["properties"]) == keys


# -------------------------------------------------------------------- scenarios
ONE: dict[str, object] = {"name": "a", "expect": ["1 = 1"]}


@pytest.mark.parametrize(("heading", "judgement", "change"), judged("scenario"))
def test_a_scenario_is_judged_alike(
    schemas: dict[str, Any], heading: str, judgement: str, change: str
) -> None:
    findings = Findings()
    # All that can play are at the table: `p4` is somebody only where four play.
    data: dict[str, object] = {heading: [changed({"players": 4} | ONE, change)]}
    read = read_scenarios([_file(data, findings)], Players(2, 4), findings)

    assert _accepts(schemas["scenarios/scenarios.json"], data) == (judgement == "yes")
    assert bool(read) == (judgement == "yes")


@pytest.mark.parametrize(
    "change", [{"options": {"shorter": True}}, {"options": {"short": "yes"}}, {"after": "nowhere"}]
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
