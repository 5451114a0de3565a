"""Tests of deeply nested code and long choices: checked in polynomial time, or refused.

Function calls are counted, not seconds. An analysis that visits the same part of a node twice on
the way down would double its work with every level.
"""

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rulesdsl
from check.small import FILES, Chunk, check, chunks, rules_of
from cli.mods_on_disk import write_mod
from packs_on_the_fly import loaded, written
from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.secrecy.disclosure import Disclosure
from rulesdsl.check.analysis.secrecy.visibility import OPEN, Sights, Visibility
from rulesdsl.check.resolve.options import MAX_LINES
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


VERBS = "verb v-{}: v-{}"
LAST_VERB = "verb v-0: raise note by 1"
VALUES = "value v-{}: 1 + v-{}"
SUMS = "value v-{}: all rooms where position of it > v-{}"  # each thing is one deeper, too
LAST_VALUE = "value v-0: 1"
MIXED = "verb v-{}:\n    act\n    v-{}\n    raise note by 1"
LAST_MIXED = "verb v-0: raise note by w-60"
WORTH = "".join(f"value w-{at + 1}: w-{at} + 1\n" for at in range(60)) + "value w-0: 1"


def _chain(length: int, link: str, last: str) -> str:
    return "\n".join([*(link.format(at + 1, at) for at in range(length)), last])


CHAINS = {
    "verbs": (99, VERBS, LAST_VERB),
    "values": (99, VALUES, LAST_VALUE),
    "conditions of things": (49, SUMS, f"{LAST_VALUE}\nkind room: hall"),
    "verbs and values": (38, MIXED, f"{LAST_MIXED}\n{WORTH}"),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_of_calls_goes_so_deep(name: str) -> None:
    assert _found(_chain(*CHAINS[name])) == []


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_is_refused_that_goes_deeper(name: str) -> None:
    length, link, last = CHAINS[name]
    names = [f"v-{length + 1 - at}" for at in range(3)]
    end = "w-2 -> w-1 -> w-0" if "w-" in last else "v-2 -> v-1 -> v-0"
    (said,) = _found(_chain(length + 1, link, last))
    assert said == (
        f"E407 These calls go 101 deep; the limit is 100: {' -> '.join(names)} -> ... -> {end}."
    )


def _branches(deep: int, many: int, around: str = "") -> str:
    """Return conditions nested to `deep` levels, with `many` branches each."""
    lines = ["act"]
    for _ in range(deep):
        others = [f"otherwise if note > {at}: act" for at in range(1, many - 1)]
        lines = ["if note > 0:", *(f"    {each}" for each in lines), *others]
    if around:
        lines = [around, *(f"    {each}" for each in lines)]
    return "\n".join(["verb try:", *(f"    {each}" for each in lines)])


@pytest.mark.parametrize(
    "lines",
    [_branches(5, 20), _branches(4, 30, "repeat 1 times:"), _branches(5, 19, "repeat 1 times:")],
)
def test_steps_and_branches_stand_in_one_another(lines: str) -> None:
    assert _found(lines) == []


@pytest.mark.parametrize(
    ("lines", "levels"),
    [
        (_branches(5, 20, "repeat 1 times:"), 101),
        (_branches(5, 30, "repeat 1 times:"), 101),
        (_branches(6, 20), 120),
    ],
)
def test_too_many_steps_and_branches_are_refused(lines: str, levels: int) -> None:
    said = f"Steps and branches are nested {levels} deep here; the limit is 100."
    assert _found(lines) == [f"E407 {said}"]


def _found(lines: str) -> list[str]:
    return [f"{each.code} {each.message}" for each in check(lines, FILES)[1]]


MAX_CHOICES = 200
SEEDS = 3
START = """
if able: gain 5 coins
move all cards in deck into my hand
move up to 2 dudes from my purse into one
raise my fame by 3
raise note by 3
if able: try
"""
ENDS = [
    each
    for each in chunks(Path(__file__).parent / "facts" / "termination.txt")
    if each.answer == "ends"
]


@pytest.mark.parametrize("chunk", ENDS, ids=str)
def test_what_is_said_to_end_does(chunk: Chunk, tmp_path: Path) -> None:
    pack = loaded(tmp_path, START, rules_of(chunk.lines))

    for seed in range(SEEDS):
        dice, made = random.Random(seed), 0
        game = pack.new_game(2, seed)
        while game.decision:
            assert made < MAX_CHOICES
            options = game.decision.options
            going_on = [each for each in options if each.id not in {"done", "no"}]
            game.choose(dice.choice(going_on or options))
            made += 1


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ('choose one "Which?":', '"way {}": raise my fame by {}'),
        ("menu:", 'once "way {}": raise my fame by {}'),
    ],
)
def test_a_choice_has_a_limit_of_lines(tmp_path: Path, head: str, line: str) -> None:
    def lines(many: int) -> str:
        every = (f"        {line.format(at, at + 1)}\n" for at in range(many))
        return f"verb pick:\n    {head}\n{''.join(every)}"

    few, many = (
        rulesdsl.lint(written(tmp_path / str(number), "for each player: pick", lines(number)))
        for number in (MAX_LINES, MAX_LINES + 1)
    )

    assert not few.errors
    assert [(each.code, each.message) for each in many.errors] == [
        ("E407", f"There are {MAX_LINES + 1} lines to choose from; the limit is {MAX_LINES}.")
    ]


def test_lines_that_mods_add_count_as_well(tmp_path: Path) -> None:
    line = '        "way {}": raise my fame by {}\n'
    ways = "".join(line.format(at, at + 1) for at in range(MAX_LINES))
    more = "".join(line.format(f"m{at}", at + 1) for at in range(2)).replace("        ", "    ")
    rules = f'verb pick:\n    choose one "Which?":\n{ways}'
    game = written(tmp_path / "game", "for each player: pick", rules)
    head = ['kind = "mod"', 'for_game = "fly"']
    added = {"more.rules": f"add to choices of pick:\n{more}"}
    mod = write_mod(tmp_path / "more", *head, files=added)

    said = f"There are {MAX_LINES + 2} lines to choose from; the limit is {MAX_LINES}."
    errors = rulesdsl.lint(game, [mod]).errors
    assert [each.message for each in errors] == [f"This causes an error in `fly`: {said}"]
