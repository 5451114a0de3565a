from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import rulesdsl

InPython = Callable[[rulesdsl.Pack, int], rulesdsl.Simulator]


@pytest.fixture
def both(bidding: rulesdsl.Pack, in_python: InPython) -> list[rulesdsl.Simulator]:
    return [bidding.simulator(2), in_python(bidding, 2)]


def test_a_question_is_that_of_the_session(
    bidding: rulesdsl.Pack, both: list[rulesdsl.Simulator]
) -> None:
    game, chance = bidding.new_game(2, 4), random.Random(1)
    for each in both:
        each.begin(4)
    while (decision := game.decision) is not None:
        for each in both:
            question = each.question
            assert question is not None
            assert (question.player, question.sealed) == (decision.player, decision.sealed)
            assert tuple(question.options) == decision.numbered
        choice = chance.randrange(decision.count)
        game.choose(choice, decision.player)
        for each in both:
            each.choose(choice)
    assert [each.question for each in both] == [None, None]


@pytest.mark.parametrize("weights", [None, {"high": 3}])
def test_choices_come_first_in_games_from_a_position(
    both: list[rulesdsl.Simulator], weights: dict[str, int] | None
) -> None:
    found = []
    for each in both:
        each.begin(4)
        found.append(
            each.playouts(20, 9, position=each.save(), choices=(1, 0), weights=weights, most=3)
        )

    assert found[0].scores.tolist() == found[1].scores.tolist()
    assert found[0].traces.tolist() == found[1].traces.tolist()
    assert set(found[0].decisions.tolist()) == {3}  # the two count


@pytest.mark.parametrize(
    ("choices", "message"),
    [((0, 7), "is not offered"), ((0,) * 9, "the game is over, and 3 of the choices")],
)
def test_choices_that_cannot_come_first(
    both: list[rulesdsl.Simulator], choices: tuple[int, ...], message: str
) -> None:
    for each in both:
        each.begin(4)
        position = each.save()
        with pytest.raises(rulesdsl.IllegalChoice, match=message):
            each.playouts(1, 9, position=position, choices=choices)
        assert each.playouts(1, 9, position=position, choices=(0, 0)).games == 1


def test_worlds_are_redraws_of_the_session(bidding: rulesdsl.Pack) -> None:
    game, simulator = bidding.new_game(2, 4), bidding.simulator(2)
    game.choose(0)
    before = game.to_data()

    for seed, world in enumerate(simulator.worlds(game, 2, range(20))):
        simulator.restore(world)
        there = simulator.to_game().to_data()["state"]
        expected = game.redraw(2, seed).to_data()["state"]
        assert {**there, "frames": 0} == {**expected, "frames": 0}
    assert game.to_data() == before


def test_worlds_of_a_game_without_a_log(bidding: rulesdsl.Pack) -> None:
    game = bidding.new_game(2, 4, log=False)

    with pytest.raises(ValueError, match="a log from the beginning"):
        next(bidding.simulator(2).worlds(game, 1, [1]))
