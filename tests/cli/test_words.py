import tomllib
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import rulesdsl
from cli.conftest import Run
from cli.fake import BIDS, CARDS, COINS, SONG, option_of
from coloma.session.answers import (
    PickedOption,
    Request,
    SessionCommand,
    Unclear,
    numbered,
    two_answers,
    understand,
)
from coloma.session.help import Shelf
from coloma.session.screen import wrapped
from rulesdsl import Option
from rulesdsl.bots.bot import drawn
from rulesdsl.table.seating import seed_of_choice

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


@pytest.mark.parametrize(
    ("typed", "exact"),
    [
        *(("ha", False), ("ki", False), ("stone", False), ("end the", False), ("bu st ca", False)),
        *(("harbour", True), ("build", False), ("build: stone cabin (2 gold)", True)),
        *(("done", True), ("1", True), ("h", True), ("site:three", True), ("three", True)),
    ],
)
def test_a_part_of_the_words_is_not_exact(typed: str, *, exact: bool) -> None:
    answer = understand(typed, WORDS)
    assert isinstance(answer, PickedOption)
    assert answer.exact is exact


def test_the_name_of_a_thing_comes_before_what_is_said_of_it() -> None:
    labels = ("Mill: work", "Yard: build a bridge", "Build: raise a house")
    options = [
        Option(f"site:{at}", label, at, about=f"site:{at}") for at, label in enumerate(labels)
    ]
    assert understand("build", options) == PickedOption(2, exact=False)
    assert understand("bridge", options) == PickedOption(1, exact=False)


def test_words_may_be_left_out() -> None:
    options = [option_of("a", "Trading Post at the bridge"), option_of("b", "Toll House")]
    assert understand("tra bri", options) == PickedOption(0)
    assert understand("to ho", options) == PickedOption(1)
    assert understand("bri tra", options) == Unclear(
        "`bri tra` is not one of the choices. Type 1 or 2, or ? for help."
    )


def test_at_a_terminal_only_whole_ids_are_taken() -> None:
    assert understand("site:three", WORDS, ids=False) == PickedOption(0)
    assert isinstance(understand("three", WORDS, ids=False), Unclear)
    assert isinstance(understand("e2", WORDS, ids=False), Unclear)


SITES = [
    attrs.evolve(option_of("site:four", "4 Wagon"), about="site:four", number=4),
    attrs.evolve(option_of("site:two", "2 Bridge"), about="site:two", number=2),
    option_of("done", "Done"),
]


@pytest.mark.parametrize(
    ("typed", "index"),
    [("4", 0), ("2.", 1), ("site 4", 0), ("Site 2", 1), ("5", 2), ("wagon", 0), ("4 wagon", 0)],
)
def test_things_are_called_by_their_numbers(typed: str, index: int) -> None:
    assert understand(typed, SITES) == PickedOption(index)
    assert [line.label for line in numbered(SITES)] == ["Wagon", "Bridge", "Done"]


@pytest.mark.parametrize("typed", ["1", "3", "site 3", "hill 4", "-2", "99999999999999"])
def test_no_other_number_means_anything(typed: str) -> None:
    assert isinstance(understand(typed, SITES), Unclear)


def test_a_part_of_the_board_is_shown_by_its_name() -> None:
    parts = ["Frontier map", "Shootout"]
    for typed in ("map", "shootout", "Frontier Map"):
        assert understand(typed, WORDS, parts) == Request(SessionCommand.BOARD, typed)
    assert isinstance(understand("front", WORDS, parts), Unclear)
    assert understand("harbour", WORDS, ["Harbour"]) == PickedOption(0)


PAWNS = [option_of("a", "e2 (Pawn)"), option_of("b", "g1 (Knight)"), option_of("c", "24/20")]
CELLS = [option_of("x", "e4"), option_of("y", "f3"), option_of("z", "h3")]


@pytest.mark.parametrize(
    ("typed", "first", "second"),
    [("e2e4", 0, "e4"), ("e2-e4", 0, "e4"), ("g1 h3", 1, "h3"), ("knight h3", 1, "h3")],
)
def test_two_answers_in_one_line(typed: str, first: int, second: str) -> None:
    assert two_answers(typed, PAWNS, lambda _: CELLS) == (first, second)


@pytest.mark.parametrize("typed", ["e2e5", "e3e4", "e4", "kni h3", "e2 pa", "24/20"])
def test_no_two_answers(typed: str) -> None:
    assert two_answers(typed, PAWNS, lambda _: CELLS) is None
    assert two_answers(typed, PAWNS, lambda _: []) is None


def test_a_dot_after_a_number_and_a_letter_for_yes_or_no_will_do() -> None:
    options = [option_of("no", "no"), option_of("yes", "yes")]
    assert understand("2.", options) == PickedOption(1)
    assert [understand(typed, options) for typed in "yN"] == [PickedOption(1), PickedOption(0)]
    assert understand("exit", options) == Request(SessionCommand.QUIT)
    assert isinstance(understand("y", WORDS), Unclear)


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


CONTENT = Path(__file__).parents[2] / "content"

PLAY = ("play", "--players", "2", "--bots", "1xrandom", "--seed", "5")


def asked(run: Run, *typed: str, plain: bool = True) -> list[str]:
    out = run(*PLAY, *(["--plain"] if plain else []), typed=typed).out
    return out.partition(f"> {typed[0]}\n")[2].partition("\nThe input has ended.")[0].splitlines()


@pytest.mark.usefixtures("pack")
def test_the_number_of_a_choice_stands_for_what_it_names(run: Run) -> None:
    assert asked(run, "read 1") == ["One-Leg (Card)", f"  Effect: {SONG}"]


@pytest.mark.usefixtures("pack")
def test_long_texts_are_cut_in_a_menu_and_whole_where_they_are_read(run: Run) -> None:
    lines = run(*PLAY, typed=["read 1"]).lines
    at = lines.index(next(line for line in lines if "1. take 1 coin: whoever" in line))
    read = " ".join(line.strip() for line in asked(run, "read 1", plain=False)[1:])
    assert lines[at + 2].endswith(" ...")
    assert lines[at + 3].lstrip() == "2. take 2 coins"
    assert read == f"Effect: {SONG}"
    assert all(cell_len(line) <= 80 for line in lines if "journal" not in line)


@pytest.mark.usefixtures("pack")
def test_whoever_listens_hears_a_whole_text(run: Run) -> None:
    assert f"1. take 1 coin: {SONG}" in run(*PLAY, "--plain").lines


@pytest.mark.usefixtures("pack")
def test_reading_is_no_move(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.toml"
    run(*PLAY, "--journal", str(kept), typed=["read moor", "1", "read"])
    chosen = [each["id"] for each in tomllib.loads(kept.read_text())["choice"]]
    assert chosen[0] == "take:one"
    assert not any("moor" in each for each in chosen)


@pytest.mark.usefixtures("pack")
def test_help_knows_the_word_and_fits_the_screen(run: Run) -> None:
    told = asked(run, "?")
    assert any(line.startswith("  read NAME") for line in told)
    assert all(cell_len(line) <= 80 for line in told)


SCREEN_WORDS = {
    "boom": "Boom (Choice)",
    "vp": "VP (Track)",
    "hotel": "Hotel (Piece)",
    "lodge": "Lodge (Place)",
    "signpost-offset": "Signpost, so many Sites clockwise of the Barker (Game option)",
    "player 1": "Player 1 (Player)",
    "gold worth": "Gold worth (Shown on the board)",
    "hammer": "Hammer (Tool)",
    "bridge supply": "Bridge supply (Place)",
    "gunmen": "Gunmen (Shown on the board)",
}


def test_whatever_the_screen_names_can_be_read(run: Run) -> None:
    typed = [f"read {name}" for name in SCREEN_WORDS]
    out = run("play", "--bots", "1xrandom", "--seed", "5", "--plain", typed=typed).out
    for name, title in SCREEN_WORDS.items():
        lines = out.partition(f"> read {name}\n")[2].splitlines()
        assert lines[0] == title
        assert lines[1].startswith("  ")


def _labels(body: rulesdsl.Rows | rulesdsl.Table | rulesdsl.Grid | rulesdsl.Map) -> list[str]:
    match body:
        case rulesdsl.Rows():
            return [row.label for row in body.rows]
        case rulesdsl.Table():
            return list(body.columns)
        case rulesdsl.Grid():
            return []
        case rulesdsl.Map():
            return [spot.name for spot in body.spots]


@pytest.mark.parametrize("pack", [CONTENT, CONTENT / "sutters_mill"], ids=lambda pack: pack.name)
def test_every_label_of_the_board_and_every_choice_can_be_read(pack: Path) -> None:
    loaded = rulesdsl.load(pack)
    game, book = loaded.new_game(2, seed=3), loaded.rulebook(2)
    seen: set[str] = set()
    for step in range(40):
        if game.decision is None:
            break
        shelf = Shelf(game.printed, game.named, game.decision, book)
        labels = {each for panel in game.board(1) for each in _labels(panel.body)} - seen
        assert {label for label in labels if isinstance(shelf.pages(label), str)} == set()
        seen |= labels
        for number in range(1, game.decision.count + 1):
            assert not isinstance(shelf.pages(str(number)), str)
        game.choose(step % game.decision.count)
    assert len(seen) > 10
