from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from cli.fake import BIDS, CARDS, COINS, option_of
from coloma.session.answers import PickedOption, Request, SessionCommand, Unclear, understand
from coloma.session.screen import wrapped
from coloma.session.table import seed_of_choice
from rulesdsl import Option
from rulesdsl.bots.bot import drawn

OPTIONS = st.lists(st.builds(option_of, st.text(min_size=1), st.text()), min_size=1, max_size=6)


@given(st.text(), OPTIONS)
def test_every_line_is_understood_as_something(typed: str, options: list[Option]) -> None:
    answer = understand(typed, options)

    assert not isinstance(answer, PickedOption) or answer.index in range(len(options))
    assert not isinstance(answer, Unclear) or answer.advice


@given(st.sampled_from([*COINS, *CARDS, *BIDS]))
def test_an_id_and_a_label_always_mean_their_option(option: Option) -> None:
    options = [*COINS, *CARDS, *BIDS]

    assert understand(option.id, options) == understand(option.label, options)
    assert understand(option.id, options) == PickedOption(options.index(option))


WORDS = [
    option_of("site:three", "Harbour"),
    option_of("square:e2", "King's pawn"),
    option_of("build:stone-cabin", "Build: Stone Cabin (2 Gold)"),
    option_of("buy:h", "H"),
    option_of("done", "End the turn"),
]


@pytest.mark.parametrize(
    ("typed", "index"),
    [
        ("harbour", 0),  # a word of the label
        ("site:three", 0),
        ("three", 0),  # a part of the id
        ("e2", 1),
        ("E2", 1),
        ("king", 1),
        ("stone cabin", 2),
        ("cabin", 2),
        ("stone", 2),
        ("h", 3),  # all of it
        ("done", 4),
        ("ha", 0),  # how a word begins
        ("stone c", 2),
        ("tu", 4),
    ],
)
def test_a_word_of_an_option_means_it(typed: str, index: int) -> None:
    assert understand(typed, WORDS) == PickedOption(index)


@pytest.mark.parametrize(
    "typed", ["d", "k", "e", "a", "arbour", "ree", "th ree", "on", "don", "og"]
)
def test_letters_within_a_word_or_a_single_one_mean_nothing(typed: str) -> None:
    assert isinstance(understand(typed, WORDS), Unclear)


def test_the_beginning_of_a_word_chooses_nothing_that_cannot_be_undone() -> None:
    final = (True, False, True, True, True)

    assert understand("ha", WORDS, final) == Unclear(
        "`ha` could be 1 Harbour, which cannot be undone: type its number, or a whole word of it."
    )
    assert understand("ki", WORDS, final) == PickedOption(1)
    for typed in ("harbour", "three", "stone", "h", "done", "1"):
        assert isinstance(understand(typed, WORDS, final), PickedOption)


def test_our_own_words_come_before_those_of_the_options() -> None:
    options = [option_of("board", "board the ship"), option_of("stay", "stay")]

    assert understand("board", options) == Request(SessionCommand.BOARD)
    assert understand("board the", options) == PickedOption(0)
    assert understand("log 5", options) == Request(SessionCommand.LOG, "5")


def test_an_option_that_begins_with_one_of_our_words_is_within_reach() -> None:
    options = [option_of("letter", "Read the letter"), option_of("stay", "stay")]

    assert understand("read the letter", options) == PickedOption(0)
    assert understand("read the moor", options) == Request(SessionCommand.READ, "the moor")
    assert understand("read", options) == Request(SessionCommand.READ)


@given(
    st.text(st.characters(codec="utf-8", categories=["L", "M", "N", "P", "Zs"])),
    st.integers(2, 30),
)
def test_wrapped_lines_fit_and_lose_nothing(text: str, cells: int) -> None:
    lines = wrapped(text, cells)

    assert all(cell_len(line) <= cells for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_bots_choose_evenly_and_the_same_again() -> None:
    picks = _picks(seed=7)

    assert picks == _picks(seed=7)
    assert all(abs(picks.count(index) - 1000) < 100 for index in range(3))
    assert picks != _picks(seed=8)


def _picks(seed: int) -> list[int]:
    return [drawn([1, 1, 1], seed_of_choice(seed, player=2, step=step)) for step in range(3000)]
