"""Ctrl-C, Ctrl-D, a resize and a window of one cell, at every kind of question."""

from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

import rulesdsl
from cli.fake import FakePack, option_of
from cli.pseudo_terminal import PseudoTerminal
from coloma import bots
from coloma.session.before import asking, first_screen
from rulesdsl.bots.kinds import LEVELS
from rulesdsl.table.table import GameTable

INTERRUPT, END = "\x03", "\x04"
TINY = (1, 1)
SETUP = ("play",)
TOGETHER = ("play", "--players", "2", "--seed", "1")
ALONE = (*TOGETHER, "--bots", "1xrandom", "--option", "rounds=1")
LONG = rulesdsl.Topic("long", "Long", ("# Long", *(f"- line {at}" for at in range(60))), ())
NUMBERS = (option_of("take:one", "1"), option_of("take:two", "2"))


@attrs.frozen
class Moment:
    """A kind of question: the command and the lines before it, and what the screen shows then."""

    argv: tuple[str, ...]
    typed: str
    shows: str
    size: tuple[int, int] = (80, 24)


MOMENTS = {
    "first screen": Moment(SETUP, "", "what now?"),
    "game": Moment(SETUP, "another/", "Which game?"),
    "players": Moment(SETUP, "choose/", "How many players?"),
    "bots": Moment(SETUP, "choose//", "How many of them are bots?"),
    "level": Moment(SETUP, "choose///", "Random bots?"),
    "name": Moment(SETUP, "choose////", "Name of player 1?"),
    "options": Moment(SETUP, "choose/////", "Change which one?"),
    "value": Moment(SETUP, "choose/////1/", "How many rounds: 1, 2, 3?"),
    "pager before a game": Moment(SETUP, "rules/", "Enter: next page"),
    "choice": Moment(ALONE, "", "take some coins"),
    "unclear": Moment(ALONE, "x/", "`x` is not one of the choices."),
    "confirmation": Moment(ALONE, "take 1 coin/dra/", "Are you sure?"),
    "sealed": Moment(ALONE, "1/done/", "Player 1: bid"),
    "news": Moment(ALONE, "1/done/", "Press Enter to continue.", (80, 8)),
    "pager": Moment(ALONE, "rules/", "Enter: next page"),
    "end": Moment(ALONE, "1/done/1/", "Press Enter to finish"),
    "cover before": Moment(TOGETHER, "", "only you can see the screen."),
    "number": Moment(TOGETHER, "/", "Type 1 or 2."),
    "cover after": Moment(TOGETHER, "/1/draw/", "cover the screen for Player 2."),
    "cover between": Moment(TOGETHER, "/1/draw//", "only you can see the screen."),
}
Reached = Callable[..., PseudoTerminal]


@pytest.fixture
def reached(tmp_path: Path, pack: FakePack, monkeypatch: pytest.MonkeyPatch) -> Reached:
    assert pack is not None
    for module in (bots, asking, first_screen):  # other bots need a game that can be simulated
        monkeypatch.setattr(module, "USUAL", "random")
    monkeypatch.setattr(asking, "LEVELS", {"random": LEVELS["easy"]})
    monkeypatch.setattr(FakePack, "rulebook", lambda *_: rulesdsl.Rulebook((LONG,)))
    monkeypatch.setattr(GameTable, "can_undo_the_end", lambda _: True)

    def reach(name: str, size: tuple[int, int] | None = None) -> PseudoTerminal:
        moment = MOMENTS[name]
        if name == "number":
            monkeypatch.setattr("cli.fake.COINS", NUMBERS)
        shown = PseudoTerminal(tmp_path, *(size or moment.size), *moment.argv)
        shown.edits(*moment.typed.replace("/", "\r/").split("/")[:-1])
        if size is None:
            shown.shows(moment.shows)
        return shown

    return reach


def test_a_game_goes_on_in_the_new_size_of_its_window(reached: Reached) -> None:
    shown = reached("choice")
    try:
        shown.resize(*TINY)
        shown.resize(50, 24)
        shown.edits("\r")
        shown.shows("take 1 coin: whoever holds it sings a song at\n")
        shown.edits("1\r")
        shown.shows("Player 1: draw?")
    finally:
        shown.close()


@pytest.mark.parametrize("key", [INTERRUPT, END])
@pytest.mark.parametrize("window", ["usual", "made tiny", "tiny"])
@pytest.mark.parametrize("name", MOMENTS)
def test_a_session_stops_at_every_question(
    name: str, window: str, key: str, reached: Reached, tmp_path: Path
) -> None:
    shown = reached(name, TINY if window == "tiny" else None)
    try:
        if window == "made tiny":
            shown.resize(*TINY)
        shown.write(key)
        assert shown.end() == (130 if key == INTERRUPT else 0)
    finally:
        shown.close()
    out = shown.raw.decode()
    assert "Traceback" not in out
    assert "Unhandled" not in out
    journals = [*tmp_path.rglob("*.toml")]
    if MOMENTS[name].argv == SETUP:
        assert out.endswith(" No game has begun.\r\n")
        assert journals == []
    else:
        assert f"The game is saved in {journals[0]}" in out
        assert ("Interrupted." in out) is (key == INTERRUPT)
