from __future__ import annotations

import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import attrs
import pytest

from cli.conftest import Run
from coloma import engine
from coloma.app import main
from coloma.bundled import bundled_content
from coloma.commands.explain import as_plain_text
from rulesdsl.source.codes import CODES
from rulesdsl.source.span import Span


def test_explain_lists_every_code(run: Run) -> None:
    ran = run("explain")

    assert [line.split()[0] for line in ran.lines] == list(CODES)


@pytest.mark.parametrize("word", ["E201", "e201", "unknown-name"])
def test_explain_finds_a_code_by_number_and_by_name(run: Run, word: str) -> None:
    ran = run("explain", word)

    assert ran.lines[0] == "E201 unknown-name"
    assert "```" not in ran.out


@pytest.mark.parametrize(
    ("word", "near"), [("unknown-nam", "`unknown-name`"), ("E210", "`E201`"), ("hello", "lists")]
)
def test_explain_knows_what_was_meant(run: Run, word: str, near: str) -> None:
    ran = run("explain", word)

    assert ran.status == 2
    assert near in ran.err


def test_pages_lose_their_markdown() -> None:
    page = "# E1 name\n\n## What\nText.\n```rules game.rules\nverb x:\n    y\n```\n"

    assert list(as_plain_text(page)) == [
        "E1 name",
        "",
        "What",
        "Text.",
        "  game.rules:",
        "    verb x:",
        "        y",
    ]


def test_packs_lists_what_we_ship(run: Run) -> None:
    ids = [tomllib.loads(each.read_text())["id"] for each in bundled_content().rglob("pack.toml")]
    first_words = [line.split()[0] for line in run("packs").lines]

    assert set(ids) <= set(first_words)
    assert ids


@attrs.frozen
class Number:
    source: str
    span: Span
    name: str
    value: object


def test_sources_are_grouped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Span("game.rules", 3, 1, 3, 2)
    numbers = [
        Number("house", place, "price of a card", 3),
        Number("derived", place, "coins", 12),
    ]
    monkeypatch.setattr(engine, "numbers_of", lambda *_: numbers)

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
