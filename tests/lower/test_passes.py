"""What each pass makes of a program: text in, text out.

`passes/PASS/CASE.txt` is a program, a line `=>`, and its procedures as the pass leaves them.
`pytest --update-golden tests/lower/test_passes.py` writes what comes out now.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from flat_reader import program_text, read
from lower.flat_verifier import verify
from rulesdsl.lower.passes import OF_MODULES, SHARED

HERE = Path(__file__).parent / "passes"
CASES = sorted(HERE.glob("*/*.txt"))
PASSES = SHARED | OF_MODULES


@pytest.mark.parametrize("case", CASES, ids=lambda each: f"{each.parent.name}/{each.stem}")
def test_what_a_pass_makes(case: Path, update_golden: bool) -> None:
    before, _, after = case.read_text("utf-8").partition("=>\n")
    flat = read("\n".join(each for each in before.splitlines() if not each.startswith("#")))
    verify(flat)

    PASSES[case.parent.name.replace("-", " ")](flat)

    verify(flat)
    lines = program_text(flat).splitlines(keepends=True)
    first = next(at for at, each in enumerate(lines) if each.startswith(("function", "machine")))
    found = "".join(lines[first:])
    if update_golden:
        case.write_text(f"{before}=>\n{found}", "utf-8")
    else:
        assert found == after


def test_each_pass_is_tested() -> None:
    assert {each.parent.name.replace("-", " ") for each in CASES} == set(PASSES)
