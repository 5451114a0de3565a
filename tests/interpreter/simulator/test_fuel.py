from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import loaded, written
from rulesdsl.check.analysis import cost
from rulesdsl.interpreter.simulator import functions

LOOPS = """\
verb spin:
    repeat {0} times:
        repeat {0} times:
            repeat {0} times:
                raise note by 1
                lower note by 1
"""


def test_what_the_checker_lets_pass_comes_to_an_end(tmp_path: Path) -> None:
    """Nearly as many rounds as there may be."""
    pack = loaded(tmp_path, "spin\nraise my fame by 1", LOOPS.format(60))

    assert pack.program.work > 800_000
    assert pack.simulator(1).playouts(1).totals.scores == (1,)


def test_calls_that_double_come_to_an_end(tmp_path: Path) -> None:
    verbs = "".join(f"verb v{at}:\n    v{at + 1}\n    v{at + 1}\n" for at in range(14))
    pack = loaded(tmp_path, "v0\nraise my fame by 1", f"{verbs}verb v14: raise note by 1\n")

    assert pack.program.work > 50_000
    assert pack.simulator(1).playouts(1).totals.scores == (1,)


def test_without_the_limit_of_the_checker_fuel_stops_the_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MAX_WORK", "MAX_GAME"):
        monkeypatch.setattr(cost, name, 10**18)
    monkeypatch.setattr(functions, "MAX_GAME", 10**6)
    folder = written(tmp_path, "spin", LOOPS.format(1000))
    pack = rulesdsl.load(folder, cache=False)
    simulator = pack.simulator(1)

    with pytest.raises(rulesdsl.TooMuchWork, match="this takes more steps"):
        simulator.playouts(1)
    with pytest.raises(rulesdsl.TooMuchWork):
        simulator.begin()


def test_the_error_names_the_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions, "ROUNDS_OF_ONE", 1)
    monkeypatch.setattr(functions, "MAX_GAME", 1)
    more = (
        'verb ask:\n    choose one:\n        "a": raise note by 1\n        "b": lower note by 1\n'
    )
    pack = loaded(tmp_path, "spin\nask", LOOPS.format(30) + more)

    with pytest.raises(rulesdsl.TooMuchWork, match=r"box\.rules:\d+: this takes more steps"):
        pack.simulator(1).playouts(1)
