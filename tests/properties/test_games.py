import json
import random
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rulesdsl
from examples import examples
from properties.shipped import Shipped, play_on, shipped
from soak.games import accounts_of, state_of
from soak.views import compare
from some import some

ROOT = Path(__file__).parents[2]

TABLES = st.integers(0, 9)  # how many sit there: the least number that can play, or more
SEEDS = st.integers(0, 2**32)
FEW = examples(5)
PARTS = st.floats(0, 1, exclude_max=True)
FEWEST = {"table": 0, "seed": 7}  # one alone may play against a rival who never decides

each_game = pytest.mark.parametrize("game", shipped(), ids=lambda game: game.folder.name)


@each_game
@FEW
@example(**FEWEST)
@given(table=TABLES, seed=SEEDS)
def test_no_piece_is_ever_lost_or_gained(game: Shipped, table: int, seed: int) -> None:
    end, choices = game.played(
        game.players(table), seed, lambda now: accounts_of(now).check(state_of(now))
    )
    assert end.over
    assert choices


@each_game
@FEW
@example(**FEWEST)
@given(table=TABLES, seed=SEEDS)
def test_seed_and_choices_determine_a_game(game: Shipped, table: int, seed: int) -> None:
    end, choices = game.played(game.players(table), seed)
    again = game.after(game.players(table), seed, choices)
    assert again.to_data() == end.to_data()
    assert again.log == end.log
    assert again.result == end.result


@each_game
@FEW
@example(**FEWEST, part=0.5)
@given(table=TABLES, seed=SEEDS, part=PARTS)
def test_clones_and_saves_play_alike(game: Shipped, table: int, seed: int, part: float) -> None:
    end, choices = game.played(game.players(table), seed)
    at = int(part * len(choices))
    position = game.after(game.players(table), seed, choices[:at])
    before = json.dumps(position.to_data())

    clone = position.clone()
    saved = game.pack.game_from_data(json.loads(before))
    for copy in (clone, saved):
        play_on(copy, islice(choices, at, None))
        assert copy.to_data() == end.to_data()
        assert copy.result == end.result

    assert json.dumps(position.to_data()) == before  # the copies have not touched it


@each_game
@FEW
@example(**FEWEST, part=0.5)
@given(table=TABLES, seed=SEEDS, part=PARTS)
def test_a_wrong_choice_changes_nothing(game: Shipped, table: int, seed: int, part: float) -> None:
    players = game.players(table)
    _, choices = game.played(players, seed)
    position = game.after(players, seed, choices[: int(part * len(choices))])
    decision = position.decision
    assert decision
    before, length = position.to_data(), position.log_length

    for wrong in (decision.count, -1, "no-such-option"):
        with pytest.raises(rulesdsl.IllegalChoice):
            position.choose(wrong)
    with pytest.raises(rulesdsl.IllegalChoice):
        position.choose(0, player=players + 1)

    assert (position.to_data(), position.log_length) == (before, length)


@each_game
@examples(3)
@example(**FEWEST, part=0.5)
@given(table=TABLES, seed=SEEDS, part=PARTS)
def test_views_leak_nothing(game: Shipped, table: int, seed: int, part: float) -> None:
    players = game.players(table)
    _, choices = game.played(players, seed)
    position = game.after(players, seed, choices[: int(part * len(choices))])
    assert compare(game.pack, position, random.Random(seed)) == players + 1


# ---------------------------------------------------------------- all choose secretly
def at_a_sealed_choice(
    game: Shipped, players: int, seed: int, chance: random.Random
) -> rulesdsl.Game | None:
    position = game.pack.new_game(players, seed)
    while decision := position.decision:
        if decision.sealed:
            return position
        position.choose(chance.randrange(decision.count))
    return None


SEALED = [each for each in shipped() if at_a_sealed_choice(each, 3, 1, random.Random(1))]
each_sealed_game = pytest.mark.parametrize("game", SEALED, ids=lambda game: game.folder.name)


def test_some_game_has_sealed_choices() -> None:
    assert SEALED


@each_sealed_game
@FEW
@given(table=TABLES, seed=SEEDS, order=st.randoms(use_true_random=False))
def test_order_of_answers(game: Shipped, table: int, seed: int, order: random.Random) -> None:
    chance = random.Random(seed)
    position = some(at_a_sealed_choice(game, game.players(table), seed, chance))
    assert len(position.decisions) == game.players(table)
    answers = {each.player: chance.randrange(each.count) for each in position.decisions}
    other = position.clone()

    play_on(position, sorted(answers.items()))
    mixed = order.sample(sorted(answers.items()), len(answers))
    play_on(other, mixed)

    assert other.position_data() == position.position_data()
    assert other.log == position.log


@each_sealed_game
def test_nobody_sees_a_sealed_answer_of_another(game: Shipped) -> None:
    position = some(at_a_sealed_choice(game, 3, 1, random.Random(1)))
    views = []
    for index in range(2):
        copy = position.clone()
        copy.choose(index, 1)
        views.append([(copy.view(player), copy.board(player)) for player in (2, 3)])
    assert views[0] == views[1]
