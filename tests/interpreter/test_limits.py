"""Tests of large rules: deeply nested ones are played or refused, and code grows linearly.

The size of code is measured, not time: if it doubled at every level, these tests would never end.
"""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import carried_on, findings, loaded, played, written
from rulesdsl.interpreter.compile import generate
from rulesdsl.interpreter.simulator.module import module
from soak.playouts import compare

Make = Callable[[int], str]


def _nested(opening: str, depth: int) -> str:
    lines = ["    " * at + opening.format(at) for at in range(depth)]
    return "\n".join([*lines, "    " * depth + "raise my fame by 1"])


def branching(levels: int, branches: int = 30) -> str:
    """Return nested conditions with many branches, each in the last branch of the one before."""
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
    "a number in a sum": "raise note by 99999999999999999999",
    "a number of 5,000 digits": f"raise note by {'9' * 5000}",
    "a number on a stack": f"look at top {'9' * 5000} of deck",
}


@pytest.mark.parametrize("name", DEEP)
def test_excessive_code_is_refused(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, DEEP[name]) == ["E407"]


@pytest.mark.parametrize(
    "act", [_nested("for each stall s{} where size = 1:", 8), branching(5)], ids=["loops", "tests"]
)
def test_ordinary_nesting_is_played(act: str, tmp_path: Path) -> None:
    assert played(tmp_path, act).fame() == 1


def test_a_circle_begins_with_its_first_declaration(tmp_path: Path) -> None:
    hook = "instead of value zeal of seat: my awe\n"
    circle = f"value zeal of seat: 3\n{hook}value awe of seat: my zeal\n"
    found = rulesdsl.lint(written(tmp_path, "raise my fame by my zeal", circle)).diagnostics
    told = next(each for each in found if each.code == "E404")
    assert "zeal -> awe -> zeal" in told.message
    assert (tmp_path / "box.rules").read_text().splitlines()[told.span.line - 1][6:10] == "zeal"


# -------------------------------------------------------------------- chains of calls
def _chain(link: str, last: str, around: str = "") -> Make:
    """Return a function that makes a chain: numbered links that each use the next, and an end."""

    def made(levels: int) -> str:
        return "".join(link.format(a=at, b=at + 1) for at in range(levels)) + (
            last.format(levels) + around
        )

    return made


START = "verb s{}: raise note by 1\nverb start: s0\n"
CHAINS = {
    "values": _chain("value v{a}: v{b} + 1\n", "value v{}: 1\n", "verb start: raise note by v0\n"),
    "verbs": _chain("verb s{a}:\n    if note < 9: s{b}\n", START),
    "verbs that ask": _chain(
        "verb s{a}:\n    needs any coins in my purse or note < 5\n    s{b}\n    raise note by 1\n",
        START.replace("start: s0", "start:\n    if able: s0"),
    ),
    "verbs that decide": _chain(
        "verb s{a}:\n    if note < 900: s{b}\n", START.replace(": raise", ":\n    may raise")
    ),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_of_94_calls_is_played(name: str, tmp_path: Path) -> None:
    choices = ["yes"] if "decide" in name else []
    assert int(str(played(tmp_path, "start", *choices, more=CHAINS[name](94)).note)) > 0


TRIPLED = _chain("value v{a}: v{b} + v{b} + v{b}\n", "value v{}: note\n")
ALIKE = _chain(
    "verb v{a}:\n    if note > {a}: v{b}\n    otherwise if note > 1: v{b}\n    otherwise: v{b}\n",
    "verb v{}: pay 1 coin\n",
)
HOOKED = "".join(f"instead of value w when note < {at}: w + 1\n" for at in range(199))


@pytest.mark.parametrize(
    ("act", "more", "codes"),
    [
        ("raise note by v0", CHAINS["values"](400), ["E407"]),
        ("raise note by v0", TRIPLED(30), ["E407"]),  # once, not for each value on the way
        ("raise note by w", f"value w: 1\n{HOOKED}", ["E407"]),
        ("if able: v0", ALIKE(40), []),
    ],
    ids=["a long chain", "a chain of sums", "hooks", "many paths to one verb"],
)
def test_chains_are_checked_at_once(act: str, more: str, codes: list[str], tmp_path: Path) -> None:
    assert findings(tmp_path, act, more) == codes


def _locals(levels: int) -> str:
    lets = "".join(f"    let a{at + 1} = a{at} + note\n" for at in range(levels))
    last = f"    needs a{levels} >= 0\n    raise note by 1\n"
    return f"verb start:\n    if able: much\nverb much:\n    let a0 = note\n{lets}{last}"


def test_chains_of_locals_are_played_or_refused(tmp_path: Path) -> None:
    assert played(tmp_path / "few", "start", more=_locals(60)).note == 1
    assert findings(tmp_path / "many", "start", _locals(400)) == ["E407"]


def _blocks(head: str, *, each: int = 14) -> Make:
    """Return a function that makes a chain of verbs; each call is inside `each` nested blocks."""
    heads = "".join(f"{'    ' * (at + 1)}{head}\n" for at in range(each))
    return _chain("verb s{a}:\n" + heads + "    " * 15 + "s{b}\n", START)


ANY = "if any card in deck where any cards in deck where note < 99:"
IN_BLOCKS = {
    "loops": (_blocks("repeat 1 times:"), 12),
    "loops, one for each verb": (_blocks("repeat 1 times:", each=1), 90),
    "tests": (_blocks("if note < 99:"), 12),
    "searches": (_blocks(ANY), 12),
    "offers": (_blocks("may up to 1 times:"), 3),
    "menus": (_blocks("menu:\n        once:\n            repeat 1 times:", each=1), 24),
}


@pytest.mark.parametrize("name", IN_BLOCKS)
def test_verbs_in_nested_blocks_are_played(name: str, tmp_path: Path) -> None:
    more, levels = IN_BLOCKS[name]
    compare(loaded(tmp_path, "start", more(levels)), 2, {}, run=1, count=1)


def _lines(first: str, line: str, count: int) -> str:
    return first + "".join(line.format(at, at % 9) for at in range(count))


WIDE = {
    "tests": _lines(
        "if note = 99: nothing\n", "otherwise if note = {}: raise my fame by {}\n", 200
    ),
    "tests, and decisions": _lines(
        "if note = 99: nothing\n", "otherwise if note = {}:\n    may raise note by 7\n", 400
    ),
    "ways": _lines("choose one:\n", '    "{0}": raise my fame by {0}\n', 290),
    "a menu": _lines("menu:\n", '    once "{0}": raise my fame by {0}\n', 290),
}


@pytest.mark.parametrize("name", WIDE)
def test_a_step_may_have_many_branches(name: str, tmp_path: Path) -> None:
    compare(loaded(tmp_path, f"raise note by 1\n{WIDE[name]}"), 3, {}, run=1, count=1)


def test_a_long_verb_is_not_deep(tmp_path: Path) -> None:
    more = "verb start:\n" + "    raise note by 1\n" * 1200
    assert played(tmp_path, "start", more=more).note == 1200


# -------------------------------------------------------------------- the size of code
STEEPEST = 2.4  # times the code, at most, for twice the rules


def _hooks(levels: int) -> str:
    hook = "instead of value w when note < {}: w + 1\n"
    return "value w: my fame + 1\n" + "".join(hook.format(at) for at in range(levels))


def _arguments(levels: int) -> str:
    return f"value w: {'plus of (' * levels}note{')' * levels}\n"


def _lets(levels: int) -> str:
    lets = "".join(f"    let a{at + 1} = a{at} + a{at}\n" for at in range(levels))
    return f"value w:\n    let a0 = note at most 1\n{lets}    otherwise a{levels} at most 5\n"


LAST = "value w{}: note + 1\n"
CASE = "value w{a}:\n    w{b} + 1 if %s\n    otherwise w{b} + 2\n"
FAMILIES: dict[str, tuple[Make, str, int]] = {
    "hooks of one value": (_hooks, "", 24),
    "values of two cases": (_chain(CASE % "note > {a}", LAST), "value w: w0\n", 24),
    "cases of an option": (
        _chain(CASE % "extra", LAST),
        'option extra "E": off\nvalue w: w0\n',
        24,
    ),
    "values in values": (_arguments, "value plus of number n: n + 1\n", 12),
    "values in values that read twice": (
        _arguments,
        "value plus of number n:\n    n if n > 3\n    otherwise n + 1\n",
        12,
    ),
    "locals": (_lets, "", 20),
}


def sizes(folder: Path, more: str) -> tuple[int, int]:
    """Return the number of nodes in a pack's Python code, and of lines in its module."""
    engine = loaded(folder, "raise my fame by w", more).setting(2, {}, log=True).engine
    compiled = generate(engine.flat, engine.states)
    text = module(engine.flat, engine.states).text
    return sum(1 for _ in ast.walk(compiled)), text.count("\n")


@pytest.mark.parametrize("family", FAMILIES)
def test_twice_the_rules_make_twice_the_code(family: str, tmp_path: Path) -> None:
    make, more, levels = FAMILIES[family]
    none, some, twice = (
        sizes(tmp_path / str(number), more + make(number)) for number in (1, levels, levels * 2)
    )
    for least, once, most in zip(none, some, twice, strict=True):
        assert most - least <= max(once - least, least / 10) * STEEPEST


def test_a_value_hooked_90_times_is_correct(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "raise note by 81\nraise my fame by (w - 2)", _hooks(90))
    assert carried_on(pack.new_game(1, 1), ()).fame() == 7


EXACT = {
    "tracks with bounds": "raise note by my fame + 1",
    "counts": "raise note by (all coins in heap) * 3 + 2",
    "fields": "for each stall s: raise note by size of s * 2 + 1",
    "amounts that are given": "gain (2 + 1) coins",
    "numbers to choose from": "let n = a number in 1..3\nraise note by n * n + 1",
    "locals": "let f = my fame * my fame\nraise note by f * f - 1",
    "positions": "raise note by position of me",
    "a sum": "raise note by (size of it + 1) per stalls",
}


@pytest.mark.parametrize("name", EXACT)
def test_code_that_cannot_overflow_is_not_saturated(name: str, tmp_path: Path) -> None:
    engine = loaded(tmp_path, EXACT[name]).setting(2, {}, log=True).engine
    module = generate(engine.flat, engine.states)
    assert "saturated" not in {each.id for each in ast.walk(module) if isinstance(each, ast.Name)}
