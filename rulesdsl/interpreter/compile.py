"""Compilation of a setting, and dumps of each stage of a rule."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.traits import text
from rulesdsl.interpreter.decision_points import DecisionPoint, ask_of
from rulesdsl.interpreter.program_classes import PROGRAM
from rulesdsl.interpreter.python import runtime
from rulesdsl.interpreter.python.expressions import function_name
from rulesdsl.interpreter.python.lazy_module import AsksOnDemand, OnDemand
from rulesdsl.interpreter.python.machines import ModuleEmitter, block_name, placed, run_module
from rulesdsl.interpreter.simulator.module import made_of
from rulesdsl.interpreter.state import StateFactory
from rulesdsl.lower.builder.program import planned
from rulesdsl.lower.builder.values import value_name
from rulesdsl.lower.flat_text import function_text, machine_text
from rulesdsl.lower.flattened import Flattened, flattened
from rulesdsl.source import cache

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulesdsl.check.symbols.types import Type
    from rulesdsl.interpreter.setting import CompiledSetting
    from rulesdsl.lower.flat import Event, Flat
    from rulesdsl.lower.layout import Layout
    from rulesdsl.source.span import Span


RUNTIME = ("Finished", "saturated", "draw", "shift", "shuffle", "one_of_each", "bits_of")


@attrs.define
class Engine:
    """The compiled code of one setting of a game.

    If it is compiled on demand, `asks`, `events` and `texts` grow as functions are first called.
    """

    layout: Layout
    states: StateFactory
    names: dict[str, Any]
    asks: Mapping[int, DecisionPoint]  # by block number, in the order of the decisions
    events: Sequence[Event]
    texts: Sequence[str]
    _emitter: ModuleEmitter
    logging: bool
    on_demand: OnDemand | None = None
    blocks: list[Any] = attrs.field(init=False)
    block_numbers: dict[str, int] = attrs.field(init=False)
    block_names: list[str] = attrs.field(init=False)
    clone: Any = attrs.field(init=False)

    @blocks.default
    def _table_of_blocks(self) -> list[Any]:
        found: list[Any] = self.names["BLOCKS"]
        return found

    @block_numbers.default
    def _numbers_of_blocks(self) -> dict[str, int]:
        numbers = self._emitter.numbers.items()
        return {f"{key}/{at}": number for (key, at), number in numbers}

    @block_names.default
    def _names_of_blocks(self) -> list[str]:
        return [*self.block_numbers]

    @clone.default
    def _copier(self) -> Any:  # noqa: ANN401 - the state class is made at run time
        return self.names["clone_state"]

    @property
    def flat(self) -> Flat:
        """The whole program in the flat form."""
        if self.on_demand is not None:
            self.on_demand.planned.write_all()
        return self._emitter.flat

    @property
    def marks(self) -> list[Span]:
        """The rule lines behind the code, by mark."""
        return self._emitter.marks.spans

    def slots(self, machine: str) -> tuple[str, ...]:
        """Return the slot names of a machine's frame."""
        return self._emitter.flat.machines[machine].slots

    # ---------------------------------------------------------------- evaluation
    def value(self, name: str, layer: int, st: Any, *arguments: int) -> object:  # noqa: ANN401
        """Return a named value of a state, as it is shown: a list as its items, a text as such."""
        kind = self.layout.schema.values[name, layer]
        function = value_name(name, layer)
        if kind.family == "bundle":
            parts = self.layout.parts(function)
            return tuple(self.call(each, st, *arguments) for each in parts)
        return self.shown(kind, self.call(function, st, *arguments))

    def shown(self, kind: Type, number: int) -> object:
        """Return the list or text that a number encodes, or the number itself."""
        if kind.family == "list":
            return self._emitter.flat.lists[number]
        if kind.family == "text" and number >= 0:
            return self.texts[number]
        return number

    def call(self, function: str, st: Any, *arguments: int) -> int:  # noqa: ANN401
        """Return the result of a function of the flat form."""
        return int(self.names[function_name(function)](st, *arguments))

    def guard(self, key: str, st: Any, me: int) -> bool:  # noqa: ANN401
        """Return whether a procedure without parameters can be carried out."""
        return key not in self.layout.schema.guarded or bool(self.call(f"can:{key}", st, me))


def compile_engine(
    layout: Layout, *, logging: bool, careful: bool = False, key: str = ""
) -> Engine:
    """Compile a program for its layout; with a key, its flat form is cached on disk.

    `careful` code never pays more than a player has: a saved game may resume inside an effect
    whose guard would have failed.
    """
    states = StateFactory(layout)
    made = generate(layout, states, logging=logging, careful=careful, key=key)
    file = _file_name(layout, logging=logging, careful=careful)
    emitter, source = made.emitter, made.source
    names = run_module(made.module, file, emitter.marks.spans, states.cls, _known(states))
    asks = _asks(source, emitter)
    events, texts = source.events, source.texts
    return Engine(layout, states, names, asks, events, texts, emitter, logging)


def compile_on_demand(layout: Layout) -> Engine:
    """Compile a program for its layout as it is called: for a few moves, with a log.

    No optimiser pass runs: on so few moves it would not pay.
    """
    states = StateFactory(layout)
    file = _file_name(layout, logging=True, careful=False)
    names = OnDemand(planned(layout, logging=True), file, states.cls, _known(states))
    names.code.run(placed([states.clone_function()]), names)
    asks, events, texts = AsksOnDemand(names), names.shared.events, names.shared.texts
    known = (layout, states, names, asks, events, texts, names.emitter)
    return Engine(*known, logging=True, on_demand=names)


def _known(states: StateFactory) -> dict[str, Any]:
    return {name: getattr(runtime, name) for name in RUNTIME} | {"State": states.cls}


@attrs.frozen
class Generated:
    """The code of one setting, with its source and emitter."""

    source: Flattened
    emitter: ModuleEmitter
    module: ast.Module


def generate(
    layout: Layout,
    states: StateFactory,
    *,
    logging: bool,
    careful: bool = False,
    key: str = "",
) -> Generated:
    """Return the code of one setting; with a key, its flat form is cached on disk."""
    source = cache.read_kept(f"{key}\0flat", PROGRAM) if key else None
    if not isinstance(source, Flattened):
        source = flattened(layout, logging=logging, careful=careful)
        if key:
            cache.write_kept(f"{key}\0flat", source, PROGRAM)
    emitter = ModuleEmitter(source.flat)
    module = placed([*emitter.module(), states.clone_function()])
    return Generated(source, emitter, module)


def _asks(source: Flattened, emitter: ModuleEmitter) -> dict[int, DecisionPoint]:
    decisions = zip(source.flat.decisions, source.sources, strict=True)
    found = (ask_of(each, end, source.flat, emitter.numbers) for each, end in decisions)
    return {each.block: each for each in found}


def _file_name(layout: Layout, *, logging: bool, careful: bool) -> str:
    """Return the file name of generated code, distinct for each distinct source."""
    settings = sorted(layout.settings.items())
    chosen = "".join(f", {name} {value}" for name, value in settings)
    log = ", with log" if logging else ""
    care = ", with care" if careful else ""
    return f"<rules of {layout.schema.file} for {layout.players}{chosen}{log}{care}>"


def names(setting: CompiledSetting) -> list[str]:
    """Return the names that can be dumped: the procedures and values of a setting."""
    program = setting.layout.program
    return sorted({*program.procs, *(name for name, _ in program.values)})


def stage(setting: CompiledSetting, name: str, which: str) -> Iterator[str]:
    """Yield a procedure or value at a stage: `tree`, `form`, `python` or `wat`.

    All overloads of a verb are included.
    """
    program = setting.layout.program
    keys = [key for key in program.procs if name in {key, key.split("/")[0]}]
    values = [key for key in program.values if key[0] == name]
    functions = [f"can:{key}" for key in keys] + [f"do:{key}" for key in keys]
    for value, layer in values:
        whole = f"value:{value}@{layer}"
        functions += [whole, *setting.layout.parts(whole)]
    yield from STAGES[which](setting, keys, functions)


def _tree(setting: CompiledSetting, keys: list[str], functions: list[str]) -> Iterator[str]:
    program = setting.layout.program
    for key in keys:
        proc = program.procs[key]
        yield f"{key}({', '.join(each.name for each in proc.params)})"
        guard = program.guards.get(key, ty.YES)
        if guard != ty.YES:
            yield f"    can: {text(guard)}"
        yield from (f"    {text(step)}" for step in proc.block.steps)
    for (name, layer), value in program.values.items():
        if f"value:{name}@{layer}" in functions:
            yield f"{name}({', '.join(each.name for each in value.params)})"
            yield f"    {text(value.body)}"


def _form(setting: CompiledSetting, keys: list[str], functions: list[str]) -> Iterator[str]:
    flat = setting.engine.flat
    for name in functions:
        if name in flat.functions:
            yield from function_text(flat.functions[name]).splitlines()
    for key in keys:
        if key in flat.machines:
            yield from machine_text(flat.machines[key]).splitlines()


def _python(setting: CompiledSetting, keys: list[str], functions: list[str]) -> Iterator[str]:
    engine = setting.engine
    made = generate(engine.layout, StateFactory(engine.layout), logging=engine.logging)
    wanted = set(map(function_name, functions))
    wanted |= {block_name(*each) for each in made.emitter.numbers if each[0] in keys}
    for node in made.module.body:
        if isinstance(node, ast.FunctionDef) and node.name in wanted:
            yield from ast.unparse(node).splitlines()


def _wat(setting: CompiledSetting, keys: list[str], functions: list[str]) -> Iterator[str]:
    made = made_of(setting.engine)
    wanted = {made.ids[name] for name in [*functions, *keys] if name in made.ids}
    shown = False
    for line in made.text.splitlines():
        if line.startswith("  (func"):
            shown = line.split()[1] in wanted
        if shown:
            yield line[2:]
        shown = shown and line != "  )"


STAGES: dict[str, Callable[[CompiledSetting, list[str], list[str]], Iterator[str]]] = {
    "tree": _tree,
    "form": _form,
    "python": _python,
    "wat": _wat,
}
