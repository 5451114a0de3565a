from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from coloma.packs import bundled_content, bundled_packs
from rulesdsl.packs.folder import BOTS
from rulesdsl.schema import BEGINNING, schemas_of

CONTENT = bundled_content()
# What `coloma train` writes is read by `rulesdsl.bots`, which names its mistakes; nobody edits it.
FILES = sorted(
    each.relative_to(CONTENT).as_posix()
    for each in CONTENT.rglob("*.toml")
    if each.parent.name != BOTS
)
PACKS = [each.folder for each in bundled_packs()]


def _schema_of(path: str) -> Path:
    file = CONTENT / path
    first = file.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith(BEGINNING), f"{file} names no schema: run `coloma schema`"
    return (file.parent / first.removeprefix(BEGINNING)).resolve()


@lru_cache
def _validator(schema: Path) -> jsonschema.Draft7Validator:
    read = json.loads(schema.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(read)
    return jsonschema.Draft7Validator(read)


@pytest.mark.parametrize("path", FILES)
def test_a_shipped_file_is_what_its_schema_says(path: str) -> None:
    data = tomllib.loads((CONTENT / path).read_text(encoding="utf-8"))

    _validator(_schema_of(path)).validate(data)


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
        ("buildings.toml", _change("brewery", "price", to={"hammer": {"bucks": 1}})),
        ("buildings.toml", _change("brewery", "price", "hammer", to={"dollars": 1})),
        ("buildings.toml", _change("brewery", "ability", "shovle", to="gain 1 buck")),
        ("buildings.toml", _change("brewery", "ability", "barker", to=["", " "])),
        ("buildings.toml", _change("brewery", "sources", to={"prise": "house"})),
        ("buildings.toml", _change("tavern", to={"name": "Tavern"})),
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

    assert not _validator(_schema_of(path)).is_valid(data)


def test_a_copy_of_the_content_keeps_its_schemas(tmp_path: Path) -> None:
    copy = shutil.copytree(CONTENT, tmp_path / "content")
    whole = schemas_of(copy)

    assert whole.unmarked == {}
    assert whole.texts == schemas_of(CONTENT).texts
