"""Boxes that are too large and work that is too much are refused, with the number."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import findings, written

LARGE = {
    "a flag of many dimensions": f"flag odd{' per stall per card' * 5}",
    "a track of many dimensions": f"track odd{' per stall per card' * 5}",
    "a place of many dimensions": f"place odd{' per colour' * 12} holds dude",
}


@pytest.mark.parametrize("name", sorted(LARGE))
def test_too_many_cells_are_refused(name: str, tmp_path: Path) -> None:
    assert "E407" in findings(tmp_path, "nothing", LARGE[name])


def test_copies_of_printed_pieces_count_as_pieces(tmp_path: Path) -> None:
    more = 'piece brick from "bricks.toml" 1000 per player in lawn\nplace lawn holds brick'
    folder = written(tmp_path, "nothing", more)
    (folder / "bricks.toml").write_text('source = "house"\n[red-brick]\ncopies = 1000\n')

    report = rulesdsl.lint(folder)

    said = [each.message for each in report.diagnostics if each.code == "E407"]
    assert said == ["There would be 1000000 bricks; the limit is 1000."]


def test_entries_fit_into_an_option(tmp_path: Path) -> None:
    folder = written(tmp_path, "nothing", 'kind leaf from "leaves.toml"')
    entries = "".join(f"[leaf-{at}]\n" for at in range(10_001))
    (folder / "leaves.toml").write_text(f'source = "house"\n{entries}')

    assert "E407" in [each.code for each in rulesdsl.lint(folder).diagnostics]


WORK = {
    "loops over a track without bounds": "repeat note times:\n    repeat note times:\n"
    "        repeat note times: raise my fame by 1",
    "loops over numbers up to a track": "for each number n in 1..note:\n"
    "    for each number m in n..note:\n        repeat m times: raise my fame by 1",
    "conditions over pieces within one another": "raise my fame by (all bits "
    "in lawn where (all bits in lawn where (all bits in lawn where size of it = 1) > 1) > 1)",
    "a sum within a value within a loop": "for each bit b in pile-of-bits: raise my fame by big",
    "a condition of every candidate": "if able:\n    let b = a bit in pile-of-bits where big > 3\n"
    "    move b into lawn",
}
BITS = """
piece bit from "bits.toml" 1 in pile-of-bits:
    size: number
place pile-of-bits holds bit
place lawn holds bit
value big: (size of it * (size of it per bits in pile-of-bits)) per bits in pile-of-bits
"""


@pytest.mark.parametrize("name", sorted(WORK))
def test_rounds_of_loops_in_one_another_are_multiplied(name: str, tmp_path: Path) -> None:
    folder = written(
        tmp_path, WORK[name].replace("all bits where", "all bits in pile-of-bits where"), BITS
    )
    (folder / "bits.toml").write_text('source = "house"\n[red]\nsize = 1\ncopies = 999\n')

    report = rulesdsl.lint(folder)

    assert {each.code for each in report.diagnostics if each.code[0] == "E"} == {"E407"}


def test_what_no_bound_stops_is_refused_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("rulesdsl.check.read.check_sources", check)

    (found,) = rulesdsl.lint(written(tmp_path, "nothing")).diagnostics

    assert (found.code, Path(found.span.file).name) == ("E407", "box.rules")
    assert (found.span.line, found.span.column) == (1, 1)
    assert found.message == (
        "Values or verbs of this pack call each other too deeply to be checked."
    )
    assert found.help == "Shorten the chains of calls."
