"""What becomes of a rule is shown, stage by stage."""

from __future__ import annotations

import pytest

from cli.conftest import Run

GAME = ("--pack", "bench/packs/tic_tac_toe")
SHOWN = {
    "tree": "can: (not any mark at cell[c] and any mark at supply[me])",
    "form": "function do:mark-cell/:cell(me, c)",
    "python": "def f_doX3aXmark_cellX2fXX3aXcell(st, me, v_c):",
    "wat": "(func $f.do:mark-cell/:cell (param $me i64) (param $c i64) (result i32)",
}


@pytest.mark.parametrize("stage", SHOWN)
def test_every_stage_of_a_verb_is_shown(run: Run, stage: str) -> None:
    ran = run("dump", "mark-cell", *GAME, "--stage", stage)

    assert ran.status == 0
    assert SHOWN[stage] in [line.strip() for line in ran.lines]


@pytest.mark.parametrize("stage", SHOWN)
@pytest.mark.parametrize("name", ["game", "complete"])
def test_steps_and_values_are_shown_too(run: Run, name: str, stage: str) -> None:
    ran = run("dump", name, *GAME, "--stage", stage)

    assert ran.status == 0
    assert any(name in line for line in ran.lines)


def test_what_can_be_shown_is_listed(run: Run) -> None:
    assert run("dump", *GAME).lines == ["complete", "game", "line-score", "mark-cell/:cell"]


def test_what_there_is_not_is_said(run: Run) -> None:
    ran = run("dump", "mark-cel", *GAME)

    assert ran.status == 2
    assert "no verb, step or value mark-cel; did you mean mark-cell" in ran.err
