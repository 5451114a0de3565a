from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from cli.conftest import Run
from rulesdsl.bots import training
from rulesdsl.bots.learned import Learned
from rulesdsl.interpreter.simulator.simulator import Simulator

GAME = ("--pack", "content/classics/tic_tac_toe")


def test_what_was_learned_is_written_and_measured(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "learned.toml"

    ran = run("train", *GAME, "--games", "1000", "-o", str(file))

    assert ran.status == 0, ran.err
    found = tomllib.loads(file.read_text())
    assert (found["games"], found["seed"]) == (1000, 0)
    assert len(found["weights"]) == 9
    assert ran.lines[0] == f"9 options, learned in 1000 games: {file}"
    assert ran.lines[1].startswith("2 players: ")
    assert "of games won against random bots" in ran.lines[1]
    assert ran.err.splitlines() == ["500 of 1000 games", "1000 of 1000 games"]


def test_the_same_seed_teaches_the_same(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.toml", "two.toml")]
    for each in files:
        run("train", *GAME, "--games", "700", "--seed", "4", "-o", str(each))

    one, two = (each.read_text() for each in files)
    assert one == two


def test_interrupted_it_writes_what_there_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
