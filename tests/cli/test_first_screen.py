"""The first screen of `coloma play`, and the questions after it."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from rich.cells import cell_len

import rulesdsl
from cli.conftest import Run
from cli.fake import FakePack
from coloma.output import say
from coloma.packs import PackSummary, games_at_hand, groups
from coloma.session.answers import (
    NO_PROMPT,
    Prompt,
    SessionStopped,
)
from coloma.session.before.asking import Asking
from coloma.session.before.first_screen import Learning
from coloma.session.screen import Screen
from coloma.session.start import Wish


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
