"""Scenarios say of options why they are not offered, and others see the same options offered."""

from __future__ import annotations

import tomllib
from pathlib import Path

CONTENT = Path(__file__).parents[2] / "content"
GAMES = (CONTENT, CONTENT / "sutters_mill")


def _option(text: str) -> str:
    return text.partition(" ")[2].partition(" because ")[0]


def test_the_reasons_of_forty_options_are_told_and_can_be_removed() -> None:
    refused: set[str] = set()
    for game in GAMES:
        files = (game / "scenarios").glob("*.toml")
        every = [each for file in files for each in tomllib.loads(file.read_text())["scenario"]]
        offered = {
            _option(text)
            for each in every
            for key in ("do", "offered")
            for text in each.get(key, [])
        }
        told = {_option(text) for each in every for text in each.get("why-not", [])}

        assert told <= offered
        refused |= {f"{game.name} {each}" for each in told}

    assert len(refused) >= 40
