"""The log notes which hidden pieces decide what happens: redraws have to know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.small_worlds import begun

if TYPE_CHECKING:
    from pathlib import Path

DRAW = """
shuffle bag
for each player:
    let t = top of bag
    if any t:
"""
TO_RACK = DRAW + "        move t into my rack\n"
TOP = "What comes depends on Tile 3"  # the seed of `begun` puts it on top


@pytest.mark.parametrize(
    ("steps", "noted"),
    [
        ("shuffle bag\nfor each player: move top 2 of bag into my rack", []),
        (DRAW + "        move t into row\n        if worth of t > 3: raise my wealth by 1", []),
        (TO_RACK + "        raise my wealth by worth of t * 2", []),
        (TO_RACK + "        if any t in my rack: raise my wealth by 1", []),
        (TO_RACK + "        if suit of t = sun: raise my wealth by 1", [TOP]),
        (TO_RACK + "        let n = worth of t\n        raise my wealth by n + n", [TOP]),
        (TO_RACK + "        raise my wealth by worth of t + tiles in bag", [TOP]),
        (TO_RACK + "        repeat worth of t times: raise my wealth by 1", [TOP]),
        (DRAW + "        if worth of t > 3: move t into row", [TOP]),
        (
            TO_RACK + "        if my wealth > 3: raise my wealth by 1",
            ["What comes depends on secrets"],
        ),
        (
            TO_RACK + "        for each tile u in my rack where worth of it > 3: move u into pit",
            [TOP],
        ),
        (
            TO_RACK
            + "        if any tiles in my rack where worth of it > 3: raise my wealth by 1",
            [TOP],
        ),
    ],
)
def test_the_log_notes_on_which_hidden_pieces_it_depends(
    tmp_path: Path, steps: str, noted: list[str]
) -> None:
    game = begun(tmp_path, steps)

    found = [each.text for each in game.log if each.quiet and "depends" in each.text]
    assert found == noted
    assert all(each.seen(viewer) is None for each in game.log if each.quiet for viewer in (0, 1))


def test_nobody_is_told_what_a_draw_was(tmp_path: Path) -> None:
    game = begun(tmp_path, "let r = random tile in bag\nif any r: move r into pit")

    (drawn,) = (each for each in game.log if each.text.startswith("By chance: Tile"))
    assert drawn.quiet
    assert drawn.seen(1) is None
