import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import Begin
from cli.fake import FakePack
from cli.pseudo_terminal import ROOT, PseudoTerminal

COMMAND = (sys.executable, str(ROOT / "tests/cli/fake_command.py"))
CLEARED = "\x1b[H\x1b[2J\x1b[3J"


def _environment(tmp_path: Path, **more: str) -> dict[str, str]:
    paths = os.pathsep.join(str(ROOT / each) for each in ("", "cli", "tests"))
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": paths,
        "XDG_STATE_HOME": str(tmp_path),
        "HOME": str(tmp_path),
        "TERM": "xterm",
        "LANG": "C.UTF-8",
        **more,
    }


def _ran(
    tmp_path: Path, command: str, given: bytes = b"", **more: str
) -> subprocess.CompletedProcess[bytes]:
    env, line = _environment(tmp_path, **more), f"{' '.join(COMMAND)} {command}"
    return subprocess.run(line, shell=True, env=env, input=given, capture_output=True, check=False)


def test_the_screen_is_cleared_between_players(terminal: Begin) -> None:
    shown = terminal("play", "--players", "2", "--seed", "1")
    shown.wait_for("only you can see the screen.")
    shown.enter("")
    shown.wait_for(">")
    shown.enter("take:one")
    shown.wait_for(">")
    shown.enter("draw")
    own = shown.wait_for("cover the screen for Player 2.")
    shown.enter("")
    between = shown.wait_for("only you can see the screen.")
    shown.enter("")
    others = shown.wait_for(">")

    card = re.search(r"draws the (\d+)", own)
    assert card
    assert CLEARED in between
    assert others.index(CLEARED) < others.index("Player 1 draws a card.")
    assert card[1] not in between + others


def test_in_a_terminal_it_asks_and_plays(terminal: Begin) -> None:
    shown = terminal("play")
    shown.wait_for("what now?")
    shown.enter("choose")
    for question in (
        "How many",
        "are bots?",
        "Random bots?",
        "Name of player",
        "Change which",
    ):
        shown.wait_for(question)
        shown.enter("Ann" if "Name" in question else "")
    shown.wait_for("Ann: take some coins")
    shown.enter("quit")

    assert shown.end() == 0


@pytest.mark.parametrize(
    ("stop", "line", "status"),
    [
        ("", "The input has ended. No game has begun.", 0),
        ("quit\n", "Stopped. No game has begun.", 0),
        (None, "Interrupted. No game has begun.", 130),
    ],
)
def test_stopped_before_the_game(
    terminal: Begin, stop: str | None, line: str, status: int
) -> None:
    shown = terminal("play")
    shown.wait_for("what now?")
    if stop is None:
        shown.interrupt()
    else:
        shown.write(stop or "\x04")

    assert shown.end() == status
    assert shown.seen().endswith(f"{line}\n")


@pytest.mark.parametrize("plain", ["", "1"])
@pytest.mark.parametrize(("columns", "lines"), [(80, 1), (1, 24), (1, 1)])
def test_the_smallest_terminals(
    tmp_path: Path, pack: FakePack, columns: int, lines: int, plain: str
) -> None:
    assert pack is not None
    variable = {"COLOMA_PLAIN": plain}
    shown = PseudoTerminal(tmp_path, columns, lines, "play", "--bots", "1xrandom", **variable)
    try:
        shown.write("\nlog\ntake:one\n\nboard\nquit\n")
        assert shown.end() == 0
        assert b"Traceback" not in shown.raw
        assert b"Resume with" in shown.raw
    finally:
        shown.close()


def test_commands_work_in_pauses(terminal: Begin) -> None:
    shown = terminal("play", "--players", "2", "--seed", "1")
    shown.wait_for("only you can see the screen.")
    shown.enter("board")
    shown.wait_for("Here you can also type help, rules, save, undo, bot, take, name")
    shown.enter("")
    for line in ("log", "q", "take:one"):  # `q` after a page does not end the game
        shown.wait_for(">")
        shown.enter(line)
    shown.wait_for(">")
    shown.enter("draw")
    shown.wait_for("cover the screen for Player 2.")
    shown.enter("save")
    shown.wait_for("The game is saved in")
    shown.enter("quit")

    assert shown.end() == 0
    assert b"Type quit to stop the game." in shown.raw
    assert "Resume with" in shown.seen()


def test_in_a_terminal_an_option_is_enough(terminal: Begin) -> None:
    shown = terminal("play", "--bots", "1")
    before = shown.wait_for("take some coins")
    shown.enter("quit")
    assert "what now?" not in before
    assert shown.end() == 0


def test_interrupting_names_the_journal(terminal: Begin) -> None:
    shown = terminal("play", "--players", "2", "--seed", "1")
    shown.wait_for("only you can see the screen.")
    shown.interrupt()
    assert shown.end() == 130
    assert b"coloma play --resume" in shown.raw
    assert b"Traceback" not in shown.raw


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(("--plain",), {}), ((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"})],
)
def test_no_colour_where_nobody_wants_it(
    terminal: Begin, arguments: tuple[str, ...], environment: dict[str, str]
) -> None:
    played = ("play", "--players", "2", "--bots", "2xrandom")
    plain = terminal(*played, *arguments, **environment)
    coloured = terminal(*played)
    for shown in (plain, coloured):
        shown.wait_for("Final scoring")
    assert (plain.end(), coloured.end()) == (0, 0)
    assert b"\x1b" not in plain.raw
    assert b"\x1b[" in coloured.raw


def test_a_terminal_without_boxes_gets_other_signs(tmp_path: Path) -> None:
    ran = _ran(tmp_path, "play --bots 1xrandom", b"board\n\xff\n", PYTHONIOENCODING="ascii")
    assert ran.returncode == 0
    assert b"\nMiddle             Things: Player 1" in ran.stdout


def test_a_reader_that_goes_away_is_no_reason_for_a_traceback(tmp_path: Path) -> None:
    ran = _ran(tmp_path, "play --players 4 --bots 4xrandom | head -1")
    assert len(ran.stdout.splitlines()) == 1
    assert ran.stderr == b""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_an_empty_one(tmp_path: Path, closed: str) -> None:
    journal = tmp_path / "kept.toml"
    ran = _ran(tmp_path, f"play --plain --journal {journal} {closed}")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert journal.read_text().startswith("# A game in progress")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without a full device")
def test_a_full_disk_is_said_in_one_line(tmp_path: Path) -> None:
    ran = _ran(tmp_path, "play --bots 2xrandom > /dev/full")
    assert (ran.returncode, ran.stderr) == (1, b"coloma: no space left on device\n")


@pytest.mark.parametrize("answers", [1, 7])
def test_a_killed_session_resumes_as_shown(tmp_path: Path, answers: int) -> None:
    journal = tmp_path / "kept.toml"
    process = subprocess.Popen(
        [*COMMAND, *["play", "--bots", "1xrandom", "--seed", "2", "--journal"], str(journal)],
        env=_environment(tmp_path, PYTHONUNBUFFERED="1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"1\n" * answers)
    process.stdin.flush()
    shown = b""
    while shown.count(b"> 1\n") < min(answers, 6) or b"takes" not in shown:
        shown += os.read(process.stdout.fileno(), 1000)
    process.send_signal(signal.SIGKILL)
    shown += process.stdout.read()
    process.communicate()
    resumed = _ran(tmp_path, f"play --resume {journal} --plain", b"log 999\n").stdout.splitlines()
    happened = [
        line for line in shown.splitlines() if re.match(rb"Player \d (takes|draws|has)", line)
    ]
    assert happened
    assert [line for line in happened if line not in resumed] == []


@pytest.mark.parametrize(
    ("typed", "shown_then", "ended"),
    [
        (("",), "Quit", 0),
        (("quit",), "Quit", 0),
        (("x", "board", "4"), "`x` is not one of the choices", 0),
        (("replay", "4"), "Ada (bot) takes", 0),
        (("1", "\x03"), "seed 5", 130),
        (("new", "\x03"), "(1 of them a bot), seed", 130),
        (("\x03",), "Quit", 130),
    ],
)
def test_after_a_game_one_can_go_on(
    terminal: Begin, typed: tuple[str, ...], shown_then: str, ended: int
) -> None:
    alone = ("--bots", "1xrandom", "--seed", "5", "--option", "rounds=1")
    shown = terminal("play", "--players", "2", *alone)
    for line in ("1", "2", "1"):
        shown.wait_for(">")
        shown.write(f"{line}\r")
    goes_on = typed[0] in {"1", "new"}
    for at, line in enumerate(typed):
        shown.wait_for(">" if goes_on and at else "What next?")
        shown.write(line if line == "\x03" else f"{line}\r")
    assert shown.end() == ended
    text = shown.raw.decode(errors="replace")
    assert text.count("Final scoring") == 1
    assert shown_then in text
