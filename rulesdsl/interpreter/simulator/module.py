"""The text of a whole module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter.simulator.code import Code, Shared
from rulesdsl.interpreter.simulator.columns import COUNTS, columns
from rulesdsl.interpreter.simulator.fuel import fuel_of
from rulesdsl.interpreter.simulator.holdings import LEVELS, MANY_LEVELS, MOST_CELLS
from rulesdsl.interpreter.simulator.machines import MachineCode
from rulesdsl.interpreter.simulator.memory import Memory
from rulesdsl.interpreter.simulator.rounds import START, round_slot
from rulesdsl.interpreter.simulator.steps import steps
from rulesdsl.interpreter.simulator.values import LOADS
from rulesdsl.interpreter.simulator.weighing import HEAVIEST
from rulesdsl.lower import flat as fl
from rulesdsl.source.tree import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulesdsl.interpreter.simulator.map import Map
    from rulesdsl.interpreter.simulator.offers import Offer
    from rulesdsl.interpreter.state import StateFactory


FOLDER = Path(__file__).parent


@attrs.frozen
class Made:
    """The text of a module, the map of its memory; rule lines and names of its functions."""

    text: str
    map: Map
    spans: dict[str, str]
    ids: dict[str, str]


def module(flat: fl.Flat, states: StateFactory, offers: Sequence[Offer] | None = None) -> Made:
    """Return the module of a program.

    Where it is told the numbers of options, it counts and weighs them, which takes more time.
    """
    memory = Memory(flat, states, offers)
    shared = Shared(flat, memory, _that_end(flat))
    functions = [_function(shared, each) for each in flat.functions.values()]
    written = [MachineCode(shared, machine) for machine in flat.machines.values()]
    machines = [each.text(number) for number, each in enumerate(written)]
    alike = [_alike(shared, at, each) for at, each in enumerate(shared.alike)]
    elements = " ".join(shared.elements)
    parts = [
        f'(memory (export "memory") {memory.pages})',
        f"(table {max(len(shared.elements), 1)} funcref)",
        *shared.types.values(),
        *functions,
        *machines,
        *alike,
        *_helpers(memory, fuel_of(states.layout)),
        _host(shared),
        f"(elem (i32.const 0) func {elements})" if shared.elements else "",
        *(_data(at, content) for at, content in memory.data if any(content)),
    ]
    text = "\n".join(["(module", *parts, ")"])
    ids = {name: shared.values[name] for name in flat.functions}
    ids |= {name: shared.machines[name] for name in flat.machines}
    every: list[fl.Function | fl.Machine] = [*flat.functions.values(), *flat.machines.values()]
    return Made(
        text,
        memory.map({each.machine.name: each.order for each in written}),
        {ids[e.name][1:]: f"{e.span.file}:{e.span.line}" for e in every if e.span.line},
        ids,
    )


def _that_end(flat: fl.Flat) -> frozenset[str]:
    """Return the functions that may end the game."""
    calls: dict[str, set[str]] = {}
    found: set[str] = set()
    for name, function in flat.functions.items():
        for node in walk(function.body):
            if isinstance(node, fl.Finish):
                found.add(name)
            elif isinstance(node, fl.Do):
                for each in flat.called(node.function, node.index):
                    calls.setdefault(each, set()).add(name)
    left = [*found]
    while left:
        for caller in calls.get(left.pop(), set()) - found:
            found.add(caller)
            left.append(caller)
    return frozenset(found)


def _function(shared: Shared, function: fl.Function) -> str:
    c = Code(shared, function.name)
    params = [c.local(each) for each in function.params]
    steps(c, function.body)
    computes = any(
        isinstance(each, fl.Return) and each.value is not None for each in walk(function.body)
    )
    c.add("unreachable" if computes else "i32.const 0")
    given = "".join(f" (param {each} i64)" for each in params)
    result = "i64" if computes else "i32"
    head = f"  (func {shared.values[function.name]}{given} (result {result})"
    return "\n".join([head, *c.declared(params), *c.lines, "  )"])


def _host(shared: Shared) -> str:
    """Return the functions that the host calls; see `host.wat`."""
    memory, flat = shared.memory, shared.flat
    told = columns(memory.states.layout)
    score = [
        f"    (i64.store offset={section.cells.address + 8 * at} (i32.mul (local.get $row)"
        f" (i32.const {8 * section.width})) (call {shared.values[name]} (i64.const {seat})))"
        for section in memory.sections
        for at, (name, seat) in enumerate(told[section.name].cells)
    ]
    ways = "\n".join(
        f"      (if (i32.eq (local.get $machine) (i32.const {number})) (then (return (call "
        f"{shared.machines[name]} (local.get $at){' (i64.const 0)' * len(machine.params)}))))"
        for number, (name, machine) in enumerate(flat.machines.items())
    )
    if START in flat.machines:
        start = f"(call {shared.machines[START]} (i32.const 0) (i64.const -1))"
    else:
        cost = shared.costs.of(flat.functions["do:game"].body)
        start = f"(call {shared.values['do:game']} (call $burnt (i64.const {cost})))"
    known = {
        "score": "\n".join(score),
        "machines": ways,
        "game": start,
        "core": memory.core[0],
        "box": memory.box,
        "size": memory.core[1] - memory.core[0],
        "rng": memory.rng.address,
        "over": memory.over.address,
        "depth": memory.depth.address,
        "stack": memory.stack.address,
        "aside": memory.aside.address,
        "learned": memory.arrays["learned"].address,
        "position": memory.position.address,
        "root": memory.root.address,
        "choices": memory.choices.address,
        "given": memory.given.address,
        "fuel": fuel_of(memory.states.layout),
        "left": _left(memory, flat),
    }
    known |= {each.name: each.cells.address for each in memory.sections[: len(COUNTS)]}
    return _filled("host.wat", known)


def _left(memory: Memory, flat: fl.Flat) -> str:
    """Return the rounds that are left in a position."""
    slot = round_slot(flat)
    if slot is None:
        return "(i64.const 0)"
    return f"(i64.load offset={memory.frames[START][slot].address} (i32.const 0))"


def _filled(file: str, known: Mapping[str, object]) -> str:
    text = (FOLDER / file).read_text(encoding="utf-8")
    for name, told in known.items():
        text = text.replace(f"{{{name}}}", str(told))
    return text


def _helpers(memory: Memory, fuel: int) -> Iterator[str]:
    """Yield the functions that generated code calls."""
    yield _filled("helpers.wat", {"fuel": fuel})
    if memory.offers is not None:
        known_ = {
            "weights": memory.weights.address,
            "offers": memory.offered_so_far.address,
            "choices_made": memory.chosen_so_far.address,
            "noted": memory.noted.address,
            "many_noted": memory.many_noted.address,
            "seats": memory.states.layout.seats,
            "every": memory.offered_in_all,
            "factors": memory.looks.factors.address,
            "rows": memory.looks.rows.address,
            "looking": memory.looks.looking.address,
            "addresses": memory.looks.addresses.address,
            "widths": memory.looks.widths.address,
            "bytes_of_one": 4 * MOST_CELLS,
            "levels": MANY_LEVELS,
            "level": _level(),
            "held": _held(),
            "heaviest": HEAVIEST,
        }
        yield _filled("asking.wat", known_)
    for width, word in LOADS.items():
        yield _filled("contains.wat", {"width": width, "load": word})
    for at, (piece, piles) in enumerate(memory.piles.items()):
        known: dict[str, object] = {"piece": at, "scratch": memory.shuffled.address}
        known |= {
            name: cells.address for name, cells in attrs.asdict(piles, recurse=False).items()
        }
        known["where"] = memory.arrays[f"w:{piece}"].address
        yield _filled("piles.wat", known)


def _level() -> str:
    """Return the level of a sum: how many of their least amounts it has."""
    text = "(i32.const 0)"
    for least in LEVELS:
        text = f"(i32.add {text} (i64.ge_s (local.get $sum) (i64.const {least})))"
    return f"          {text}"


def _held() -> str:
    """Return what reads a number of any width that there is."""
    return "\n".join(
        f"    (if (i32.eq (local.get $width) (i32.const {width}))"
        f" (then (return (i64.{word} (local.get $address)))))"
        for width, word in LOADS.items()
    )


def _alike(shared: Shared, number: int, stmt: fl.Distinct) -> str:
    """Return the helper that leaves the first of those pieces in a list that are alike."""
    one, two = fl.Local("one"), fl.Local("two")
    differ = [fl.Op("<>", fl.Table(stmt.prints, one), fl.Table(stmt.prints, two))]
    if stmt.where:
        where = f"w:{stmt.piece}"
        differ.append(fl.Op("<>", fl.Load(where, one), fl.Load(where, two)))
    no = (fl.Return(fl.Const(0)),)
    body: list[fl.Stmt] = [fl.If(each, no) for each in differ]
    for array, table, width in stmt.marks:
        rows = (fl.Op("*", thing, fl.Const(width)) for thing in (one, two))
        cells = (fl.Table(table, fl.Op("+", row, fl.Local("mark"))) for row in rows)
        compared = fl.If(fl.Op("<>", *(fl.Load(array, cell) for cell in cells)), no)
        body.append(fl.For("mark", fl.Range(fl.Const(0), fl.Const(width)), (compared,)))
    body.append(fl.Return(fl.Const(1)))
    name = f"alike.{number}"
    return "\n".join(
        [
            _function(shared, fl.Function(name, ("one", "two"), tuple(body))),
            _filled("distinct.wat", {"number": number, "alike": shared.values[name]}),
        ]
    )


def _data(at: int, content: bytes) -> str:
    told = "".join(f"\\{each:02x}" for each in content)
    return f'(data (i32.const {at}) "{told}")'
