from __future__ import annotations

import tomllib
from pathlib import Path

import attrs
import pytest

from cli.conftest import Run
from cli.fake import FakePack
from coloma.journal import By, JournalChoice, JournalWriter
from coloma.output import CommandError

HEADER = """
game = "fake"
version = "1"
pack = "coloma"
digest = ""
players = 2
bots = []
seed = 0

"""
NUMBERS = ["1", "2", "1", "2", "1", "3"]


@pytest.fixture
def kept(run: Run, pack: FakePack, tmp_path: Path) -> Path:
    assert pack.options[0].name == "rounds"
    path = tmp_path / "kept.toml"
    run(
        *("play", "--players", "3", "--bots", "2xrandom", "--seed", "7", "--option", "rounds=2"),
        *("--journal", str(path)),
        typed=NUMBERS[:4],
    )
    return path


def test_a_journal_says_how_to_play_the_game_again(kept: Path) -> None:
    data = tomllib.loads(kept.read_text())

    assert (data["game"], data["version"], data["digest"]) == ("fake", "1.2.3", "aaaa")
    assert (data["players"], data["bots"], data["seed"]) == (3, ["random", "random"], 7)
    assert data["options"] == {"rounds": 2}
    assert data["files"] == {"game.rules": "11", "cards.toml": "22"}
    assert data["choice"][0] == {"player": 1, "id": "take:one", "by": "person"}
    assert {each["by"] for each in data["choice"] if each["player"] > 1} == {"bot"}


def test_a_resumed_game_ends_like_the_unbroken_one(run: Run, kept: Path) -> None:
    resumed = run("play", "--resume", str(kept), "--plain", typed=NUMBERS[4:])
    whole = run(
        *("play", "--players", "3", "--bots", "2xrandom", "--seed", "7", "--plain"), typed=NUMBERS
    )

    assert "Final scoring" in whole.out
    assert resumed.ending == whole.ending


@pytest.mark.parametrize("cut", range(1, 60, 9))
def test_a_journal_that_ends_in_the_middle_of_a_word_is_mended(
    run: Run, kept: Path, cut: int
) -> None:
    before = tomllib.loads(kept.read_text())["choice"]
    kept.write_bytes(kept.read_bytes()[:-cut])
    ran = run("play", "--resume", str(kept), typed=[])
    after = tomllib.loads(kept.read_text())["choice"]

    assert ran.status == 0
    assert len(after) >= len(before) - 2
    assert after == before[: len(after)] or after[: len(before)] == before


def test_changed_content_is_refused_with_what_changed(
    run: Run, kept: Path, pack: FakePack
) -> None:
    pack.digest, pack.files = "bbbb", {"game.rules": "12", "new.toml": "33"}
    ran = run("play", "--resume", str(kept))

    assert ran.status == 1
    assert "cards.toml is gone, new.toml is new, game.rules has changed" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_changed_content_is_taken_when_somebody_says_so(
    run: Run, kept: Path, pack: FakePack
) -> None:
    pack.digest = "bbbb"
    ran = run("play", "--resume", str(kept), "--replay-with-current", typed=NUMBERS[4:])

    assert ran.status == 0
    assert "Final scoring" in ran.out


@pytest.mark.parametrize("command", [("play", "--resume"), ("replay",)])
def test_a_choice_that_is_not_possible_any_more_is_named(
    run: Run, kept: Path, command: tuple[str, ...]
) -> None:
    kept.write_text(kept.read_text().replace('"take:one"', '"take:three"', 1))
    ran = run(*command, str(kept))

    assert ran.status == 1
    assert "choice 1, take:three of player 1: take:three is not among the options" in ran.err


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "x",
        "x = 1\n",
        "[[choice]]\n",
        "players = 'two'\n",
        "\x00",
        f"choice = 3\n{HEADER}",
        f"undo = [1]\n{HEADER}",
        f"{HEADER}[[choice]]\nplayer = 1\n\n[[choice]]\nplayer = 1\nid = 'a'\nby = 'bot'\n",
    ],
)
@pytest.mark.parametrize("command", [("play", "--resume"), ("replay",)])
@pytest.mark.usefixtures("pack")
def test_what_is_no_journal_is_refused_in_one_line(
    run: Run, tmp_path: Path, broken: str, command: tuple[str, ...]
) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(broken)
    ran = run(*command, str(path))

    assert ran.status == 1
    assert f"{path} is not a journal of a game" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_two_sessions_never_share_a_journal(run: Run, pack: FakePack, tmp_path: Path) -> None:
    for _ in range(2):
        run("play", "--bots", "1xrandom", "--seed", "4", typed=["1"])

    kept = sorted((tmp_path / "state" / "coloma" / "journals").iterdir())
    assert [each.name for each in kept] == ["fake-4-1.toml", "fake-4-2.toml"]
    assert attrs.asdict(pack)["id"] == "fake"


def test_a_session_stops_where_another_has_gone_on(kept: Path) -> None:
    one, other = JournalWriter(kept), JournalWriter(kept)
    other.choice(JournalChoice(1, "take:one", By.PERSON))
    before = kept.read_text()

    with pytest.raises(CommandError, match="another session has continued"):
        one.choice(JournalChoice(1, "take:two", By.PERSON))
    assert kept.read_text() == before


def test_a_resumed_session_recalls_only_the_end_of_what_happened(run: Run, kept: Path) -> None:
    text = kept.read_text()
    choice = '[[choice]]\nplayer = 1\nid = "take:one"\nby = "person"\n'
    assert choice in text

    told = run("play", "--resume", str(kept)).lines
    log = run("play", "--resume", str(kept), typed=["log 999"]).lines

    assert 0 < sum(line.startswith("Player") for line in told) <= 25
    assert len(log) > len(told)
