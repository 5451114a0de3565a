"""Tests of lowering, from rules to annotated bodies, flat functions and the results of each pass.

`pytest --update-golden` rewrites the expectations.
"""

from functools import partial
from pathlib import Path

import pytest

from check.small import Chunk, Derive, answer, cases
from lower.flat_verifier import verify
from rulesdsl.check.analysis.secrecy.information_flow import annotate
from rulesdsl.check.typed.notation import text
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.lower.builder.program import flatten
from rulesdsl.lower.flat import Flat
from rulesdsl.lower.flat.text import function_text, machine_text
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.passes import OF_MODULES, SHARED

FORMS = Path(__file__).parent / "forms"


def _annotated(checked: Checked, verb: str) -> str:
    program = annotate(checked)
    proc = program.procs[_key(program, verb)]
    steps = "; ".join(map(text, proc.body.steps)) or "-"
    return f"{proc.key}({', '.join(each.name for each in proc.params)}): {steps}"


def _flat(checked: Checked, verb: str) -> str:
    flat, key = _flattened(checked, verb)
    return machine_text(flat.machines[key]) if key in flat.machines else _function(flat, key)


def _passed(name: str, checked: Checked, verb: str) -> str:
    """Return the functions that a pass changes, or the verb's function if there are none."""
    flat, key = _flattened(checked, verb)
    before = dict(flat.functions)
    PASSES[name](flat)
    verify(flat)
    changed = [
        function_text(each)
        for name, each in flat.functions.items()
        if each != before.get(name) and not name.startswith("of:")  # scores are not of the rules
    ]
    return "\n".join(changed or [_function(flat, key)])


def _flattened(checked: Checked, verb: str) -> tuple[Flat, str]:
    program = annotate(checked)
    found = flatten(Layout(program, 2, {}), logging=False).flat
    verify(found)
    return found, _key(program, verb)


def _function(flat: Flat, key: str) -> str:
    return function_text(flat.functions[f"do:{key}"])


def _key(program: Program, verb: str) -> str:
    return next(each for each in program.procs if each.split("/")[0] == verb)


PASSES = SHARED | OF_MODULES
LOWERED: dict[str, Derive] = {
    "annotated": _annotated,
    "machines": _flat,
    "flat": _flat,
    **{name.replace(" ", "-"): partial(_passed, name) for name in PASSES},
}


@pytest.mark.parametrize(("name", "chunk"), cases(FORMS, LOWERED), ids=str)
def test_forms(name: str, chunk: Chunk, update_golden: bool) -> None:
    path = FORMS / f"{name}.txt"
    assert answer(path, chunk, LOWERED[name], update=update_golden) == chunk.answer
