from __future__ import annotations

import ast
import gc
import hashlib
import linecache
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attrs
import pytest

import rulesdsl
from packs_on_the_fly import written
from rulesdsl.check.analysis.information_flow import annotate
from rulesdsl.check.frontend import check_layers
from rulesdsl.interpreter.compile import generate
from rulesdsl.interpreter.simulator.module import module
from rulesdsl.interpreter.state import StateFactory
from rulesdsl.lower.flattened import flattened
from rulesdsl.lower.layout import Layout
from rulesdsl.packs.overlay import read_layers

ROOT = Path(__file__).parents[2]
ACT = """
menu:
    once: buy
    once for each card c in my shelf where not spent: use c
    any time: pay 1 coin to raise my fame by 1
"""
MORE = """
verb buy:
    let c = a card in deck where worth > 1
    pay (worth of c) coins
    move c into my shelf
verb use card c:
    needs any card in my shelf where worth = worth of c
    do use of c
    mark spent of c
"""


@attrs.frozen
class Made:
    findings: tuple[str, ...]
    program: object
    code: str
    playouts: str


def made(folder: Path) -> Made:
    layers = read_layers(folder)
    findings = layers.findings
    checked = check_layers(layers, findings)
    program = annotate(checked)
    settings = {name: each.default for name, each in program.world.options.items()}
    layout = Layout(program, layers.players.most, settings)
    states = StateFactory(layout)
    flat = flattened(layout, logging=True).flat
    playouts = module(flat, states).text
    told = tuple(f"{each.code} {each.span}" for each in findings.sorted())
    return Made(told, program, text_of(generate(flat, states)), playouts)


def text_of(code: ast.Module) -> str:
    return ast.dump(code, include_attributes=True)


@pytest.fixture
def quick_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def test_a_pack_checked_twice_gives_equal_programs_and_equal_code(tmp_path: Path) -> None:
    folder = written(tmp_path, ACT, MORE)

    first, second = made(folder), made(folder)

    assert first.findings == ()
    assert first == second


@pytest.mark.usefixtures("quick_switches")
def test_threads_at_once_give_equal_programs_and_equal_code(tmp_path: Path) -> None:
    folder = written(tmp_path, ACT, MORE)
    alone = made(folder)

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(made, [folder] * 8))

    assert all(each == alone for each in together)


def test_processes_with_other_hash_seeds_generate_the_same_code(tmp_path: Path) -> None:
    folder = written(tmp_path, ACT, MORE)
    script = (
        "import sys; from interpreter.test_reproducible import digest; print(digest(sys.argv[1]))"
    )
    paths = os.pathsep.join([str(ROOT / "tests"), str(ROOT)])

    digests = {
        subprocess.run(
            [sys.executable, "-c", script, str(folder)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(digests) == 1


def digest(folder: str) -> str:
    """Return a hash of all generated code of a pack."""
    found = made(Path(folder))
    return hashlib.sha256((found.code + found.playouts).encode()).hexdigest()


def test_code_that_is_gone_leaves_nothing_in_the_process(tmp_path: Path) -> None:
    folder = written(tmp_path, ACT, MORE)
    game = rulesdsl.load(folder, cache=False).new_game(2)
    mine = [name for name in linecache.cache if str(folder) in name]
    assert mine

    del game
    gc.collect()

    assert [name for name in linecache.cache if str(folder) in name] == []
