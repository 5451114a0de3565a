from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run
from coloma.guides import Page, as_plain_text, find_page, shipped_pages
from rulesdsl.source.codes import CODES


def test_explain_lists_every_page_and_every_code(run: Run) -> None:
    ran = run("explain")
    first_words = [line.split()[0] for line in ran.lines if line.strip()]

    assert [word for word in first_words if word in CODES] == list(CODES)
    assert {"language", "tutorial", "mods", "game"} <= set(first_words)
    assert "hooks on values" in " ".join(ran.out.split())


@pytest.mark.parametrize("word", ["E201", "e201", "unknown-name"])
def test_explain_finds_a_code_by_number_and_by_name(run: Run, word: str) -> None:
    ran = run("explain", word)

    assert ran.lines[0] == "E201 unknown-name"
    assert "```" not in ran.out


@pytest.mark.parametrize("word", ["hooks on values", "Hooks on values", "on values"])
def test_explain_finds_a_part_of_a_page_by_its_heading(run: Run, word: str) -> None:
    ran = run("explain", word)

    assert ran.lines[0] == "Hooks on values"
    assert "The end, and the board" not in ran.out


def test_a_part_has_the_smaller_parts_below_it(run: Run) -> None:
    ran = run("explain", "declarations")

    assert "Kinds and entries" in ran.lines
    assert "What happens" not in ran.lines


def test_the_whole_language_can_be_read_without_a_checkout(run: Run) -> None:
    ran = run("explain", "language")

    assert ran.lines[0] == "The rules language"
    assert "Choosing in secret" in ran.lines
    assert "<!--" not in ran.out  # what only the tests need
    assert "](" not in ran.out


@pytest.mark.parametrize(
    ("word", "near"),
    [("unknown-nam", "`unknown-name`"), ("E210", "`E201`"), ("hoks", "`hooks`"), ("qqq", "lists")],
)
def test_explain_knows_what_was_meant(run: Run, word: str, near: str) -> None:
    ran = run("explain", word)

    assert ran.status == 2
    assert near in ran.err


def test_a_pack_brings_its_own_pages(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text('id = "x"\n', encoding="utf-8")
    (tmp_path / "README.md").write_text("# The game of X\n\nText.\n", encoding="utf-8")
    (tmp_path / "recipes.md").write_text("# Recipes\n\n## Soup\n\nHot.\n", encoding="utf-8")

    assert run("explain", "game", "--pack", str(tmp_path)).lines[0] == "The game of X"
    assert run("explain", "soup", "--pack", str(tmp_path)).lines == ["Soup", "", "Hot."]
    assert "Recipes" in run("explain", "--pack", str(tmp_path)).out


def test_a_readme_beside_the_page_of_a_game_is_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text('id = "x"\n', encoding="utf-8")
    (tmp_path / "README.md").write_text("# Welcome to X\n", encoding="utf-8")
    (tmp_path / "game.md").write_text("# The game of X\n", encoding="utf-8")

    assert run("explain", "game", "--pack", str(tmp_path)).lines[0] == "The game of X"
    assert "Welcome" not in run("explain", "--pack", str(tmp_path)).out


def test_a_sign_of_a_heading_in_an_example_is_no_heading() -> None:
    page = Page("x", "# X\n\n```rules a.rules\n# a comment\n```\n\n## Y\ntext\n")

    assert [each.name for each in page.sections()] == ["y"]
    assert find_page("a comment", [page]) is None


def test_pages_lose_their_markdown() -> None:
    prose = "# E1 name\n\n## What\nA\n[text](#what).\n| a | b |\n"
    page = f"{prose}```rules game.rules\nverb x:\n    y\n```\n"

    assert list(as_plain_text(page)) == [
        "E1 name",
        "",
        "What",
        "A text.",
        "| a | b |",
        "  game.rules:",
        "    verb x:",
        "        y",
    ]


def test_no_two_headings_are_asked_for_by_one_word() -> None:
    names = [each.name for page in shipped_pages() for each in (page, *page.sections())]

    assert sorted(set(names)) == sorted(names)


def test_a_word_of_the_language_leads_to_its_headings(run: Run) -> None:
    ran = run("explain", "at most")

    assert (ran.status, ran.lines[1:]) == (
        0,
        ['  coloma explain "arithmetic"', '  coloma explain "loops"'],
    )


def test_a_word_of_a_game_is_left_to_the_vocabulary(run: Run) -> None:
    ran = run("explain", "zzzzzzzz")

    assert ran.status != 0
    assert "`coloma vocabulary zzzzzzzz`" in ran.err
