from __future__ import annotations

import attrs
import pytest

from lower.flat_verifier import UnsoundError, verify
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.text import function_text, node_text
from rulesdsl.lower.flat.walk import MAX_NUMBER, logic, negated, op, select
from rulesdsl.lower.passes.inline import inline

A, B = fl.LocalVar("a"), fl.LocalVar("b")
ZERO, ONE, TWO = map(fl.Literal, range(3))

FOLDED = {
    "(1 + 2)": (op("+", ONE, TWO), "3"),
    "most + 1, held": (op("+.", fl.Literal(MAX_NUMBER), ONE), str(MAX_NUMBER)),
    "(a + 0)": (op("+", A, ZERO), "a"),
    "(1 + a) + 2": (op("+", op("+", ONE, A), TWO), "(a + 3)"),
    "(a * 0)": (op("*", A, ZERO), "0"),
    "(a / 1)": (op("/", A, ONE), "a"),
    "(1 / 0)": (op("/", ONE, ZERO), "(1 / 0)"),
    "-7 / 2": (op("/", fl.Literal(-7), TWO), "-4"),
    "-7 % 2": (op("%", fl.Literal(-7), TWO), "1"),
    "a = a": (op("=", A, A), "1"),
    "a < a": (op("<", A, A), "0"),
    "not a < b": (negated(op("<", A, B)), "(a >= b)"),
    "not not a": (negated(negated(A)), "a"),
    "a and 0": (logic("and", A, ZERO), "0"),
    "a and 1 and b": (logic("and", A, ONE, B), "(a and b)"),
    "a or (b or 0)": (logic("or", A, logic("or", B, ZERO)), "(a or b)"),
    "nothing at all": (logic("and"), "1"),
    "1 ? a : b": (select(ONE, A, B), "a"),
    "a ? b : b": (select(A, B, B), "b"),
}


@pytest.mark.parametrize("what", FOLDED)
def test_what_is_known_is_folded(what: str) -> None:
    made, expected = FOLDED[what]

    assert node_text(made) == expected


# -------------------------------------------------------------------- passes
DOUBLE = fl.Function("double", ("a",), (fl.Return(op("+", A, A)),))
TWICE = fl.Function("twice", ("b",), (fl.Return(fl.CallFunction("double", (B,))),))
PASSED = fl.Function("passed", ("a",), (fl.RunFunction("kept", (A, ONE)),))
KEPT = fl.Function("kept", ("a", "b"), (fl.Store("t", ZERO, A), fl.Store("t", ZERO, B)))


def _flat(*functions: fl.Function, **machines: fl.Machine) -> fl.Flat:
    flat = fl.Flat(machines=machines)
    flat.arrays["t"] = fl.Array("t", 1)
    flat.functions |= {each.name: each for each in functions}
    return flat


def test_short_functions_take_the_place_of_their_calls() -> None:
    act = fl.Function(
        "act",
        ("c",),
        (
            fl.RunFunction("passed", (fl.LocalVar("c"),)),
            fl.Store("t", ZERO, fl.CallFunction("twice", (fl.LocalVar("c"),))),
            fl.Return(fl.CallFunction("double", (fl.Load("t", ZERO),))),
        ),
    )
    flat = _flat(DOUBLE, TWICE, PASSED, KEPT, act)

    inline(flat)

    verify(flat)
    assert function_text(flat.functions["act"]).splitlines()[1:] == [
        "    do kept(c, 1)",
        "    @t[0] := (c + c)",
        "    return double(@t[0])",  # it would be read twice
    ]


# -------------------------------------------------------------------- what is not sound
def _function(*body: fl.Stmt) -> fl.Function:
    return fl.Function("act", ("a",), body, (("things", 4),))


THINGS, PILE = fl.Buffer("things"), fl.Pile("card", ZERO)
UNSOUND = {
    "may be read before they are set": _function(
        fl.Conditional(A, (fl.Set("b", ONE),)), fl.Return(B)
    ),
    "a break outside of a loop": _function(fl.Break()),
    "is never reached": _function(fl.Return(), fl.Set("b", ONE)),
    "there is no u": _function(fl.Store("u", ZERO, ONE)),
    "there is no t7": _function(fl.Return(fl.TableCell("t7", A))),
    "there is no other": _function(fl.Clear(fl.Buffer("other"))),
    "there is no gain": _function(fl.RunFunction("gain", ())),
    "takes 1 arguments": _function(fl.Return(fl.CallFunction("double", ()))),
    "changes it": _function(fl.Clear(THINGS), fl.For("b", THINGS, (fl.Push(THINGS, ONE),))),
    "moves pieces": _function(fl.For("b", PILE, (fl.PlacePiece("card", B, ZERO),))),
    "sets its own b": _function(fl.For("b", fl.IntRange(ZERO, ONE), (fl.Set("b", ONE),))),
    "is for machines": _function(fl.Leave()),
}


@pytest.mark.parametrize("what", UNSOUND)
def test_a_function_that_is_not_sound_is_named(what: str) -> None:
    with pytest.raises(UnsoundError, match=rf"^act: .*{what}"):
        verify(_flat(DOUBLE, UNSOUND[what]))


MACHINE = fl.Machine("act", ("me",), ("me",), ((fl.Leave(),),))
BROKEN: dict[str, tuple[fl.Body, ...]] = {
    "does not end on every way": ((fl.Conditional(fl.LocalVar("me"), (fl.Leave(),)),),),
    "leads nowhere": ((fl.Goto(7),),),
    "there is no decision 0": ((fl.Ask(0),),),
    "may be read before they are set": ((fl.Store("t", ZERO, A), fl.Leave()),),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_machine_that_is_not_sound_is_named(what: str) -> None:
    with pytest.raises(UnsoundError, match=rf"^act: .*{what}"):
        verify(_flat(act=attrs.evolve(MACHINE, blocks=BROKEN[what])))


def test_a_frame_begins_with_what_is_passed() -> None:
    with pytest.raises(UnsoundError, match="do not begin with its parameters"):
        verify(_flat(act=attrs.evolve(MACHINE, slots=("n", "me"))))
