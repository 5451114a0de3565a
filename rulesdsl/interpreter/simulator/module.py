"""Text of a complete WebAssembly module, and its compilation with wasmtime."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import attrs

from rulesdsl.interpreter.decision_points import Offer
from rulesdsl.interpreter.display.results import COUNTS, columns
from rulesdsl.interpreter.engine import Engine
from rulesdsl.interpreter.program_classes import PROGRAM
from rulesdsl.interpreter.simulator.action_space import (
    HEAVIEST,
    LEVELS,
    MANY_LEVELS,
    MOST_CELLS,
)
from rulesdsl.interpreter.simulator.expressions import LOADS
from rulesdsl.interpreter.simulator.functions import (
    FunctionText,
    ModuleContext,
    TooMuchWork,
    fuel_of,
)
from rulesdsl.interpreter.simulator.machines import MachineCode
from rulesdsl.interpreter.simulator.memory import Memory
from rulesdsl.interpreter.simulator.state_transfer import MemoryMap
from rulesdsl.interpreter.simulator.statements import steps
from rulesdsl.interpreter.state import StateFactory
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat import FOR_LABELS, START
from rulesdsl.lower.passes import OF_MODULES
from rulesdsl.source import cache
from rulesdsl.source.tree import walk

FOLDER = files("rulesdsl.interpreter.simulator")


@attrs.frozen
class Made:
    """The text of a module, its memory map, and the rule lines and ids of its functions."""

    text: str
    map: MemoryMap
    spans: dict[str, str]
    ids: dict[str, str]


def module(flat: fl.Flat, states: StateFactory, offers: Sequence[Offer] | None = None) -> Made:
    """Return the module of a program.

    With `offers` (the number ranges of options), it also counts and weighs options, but is slower.
    """
    memory = Memory(flat, states, offers)
    shared = ModuleContext(flat, memory, _may_end(flat))
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


def _may_end(flat: fl.Flat) -> frozenset[str]:
    """Return the functions that may end the game."""
    calls: dict[str, set[str]] = {}
    found: set[str] = set()
    for name, function in flat.functions.items():
        for node in walk(function.body):
            if isinstance(node, fl.FinishGame):
                found.add(name)
            elif isinstance(node, fl.RunFunction):
                for each in flat.called(node.function, node.index):
                    calls.setdefault(each, set()).add(name)
    left = [*found]
    while left:
        for caller in calls.get(left.pop(), set()) - found:
            found.add(caller)
            left.append(caller)
    return frozenset(found)


def _function(shared: ModuleContext, function: fl.Function) -> str:
    c = FunctionText(shared, function.name)
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


def _host(shared: ModuleContext) -> str:
    """Return the entry points called by the host; see `host.wat`."""
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
    known: dict[str, object] = {
        "score": "\n".join(score),
        "machines": ways,
        "game": start,
        "core": memory.core[0],
        "box": memory.box,
        "size": memory.core[1] - memory.core[0],
        "fuel": fuel_of(memory.states.layout),
    }
    known |= memory.addresses
    known |= {each.name: each.cells.address for each in memory.sections[: len(COUNTS)]}
    return _filled("host.wat", known)


def _filled(file: str, known: Mapping[str, object]) -> str:
    text = (FOLDER / file).read_text(encoding="utf-8")
    for name, told in known.items():
        text = text.replace(f"{{{name}}}", str(told))
    return text


def _helpers(memory: Memory, fuel: int) -> Iterator[str]:
    yield _filled("helpers.wat", {"fuel": fuel})
    if memory.offers is not None:
        known_: dict[str, object] = {
            "seats": memory.states.layout.seats,
            "every": memory.offered_in_all,
            "bytes_of_one": 4 * MOST_CELLS,
            "levels": MANY_LEVELS,
            "level": _level(),
            "held": _held(),
            "heaviest": HEAVIEST,
        }
        yield _filled("asking.wat", known_ | memory.addresses)
    for width, word in LOADS.items():
        yield _filled("contains.wat", {"width": width, "load": word})
    for at, (piece, piles) in enumerate(memory.piles.items()):
        known: dict[str, object] = {"piece": at, "scratch": memory.one_pile.address}
        known |= {
            name: cells.address for name, cells in attrs.asdict(piles, recurse=False).items()
        }
        known["where"] = memory.arrays[f"w:{piece}"].address
        yield _filled("piles.wat", known)


def _level() -> str:
    text = "(i32.const 0)"
    for least in LEVELS:
        text = f"(i32.add {text} (i64.ge_s (local.get $sum) (i64.const {least})))"
    return f"          {text}"


def _held() -> str:
    return "\n".join(
        f"    (if (i32.eq (local.get $width) (i32.const {width}))"
        f" (then (return (i64.{word} (local.get $address)))))"
        for width, word in LOADS.items()
    )


def _alike(shared: ModuleContext, number: int, stmt: fl.Distinct) -> str:
    """Return the helper that drops duplicate pieces from a list."""
    one, two = fl.LocalVar("one"), fl.LocalVar("two")
    differ = [fl.Op("<>", fl.TableCell(stmt.prints, one), fl.TableCell(stmt.prints, two))]
    if stmt.where:
        where = f"w:{stmt.piece}"
        differ.append(fl.Op("<>", fl.Load(where, one), fl.Load(where, two)))
    no = (fl.Return(fl.Literal(0)),)
    body: list[fl.Stmt] = [fl.Conditional(each, no) for each in differ]
    for array, table, width in stmt.marks:
        rows = (fl.Op("*", thing, fl.Literal(width)) for thing in (one, two))
        cells = (fl.TableCell(table, fl.Op("+", row, fl.LocalVar("mark"))) for row in rows)
        compared = fl.Conditional(fl.Op("<>", *(fl.Load(array, cell) for cell in cells)), no)
        body.append(fl.For("mark", fl.IntRange(fl.Literal(0), fl.Literal(width)), (compared,)))
    body.append(fl.Return(fl.Literal(1)))
    name = f"alike.{number}"
    return "\n".join(
        [
            _function(shared, fl.Function(name, ("one", "two"), tuple(body))),
            _filled("distinct.wat", {"number": number, "alike": shared.values[name]}),
        ]
    )


def _data(at: int, content: bytes) -> str:
    escaped = "".join(f"\\{each:02x}" for each in content)
    return f'(data (i32.const {at}) "{escaped}")'


# With 4 GB of address space reserved for the memory (`roomy`), no bounds checks are needed, and
# games run 20 % faster. If the process may not allocate that much, the checks are compiled in.


@lru_cache(maxsize=2)
def _runtime(*, roomy: bool) -> Any:  # noqa: ANN401 - `wasmtime` is imported where it is used
    import wasmtime  # noqa: PLC0415 - heavy

    config = wasmtime.Config()
    config.parallel_compilation = False
    if not roomy:
        config.memory_reservation = 0
        config.memory_reservation_for_growth = 0
        config.memory_guard_size = 0
    return wasmtime.Engine(config)


@attrs.define
class Compiled:
    """A compiled module with its memory map."""

    map: MemoryMap
    spans: dict[str, str]  # rule lines by function name
    binary: bytes
    roomy: bytes = b""  # cached native code, as serialised by the runtime
    _modules: dict[bool, Any] = attrs.Factory(dict)

    def module(self, *, roomy: bool) -> Any:  # noqa: ANN401 - see above
        """Return the module, compiled with bounds checks unless `roomy`."""
        import wasmtime  # noqa: PLC0415 - heavy

        if roomy not in self._modules:
            runtime = _runtime(roomy=roomy)
            kept = self.roomy if roomy else b""
            self._modules[roomy] = _deserialized(runtime, kept) or wasmtime.Module(
                runtime, self.binary
            )
        return self._modules[roomy]

    def instance(self) -> tuple[Any, Any]:
        """Return a new instance: its store and exports."""
        import wasmtime  # noqa: PLC0415 - heavy

        for roomy in (True, False):
            module = self.module(roomy=roomy)
            store = wasmtime.Store(_runtime(roomy=roomy))
            try:
                return store, wasmtime.Instance(store, module, []).exports(store)
            except wasmtime.WasmtimeError:
                if not roomy:
                    raise
        raise AssertionError

    def call(self, store: Any, function: Any) -> None:  # noqa: ANN401 - see above
        """Call a function of an instance; raise TooMuchWork if it runs out of fuel."""
        import wasmtime  # noqa: PLC0415 - heavy

        try:
            function(store)
        except wasmtime.Trap as trap:
            within = (self.spans.get(each.func_name or "") for each in trap.frames)
            where = next(filter(None, within), "the game")
            raise TooMuchWork(
                f"{where}: this takes more steps without a decision than the rules allow"
            ) from None


def _deserialized(runtime: Any, content: bytes) -> Any:  # noqa: ANN401 - see above
    """Return a cached module; None if it was compiled for another runtime or processor."""
    import wasmtime  # noqa: PLC0415 - heavy

    try:
        return wasmtime.Module.deserialize(runtime, content) if content else None
    except wasmtime.WasmtimeError:
        return None


def compiled(engine: Engine, key: str, offers: Sequence[Offer] | None = None) -> Compiled:
    """Return a setting's compiled module, from the disk cache if there is a key.

    With `offers`, the module counts and weighs options. A cache entry includes a hash of its
    content, so a modified file is ignored.
    """
    key = key and f"{key}\0module {offers is not None}"
    match cache.read_cached(key, PROGRAM) if key else None:
        case [MemoryMap() as known, dict() as spans, str() as binary, str() as roomy]:
            return Compiled(known, spans, b64decode(binary), b64decode(roomy))
        case _:
            found = assembled(made_of(engine, offers))
    if key:
        roomy = b64encode(bytes(found.module(roomy=True).serialize())).decode()
        kept = (found.map, found.spans, b64encode(found.binary).decode(), roomy)
        cache.write_cached(key, kept, PROGRAM)
    return found


def made_of(engine: Engine, offers: Sequence[Offer] | None = None) -> Made:
    """Return the text of a setting's module."""
    flat = engine.flat.twin()
    for name in [each for each in flat.functions if each.startswith(FOR_LABELS)]:
        del flat.functions[name]  # playouts show no labels
    for improve in OF_MODULES.values():
        improve(flat)
    return module(flat, engine.states, offers)


def assembled(made: Made) -> Compiled:
    """Assemble a module from its text."""
    import wasmtime  # noqa: PLC0415 - heavy

    return Compiled(made.map, made.spans, bytes(wasmtime.wat2wasm(made.text)))
