"""The small games on other people's engines, where those are installed."""

from __future__ import annotations

import importlib
import importlib.util
import random
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, cast

from bench import boardgame_io, table
from bench.small_games import SMALL_GAMES
from bench.timing import compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.small_games import SmallGame
    from bench.timing import Elsewhere, Work

_TITLE: Final = "Other engines: random games per CPU second"
_HEADER: Final = (
    "game",
    "engine",
    "engine: games/s",
    "plies/game",
    "ours",
    "ours: games/s",
    "ours / engine",
)
_SEED: Final = 1
_ROLLOUTS: Final = 300  # a search of OpenSpiel with one simulation is so many games


class _SpielState(Protocol):
    def is_terminal(self) -> bool:
        """Tell whether the game is over."""

    def legal_actions(self) -> Sequence[int]:
        """List the numbers of the legal moves."""

    def apply_action(self, action: int) -> None:
        """Make a move."""


class _SpielGame(Protocol):
    def new_initial_state(self) -> _SpielState:
        """Set the game up."""


class _SpielBot(Protocol):
    def mcts_search(self, state: _SpielState) -> object:
        """Look at a position; it is not changed."""


class _Spiel(Protocol):
    def load_game(self, name: str) -> _SpielGame:
        """Find a game by its name."""

    def RandomRolloutEvaluator(self, rollouts: int, seed: int) -> object:  # noqa: N802 - theirs
        """Give what plays so many random games from a position, in C++."""

    def MCTSBot(  # noqa: N802 - theirs
        self,
        game: _SpielGame,
        evaluator: object,
        uct_c: float,
        simulations: int,
        megabytes: int,
        solve: bool,  # noqa: FBT001
        seed: int,
        verbose: bool,  # noqa: FBT001
    ) -> _SpielBot:
        """Give a tree search."""


def _openspiel(game: SmallGame) -> Work:
    """Give OpenSpiel's own C++ game, driven from Python, as work whose units are plies."""
    spiel = cast("_Spiel", importlib.import_module("pyspiel"))
    start = spiel.load_game(game.stem)
    draw = random.Random(_SEED).random

    def playout() -> int:
        state = start.new_initial_state()
        plies = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            plies += 1
        return plies

    return playout


def _openspiel_rollouts(game: SmallGame) -> Work:
    """Give whole random games in OpenSpiel's C++ as work whose units are games.

    The first simulation of a search looks at the position itself, which is that many rollouts.
    """
    spiel = cast("_Spiel", importlib.import_module("pyspiel"))
    found = spiel.load_game(game.stem)
    evaluator = spiel.RandomRolloutEvaluator(_ROLLOUTS, _SEED)
    bot = spiel.MCTSBot(found, evaluator, 1.0, 1, 100, False, _SEED, False)  # noqa: FBT003
    start = found.new_initial_state()

    def search() -> int:
        bot.mcts_search(start)
        return _ROLLOUTS

    return search


_Playing = Callable[["SmallGame"], AbstractContextManager["Work | Elsewhere"]]


def _find_openspiel() -> _Playing | str:
    if importlib.util.find_spec("pyspiel") is None:
        return "no module pyspiel"
    return lambda game: nullcontext(_openspiel(game))


def _find_boardgame_io() -> _Playing | str:
    found = boardgame_io.find()
    return found if isinstance(found, str) else partial(boardgame_io.playing, found)


# What people call it, and how to play a small game on it, or what is missing.
_ENGINES: Final[tuple[tuple[str, Callable[[], _Playing | str]], ...]] = (
    ("OpenSpiel", _find_openspiel),
    ("boardgame.io", _find_boardgame_io),
)


def report(seconds: float) -> str:
    """Measure the small games on every engine that is installed, and write the section."""
    rows = []
    remarks = []
    for name, find in _ENGINES:
        playing = find()
        if isinstance(playing, str):
            remarks.append(f"{name}: not installed ({playing})")
            continue
        try:
            for game in SMALL_GAMES:
                with playing(game) as theirs:
                    rows.append(_row(game, name, theirs, seconds))
        except boardgame_io.ChildError as error:
            remarks.append(f"{name}: failed ({error})")
    if not isinstance(_find_openspiel(), str):
        rows += [_rollouts(game, seconds) for game in SMALL_GAMES if game.has_pack()]
    measured = table.render(_TITLE, _HEADER, rows) if rows else f"{_TITLE}\n{'=' * len(_TITLE)}"
    return "\n".join([measured, *remarks])


def _row(game: SmallGame, engine: str, theirs: Work | Elsewhere, seconds: float) -> list[str]:
    name, ours = ("pack", game.as_pack()) if game.has_pack() else ("by hand", game.by_hand())
    both = compare(theirs, ours, seconds)
    return [
        game.name,
        engine,
        table.number(both.first.calls.median),
        table.number(both.first.units_per_call),
        name,
        table.number(both.second.calls.median),
        table.ratio(both.ratio),
    ]


def _rollouts(game: SmallGame, seconds: float) -> list[str]:
    """Measure whole games in C++ against the playouts of the pack."""
    both = compare(_openspiel_rollouts(game), game.as_playouts(), seconds)
    return [
        game.name,
        "OpenSpiel's rollouts",
        table.number(both.first.units.median),
        "-",
        "playouts",
        table.number(both.second.units.median),
        table.ratio(both.unit_ratio),
    ]
