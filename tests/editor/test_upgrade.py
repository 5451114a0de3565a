"""Packs of an older language in the newest one: the same games, with the ids of now."""

from pathlib import Path

import rulesdsl
from check.stock import write
from cli.mods_on_disk import everything_in
from game_texts import write_lanterns
from rulesdsl.editor.upgrade import upgraded
from rulesdsl.scenarios import run_scenarios

MORE = """\
after game: for each player: go-on
verb go-on:
    menu "What else?":
        once "Polish {coins in my purse}": polish
        once "Set it up":
            set fame-of-suit to polish
        once "Show off" for each card c in my hand: win 1 fame
kind thing: fame-of-suit
verb set thing t: win 2 fame
verb polish: win 1 fame
"""
SCENARIO = """\
[[scenario]]
name = "What else there is"
play = "for p1: go-on"
given = ["for p1: move 1 drum from my deck into my hand"]
do = ["p1 set-it-up", "p1 show-off:drum"]
offered = ["p1 polish"]
"""


def older(folder: Path) -> Path:
    write_lanterns(folder)
    manifest = (folder / "pack.toml").read_text().replace('language = "0.2"\n', "")
    rules = (folder / "game.rules").read_text().replace("win 1 fame shown", "nothing") + MORE
    scenarios = {"pack.toml": manifest, "game.rules": rules, "scenarios/else.toml": SCENARIO}
    write(folder, scenarios)
    return folder


def findings(pack: Path) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in rulesdsl.lint(pack).diagnostics]


def put(texts: dict[Path, tuple[str, str]]) -> None:
    for path, (before, after) in texts.items():
        assert path.read_text() == before
        path.write_text(after)


def test_an_older_pack_plays_on_as_it_did(tmp_path: Path) -> None:
    pack = older(tmp_path / "lanterns")
    found, report = findings(pack), run_scenarios(pack)
    assert report.ok, str(report)

    done = upgraded(pack, (), pack)
    assert everything_in(pack)["pack.toml"].count(b"language") == 0  # all in memory
    put(dict(done.texts))

    assert findings(pack) == found
    after = run_scenarios(pack)
    assert after.ok, str(after)
    assert len(after.results) == len(report.results)
    assert 'language = "0.2"' in (pack / "pack.toml").read_text()
    told = "\n".join(done.notes)
    assert "`set` is a word of the language now: `set-1` (2 places)" in told
    assert "the option `show-off:drum` is now `win:drum` (1 times)" in told
    scenario = (pack / "scenarios" / "else.toml").read_text()
    assert 'do = ["p1 set-1-fame-of-suit-to-polish", "p1 win:drum"]' in scenario


def test_a_pack_of_the_newest_language_stays(tmp_path: Path) -> None:
    pack = write_lanterns(tmp_path / "lanterns")
    assert (upgraded(pack, (), pack).texts, upgraded(pack, (), pack).notes) == ({}, ())
