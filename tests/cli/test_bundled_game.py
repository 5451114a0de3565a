from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rulesdsl
from cli.conftest import Run
from coloma.packs import bundled_content, bundled_packs, groups

BOTS_ONLY = ("play", "--players", "3", "--bots", "3xrandom", "--plain")
WITH_BOT = ("play", "--players", "2", "--bots", "1xrandom", "--seed", "8")
ONES = ["1"] * 600
PACKS = [
    pytest.param(each.folder.name, marks=[pytest.mark.nightly] if at == 0 else [])
    for at, each in enumerate(groups(bundled_packs())[""])
]


@pytest.fixture(params=PACKS)
def named(request: pytest.FixtureRequest) -> tuple[str, str]:
    return "--pack", str(request.param)


def test_bots_play_the_same_game_again_and_another_with_another_seed(
    run: Run, named: tuple[str, str]
) -> None:
    one, again, other = (run(*BOTS_ONLY, *named, "--seed", seed) for seed in ("1", "1", "2"))

    assert one.status == 0
    assert "Final scoring" in one.lines
    assert one.out == again.out
    assert one.out.replace("seed 1", "") != other.out.replace("seed 2", "")


def test_every_entry_of_a_game_can_be_read_by_its_id(run: Run, named: tuple[str, str]) -> None:
    folder = next(each.folder for each in bundled_packs() if each.folder.name == named[1])
    printed = rulesdsl.load(folder).new_game(2).printed
    ran = run(*WITH_BOT, *named, "--plain", typed=[f"read {each.id}" for each in printed])
    read = ran.out.split("\n> ")[1:]

    assert len(read) == len(printed) > 20
    for each, told in zip(printed, read, strict=True):
        title, *lines = told.splitlines()[1 : 2 + len(each.rows)]
        assert title == f"{each.title} ({each.kind})"
        assert lines == [f"  {label}: {said}" for label, said in each.rows]
        assert lines, each.id


def test_who_chooses_a_character_reads_what_it_does(run: Run) -> None:
    options = ("--mod", "deluxe", "--option", "characters=chosen")
    world = rulesdsl.load(bundled_content(), [bundled_content() / "mods" / "deluxe"]).new_game(2)
    texts = {
        each.title: dict(each.rows)["Text"]
        for each in world.printed
        if each.id.startswith("character:")
    }
    out = run(*WITH_BOT, *options, "--plain", typed=ONES[:9]).out
    question = out.partition("Which character?\n")[2].partition("\n(")[0].splitlines()
    offered = [line.partition(". ")[2] for line in question]

    assert len(texts) == 11
    assert len(offered) in (10, 11)
    assert set(offered) <= {f"{title}: {text}" for title, text in texts.items()}


def test_replay_tells_the_whole_game(run: Run, named: tuple[str, str], tmp_path: Path) -> None:
    journal = tmp_path / "kept.toml"
    played = run(*BOTS_ONLY, *named, "--seed", "5", "--journal", str(journal))
    told = run("replay", str(journal))

    assert told.status == 0
    assert told.ending == played.ending


def test_why_quotes_lines_of_the_rules(run: Run, named: tuple[str, str]) -> None:
    folder = next(each.folder for each in bundled_packs() if each.folder.name == named[1])
    ran = run(*WITH_BOT, *named, "--plain", typed=["1", "1", "why"])
    quoted = re.findall(r"^  (\S+\.rules):(\d+): (.+)$", ran.out, re.MULTILINE)

    assert quoted
    for name, line, text in quoted:
        assert text in " ".join((folder / name).read_text().splitlines()[int(line) - 1].split())


def test_a_program_plays_to_the_end(run: Run, named: tuple[str, str]) -> None:
    ran = run(*WITH_BOT, *named, "--json", typed=["0"] * 600)

    assert json.loads(ran.lines[-1])["result"]["seats"]


def test_alone_against_a_rival(run: Run) -> None:
    ran = run("play", "--solo", "--bots", "1xrandom", "--seed", "1", "--plain")
    same = run("play", "--players", "1", "--bots", "1xrandom", "--seed", "1", "--plain")
    harder = run(
        *("play", "--solo", "--bots", "1xrandom", "--seed", "1", "--plain"),
        *("--option", "gold-rush=on"),
    )

    assert ran.status == 0
    assert ran.out == same.out != harder.out
    assert re.search(r"^Shade: place \d, \d+ points$", ran.out, re.MULTILINE)
    assert re.search(r"^(Won|Drawn|Lost): \S.*\.$", ran.ending, re.MULTILINE)


def test_the_verdict_in_json(run: Run) -> None:
    ran = run("play", "--solo", "--bots", "1xrandom", "--seed", "1", "--json")
    result = json.loads(ran.lines[-1])["result"]

    (verdict,) = result["verdicts"]
    assert verdict["word"] == ("won" if result["places"] == [1, 2] else "lost")
    assert verdict["text"]


def test_two_sit_down_where_nobody_says_how_many(run: Run) -> None:
    ran = run("play", "--bots", "2xrandom", "--seed", "1", "--plain")

    assert "2 players" in ran.lines[0]
    assert "Shade" not in ran.out
