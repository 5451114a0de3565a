"""What bots have learned, as TOML that a person can read: one file beside the content of a game.

```toml
game = "some-game"
games = 8000
seed = 0

[weights]
"shop: buy:ruby" = 1.25
"shop: done" = -0.4
```

A weight is a natural logarithm: an option with 1.0 comes 2.7 times as often as one with 0.0.
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import tomli_w

from rulesdsl.bots.training import FARTHEST, Learned, known
from rulesdsl.packs.folder import BOTS, MAX_BYTES
from rulesdsl.packs.toml_file import read_toml
from rulesdsl.source.files import read_file, reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.interpreter.pack import Pack
    from rulesdsl.interpreter.simulator.offers import OptionName

FILE = PurePath(BOTS, "trained.toml")
"""Where the weights of a game are, in its folder."""
CHANGED = 0.25  # house: the share of options that may be new, or gone, since bots learned


class WeightsError(ValueError):
    """Weights that cannot be read or do not fit; the message says the file and what to do."""


def written(learned: Learned, pack: Pack, seed: int) -> str:
    """Return what has been learned as the text of a file."""
    weights = {name: round(each, 2) for name, each in sorted(learned.weights.items()) if name}
    head = {"game": pack.id, "games": learned.games, "seed": seed}
    said = (
        "# How good options are, learned by self-play: logarithms of how often bots take them.\n"
    )
    return said + tomli_w.dumps({**head, "weights": weights})


def read(path: Path, pack: Pack) -> Learned:
    """Read what was learned of a game; WeightsError where the file is none of that game."""
    try:
        data = read_toml(read_file(path, MAX_BYTES).decode("utf-8"))
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {reason(error)}") from None
    except ValueError as error:  # it is not UTF-8, not TOML, or too deep
        raise WeightsError(f"{path} is not TOML: {error}") from None
    if data.get("game") != pack.id:
        raise WeightsError(f"{path} has the weights of another game than {pack.id}")
    games, weights = data.get("games"), data.get("weights")
    if type(games) is not int or games < 0:
        raise WeightsError(f"{path}: `games` is how many games were played: a number from 0 on")
    if not isinstance(weights, dict):
        raise WeightsError(f"{path} has no table `weights`")
    for name, weight in weights.items():
        number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not number or not isfinite(weight) or abs(weight) > FARTHEST:
            limit = f"a number from {-FARTHEST:g} to {FARTHEST:g}"
            raise WeightsError(f"{path}: the weight of `{name}` is not {limit}")
    return Learned({name: float(each) for name, each in weights.items()}, games)


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
