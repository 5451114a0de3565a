from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.fake import FakePack
from coloma.packs import groups
from coloma.session.answers import SessionStopped
from coloma.session.screen import Screen
from coloma.session.start import Asking, Wish, games_at_hand


class Typed:
    is_terminal = True

    def __init__(self, lines: Sequence[str]) -> None:
        self._left = [*lines]

    def next_line(self) -> str:
        if not self._left:
            raise SessionStopped("The input has ended.")
        return self._left.pop(0)

    def refuse(self, advice: str) -> str:
        return advice


def asked(*lines: str) -> Wish:
    return Asking(Screen(), Typed(lines)).wish()


pytestmark = pytest.mark.usefixtures("pack", "run")


def test_enter_takes_every_default() -> None:
    wish = asked("", "", "", "", "")

    assert wish == Wish("content", players=2, bots=("quick",), names=["Player 1"], options=[])


def test_everything_can_be_chosen() -> None:
    wish = asked("2", "3", "1", "Ann", "Bob", "1", "3", "0")

    assert wish.pack == "content/sutters_mill"
    assert (wish.players, len(wish.bots), wish.names) == (3, 1, ["Ann", "Bob"])
    assert wish.options == ["rounds=3"]


def test_what_cannot_be_is_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    wish = asked(
        *("9", "x", "1"),
        *("1", "5", "2"),
        *("3", "-1", "0"),
        *("Ann", "ann", "\x1b[2J", "y" * 40, "Bob"),
        *("4", "1", "7", "2", ""),
    )
    out = capsys.readouterr().out

    assert (wish.players, len(wish.bots), wish.names) == (2, 0, ["Ann", "Bob"])
    assert wish.options == ["rounds=2"]
    assert "Type a number from 2 to 4." in out
    assert "Type a number from 0 to 2." in out
    assert "That name is taken: ann." in out
    assert "option rounds cannot be 7: it is one of 1, 2, 3" in out
    assert "\x1b" not in out


def test_who_plays_alone_is_not_asked_for_bots(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], pack: FakePack
) -> None:
    pack.players, pack.options = (1, 1), ()
    wish = asked("1", "Ann")

    assert monkeypatch is not None
    assert (wish.players, len(wish.bots), wish.names) == (1, 0, ["Ann"])
    assert "bots" not in capsys.readouterr().out


def test_a_game_of_this_folder_comes_first(here: Path) -> None:
    for name in ("", "beside"):
        (here / name).mkdir(exist_ok=True)
        manifest = f'id = "own-{name}"\nname = "Own {name}"\nkind = "game"\n'
        (here / name / "pack.toml").write_text(manifest)
    (here / "mod").mkdir()
    (here / "mod" / "pack.toml").write_text('id = "mod"\nkind = "mod"\n')

    found = [each.name for each in groups(games_at_hand())[""]]
    assert found == ["Own ", "Own beside", "Coloma", "Sutter's Mill"]


def test_a_game_of_a_group_is_asked_for_after_the_group(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wish = asked("3", "x", "2", "", "", "", "", "")
    out = capsys.readouterr().out

    assert wish.pack == "content/classics/breakthrough"
    assert "3. Classics\n     Backgammon, Breakthrough, Chess" in out
    assert "1. Backgammon 1.0.0\n  2. Breakthrough 1.0.0\n" in out


@pytest.mark.parametrize("typed", [("chess",), ("Chess",), ("3", "CHESS")])
def test_a_game_can_be_named(typed: tuple[str, ...]) -> None:
    assert asked(*typed, "", "", "", "").pack == "content/classics/chess"


def test_a_pipe_and_an_option_are_not_asked(run: Run) -> None:
    assert "Which game?" not in run("play", typed=["quit"]).out
    assert "Which game?" not in run("play", "--bots", "0", typed=["quit"]).out
