from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import loaded, written
from rulesdsl.check import typed as ty
from rulesdsl.check.typed.traits import text
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.walk import ends_in


def _machines(folder: Path, act: str) -> dict[str, fl.Machine]:
    return loaded(folder, act).setting(2, {}, log=False).engine.flat.machines


def _questions(pack: rulesdsl.Pack, key: str) -> list[ty.Decide]:
    return [each for each in ty.walk(pack.program.procs[key].body) if isinstance(each, ty.Decide)]


def test_a_procedure_without_decisions_is_a_function(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "repeat 3 times:\n    if my fame < 2: gain 1 coin")

    flat = pack.setting(2, {}, log=False).engine.flat

    assert {"do:act", "do:game"} <= set(flat.functions)
    assert "act" not in flat.machines


def test_what_calls_a_decision_is_a_machine_too(tmp_path: Path) -> None:
    machines = _machines(tmp_path, "choose-fame")

    assert {"choose-fame", "act", "game"} <= set(machines)
    assert "choose-fame" in _entered(machines["act"])


def _entered(machine: fl.Machine) -> set[str]:
    ends = (each for block in machine.blocks for each in ends_in(block))
    return {each.machine for each in ends if isinstance(each, fl.Enter)}


ONCE, AGAIN = (None, False), ("Done", True)
DECISIONS = {  # the word under which nothing is taken, and whether it is offered again
    "let s = a stall\nraise my fame by size of s": ONCE,
    "choose one:\n    raise my fame by 1\n    gain 1 coin": ONCE,
    "gain 1 coin or else raise my fame by 1": ONCE,
    "may raise my fame by 1": ("No", False),
    "may up to 2 times: raise my fame by 1": ("No", True),
    "menu:\n    once: raise my fame by 1": AGAIN,
}


@pytest.mark.parametrize("act", sorted(DECISIONS))
def test_each_decision_has_its_point(act: str, tmp_path: Path) -> None:
    engine = loaded(tmp_path, act).setting(2, {}, log=False).engine

    (asked,) = (each.end for each in engine.asks.values() if each.proc == "act")
    assert isinstance(asked, ty.Decide)
    assert (asked.stop, asked.again) == DECISIONS[act]
    assert asked.onward == act.startswith("let")


def test_a_field_whose_effect_may_decide_is_called_as_a_machine(tmp_path: Path) -> None:
    act = "for each card c in deck:\n    if able: do use of c"
    flat = loaded(tmp_path, act).setting(2, {}, log=False).engine.flat

    (name,) = _entered(flat.machines["act"])
    assert all(each in flat.machines for each in flat.choices[name])


ROOMS = """
source = "house"
[hall]
act = { red = "raise note by 1", blue = ["wish", "raise note by 2"] }
[loft]
act = { green = "wish" }
"""
BY_COLOUR = """
kind room from "rooms.toml":
    act: effect per colour
verb wish: needs any ant in deck
"""
MIGHT = {  # where those that hide what they ask for are meant, and might be possible
    "let k = a colour\nmay do act of hall at k": "(((0 = 0) and (k = 2) and any card at deck) "
    "or ((0 = 1) and (k = 1) and any card at deck))",
    "let r = a room\nmay do act of r at blue": "(((r = 0) and (2 = 2) and any card at deck) "
    "or ((r = 1) and (2 = 1) and any card at deck))",
    "let r = a room\nlet k = a colour\nmay do act of r at k": "(((r = 0) and (k = 2) "
    "and any card at deck) or ((r = 1) and (k = 1) and any card at deck))",
    "let r = a room\nmay do act of r at red": "no",
}


@pytest.mark.parametrize("act", sorted(MIGHT))
def test_what_hides_whether_an_effect_can_be_done_is_known_by_its_column(
    act: str, tmp_path: Path
) -> None:
    folder = written(tmp_path, act, BY_COLOUR)
    (folder / "rooms.toml").write_text(ROOMS)

    every = _questions(rulesdsl.load(folder, cache=False), "act")

    (asked,) = (each for each in every if each.stop)
    assert text(asked.lines[0].might) == MIGHT[act]


LINES = """
menu:
    once: raise my fame by 1
    once: pay (my guess) coins
    once for each card c in my hand: do use of c
    once for each player p in (all players where guess of it > 2):
        needs fame of p > 1
        raise my fame by 1
"""


def test_a_line_that_might_be_offered_is_asked_with_what_all_know(tmp_path: Path) -> None:
    (menu,) = _questions(loaded(tmp_path, LINES), "act")

    found = [line.perhaps for line in menu.lines]
    assert found[0] is None
    told = [(text(each.guard), text(each.domain), each.variable) for each in found if each]
    assert told == [
        ("yes", "-", None),
        ("yes", "card at hand[me]", "c"),
        ("yes", "every player", "p"),
    ]
