from __future__ import annotations

from pathlib import Path

import attrs
import pytest

import rulesdsl
from lower.verifier import UnsoundError, verify
from packs_on_the_fly import loaded
from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.types import NUMBER, YES_NO, piece
from rulesdsl.check.typed.program import Program

PURSE = ty.Cells("heap", ())
COINS = ty.Lying("coin", PURSE, element=piece("coin"))
ME = ty.Local("me")
ONE = ty.Const(1, type=NUMBER)
GONE = ty.Local("gone", type=NUMBER)
MAYBE = ty.Local("me", type=piece("card").or_none())

STEPS: dict[str, ty.Step] = {
    "counted pieces are looped over": ty.ForEach("c", COINS, None, ty.Block(())),
    "counted pieces are narrowed": ty.Require(
        ty.AnyOf(ty.Filtered(COINS, "c", ty.YES, element=COINS.element), type=YES_NO)
    ),
    "counted pieces are drawn from": ty.SetLocal("x", ty.RandomOf(COINS)),
    "counted pieces are looked at": ty.Peek(COINS, ME),
    "pieces in a place that does not hold them": ty.SetLocal(
        "x", ty.CountOf(ty.Lying("card", PURSE, element=piece("card")))
    ),
    "a local that nothing binds": ty.SetLocal("x", GONE),
    "a local that another branch binds": ty.Branching(
        ((ty.YES, ty.Block((ty.SetLocal("gone", ONE),))),), ty.Block((ty.SetLocal("x", GONE),))
    ),
    "a local that a loop has bound": ty.Block(
        (ty.RepeatTimes(ONE, ty.Block((ty.SetLocal("gone", ONE),))), ty.SetLocal("x", GONE))
    ),
    "a procedure that is not there": ty.Run("nowhere", ME, ()),
    "too few arguments": ty.Run("pay coin n", ME, ()),
    "a track with too many dimensions": ty.ChangeTrack("note", (ME,), True, ONE, ME),
    "a value that is not there": ty.SetLocal("x", ty.CallValue("nowhere", ME, (), 0)),
    "a piece that may be none": ty.SetLocal("x", ty.FieldOf("card", "worth", attrs.evolve(MAYBE))),
    "a number as a condition": ty.Require(ONE),
    "a yes as a number": ty.RepeatTimes(ty.YES, ty.Block(())),
}


def test_what_is_sound_is_let_pass(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "menu:\n    once for each stall s in stalls: raise note by size of s")

    verify(pack.program)


def test_the_position_of_a_thing_is_one_more_than_what_stands_for_it(tmp_path: Path) -> None:
    more = "verb dig on stall t:\n    needs note < position of t\n    raise note by 1"
    pack = loaded(tmp_path, "if able: dig on two", more)

    verify(pack.program)


@pytest.mark.parametrize("what", sorted(STEPS))
def test_a_step_that_is_not_sound_is_noticed(what: str, tmp_path: Path) -> None:
    pack = loaded(tmp_path, "raise note by 1")

    with pytest.raises(UnsoundError, match=r"^act"):
        verify(_with_step(pack, STEPS[what]))


def _with_step(pack: rulesdsl.Pack, step: ty.Step) -> Program:
    act = attrs.evolve(pack.program.procs["act"], body=ty.Block((step,)))
    return attrs.evolve(pack.program, procs={**pack.program.procs, "act": act})
