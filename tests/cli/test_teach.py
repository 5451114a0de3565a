from __future__ import annotations

from cli.conftest import Run

GAME = ("--players", "3", "--bots", "2xrandom", "--plain")


def _answered(run: Run, *options: str, seed: int) -> list[str]:
    return run("play", *GAME, "--seed", str(seed), *options, typed=["1"] * 40).lines


def test_what_is_not_offered_is_said_with_its_reason(run: Run) -> None:
    told = [
        line
        for seed in (1, 2)
        for line in _answered(run, "--teach", seed=seed)
        if line.startswith("Not now: ")
    ]

    assert any("is Bust: its Boom section is closed." in line for line in told)
    assert all(line.startswith("Not now: Boom") for line in told if "Boom section" in line)


def test_without_it_questions_stay_short(run: Run) -> None:
    assert not [line for line in _answered(run, seed=1) if line.startswith("Not now")]
