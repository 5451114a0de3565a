"""Packs of an older language in the newest one: the same games, with the ids of now."""

from pathlib import Path
from random import Random

import pytest

import rulesdsl
from check.stock import write
from cli.mods_on_disk import everything_in
from game_texts import write_lanterns
from rulesdsl.editor.upgrade import upgraded
from rulesdsl.scenarios import run_scenarios
from rulesdsl.source.diagnostics import LintError

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
TELLING = """\
track bets "Bets" per player
track seals "Seals"
after take-turn: declare
verb bet card as: raise my bets by worth of as
verb declare:
    for each card c in my hand:
        bet c
        if worth of c > 2: win 1 fame, raise seals by 2 * worth of c
    choose one "What now?":
        "Seal one": raise seals by 1
        "Seal all":
            for each card c in my shelf:
                raise seals by 1   # for each card
                win 1 fame
        "2 seals": raise seals by 1
        "Seal more":
            for each card c in my shelf:
                raise seals by 1   # for each card
                win 1 fame
            raise seals by 1
    let n = coins in my purse
    menu "And then?":
        once "Sun" for each card c in my shelf where suit-of = sun:
            needs worth of c > 0
            shine c with n
        once "Moonlit" for each card c in my shelf where suit-of = moon:
            shine c with n
            mark dusty of c
verb shine card c with number n: win 1 fame, raise seals by worth of c + n
"""
TOLD = """\
verb bet card as-1: raise my bets by worth of as-1 shown
verb declare:
    for each card c in my hand:
        bet c
        if worth of c > 2: win 1 fame shown, raise seals by 2 * worth of c shown
    choose one "What now?":
        "Seal one": raise seals by 1
        "Seal all":
            for each card c in my shelf:
                raise seals by 1   # for each card
                win 1 fame
        "2 seals": seals-2
        "Seal more":
            seal-more
            raise seals by 1
    let n = coins in my purse
    menu "And then?":
        once "Sun" for each card c in my shelf where suit-of = sun:
            needs worth of c > 0
            shine c with n
        once "Moonlit" for each card c in my shelf where suit-of = moon:
            moonlit c on n
            mark dusty of c

verb moonlit card c on number n: shine c with n

verb seal-more:
    for each card c in my shelf:
        raise seals by 1   # for each card
        win 1 fame

verb seals-2: raise seals by 1
verb shine card c with number n: win 1 fame, raise seals by worth of c + n
"""
SCENARIO = """\
[[scenario]]
name = "What else there is"
play = "for p1: go-on"
given = ["for p1: move 1 drum from my deck into my hand"]
do = ["p1 set-it-up", "p1 show-off:drum"]
offered = ["p1 polish"]
"""


NAMELESS = """\
after take-turn:
    choose one "What now?":
        win 1 fame
        win 1 fame
"""


def older(folder: Path, more: str = MORE) -> Path:
    write_lanterns(folder)
    manifest = (folder / "pack.toml").read_text().replace('language = "0.2"\n', "")
    rules = (folder / "game.rules").read_text().replace("win 1 fame shown", "nothing") + more
    write(folder, {"pack.toml": manifest, "game.rules": rules})
    if more == MORE:
        write(folder, {"scenarios/else.toml": SCENARIO})
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
    assert "the option `show-off:drum` is now `win:drum` (1 time)" in told
    scenario = (pack / "scenarios" / "else.toml").read_text()
    assert 'do = ["p1 set-1-fame-of-suit-to-polish", "p1 win:drum"]' in scenario


def played(pack: Path, seed: int) -> tuple[list[str], list[str]]:
    """Play a game at random and return the labels of all options, and the log."""
    game, draw, labels = rulesdsl.load(pack, cache=False).new_game(2, seed), Random(seed), []
    while (decision := game.decision) is not None:
        labels += [option.label for option in decision.options]
        game.choose(draw.choice(decision.options))
    return labels, [str(line) for line in game.story(1)]


def test_what_tells_and_options_that_begin_alike_are_written_out(tmp_path: Path) -> None:
    pack = older(tmp_path / "lanterns", TELLING)
    found, games = findings(pack), [played(pack, seed) for seed in range(4)]

    done = upgraded(pack, (), pack)
    put(dict(done.texts))

    assert TOLD in (pack / "game.rules").read_text()
    assert findings(pack) == found
    assert [played(pack, seed) for seed in range(4)] == games
    told = [note.removeprefix(f"{pack}/") for note in done.notes]
    assert "game.rules:57 has `shown` now. " in "\n".join(told)
    assert "has a verb of its own now: `moonlit c on n`." in "\n".join(told)


QUOTING = """\
after take-turn:
    menu "What else?":
        once "Polish":
            needs coins in my purse * 2 + 1 >= 90
            win 1 fame
        once "Wave": nothing
"""
QUOTED = """\
[[scenario]]
name = "Nobody has enough to polish"
play = "for p1: take-turn"
do = ["p1 *"]
why-not = ["p1 polish because It needs: coins in your purse * 2 + 1 >= 90"]
"""


def test_reasons_that_quoted_a_rule_get_words(tmp_path: Path) -> None:
    pack = older(tmp_path / "lanterns", QUOTING)
    write(pack, {"scenarios/else.toml": QUOTED})
    done = upgraded(pack, (), pack)
    put(dict(done.texts))
    after = run_scenarios(pack, only="Nobody has enough")
    assert after.ok, str(after)
    assert "because It needs at least 90, not" in (pack / "scenarios/else.toml").read_text()
    assert "else.toml:5: the reason `It needs: coins in your purse" in done.notes[-1]


SEARCHING = """\
after take-turn:
    let p = 1 player after me
    if any cards in hand of p: rob with p
verb rob with player p:
    # any of them
    let c = a card in hand of p "Which one?"
    move c into my hand
"""


def test_who_searched_a_hidden_place_looks_at_it_first(tmp_path: Path) -> None:
    pack = older(tmp_path / "lanterns", SEARCHING)
    before = [played(pack, seed)[0] for seed in range(4)]
    done = upgraded(pack, (), pack)
    put(dict(done.texts))
    rules = (pack / "game.rules").read_text()
    assert "    look at all cards in hand of p\n    let c = a card in hand of p" in rules
    assert "lets players search now: `look at all cards in hand of p`" in "\n".join(done.notes)
    assert [played(pack, seed)[0] for seed in range(4)] == before


OWNERLESS = """\
place vault "Vault" seen by owner holds card
track oil-left "Oil left" seen by owner
after game: raise oil-left by 3
"""


def test_what_belongs_to_no_player_is_seen_by_nobody(tmp_path: Path) -> None:
    pack = older(tmp_path / "lanterns", OWNERLESS)
    before = [played(pack, seed) for seed in range(4)]
    done = upgraded(pack, (), pack)
    put(dict(done.texts))
    rules = (pack / "game.rules").read_text()
    assert OWNERLESS.replace("seen by owner", "seen by nobody") in rules
    assert [played(pack, seed) for seed in range(4)] == before
    assert "belongs to no player: it is `seen by nobody` now" in "\n".join(done.notes)


def test_what_only_the_author_can_name_is_left_to_the_author(tmp_path: Path) -> None:
    pack = older(tmp_path / "lanterns", NAMELESS)
    before = everything_in(pack)
    with pytest.raises(LintError) as refused:
        upgraded(pack, (), pack)
    assert "game.rules:57" in str(refused.value)
    assert "declare `verb NAME: ...` for it, and write `NAME` here" in str(refused.value)
    assert everything_in(pack) == before


def test_a_pack_of_the_newest_language_stays(tmp_path: Path) -> None:
    pack = write_lanterns(tmp_path / "lanterns")
    assert (upgraded(pack, (), pack).texts, upgraded(pack, (), pack).notes) == ({}, ())
