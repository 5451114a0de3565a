"""Tests of the node traits table and its use, and of messages about names.

Every kind of node has examples with all of their traits; a trait that an example leaves out is
empty. Mutation tests then change each trait of each entry: an example has to fail.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
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
from check.stock import check_texts
from packs_on_the_fly import CARDS, written
from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.call_graph import Graph
from rulesdsl.check.analysis.cost import CostBounds
from rulesdsl.check.analysis.intervals import Intervals
from rulesdsl.check.analysis.prover import MAX_RECENT, Cells, Effects, FactSet
from rulesdsl.check.analysis.termination import PathSummaries
from rulesdsl.check.lints.liveness.unused_declarations import uses_of
from rulesdsl.check.symbols.types import YES_NO, piece
from rulesdsl.check.typed.program import Program
from rulesdsl.check.typed.traits import MOVES_HIDDEN, TRAITS, NodeTraits
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder.writer import Writer
from rulesdsl.lower.flattened import flattened
from rulesdsl.lower.layout import Layout
from rulesdsl.source.diagnostics import Findings
from soak.slips import little_game

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
    """Return the traits of a node that are not empty."""
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
    assert {*map(type, EXAMPLES)} == kinds


@pytest.mark.parametrize(("node", "told"), EXAMPLES.items(), ids=lambda each: type(each).__name__)
def test_the_table_says(node: ty.Node, told: Told, program: Program) -> None:
    assert _told(TRAITS[type(node)], node, program) == _expected(told)


# Events by which knowledge follows pieces whose faces or order are hidden.
FOLLOWED = {"piece", "shuffle", "shift"}
MOVING = """
shuffle deck
let c = top of deck
if any c:
    raise c by 1
    move c into my hand
move up to 2 cards from deck into my hand
"""


def test_a_step_that_moves_hidden_pieces_tells_knowledge_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = [kind for kind in get_args(ty.Step) if kind in MOVES_HIDDEN]
    assert steps == list(get_args(ty.Step)), "each kind of step is a `StepTraits`"
    noted: set[tuple[type, str]] = set()

    def note(_: Writer, step: ty.Step, kind: fl.Change, *__: object, **___: object) -> None:
        if kind in FOLLOWED or MOVES_HIDDEN[type(step)](step):
            noted.add((type(step), kind))

    monkeypatch.setattr(Writer, "note", note)
    written(tmp_path, MOVING, MORE, box=BOXED)
    flattened(Layout(rulesdsl.load(tmp_path, cache=False).program, 2, {}), logging=True)
    moving = {
        type(step) for step in EXAMPLES if type(step) in steps and MOVES_HIDDEN[type(step)](step)
    }
    assert {kind for kind, _ in noted} == moving
    assert {event for _, event in noted} <= FOLLOWED


# -------------------------------------------------------------------- every entry is watched
def _turned(facts: NodeTraits[Any], slot: str) -> Iterator[NodeTraits[Any]]:
    """Yield entries with one trait changed: a flag is negated, any other is made up or emptied."""
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
    examples = [(node, _expected(told)) for node, told in EXAMPLES.items() if type(node) is kind]
    for slot in SLOTS:
        for wrong in _turned(TRAITS[kind], slot):
            assert any(_told(wrong, node, program) != told for node, told in examples), slot


# -------------------------------------------------------------------- the analyses read it
def _bodies(program: Program) -> dict[str, ty.Block]:
    return {key: proc.block for key, proc in program.procs.items()}


ANALYSES: dict[str, Callable[[Any, Program], object]] = {
    "reads": lambda node, program: Effects(program).reads(node),
    "writes": lambda node, program: Effects(program).writes(node),
    "uses": lambda node, _: [*uses_of(node)],
    "work": lambda node, program: (
        CostBounds(program, _bodies(program), Findings()).of(ty.Block((node,))).most
    ),
    "called": lambda node, program: Graph(program, Findings()).called(node),
    "deciding": lambda _, program: Graph(program, Findings()).deciding,
}
PAY = ty.Run("pay/:coin", ME, (ONE,))


@pytest.mark.parametrize(
    ("analysis", "node", "slot", "found"),
    [
        ("reads", ty.TrackCell("fame", (ME,)), "reads", {*FAME}),
        ("reads", ty.CallValue("fortune", ME, (ME,), 0), "computes", {*FAME}),
        ("reads", ty.FieldFormula("card", "bonus", A_CARD, None, ME), "computes", {*FAME}),
        ("reads", ty.StandingOf(ME), "computes", {*FAME}),
        ("reads", ty.Can("pay/:coin", ME, (ONE,)), "asks", {*IN_PURSE}),
        ("reads", ty.CanDo("card", "use", TWO, None, ME), "asks", {*IN_PURSE}),
        ("writes", ty.ShuffleCells(DECK, ME), "writes", {*IN_DECK}),
        ("writes", PAY, "runs", {*IN_PURSE, *IN_HEAP}),
        ("writes", ty.DoField("card", "use", ONE, None, ME), "runs", {*FAME}),
        ("work", ty.RepeatTimes(TWO, ty.Block((PAY,))), "rounds", 4),
        ("work", PAY, "runs", 1),
        ("called", PAY, "runs", ["pay/:coin"]),
        ("deciding", ONE_OF, "decides", {"choose-fame", "card.bee.use", "act", "game"}),
        ("uses", ty.SettingValue("long"), "uses", [("options", "long")]),
    ],
)
def test_an_analysis_reads_the_table(
    analysis: str,
    node: ty.Node,
    slot: str,
    found: object,
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind = type(node)
    assert ANALYSES[analysis](node, program) == found
    monkeypatch.setitem(TRAITS, kind, _with(TRAITS[kind], slot, _nothing(kind, slot)))
    assert ANALYSES[analysis](node, program) != found


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
def test_paths_of_steps(steps: tuple[ty.Step, ...], ways: list[Any], program: Program) -> None:
    found = PathSummaries(Effects(program), Intervals(program), _bodies(program)).of_block(
        ty.Block(steps)
    )
    assert [({*each.taken}, {*each.given}) for each in found] == [
        ({*taken}, {*given}) for taken, given in ways
    ]


MOD = {
    "mods/bells/pack.toml": 'id = "bells"\nname = "Bells"\nversion = "1.0.0"\nkind = "mod"\n'
    'for_game = "lanterns"\n',
    "mods/bells/bells.rules": "verb bells.ring n fame: win n fame\n",
}


@pytest.mark.parametrize(
    ("rules", "message", "help_text"),
    [
        (
            "after take-turn:\n    if 1 coin in bank: gain 1 coin",
            "An amount in a place is not a condition.",
            "Compare how many there are, as in `coins in ... >= 1`.",
        ),
        (
            "after take-turn: raise my purse by 1",
            "`purse` is a place, not a value.",
            "Ask what is there, for example `any ... in my purse`.",
        ),
        (
            "after take-turn: raise my coin by 1",
            "`coin` could be anywhere.",
            "Say where they are: `coins in ...`.",
        ),
        (
            "value x of player: on",
            "`on` is a word of the language and does not fit here.",
            "A condition that always holds is `1 = 1`; one that never holds is `1 = 0`.",
        ),
        (
            'place tray "Tray" holds comb',
            "`comb` is a type of card, but pieces are needed here.",
            "Expected `coin`, `lantern`, `marker` or `card`.",
        ),
        ("verb ask: needs bakery in my hand", "`bakery` is one of the stalls.", ""),
        ("verb ask: gain rent coins", "`rent` is a field of stall.", "Say which: `rent of ...`."),
        (
            "after take-turn: gain (bell.ring) coins",
            "Nothing is called `bell.ring`.",
            "Name its owner: `cost of c`.",
        ),
    ],
)
def test_wrong_uses_of_names(rules: str, message: str, help_text: str, tmp_path: Path) -> None:
    report = check_texts(tmp_path, little_game() | {"extra.rules": f"{rules}\n"})
    first = next(each for each in report.diagnostics if each.span.file.endswith("extra.rules"))
    assert (first.message, first.help) == (message, help_text)


def test_a_misspelt_name_of_a_mod_is_put_right(tmp_path: Path) -> None:
    rules = {"mods/bells/more.rules": "after take-turn: bell.ring 1 fame\n"}
    (finding,) = check_texts(tmp_path, little_game() | MOD | rules).diagnostics
    assert finding.message == "There is no verb or step called `bell.ring`."
    assert finding.help == "a similar name exists: `bells.ring`"


HEAP = ty.Lying("coin", ty.Cells("heap", ()), element=piece("coin"))


def _above(name: str) -> ty.Value:
    return ty.Comparison(">", ty.TrackCell(name, ()), ty.Const(0), type=YES_NO)


def _reads(node: ty.Node) -> Cells:
    return frozenset(
        ("track", each.track, "") for each in ty.walk(node) if isinstance(each, ty.TrackCell)
    )


ABOUT = ty.Comparison(">", ty.CountOf(HEAP), ty.TrackCell("round", ()), type=YES_NO)
LATER = ty.Comparison("<", ty.CountOf(HEAP), ty.TrackCell("late", ()), type=YES_NO)
MANY = [ABOUT, *(_above(f"track-{at}") for at in range(MAX_RECENT))]


def test_the_first_of_many_conditions_is_known_and_found_by_what_it_is_about() -> None:
    known = FactSet(_reads) | MANY | [LATER, ABOUT]
    assert list(known) == [*MANY, LATER]
    assert all(each in known for each in [*MANY, LATER])
    assert _above("else") not in known
    assert list(known.about(HEAP)) == [ABOUT, LATER]


def test_what_is_written_is_forgotten_of_old_and_new_conditions() -> None:
    known = FactSet(_reads) | MANY | [LATER]
    assert known.without(frozenset([("track", "else", "")])) is known
    for name, left in {"round": [LATER], "late": [ABOUT]}.items():
        less = known.without(frozenset([("track", name, "")]))
        assert list(less.about(HEAP)) == left
        assert len(list(less)) == len(MANY)
