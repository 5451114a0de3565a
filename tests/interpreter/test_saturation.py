"""Numbers stay within 64 bits and stop there, in games of choices and in playouts alike."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from packs_on_the_fly import findings, loaded, played
from rulesdsl.interpreter.compile import generate

MOST = 2**63 - 1
SQUARES = "let a0 = 1000000 + note\n" + "".join(
    f"let a{at + 1} = a{at} * a{at}\n" for at in range(4)
)

COMPUTED = {
    "a product": ("a4", MOST),
    "a product with one below 0": ("a4 * (0 - 3)", -MOST - 1),
    "a sum": ("a4 + a4", MOST),
    "a sum beyond and back": ("a4 + 1 - 1", MOST - 1),
    "a difference": ("0 - a4 - a4", -MOST - 1),
    "what is below 0 turned round": ("0 - (0 - a4 - a4)", MOST),
    "a quotient": ("a4 / 2", MOST // 2),
    "a sum over things": ("(a4 per coins in heap)", MOST),
    "a sum over seats": ("((a4 + position of it) per seats)", MOST),
    "the larger of two": ("a4 at least (a4 + a4)", MOST),
    "a bound": ("a4 at most 7", 7),
    "a named value": ("twice of a4", MOST),
    "a value of a value": ("twice of (twice of a4)", MOST),
}
TWICE = "value twice of number n: n + n\n"


@pytest.mark.parametrize("name", sorted(COMPUTED))
def test_numbers_stop_at_64_bits(name: str, tmp_path: Path) -> None:
    text, expected = COMPUTED[name]
    act = f"{SQUARES}if {text} < 0: raise my fame by 1\nraise total by {text} at least 0\n"
    more = f"{TWICE}track total\n"

    found = played(tmp_path, act, more=more)

    assert str(found.state["t_total"]) == str(max(expected, 0))
    assert found.fame() == int(expected < 0)


@pytest.mark.parametrize("name", sorted(COMPUTED))
def test_the_same_number_is_compared(name: str, tmp_path: Path) -> None:
    text, expected = COMPUTED[name]
    halves = f"({abs(expected) // 10**12 // 10**6} * 1000000 * 1000000 * 1000000)"
    sign = "0 - " if expected < 0 else ""
    act = f"{SQUARES}if {text} = {text} + 0: raise my fame by 1\n"
    act += f"if {text} >= {sign}{halves}: raise my fame by 1" if expected > 7 else "nothing"

    assert played(tmp_path, act, more=TWICE).fame() == (2 if expected > 7 else 1)


def test_amounts_beyond_all_bounds_move_what_there_is(tmp_path: Path) -> None:
    act = f"{SQUARES}move up to a4 coins from heap into my purse\nmove up to (a4 + a4) dudes "
    act += "from my purse into field"

    state = played(tmp_path, act).state

    assert (sum(state["n_coin"]), sum(state["n_dude"])) == (10, 3)


def test_scores_stop_at_64_bits(tmp_path: Path) -> None:
    more = """
    track total per seat
    score first "First": my total
    score second "Second": my total
    score third "Third": 0 - my total
    """
    game = played(tmp_path, f"{SQUARES}raise my total by a4", more=more).game

    assert game.result is not None
    assert game.result.scores == (MOST,)


NUMBERS = {
    "in a sum": "raise note by 99999999999999999999",
    "of 5,000 digits": f"raise note by {'9' * 5000}",
    "on a stack": f"look at top {'9' * 5000} of deck",
}


@pytest.mark.parametrize("name", sorted(NUMBERS))
def test_a_number_beyond_the_bounds_is_refused(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, NUMBERS[name]) == ["E407"]


DECLARED = {
    "the bounds of a track": "track wide from 0..99999999999999999999",
    "pieces": "piece pebble 99999999999999999999 in lawn\nplace lawn holds pebble",
    "an option": 'option big "Big": 3 in 0..99999999999999999999',
    "the values of an option": 'option big "Big": 3 in 0..900000',
}


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_a_declared_number_beyond_the_bounds_is_refused(name: str, tmp_path: Path) -> None:
    assert findings(tmp_path, "nothing", DECLARED[name]) == ["E407"]


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


@pytest.mark.parametrize("name", sorted(EXACT))
def test_what_cannot_overflow_costs_nothing(name: str, tmp_path: Path) -> None:
    pack = loaded(tmp_path, EXACT[name])
    engine = pack.setting(2, {}, log=True).engine
    module = generate(engine.layout, engine.states, logging=True).module

    assert "saturated" not in {each.id for each in ast.walk(module) if isinstance(each, ast.Name)}
