from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli.mods_on_disk import write_mod
from rulesdsl.schema import schema_line, schemas_of
from rulesdsl.source.diagnostics import LintError
from schema.fair import write_fair

JESTER = {"worth": 1, "cost": {"coins": 1}, "colour": "green", "use": "gain 1 coin"}


@pytest.fixture
def schemas(tmp_path: Path) -> dict[str, dict[str, Any]]:
    """The schemas of a mod that changes a card, adds one and brings a colour of its own."""
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
    found = schemas_of(game, [mod], of=mod)
    assert found.folder == mod
    return {name: json.loads(text) for name, text in found.texts.items()}


def accepts(schema: dict[str, Any], data: object) -> bool:
    jsonschema.Draft7Validator.check_schema(schema)
    return bool(jsonschema.Draft7Validator(schema).is_valid(data))


def test_there_is_a_schema_for_each_file_of_the_mod_and_no_other(schemas: dict[str, Any]) -> None:
    assert sorted(schemas) == ["cards.json", "hats.json", "pack.json"]


def test_a_mod_changes_single_fields_and_adds_whole_entries(schemas: dict[str, Any]) -> None:
    cards = schemas["cards.json"]
    jester = JESTER | {"colour": "red"}

    assert accepts(cards, {"juggler": {"worth": 9}})
    assert accepts(cards, {"juggler": {"cost": {"coins": 1}}, "jester": jester})
    assert not accepts(cards, {"juggler": {"worht": 9}})
    assert not accepts(cards, {"jester": {"worth": 9}})
    assert not accepts(cards, {"clown": {"worth": 9}})
    assert not accepts(cards, {"jester": JESTER})


def test_a_mod_can_name_what_the_game_has(schemas: dict[str, Any]) -> None:
    assert accepts(schemas["hats.json"], {"beret": {"size": 1, "seen": "blue"}})
    assert not accepts(schemas["hats.json"], {"beret": {"size": 1, "seen": "green"}})


def test_what_a_mod_brings_may_stand_below_its_id(schemas: dict[str, Any]) -> None:
    cards, jester = schemas["cards.json"], JESTER | {"colour": "red"}

    assert accepts(cards, {"head-gear_2": {"jester": jester, "source": "house"}})
    assert not accepts(cards, {"head-gear_2": {"jester": JESTER}})
    assert not accepts(cards, {"shoes_2": {"jester": jester}})


def test_fields_that_the_rules_give_need_not_stand_in_the_table(tmp_path: Path) -> None:
    game = write_fair(tmp_path / "game")
    text = (game / "cards.toml").read_text().replace("worth = 1\n", "")
    (game / "cards.toml").write_text(text)
    (game / "more.rules").write_text("card baker:\n    worth = 4\n")
    cards = json.loads(schemas_of(game).texts["cards.json"])
    baker = {"cost": {"coins": 2}, "colour": "red"}

    assert accepts(cards, {"baker": baker})
    assert not accepts(cards, {"singer": baker})


def test_content_with_errors_has_no_schema(tmp_path: Path) -> None:
    game = write_fair(tmp_path / "game")
    (game / "cards.toml").write_text("[juggler]\n")

    with pytest.raises(LintError):
        schemas_of(game)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("pack.toml", "#:schema ./schema/pack.json"),
        ("cards.toml", "#:schema ./schema/cards.json"),
        ("a/map.toml", "#:schema ../schema/a/map.json"),
        ("scenarios/b.toml", "#:schema ../schema/scenarios/scenarios.json"),
        ("scenarios/deep/a.toml", "#:schema ../../schema/scenarios/scenarios.json"),
    ],
)
def test_the_line_leads_from_the_file_to_its_schema(path: str, line: str) -> None:
    assert schema_line(path) == line
