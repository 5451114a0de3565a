from __future__ import annotations

from pathlib import Path

from flat_reader import program_text
from packs_on_the_fly import loaded


def now(*lines: str) -> str:
    """Return a menu with something to look at, and what that needs or does."""
    body = "\n".join(f"        {each}" for each in lines)
    return f'menu "What now?":\n    once "Look":\n{body}\n    once "Wait": gain 1 coin'


def test_what_is_taken_once_and_what_is_offered_say_so(tmp_path: Path) -> None:
    act = 'menu "What now?":\n    once "Buy": gain 3 coins\n    once "Wait": gain 1 coin'
    game = loaded(tmp_path, act).new_game(2)
    buy = next(each for each in game.actions if each.id == "buy")

    assert game.why_not(buy).offered
    game.choose("buy")

    assert game.why_not(buy).text == "It can be done only once, and it has been done."
    assert game.why_not(buy, 2).text == "It is up to Player 1 now."


def test_a_piece_elsewhere_is_not_where_it_has_to_lie(tmp_path: Path) -> None:
    act = (
        "move top of deck into my hand\nif any cards in my hand: move a card in my hand into pile"
    )
    game = loaded(tmp_path, act).new_game(2)
    assert game.decision is not None
    here = (each for each in game.actions if each.asked_in == game.decision.number)
    reasons = {reason.text for each in here if not (reason := game.why_not(each)).offered}

    assert reasons == {"It is not in your Hand."}


def test_a_text_costs_the_playouts_nothing(tmp_path: Path) -> None:
    said = 'needs my busy "It is {n} on {cards in deck} cards"'
    spoken, silent = (
        program_text(loaded(tmp_path / str(at), act).setting(2, {}, log=False).engine.flat)
        for at, act in enumerate(now("let n = 2 + note", each) for each in (said, said[:13]))
    )

    assert spoken == silent
