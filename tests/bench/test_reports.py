"""The sections of the report, over a stand-in for the engine."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Self

import attrs
import pytest

import bench.__main__
from bench import classics, openspiel, other_engines, shipped, small_games
from bench.__main__ import main
from bench.baselines import tic_tac_toe
from bench.classics import Classic
from bench.engine import RandomGames
from bench.loading import LoadTimes
from bench.small_games import SmallGame

SECONDS = 0.01
TURNS = 10


class FakeDecision:
    count = 3


class FakeGame:
    def __init__(self, turn: int = 0, *, log: bool = False) -> None:
        self.turn = turn
        self.log = log
        self.chosen: list[int] = []

    @property
    def decision(self) -> FakeDecision | None:
        return FakeDecision() if self.turn < TURNS else None

    def choose(self, option: int) -> None:
        assert 0 <= option < FakeDecision.count
        self.chosen.append(option)
        self.turn += 1

    def clone(self) -> Self:
        return type(self)(self.turn, log=self.log)

    def to_data(self) -> Mapping[str, object]:
        return {"turn": self.turn}


@attrs.frozen
class FakePlayed:
    decisions: list[int]


class FakePack:
    def __init__(self) -> None:
        self.games: list[FakeGame] = []
        self.seeds: list[int] = []
        self.options: list[Mapping[str, bool | int | str] | None] = []

    def new_game(
        self, *, players: int, seed: int, options: Mapping[str, object], log: bool
    ) -> FakeGame:
        assert players >= 2
        assert not options
        game = FakeGame(log=log)
        self.games.append(game)
        self.seeds.append(seed)
        return game

    def simulator(
        self, *, players: int, options: Mapping[str, bool | int | str] | None = None
    ) -> FakePack:
        assert players >= 2
        self.options.append(options)
        return self

    def playouts(self, count: int, seed: int) -> FakePlayed:
        assert count > 0
        self.seeds.append(seed)
        return FakePlayed([TURNS] * count)

    def game_from_data(self, data: Mapping[str, object]) -> FakeGame:
        turn = data["turn"]
        assert isinstance(turn, int)
        return FakeGame(turn)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Stand in for the engine; give the paths that it is asked to load."""
    paths: list[Path] = []

    def load(path: Path, mods: Sequence[Path]) -> FakePack:
        assert list(mods) == []
        paths.append(path)
        return FakePack()

    engine = ModuleType("rulesdsl")
    monkeypatch.setattr(engine, "load", load, raising=False)
    monkeypatch.setitem(sys.modules, "rulesdsl", engine)
    return paths


def manifest(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "pack.toml").touch()
    return folder


def small_game(pack: Path) -> SmallGame:
    return SmallGame("noughts", "tic_tac_toe", tic_tac_toe.playout, pack)


def cells(report: str, row: str) -> list[str]:
    line = next(line for line in report.splitlines() if line.startswith(row))
    return line.removeprefix(row).split()


def test_random_games_have_seeds_of_their_own_and_are_played_out() -> None:
    pack = FakePack()
    games = RandomGames(pack, 2, random.Random(1), log=True)

    assert [games(), games()] == [TURNS, TURNS]
    assert pack.seeds == [1, 2]
    assert all(game.decision is None and game.log for game in pack.games)
    assert {option for game in pack.games for option in game.chosen} == {0, 1, 2}


def test_a_small_game_without_a_pack_is_measured_by_hand_alone(
    tmp_path: Path, loaded: list[Path]
) -> None:
    report = small_games.report(SECONDS, [small_game(tmp_path)])

    assert cells(report, "noughts")[2:] == ["no", "pack", "-", "-", "-", "-"]
    assert loaded == []


def test_a_small_game_with_a_pack_is_compared(tmp_path: Path, loaded: list[Path]) -> None:
    pack = manifest(tmp_path / "noughts")

    report = small_games.report(SECONDS, [small_game(pack)])

    assert set(loaded) == {pack}
    row = cells(report, "noughts")
    assert float(row[2].replace(",", "")) > 0
    assert float(row[3]) > 0
    assert "10.0" in row


def test_shipped_games_are_found_by_themselves_and_with_their_mods(tmp_path: Path) -> None:
    manifest(tmp_path / "content")
    manifest(tmp_path / "content" / "second")
    manifest(tmp_path / "content" / "mods" / "some")
    manifest(tmp_path / "content" / "mods" / "more")

    found = shipped.shipped_packs(tmp_path / "content")

    assert [game.name for game in found] == ["content", "content + more + some", "second"]
    assert found[1].mods == ("mods/more", "mods/some")


@pytest.mark.parametrize(("cached", "text"), [(0.25, "0.250"), (None, "no cache")])
@pytest.mark.usefixtures("loaded")
def test_a_shipped_game_is_measured_throughout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cached: float | None, text: str
) -> None:
    monkeypatch.setattr(shipped, "load_times", lambda *_: LoadTimes(0.125, 2.5, cached))

    report = shipped.report(SECONDS, [shipped.Shipped(manifest(tmp_path / "coins"))])

    assert cells(report, "decisions per game") == ["10.0"]
    assert cells(report, "load and check, no cache, CPU seconds") == ["2.5"]
    assert cells(report, "load, cache filled, CPU seconds") == text.split()
    for row in ("clone", "to_data", "game_from_data"):
        assert float(cells(report, f"{row}, microseconds")[0]) > 0


def test_without_packs_the_report_says_so() -> None:
    assert "no pack found" in shipped.report(SECONDS, [])


def test_sampled_positions_spread_from_the_opening_to_the_end() -> None:
    games = RandomGames(FakePack(), 2, random.Random(1))

    turns = [game.to_data()["turn"] for game in shipped.sample_positions(games, 4)]

    assert turns == [0, 2, 5, 7]


def test_a_missing_engine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setattr("shutil.which", lambda _: None)

    report = other_engines.report(SECONDS)

    assert "OpenSpiel: not installed (no module pyspiel)" in report
    assert "boardgame.io: not installed (no node on the path)" in report


def test_another_engine_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(other_engines, "SMALL_GAMES", [small_game(tmp_path)])

    row = cells(other_engines.report(SECONDS), "noughts")

    assert row[0] == "OpenSpiel"
    assert row[3:5] == ["by", "hand"]


def test_a_classic_is_compared(loaded: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel, "missing", lambda: "")
    monkeypatch.setattr(openspiel, "rollouts", lambda _: lambda: openspiel.ROLLOUTS)
    monkeypatch.setattr(openspiel, "random_games", lambda _: lambda: 2 * TURNS)
    report = classics.report(SECONDS, [Classic("Noughts", "noughts", "tic_tac_toe")])
    row = cells(report, "Noughts")

    assert loaded == [small_games.PACKS / "noughts"]
    assert (row[1], row[3]) == (f"{TURNS}.0", f"{2 * TURNS}.0")
    assert float(row[-1]) == pytest.approx(float(row[4]) / 2, abs=0.01)
    assert "not installed" not in report


def test_classics_are_measured_without_openspiel(
    loaded: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    report = classics.report(SECONDS, [Classic("Noughts", "noughts", "tic_tac_toe")])

    assert loaded
    assert cells(report, "Noughts")[1:] == [f"{TURNS}.0", "-", "-", "-", "-"]
    assert report.endswith("OpenSpiel: not installed (no module pyspiel)")


def test_every_classic_is_measured() -> None:
    shipped = {each.parent.name for each in small_games.PACKS.glob("*/pack.toml")}

    assert {each.pack for each in classics.CLASSICS} == shipped


def test_rollouts_and_random_games_of_openspiel() -> None:
    pytest.importorskip("pyspiel")

    assert openspiel.rollouts("kuhn_poker")() == openspiel.ROLLOUTS
    assert openspiel.random_games("kuhn_poker")() in {2, 3}


def test_only_the_section_asked_for_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--only", "engines", "--seconds", str(SECONDS)])

    printed = capsys.readouterr().out
    assert "Other engines" in printed
    assert "Small games" not in printed


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon"])
def test_a_measurement_needs_time(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--seconds", seconds])

    assert stop.value.code == 2
    assert "--seconds" in capsys.readouterr().err


def test_interrupted_it_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: float) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(bench.__main__, "_SECTIONS", {"small": interrupted})

    with pytest.raises(SystemExit) as stop:
        main([])

    assert stop.value.code == 130
