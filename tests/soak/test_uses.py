"""What entries can do is counted when it is done, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import BOX, carried_on, written
from soak.counting import counted
from soak.playing import state_of
from soak.uses import Wanted, options_of, run

ACT = """
    move all cards in deck into pile
    if able: move 1 ant from pile into my shelf
    stroll
    work
"""
MORE = """
verb stroll:
    menu:
        any time for each card c in my shelf where not spent: use-up c
verb use-up card c:
    do use of c
    mark spent of c
verb work: nothing
after work when any ant in my shelf: raise note by 1
after work when any bee in my shelf: raise note by 1
instead of work when lucky of me:
    choose one:
        "Left": raise note by 3
        "Right": raise note by 4
value lucky of seat: any ant in my shelf
add to menu of stroll when any cow in my shelf:
    once "Milk": raise note by 9
option sunny "Sunny": off
after game when sunny: raise note by 1
"""


def pack_at(folder: Path) -> Path:
    return written(folder, ACT, MORE, box=BOX)


def counts(folder: Path, *choices: str) -> dict[str, int]:
    pack, uses = counted(str(pack_at(folder)), (), ("card",))
    game = carried_on(pack.new_game(1, 1), choices).game
    return {use.name: getattr(state_of(game), use.cell) for use in uses}


def test_effects_and_hooks_are_counted_where_they_are_carried_out(tmp_path: Path) -> None:
    assert counts(tmp_path, "use-up:ant", "right") == {
        "card ant: use": 1,
        "card bee: use": 0,
        "card cow: use": 0,
        "card ant: after work": 1,
        "card bee: after work": 0,
        "card ant: instead of work: Left": 0,
        "card ant: instead of work: Right": 1,
        "card cow: add to menu of stroll": 0,
    }


def test_what_is_offered_and_not_taken_does_not_count(tmp_path: Path) -> None:
    found = counts(tmp_path, "done", "left")

    assert found["card ant: use"] == 0
    assert found["card ant: instead of work: Left"] == 1


def test_a_kind_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no kind of things called hat"):
        counted(str(pack_at(tmp_path)), (), ("hat",))


def test_options_are_read_as_they_are_typed(tmp_path: Path) -> None:
    pack, _ = counted(str(pack_at(tmp_path)), (), ())

    assert options_of(pack, ["sunny=on"]) == {"sunny": True}
    with pytest.raises(ValueError, match="no option rainy"):
        options_of(pack, ["rainy=on"])


def test_what_was_never_used_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = Wanted(str(pack_at(tmp_path)), (), (), ("card",))

    assert run(wanted, 3, 1, 1) == 1

    told = capsys.readouterr().out
    assert "never used: card bee: use" in told
    assert "never used: card ant: use" not in told
    assert "not used with 4 players" not in told
