"""Small text in, blocks and functions out; `pytest --update-golden` writes what comes out now."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from check.small import Chunk, Derive, chunks, rewrite
from rulesdsl.check.pack_check import Checked
from rulesdsl.check.typed.readable import text
from rulesdsl.lower.flat_text import function_text, machine_text
from rulesdsl.lower.flat_verify import verify
from rulesdsl.lower.flatten.program import flatten
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.lowering import lower

FORMS = Path(__file__).parent / "forms"


def _machine(checked: Checked, verb: str) -> str:
    """The blocks of a machine: its slots, its steps, and how each ends."""
    machine = lower(checked).machines[verb]
    lines = [f"params {', '.join(machine.params) or '-'}; slots {', '.join(machine.slots) or '-'}"]
    for at, block in enumerate(machine.blocks):
        lines.append(f"{at}: {'; '.join([*map(text, block.steps), text(block.end)])}")
    return "\n".join(lines)


def _function(checked: Checked, verb: str) -> str:
    key = next(each for each in checked.program.procs if each.split("/")[0] == verb)
    function = lower(checked).functions[key]
    steps = "; ".join(map(text, function.steps)) or "-"
    return f"{function.key}({', '.join(function.params)}): {steps}"


def _flat(checked: Checked, verb: str) -> str:
    """What it is in the flat form, for two players; it is verified there."""
    form = lower(checked)
    found = flatten(Layout(checked.program, 2, {}), form, logging=False).flat
    verify(found)
    key = next(each for each in checked.program.procs if each.split("/")[0] == verb)
    if key in found.machines:
        return machine_text(found.machines[key])
    return function_text(found.functions[f"do:{key}"])


LOWERED: dict[str, Derive] = {"machines": _machine, "functions": _function, "flat": _flat}


@cache
def _rewritten(name: str) -> None:
    rewrite(FORMS / f"{name}.txt", LOWERED[name])


def _all() -> Iterator[tuple[str, Chunk]]:
    for name in LOWERED:
        for chunk in chunks(FORMS / f"{name}.txt"):
            yield name, chunk


@pytest.mark.parametrize(("name", "chunk"), list(_all()), ids=str)
def test_what_it_is_lowered_to(name: str, chunk: Chunk, update_golden: bool) -> None:
    if update_golden:
        _rewritten(name)
        return

    assert chunk.derived(LOWERED[name]) == chunk.answer
