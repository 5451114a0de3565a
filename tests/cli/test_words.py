import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import rulesdsl
from cli.conftest import Run
from cli.fake import BIDS, CARDS, COINS, SONG, FakePack, option_of
from coloma.output import say
from coloma.packs import PackSummary, games_at_hand, groups
from coloma.session.answers import (
    NO_PROMPT,
    PickedOption,
    Prompt,
    Request,
    SessionCommand,
    SessionStopped,
    Unclear,
    numbered,
    two_answers,
    understand,
)
from coloma.session.before.asking import Asking
from coloma.session.before.first_screen import Learning
from coloma.session.help import Shelf
from coloma.session.screen import Screen, wrapped
from coloma.session.start import Wish
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


class Typed:
    is_terminal = True

    def __init__(self, lines: Sequence[str]) -> None:
        self._left = [*lines]

    def next_line(self, prompt: Prompt = NO_PROMPT) -> str:
        say(prompt.text)
        if not self._left:
            raise SessionStopped("The input has ended.")
        return self._left.pop(0)

    def refuse(self, advice: str) -> str:
        return advice


Wishing = Callable[..., Wish]


@pytest.fixture
def wish_after(run: Run, pack: FakePack) -> Wishing:
    assert run is not None  # in the checkout
    assert pack is not None

    def wish_after(*lines: str) -> Wish:
        wish = Asking(Screen(), Typed(lines)).wish()
        assert isinstance(wish, Wish)
        return wish

    return wish_after


def test_enter_takes_every_default(wish_after: Wishing) -> None:
    wish = wish_after("choose", "", "", "", "", "")
    assert wish == Wish("content", players=2, bots=("normal",), names=["Player 1"], options=[])


def test_enter_alone_plays_with_the_usual_bots(wish_after: Wishing) -> None:
    usual = Wish("content", players=4, bots=("normal",) * 3)
    assert [wish_after(*typed) for typed in ([""], ["play"], ["1"])] == [usual] * 3


def test_everything_can_be_chosen(wish_after: Wishing) -> None:
    assert wish_after(
        "another", "2", "choose", "3", "1", "hard", "Ann", "Bob", "1", "3", "0"
    ) == Wish(
        "content/sutters_mill",
        players=3,
        bots=("hard",),
        names=["Ann", "Bob"],
        options=["rounds=3"],
    )


def test_wrong_answers_are_asked_again(
    wish_after: Wishing, capsys: pytest.CaptureFixture[str]
) -> None:
    wish = wish_after(
        *("9", "x", "choose"),
        *("1", "5", "2"),
        *("3", "-1", "0"),
        *("Ann", "ann", "\x1b[2J", "y" * 40, "Bob"),
        *("4", "1", "7", "2", ""),
    )
    out = capsys.readouterr().out

    assert (wish.players, len(wish.bots), wish.names) == (2, 0, ["Ann", "Bob"])
    assert wish.options == ["rounds=2"]
    assert "Type 2, 3 or 4, or ? for help." in out
    assert "Type 0, 1 or 2, or ? for help." in out
    assert "That name is taken: ann." in out
    assert "Type 1, 2 or 3, or ? for help." in out
    assert "\x1b" not in out


def test_help_and_quit_work_before_a_game(
    wish_after: Wishing, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SessionStopped, match=r"^Stopped\.$"):
        wish_after("?", "choose", "help", "2", "0", "q", "quit")
    out = capsys.readouterr().out

    assert out.count("Type an answer to the question") == 2
    assert "Name of player 2?" in out  # `q` is a name


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (
            ["undo"],
            "`undo` is for later: no game has begun yet. Here you can also type back, rules,",
        ),
        (["bot 2"], "`bot 2` is for later"),
        (["choose", "2", "0", "save x"], "`save x` is for later"),  # at the question for a name
        (["back"], "This is the first question."),
        (["rules"], "Topics, for `rules TOPIC`:"),
        (["rules bids"], "At the end all make a secret bid."),
        (["rules xyz"], "The rulebook has nothing about `xyz`."),
        (["choose", "2", "0", "Player 2", ""], "That name is taken: Player 2."),
        (["choose", "2", "0", "rules bids"], "At the end all make a secret bid."),
        (["games"], "There are no saved games."),
        (["another", "gin"], "2. Choose        players, bots, names, options"),
        (["gin", "choose"], "How many players? (2 to 4)"),
        (["another", "sutter", "choose"], "How many players? (2 to 4)"),
        (["another", "b"], "`b` is not one of the choices. Type 1, 2 or 3, or ? for help."),
        (["another", "go", "choose"], "How many players?"),  # the whole name of a game
        (["another", "3", "br", "choose"], "How many players?"),
        (["another", "ba b"], "`ba b` is not one of the choices."),
    ],
)
def test_commands_and_words_before_a_game(
    wish_after: Wishing, capsys: pytest.CaptureFixture[str], typed: list[str], told: str
) -> None:
    with pytest.raises(SessionStopped):
        wish_after(*typed)
    assert told in capsys.readouterr().out.replace("\n", " ")


@pytest.mark.parametrize(
    ("typed", "players", "names", "options"),
    [
        (["choose", "3.", "2", "", "Ann", "0."], 3, ["Ann"], []),
        (["choose", "3", "2", "easy", "Ann", "back", "Bob", ""], 3, ["Bob"], []),
        (
            [
                "another",
                "3",
                "2",
                "choose",
                "back",
                "back",
                "chess",
                "choose",
                "2",
                "0",
                "Ann",
                "Bob",
                "",
            ],
            2,
            ["Ann", "Bob"],
            [],
        ),
        (["choose", "3", "2", "back", "back", "2", "1", "3", "q", ""], 2, ["q"], []),
        (["choose", "3", "0", "Ann", "Bob", "back", "back", "Cy", "Di", "Ed", ""], 3, None, []),
        (["choose", "3", "BACK", "back", "choose", "2", "", "", "", ""], 2, ["Player 1"], []),
        (
            ["choose", "", "", "", "", "how many", "3", "back", "1", "start"],
            2,
            ["Player 1"],
            ["rounds=1"],
        ),
        (["choose", "", "", "", "", "1", "3", "back", "back", "0"], 2, ["Player 1"], []),
    ],
)
def test_back_asks_the_question_before_again(
    wish_after: Wishing,
    typed: list[str],
    players: int,
    names: list[str] | None,
    options: list[str],
) -> None:
    wish = wish_after(*typed)
    assert (wish.players, wish.names, wish.options) == (
        players,
        names or ["Cy", "Di", "Ed"],
        options,
    )


@pytest.mark.parametrize(
    ("word", "value"), [("y", "on"), ("off", "off"), ("2.", "on"), ("n", "off"), ("", "off")]
)
def test_an_option_is_switched_in_any_words(
    wish_after: Wishing, pack: FakePack, word: str, value: str
) -> None:
    pack.options = (rulesdsl.OptionInfo("fog", "Fog", False, (False, True)),)
    assert wish_after("choose", "", "", "", "", "fog", word, "").options == [f"fog={value}"]


@pytest.mark.usefixtures("wish_after")
def test_a_line_typed_while_reading_is_the_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coloma.session.before.asking.book_lines", lambda *_: ["line"] * 60)
    screen = Screen(is_terminal=True)
    lines = ["choose", "rules", "3", "", "", "", ""]
    wish = Asking(screen, Typed(lines)).wish()
    assert isinstance(wish, Wish)
    assert wish.players == 3
    assert capsys.readouterr().out.count("line") == 22


def test_a_game_for_one_has_no_bots(
    wish_after: Wishing, capsys: pytest.CaptureFixture[str], pack: FakePack
) -> None:
    pack.players, pack.options = (1, 1), ()
    wish = wish_after("choose", "Ann")
    assert (wish.players, len(wish.bots), wish.names) == (1, 0, ["Ann"])
    assert "bots" not in capsys.readouterr().out


@pytest.mark.usefixtures("run")  # in the checkout
@pytest.mark.parametrize(
    ("typed", "aim"),
    [
        ("", Wish("content", players=4, bots=("normal",) * 3)),
        ("alone", Wish("content", players=1)),
        ("learn", Learning("content", 1)),
        ("1", Learning("content", 1)),
    ],
)
def test_the_first_screen_of_the_bundled_game(
    typed: str, aim: Wish | Learning, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Asking(Screen(width=60), Typed([typed])).wish() == aim
    out = capsys.readouterr().out
    assert "1. Learn it      47 steps; runs on into a game" in out
    assert "3. Play alone    against Shade\n" in out
    assert all(cell_len(line) <= 60 for line in out.splitlines())


@pytest.mark.usefixtures("run")
def test_the_values_of_an_option_are_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["choose", "", "", "", "", "the wheel", "stay", ""]
    wish = Asking(Screen(), Typed(lines)).wish()
    out = " ".join(capsys.readouterr().out.split())
    assert isinstance(wish, Wish)
    assert wish.options == ["rotation=stay"]
    assert "`stay`: back to Site 1, without an Event." in out


def test_a_saved_game_can_be_resumed_from_the_first_screen(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    run("play", "--pack", "tic_tac_toe", "--bots", "1xrandom", "--seed", "1", typed=["1"])
    aim = Asking(Screen(), Typed(["go on"])).wish()
    assert isinstance(aim, Path)
    assert aim.name == "tic_tac_toe-1-1.toml"
    assert "Go on         Tic-Tac-Toe, 2 choices made, " in capsys.readouterr().out


def test_a_game_of_this_folder_comes_first(here: Path) -> None:
    for name in ("", "beside"):
        (here / name).mkdir(exist_ok=True)
        manifest = f'id = "own-{name}"\nname = "Own {name}"\nkind = "game"\n'
        (here / name / "pack.toml").write_text(manifest)
    (here / "mod").mkdir()
    (here / "mod" / "pack.toml").write_text('id = "mod"\nkind = "mod"\n')

    found = [each.name for each in groups(games_at_hand())[""]]
    assert found == ["Own ", "Own beside", "Coloma", "Sutter's Mill"]


def test_a_group_leads_to_its_games(
    wish_after: Wishing, capsys: pytest.CaptureFixture[str]
) -> None:
    wish = wish_after("another", "3", "x", "2", "")
    out = capsys.readouterr().out
    assert wish.pack == "content/classics/breakthrough"
    assert "3. Classics\n     Backgammon, Breakthrough, Chess" in out
    assert "1. Backgammon 1.0.0\n  2. Breakthrough 1.0.0\n" in out


@pytest.mark.parametrize("typed", [("chess",), ("Chess",), ("another", "3", "CHESS")])
def test_a_game_can_be_named(wish_after: Wishing, typed: tuple[str, ...]) -> None:
    assert wish_after(*typed, "").pack == "content/classics/chess"


def test_words_of_two_games_name_neither(
    wish_after: Wishing, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [PackSummary(Path(name), name, f"Old {name}") for name in ("chess", "checkers", "go")]
    monkeypatch.setattr("coloma.session.before.asking.games_at_hand", lambda: games)
    with pytest.raises(SessionStopped):
        wish_after("another", "old ch")
    assert "`old ch` could be Old chess or Old checkers." in capsys.readouterr().out


@pytest.mark.usefixtures("pack")
def test_a_pipe_is_not_asked(run: Run) -> None:
    assert "what now?" not in run("play", typed=["quit"]).out
