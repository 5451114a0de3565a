from __future__ import annotations

import copy
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tomli_w
from hypothesis import assume, given
from hypothesis import strategies as st

from examples import examples
from rulesdsl.check.frontend import check_pack
from rulesdsl.schema import schemas_of
from schema.fair import tables, write_fair
from schema.judged import changed, judged

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
    texts = schemas_of(folder).texts
    for text in texts.values():
        jsonschema.Draft7Validator.check_schema(json.loads(text))
    return {
        name.replace(".json", ".toml"): jsonschema.Draft7Validator(json.loads(text))
        for name, text in texts.items()
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
    """Return the places of everything in a table below its entries."""
    steps: list[tuple[str | int, object]] = []
    if isinstance(data, dict):
        steps = list(data.items())
    elif isinstance(data, list):
        steps = list(enumerate(data))
    found = [(*path, key) for key, _ in steps]
    return found + [each for key, value in steps for each in _paths(value, (*path, key))]


def _depth_of_fields(name: str) -> int:
    """Return how deep the fields stand; entries themselves are left alone."""
    return {"fair.toml": 3, "more.toml": 1}.get(name, 2)


@examples(150)
@given(st.data())
def test_whatever_stands_in_a_table_is_judged_alike(folder: Path, data: st.DataObject) -> None:
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

    # Constants are free to be called anything: which of them a file has, its schema cannot say.
    sources = table.get("sources")
    named = sources.keys() if name == "more.toml" and isinstance(sources, dict) else set()
    assume(named <= table.keys())
    accepted = _checker_accepts(folder, name, table)
    assert _schema_accepts(folder, name, table) == accepted, (place, around)


@pytest.mark.parametrize(("name", "judgement", "change"), judged(*tables()))
def test_a_change_is_judged_alike(folder: Path, name: str, judgement: str, change: str) -> None:
    table = changed(tables()[name], change)

    assert _schema_accepts(folder, name, table) == (judgement != "no")
    assert _checker_accepts(folder, name, table) == (judgement == "yes")
