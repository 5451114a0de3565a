"""What the table says of every kind of node, and that each entry of it is watched.

For every kind there are examples: nodes about the little game of `packs_on_the_fly`, with all that
the table has to say of them. A slot that an example leaves out must be empty. The last tests turn
every slot of every entry around, one at a time: some example has to notice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import attrs
import pytest

import rulesdsl
from check.kind_examples import (
    A_CARD,
    ACT,
    BOXED,
    DECK,
    EXAMPLES,
    FAME,
    IN_DECK,
    IN_HEAP,
    IN_PURSE,
    LOWER,
    MAY,
    ME,
    MORE,
    ONE,
    ONE_OF,
    RAISE,
    ROOM,
    SECOND,
    TWO,
    Told,
)
from packs_on_the_fly import CARDS, written
from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.call_graph import Graph
from rulesdsl.check.analysis.cost import CostBounds
from rulesdsl.check.analysis.intervals import Intervals
from rulesdsl.check.analysis.prover import Effects
from rulesdsl.check.analysis.termination import PathSummaries
from rulesdsl.check.lints.unused import uses_of
from rulesdsl.check.typed.program import Program
from rulesdsl.check.typed.traits import TRAITS, NodeTraits
from rulesdsl.source.diagnostics import Findings

SLOTS = [each.name for each in attrs.fields(NodeTraits) if each.name != "kind"]
FLAGS = {"random", "decides", "sealed"}
WITH_PROGRAM = {"reads", "writes", "takes", "gives", "runs", "asks", "computes"}
SINGLE = {"flow", "rounds", "actor"}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("facts")
    written(folder, ACT, MORE, box=BOXED)
    (folder / "cards.toml").write_text(CARDS.replace("worth", 'bonus = "my fame"\nworth'))
    return rulesdsl.load(folder, cache=False).program


def _told(facts: NodeTraits[Any], node: ty.Node, program: Program) -> Told:
    """Return all that an entry says of a node, but for what is empty."""
    said: Told = {}
    for slot in SLOTS:
        fact = getattr(facts, slot)
        if slot in FLAGS:
            found = fact
        elif slot in SINGLE:
            found = fact(node)
        else:
            found = list(fact(node, program) if slot in WITH_PROGRAM else fact(node))
            found = sorted(found) if slot in {"reads", "writes", "takes", "gives"} else found
        if found:
            said[slot] = found
    return said


def _expected(told: Told) -> Told:
    sets = {"reads", "writes", "takes", "gives"}
    return {slot: sorted(found) if slot in sets else found for slot, found in told.items()}


def test_every_kind_has_an_entry_and_an_example() -> None:
    kinds = set(get_args(ty.Node))

    assert set(TRAITS) == kinds
    assert {type(node) for node, _ in EXAMPLES} == kinds


@pytest.mark.parametrize(("node", "told"), EXAMPLES, ids=lambda each: type(each).__name__)
def test_the_table_says(node: ty.Node, told: Told, program: Program) -> None:
    assert _told(TRAITS[type(node)], node, program) == _expected(told)


# -------------------------------------------------------------------- every entry is watched
def _turned(facts: NodeTraits[Any], slot: str) -> Iterator[NodeTraits[Any]]:
    """Yield an entry with another word in one slot: nothing at all, and something made up."""
    if slot in FLAGS:
        yield _with(facts, slot, not getattr(facts, slot))
        return
    yield _with(facts, slot, lambda *_: [("made", "up", "")])
    if getattr(facts, slot) is not _nothing(facts.kind, slot):
        yield _with(facts, slot, _nothing(facts.kind, slot))


def _nothing(kind: type, slot: str) -> object:
    return getattr(NodeTraits(kind), slot)


def _with(facts: NodeTraits[Any], slot: str, fact: Any) -> NodeTraits[Any]:  # noqa: ANN401 - any slot
    changes: dict[str, Any] = {slot: fact}
    return attrs.evolve(facts, **changes)


@pytest.mark.parametrize("kind", get_args(ty.Node), ids=lambda kind: kind.__name__)
def test_a_wrong_word_about_a_kind_is_noticed(kind: type, program: Program) -> None:
    examples = [(node, _expected(told)) for node, told in EXAMPLES if type(node) is kind]
    for slot in SLOTS:
        for wrong in _turned(TRAITS[kind], slot):
            assert any(_told(wrong, node, program) != told for node, told in examples), slot


# -------------------------------------------------------------------- the analyses read it
def _reads(node: ty.Node, program: Program) -> object:
    return Effects(program).reads(node)


def _writes(node: ty.Node, program: Program) -> object:
    return Effects(program).writes(node)


def _uses(node: ty.Node, _: Program) -> object:
    return [*uses_of(node)]


def _work(node: ty.Node, program: Program) -> object:
    return CostBounds(program, _bodies(program), Findings()).of(ty.Block((node,))).most  # type: ignore[arg-type] # a step


def _bodies(program: Program) -> dict[str, ty.Block]:
    return {key: proc.block for key, proc in program.procs.items()}


def _called(node: ty.Node, program: Program) -> object:
    return Graph(program, Findings()).called(node)


def _deciding(_: ty.Node, program: Program) -> object:
    return Graph(program, Findings()).deciding


PAY = ty.Run("pay/:coin", ME, (ONE,))


@pytest.mark.parametrize(
    ("analysis", "node", "kind", "slot", "found"),
    [
        (_reads, ty.TrackCell("fame", (ME,)), ty.TrackCell, "reads", {*FAME}),
        (_reads, ty.CallValue("fortune", ME, (ME,), 0), ty.CallValue, "computes", {*FAME}),
        (
            _reads,
            ty.FieldFormula("card", "bonus", A_CARD, None, ME),
            ty.FieldFormula,
            "computes",
            {*FAME},
        ),
        (_reads, ty.StandingOf(ME), ty.StandingOf, "computes", {*FAME}),
        (_reads, ty.Can("pay/:coin", ME, (ONE,)), ty.Can, "asks", {*IN_PURSE}),
        (_reads, ty.CanDo("card", "use", TWO, None, ME), ty.CanDo, "asks", {*IN_PURSE}),
        (_writes, ty.ShuffleCells(DECK, ME), ty.ShuffleCells, "writes", {*IN_DECK}),
        (_writes, PAY, ty.Run, "runs", {*IN_PURSE, *IN_HEAP}),
        (_writes, ty.DoField("card", "use", ONE, None, ME), ty.DoField, "runs", {*FAME}),
        (_work, ty.RepeatTimes(TWO, ty.Block((PAY,))), ty.RepeatTimes, "rounds", 4),
        (_work, PAY, ty.Run, "runs", 1),
        (_called, PAY, ty.Run, "runs", ["pay/:coin"]),
        (
            _deciding,
            ONE,
            ty.Decide,
            "decides",
            {"choose-fame", "card.bee.use", "act", "game"},
        ),
        (_uses, ty.SettingValue("long"), ty.SettingValue, "uses", [("options", "long")]),
    ],
)
def test_an_analysis_reads_the_table(
    analysis: Any,  # noqa: ANN401 - one of the functions above
    node: ty.Node,
    kind: type,
    slot: str,
    found: object,
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert analysis(node, program) == found

    monkeypatch.setitem(TRAITS, kind, _with(TRAITS[kind], slot, _nothing(kind, slot)))
    assert analysis(node, program) != found


@pytest.mark.parametrize(
    ("steps", "ways"),
    [
        ((RAISE,), [((), FAME)]),
        ((ty.Block((RAISE,)),), [((), FAME)]),
        ((LOWER,), [((), ROOM)]),
        ((SECOND, RAISE), [(FAME, FAME + ROOM)]),
        ((ONE_OF,), [((), FAME), (FAME, ROOM)]),
        ((MAY,), [((), ()), ((), FAME)]),
        ((attrs.evolve(MAY, lines=ONE_OF.lines[1:], again=True),), [((), ()), (FAME, ROOM)]),
        ((ty.RepeatTimes(TWO, SECOND),), [((), ()), (FAME, ROOM)]),
        ((PAY,), [(IN_PURSE, IN_HEAP)]),
    ],
)
def test_the_ways_that_steps_may_go(
    steps: tuple[ty.Step, ...], ways: list[Any], program: Program
) -> None:
    found = PathSummaries(Effects(program), Intervals(program), _bodies(program)).of_block(
        ty.Block(steps)
    )

    assert [({*each.taken}, {*each.given}) for each in found] == [
        ({*taken}, {*given}) for taken, given in ways
    ]
