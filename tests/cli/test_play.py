import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import attrs
import pytest

from cli import fake
from cli.conftest import Run
from cli.fake import FakePack
from rulesdsl.table.errors import JournalError
from rulesdsl.table.journal import By, JournalChoice, JournalWriter, read_journal

pytestmark = pytest.mark.usefixtures("pack")

BOTS_ONLY = ("play", "--players", "3", "--bots", "3xrandom", "--plain")


def test_options_reach_the_game(run: Run) -> None:
    short = run(*BOTS_ONLY, "--seed", "1", "--option", "rounds=1").out
    long = run(*BOTS_ONLY, "--seed", "1", "--option", "rounds=3").out
    assert (short.count("The round is over."), long.count("The round is over.")) == (1, 3)


def test_a_name_that_no_file_can_have_does_not_end_the_game(run: Run) -> None:
    ran = run("play", "--bots", "1xrandom", typed=["save a\0b", "1"])
    assert "Not saved: that is not a valid file name" in ran.lines
    assert ran.status == 0


@pytest.mark.parametrize("option", ["--journal", "--pack", "--resume"])
def test_what_the_system_refuses_is_said_in_one_line(run: Run, option: str) -> None:
    ran = run("play", "--plain", option, "a" * 300)
    assert ran.status == 1
    assert len(ran.err.splitlines()) == 1
    assert "file name too long" in ran.err


def test_a_log_line_that_is_secret_stays_so_for_the_one_person_at_the_keyboard(run: Run) -> None:
    ran = run("play", "--bots", "1xrandom", "--seed", "3", typed=["1", "draw", *["1"] * 20])
    own = re.findall(r"^Player 1 draws the .\d+\.$", ran.out, re.MULTILINE)
    assert own
    assert not re.search(r"\(bot\) draws the", ran.out)


def test_the_final_scoring_is_a_table_with_a_column_for_every_seat(run: Run) -> None:
    lines = run("play", "--players", "3", "--bots", "3xrandom", "--seed", "1").lines
    table = lines[lines.index("Final scoring") + 1 :]
    table = table[: next(at for at, line in enumerate(table) if line.startswith("Place")) + 1]
    rows = {
        line[:5]: [int(each) for each in re.findall(r"\d+", line.replace(" .", " 0"))]
        for line in table[1:]
    }
    assert sorted(table[0].split()) == [*["(bot)"] * 3, "Ada", "Ben", "Cleo"]
    assert [sum(column) for column in zip(*list(rows.values())[:-2], strict=True)] == rows["Total"]
    assert rows["Place"] == sorted(rows["Place"])
    assert min(rows["Place"]) == 1
    assert table[-1].count("* 1") == rows["Place"].count(1)


def _told(asked: dict[str, Any]) -> list[str]:
    return [line["text"] for line in asked["log"]["story"]]


def _objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_program_plays_by_index_and_id(run: Run) -> None:
    ran = run(
        "play", "--json", "--bots", "1xrandom", "--option", "rounds=1", typed=["0", "done", "2"]
    )
    hello, *questions, end = _objects(ran.out)

    assert hello["people"] == [1]
    prompts = [each["decision"]["prompt"] for each in questions]
    assert prompts == ["take some coins", "draw?", "bid"]
    assert questions[0]["decision"]["options"][1] == {
        "id": "take:two",
        "label": "take 2 coins",
        "number": 2,
        "final": False,
        "confirm": False,
    }
    assert _told(questions[1]) == ["Player 1 takes one"]
    assert questions[2]["decision"]["sealed"] is True
    assert end["result"]["seats"] == ["Player 1", "Ada (bot)"]
    assert ran.status == 0


def test_a_wrong_line_is_answered_with_an_error_and_asked_again(run: Run) -> None:
    ran = run(
        "play", "--json", "--bots", "1xrandom", typed=["7", "nonsense", "-1", "1", "undo", "quit"]
    )
    objects = _objects(ran.out)

    assert ["error" in each for each in objects[2:5]] == [True, True, True]
    assert objects[5]["decision"]["prompt"] == "draw?"
    assert objects[6]["decision"]["prompt"] == "take some coins"
    assert objects[7]["stopped"] == "Stopped."
    assert Path(objects[7]["journal"]).is_file()


def test_a_program_takes_back_a_secret_choice_for_its_owner(run: Run) -> None:
    typed = ["0", "done", "0", "done", "0", "undo", "undo 1", "2", "0"]
    ran = run("play", "--json", "--players", "2", "--option", "rounds=1", typed=typed)
    objects = _objects(ran.out)
    errors = [each["error"] for each in objects if "error" in each]
    assert errors == ["Player 1 chose in secret: only `undo Player 1` takes that back."]
    asked = [each["player"] for each in objects if "decision" in each]
    assert asked == [1, 1, 2, 2, 1, 2, 1, 2]
    assert objects[-1]["result"]["breakdown"][-1]["points"] == [2, 0]


def test_each_player_gets_only_what_they_may_see(run: Run) -> None:
    ran = run("play", "--json", "--players", "2", typed=["0", "draw", "0", "draw", "0", "0"])
    questions = [each for each in _objects(ran.out) if "decision" in each]

    assert questions[2]["player"] == 2
    assert _told(questions[2]) == ["Player 1 takes one", "Player 1 draws a card"]
    (change, *_) = questions[2]["log"]["changes"]
    assert (change["actor"], change["who"]) == (1, "Player 1")
    assert change["rules"] == ["fake/game.rules:5"]
    for each in questions:
        for panel in each["board"]:
            shows_cards = "the 1" in dict(panel["rows"]).get("cards", "")
            assert not shows_cards or panel["seat"] == each["player"]


@pytest.mark.parametrize(("typed", "taken"), [("1", "2"), ('"1"', "1"), ('"2"', "2")])
def test_numeric_ids(run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, taken: str) -> None:
    numbered = [attrs.evolve(each, id=str(number)) for number, each in enumerate(fake.COINS, 1)]
    monkeypatch.setattr(fake, "COINS", tuple(numbered))
    ran = run("play", "--json", "--bots", "1xrandom", typed=[typed])
    kept = tomllib.loads(Path(_objects(ran.out)[-1]["journal"]).read_text())
    assert [each["id"] for each in kept["choice"]] == [taken]


@pytest.mark.parametrize("typed", ["0000000001", "2", '"', '""'])
def test_what_is_neither_index_nor_id_takes_nothing(run: Run, typed: str) -> None:
    ran = run("play", "--json", "--bots", "1xrandom", typed=[typed])
    assert "error" in _objects(ran.out)[2]


# Both draw in both rounds; then the secret bids. (The bids' words stand in the options of both.)
_ROUND = ["take:one", "draw", "take:two", "draw", "bid:low", "bid:high"]


def _sections(out: str) -> list[tuple[str, str]]:
    # The path of the journal, which ends the text, has numbers of its own.
    text = out.partition("The game is saved in")[0]
    parts = re.split(r"^Pass the keyboard to (Player \d)\.$", text, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def test_neither_sees_what_the_other_has_drawn(run: Run) -> None:
    ran = run("play", "--seed", "1", "--players", "2", typed=_ROUND * 2)
    sections = _sections(ran.out)
    drawn = {
        name: {
            card
            for who, text in sections
            if who == name
            for card in re.findall(r"draws the (\d+)", text)
        }
        for name in ("Player 1", "Player 2")
    }

    assert len(sections) == 8
    assert len(drawn["Player 1"]) == len(drawn["Player 2"]) == 2
    for who, text in sections:
        others = drawn["Player 2" if who == "Player 1" else "Player 1"]
        assert not others & set(re.findall(r"\d+", text))


PLAYED = ("play", "--bots", "1xrandom", "--seed", "5")
TO_THE_END = ["1"] * 12


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch, run: Run, tmp_path: Path) -> Path:
    assert run is not None
    folder = tmp_path / "shelf"
    monkeypatch.setenv("COLOMA_GAMES", str(folder))
    run(*PLAYED, "--name", "Ann", typed=["2", "done"])
    run("play", "--players", "3", "--bots", "2xrandom", "--seed", "7", typed=TO_THE_END)
    _age(folder / "fake-5-1.toml", 100)
    return folder


def _age(path: Path, seconds: int) -> None:
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def test_the_list_says_when_what_who_and_how_far(run: Run, shelf: Path) -> None:
    ran = run("games")

    assert shelf.is_dir()
    assert run("games", "list").out == ran.out
    assert ran.lines[0] == "fake-7-1"
    assert re.fullmatch(
        r"    \d{4}-\d\d-\d\d \d\d:\d\d: fake with Player 1, Ada \(bot\) and Ben \(bot\),"
        r" over: .*(wins|share the victory)\.",
        ran.lines[1],
    )
    assert ran.lines[2] == "fake-5-1"
    assert ran.lines[3].endswith(": fake with Ann and Ada (bot), not over, 4 choices made")


def test_show_says_where_the_content_has_changed(run: Run, shelf: Path, pack: FakePack) -> None:
    pack.digest = "bbbb"
    ran = run("games", "show", "fake-5-1")
    assert shelf.is_dir()
    assert ran.status == 0
    assert "It cannot be resumed now: " in ran.out
    assert "played with different content" in ran.out


@pytest.mark.parametrize(("typed", "stays"), [("yes", False), ("y", True), ("", True)])
def test_delete_asks(
    run: Run, shelf: Path, monkeypatch: pytest.MonkeyPatch, typed: str, stays: bool
) -> None:
    monkeypatch.setattr("coloma.session.answers.StandardInput.is_terminal", True)
    ran = run("games", "delete", "fake-5-1", typed=[typed])
    assert ran.status == 0
    assert "Delete fake-5-1 for good?" in ran.out
    assert (shelf / "fake-5-1.toml").exists() is stays
    assert ("Not deleted." in ran.out) is stays
    assert (shelf / "fake-7-1.toml").exists()


def test_resume_without_a_file_takes_the_last_game_played(run: Run, shelf: Path) -> None:
    assert "seed 7" in run("play", "--resume").lines[0]
    _age(shelf / "fake-7-1.toml", 1000)
    ran = run("play", "--resume", typed=["undo"])
    assert "seed 5" in ran.lines[0]
    assert "Ann: bid" in ran.out
    assert "a bot answers it at once" in ran.out  # it might have drawn a card


def test_the_end_is_written_once(run: Run, shelf: Path) -> None:
    over = shelf / "fake-7-1.toml"
    before = over.read_text()
    ends = tomllib.loads(before)["end"]
    assert len(ends) == 1
    run("play", "--resume", str(over))
    assert over.read_text() == before


def test_an_end_that_was_torn_off_is_written_again(run: Run, shelf: Path) -> None:
    over = shelf / "fake-7-1.toml"
    whole = over.read_text()
    over.write_text(whole[:-5])
    run("play", "--resume", str(over))
    assert tomllib.loads(over.read_text()) == tomllib.loads(whole)


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


@pytest.mark.parametrize("cut", range(1, 60, 9))
def test_a_truncated_journal_is_repaired(run: Run, kept: Path, cut: int) -> None:
    before = tomllib.loads(kept.read_text())["choice"]
    kept.write_bytes(kept.read_bytes()[:-cut])
    ran = run("play", "--resume", str(kept), typed=[])
    after = tomllib.loads(kept.read_text())["choice"]
    assert ran.status == 0
    assert len(after) >= len(before) - 2
    assert after == before[: len(after)] or after[: len(before)] == before


def test_changed_content_is_refused_and_named(run: Run, kept: Path, pack: FakePack) -> None:
    pack.digest, pack.files = "bbbb", {"game.rules": "12", "new.toml": "33"}
    ran = run("play", "--resume", str(kept))
    assert ran.status == 1
    assert "cards.toml is gone, new.toml is new, game.rules has changed" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_changed_content_is_accepted_on_request(run: Run, kept: Path, pack: FakePack) -> None:
    pack.digest = "bbbb"
    ran = run("play", "--resume", str(kept), "--replay-with-current", typed=NUMBERS[4:])
    assert ran.status == 0
    assert "Final scoring" in ran.out


@pytest.mark.parametrize("command", [("play", "--resume"), ("replay",)])
def test_an_impossible_choice_is_named(run: Run, kept: Path, command: tuple[str, ...]) -> None:
    kept.write_text(kept.read_text().replace('"take:one"', '"take:three"', 1))
    ran = run(*command, str(kept))
    assert ran.status == 1
    assert "choice 1, take:three by player 1: take:three is not among the options" in ran.err


@pytest.mark.parametrize("broken", ["", "x", "x = 1\n", "[[choice]]\n", "\x00"])
@pytest.mark.parametrize("command", [("play", "--resume"), ("replay",)])
def test_broken_journals(run: Run, tmp_path: Path, broken: str, command: tuple[str, ...]) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(broken)
    ran = run(*command, str(path))
    assert ran.status == 1
    assert f"{path} is not a journal of a game" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_journal_of_a_later_format_is_refused(run: Run, kept: Path) -> None:
    kept.write_text(kept.read_text().replace("format = 2", "format = 3"))
    ran = run("replay", str(kept))
    assert ran.err == f"coloma: {kept} has format 3, and this version of coloma reads 2\n"


def test_records_of_a_table_are_read_and_kept(run: Run, kept: Path) -> None:
    before = kept.read_text()
    seat = '\n[[seat]]\nafter = 1\nplayer = 2\nbot = "random"\n'
    name = '\n[[rename]]\nafter = 1\nplayer = 1\nname = "Ada"\n'
    kept.write_text(before + seat + name)
    ran = run("play", "--resume", str(kept))
    assert "Ada" in ran.out
    assert kept.read_text().startswith(before + seat + name)
    read = read_journal(kept)
    assert read.names[0] == "Ada"
    assert read.seating.is_bot(2)


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
    with pytest.raises(JournalError, match="another session resumed"):
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
