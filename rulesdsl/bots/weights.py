"""Bots' learned weights and levels of difficulty as readable TOML beside the content of a game."""

# The file contains the `game`, the number of `games` that were played and the `seed`. The table
# `weights` has a line for each option, such as `"shop: buy:ruby" = 1.25`. A weight is a natural
# logarithm: an option with 1.0 is chosen 2.7 times as often as one with 0.0. Tables such as
# `held."cards in hand"` have a list of nine numbers for each option. One of these is added to its
# weight: the first if the player has no cards in hand, the others for at least 1, 2, 3, 4, 6, 10,
# 20 and 40 cards.
#
# Another file, which people write, has tables `easy`, `normal` and `hard`, each with a `bot` and
# its `iterations` per choice. What it leaves out is as in `kinds.LEVELS`.

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from pathlib import Path, PurePath

import attrs
import tomli_w

from rulesdsl.bots.kinds import KINDS, LEVELS, Level
from rulesdsl.bots.learned import FARTHEST, Learned, name_of
from rulesdsl.bots.training import known
from rulesdsl.interpreter.arguments import whole
from rulesdsl.interpreter.pack import Pack
from rulesdsl.interpreter.simulator.action_space import (
    LEVELS as HELD_LEVELS,
)
from rulesdsl.interpreter.simulator.action_space import (
    MANY_LEVELS,
    OptionName,
    holdings_for,
)
from rulesdsl.packs.folder import BOTS, MAX_BYTES
from rulesdsl.packs.toml_document import TomlTable, read_toml
from rulesdsl.source.english import and_list, or_list
from rulesdsl.source.files import read_file, reason
from rulesdsl.source.ranges import ITERATIONS
from rulesdsl.source.render import in_short

FILE = PurePath(BOTS, "trained.toml")  # within a game's folder
LEVELS_FILE = PurePath(BOTS, "levels.toml")
CHANGED = 0.25  # tolerated share of options added or removed since training
_SEARCHING = [name for name, kind in KINDS.items() if kind.thinks and name not in LEVELS]
_LIMIT = f"a number from {-FARTHEST:g} to {FARTHEST:g}"


class WeightsError(ValueError):
    """Unreadable or unsuitable weights; the message names the file and suggests a remedy."""


def written(learned: Learned, pack: Pack, seed: int) -> str:
    """Return learned weights as the contents of a file."""
    weights = {name: round(each, 2) for name, each in sorted(learned.weights.items()) if name}
    head = {"game": pack.id, "games": learned.games, "seed": seed}
    said = "# Option weights learned in self-play: logarithms of relative frequencies.\n"
    return said + tomli_w.dumps({**head, "weights": weights}) + "".join(_held(learned))


def _held(learned: Learned) -> Iterator[str]:
    """Yield the TOML tables of weights that depend on amounts held, one option per line."""
    if learned.held:
        levels = ", ".join(map(str, HELD_LEVELS))
        yield f"\n# Added if a player holds an amount of something: none, or at least {levels}.\n"
    for holding, of in learned.held.items():
        yield f"[held.{json.dumps(holding)}]\n"
        for name, row in sorted(of.items()):
            rounded = [round(each, 1) or 0 for each in row]
            if name and any(rounded):
                yield f"{json.dumps(name, ensure_ascii=False)} = {rounded}\n"
        yield "\n"


def read(path: Path, pack: Pack) -> Learned:
    """Read a game's weights; raise WeightsError for an invalid file or one for another game."""
    data = _data(path)
    if data.get("game") != pack.id:
        raise WeightsError(f"{path} has the weights of a game other than {pack.id}")
    games, weights = data.get("games"), data.get("weights")
    if type(games) is not int or games < 0:
        raise WeightsError(f"{path}: `games` must be the number of games played, 0 or more")
    if not isinstance(weights, dict):
        raise WeightsError(f"{path} has no table `weights`")
    for name, weight in weights.items():
        if not _is_weight(weight):
            raise WeightsError(f"{path}: the weight of `{in_short(name)}` is not {_LIMIT}")
    held = _read_held(path, data.get("held", {}))
    try:
        holdings_for(
            Learned(held=held).taste, pack.setting(pack.players[0], {}, log=True).holdings
        )
    except ValueError as error:
        raise WeightsError(f"{path}: {error}") from None
    return Learned({name: float(each) for name, each in weights.items()}, games, held)


def read_levels(game: Path) -> Mapping[str, Level]:
    """Return the easy, normal and hard bots of the game in a folder.

    Raise WeightsError for an invalid file.
    """
    path = game / LEVELS_FILE
    if not path.exists():
        return LEVELS
    levels = dict(LEVELS)
    for name, level in _data(path).items():
        try:
            levels[name] = _level(name, level)
        except ValueError as error:
            raise WeightsError(f"{path}: {error}") from None
    return levels


def _level(name: str, level: object) -> Level:
    if name not in LEVELS:
        raise ValueError(f"there is no level `{in_short(name)}`, only {and_list([*LEVELS])}")
    if not isinstance(level, dict) or level.keys() != {"bot", "iterations"}:
        raise ValueError(f"`{name}` must be a table with `bot` and `iterations`")
    if level["bot"] not in _SEARCHING:
        raise ValueError(f"the bot of `{name}` must be {or_list(_SEARCHING)}")
    return Level(level["bot"], whole("iterations", level["iterations"], ITERATIONS))


def _data(path: Path) -> TomlTable:
    try:
        return read_toml(read_file(path, MAX_BYTES).decode("utf-8"))
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {reason(error)}") from None
    except ValueError as error:  # not UTF-8, not TOML, or nested too deeply
        raise WeightsError(f"{path} is not valid TOML: {in_short(str(error))}") from None


def holdings_in(path: Path) -> list[str]:
    """Return the amounts that a weights file uses; none if the file cannot be read."""
    try:
        held = read_toml(read_file(path, MAX_BYTES).decode("utf-8")).get("held")
    except (OSError, ValueError):
        return []
    return [*held] if isinstance(held, dict) else []


def _read_held(path: Path, tables: object) -> dict[str, dict[str, list[float]]]:
    if not isinstance(tables, dict) or not all(isinstance(e, dict) for e in tables.values()):
        raise WeightsError(f"{path}: `held` must have one table for each holding")
    found: dict[str, dict[str, list[float]]] = {holding: {} for holding in tables}
    rows = ((key, *each) for key, table in tables.items() for each in table.items())
    for holding, name, levels in rows:
        many = isinstance(levels, list) and len(levels) == MANY_LEVELS
        if not many or not all(map(_is_weight, levels)):
            where = f"`{in_short(name)}` in [held.{in_short(json.dumps(holding))}]"
            wanted = f"a list of {MANY_LEVELS} weights, each {_LIMIT}"
            raise WeightsError(f"{path}: {where} is not {wanted}")
        found[holding][name] = [float(each) for each in levels]
    return found


def _is_weight(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return isfinite(value) and abs(value) <= FARTHEST


def fitted(learned: Learned, options: Iterable[OptionName]) -> Learned:
    """Return weights under the present ids of options, also if they were learned under former ids.

    Raise WeightsError if too many options differ from those seen in training.
    """
    options = list(options)
    formerly = {f"{option.asked}: {option.former_id}": name_of(option) for option in options}
    present = {old: new for old, new in formerly.items() if old not in formerly.values()}
    learned = attrs.evolve(
        learned,
        weights={present.get(name, name): weight for name, weight in learned.weights.items()},
        held={
            holding: {present.get(name, name): row for name, row in of.items()}
            for holding, of in learned.held.items()
        },
    )
    present_names = known(options)
    learnt = frozenset(name for name in learned.weights if not name.rpartition(" ")[2].isdigit())
    new, gone = present_names - learnt, learnt - present_names
    for changed, all_, how in ((new, present_names, "new"), (gone, learnt, "gone")):
        if len(changed) > CHANGED * len(all_):
            raise WeightsError(
                "the content has changed too much since training:"
                f" {len(changed)} of {len(all_)} options are {how}"
            )
    return learned
