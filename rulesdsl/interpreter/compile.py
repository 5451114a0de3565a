"""Compilation of a setting: flat form to Python, at once or on demand."""

from __future__ import annotations

import ast
from typing import Any

from rulesdsl.interpreter.decision_points import DecisionPoint, ask_of
from rulesdsl.interpreter.engine import Engine
from rulesdsl.interpreter.program_classes import PROGRAM
from rulesdsl.interpreter.python.lazy_module import AsksOnDemand, OnDemand
from rulesdsl.interpreter.python.machines import ListedCode, ModuleEmitter, placed
from rulesdsl.interpreter.python.runtime import OPERATIONS
from rulesdsl.interpreter.state import StateFactory
from rulesdsl.lower.flat import Flat
from rulesdsl.lower.flattened import Flattened, flattened
from rulesdsl.lower.layout import Layout
from rulesdsl.source import cache


def compile_engine(
    layout: Layout, *, logging: bool, careful: bool = False, key: str = ""
) -> Engine:
    """Compile the program of a layout; with a key, its flat form is cached on disk.

    `careful` code never moves more pieces than there are: a saved game may resume inside an effect
    whose guard would have failed.
    """
    states = StateFactory(layout)
    source = _source(layout, logging=logging, careful=careful, key=key)
    emitter = ModuleEmitter(source.flat)

    def make_code() -> dict[str, Any]:
        file = _file_name(layout, logging=logging, careful=careful)
        code = ListedCode(file, emitter.marks.spans, states.cls)
        return code.run(_module(emitter, states), _known(states))

    asks = _asks(source, emitter)
    return Engine(layout, states, make_code, asks, source.events, source.texts, emitter, logging)


def compile_on_demand(layout: Layout) -> Engine:
    """Prepare a program that keeps a log; each function is compiled on its first call.

    This suits sessions of a few moves, in which optimiser passes would not pay off, so none run.
    """
    from rulesdsl.lower.builder.program import planned  # noqa: PLC0415 - not for cached code

    states = StateFactory(layout)
    file = _file_name(layout, logging=True, careful=False)
    names = OnDemand(planned(layout, logging=True), file, states.cls, _known(states))
    names.code.run(placed([states.clone_function()]), names)
    asks, events, texts = AsksOnDemand(names), names.shared.events, names.shared.texts
    known = (layout, states, lambda: names, asks, events, texts, names.emitter)
    return Engine(*known, logging=True, on_demand=names)


def _known(states: StateFactory) -> dict[str, Any]:
    return OPERATIONS | {"State": states.cls}


def generate(flat: Flat, states: StateFactory) -> ast.Module:
    """Return the Python code of a program."""
    return _module(ModuleEmitter(flat), states)


def _module(emitter: ModuleEmitter, states: StateFactory) -> ast.Module:
    return placed([*emitter.module(), states.clone_function()])


def _source(layout: Layout, *, logging: bool, careful: bool, key: str) -> Flattened:
    """Return the flat form of one setting; with a key, it is cached on disk."""
    source = cache.read_cached(f"{key}\0flat", PROGRAM) if key else None
    if not isinstance(source, Flattened):
        source = flattened(layout, logging=logging, careful=careful)
        if key:
            cache.write_cached(f"{key}\0flat", source, PROGRAM)
    return source


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
