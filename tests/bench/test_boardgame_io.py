"""The line to boardgame.io, over stand-ins for it; where it is installed it referees as well."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import cast

import pytest

from bench import boardgame_io, other_engines
from bench.baselines.breakthrough import Breakthrough
from bench.baselines.connect_four import ConnectFour
from bench.baselines.tic_tac_toe import TicTacToe
from bench.boardgame_io import ChildError, Installed, child
from bench.small_games import SMALL_GAMES, SmallGame
from bench.timing import Elsewhere

Game = TicTacToe | ConnectFour | Breakthrough

READY = "print('\"ready\"', flush=True); "
COUNTS = READY + (
    "import sys\nfor line in sys.stdin:\n"
    ' print(\'{"plies": %d, "seconds": %f}\' % (7 * int(line), 0.001 * int(line)), flush=True)'
)
WAITS = "import time; time.sleep(60)"
SHORT = 0.5  # seconds of patience with a child that never answers

INSTALLED = boardgame_io.find()
where_installed = pytest.mark.skipif(isinstance(INSTALLED, str), reason=str(INSTALLED))


def python(code: str, patience: float = 30) -> AbstractContextManager[Elsewhere]:
    return child([sys.executable, "-c", code], patience)


def test_a_child_is_asked_for_games_and_tells_plies_and_time() -> None:
    with python(COUNTS) as work:
        assert work.run(3) == (21, 0.003)
        assert work.run(1000) == (7000, 1.0)


def test_a_child_ends_with_its_measurement() -> None:
    tells = READY + (
        'import os; input(); print(\'{"plies": %d, "seconds": 1}\' % os.getpid(), flush=True); '
    )
    with python(tells + WAITS) as work:
        pid, _ = work.run(1)
        os.kill(pid, 0)

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    ("code", "patience", "error"),
    [
        (WAITS, SHORT, "no answer within 0.5 seconds"),
        ("pass", 30, "ended too soon"),
        ("print('Welcome', flush=True); " + WAITS, 30, "not ready; it answered 'Welcome"),
        (READY, 30, "ended too soon"),
        (READY + "input(); print('oops')", 30, "answered 'oops"),
        (READY + 'input(); print(\'{"plies": "many", "seconds": 1}\')', 30, "answered .*many"),
    ],
)
def test_a_child_that_fails_is_reported(code: str, patience: float, error: str) -> None:
    with pytest.raises(ChildError, match=error), python(code, patience) as work:
        work.run(1)


def test_a_child_that_hangs_over_its_games_is_given_up() -> None:
    with python(READY + WAITS, 5 * SHORT) as work, pytest.raises(ChildError, match="within"):
        work.run(1)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    # Python stands in for a node that does not find the package: it ends with an error.
    monkeypatch.setattr("shutil.which", lambda _: sys.executable)

    assert "boardgame.io: not installed (node finds no package" in only_boardgame_io(monkeypatch)


def test_a_failing_child_is_a_line_in_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boardgame_io, "find", lambda: Installed("node", "here"))
    monkeypatch.setattr(boardgame_io, "playing", lambda *_: python("pass"))

    assert "boardgame.io: failed (the child ended too soon" in only_boardgame_io(monkeypatch)


def test_a_child_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boardgame_io, "find", lambda: Installed("node", "here"))
    monkeypatch.setattr(boardgame_io, "playing", lambda *_: python(COUNTS))

    report = only_boardgame_io(monkeypatch)

    rows = [line.split() for line in report.splitlines() if "boardgame.io" in line]
    assert [row[-6:-3] for row in rows] == [["1,000", "7.0", "pack"]] * len(SMALL_GAMES)


def only_boardgame_io(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(sys.modules, "pyspiel", None)  # as if it were not installed
    return other_engines.report(0.01)


@where_installed
@pytest.mark.parametrize("game", SMALL_GAMES, ids=lambda game: game.stem)
def test_the_driver_plays(game: SmallGame) -> None:
    assert isinstance(INSTALLED, Installed)

    with boardgame_io.playing(INSTALLED, game) as work:
        plies, seconds = work.run(5)

    assert plies >= 5 * 5
    assert seconds > 0


RECORD = """
const [library, playout, rules] = process.argv.slice(1);
const play = require(playout)(require(library), require(rules));
for (let count = 0; count < 60; count += 1) {
  const turns = [];
  const { plies, gameover } = play((moves) => {
    const chosen = moves[Math.floor(Math.random() * moves.length)];
    turns.push([moves.map((each) => each.args), chosen.args]);
    return chosen;
  });
  console.log(JSON.stringify({ turns, plies, winner: gameover.winner ?? null }));
}
"""


def recorded(stem: str) -> Iterator[dict[str, object]]:
    assert isinstance(INSTALLED, Installed)
    files = [str(boardgame_io.DRIVER.with_name(name)) for name in ("playout.js", f"{stem}.js")]
    command = [INSTALLED.node, "--random-seed=7", "-e", RECORD, INSTALLED.library, *files]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return map(json.loads, told.stdout.splitlines())


@where_installed
@pytest.mark.parametrize(
    ("stem", "new_game"),
    [("tic_tac_toe", TicTacToe), ("connect_four", ConnectFour), ("breakthrough", Breakthrough)],
)
def test_the_same_moves_are_legal_and_the_end_agrees(
    stem: str, new_game: Callable[[], Game]
) -> None:
    ends = set()
    for record in recorded(stem):
        game = new_game()
        for listed, chosen in cast("list[tuple[list[list[int]], list[int]]]", record["turns"]):
            ours = {
                tuple(move) if isinstance(move, tuple) else (move,): move for move in game.moves()
            }
            assert [tuple(each) for each in listed] == list(ours)
            game.play(ours[tuple(chosen)])  # type: ignore[arg-type] # each game has moves of its own
        assert game.over
        assert game.plies == record["plies"]
        assert {0: None, 1: "0", 2: "1"}[game.winner] == record["winner"]
        ends.add(game.winner)

    assert {1, 2} <= ends
