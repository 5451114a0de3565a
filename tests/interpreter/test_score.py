from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, loaded
from rulesdsl import Game, Rank, Score

SCORED = BOX.replace('score fame-score "Fame": my fame', 'score fame-score "Fame": my fame\n{}')
OPEN = 'score coin-score "Coins": 2 * coins in my purse'
SECRET = 'score guess-score "Guess": my guess'
HAND = 'score hand-score "Hand": worth per cards in my hand'
DECK = 'score deck-score "Deck": worth per cards in deck'
ACT = "raise my guess by 3\nraise my fame by 2\nmove top of deck into my hand\nmay gain 1 coin"


def game_of(folder: Path, *lines: str, players: int = 2) -> Game:
    box = SCORED.format("\n".join(lines))
    game = loaded(folder, ACT, box=box).new_game(players)
    game.choose("yes")
    return game


def told(score: Score) -> tuple[dict[str, int | None], int | None, int | None]:
    return {each.title: each.points for each in score.lines}, score.total, score.place


def test_it_has_the_lines_of_the_final_result(tmp_path: Path) -> None:
    game = game_of(tmp_path, OPEN)

    first, second = game.score(1), game.score(2)
    assert (first.seat, first.name) == (1, "Player 1")
    assert told(first) == ({"Fame": 2, "Coins": 2}, 4, 1)
    assert told(second) == ({"Fame": 2, "Coins": 0}, 2, 2)


def test_at_the_end_it_is_the_result(tmp_path: Path) -> None:
    game = game_of(tmp_path, OPEN, SECRET, HAND)
    game.choose("no")

    result = game.result
    assert result is not None
    for viewer in (None, 1, 2):
        scores = game.scores(viewer)
        assert tuple(each.total for each in scores) == result.scores
        assert tuple(each.place for each in scores) == result.places
        for at, (title, points) in enumerate(result.breakdown):
            assert [each.lines[at].title for each in scores] == [title, title]
            assert tuple(each.lines[at].points for each in scores) == points


def test_what_only_the_owner_sees_only_the_owner_is_told(tmp_path: Path) -> None:
    game = game_of(tmp_path, SECRET)

    mine, other = game.scores(1)
    assert told(mine) == ({"Fame": 2, "Guess": 3}, 5, None)
    assert told(other) == ({"Fame": 2, "Guess": None}, None, None)
    assert [told(each)[0]["Guess"] for each in game.scores(2)] == [None, 3]
    assert [told(each)[0]["Guess"] for each in game.scores(None)] == [None, None]
    assert told(game.score(2)) == ({"Fame": 2, "Guess": 3}, 5, 1)


def test_what_nobody_sees_nobody_is_told(tmp_path: Path) -> None:
    game = game_of(tmp_path, DECK)

    for viewer in (None, 1, 2):
        for score in game.scores(viewer):
            assert told(score)[0] == {"Fame": 2, "Deck": None}
            assert (score.total, score.place) == (None, None)


def test_a_rival_that_scores_has_a_score(tmp_path: Path) -> None:
    rivals = 'rival miser "Miser"\nrival clock "Clock" without score\n'
    game = loaded(tmp_path, "raise my fame by 2\nmay gain 1 coin", rivals).new_game(2)

    assert [each.name for each in game.scores(1)] == ["Player 1", "Player 2", "Miser"]
    assert told(game.score(3)) == ({"Fame": 0}, 0, 2)
    with pytest.raises(ValueError, match="Clock takes no part in the scoring"):
        game.score(4)


@pytest.mark.parametrize("seat", [0, -1, 3])
def test_a_seat_that_there_is_not(seat: int, tmp_path: Path) -> None:
    game = game_of(tmp_path)

    with pytest.raises(ValueError, match=f"no seat {seat}: seats are 1 to 2"):
        game.score(seat)
    with pytest.raises(ValueError, match=f"no player {seat}: players are 1 to 2"):
        game.scores(seat)


def test_to_look_changes_nothing(tmp_path: Path) -> None:
    game = game_of(tmp_path, OPEN, SECRET, HAND, DECK)
    before = game.to_data()

    game.score(1)
    game.scores(2)

    assert game.to_data() == before


@pytest.mark.parametrize("pack", ["content", "content/sutters_mill"])
def test_the_score_of_a_shipped_game_grows_into_its_result(pack: str) -> None:
    drawn = random.Random(5)
    loaded_pack = rulesdsl.load(Path(__file__).parents[2] / pack)
    game = loaded_pack.new_game(loaded_pack.players[0], 3)
    while decision := game.decision:
        scores = game.scores(decision.player)
        known = [each for each in scores if each.total is not None]
        assert all(sum(line.points or 0 for line in each.lines) == each.total for each in known)
        game.choose(drawn.randrange(decision.count))

    assert game.result is not None
    assert tuple(each.total for each in game.scores(None)) == game.result.scores


def test_the_result_says_by_what_places_were_given(tmp_path: Path) -> None:
    ranked = BOX.replace(
        "win with most score", "win with most score then least coins in my purse + my guess"
    )
    game = loaded(tmp_path, "raise my guess by 3\nmay gain 1 coin", box=ranked).new_game(2)
    for choice in ("yes", "no"):
        game.choose(choice)

    assert game.result is not None
    assert game.result.places == (2, 1)
    assert game.result.ranking == (
        Rank(True, "score", (0, 0)),
        Rank(False, "coins in purse and guess", (4, 3)),
    )


def test_where_nothing_is_said_the_most_points_win(tmp_path: Path) -> None:
    plain = BOX.replace("win with most score\n", "")
    game = loaded(tmp_path, "raise my fame by 2\nmay gain 1 coin", box=plain).new_game(1)
    game.choose("no")

    assert game.result is not None
    assert game.result.ranking == (Rank(True, "score", (2,)),)
