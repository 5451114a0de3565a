from __future__ import annotations

import tomllib
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import TYPE_CHECKING

import rulesdsl
from cli.conftest import Run
from coloma.app import main
from coloma.packs import bundled_content
from rulesdsl import SourceLine
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    import pytest


def test_packs_lists_what_we_ship(run: Run) -> None:
    ids = [tomllib.loads(each.read_text())["id"] for each in bundled_content().rglob("pack.toml")]
    first_words = [line.split()[0] for line in run("packs").lines if line]

    assert set(ids) <= set(first_words)
    assert ids


def test_packs_lists_mods_below_their_game_and_groups_last(run: Run) -> None:
    lines = run("packs").lines
    at = {line.split()[0]: number for number, line in enumerate(lines) if line}

    assert at["coloma"] < at["deluxe"] < at["variants"] < at["sutters_mill"] < at["Classics"]
    assert at["Classics"] < min(at["chess"], at["tic_tac_toe"])
    assert lines[at["Classics"]] == "Classics"
    assert lines[at["chess"]].startswith("  chess ")


def test_sources_are_grouped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Span("game.rules", 3, 1, 3, 2)
    numbers = [
        SourceLine("house", place, "price of a card", "3"),
        SourceLine("derived", place, "coins", "12"),
    ]
    monkeypatch.setattr(rulesdsl, "sources", lambda *_: numbers)

    assert run("sources").lines == [
        "derived: 1",
        "  coins  12  game.rules:3",
        "house: 1",
        "  price of a card  3  game.rules:3",
    ]


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    ran = run()

    assert "simulate" in ran.out + ran.err
    assert ran.status in (0, 2)


def test_the_installed_command_is_ours() -> None:
    installed = entry_points(group="console_scripts", name="coloma")

    assert all(each.load() is main for each in installed)
    assert '"coloma.app:main"' in Path("pyproject.toml").read_text()


def test_the_version_is_that_of_the_package(run: Run) -> None:
    ran = run("--version")

    assert ran.out == f"coloma {version('coloma')}\n"
    assert ran.status == 0
