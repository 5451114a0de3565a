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
from packs_on_the_fly import BOX, CARDS, written
from rulesdsl.check import typed as ty
from rulesdsl.check.cost_bound import Work
from rulesdsl.check.effects import Effects
from rulesdsl.check.graph import Graph
from rulesdsl.check.lints.uses import Uses
from rulesdsl.check.outcomes import Ways
from rulesdsl.check.possible.guards import Guards
from rulesdsl.check.program import RANKING, Program
from rulesdsl.check.typed.facts import FACTS, Facts, Flow
from rulesdsl.check.types import NUMBER, SEAT, YES_NO, entry, piece
from rulesdsl.source.diagnostic import Findings

BOXED = BOX.replace("    use: effect\n", "    use: effect\n    bonus: formula\n")
ACT = "for each card c in my hand:\n    if able: do use of c"
MORE = """
value luck of seat p: fame of p
value fortune of seat p: luck of p
"""

# -------------------------------------------------------------------- parts of examples
ME = ty.Local("me", type=SEAT)
ONE, TWO = ty.Const(1, type=NUMBER), ty.Const(2, type=NUMBER)
A_CARD, A_PAWN = ty.Local("c", type=piece("card")), ty.Local("x", type=piece("pawn"))
NO_CARD = ty.Local("c", type=piece("card").or_none())
HEAP, FIELD, DECK, PILE = (ty.Cells(name, ()) for name in ("heap", "field", "deck", "pile"))
PURSE, HAND, CORNER = (ty.Cells(name, (ME,)) for name in ("purse", "hand", "corner"))
STALLS = ty.Cells("stall", (None,))
TOP = ty.EndOf("card", DECK, top=True, type=piece("card"))
CARDS_OF_MINE = ty.Lying("card", HAND, element=piece("card"))
ANY_OF_MINE = ty.RandomOf(CARDS_OF_MINE, type=piece("card").or_none())
TOP_TWO = ty.EndPieces("card", DECK, top=True, count=2, element=piece("card"))
COLOURS = ty.Entries("colour", element=entry("colour"))
ANYWHERE = ty.AnyWhere("card", element=piece("card"))
FEW = ty.Numbers(ONE, TWO, element=NUMBER)
RAISE = ty.ChangeTrack("fame", (ME,), up=True, amount=ONE, me=ME)
LOWER = attrs.evolve(RAISE, up=False)
SOME_FAME = ty.Require(
    ty.Comparison(">", ty.TrackCell("fame", (ME,)), ty.Const(0, type=NUMBER), type=YES_NO)
)
FIRST, SECOND, THIRD = ty.Block((RAISE,)), ty.Block((SOME_FAME, LOWER)), ty.Block(())
WAYS = ty.Way(None, "a", FIRST), ty.Way(None, "b", SECOND)
LINES = (
    ty.Entry(once=True, label=None, text="a", variable=None, domain=None, block=FIRST),
    ty.Entry(once=True, label=None, text="b", variable="n", domain=FEW, block=SECOND),
)
ASKED = ty.Comparison(">", ONE, TWO, type=YES_NO)

# -------------------------------------------------------------------- what is touched
FAME, ROOM = [("t", "fame", "")], [("u", "fame", "")]
ALL_CARDS = [("l", "card", place) for place in ("deck", "hand", "pile", "shelf")]
IN_PURSE, IN_HEAP = [("n", "coin", "purse")], [("n", "coin", "heap")]
OFF_PILE, OFF_HAND, OFF_DECK, OFF_SHELF = (
    [("o", "card", place)] for place in ("pile", "hand", "deck", "shelf")
)
ON_PILE, IN_HAND, IN_DECK = ([("l", "card", place)] for place in ("pile", "hand", "deck"))
USES = ["card.ant.use", "card.bee.use", "card.cow.use"]

Told = dict[str, Any]
A_FIELD: Told = {"uses": [("fields", ("card", "use"))]}


def _act(**told: object) -> Told:
    return {"actor": ME, **told}


def _choice(**told: object) -> Told:
    return {"actor": ME, "decides": True, **told}


EXAMPLES: list[tuple[ty.Node, Told]] = [
    # ---- values
    (ONE, {}),
    (ME, {}),
    (ty.Text("a"), {}),
    (ty.SeatNumber("shade"), {}),
    (ty.Seats(players=True), {}),
    (ty.Setting("long"), {"uses": [("options", "long")]}),
    (ty.Chart(((1, 2),), ONE), {}),
    (ty.TableAt((ONE, TWO), ONE), {}),
    (ty.Bundle((1, 2)), {}),
    (ty.Arith("+", ONE, TWO), {}),
    (ASKED, {}),
    (ty.And((ASKED, ASKED)), {}),
    (ty.Or((ASKED, ASKED)), {}),
    (ty.Negation(ASKED), {}),
    (ty.Cases(((ASKED, ONE),), TWO), {}),
    (ty.LetIn("n", ONE, TWO), {"within": ["n"]}),
    (ty.IsSome(NO_CARD), {}),
    (ty.FieldOf("card", "worth", A_CARD), {"uses": [("fields", ("card", "worth"))]}),
    (ty.HasEffect("card", "use", A_CARD), A_FIELD),
    (
        ty.Formula("card", "bonus", A_CARD, None, ME),
        {"computes": [("card", "bonus")], "uses": [("fields", ("card", "bonus"))]},
    ),
    (ty.EntryOf("card", A_CARD), {}),
    (ty.OwnerOf("pawn", A_PAWN), {}),
    (
        ty.CallValue("luck", ME, (ME,), 0),
        {"computes": [("luck", 0)], "uses": [("values", "luck")]},
    ),
    (ty.ScoreOf(ME), {"computes": [("fame-score", 0)]}),
    (ty.StandingOf(ME), {"computes": [RANKING]}),
    (ty.Ring("colour", ONE, TWO), {"uses": [("kinds", "colour")]}),
    (ty.MakeBundle((ONE, TWO)), {}),
    (ty.BundlePart(ty.Bundle((1, 2)), 0), {}),
    (ty.Can("pay/:coin", ME, (ONE,)), {"asks": ["pay/:coin"]}),
    (ty.CanDo("card", "use", A_CARD, None, ME), {"asks": USES, **A_FIELD}),
    (ty.CanDo("card", "use", ONE, None, ME), {"asks": USES[1:2], **A_FIELD}),
    (
        ty.TrackCell("guess", (ME,)),
        {
            "reads": [("t", "guess", "")],
            "uses": [("tracks_read", "guess")],
        },
    ),
    (
        ty.FlagCell("busy", (ME,)),
        {"reads": [("f", "busy", "")], "uses": [("flags_read", "busy")]},
    ),
    (
        ty.Located("card", A_CARD, "hand"),
        {"reads": ALL_CARDS, "uses": [("places", "hand")]},
    ),
    (
        ty.Located("pawn", A_PAWN, "stall"),
        {"reads": [("s", "pawn", "")], "uses": [("places", "stall")]},
    ),
    (ty.CountOf(CARDS_OF_MINE), {}),
    (ty.AnyOf(CARDS_OF_MINE), {}),
    (ty.MemberOf(A_CARD, CARDS_OF_MINE), {}),
    (ty.SumOf(FEW, "n", ONE), {"rounds": FEW, "within": ["n"]}),
    (ty.BestOf(FEW, "n", ((True, ONE),)), {"rounds": FEW, "within": ["n"]}),
    (ty.FirstOf(ME, None, "n", ASKED), {"rounds": ME, "within": ["n"]}),
    (TOP, {"reads": IN_DECK}),
    (ty.RandomOf(FEW), {"random": True}),
    (ty.PositionIn(A_CARD, CARDS_OF_MINE), {}),
    (ty.ItemAt("things", ONE), {}),
    (ty.Length("things"), {}),
    # ---- domains
    (COLOURS, {"uses": [("kinds", "colour")]}),
    (ty.AllSeats(players=True, element=SEAT), {}),
    (FEW, {}),
    (ty.Listed(ME, element=entry("colour")), {}),
    (CARDS_OF_MINE, {"reads": IN_HAND}),
    (
        ty.Lying("coin", HEAP, element=piece("coin")),
        {"reads": IN_HEAP},
    ),
    (ANYWHERE, {}),
    (TOP_TWO, {"reads": IN_DECK}),
    (ty.Filtered(FEW, "n", ASKED, element=NUMBER), {"rounds": FEW, "within": ["n"]}),
    (HAND, {"uses": [("places", "hand")]}),
    # ---- changes
    (
        ty.MoveCounted("coin", ONE, False, PURSE, HEAP, ME, ME),
        _act(writes=IN_PURSE + IN_HEAP, takes=IN_PURSE, gives=IN_HEAP, uses=[("pieces", "coin")]),
    ),
    (
        ty.MoveCounted("coin", ONE, True, HEAP, PURSE, ME, ME),
        _act(writes=IN_PURSE + IN_HEAP, gives=IN_PURSE, uses=[("pieces", "coin")]),
    ),
    (
        ty.MoveSingle("pawn", A_PAWN, CORNER, ME),
        _act(writes=[("s", "pawn", "")], gives=[("s", "pawn", "")]),
    ),
    (
        ty.MovePrinted("card", A_CARD, PILE, top=True, me=ME),
        _act(writes=ALL_CARDS, gives=ON_PILE + OFF_HAND + OFF_DECK + OFF_SHELF),
    ),
    (
        ty.MovePrinted("card", TOP, PILE, top=True, me=ME),
        _act(writes=IN_DECK + ON_PILE, takes=IN_DECK + OFF_PILE, gives=ON_PILE + OFF_DECK),
    ),
    (
        ty.MovePrinted("card", TOP, DECK, top=False, me=ME),
        _act(writes=IN_DECK, takes=IN_DECK, gives=IN_DECK),
    ),
    (
        ty.MovePrinted("card", ANY_OF_MINE, PILE, top=True, me=ME),
        _act(writes=IN_HAND + ON_PILE, gives=ON_PILE + OFF_HAND),
    ),
    (
        ty.MoveSome(CARDS_OF_MINE, ONE, False, PILE, top=True, me=ME),
        _act(writes=IN_HAND + ON_PILE, takes=IN_HAND + OFF_PILE, gives=ON_PILE + OFF_HAND),
    ),
    (
        ty.MoveSome(TOP_TWO, None, True, PILE, top=True, me=ME),
        _act(writes=IN_DECK + ON_PILE, gives=ON_PILE + OFF_DECK),
    ),
    (
        ty.MoveSome(ANYWHERE, ONE, False, PILE, top=True, me=ME),
        _act(writes=ALL_CARDS, gives=ON_PILE + OFF_HAND + OFF_DECK + OFF_SHELF),
    ),
    (RAISE, _act(writes=FAME, takes=ROOM, gives=FAME, uses=[("tracks_changed", "fame")])),
    (LOWER, _act(writes=FAME, takes=FAME, gives=ROOM, uses=[("tracks_changed", "fame")])),
    (
        ty.SetFlag("busy", (ME,), on=True, me=ME),
        _act(
            writes=[("f", "busy", "")],
            takes=[("f", "busy", "")],
            uses=[("flags_marked", "busy")],
        ),
    ),
    (
        ty.SetFlag("busy", (ME,), on=False, me=ME),
        _act(
            writes=[("f", "busy", "")],
            gives=[("f", "busy", "")],
            uses=[("flags_marked", "busy")],
        ),
    ),
    (ty.ShiftPiece("card", A_CARD, up=True, amount=ONE, me=ME), _act(writes=IN_DECK)),
    (ty.ShuffleCells(DECK, ME), _act(writes=IN_DECK, random=True)),
    (ty.Reset("act"), {"writes": [("t", "paid", "")]}),
    # ---- steps
    (ty.Require(ASKED), {}),
    (ty.Finish(), {}),
    (ty.Learn(ASKED), {}),
    (ty.Offer(ASKED, might=ty.YES, wider=None, secret=False), {}),
    (WAYS[0], {}),
    (LINES[0], {}),
    (LINES[1], {"within": ["n"]}),
    (ty.SetLocal("n", ONE), {"binds": ["n"]}),
    (ty.Snapshot("n", FEW, None), {"binds": ["n"]}),
    (ty.EmptyList("n"), {"binds": ["n"]}),
    (ty.Peek(CARDS_OF_MINE, ME), _act()),
    (ty.Run("pay/:coin", ME, (ONE,)), _act(runs=["pay/:coin"], uses=[("procs", "pay/:coin")])),
    (ty.DoField("card", "use", A_CARD, None, ME), _act(runs=USES, **A_FIELD)),
    (ty.DoField("card", "use", TWO, None, ME), _act(runs=USES[2:], **A_FIELD)),
    (FIRST, {"flow": Flow((FIRST,))}),
    (ty.Branching(((ASKED, FIRST),), SECOND), {"flow": Flow((FIRST, SECOND))}),
    (ty.WhereAble(FIRST, THIRD), {"flow": Flow((FIRST, THIRD)), "offers": [FIRST]}),
    (
        ty.RepeatTimes(TWO, FIRST),
        {"flow": Flow((FIRST,), surely=False, again=True), "rounds": TWO},
    ),
    (
        ty.RepeatUntil(TWO, ASKED, FIRST),
        {"flow": Flow((FIRST,), surely=False, again=True), "rounds": TWO},
    ),
    (
        ty.ForEach("n", FEW, None, FIRST),
        {"flow": Flow((FIRST,), surely=False, again=True), "rounds": FEW, "within": ["n"]},
    ),
    (ty.Pick("n", FEW, ME, None), _choice(binds=["n"])),
    (
        ty.ChooseWay(WAYS, ME),
        _choice(flow=Flow((FIRST, SECOND)), offers=[FIRST, SECOND]),
    ),
    (ty.Optionally(FIRST, "a", ME), _choice(flow=Flow((FIRST,), surely=False), offers=[FIRST])),
    (
        ty.OptionallyRepeat(FIRST, TWO, "a", ME),
        _choice(flow=Flow((FIRST,), surely=False, again=True), offers=[FIRST], rounds=TWO),
    ),
    (
        ty.OfferMenu(LINES, ME),
        _choice(flow=Flow((FIRST, SECOND), surely=False, again=True), offers=[FIRST, SECOND]),
    ),
    (
        ty.Secretly("n", "p", FEW, "?", FIRST),
        {
            "flow": Flow((FIRST,), surely=False, again=True),
            "within": ["p", "n"],
            "decides": True,
            "sealed": True,
        },
    ),
]
SLOTS = [each.name for each in attrs.fields(Facts) if each.name != "kind"]
FLAGS = {"random", "decides", "sealed"}
WITH_PROGRAM = {"reads", "writes", "takes", "gives", "runs", "asks", "computes"}
SINGLE = {"flow", "rounds", "actor"}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("facts")
    written(folder, ACT, MORE, box=BOXED)
    (folder / "cards.toml").write_text(CARDS.replace("worth", 'bonus = "my fame"\nworth'))
    return rulesdsl.load(folder, cache=False).program


def _told(facts: Facts[Any], node: ty.Node, program: Program) -> Told:
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

    assert set(FACTS) == kinds
    assert {type(node) for node, _ in EXAMPLES} == kinds


@pytest.mark.parametrize(("node", "told"), EXAMPLES, ids=lambda each: type(each).__name__)
def test_the_table_says(node: ty.Node, told: Told, program: Program) -> None:
    assert _told(FACTS[type(node)], node, program) == _expected(told)


# -------------------------------------------------------------------- every entry is watched
def _turned(facts: Facts[Any], slot: str) -> Iterator[Facts[Any]]:
    """Yield an entry with another word in one slot: nothing at all, and something made up."""
    if slot in FLAGS:
        yield _with(facts, slot, not getattr(facts, slot))
        return
    yield _with(facts, slot, lambda *_: [("made", "up", "")])
    if getattr(facts, slot) is not _nothing(facts.kind, slot):
        yield _with(facts, slot, _nothing(facts.kind, slot))


def _nothing(kind: type, slot: str) -> object:
    return getattr(Facts(kind), slot)


def _with(facts: Facts[Any], slot: str, fact: Any) -> Facts[Any]:  # noqa: ANN401 - any slot
    changes: dict[str, Any] = {slot: fact}
    return attrs.evolve(facts, **changes)


@pytest.mark.parametrize("kind", get_args(ty.Node), ids=lambda kind: kind.__name__)
def test_a_wrong_word_about_a_kind_is_noticed(kind: type, program: Program) -> None:
    examples = [(node, _expected(told)) for node, told in EXAMPLES if type(node) is kind]
    for slot in SLOTS:
        for wrong in _turned(FACTS[kind], slot):
            assert any(_told(wrong, node, program) != told for node, told in examples), slot


# -------------------------------------------------------------------- the analyses read it
def _reads(node: ty.Node, program: Program) -> object:
    return Effects(program).reads(node)


def _writes(node: ty.Node, program: Program) -> object:
    return Effects(program).writes(node)


def _uses(node: ty.Node, _: Program) -> object:
    uses = Uses()
    uses.take(node)
    return uses


def _work(node: ty.Node, program: Program) -> object:
    return Work(Guards(program, Findings()), Findings()).of(node).most


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
        (_reads, ty.Formula("card", "bonus", A_CARD, None, ME), ty.Formula, "computes", {*FAME}),
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
            ty.ChooseWay,
            "decides",
            {"choose-fame", "card.bee.use", "act", "game"},
        ),
        (_uses, ty.Setting("long"), ty.Setting, "uses", Uses(options={"long"})),
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

    monkeypatch.setitem(FACTS, kind, _with(FACTS[kind], slot, _nothing(kind, slot)))
    assert analysis(node, program) != found


@pytest.mark.parametrize(
    ("steps", "ways"),
    [
        ((RAISE,), [((), FAME)]),
        ((ty.Block((RAISE,)),), [((), FAME)]),
        ((LOWER,), [((), ROOM)]),
        ((SECOND, RAISE), [(FAME, FAME + ROOM)]),
        ((ty.ChooseWay(WAYS, ME),), [((), FAME), (FAME, ROOM)]),
        ((ty.Optionally(FIRST, "a", ME),), [((), ()), ((), FAME)]),
        ((ty.OptionallyRepeat(SECOND, TWO, "a", ME),), [((), ()), (FAME, ROOM)]),
        ((ty.RepeatTimes(TWO, SECOND),), [((), ()), (FAME, ROOM)]),
        ((PAY,), [(IN_PURSE, IN_HEAP)]),
    ],
)
def test_the_ways_that_steps_may_go(
    steps: tuple[ty.Step, ...], ways: list[Any], program: Program
) -> None:
    found = Ways(Guards(program, Findings())).of_block(ty.Block(steps))

    assert [({*each.taken}, {*each.given}) for each in found] == [
        ({*taken}, {*given}) for taken, given in ways
    ]
