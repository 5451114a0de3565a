from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer.main

from coloma.app import app
from coloma.simulation.tables import schema_text

GUIDE = Path(__file__).parents[2] / "cli" / "coloma" / "guide" / "figures.md"
TEXT = GUIDE.read_text()
COMMANDS = [line for line in TEXT.splitlines() if line.startswith("coloma ")]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_and_their_options_are_there(line: str) -> None:
    _, name, *words = re.split(r"  +", line)[0].split()
    group = typer.main.get_command(app)
    command = group.commands[name]  # type: ignore[attr-defined]
    known = {option for each in command.params for option in each.opts}

    assert {word for word in words if word.startswith("--")} <= known


def test_every_key_of_a_simulation_is_explained() -> None:
    kinds = json.loads(schema_text())["$defs"]
    keys = {key for kind in ("simulated", "seat", "item") for key in kinds[kind]["properties"]}

    missing = {key for key in keys - {"confidence"} if f"`{key}`" not in TEXT}
    assert not missing


def test_what_a_comparison_writes_is_explained() -> None:
    keys = json.loads(schema_text())["$defs"]["compared"]["properties"]

    missing = {key for key in keys.keys() - {"confidence"} if f"`{key}`" not in TEXT}
    assert missing <= {"bots", "until"}
