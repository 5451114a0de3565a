"""What would never end, or go too deep, is refused when the content is checked."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, findings, loaded, played, written


def _nested(opening: str, depth: int) -> str:
    lines = ["    " * at + opening.format(at) for at in range(depth)]
    return "\n".join([*lines, "    " * depth + "raise my fame by 1"])


def branching(levels: int, branches: int = 30) -> str:
    """Return tests of many branches, each in the last one of that before."""
    lines: list[str] = []
    for level in range(levels):
        branch = "    " * level + "{}if note = 9: nothing"
        more = [branch.format("otherwise ")] * branches
        lines += [branch.format(""), *more, "    " * level + "otherwise:"]
    return "\n".join([*lines, "    " * levels + "raise my fame by 1"])


DEEP = {
    "loops": _nested("for each stall s{} where size = 1:", 25),
    "ifs": _nested("if my fame = {}:", 150),
    "offers": _nested("may:", 200),
    "branches in one another": branching(6),
    "a sum": "raise my fame by " + " + ".join(["note"] * 2000),
    "brackets": "raise my fame by " + "(1 + " * 500 + "1" + ")" * 500,
    "alternatives": "if " + " or ".join(["note = 1"] * 2000) + ": raise my fame by 1",
    "negations": "if " + "not " * 2000 + "note = 1: raise my fame by 1",
}


@pytest.mark.parametrize("name", sorted(DEEP))
def test_what_is_nested_too_deeply_is_refused(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, DEEP[name]) == ["E407"]


def test_what_people_write_is_not_too_deep(tmp_path: Path) -> None:
    act = _nested("for each stall s{} where size = 1:", 8)

    assert played(tmp_path, act).fame() == 1


def test_branches_of_branches_are_not_too_deep_yet(tmp_path: Path) -> None:
    assert played(tmp_path, branching(5)).fame() == 1


def test_a_chain_of_values_too_long_to_check_is_refused(tmp_path: Path) -> None:
    chain = "".join(f"value v{at} of seat: v{at + 1} of me + 1\n" for at in range(400))

    assert findings(tmp_path, "raise my fame by v0 of me", f"{chain}value v400 of seat: 1\n") == [
        "E407"
    ]


CIRCLES = {
    "through a value": "value va of seat: vb of me\nvalue vb of seat: va of me\n",
    "through a hook": (
        "value va of seat: 1\ninstead of value va of seat: vb of me\nvalue vb of seat: va of me\n"
    ),
    "through the condition of a hook": (
        "value va of seat: 1\ninstead of value va of seat when vb of me > 1: 2\n"
        "value vb of seat: va of me\n"
    ),
}


@pytest.mark.parametrize("name", sorted(CIRCLES))
def test_a_value_that_is_defined_by_itself_is_refused(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, "raise my fame by va of me", CIRCLES[name]) == ["E404"]


def test_a_circle_begins_with_what_stands_there(tmp_path: Path) -> None:
    hook = "instead of value zeal of seat: my awe\n"
    circle = f"value zeal of seat: 3\n{hook}value awe of seat: my zeal\n"
    found = rulesdsl.lint(written(tmp_path, "raise my fame by my zeal", circle)).diagnostics
    told = next(each for each in found if each.code == "E404")

    assert "zeal -> awe -> zeal" in told.message
    assert (tmp_path / "box.rules").read_text().splitlines()[told.span.line - 1][6:10] == "zeal"


def test_what_calls_a_chain_that_is_too_much_is_not_told_too(tmp_path: Path) -> None:
    chain = "".join(f"value v{at}: v{at + 1} + v{at + 1} + v{at + 1}\n" for at in range(30))

    assert findings(tmp_path, "raise note by v0", f"{chain}value v30: note\n") == ["E407"]


def test_verbs_that_call_each_other_in_many_ways_are_checked_at_once(tmp_path: Path) -> None:
    chain = "".join(
        f"verb v{at}:\n    if note > {at}: v{at + 1}\n    otherwise if note > 1: v{at + 1}\n"
        f"    otherwise: v{at + 1}\n"
        for at in range(40)
    )

    assert findings(tmp_path, "if able: v0", f"{chain}verb v40: pay 1 coin\n") == []


@pytest.mark.parametrize("formula", ["half of rope + 1", "twice of me"])
def test_a_formula_that_is_defined_by_itself_is_refused(formula: str, tmp_path: Path) -> None:
    more = (
        'kind ware from "wares.toml":\n    half: formula\nvalue twice of seat: half of rope * 2\n'
    )
    folder = written(tmp_path, "raise my fame by my twice", more)
    (folder / "wares.toml").write_text(f'source = "house"\n[rope]\nhalf = "{formula}"\n')
    found = rulesdsl.lint(folder).diagnostics

    assert [each.code for each in found if each.severity.value == "error"] == ["E404"]


ENDLESS = {
    "lowering what stops at its bound": 'menu:\n    any time "L": lower my fame by 1',
    "marking what is marked": 'menu:\n    any time "M": mark my busy',
    "marking what is marked, each": "menu:\n    any time for each card c in deck: mark spent of c",
    "laying down where it lies": "menu:\n    any time for each card c in pile: move c into pile",
    "two lines that feed each other": (
        "gain 3 coins\nmenu:\n    any time: pay 1 coin to raise my fame by 1\n    any time:\n"
        "        needs my fame > 0\n        lower my fame by 1\n        gain 1 coin"
    ),
}


@pytest.mark.parametrize("name", sorted(ENDLESS))
def test_an_offer_that_uses_nothing_up_is_refused(name: str, tmp_path: Path) -> None:
    assert set(findings(tmp_path, ENDLESS[name])) == {"E402"}


ENDING = [
    (
        'raise my fame by 3\nmenu:\n    any time "L":\n        needs my fame > 0\n'
        "        lower my fame by 1"
    ),
    "menu:\n    any time for each card c in deck where not spent: mark spent of c",
    "menu:\n    any time for each card c in deck: move c into pile",
    "gain 3 coins\nmenu:\n    any time: pay 1 coin to raise my fame by 1",
]


@pytest.mark.parametrize("act", ENDING)
def test_an_offer_that_uses_something_up_comes_to_its_end(act: str, tmp_path: Path) -> None:
    game = loaded(tmp_path, act).new_game(1)
    taken = 0
    while game.decision:
        game.choose(0)
        taken += 1

    assert taken in {3, 4, 5}  # where the others cannot see that nothing is left, `Done` is asked


def test_so_many_rounds_are_refused(tmp_path: Path) -> None:
    assert findings(tmp_path / "a", "repeat 5000 times: gain 1 coin") == ["E407"]
    assert findings(tmp_path / "b", "for each number n in 1..5000: gain 1 coin") == ["E407"]


def test_numbers_that_grow_in_play_are_cut_off_at_a_thousand(tmp_path: Path) -> None:
    act = """
        raise note by 1000000
        let k = note * 1000000
        let sum = my fame
        for each number n in 1..k: raise my many by 1
        """
    done = played(tmp_path, act, more="track many per player\n")

    assert done.state["t_many"] == [1000]


def test_flow_that_only_goes_round_ends(tmp_path: Path) -> None:
    flow = "step game:\n    repeat at most 50 times until note > 99:\n        for each player: act"
    box = BOX.replace("step game: for each player: act", flow)

    assert played(tmp_path, "raise my fame by 1", box=box).fame() == 20


def test_a_thing_without_a_name_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, "nothing")
    (folder / "cards.toml").write_text('source = "house"\n[ant]\nname = " "\nworth = 1\n')
    found = rulesdsl.lint(folder).diagnostics

    assert [each.code for each in found if each.severity.value == "error"] == ["E005"]
