import contextlib
import csv
import json
import os
import re
import signal
import subprocess
import sys
import threading
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import pytest

from cli.conftest import Run
from coloma.output import CommandError
from coloma.simulation import games
from coloma.simulation.games import LIKED, GamePlan, Taste, outcomes, parse_taste
from coloma.simulation.tables import schema_text
from coloma.simulation.work import Hands
from properties.shipped import preferred
from rulesdsl import Option
from rulesdsl.bots import training
from rulesdsl.bots.learned import Learned
from rulesdsl.figures.games import Figures
from rulesdsl.interpreter.simulator.simulator import Simulator
from some import some

GAME = ("--pack", "content/classics/tic_tac_toe")
SCHEMA = {"$defs": json.loads(schema_text())["$defs"]}


def test_wins_and_means_are_of_the_games_that_were_played(run: Run) -> None:
    ran = run("simulate", *GAME, "--games", "1", "--seed", "3")
    lines = ran.lines
    assert "games a second" in ran.err
    assert "Tic-Tac-Toe: 1 game with 2 players, seed 3" in lines
    rows = {line[:8]: line[8:].split() for line in lines if re.match(r"Player \d ", line)}
    assert rows.keys() == {"Player 1", "Player 2"}
    assert all(float(mean) == int(least) == int(most) for mean, least, most, *_ in rows.values())
    assert sum(int(row[3]) for row in rows.values()) >= 1
    assert "decisions a game: mean 8.0, minimum 8, maximum 8" in lines


def test_what_the_end_means_is_counted(run: Run) -> None:
    lines = run("simulate", "--games", "20", "--players", "1").lines
    (said,) = [line for line in lines if line.startswith("Player 1: ")]
    assert sum(map(int, re.findall(r"\d+", said.partition(":")[2]))) == 20


def test_bots_take_what_they_prefer(run: Run) -> None:
    corners = run("simulate", *GAME, "--games", "200", "--prefer", "*1*=0,*3*=0").lines
    anything = run("simulate", *GAME, "--games", "200", "--prefer", "nothing=1").lines
    assert corners[-2] != anything[-2]


def test_items_are_counted_the_same_for_any_number_of_jobs(run: Run) -> None:
    asked = ("simulate", *GAME, "--games", "1100", "--by", "option", "--by", "verb", "--json")

    one, two = (run(*asked, "--jobs", jobs) for jobs in ("1", "2"))

    assert one.status == 0, one.err
    assert one.out == two.out
    data = json.loads(one.out)
    jsonschema.validate(data, json.loads(schema_text())["$defs"]["simulated"] | SCHEMA)
    assert data["complete"] is True
    assert [each["bot"] for each in data["seats"]] == ["random", "random"]
    assert 900 < sum(each["wins"] for each in data["seats"]) < 1100  # the others are drawn
    assert all(each["shared"] == 0 for each in data["seats"])
    assert [sum(each["places"]) for each in data["seats"]] == [1100, 1100]
    items = [each for each in data["items"] if each["group"] == "option"]
    moves = sum(each["chosen"] for each in items)
    assert moves == pytest.approx(data["decisions"]["mean"] * 1100)


def test_the_middle_of_the_board_goes_with_victories(run: Run) -> None:
    lines = run("simulate", *GAME, "--games", "2000", "--by", "option").lines

    at = lines.index("by option: players who chose it in a game, compared with those who did not")
    best = lines[at + 2]
    assert "5" in best
    assert best.endswith("more points")


def test_one_question_alone_is_counted(run: Run) -> None:
    asked = ("simulate", "--games", "40", "--bots", "4xtrained", "--players", "4", "--by", "card")

    everywhere, there = (
        {each["id"]: each for each in json.loads(run(*asked, *more, "--json").out)["items"]}
        for more in ((), ("--in", "build-in-town"))
    )

    assert all(set(each["questions"]) <= {"build-in-town"} for each in there.values())
    assert any(each["chosen"] for each in there.values())
    for name, each in there.items():
        assert each["chosen"] == everywhere[name]["questions"].get("build-in-town", 0)


def test_csv_has_a_line_for_each_item_or_seat(run: Run) -> None:
    seats = list(csv.DictReader(run("simulate", *GAME, "--games", "50", "--csv").lines))
    items = list(
        csv.DictReader(run("simulate", *GAME, "--games", "50", "--by", "option", "--csv").lines)
    )

    assert [each["name"] for each in seats] == ["Player 1", "Player 2"]
    assert all(int(each["wins"]) >= 0 for each in seats)
    assert len(items) == 9
    assert "points.difference.low" in items[0]


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_interruption(run: Run, monkeypatch: pytest.MonkeyPatch, how: tuple[str, ...]) -> None:
    real = games.player

    def interrupted(plan: games.GamePlan) -> Callable[[range], Figures]:
        play = real(plan)

        def some(numbers: range) -> Figures:
            if numbers.start:
                raise KeyboardInterrupt
            return play(numbers)

        return some

    monkeypatch.setattr(games, "player", interrupted)
    ran = run("simulate", *GAME, "--games", "9000", *how)

    assert ran.status == 130
    assert "interrupted after 4096 of 9000 games; the result is partial" in ran.err
    if how:
        data = json.loads(ran.out)
        assert (data["games"], data["complete"]) == (4096, False)
        assert sum(data["seats"][0]["places"]) == 4096
    else:
        assert ran.lines[0] == "partial: 4096 of 9000 games were played"


def test_interrupted_at_once_it_has_no_figures(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_: games.GamePlan) -> Callable[[range], Figures]:
        raise KeyboardInterrupt

    monkeypatch.setattr(games, "player", never)
    ran = run("simulate", *GAME, "--json")

    assert ran.status == 130
    assert json.loads(ran.out)["games"] == 0
    assert json.loads(ran.out)["seats"] == []


OPTIONS = (
    Option("dig", "Dig for gold", None),
    Option("yes", "Yes: Tear down", None),
    Option("spot:river", "River camp", None),
    Option("done", "Done", None),
)


def taken(taste: Taste) -> dict[str, int]:
    found = Counter(OPTIONS[preferred(taste, OPTIONS, at / 400)].id for at in range(400))
    return {option.id: found[option.id] for option in OPTIONS}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("dig=5", {"dig": 250, "yes": 50, "spot:river": 50, "done": 50}),
        ("d*=0", {"dig": 0, "yes": 200, "spot:river": 200, "done": 0}),
        ("*tear down*=0, dig=2", {"dig": 200, "yes": 0, "spot:river": 100, "done": 100}),
        ("spot:*=1, *river*=9", {"dig": 100, "yes": 100, "spot:river": 100, "done": 100}),
        ("*=0", {"dig": 100, "yes": 100, "spot:river": 100, "done": 100}),
        ("DIG=0,Yes*=0,done=0", {"dig": 0, "yes": 0, "spot:river": 400, "done": 0}),
    ],
)
def test_options_come_as_often_as_their_weights_say(text: str, wanted: dict[str, int]) -> None:
    assert taken(parse_taste(text)) == wanted


def test_a_pattern_without_weight_is_liked() -> None:
    assert parse_taste("dig").weights == (("dig", LIKED),)


@pytest.mark.parametrize("text", ["dig=", "dig=often", "=3", "dig=5,,done=1", "dig=-1"])
def test_what_is_no_taste_is_refused(text: str) -> None:
    with pytest.raises(CommandError, match="PATTERN=WEIGHT"):
        parse_taste(text)


def test_what_was_learned_is_written_and_measured(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "learned.toml"

    ran = run("train", *GAME, "--games", "1000", "-o", str(file))

    assert ran.status == 0, ran.err
    found = tomllib.loads(file.read_text())
    assert (found["games"], found["seed"]) == (1000, 0)
    assert len(found["weights"]) == 9
    assert ran.lines[0] == f"options: 9, games: 1000, weights: {file}"
    assert ran.lines[1].startswith("2 players: ")
    assert "of games won against random bots" in ran.lines[1]
    assert ran.err.splitlines() == ["500 of 1000 games", "1000 of 1000 games"]


def test_the_same_seed_teaches_the_same(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.toml", "two.toml")]
    for each in files:
        run("train", *GAME, "--games", "700", "--seed", "4", "-o", str(each))
    one, two = (each.read_text() for each in files)
    assert one == two


def test_partial_training(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = training._after  # noqa: SLF001

    def interrupted(*given: object) -> Learned:
        if given[1].games:  # type: ignore[attr-defined]
            raise KeyboardInterrupt
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(training, "_after", interrupted)
    file = tmp_path / "learned.toml"

    ran = run("train", *GAME, "--games", "2000", "-o", str(file))

    assert ran.status == 130
    assert "interrupted after 500 of 2000 games; the weights are preliminary" in ran.err
    assert tomllib.loads(file.read_text())["games"] == 500


@pytest.mark.parametrize(
    "words",
    [
        ("train", "--pack", "content/classics/tic_tac_toe", "-o"),
        ("report", "content/classics/tic_tac_toe", "-o"),
        ("compare", "content/classics/tic_tac_toe", "content/classics/tic_tac_toe", "--html"),
    ],
)
def test_a_place_where_nothing_can_be_written_is_told_before_the_games(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.delattr(Simulator, "playouts")
    monkeypatch.delattr(Simulator, "watched")
    file = tmp_path / "file"
    file.touch()

    for path in (tmp_path, file / "below"):
        ran = run(*words, str(path))
        assert ran.status == 1
        assert ran.err.startswith(f"coloma: cannot write {path}: ")
    assert [*tmp_path.iterdir()] == [file]


needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None, reason="Dask is not installed: pip install coloma[cluster]"
)

TIC_TAC_TOE = Path("content/classics/tic_tac_toe").resolve()
PATHS = os.pathsep.join(sys.path)
FOREIGN = "ignore"  # warnings of a library that runs in processes of its own


@contextlib.contextmanager
def scheduler_and_workers(
    folder: Path, late: float = 0
) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    environment = {**os.environ, "PYTHONPATH": PATHS, "PYTHONWARNINGS": FOREIGN}
    started: list[subprocess.Popen[str]] = []

    def start(module: str, *argv: str) -> subprocess.Popen[str]:
        asked = [sys.executable, "-m", f"distributed.cli.{module}", *argv]
        one = subprocess.Popen(
            asked, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True
        )
        started.append(one)
        return one

    try:
        head = start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        address = next(line.split()[-1] for line in some(head.stderr) if "Scheduler at:" in line)
        workers: list[subprocess.Popen[str]] = []

        def join() -> None:
            for _ in range(2):
                given = (address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
                workers.append(start("dask_worker", *given))

        timer = threading.Timer(late, join)
        timer.start()
        if not late:
            timer.join()
        try:
            yield address, workers
        finally:
            timer.join()
    finally:
        for each in started:
            each.kill()
            each.wait()
            some(each.stderr).close()


@needs_dask
@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_killed_changes_nothing(run: Run, tmp_path: Path) -> None:
    plan = GamePlan(TIC_TAC_TOE, (), {}, 2, games=6000, seed=3, by=("option",))
    alone = [figures for _, figures in outcomes(plan, Hands())]

    with scheduler_and_workers(tmp_path) as (address, workers):
        found = []
        for _, figures in outcomes(plan, Hands(cluster=address)):
            found.append(figures)
            if len(found) == 3:
                workers[0].send_signal(signal.SIGKILL)
        asked = ("simulate", "--pack", str(TIC_TAC_TOE), "--games", "3000", "--json")
        there, here = run(*asked, "--cluster", address), run(*asked)

    assert len(alone) == 12
    assert found == alone
    assert there.status == 0, there.err
    assert there.out == here.out


@pytest.mark.parametrize("address", ["", "local", "foo://x:1", "tcp://", "tcp://host:port"])
@pytest.mark.parametrize("command", ["simulate", "compare", "report"])
def test_what_is_no_address_is_said_at_once(run: Run, command: str, address: str) -> None:
    ran = run(command, f"--cluster={address}")
    assert ran.status == 2
    assert f"such as tcp://10.0.0.1:8786, not `{address}`" in ran.err


@needs_dask
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_without_workers_is_said(run: Run, tmp_path: Path) -> None:
    with scheduler_and_workers(tmp_path, late=2) as (address, _):
        ran = run("simulate", "--pack", str(TIC_TAC_TOE), "--cluster", address)
    assert ran.status == 0, ran.err
    assert f"the cluster at {address} has no workers yet: waiting" in ran.err


@needs_dask
@pytest.mark.filterwarnings("ignore")
def test_no_cluster_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coloma.simulation.work._PATIENCE", 0.2)
    ran = run("simulate", "--pack", str(TIC_TAC_TOE), "--cluster", "tcp://127.0.0.1:9")
    assert ran.status == 1
    assert "there is no cluster at tcp://127.0.0.1:9" in ran.err
