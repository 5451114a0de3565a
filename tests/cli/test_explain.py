from __future__ import annotations

from cli.conftest import Run
from coloma.guides import GuidePage, as_plain_text, find_page, shipped_pages
from rulesdsl.source.codes import CODES


def test_explain_lists_every_page_and_every_code(run: Run) -> None:
    ran = run("explain")
    first_words = [line.split()[0] for line in ran.lines if line.strip()]

    assert [word for word in first_words if word in CODES] == list(CODES)
    assert {"language", "tutorial", "mods", "game"} <= set(first_words)
    assert "hooks on values" in " ".join(ran.out.split())


def test_a_sign_of_a_heading_in_an_example_is_no_heading() -> None:
    page = GuidePage("x", "# X\n\n```rules a.rules\n# a comment\n```\n\n## Y\ntext\n")

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
