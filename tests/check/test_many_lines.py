from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import written
from rulesdsl.check.resolve.statements import MAX_LINES


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ('choose one "Which?":', '"way {}": raise my fame by {}'),
        ("menu:", 'once "way {}": raise my fame by {}'),
    ],
)
def test_a_choice_has_a_limit_of_lines(tmp_path: Path, head: str, line: str) -> None:
    def lines(many: int) -> str:
        every = (f"        {line.format(at, at + 1)}\n" for at in range(many))
        return f"verb pick:\n    {head}\n{''.join(every)}"

    few, many = (
        rulesdsl.lint(written(tmp_path / str(number), "for each player: pick", lines(number)))
        for number in (MAX_LINES, MAX_LINES + 1)
    )

    assert not few.errors
    assert [(each.code, each.message) for each in many.errors] == [
        ("E407", f"There are {MAX_LINES + 1} lines to choose from; the limit is {MAX_LINES}.")
    ]


def test_lines_that_mods_add_count_as_well(tmp_path: Path) -> None:
    line = '        "way {}": raise my fame by {}\n'
    ways = "".join(line.format(at, at + 1) for at in range(MAX_LINES))
    more = "".join(line.format(f"m{at}", at + 1) for at in range(2)).replace("        ", "    ")
    rules = f'verb pick:\n    choose one "Which?":\n{ways}'
    game = written(tmp_path / "game", "for each player: pick", rules)
    mod = tmp_path / "mod"
    mod.mkdir()
    (mod / "pack.toml").write_text(
        'id = "more"\nname = "More"\nversion = "1.0.0"\nkind = "mod"\nfor_game = "fly"\n'
    )
    (mod / "more.rules").write_text(f"add to choices of pick:\n{more}")

    said = f"There are {MAX_LINES + 2} lines to choose from; the limit is {MAX_LINES}."
    errors = rulesdsl.lint(game, [mod]).errors
    assert [each.message for each in errors] == [f"This breaks a line of `fly`: {said}"]
