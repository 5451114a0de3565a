"""Examples of every kind of node, with their expected traits."""

from typing import Any

import attrs

from packs_on_the_fly import BOX
from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.types import NUMBER, SEAT, YES_NO, entry, piece
from rulesdsl.check.typed.program import RANKING
from rulesdsl.check.typed.traits import Flow, Way

BOXED = BOX.replace("    use: effect\n", "    use: effect\n    bonus: formula\n")
ACT = "for each card c in my hand:\n    if able: do use of c shown"
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
TOP = ty.EndOf("card", DECK, top=True, type=piece("card"))
CARDS_OF_MINE = ty.Lying("card", HAND, element=piece("card"))
ANY_OF_MINE = ty.RandomOf(CARDS_OF_MINE, type=piece("card").or_none())
TOP_TWO = ty.EndPieces("card", DECK, top=True, count=2, element=piece("card"))
COLOURS = ty.Entries("colour", element=entry("colour"))
ANYWHERE = ty.AnyWhere("card", element=piece("card"))
FEW = ty.NumberRange(ONE, TWO, element=NUMBER)
RAISE = ty.ChangeTrack("fame", (ME,), up=True, amount=ONE, me=ME)
LOWER = attrs.evolve(RAISE, up=False)
SOME_FAME = ty.Require(
    ty.Comparison(">", ty.TrackCell("fame", (ME,)), ty.Const(0, type=NUMBER), type=YES_NO)
)
FIRST, SECOND, THIRD = ty.Block((RAISE,)), ty.Block((SOME_FAME, LOWER)), ty.Block(())
WAYS = ty.OptionLine("a", FIRST), ty.OptionLine("b", SECOND)
LINES = (
    ty.OptionLine("a", FIRST, once=True),
    ty.OptionLine("b", SECOND, variable="n", domain=FEW, once=True),
)
CHOICE = ty.Decide((ty.OptionLine("", THIRD, None, "n", FEW),), ME, onward=True)
ONE_OF = ty.Decide(WAYS, ME)
MAY = ty.Decide(WAYS[:1], ME, stop=ty.DECLINE)
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


def _loop(block: ty.Block, *asked: ty.Value | ty.Domain) -> Flow:
    return Flow((Way(block),), surely=False, again=True, asked=asked)


SAID = ty.MessageText(("pays ", ""), (TWO,), ("coin",))
EXAMPLES: dict[ty.Node, Told] = {
    # ---- values
    ONE: {},
    ME: {},
    ty.TextValue("a"): {},
    ty.SeatNumber("shade"): {},
    ty.Seats(players=True): {},
    ty.SettingValue("long"): {"uses": [("options", "long")]},
    ty.Chart(((1, 2),), ONE): {},
    ty.TableAt((ONE, TWO), ONE): {},
    ty.Bundle((1, 2)): {},
    ty.Arith("+", ONE, TWO): {},
    ASKED: {},
    ty.And((ASKED, ASKED)): {},
    ty.Or((ASKED, ASKED)): {},
    ty.Negation(ASKED): {},
    ty.Cases(((ASKED, ONE),), TWO): {},
    ty.LetIn("n", ONE, TWO): {"within": ["n"]},
    ty.IsSome(NO_CARD): {},
    ty.FieldOf("card", "worth", A_CARD): {"uses": [("fields", ("card", "worth"))]},
    ty.HasEffect("card", "use", A_CARD): A_FIELD,
    ty.FieldFormula("card", "bonus", A_CARD, None, ME): {
        "computes": [("card", "bonus")],
        "uses": [("fields", ("card", "bonus"))],
    },
    ty.EntryOf("card", A_CARD): {},
    ty.OwnerOf("pawn", A_PAWN): {},
    ty.CallValue("luck", ME, (ME,), 0): {"computes": [("luck", 0)], "uses": [("values", "luck")]},
    ty.ScoreOf(ME): {"computes": [("fame-score", 0)]},
    ty.StandingOf(ME): {"computes": [RANKING]},
    ty.Ring("colour", ONE, TWO): {"uses": [("kinds", "colour")]},
    ty.MakeBundle((ONE, TWO)): {},
    ty.BundlePart(ty.Bundle((1, 2)), 0): {},
    ty.Can("pay/:coin", ME, (ONE,)): {"asks": ["pay/:coin"]},
    ty.CanDo("card", "use", A_CARD, None, ME): {"asks": USES, **A_FIELD},
    ty.CanDo("card", "use", ONE, None, ME): {"asks": USES[1:2], **A_FIELD},
    ty.TrackCell("guess", (ME,)): {
        "reads": [("t", "guess", "")],
        "uses": [("tracks_read", "guess")],
    },
    ty.FlagCell("busy", (ME,)): {"reads": [("f", "busy", "")], "uses": [("flags_read", "busy")]},
    ty.Located("card", A_CARD, "hand"): {"reads": ALL_CARDS, "uses": [("places", "hand")]},
    ty.Located("pawn", A_PAWN, "stall"): {
        "reads": [("s", "pawn", "")],
        "uses": [("places", "stall")],
    },
    ty.CountOf(CARDS_OF_MINE): {},
    ty.AnyOf(CARDS_OF_MINE): {},
    ty.MemberOf(A_CARD, CARDS_OF_MINE): {},
    ty.SumOf(FEW, "n", ONE): {"rounds": FEW, "within": ["n"]},
    ty.BestOf(FEW, "n", ((True, ONE),)): {"rounds": FEW, "within": ["n"]},
    ty.FirstOf(ME, None, "n", ASKED): {"rounds": ME, "within": ["n"]},
    TOP: {"reads": IN_DECK},
    ty.RandomOf(FEW): {"random": True},
    ty.PositionIn(A_CARD, CARDS_OF_MINE): {},
    # ---- domains
    COLOURS: {"uses": [("kinds", "colour")]},
    ty.AllSeats(players=True, element=SEAT): {},
    FEW: {},
    ty.ListedEntries(ME, element=entry("colour")): {},
    CARDS_OF_MINE: {"reads": IN_HAND},
    ty.Lying("coin", HEAP, element=piece("coin")): {"reads": IN_HEAP},
    ANYWHERE: {},
    TOP_TWO: {"reads": IN_DECK},
    ty.Filtered(FEW, "n", ASKED, element=NUMBER): {"rounds": FEW, "within": ["n"]},
    HAND: {"uses": [("places", "hand")]},
    # ---- changes
    ty.MoveCounted("coin", ONE, False, PURSE, HEAP, ME, ME): _act(
        writes=IN_PURSE + IN_HEAP, takes=IN_PURSE, gives=IN_HEAP, uses=[("pieces", "coin")]
    ),
    ty.MoveCounted("coin", ONE, True, HEAP, PURSE, ME, ME): _act(
        writes=IN_PURSE + IN_HEAP, gives=IN_PURSE, uses=[("pieces", "coin")]
    ),
    ty.MoveSingle("pawn", A_PAWN, CORNER, ME): _act(
        writes=[("s", "pawn", "")], gives=[("s", "pawn", "")]
    ),
    ty.MovePrinted("card", A_CARD, PILE, top=True, me=ME): _act(
        writes=ALL_CARDS, gives=ON_PILE + OFF_HAND + OFF_DECK + OFF_SHELF
    ),
    ty.MovePrinted("card", TOP, PILE, top=True, me=ME): _act(
        writes=IN_DECK + ON_PILE, takes=IN_DECK + OFF_PILE, gives=ON_PILE + OFF_DECK
    ),
    ty.MovePrinted("card", TOP, DECK, top=False, me=ME): _act(
        writes=IN_DECK, takes=IN_DECK, gives=IN_DECK
    ),
    ty.MovePrinted("card", ANY_OF_MINE, PILE, top=True, me=ME): _act(
        writes=IN_HAND + ON_PILE, gives=ON_PILE + OFF_HAND
    ),
    ty.MoveSome(CARDS_OF_MINE, ONE, False, PILE, top=True, me=ME): _act(
        writes=IN_HAND + ON_PILE, takes=IN_HAND + OFF_PILE, gives=ON_PILE + OFF_HAND
    ),
    ty.MoveSome(TOP_TWO, None, True, PILE, top=True, me=ME): _act(
        writes=IN_DECK + ON_PILE, gives=ON_PILE + OFF_DECK
    ),
    ty.MoveSome(ANYWHERE, ONE, False, PILE, top=True, me=ME): _act(
        writes=ALL_CARDS, gives=ON_PILE + OFF_HAND + OFF_DECK + OFF_SHELF
    ),
    RAISE: _act(writes=FAME, takes=ROOM, gives=FAME, uses=[("tracks_changed", "fame")]),
    LOWER: _act(writes=FAME, takes=FAME, gives=ROOM, uses=[("tracks_changed", "fame")]),
    ty.SetFlag("busy", (ME,), on=True, me=ME): _act(
        writes=[("f", "busy", "")], takes=[("f", "busy", "")], uses=[("flags_marked", "busy")]
    ),
    ty.SetFlag("busy", (ME,), on=False, me=ME): _act(
        writes=[("f", "busy", "")], gives=[("f", "busy", "")], uses=[("flags_marked", "busy")]
    ),
    ty.ShiftPiece("card", A_CARD, up=True, amount=ONE, me=ME): _act(writes=IN_DECK),
    ty.ShuffleCells(DECK, ME): _act(writes=IN_DECK, random=True),
    # ---- steps
    ty.Require(ASKED): {},
    ty.Finish(): {},
    WAYS[0]: {},
    LINES[1]: {"within": ["n"]},
    ty.SetLocal("n", ONE): {"binds": ["n"]},
    ty.Peek(CARDS_OF_MINE, ME, ME): _act(),
    ty.ShowCell(ty.TrackCell("guess", (ME,)), ME, None): _act(),
    ty.Tell(SAID, ME, "act"): _act(),
    ty.EndTell(): {},
    SAID: {},
    ty.Run("pay/:coin", ME, (ONE,)): _act(runs=["pay/:coin"], uses=[("procs", "pay/:coin")]),
    ty.DoField("card", "use", A_CARD, None, ME): _act(runs=USES, **A_FIELD),
    ty.DoField("card", "use", TWO, None, ME): _act(runs=USES[2:], **A_FIELD),
    FIRST: {"flow": Flow((Way(FIRST),))},
    ty.Branching(((ASKED, FIRST),), SECOND): {
        "flow": Flow((Way(FIRST, ASKED), Way(SECOND)), in_turn=True, asked=(ASKED,))
    },
    ty.WhereAble(FIRST, THIRD, ASKED): {
        "flow": Flow((Way(FIRST, ASKED), Way(THIRD)), in_turn=True, asked=(ASKED,))
    },
    ty.RepeatTimes(TWO, FIRST): {"flow": _loop(FIRST, TWO), "rounds": TWO},
    ty.RepeatTimes(TWO, FIRST, ASKED): {
        "flow": attrs.evolve(_loop(FIRST, TWO), tested=(ASKED,)),
        "rounds": TWO,
    },
    ty.ForEach("n", FEW, None, FIRST): {
        "flow": attrs.evolve(_loop(FIRST, FEW), each=("n", FEW)),
        "rounds": FEW,
        "within": ["n"],
    },
    CHOICE: _choice(binds=["n"]),
    ONE_OF: _choice(flow=Flow((Way(FIRST), Way(SECOND)))),
    MAY: _choice(flow=Flow((Way(FIRST),), surely=False)),
    attrs.evolve(MAY, again=True, limit=TWO): _choice(
        flow=Flow((Way(FIRST),), surely=False, again=True), rounds=TWO
    ),
    ty.Decide(LINES, ME, stop=ty.DONE, again=True): _choice(
        flow=Flow((Way(FIRST), Way(SECOND, element=("n", FEW))), surely=False, again=True)
    ),
    ty.Secretly("n", "p", FEW, SAID, FIRST, where=ty.NO): {
        "flow": _loop(FIRST, FEW, ty.NO),
        "within": ["p", "n"],
        "decides": True,
        "sealed": True,
    },
    ty.Secretly("n", "p", FEW, SAID, FIRST): {
        "flow": _loop(FIRST, FEW),
        "within": ["p", "n"],
        "decides": True,
        "sealed": True,
    },
}
