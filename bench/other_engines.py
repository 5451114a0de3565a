"""The small games on other engines, if these are installed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Final

from bench import boardgame_io, openspiel, table
from bench.small_games import SMALL_GAMES
from bench.timing import compare

if TYPE_CHECKING:
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
_Playing = Callable[["SmallGame"], AbstractContextManager["Work | Elsewhere"]]


def _find_openspiel() -> _Playing | str:
    return openspiel.missing() or (lambda game: nullcontext(openspiel.random_games(game.stem)))


def _find_boardgame_io() -> _Playing | str:
    found = boardgame_io.find()
    if isinstance(found, str):
        return f"not installed ({found})"
    return partial(boardgame_io.playing, found)


# Name, and a function that returns a player of small games, or a text that names the missing part.
_ENGINES: Final[tuple[tuple[str, Callable[[], _Playing | str]], ...]] = (
    ("OpenSpiel", _find_openspiel),
    ("boardgame.io", _find_boardgame_io),
)


def report(seconds: float) -> str:
    """Measure the small games on every installed engine, and return the section."""
    rows = []
    remarks = []
    for name, find in _ENGINES:
        playing = find()
        if isinstance(playing, str):
            remarks.append(f"{name}: {playing}")
            continue
        try:
            for game in SMALL_GAMES:
                with playing(game) as theirs:
                    rows.append(_row(game, name, theirs, seconds))
        except boardgame_io.ChildError as error:
            remarks.append(f"{name}: failed ({error})")
    if not openspiel.missing():
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
    """Compare whole games in C++ with the playouts of the pack."""
    both = compare(openspiel.rollouts(game.stem), game.as_playouts(), seconds)
    return [
        game.name,
        "OpenSpiel's rollouts",
        table.number(both.first.units.median),
        "-",
        "playouts",
        table.number(both.second.units.median),
        table.ratio(both.unit_ratio),
    ]
