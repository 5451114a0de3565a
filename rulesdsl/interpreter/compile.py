"""Compiler of one setting of a program: flatten, improve, emit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter import runtime
from rulesdsl.interpreter.asks import Ask, ask_of
from rulesdsl.interpreter.emit_machines import ModuleEmitter
from rulesdsl.interpreter.emit_values import function_name
from rulesdsl.interpreter.kinds import PROGRAM
from rulesdsl.interpreter.module import placed, run_module
from rulesdsl.interpreter.on_demand import AsksOnDemand, OnDemand
from rulesdsl.interpreter.state import StateFactory
from rulesdsl.lower.flatten.program import planned
from rulesdsl.lower.flatten.values import value_name
from rulesdsl.lower.flattened import Flattened, flattened
from rulesdsl.source import cache

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping, Sequence

    from rulesdsl.lower.flat import Event, Flat
    from rulesdsl.lower.layout import Layout
    from rulesdsl.lower.schema import Type
    from rulesdsl.source.span import Span

RUNTIME = ("Finished", "saturated", "draw", "shift", "shuffle", "one_of_each", "bits_of")


@attrs.define
class Engine:
    """The compiled code of one setting of a game.

    Where it is made on demand, questions, events and texts appear with what is carried out.
    """

    layout: Layout
    states: StateFactory
    names: dict[str, Any]
    asks: Mapping[int, Ask]  # by the numbers of blocks, in the order of the decisions
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
        """The rule lines that code stands for."""
        return self._emitter.marks.spans

    def slots(self, machine: str) -> tuple[str, ...]:
        """Return what the frame of a machine holds."""
        return self._emitter.flat.machines[machine].slots

    # ---------------------------------------------------------------- what is computed
    def value(self, name: str, layer: int, st: Any, *arguments: int) -> object:  # noqa: ANN401
        """Return a named value of a state, as it is shown: a list as its items, a text as such."""
        kind = self.layout.schema.values[name, layer]
        function = value_name(name, layer)
        if kind.family == "bundle":
            parts = self.layout.parts(function)
            return tuple(self.call(each, st, *arguments) for each in parts)
        return self.shown(kind, self.call(function, st, *arguments))

    def shown(self, kind: Type, number: int) -> object:
        """Return what a number stands for."""
        if kind.family == "list":
            return self._emitter.flat.lists[number]
        if kind.family == "text" and number >= 0:
            return self.texts[number]
        return number

    def call(self, function: str, st: Any, *arguments: int) -> int:  # noqa: ANN401
        """Return what a function of the flat form comes to."""
        return int(self.names[function_name(function)](st, *arguments))

    def guard(self, key: str, st: Any, me: int) -> bool:  # noqa: ANN401
        """Return whether a procedure without parameters can be carried out."""
        return key not in self.layout.schema.guarded or bool(self.call(f"can:{key}", st, me))


def compile_engine(
    layout: Layout, *, logging: bool, careful: bool = False, key: str = ""
) -> Engine:
    """Compile a program for its layout; with a key, of what is on disk.

    Where it is `careful`, nobody pays more than there is: a saved game may begin in the middle of
    what the rules would not have begun.
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

    No pass improves it: that takes longer than what is gained.
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
    """The code of one setting, and what it was made of."""

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
    """Return the code of one setting; with a key, its flat form is kept on disk."""
    source = cache.read_kept(f"{key}\0flat", PROGRAM) if key else None
    if not isinstance(source, Flattened):
        source = flattened(layout, logging=logging, careful=careful)
        if key:
            cache.write_kept(f"{key}\0flat", source, PROGRAM)
    emitter = ModuleEmitter(source.flat)
    module = placed([*emitter.module(), states.clone_function()])
    return Generated(source, emitter, module)


def _asks(source: Flattened, emitter: ModuleEmitter) -> dict[int, Ask]:
    """Return what is asked in which block."""
    decisions = zip(source.flat.decisions, source.sources, strict=True)
    found = (ask_of(each, end, source.flat, emitter.numbers) for each, end in decisions)
    return {each.block: each for each in found}


def _file_name(layout: Layout, *, logging: bool, careful: bool) -> str:
    """Return the name of generated code: another one wherever other lines would be read there."""
    settings = sorted(layout.settings.items())
    chosen = "".join(f", {name} {value}" for name, value in settings)
    log = ", with log" if logging else ""
    care = ", with care" if careful else ""
    return f"<rules of {layout.schema.file} for {layout.players}{chosen}{log}{care}>"
