"""What is offered can be carried out: guards of choices within choices."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import box_with_game, findings, played

TWO_NUMBERS = """
verb both:
    let m = a number in 0..1
    let b = a number in 2..3
    needs m + b = {wanted}
    raise my fame by 9
"""


def test_two_choices_that_depend_on_each_other_are_kept_apart(tmp_path: Path) -> None:
    act = "if able: both\notherwise: raise my fame by 1"

    assert played(tmp_path / "no", act, more=TWO_NUMBERS.format(wanted=6)).fame() == 1
    assert played(tmp_path / "yes", act, more=TWO_NUMBERS.format(wanted=4)).fame() == 9


def test_candidates_are_those_with_which_the_rest_can_be_done(tmp_path: Path) -> None:
    more = "verb both:\n    let m = a number in 0..3\n    needs m > 1\n    raise my fame by m\n"

    done = played(tmp_path, "if able: both", "3", more=more)

    assert done.asked == [["2", "3"]]


def test_an_empty_range_is_no_choice(tmp_path: Path) -> None:
    act = "if able: both\notherwise: raise my fame by 1"
    more = "verb both:\n    let m = a number in 2..(coins in my purse)\n    raise my fame by 9\n"

    assert played(tmp_path, act, more=more).fame() == 1


def test_a_choice_that_may_have_no_candidate_is_refused_in_the_flow(tmp_path: Path) -> None:
    assert findings(tmp_path, "let m = a number in 2..(coins in my purse)") == ["E401"]


def test_what_is_needed_behind_a_change_is_asked_before_it(tmp_path: Path) -> None:
    act = "choose one:\n    later\n    raise my fame by 1"
    more = "verb later:\n    raise my fame by 5\n    pay 1 coin\n"

    assert played(tmp_path, act, more=more).fame() == 1


STACK = """
piece twig 4 per player in bush
piece slip from "cards.toml" 1 per player in pad:
    worth: number
    use: effect
place bush per player holds twig
stack pad per player seen by nobody holds slip
verb look-up:
    {asked}
        let s = a slip in top 3 of my pad
        raise my fame by 1
"""


def test_what_lies_in_a_stack_has_a_top(tmp_path: Path) -> None:
    for number, asked in enumerate(
        ("if any slips in my pad:", "if any top of my pad:", "if any top 2 of my pad:")
    ):
        more = f"verb rest: look-up{STACK.format(asked=asked)}"
        assert findings(tmp_path / str(number), "raise note by 1\nrest", more) == [], asked

    more = f"verb rest: look-up{STACK.format(asked='if any my twigs in my bush:')}"
    assert findings(tmp_path / "no", "raise note by 1\nrest", more) == ["E401"]


@pytest.mark.parametrize(
    ("more_for_one", "for_each", "asked"),
    [
        (0, 2, [["stall:one", "stall:two", "stall:three"]] * 2),
        (1, 1, [["stall:one", "stall:two", "stall:three"], ["stall:one"]]),
        (2, 0, []),
    ],
)
def test_a_secret_choice_is_made_where_everybody_has_an_option(
    tmp_path: Path, more_for_one: int, for_each: int, asked: list[list[str]]
) -> None:
    box = box_with_game(
        "for each player: be-given",
        "if able: compare-purses",
        "otherwise: raise note by 1",
    )
    more = f"""
    verb be-given:
        if no coins in purses: gain {more_for_one} coins
        gain {for_each} coins
    step compare-purses:
        all choose secretly a stall s where size of s <= coins in my purse: nothing
    """

    done = played(tmp_path, "nothing", *["stall:one"] * len(asked), players=2, box=box, more=more)

    assert done.asked == asked
    assert done.note == (0 if asked else 1)
