import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

import rulesdsl
from cli.pseudo_terminal import ROOT, PseudoTerminal
from coloma.session.start import Wish, begin

SCREENS = Path(__file__).parent / "screens"
SIZES = (
    (80, 24),
    *(pytest.param(each, marks=pytest.mark.nightly) for each in ((120, 40), (60, 24))),
)
TRIES = 40
Found = Callable[[rulesdsl.Game], bool]


@attrs.frozen
class Moment:
    players: int
    fits: Found
    pack: str | None = None
    bots: int = -1  # all but the first
    typed: tuple[str, ...] = ()


def _kept(game: rulesdsl.Game) -> dict[str, Any]:
    board = game.view(1)["board"]
    assert isinstance(board, dict)
    return board


def _at_site(name: str) -> Found:
    def fits(game: rulesdsl.Game) -> bool:
        panel = next(each for each in game.board(1) if each.title == "Wheel")
        assert isinstance(panel.body, rulesdsl.Rows)
        here = [row for row in panel.body.rows if any(each.seat == 1 for each in row.cell)]
        words = [word for row in here for word in (row.label, rulesdsl.in_words(row.cell))]
        return _kept(game)["acting?"][0] == 1 and any(name in word for word in words)

    return fits


def _asked_to_pay(game: rulesdsl.Game) -> bool:
    return game.decision is not None and " to pay. " in game.decision.prompt


def _second_round(game: rulesdsl.Game) -> bool:
    return bool(_kept(game)["round"] == 2)


def _last_question(game: rulesdsl.Game) -> bool:
    after = game.clone()
    after.choose(0, 1)
    while after.decision is not None and after.decision.player != 1:
        after.choose(0, after.decision.player)
    return after.decision is None


def _begun(game: rulesdsl.Game) -> bool:
    return game.decision is not None


def _later(game: rulesdsl.Game) -> bool:
    return game.log_length > 30


MOMENTS = {
    "first-question": Moment(3, _begun),
    "after-a-choice": Moment(3, _begun, typed=("1",)),
    "site-3": Moment(4, _at_site("3 Build")),
    "site-4": Moment(4, _at_site("4 Wagon")),
    "barker": Moment(3, _at_site("Barker")),
    "payment": Moment(3, _asked_to_pay),
    "shootout": Moment(3, _second_round),
    "end": Moment(2, _last_question, typed=("1",)),
    "solo": Moment(1, _at_site("4 Wagon"), bots=0),
    "board": Moment(5, _second_round, typed=("board",)),
    "map": Moment(5, _second_round, typed=("board map",)),
    "two-people": Moment(2, _at_site("3 Build"), bots=0),
    "sutters-mill": Moment(3, _later, pack="content/sutters_mill"),
    "four-in-a-row": Moment(2, _later, pack="content/classics/four_in_a_row"),
}


def _journal(moment: Moment, folder: Path) -> Path:
    bots = ("random",) * (moment.players - 1 if moment.bots < 0 else moment.bots)
    for seed in range(TRIES):
        path = folder / f"{seed}.toml"
        wish = Wish(moment.pack, players=moment.players, bots=bots, seed=seed, journal=path)
        table, chance = begin(wish).table, random.Random(seed)
        while (decision := table.game.decision) is not None:
            if table.let_a_bot_choose():
                continue
            if decision.player == 1 and moment.fits(table.game):
                return path
            table.choose(decision, chance.randrange(decision.count))
    raise AssertionError("no game came to this moment")


@contextmanager
def _resumed(journal: Path, size: tuple[int, int], cache: Path) -> Iterator[PseudoTerminal]:
    command = ("play", "--resume", str(journal))
    kept = {"XDG_CACHE_HOME": str(cache)}  # our own: compiling takes the longest
    terminal = PseudoTerminal(journal.parent, size[0], size[1], *command, **kept)
    try:
        yield terminal
    finally:
        terminal.close()


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", MOMENTS)
def test_the_screen_is_as_it_was(
    name: str,
    size: tuple[int, int],
    tmp_path: Path,
    update_golden: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    journal = _journal(MOMENTS[name], tmp_path)
    with _resumed(journal, size, cache) as terminal:
        pages = [terminal.asked()]
        if "Press Enter when" in pages[-1]:
            pages = [terminal.type("")]
        for line in ("", *MOMENTS[name].typed):
            while "Press Enter to continue." in pages[-1]:
                pages.append(terminal.type(""))
            if line:
                pages = [terminal.type(line)]
    seen = "\n".join(pages)
    seen = seen.partition("The game is saved in")[0]  # a folder of its own each time
    golden = SCREENS / f"{name}-{size[0]}x{size[1]}.txt"
    if update_golden:
        golden.write_text(seen, encoding="utf-8")
    assert seen == golden.read_text(encoding="utf-8"), f"{name} at {size}"
