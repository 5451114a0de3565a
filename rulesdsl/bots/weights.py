"""What bots have learned, as TOML that a person can read: one file beside the content of a game.

```toml
game = "some-game"
games = 8000
seed = 0

[weights]
"shop: buy:ruby" = 1.25
"shop: done" = -0.4

[held."cards in hand"]
"shop: done" = [-1.5, -0.5, 0, 0, 0.25, 1, 0, 0, 0]
```

A weight is a natural logarithm: an option with 1.0 comes 2.7 times as often as one with 0.0.  What
is `held` is added where a player has no card in hand, 1, 2, 3, from 4, 6, 10, 20, 40 on.
"""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import tomli_w

from rulesdsl.bots.learned import FARTHEST, Learned, known
from rulesdsl.interpreter.simulator.holdings import LEVELS, MANY_LEVELS
from rulesdsl.interpreter.simulator.weighing import holdings_for
from rulesdsl.packs.folder import BOTS, MAX_BYTES
from rulesdsl.packs.toml_file import read_toml
from rulesdsl.source.excerpt import in_short
from rulesdsl.source.files import read_file, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.interpreter.pack import Pack
    from rulesdsl.interpreter.simulator.offers import OptionName

FILE = PurePath(BOTS, "trained.toml")
"""Where the weights of a game are, in its folder."""
CHANGED = 0.25  # house: the share of options that may be new, or gone, since bots learned


_LIMIT = f"a number from {-FARTHEST:g} to {FARTHEST:g}"


class WeightsError(ValueError):
    """Weights that cannot be read or do not fit; the message says the file and what to do."""


def written(learned: Learned, pack: Pack, seed: int) -> str:
    """Return what has been learned as the text of a file."""
    weights = {name: round(each, 2) for name, each in sorted(learned.weights.items()) if name}
    head = {"game": pack.id, "games": learned.games, "seed": seed}
    said = "# How good options are, learned by playing: logarithms of how often bots take them.\n"
    return said + tomli_w.dumps({**head, "weights": weights}) + "".join(_held(learned))


def _held(learned: Learned) -> Iterator[str]:
    """Yield the tables of what is added where one has something: an option in each line."""
    if learned.held:
        levels = ", ".join(map(str, LEVELS))
        yield f"\n# What is added where one has none of something, or from {levels} on.\n"
    for holding, of in learned.held.items():
        yield f"[held.{json.dumps(holding)}]\n"
        for name, levels_of in sorted(of.items()):
            rounded = [round(each, 1) or 0 for each in levels_of]
            if name and any(rounded):
                added = ", ".join(map(str, rounded))
                yield f"{json.dumps(name, ensure_ascii=False)} = [{added}]\n"
        yield "\n"


def read(path: Path, pack: Pack) -> Learned:
    """Read what was learned of a game; WeightsError where the file is none of that game."""
    try:
        data = read_toml(read_file(path, MAX_BYTES).decode("utf-8"))
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {reason(error)}") from None
    except ValueError as error:  # it is not UTF-8, not TOML, or too deep
        raise WeightsError(f"{path} is not TOML: {in_short(str(error))}") from None
    if data.get("game") != pack.id:
        raise WeightsError(f"{path} has the weights of another game than {pack.id}")
    games, weights = data.get("games"), data.get("weights")
    if type(games) is not int or games < 0:
        raise WeightsError(f"{path}: `games` is how many games were played: a number from 0 on")
    if not isinstance(weights, dict):
        raise WeightsError(f"{path} has no table `weights`")
    for name, weight in weights.items():
        if not _is_weight(weight):
            raise WeightsError(f"{path}: the weight of `{in_short(name)}` is not {_LIMIT}")
    held = _read_held(path, data.get("held", {}))
    try:
        holdings_for(pack.setting(pack.players[0], {}, log=True), Learned(held=held).taste)
    except ValueError as error:
        raise WeightsError(f"{path}: {error}") from None
    return Learned({name: float(each) for name, each in weights.items()}, games, held)


def holdings_in(path: Path) -> list[str]:
    """Return what those look at who learned last time; nothing where that cannot be read."""
    try:
        held = read_toml(read_file(path, MAX_BYTES).decode("utf-8")).get("held")
    except (OSError, ValueError):
        return []
    return [*held] if isinstance(held, dict) else []


def _read_held(path: Path, tables: object) -> dict[str, dict[str, list[float]]]:
    """Return what is added where one has something."""
    if not isinstance(tables, dict) or not all(isinstance(e, dict) for e in tables.values()):
        raise WeightsError(f"{path}: `held` is one table for each thing that players have")
    for holding, table in tables.items():
        for name, levels in table.items():
            many = isinstance(levels, list) and len(levels) == MANY_LEVELS
            if not many or not all(map(_is_weight, levels)):
                where = f"`{in_short(name)}` in [held.{in_short(json.dumps(holding))}]"
                raise WeightsError(
                    f"{path}: {where} is not a list of {MANY_LEVELS} weights, each {_LIMIT}"
                )
    return {
        holding: {name: [float(e) for e in levels] for name, levels in table.items()}
        for holding, table in tables.items()
    }


def _is_weight(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return isfinite(value) and abs(value) <= FARTHEST


def check_fit(learned: Learned, options: Iterable[OptionName]) -> None:
    """Raise WeightsError where the options are others than those that bots learned about."""
    there = known(options)
    learnt = frozenset(e for e in learned.weights if not e.rpartition(" ")[2].isdigit())
    for changed, all_, what in ((there - learnt, there, "new"), (learnt - there, learnt, "gone")):
        if len(changed) > CHANGED * len(all_):
            raise WeightsError(
                "the content has changed too much since bots learned it:"
                f" {len(changed)} of {len(all_)} options are {what}; `coloma train` learns again"
            )
