"""The order of a stack: where a piece lies in it, and pieces that go up and down."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, MANIFEST, findings, loaded, played, rows_of

OPEN = BOX.replace("stack deck seen by nobody holds card", 'stack deck "Deck" holds card')

# from the bottom: ant, bee, cow, dog
SHIFTS = {
    "one up": ("raise bottom-card by 1", "Bee, Ant, Cow, Dog"),
    "two up": ("raise bottom-card by 2", "Bee, Cow, Ant, Dog"),
    "no further than the top": ("raise bottom-card by 9", "Bee, Cow, Dog, Ant"),
    "one down": ("lower top-card by 1", "Ant, Bee, Dog, Cow"),
    "no further than the bottom": ("lower top-card by 9", "Dog, Ant, Bee, Cow"),
    "not at all": ("raise bottom-card by note", "Ant, Bee, Cow, Dog"),
    "less than nothing up is down": ("raise top-card by 0 - 1", "Ant, Bee, Dog, Cow"),
    "in a heap nothing has an order": (
        "move top-card into pile\nlower top-card by 1",
        "Ant, Bee, Cow",
    ),
}


@pytest.mark.parametrize("name", sorted(SHIFTS))
def test_a_piece_goes_up_and_down_in_its_stack(name: str, tmp_path: Path) -> None:
    done, order = SHIFTS[name]
    lines = [
        "let top-card = top of deck",
        "let bottom-card = bottom of deck",
        "if any top-card and any bottom-card:",
        *(f"    {line}" for line in done.splitlines()),
    ]
    box = OPEN + 'panel "Stack": deck\n'

    assert played(tmp_path, "\n".join(lines), box=box).row("Deck") == order


def test_the_position_in_a_stack_counts_from_the_bottom(tmp_path: Path) -> None:
    act = """
        let c = top of deck
        if any c: raise my fame by position of c in deck
        move top of deck into my hand
        for each card d in my hand: raise note by position of d in deck
        """
    done = played(tmp_path, act)

    assert (done.fame(), done.note) == (4, 0)


def test_the_lowest_of_some_is_found_by_its_position(tmp_path: Path) -> None:
    act = """
        let c = the card in deck where worth = 3 with least position of it in deck
        if any c: raise my fame by position of c in deck
        """

    assert played(tmp_path, act).fame() == 3


def test_a_shift_is_told_and_hidden_where_the_stack_is_hidden(tmp_path: Path) -> None:
    act = "let c = bottom of deck\nif any c: raise c by 2\nmay raise my fame by 1"
    for name, box, line in (
        ("open", OPEN, "Player 1 moves Ant down by 2 places in the Deck"),
        ("hidden", BOX, "Player 1 moves 1 card down by 2 places in the Deck"),
    ):
        game = loaded(tmp_path / name, act, box=box).new_game(1)

        assert line in [each.seen_text(1) for each in game.log]


def test_a_queue_in_which_one_pays_to_move_up(tmp_path: Path) -> None:
    (tmp_path / "guests.toml").write_text(
        "source = 'house'\n[ann]\nwealth = 2\n[bob]\nwealth = 0\n[cid]\nwealth = 1\n"
    )
    (tmp_path / "pack.toml").write_text(MANIFEST)
    (tmp_path / "inn.rules").write_text(
        'piece guest "Guest" from "guests.toml" in queue:\n'
        "    wealth: number\n"
        'stack queue "Queue" holds guest\n'
        'place bed "Bed" holds guest\n'
        "step game:\n"
        "    for each guest g in queue where wealth > 0: raise g by wealth of g\n"
        "    move top of queue into bed\n"
        'score sleep "Sleep": wealth per guests in bed\n'
        "win with most score\n"
        'panel "Inn": queue, bed\n'
    )
    game = rulesdsl.load(tmp_path, cache=False).new_game(1)

    assert rows_of(game.board(None)[0]) == (("Queue", "Bob, Ann"), ("Bed", "Cid"))


@pytest.mark.parametrize(
    "act",
    [
        "raise badge by 1",  # there is one only: it is printed on nothing
        "let c = top of deck\nraise c by 1",  # may be none
    ],
)
def test_what_has_no_place_in_a_stack_is_not_raised(act: str, tmp_path: Path) -> None:
    assert set(findings(tmp_path, act)) <= {"E301", "E302"}
    assert findings(tmp_path, act)


def test_going_up_for_ever_is_refused(tmp_path: Path) -> None:
    act = """
        let c = bottom of deck
        needs any c
        may any number of times: raise c by 1
        """

    assert "E402" in findings(tmp_path, "if able: up", f"verb up:\n{act}")


def test_pieces_among_those_on_top_are_told_apart(tmp_path: Path) -> None:
    act = """
        if any dog in (top 2 of deck): raise my fame by 1
        if any ant in (top 2 of deck): raise my fame by 2
        if any ant in (bottom 1 of deck): raise my fame by 4
        raise note by (cards in (top 3 of deck)) * 10 + (cow in (top 3 of deck))
        """
    done = played(tmp_path, act)

    assert (done.fame(), done.note) == (5, 31)


def test_a_stack_is_not_asked_for_what_it_does_not_hold(tmp_path: Path) -> None:
    assert findings(tmp_path, "raise my fame by coins in (top 2 of deck)") == ["E303"]
