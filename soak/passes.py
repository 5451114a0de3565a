"""`python -m soak passes`: the same games with every pass off, and with each pass off in turn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import rulesdsl
from rulesdsl.interpreter.simulator.compiled import assembled
from rulesdsl.interpreter.simulator.module import module
from rulesdsl.interpreter.simulator.wasm_runner import WasmRunner
from rulesdsl.lower.flat_verify import verify
from rulesdsl.lower.flatten.program import flatten
from rulesdsl.lower.passes import OF_MODULES, SHARED
from soak.settings import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.setting import Setting
    from soak.settings import Chosen

GAMES_A_SETTING = 50


def run(path: str, count: int, seed: int, players: int | None, mods: Sequence[str]) -> int:
    """Play so many games with and without passes, print what differs, return the exit status."""
    began = time.perf_counter()
    different: list[str] = []
    chosen = settings(rulesdsl.load(path, mods), -(-count // GAMES_A_SETTING), seed, players)
    for each in chosen:
        different += compare(rulesdsl.load(path, mods), each, seed, GAMES_A_SETTING)
    for line in different:
        print(f"FAILED {line}")
    ways = len(variants()) - 1
    print(
        f"{len(chosen) * GAMES_A_SETTING} games under {len(chosen)} settings in {ways} other ways,"
        f" {len(different)} failed, {time.perf_counter() - began:.0f} s"
    )
    return 1 if different else 0


def variants() -> dict[str, set[str]]:
    """Return the passes that are left out, by what such a way is called."""
    every = {*SHARED, *OF_MODULES}
    return {"all": set(), "none": every} | {f"without {each}": {each} for each in sorted(every)}


def compare(pack: rulesdsl.Pack, chosen: Chosen, run: int, count: int) -> list[str]:
    """Return the ways in which games of a run are others than with all passes."""
    setting = pack.simulator(chosen.players, chosen.options).setting
    found = {name: _played(setting, left_out, run, count) for name, left_out in variants().items()}
    return [
        f"{chosen}: {name}, {part}"
        for name, numbers in found.items()
        for part in numbers
        if numbers[part] != found["all"][part]
    ]


def _played(setting: Setting, left_out: set[str], run: int, count: int) -> dict[str, list[int]]:
    engine = setting.engine
    flat = flatten(engine.layout, engine.form, logging=False, careful=True).flat
    for name, improve in (SHARED | OF_MODULES).items():
        if name not in left_out:
            improve(flat)
            verify(flat)
    vars(setting)["module"] = assembled(module(flat, engine.states))
    results = rulesdsl.Simulator(setting, WasmRunner(setting)).playouts(count, run)
    return {part: numbers.tolist() for part, numbers in results.numbers.items()}
