from pathlib import Path

import attrs
import pytest

import rulesdsl
from kept import shipped_pack
from lower.flat_verifier import verify as verify_flat
from lower.verifier import UnsoundError, verify
from packs_on_the_fly import loaded, written
from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.types import NUMBER, YES_NO, piece
from rulesdsl.check.typed.notation import text
from rulesdsl.check.typed.program import Program
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder.program import flatten
from rulesdsl.lower.flat.text import node_text
from rulesdsl.lower.flat.walk import MAX_NUMBER, ends_in, logic, negated, op, select
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.passes import OF_MODULES, SHARED


def _questions(pack: rulesdsl.Pack, key: str) -> list[ty.Decide]:
    return [each for each in ty.walk(pack.program.procs[key].body) if isinstance(each, ty.Decide)]


def test_a_procedure_without_decisions_is_a_function(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "repeat 3 times:\n    if my fame < 2: gain 1 coin")
    flat = pack.setting(2, {}, log=False).engine.flat
    assert {"do:act", "do:game"} <= set(flat.functions)
    assert "act" not in flat.machines


def test_what_calls_a_decision_is_a_machine_too(tmp_path: Path) -> None:
    machines = loaded(tmp_path, "choose-fame").setting(2, {}, log=False).engine.flat.machines
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
    act = "for each card c in deck:\n    if able: do use of c shown"
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
def test_hidden_conditions_of_effects_by_column(act: str, tmp_path: Path) -> None:
    folder = written(tmp_path, act, BY_COLOUR)
    (folder / "rooms.toml").write_text(ROOMS)
    every = _questions(rulesdsl.load(folder, cache=False), "act")
    (asked,) = (each for each in every if each.stop)
    assert text(asked.lines[0].might) == MIGHT[act]


def test_an_effect_of_one_column_cannot_be_done_at_another(tmp_path: Path) -> None:
    folder = written(tmp_path, "let k = a colour\ndo act of loft at k", BY_COLOUR)
    (folder / "rooms.toml").write_text('source = "house"\n[loft]\nact.green = "raise note by 1"\n')
    codes = [finding.code for finding in rulesdsl.lint(folder).diagnostics]
    assert codes == ["E401"]


LINES = """
menu:
    once: raise my fame by 1
    once: pay (my guess) coins shown
    once for each card c in my hand: do use of c shown
    once for each player p in (all players where guess of it > 2):
        needs fame of p > 1
        raise my fame by 1
"""


def test_a_line_that_might_be_offered_is_asked_with_what_all_know(tmp_path: Path) -> None:
    (menu,) = _questions(loaded(tmp_path, LINES), "act")

    found = [line.perhaps for line in menu.lines]
    assert found[0] is None
    told = [(text(each.guard), text(each.domain), each.variable) for each in found if each]
    others = [("yes", "card at hand[me]", "c"), ("yes", "every player", "p")]
    assert told == [("yes", "-", None), *others]


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


DOUBLE = fl.Function("double", ("a",), (fl.Return(op("+", A, A)),))


def _flat(*functions: fl.Function, **machines: fl.Machine) -> fl.Flat:
    flat = fl.Flat(machines=machines)
    flat.arrays["t"] = fl.Array("t", 1)
    flat.functions |= {each.name: each for each in functions}
    return flat


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
        verify_flat(_flat(DOUBLE, UNSOUND[what]))


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
        verify_flat(_flat(act=attrs.evolve(MACHINE, blocks=BROKEN[what])))


def test_a_frame_begins_with_what_is_passed() -> None:
    with pytest.raises(UnsoundError, match="do not begin with its parameters"):
        verify_flat(_flat(act=attrs.evolve(MACHINE, slots=("n", "me"))))


ROOT = Path(__file__).parents[2]
GAMES = ["content", "content/sutters_mill", "content/classics/breakthrough"]


@pytest.mark.parametrize("path", GAMES)
def test_a_shipped_game_is_sound_after_every_pass(path: str) -> None:
    pack = shipped_pack(ROOT / path)
    settings = {name: each.default for name, each in pack.program.world.options.items()}
    layout = Layout(pack.program, pack.players[1], settings)
    flat = flatten(layout, logging=True).flat
    verify_flat(flat)

    for improve in [*SHARED.values(), *OF_MODULES.values()]:
        improve(flat)
        verify_flat(flat)


PURSE = ty.Cells("heap", ())
COINS = ty.Lying("coin", PURSE, element=piece("coin"))
ME = ty.Local("me")
SINGLE = ty.Const(1, type=NUMBER)
GONE = ty.Local("gone", type=NUMBER)
MAYBE = ty.Local("me", type=piece("card").or_none())

STEPS: dict[str, ty.Step] = {
    "counted pieces are looped over": ty.ForEach("c", COINS, None, ty.Block(())),
    "counted pieces are narrowed": ty.Require(
        ty.AnyOf(ty.Filtered(COINS, "c", ty.YES, element=COINS.element), type=YES_NO)
    ),
    "counted pieces are drawn from": ty.SetLocal("x", ty.RandomOf(COINS)),
    "counted pieces are looked at": ty.Peek(COINS, ME, ME),
    "pieces in a place that does not hold them": ty.SetLocal(
        "x", ty.CountOf(ty.Lying("card", PURSE, element=piece("card")))
    ),
    "a local that nothing binds": ty.SetLocal("x", GONE),
    "a local that another branch binds": ty.Branching(
        ((ty.YES, ty.Block((ty.SetLocal("gone", SINGLE),))),), ty.Block((ty.SetLocal("x", GONE),))
    ),
    "a local that a loop has bound": ty.Block(
        (ty.RepeatTimes(SINGLE, ty.Block((ty.SetLocal("gone", SINGLE),))), ty.SetLocal("x", GONE))
    ),
    "a procedure that is not there": ty.Run("nowhere", ME, ()),
    "too few arguments": ty.Run("pay coin n", ME, ()),
    "a track with too many dimensions": ty.ChangeTrack("note", (ME,), True, SINGLE, ME),
    "a value that is not there": ty.SetLocal("x", ty.CallValue("nowhere", ME, (), 0)),
    "a piece that may be none": ty.SetLocal("x", ty.FieldOf("card", "worth", attrs.evolve(MAYBE))),
    "a number as a condition": ty.Require(SINGLE),
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
