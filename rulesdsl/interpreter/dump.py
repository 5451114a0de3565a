"""Dumps of a rule at each stage of its compilation."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.notation import text
from rulesdsl.interpreter.compile import generate
from rulesdsl.interpreter.python.expressions import function_name
from rulesdsl.interpreter.python.machines import block_name
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.interpreter.simulator.module import made_of
from rulesdsl.lower.flat.text import function_text, machine_text


def names(setting: CompiledSetting) -> list[str]:
    """Return the names that can be dumped: the procedures and values of a setting."""
    program = setting.layout.program
    return sorted({*program.procs, *program.world.values})


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
    wanted = set(map(function_name, functions))
    for machine in (engine.flat.machines[key] for key in keys if key in engine.flat.machines):
        wanted |= {block_name(machine.name, at) for at in range(len(machine.blocks))}
    for node in generate(engine.flat, engine.states).body:
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
