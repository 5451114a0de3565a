"""Code grows with the rules: what is asked for many times is called, not copied.

Work is counted, not timed: where it doubled with every level these tests would not end.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import carried_on, written
from rulesdsl.interpreter.compile import generate
from rulesdsl.interpreter.simulator.module import module

STEEPEST = 2.4  # how much more twice as much may come to


def _hooks(levels: int) -> str:
    hook = "instead of value w when note < {}: w + 1\n"
    return "value w: my fame + 1\n" + "".join(hook.format(at) for at in range(levels))


def _cases(levels: int) -> str:
    value = "value w{}:\n    w{} + 1 if note > {}\n    otherwise w{} + 2\n"
    chain = "".join(value.format(at or "", at + 1, at, at + 1) for at in range(levels))
    return f"{chain}value w{levels}: note + 1\n"


def _settings(levels: int) -> str:
    value = "value w{}:\n    w{} + 1 if extra\n    otherwise w{} + 2\n"
    chain = "".join(value.format(at or "", at + 1, at + 1) for at in range(levels))
    return f'option extra "E": off\n{chain}value w{levels}: note + 1\n'


def _arguments(levels: int) -> str:
    call = "plus of (" * levels + "note" + ")" * levels
    return f"value plus of number n: n + 1\nvalue w: {call}\n"


def _doubled_arguments(levels: int) -> str:
    call = "plus of (" * levels + "note" + ")" * levels
    return f"value plus of number n:\n    n if n > 3\n    otherwise n + 1\nvalue w: {call}\n"


def _lets(levels: int) -> str:
    lets = "".join(f"    let a{at + 1} = a{at} + a{at}\n" for at in range(levels))
    return f"value w:\n    let a0 = note at most 1\n{lets}    otherwise a{levels} at most 5\n"


FAMILIES: dict[str, tuple[Callable[[int], str], int]] = {
    "hooks of one value": (_hooks, 24),
    "values of two cases": (_cases, 24),
    "cases of an option": (_settings, 24),
    "values in values": (_arguments, 12),
    "values in values that read twice": (_doubled_arguments, 12),
    "locals": (_lets, 20),
}


def sizes(folder: Path, more: str) -> tuple[int, int]:
    """Return how many nodes the Python of a pack has, and how many lines its module."""
    pack = rulesdsl.load(written(folder, "raise my fame by w", more), cache=False)
    setting = pack.setting(2, {}, log=True)
    flat, states = setting.engine.flat, setting.engine.states
    compiled = generate(flat, states)
    text = module(flat, states).text
    return sum(1 for _ in ast.walk(compiled)), text.count("\n")


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_twice_the_rules_make_twice_the_code(family: str, tmp_path: Path) -> None:
    make, levels = FAMILIES[family]
    none = sizes(tmp_path / "none", make(1))
    some = sizes(tmp_path / "some", make(levels))
    more = sizes(tmp_path / "more", make(levels * 2))

    for least, once, twice in zip(none, some, more, strict=True):
        assert twice - least <= max(once - least, least / 10) * STEEPEST


def test_a_value_hooked_90_times_is_what_it_says(tmp_path: Path) -> None:
    act = "raise note by 81\nraise my fame by (w - 2)"
    pack = rulesdsl.load(written(tmp_path, act, _hooks(90)), cache=False)

    game = carried_on(pack.new_game(1, 1), ()).game

    assert game.to_data()["state"]["t_fame"] == [7]
