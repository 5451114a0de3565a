"""What becomes of a rule is shown, stage by stage."""

from __future__ import annotations

import pytest

from cli.conftest import Run

GAME = ("--pack", "content/classics/tic_tac_toe")
SHOWN = {
    "tree": "can: (not any mark at square[s] and any mark at supply[me])",
    "form": "function do:mark-square/:square(me, s)",
    "python": "def f_doX3aXmark_squareX2fXX3aXsquare(st, me, v_s):",
    "wat": "(func $f.do:mark-square/:square (param $me i64) (param $s i64) (result i32)",
}


@pytest.mark.parametrize("stage", SHOWN)
def test_every_stage_of_a_verb_is_shown(run: Run, stage: str) -> None:
    ran = run("dump", "mark-square", *GAME, "--stage", stage)

    assert ran.status == 0
    assert SHOWN[stage] in [line.strip() for line in ran.lines]


@pytest.mark.parametrize("stage", SHOWN)
@pytest.mark.parametrize("name", ["game", "complete"])
def test_steps_and_values_are_shown_too(run: Run, name: str, stage: str) -> None:
    ran = run("dump", name, *GAME, "--stage", stage)

    assert ran.status == 0
    assert any(name in line for line in ran.lines)


def test_what_can_be_shown_is_listed(run: Run) -> None:
    shown = ["complete", "complete-line/on:line", "game", "mark-square/:square", "result"]
    assert run("dump", *GAME).lines == shown


def test_what_there_is_not_is_said(run: Run) -> None:
    ran = run("dump", "mark-squar", *GAME)

    assert ran.status == 2
    assert "no verb, step or value mark-squar; did you mean mark-square" in ran.err
