import ast
import gc
import hashlib
import linecache
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import CodeType

import attrs
import pytest

import rulesdsl
from kept import shipped_pack
from packs_on_the_fly import loaded, written
from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.secrecy.information_flow import annotate
from rulesdsl.check.frontend import check_layers
from rulesdsl.check.symbols.types import YES_NO, piece
from rulesdsl.interpreter.compile import generate
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.python.expressions import function_name
from rulesdsl.interpreter.simulator.module import module
from rulesdsl.interpreter.state import StateFactory
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder.values import value
from rulesdsl.lower.builder.writer import Shared, Writer
from rulesdsl.lower.flat.text import node_text
from rulesdsl.lower.flattened import flattened
from rulesdsl.lower.layout import Layout
from rulesdsl.packs.overlay import read_layers
from rulesdsl.source.tree import walk
from some import some

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
    """Return a hash of all code generated for a pack."""
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


SHIPPED = ["content", "content/sutters_mill"]


def _played(game: Game, seed: int, most: int) -> list[object]:
    """Choose at random; return all questions and options, and the log."""
    chance = random.Random(seed)
    found: list[object] = []
    for _ in range(most):
        if game.decision is None:
            break
        chosen = chance.choice(game.decisions)
        labels = [option.label for option in chosen.options]
        found.append((chosen.player, chosen.id, chosen.prompt, chosen.numbered, labels))
        game.choose(chance.randrange(chosen.count), player=chosen.player)
    return [*found, [line.text for line in game.log]]


@pytest.mark.parametrize("path", SHIPPED)
def test_a_game_goes_the_same_way(path: str) -> None:
    whole = shipped_pack(ROOT / path)
    few = attrs.evolve(whole, on_demand=True)
    for seed in range(3):
        one, other = (each.new_game(2, seed) for each in (whole, few))
        assert _played(one, seed, 120) == _played(other, seed, 120)


def test_only_what_is_called_is_written() -> None:
    pack = attrs.evolve(shipped_pack(ROOT / "content"), on_demand=True)
    engine = pack.setting(2, {}, log=True).engine
    planned = some(engine.on_demand).planned
    functions, machines = len(planned.functions), len(planned.machines)

    pack.new_game(2, 1)
    assert 0 < len(planned.machines) < machines
    assert functions // 2 < len(planned.functions) < functions

    assert all(machine.blocks for machine in engine.flat.machines.values())
    assert not planned.functions
    assert not planned.machines


def test_all_questions_are_known_where_somebody_goes_through_them() -> None:
    whole = shipped_pack(ROOT / "content")
    asked, wanted = (
        {(each.proc, each.end) for each in pack.setting(3, {}, log=True).engine.asks.values()}
        for pack in (attrs.evolve(whole, on_demand=True), whole)
    )
    assert asked == wanted


DRAWER = "stack drawer holds card"
GAMES = ["content", "content/sutters_mill", "content/classics/tic_tac_toe"]


def compiled(module: ast.Module) -> CodeType:
    """Return the code of a module, with all positions set to one line."""
    for node in ast.walk(module):
        if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.excepthandler):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
    return compile(module, "code", "exec")


def same(one: CodeType, other: CodeType) -> bool:
    parts = [
        (code.co_code, code.co_names, code.co_varnames, code.co_freevars) for code in (one, other)
    ]
    if parts[0] != parts[1] or len(one.co_consts) != len(other.co_consts):
        return False
    return all(
        same(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else repr(a) == repr(b)
        for a, b in zip(one.co_consts, other.co_consts, strict=True)
    )


@pytest.mark.parametrize("path", GAMES)
def test_code_that_is_printed_and_read_back_is_the_same(path: str) -> None:
    engine = rulesdsl.load(path).setting(2, {}, log=True).engine
    module = generate(engine.flat, engine.states)
    read = ast.parse(ast.unparse(module))
    assert same(compiled(read), compiled(module))


def test_a_question_about_a_thing_in_one_about_another_keeps_both_apart(tmp_path: Path) -> None:
    engine = loaded(tmp_path, "nothing", DRAWER).setting(2, {}, log=False).engine
    deck, drawer = (ty.Cells(each, ()) for each in ("deck", "drawer"))
    card = piece("card")
    top, below = (ty.EndOf("card", each, top=True, type=card) for each in (deck, drawer))
    same = ty.Comparison("=", ty.Local("d", type=card), ty.Local("c", type=card), type=YES_NO)
    inner = ty.Filtered(ty.Lying("card", drawer, element=card), "d", same, element=card)
    asked = ty.MemberOf(below, inner, type=YES_NO)
    outer = ty.Filtered(ty.Lying("card", deck, element=card), "c", asked, element=card)

    w = Writer(Shared(engine.layout, value))
    found = w.value(ty.MemberOf(top, outer, type=YES_NO))
    equal = [each for each in walk((*w.out, found)) if isinstance(each, fl.Op) and each.op == "="]
    cards = [each for each in equal if not isinstance(each.right, fl.Literal)]

    assert cards
    assert all(each.left != each.right for each in cards), [*map(node_text, equal)]


RIVAL = """
rival ghost "Ghost" without score when players = 1
verb work: raise my fame by 2
instead of work when me = ghost: nothing
value wage of seat: 2
instead of value wage of seat when me = ghost: 7
after act when any ghost: for ghost: work
"""


def test_hooks_of_a_rival_who_is_not_there_are_passed_over(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "work\nraise my fame by my wage", RIVAL)
    engines = [pack.setting(players, {}, log=False).engine for players in (1, 2)]
    called = [each.names[function_name("do:act")].__code__.co_names for each in engines]
    work = function_name("do:work")
    assert [work in names for names in called] == [True, False]
