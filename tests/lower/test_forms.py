"""Small text in, annotated bodies, blocks and functions out.

`pytest --update-golden` writes what comes out now.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from check.small import Chunk, Derive, chunks, rewrite
from lower.flat_verifier import verify
from rulesdsl.check.analysis.information_flow import annotate
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.check.typed.traits import text
from rulesdsl.lower.builder.program import flatten
from rulesdsl.lower.flat.text import function_text, machine_text
from rulesdsl.lower.layout import Layout

FORMS = Path(__file__).parent / "forms"


def _annotated(checked: Checked, verb: str) -> str:
    """Its body with guards, and what its steps reveal."""
    program = annotate(checked)
    proc = program.procs[_key(program, verb)]
    steps = "; ".join(map(text, proc.body.steps)) or "-"
    return f"{proc.key}({', '.join(each.name for each in proc.params)}): {steps}"


def _flat(checked: Checked, verb: str) -> str:
    program = annotate(checked)
    found = flatten(Layout(program, 2, {}), logging=False).flat
    verify(found)
    key = _key(program, verb)
    if key in found.machines:
        return machine_text(found.machines[key])
    return function_text(found.functions[f"do:{key}"])


def _key(program: Program, verb: str) -> str:
    return next(each for each in program.procs if each.split("/")[0] == verb)


LOWERED: dict[str, Derive] = {"annotated": _annotated, "machines": _flat, "flat": _flat}


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
