from __future__ import annotations

import time
from pathlib import Path

import pytest

import rulesdsl
from rulesdsl import LintError, Topic
from rulesdsl.check.rulebook import read_page
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import SourceFile
from scenarios.small_pack import MANIFEST, NUMBERS, RULES, STALLS


def _write(folder: Path, **pages: str) -> Path:
    """Write the little game with pages of a rulebook."""
    texts = {"pack.toml": MANIFEST, "game.rules": RULES}
    texts |= {"numbers.toml": NUMBERS, "stalls.toml": STALLS}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "rulebook").mkdir()
    for name, text in pages.items():
        (folder / "rulebook" / f"{name.replace('_', '-')}.md").write_text(text, encoding="utf-8")
    return folder


def _topic(folder: Path, text: str, players: int = 2, **options: bool) -> Topic:
    pack = rulesdsl.load(_write(folder, page=f"# Title\n{text}"), cache=False)
    return pack.rulebook(players, options).topics[0]


@pytest.mark.parametrize(
    ("phrase", "filled"),
    [
        ("{start-coins}", "1"),
        ("{start-coins coins}", "1 Coin"),
        ("{(start-coins + 1) coins}", "2 Coins"),
        ("{price of baker}", "1"),
        ("{baker}", "Baker"),
        ("{rich}", "no"),
        ("{all stalls}", "2"),
        ("{players}", "2"),
        ("{wares of beggar}", "move up to 1 coins from heap into my purse"),
    ],
)
def test_what_stands_in_braces_is_filled_in(tmp_path: Path, phrase: str, filled: str) -> None:
    assert _topic(tmp_path, f"so: {phrase}.").lines[-1] == f"so: {filled}."


def test_a_line_can_be_there_for_each_entry(tmp_path: Path) -> None:
    topic = _topic(tmp_path, "{each stall s} - {s}: {price of s}")
    assert topic.lines[1:] == ("- Baker: 1", "- Beggar: 0")


def test_a_line_can_be_there_for_some_entries(tmp_path: Path) -> None:
    topic = _topic(tmp_path, "{each stall s where price of s > 0} - {s}")
    assert topic.lines[1:] == ("- Baker",)


@pytest.mark.parametrize(("rich", "said"), [(True, "rich"), (False, "poor")])
def test_a_part_depends_on_an_option(tmp_path: Path, rich: bool, said: str) -> None:
    text = "{if rich}\nrich\n{end}\n{if not rich}\npoor\n{end}"
    assert _topic(tmp_path, text, rich=rich).lines[1:] == (said,)


def test_a_part_depends_on_the_players(tmp_path: Path) -> None:
    assert _topic(tmp_path, "{if players = 3}\nthree\n{end}", 3).lines[1:] == ("three",)


def test_a_comment_says_which_rules_are_told(tmp_path: Path) -> None:
    pack = rulesdsl.load(_write(tmp_path, page="<!-- tells: A-1,\nA-2 -->\n# Title"), cache=False)
    assert pack.rulebook().topics[0].tells == ("A-1", "A-2")


def test_a_topic_is_found_by_its_name_and_by_the_words_that_it_explains(tmp_path: Path) -> None:
    pages = {"1_start": "# Start\n\nA **stall** sells.\nIt does.\n\nMore.", "2_end": "# The end"}
    book = rulesdsl.load(_write(tmp_path, **pages), cache=False).rulebook()
    assert [each.name for each in book.topics] == ["start", "end"]
    found = [book.find(word) for word in ("End", "the end", "Stall")]
    assert [each.name if each else "" for each in found] == ["end", "end", "start"]
    assert book.find("zebra") is None
    assert book.topics[0].about("stall") == "A **stall** sells. It does."


def test_a_game_without_pages_has_an_empty_rulebook(tmp_path: Path) -> None:
    assert rulesdsl.load(_write(tmp_path), cache=False).rulebook().topics == ()


def test_a_game_with_a_mistake_in_its_rulebook_can_be_played(tmp_path: Path) -> None:
    pack = rulesdsl.load(_write(tmp_path, page="# T\n{nonsense}"), cache=False)
    pack.new_game()
    with pytest.raises(LintError):
        pack.rulebook()


def test_a_mod_changes_pages_and_adds_some(tmp_path: Path) -> None:
    game, mod = tmp_path / "game", tmp_path / "mod"
    game.mkdir()
    _write(game, **{"1_start": "# Start\nold", "3_end": "# End\nCosts {price of baker}."})
    (mod / "rulebook").mkdir(parents=True)
    manifest = 'id = "dear"\nname = "Dear"\nversion = "1.0.0"\nkind = "mod"\nfor_game = "coins"\n'
    (mod / "pack.toml").write_text(manifest, encoding="utf-8")
    (mod / "stalls.toml").write_text('source = "house"\n[baker]\nprice = 7\n', encoding="utf-8")
    (mod / "rulebook/9-start.md").write_text("# Start\nnew", encoding="utf-8")
    (mod / "rulebook/2-middle.md").write_text("# Middle", encoding="utf-8")
    book = rulesdsl.load(game, [mod], cache=False).rulebook()
    assert [(each.name, each.lines[-1]) for each in book.topics] == [
        ("start", "new"),
        ("middle", "# Middle"),
        ("end", "Costs 7."),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "<!--\n",
        "<!-- tells: A-1\n",
        f"{{if {' ' * 50_000}x{{\n",
        f"{{each a b where{' ' * 50_000}x{{\n",
    ],
)
def test_what_is_never_closed_takes_no_longer_than_what_is(line: str) -> None:
    text = "# The end\n" + line * (600_000 // len(line))
    before = time.process_time()

    page = read_page("end.md", SourceFile("end.md", text), Findings())

    assert page.title == "The end"
    assert page.tells == ()
    assert time.process_time() - before < 5
