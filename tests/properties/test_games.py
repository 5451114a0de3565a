"""What holds of every game of every pack: tried on random games of the shipped ones."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rulesdsl
from soak.copies import look_for_leaks, play_on
from soak.playing import Watcher
from soak.scramble import scrambler_of
from soak.settings import Chosen

ROOT = Path(__file__).parents[2]
CONTENT = ROOT / "content"

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=12, deadline=None)
PARTS = st.floats(0, 1, exclude_max=True)
ALONE = {"players": 1, "seed": 7}  # against a rival who never decides


@cache
def pack() -> rulesdsl.Pack:
    return rulesdsl.load(CONTENT)


@cache
def watcher() -> Watcher:
    return Watcher(pack())


PLAYERS = st.deferred(lambda: st.integers(*pack().players))
Choices = list[tuple[int, int]]


def game_and_choices(players: int, seed: int) -> tuple[rulesdsl.Game, Choices]:
    """Play a random game; return it at its end, and what was chosen by whom."""
    game = pack().new_game(players, seed)
    chance = random.Random(seed)
    choices: Choices = []
    while game.decision:
        decision = chance.choice(game.decisions)
        choices.append((decision.player, chance.randrange(decision.count)))
        play_on(game, choices[-1:])
    return game, choices


def after(players: int, seed: int, choices: Choices) -> rulesdsl.Game:
    game = pack().new_game(players, seed)
    play_on(game, choices)
    return game


@FEW
@example(**ALONE)
@given(players=PLAYERS, seed=SEEDS)
def test_every_piece_is_accounted_for_at_every_decision(players: int, seed: int) -> None:
    game, decisions = watcher().play(Chosen(players, {}), seed)

    assert game.over
    assert decisions > 0


@FEW
@example(**ALONE)
@given(players=PLAYERS, seed=SEEDS)
def test_the_same_seed_and_choices_give_the_same_game(players: int, seed: int) -> None:
    game, choices = game_and_choices(players, seed)
    again = after(players, seed, choices)

    assert again.to_data() == game.to_data()
    assert again.log == game.log
    assert again.result == game.result


def test_another_process_plays_the_same_game() -> None:
    game, choices = game_and_choices(3, 5)
    program = (
        "import json, rulesdsl, sys\n"
        "game = rulesdsl.load(sys.argv[1]).new_game(3, 5)\n"
        "for player, index in json.load(sys.stdin):\n"
        "    game.choose(index, player)\n"
        "print(json.dumps(game.to_data()))\n"
    )
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program, str(CONTENT)],
            input=json.dumps(choices),
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            check=True,
        )

        assert json.loads(done.stdout)["state"] == game.to_data()["state"]


@FEW
@example(**ALONE, part=0.5)
@given(players=PLAYERS, seed=SEEDS, part=PARTS)
def test_a_clone_and_a_save_play_on_alike(players: int, seed: int, part: float) -> None:
    end, choices = game_and_choices(players, seed)
    at = int(part * len(choices))
    game = after(players, seed, choices[:at])
    before = json.dumps(game.to_data())

    clone = game.clone()
    saved = pack().game_from_data(json.loads(before))
    for copy in (clone, saved):
        play_on(copy, islice(choices, at, None))
        assert copy.to_data() == end.to_data()
        assert copy.result == end.result

    assert json.dumps(game.to_data()) == before  # the copies have not touched it


@FEW
@example(**ALONE, part=0.5)
@given(players=PLAYERS, seed=SEEDS, part=PARTS)
def test_a_wrong_choice_changes_nothing(players: int, seed: int, part: float) -> None:
    _, choices = game_and_choices(players, seed)
    at = int(part * len(choices))
    game = after(players, seed, choices[:at])
    decision = game.decision
    assert decision
    before, length = game.to_data(), game.log_length

    for wrong in (decision.count, -1, "no-such-option"):
        with pytest.raises(rulesdsl.IllegalChoice):
            game.choose(wrong)
    with pytest.raises(rulesdsl.IllegalChoice):
        game.choose(0, player=players + 1)

    assert (game.to_data(), game.log_length) == (before, length)


@FEW
@given(PLAYERS, SEEDS, st.randoms(use_true_random=False))
def test_sealed_answers_may_come_in_any_order(
    players: int, seed: int, order: random.Random
) -> None:
    game = pack().new_game(players, seed)
    chance = random.Random(seed)
    while (decision := game.decision) and not decision.sealed:
        game.choose(chance.randrange(decision.count))
    assert len(game.decisions) == players
    answers = {each.player: chance.randrange(each.count) for each in game.decisions}
    other = game.clone()

    play_on(game, sorted(answers.items()))
    mixed = order.sample(sorted(answers.items()), len(answers))
    play_on(other, mixed)

    assert other.to_data() == game.to_data()
    assert other.log == game.log


@settings(max_examples=6, deadline=None)
@example(**ALONE, part=0.5)
@given(players=PLAYERS, seed=SEEDS, part=PARTS)
def test_views_leak_nothing(players: int, seed: int, part: float) -> None:
    _, choices = game_and_choices(players, seed)
    at = int(part * len(choices))
    game = after(players, seed, choices[:at])
    chance = random.Random(seed)

    assert look_for_leaks(game, scrambler_of(game), chance) == players


def test_nobody_sees_a_sealed_answer_of_another() -> None:
    game = pack().new_game(3, 1)
    while (decision := game.decision) and not decision.sealed:
        game.choose(0)
    views = []
    for index in range(2):
        copy = game.clone()
        copy.choose(index, 1)
        views.append([(copy.view(player), copy.board(player)) for player in (2, 3)])

    assert views[0] == views[1]
