"""What is put into one another deeper does not double the work: calls are counted, not seconds.

Whoever asks the same part of a node twice on the way down doubles the work with every level.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import written
from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.disclosure import Disclosure
from rulesdsl.check.analysis.visibility import OPEN, Sights, Visibility
from rulesdsl.check.symbols.types import YES_NO, piece
from rulesdsl.check.typed.program import Program
from rulesdsl.interpreter.engine import Engine
from rulesdsl.lower.builder.values import value as flattened
from rulesdsl.lower.builder.writer import Shared, Writer

DEPTH = 8
STEEPEST = 10  # a cube at the most; what doubles with every level comes to 256
CARD = piece("card")
HAND = ty.Cells("hand", (ty.Local("me"),))
CARDS = ty.Lying("card", HAND, element=CARD)
SECRET = ty.Comparison(">", ty.TrackCell("guess", (ty.Local("me"),)), ty.Const(1), type=YES_NO)


def _worth(value: ty.Value) -> ty.Value:
    return ty.Comparison(">", ty.FieldOf("card", "worth", value), ty.Const(1), type=YES_NO)


def _where(name: str, condition: ty.Value) -> ty.Filtered:
    return ty.Filtered(CARDS, name, ty.And((condition, _of(name)), type=YES_NO), element=CARD)


def _of(name: str) -> ty.Value:
    return _worth(ty.Local(name, type=CARD))


FORMS: dict[str, Callable[[str, ty.Value], ty.Value]] = {
    "any": lambda name, inner: ty.AnyOf(_where(name, inner), type=YES_NO),
    "count": lambda name, inner: ty.Comparison(
        ">", ty.CountOf(_where(name, inner)), ty.Const(1), type=YES_NO
    ),
    "random": lambda name, inner: _worth(ty.RandomOf(_where(name, inner), type=CARD)),
    "best": lambda name, inner: _worth(ty.BestOf(_where(name, inner), name, ((True, _of(name)),))),
    "rank": lambda name, inner: _worth(ty.BestOf(CARDS, name, ((True, inner),), type=CARD)),
    "let": lambda name, inner: ty.LetIn(
        name, inner, ty.And((ty.Local(name, type=YES_NO), SECRET), type=YES_NO), type=YES_NO
    ),
    "member": lambda name, inner: ty.MemberOf(
        ty.BestOf(CARDS, name, ((True, inner),), type=CARD.or_none()),
        _where(f"{name}-2", SECRET),
        type=YES_NO,
    ),
    "or": lambda _, inner: ty.Or((ty.Negation(inner, type=YES_NO), SECRET), type=YES_NO),
    "cases": lambda _, inner: ty.Cases(((SECRET, inner),), SECRET, type=YES_NO),
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder: Path = tmp_path_factory.mktemp("nested")
    written(folder, "may raise my fame by 1")
    return rulesdsl.load(folder, cache=False).setting(2, {}, log=False).engine


def _seen(program: Program, value: ty.Value) -> None:
    Visibility(program).face(value, Sights({"me": OPEN}))


def _known(program: Program, value: ty.Value) -> None:
    Disclosure(program).known(value, Sights({"me": OPEN}))


def _nested(form: str, depth: int) -> ty.Value:
    value: ty.Value = SECRET
    for at in range(depth):
        value = FORMS[form](f"x{at}", value)
    return value


def _calls(work: Callable[[], object]) -> int:
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}
        assert calls < 1_000_000, "this does not come to an end"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("asked", ["seen", "known", "code"])
def test_no_level_doubles_the_work(form: str, asked: str, engine: Engine) -> None:
    program, layout = engine.layout.program, engine.layout
    works: dict[str, Callable[[ty.Value], object]] = {
        "seen": lambda value: _seen(program, value),
        "known": lambda value: _known(program, value),
        "code": lambda value: Writer(Shared(layout, flattened)).value(value),
    }
    none, once, twice = (
        _calls(lambda depth=depth: works[asked](_nested(form, depth)))  # type: ignore[misc]
        for depth in (1, DEPTH, 2 * DEPTH)
    )

    assert twice - none < (once - none) * STEEPEST
