from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from bench import classics, openspiel, shipped, small_games
from bench.__main__ import main
from bench.baselines import tic_tac_toe
from bench.classics import Classic
from bench.engine import RandomGames, load_pack
from bench.small_games import PACKS, SmallGame

SECONDS = 0.01
TIC_TAC_TOE = PACKS / "tic_tac_toe"


def manifest(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "pack.toml").touch()
    return folder


def small_game(pack: Path) -> SmallGame:
    return SmallGame("noughts", "tic_tac_toe", tic_tac_toe.playout, pack)


def games() -> RandomGames:
    return RandomGames(load_pack(TIC_TAC_TOE), 2, random.Random(1), log=True)


def cells(report: str, row: str) -> list[str]:
    line = next(line for line in report.splitlines() if line.startswith(row))
    return line.removeprefix(row).split()


def test_random_games_are_played_out() -> None:
    play = games()

    assert {play() for _ in range(20)} >= {7, 8}


def test_a_small_game_without_a_pack_is_measured_by_hand_alone(tmp_path: Path) -> None:
    report = small_games.report(SECONDS, [small_game(tmp_path)])

    assert cells(report, "noughts")[2:] == ["no", "pack", "-", "-", "-", "-"]


def test_a_small_game_with_a_pack_is_compared() -> None:
    row = cells(small_games.report(SECONDS, [small_game(TIC_TAC_TOE)]), "noughts")

    assert float(row[2].replace(",", "")) > 0
    assert float(row[3]) > 0
    assert (
        len([each for each in row if re.fullmatch(r"[78]\.\d", each)]) == 2
    )  # by hand, as a pack


def test_shipped_games_are_found_by_themselves_and_with_their_mods(tmp_path: Path) -> None:
    manifest(tmp_path / "content")
    manifest(tmp_path / "content" / "second")
    manifest(tmp_path / "content" / "mods" / "some")
    manifest(tmp_path / "content" / "mods" / "more")

    found = shipped.shipped_packs(tmp_path / "content")

    assert [game.name for game in found] == ["content", "content + more + some", "second"]
    assert found[1].mods == ("mods/more", "mods/some")


def test_sampled_positions_spread_from_the_opening_to_the_end() -> None:
    open_squares = [
        game.decision.count for game in shipped.sample_positions(games(), 4) if game.decision
    ]

    assert open_squares[0] == 9
    assert open_squares == sorted(set(open_squares), reverse=True)


def test_a_classic_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel, "missing", lambda: "")
    monkeypatch.setattr(openspiel, "rollouts", lambda _: lambda: openspiel.ROLLOUTS)
    monkeypatch.setattr(openspiel, "random_games", lambda _: lambda: 20)
    report = classics.report(SECONDS, [Classic("Noughts", "tic_tac_toe", "tic_tac_toe")])
    row = cells(report, "Noughts")

    assert row[3] == "20.0"
    assert float(row[-1]) == pytest.approx(float(row[4]) * float(row[1]) / 20, abs=0.02)
    assert "not installed" not in report


def test_classics_are_measured_without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    report = classics.report(SECONDS, [Classic("Noughts", "tic_tac_toe", "tic_tac_toe")])

    assert cells(report, "Noughts")[2:] == ["-", "-", "-", "-"]
    assert report.endswith("OpenSpiel: not installed (no module pyspiel)")


def test_every_classic_is_measured() -> None:
    shipped = {each.parent.name for each in small_games.PACKS.glob("*/pack.toml")}

    assert {each.pack for each in classics.CLASSICS} == shipped


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon"])
def test_a_measurement_needs_time(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--seconds", seconds])

    assert stop.value.code == 2
    assert "--seconds" in capsys.readouterr().err
