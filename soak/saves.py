"""`python -m soak saves`: a saved game that somebody has changed is refused or played on.

Every number of the range is one case: a game of a pack is played to some point, saved, changed in
one to three places, and read again. What is refused says so in one line, with a `ValueError`;
what is accepted is played to its end, with every piece accounted for after every choice.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rulesdsl
from soak.games import a_setting, accounts_of, look_at, state_of
from soak.packs import folders_of
from soak.sitting import Case, Outcome, Sitting, results_in

if TYPE_CHECKING:
    from collections.abc import Iterator

Data = Any
Place = tuple[Any, Any]  # a list or table, and a key in it

MAX_DECISIONS = 5_000
ODD_VALUES: tuple[Data, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 99, 65_536, 2**31, 2**63, -(2**63), 2**64, 10**30),
    *(1.0, 3.0, 0.5, float("inf"), float("nan"), "", "game/0", "x", [], [[]], [0], {}, {"a": 1}),
)
"""What is put where something else was."""


def run(pack: str, count: int, seed: int, jobs: int, results: Path | None) -> int:
    """Try so many cases, and return the exit status."""
    numbers = range(seed, seed + count)
    with folders_of(pack) as folder, results_in(results) as out:
        one_of = lambda number: one(folder(number), number)  # noqa: E731
        return Sitting(f"saves {pack}", numbers, one_of, out).run(jobs)


def one(path: str, number: int) -> Case:
    """Try one case."""
    chance = random.Random(number)
    saved = _a_save(path, chance)
    changed = copy.deepcopy(saved)
    changes = chance.choices(CHANGES, k=chance.choice((1, 1, 1, 2, 3)))
    changes.sort(
        key=lambda each: each is _nested
    )  # what is thousands of lists deep cannot be copied
    done = [change(changed, path, chance) for change in changes]
    return tried(path, changed, number, "; ".join(done), same=_text(changed) == _text(saved))


def tried(path: str, data: Data, seed: int, about: str, *, same: bool = False) -> Case:
    """Read a saved game, play it to its end, and return what became of it."""
    pack = _pack(path)
    try:
        game = pack.game_from_data(data)
    except ValueError as error:
        if not same and str(error) and "\n" not in str(error):
            return Case(Outcome.REFUSED, str(error))
        return Case(Outcome.FAILED, f"{about}: {error!r}", data)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is what is looked for
        return Case(Outcome.FAILED, f"{about}: {error!r}", data)
    try:
        played_on(game, random.Random(seed), accounts_of(game).check)
    except Exception as error:  # noqa: BLE001 - as above
        return Case(Outcome.FAILED, f"{about}: accepted, then {error!r}", data)
    return Case(Outcome.PLAYED, about)


def _text(data: Data) -> str:
    """Return data as a text that tells a yes from a one, cut off where it is too deep for that."""
    try:
        return json.dumps(data)
    except RecursionError:
        return "deep"


def played_on(
    game: rulesdsl.Game, chance: random.Random, check: Callable[[Any], None] | None = None
) -> None:
    """Play a game to its end by chance; AssertionError where it has none, or a check fails."""
    look_at(game)
    for _ in range(MAX_DECISIONS):
        if check is not None:
            check(state_of(game))
        decisions = game.decisions
        if not decisions:
            break
        decision = chance.choice(decisions)
        game.choose(chance.randrange(decision.count), decision.player)
    look_at(game)
    if game.result is None:
        raise AssertionError("the game does not end")


@lru_cache(maxsize=64)
def _pack(path: str) -> rulesdsl.Pack:
    return rulesdsl.load(path)


def _a_save(path: str, chance: random.Random) -> Data:
    """Play a game by chance to some point, and return it as it would be read from a file."""
    pack = _pack(path)
    chosen = a_setting(pack, chance.randint(*pack.players), random.Random(chance.randrange(6)))
    game = pack.new_game(chosen.players, chance.randrange(2**32), chosen.options, log=False)
    for _ in range(int(chance.random() ** 2 * 200)):
        if not game.decision:
            break
        decision = chance.choice(game.decisions)
        game.choose(chance.randrange(decision.count), decision.player)
    return json.loads(json.dumps(game.to_data()))


# -------------------------------------------------------------------- changes
def _places(value: Data, depth: int = 6) -> Iterator[Place]:
    """Yield every place in a value, as what it is in and its key there."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inside:
        yield value, key
        if depth and isinstance(each, dict | list):
            yield from _places(each, depth - 1)


def _place(data: Data, chance: random.Random, kind: type = object) -> Place:
    """Return a place by chance that holds a value of a kind, in the state more often."""
    within = (
        data["state"] if chance.random() < 4 / 5 and isinstance(data.get("state"), dict) else data
    )
    if chance.random() < 1 / 3 and isinstance(within.get("frames"), list) and within["frames"]:
        within = within["frames"]
    found = [each for each in _places(within) if isinstance(each[0][each[1]], kind)]
    return chance.choice(found) if found else (data, chance.choice([*data] or ["pack"]))


def _odd_value(data: Data, _: str, chance: random.Random) -> str:
    inside, key = _place(data, chance)
    inside[key] = copy.deepcopy(chance.choice(ODD_VALUES))
    return f"{key!r} is {inside[key]!r}"


def _other_number(data: Data, _: str, chance: random.Random) -> str:
    inside, key = _place(data, chance, int)
    if isinstance(inside.get(key) if isinstance(inside, dict) else inside[key], int):
        inside[key] += chance.choice((-2, -1, 1, 2, 10))
    return f"{key!r} is {inside[key]!r}"


def _moved_pieces(data: Data, _: str, chance: random.Random) -> str:
    """Move pieces from cell to cell, so that as many are left."""
    state = data.get("state")
    fields = [key for key in state if key[:2] in {"n_", "l_"}] if isinstance(state, dict) else []
    if not fields:
        return "nothing"
    name = chance.choice(fields)
    cells = state[name]
    if not isinstance(cells, list) or not cells:
        return "nothing"
    source, target = chance.randrange(len(cells)), chance.randrange(len(cells))
    if name.startswith("n_"):
        if isinstance(cells[source], int) and isinstance(cells[target], int):
            count = chance.randint(0, max(0, min(cells[source], 9)))
            cells[source] -= count
            cells[target] += count
    elif isinstance(cells[source], list) and cells[source] and isinstance(cells[target], list):
        piece = cells[source].pop()
        cells[target].append(piece)
        where = state.get(f"w_{name[2:]}")
        if isinstance(piece, int) and isinstance(where, list) and 0 <= piece < len(where):
            where[piece] = target
    return f"{name} from {source} to {target}"


def _swapped(data: Data, _: str, chance: random.Random) -> str:
    one, a = _place(data, chance)
    other, b = _place(data, chance)
    one[a], other[b] = copy.deepcopy(other[b]), copy.deepcopy(one[a])
    return f"{a!r} and {b!r} exchanged"


def _removed(data: Data, _: str, chance: random.Random) -> str:
    inside, key = _place(data, chance)
    del inside[key]
    return f"{key!r} removed"


def _added(data: Data, _: str, chance: random.Random) -> str:
    inside, key = _place(data, chance)
    if isinstance(inside, dict):
        inside[f"{key}x"] = inside[key]
    else:
        inside.insert(key, copy.deepcopy(inside[key]))
    return f"{key!r} twice"


def _other_frames(data: Data, path: str, chance: random.Random) -> str:
    """Take the stack of another position, or parts of it."""
    other = _a_save(path, chance)["state"]["frames"]
    state = data.get("state")
    if not isinstance(state, dict) or not isinstance(state.get("frames"), list):
        return "nothing"
    mine = state["frames"]
    cut = chance.randint(0, len(mine))
    state["frames"] = chance.choice(
        (
            other,
            [*mine[:cut], *other],
            [*mine, *mine],
            mine[:cut],
            mine[cut:],
            mine[::-1],
            mine * 60,
        )
    )
    return "other frames"


def _other_state(data: Data, path: str, chance: random.Random) -> str:
    """Take a field of another position."""
    other = _a_save(path, chance)["state"]
    name = chance.choice([*other])
    if isinstance(data.get("state"), dict):
        data["state"][name] = other[name]
    return f"{name} of another position"


def _answers(data: Data, _: str, chance: random.Random) -> str:
    if isinstance(data.get("state"), dict):
        count = chance.choice((1, 2, 3, 4, 5))
        data["state"]["answers"] = [chance.choice((-1, 0, 1, 2, 50)) for _ in range(count)]
    return "answers"


def _nested(data: Data, _: str, chance: random.Random) -> str:
    inside, key = _place(data, chance)
    for _depth in range(chance.choice((1, 2, 5_000))):
        inside[key] = [inside[key]]
    return f"{key!r} deep inside lists"


CHANGES: tuple[Callable[[Data, str, random.Random], str], ...] = (
    _odd_value,
    _other_number,
    _other_number,
    _moved_pieces,
    _moved_pieces,
    _swapped,
    _removed,
    _added,
    _other_frames,
    _other_state,
    _other_state,
    _answers,
    _nested,
)
