"""Speed of the shipped games: playing, copying, saving, restoring and loading."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import attrs

from bench import table
from bench.engine import Playouts, RandomGames, load_pack
from bench.loading import load_times
from bench.timing import compare, measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bench.engine import Game, Pack
    from bench.timing import Work

CONTENT: Final = Path(__file__).parents[1] / "content"
_TITLE: Final = "Shipped games, four players at random"
_PLAYERS: Final = 4
_SEED: Final = 1
_POSITIONS: Final = 16
_MICROSECONDS: Final = 1e6

Rows = list[tuple[str, str]]
_T = TypeVar("_T")


@attrs.frozen
class Shipped:
    """A game, alone or with mods, which are folders inside its own."""

    folder: Path
    mods: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The heading of the game's column."""
        return " + ".join([self.folder.name, *(Path(mod).name for mod in self.mods)])


def shipped_packs(content: Path = CONTENT) -> list[Shipped]:
    """Find the games in the content folder, each alone and with all its mods."""
    found: list[Shipped] = []
    for manifest in (*content.glob("pack.toml"), *sorted(content.glob("*/pack.toml"))):
        game = manifest.parent
        mods = sorted(each.parent.relative_to(game) for each in game.glob("mods/*/pack.toml"))
        found.append(Shipped(game))
        if mods:
            found.append(Shipped(game, tuple(map(str, mods))))
    return found


def report(seconds: float, packs: Iterable[Shipped] | None = None) -> str:
    """Measure every shipped game, and return the section."""
    games = shipped_packs() if packs is None else list(packs)
    if not games:
        return f"{_TITLE}\n{'=' * len(_TITLE)}\nno pack found"
    columns = [_column(game, seconds) for game in games]
    labels = [label for label, _ in columns[0]]
    rows = [
        [label, *(column[index][1] for column in columns)] for index, label in enumerate(labels)
    ]
    return table.render(_TITLE, ["", *(game.name for game in games)], rows)


def _column(game: Shipped, seconds: float) -> Rows:
    pack = load_pack(game.folder, [game.folder / mod for mod in game.mods])
    return [*_playing(pack, seconds), *_copying(pack, seconds), *_loading(game)]


def _playing(pack: Pack, seconds: float) -> Rows:
    silent = RandomGames(pack, _PLAYERS, random.Random(_SEED))
    logged = RandomGames(pack, _PLAYERS, random.Random(_SEED), log=True)
    both = compare(silent, logged, seconds)
    straight = compare(_games(silent), Playouts(pack, _PLAYERS), seconds)
    return [
        ("decisions per CPU second, without log", table.number(both.first.units.median)),
        ("decisions per CPU second, with log", table.number(both.second.units.median)),
        ("with log / without", table.ratio(both.unit_ratio)),
        ("games per CPU second, without log", table.number(both.first.calls.median)),
        ("playouts per CPU second", table.number(straight.second.units.median)),
        ("playouts / games", table.ratio(straight.unit_ratio)),
        ("decisions per game", table.number(both.first.units_per_call)),
    ]


def _games(games: RandomGames) -> Work:
    """Return games as work whose units are games."""

    def work() -> int:
        games()
        return 1

    return work


def _copying(pack: Pack, seconds: float) -> Rows:
    positions = sample_positions(RandomGames(pack, _PLAYERS, random.Random(_SEED)))
    saves = [position.to_data() for position in positions]
    works = {
        "clone": _each(lambda position: position.clone(), positions),
        "to_data": _each(lambda position: position.to_data(), positions),
        "game_from_data": _each(pack.game_from_data, saves),
    }
    return [
        (f"{name}, microseconds", _microseconds(work, seconds)) for name, work in works.items()
    ]


def sample_positions(games: RandomGames, count: int = _POSITIONS) -> list[Game]:
    """Play one game, and return copies taken at regular intervals."""
    game = games.new_game()
    every: list[Game] = []
    rng = random.Random(_SEED)
    while (decision := game.decision) is not None:
        every.append(game.clone())
        game.choose(rng.randrange(decision.count))
    kept = min(count, len(every))
    return [every[index * len(every) // kept] for index in range(kept)]


def _each(act: Callable[[_T], object], things: Sequence[_T]) -> Work:
    """Return work that applies a function to every element; each element is a unit."""

    def work() -> int:
        for thing in things:
            act(thing)
        return len(things)

    return work


def _microseconds(work: Work, seconds: float) -> str:
    return table.number(_MICROSECONDS / measure(work, seconds).units.median)


def _loading(game: Shipped) -> Rows:
    times = load_times(game.folder, game.mods)
    cached = "no cache" if times.cached is None else table.number(times.cached)
    return [
        ("import the engine, CPU seconds", table.number(times.importing)),
        ("load and check, no cache, CPU seconds", table.number(times.cold)),
        ("load, cache filled, CPU seconds", cached),
    ]
