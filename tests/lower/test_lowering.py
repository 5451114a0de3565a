"""Lowering: what decides becomes blocks cut at the decisions, the rest stays a function."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import loaded
from rulesdsl.lower import form as fm


def _form(folder: Path, act: str) -> fm.Form:
    return loaded(folder, act).form


def _ends(form: fm.Form, key: str) -> list[type[fm.End]]:
    return [type(block.end) for block in form.machines[key].blocks]


def test_a_procedure_without_decisions_is_a_function(tmp_path: Path) -> None:
    form = _form(tmp_path, "repeat 3 times:\n    if my fame < 2: gain 1 coin")

    assert "act" in form.functions
    assert "act" not in form.machines
    assert "game" in form.functions


def test_what_calls_a_decision_is_a_machine_too(tmp_path: Path) -> None:
    form = _form(tmp_path, "choose-fame")

    assert {"choose-fame", "act", "game"} <= set(form.machines)
    assert fm.Call in _ends(form, "act")


DECISIONS: dict[str, type[fm.End]] = {
    "let s = a stall\nraise my fame by size of s": fm.AskOne,
    "choose one:\n    raise my fame by 1\n    gain 1 coin": fm.AskWay,
    "gain 1 coin or else raise my fame by 1": fm.AskWay,
    "may raise my fame by 1": fm.AskMay,
    "may up to 2 times: raise my fame by 1": fm.AskMay,
    "menu:\n    once: raise my fame by 1": fm.AskMenu,
}


@pytest.mark.parametrize("act", sorted(DECISIONS))
def test_each_decision_has_its_point(act: str, tmp_path: Path) -> None:
    assert DECISIONS[act] in _ends(_form(tmp_path, act), "act")


def test_a_field_whose_effect_may_decide_is_called_as_a_machine(tmp_path: Path) -> None:
    form = _form(tmp_path, "for each card c in deck:\n    if able: do use of c")

    assert fm.CallField in _ends(form, "act")


def test_blocks_lead_only_to_blocks_that_are_there(tmp_path: Path) -> None:
    act = """
        may up to 2 times: choose-fame
        menu:
            any time: pay 1 coin to raise my fame by 1
            once for each card c in deck: do use of c
        for each stall s:
            if size of s = 2: may raise my fame by 1
        """
    for machine in _form(tmp_path, act).machines.values():
        for block in machine.blocks:
            targets = _targets(block.end)
            assert all(0 <= target < len(machine.blocks) for target in targets), block


def _targets(end: fm.End) -> list[int]:
    match end:
        case fm.Goto(target=target):
            return [target]
        case fm.Test(yes=yes, no=no) | fm.AskMay(yes=yes, no=no):
            return [yes, no]
        case fm.AskWay(ways=ways):
            return [way.target for way in ways]
        case fm.AskMenu(lines=lines, done=done):
            return [done, *(line.target for line in lines)]
        case fm.Call(then=then) | fm.CallField(then=then) | fm.AskOne(then=then):
            return [then]
        case _:
            return []
