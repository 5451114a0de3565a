import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import Begin
from cli.pseudo_terminal import ROOT, PseudoTerminal
from coloma.session.editor import fitted, listed
from coloma.session.prompter import completed

UP, LEFT, TAB, CLEAR = "\x1b[A", "\x1b[D", "\t", "\x01\x0b"
ALONE = ("play", "--players", "2", "--bots", "1xrandom", "--seed", "1")
TOGETHER = ("play", "--players", "2", "--seed", "1")


def _type(shown: PseudoTerminal, *lines: str) -> None:
    for line in lines:
        shown.type(line)


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("xyz", "> xyz"),
        (f"ne{LEFT}{LEFT}o", "> one"),
        (f"sco{TAB}", "> score"),
        (f"1 c{TAB}", "> take 1 coin"),
        (f"take:o{TAB}", "> take:one"),
        (f"t{TAB}", "> take\nPlayer 1 ·"),
        (f"t{TAB}{TAB}", "> take\ntake 1 coin, take 2 coins, take\n"),
        (f"take 2{TAB}{UP}", "> take 2 coins"),  # nothing has been typed before
        (f"read hil{TAB}", "> read hil"),  # nothing is called so
        (f"read mo{TAB}", "> read Moor"),
        (f"rules b{TAB}", "> rules bids"),
        (f"BOARD th{TAB}", "> board Things"),
        (f"take pla{TAB}", "> take Player "),
        (f"why not dr{TAB}", "> why not draw a card"),
        (f"zzz{TAB}", "> zzz\nPlayer 1 ·"),  # nothing begins so
    ],
)
def test_a_line_is_edited_and_completed(terminal: Begin, typed: str, seen: str) -> None:
    shown = terminal(*ALONE)
    shown.shows("rules  quit")
    shown.write(typed)
    assert shown.shows(seen)


def test_earlier_lines_come_back(terminal: Begin) -> None:
    shown = terminal(*ALONE)
    shown.asked()
    _type(shown, "why 1", "board")
    shown.write(UP)
    shown.shows("> board\nPlayer 1 ·")
    shown.write(UP)
    shown.shows("> why 1\nPlayer 1 ·")
    shown.write(LEFT + "2 \n")
    shown.shows("> why 2 1")
    assert shown.asked().endswith("· ? help  hint  read  undo  rules  quit\n")


def test_nobody_recalls_the_lines_or_bids_of_others(terminal: Begin) -> None:
    shown = terminal(*TOGETHER)
    shown.shows("only you can see the screen.")
    _type(shown, "", "take:one", "done", "", "")
    shown.write(UP)
    assert shown.shows(">\nPlayer 2 ·")
    _type(shown, "take:two", "done", "", "", "bid high", "", "")
    shown.write(UP)
    assert "> done\n" not in shown.shows("Player 2: bid").rpartition("Player 2: bid")[2]
    _type(shown, "bid low", "", "")  # the next round
    shown.write(UP)
    assert shown.shows("> done\nPlayer 1 ·")


@pytest.mark.parametrize(
    ("argv", "is_terminal", "environment", "loads"),
    [
        ((*ALONE, "--bots", "2xrandom"), True, {}, True),
        ((*ALONE, "--bots", "2xrandom"), False, {}, False),
        ((*ALONE, "--bots", "2xrandom", "--plain"), True, {}, False),
        ((*ALONE, "--bots", "2xrandom", "--json"), True, {}, False),
        ((*ALONE, "--bots", "2xrandom"), True, {"COLOMA_PLAIN": "1"}, False),
        ((*ALONE, "--bots", "2xrandom"), True, {"TERM": "dumb"}, False),
        ((*ALONE, "--script", os.devnull), True, {}, False),
        (("replay", "nothing"), True, {}, False),
        (("rules", "--help"), True, {}, False),
        (("games",), True, {}, False),
    ],
)
def test_only_sessions_at_a_terminal_load_the_editor(
    tmp_path: Path,
    argv: tuple[str, ...],
    is_terminal: bool,
    environment: dict[str, str],
    loads: bool,
) -> None:
    code = """import runpy, sys
del sys.argv[0]
try: runpy.run_path(sys.argv[0], run_name='__main__')
except SystemExit: pass
sys.exit(3 if 'prompt_toolkit' in sys.modules else 0)"""
    own, theirs = pty.openpty()
    paths = os.pathsep.join(str(ROOT / each) for each in ("", "cli", "tests"))
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": paths, "HOME": str(tmp_path), "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(ROOT / "tests/cli/fake_command.py"), *argv],
        env=env | {"XDG_STATE_HOME": str(tmp_path)} | environment,
        stdin=theirs if is_terminal else subprocess.DEVNULL,
        stdout=theirs if is_terminal else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert process.wait() == (3 if loads else 0)
    os.close(theirs)
    os.close(own)


@pytest.mark.parametrize(
    ("typed", "groups", "lines"),
    [
        ("", [["b", "a"], ["c"]], ["b", "a"]),
        ("A", [["an apple", "a bee", "see a fly"]], ["an apple", "a bee"]),
        ("bee", [["an apple", "a bee"], ["bees"]], ["a bee"]),
        ("ee", [["a bee"], ["eel"]], ["eel"]),
        ("  x", [["x", "x"]], ["x"]),
        ("x(", [["x(1)"]], ["x(1)"]),
        ("q", [["a"]], []),
    ],
)
def test_lines_that_typed_text_may_become(
    typed: str, groups: list[list[str]], lines: list[str]
) -> None:
    assert [*completed(typed, *groups)] == lines


@pytest.mark.parametrize(
    ("cells", "line"),
    [
        (30, "Ann · Round 2 · quit"),
        (20, "Ann · Round 2 · quit"),
        (19, "Round 2 · quit"),
        (5, "quit"),
        (3, "qui"),
        (0, ""),
    ],
)
def test_the_line_below_keeps_what_matters_most(cells: int, line: str) -> None:
    assert fitted(["Ann", "Round 2", "quit"], cells) == line


@pytest.mark.parametrize(
    ("cells", "line"), [(20, "one, two, three"), (14, "one and 2 more"), (5, "")]
)
def test_choices_that_do_not_fit_are_counted(cells: int, line: str) -> None:
    assert listed(["one", "two", "three"], cells) == line
