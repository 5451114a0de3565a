"""`python -m soak saves`: test that corrupted saves are either refused or playable.

Each number is a case: a random game is saved, and its data are changed in one to three places and
loaded. A refusal must be a one-line `ValueError`; an accepted save must be playable to the end,
with every piece accounted for after every choice.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import rulesdsl
from soak.games import a_setting, accounts_of, look_at, state_of
from soak.packs import folders_of
from soak.sitting import Case, Outcome, Sitting

if TYPE_CHECKING:
    from collections.abc import Iterator

Data = Any
Place = tuple[Any, Any]  # a container, and a key in it

MAX_DECISIONS = 5_000
ODD_VALUES: tuple[Data, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 7, 99, 65_536, 2**31, 2**63, -(2**63), 2**64, 10**300),
    *(
        1.0,
        3.9,
        0.5,
        float("inf"),
        float("nan"),
        "",
        "game/0",
        "x",
        "\x1b[2J",
        "../..",
        "/dev/zero",
    ),
    *("\u202e", [], [[]], [0], [1], {}, {"a": 1}, {"a": {}}),
)
"""Values that replace other values."""


def run(pack: str, count: int, seed: int, jobs: int) -> int:
    """Run the cases; return the exit status."""
    numbers = range(seed, seed + count)
    with folders_of(pack) as folder:
        one_of = lambda number: one(folder(number), number)  # noqa: E731
        return Sitting(f"saves {pack}", numbers, one_of).run(jobs)


def one(path: str, number: int) -> Case:
    """Corrupt and load one save."""
    chance = random.Random(number)
    saved = _a_save(path, chance)
    changed = copy.deepcopy(saved)
    done = []
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        state = changed.get("state")
        if chance.random() < 1 / 2 and isinstance(state, dict):
            done.append(chance.choice(OF_STATES)(state, _a_save(path, chance)["state"], chance))
        else:
            done.append(chance.choice(OF_DATA)(changed, chance))
    if chance.random() < 1 / 10:  # the last change, because deeply nested lists cannot be copied
        done.append(nested(changed, chance))
    return tried(path, changed, number, "; ".join(done), same=_text(changed) == _text(saved))


def tried(path: str, data: Data, seed: int, about: str, *, same: bool = False) -> Case:
    """Load a save and play it to its end; return the outcome."""
    pack = _pack(path)
    try:
        game = pack.game_from_data(data)
    except ValueError as error:
        if not same and str(error) and "\n" not in str(error):
            return Case(Outcome.REFUSED, str(error))
        return Case(Outcome.FAILED, f"{about}: {error!r}", data)
    except Exception as error:  # noqa: BLE001 - any exception is a failure
        return Case(Outcome.FAILED, f"{about}: {error!r}", data)
    try:
        played_on(game, random.Random(seed), accounts_of(game).check)
    except Exception as error:  # noqa: BLE001 - as above
        return Case(Outcome.FAILED, f"{about}: accepted, then {error!r}", data)
    return Case(Outcome.PLAYED, about)


def _text(data: Data) -> str:
    """Return data as JSON, which tells true from 1; data nested too deeply count as equal."""
    try:
        return json.dumps(data)
    except RecursionError:
        return "deep"


def played_on(
    game: rulesdsl.Game, chance: random.Random, check: Callable[[Any], None] | None = None
) -> None:
    """Play a game at random; raise `AssertionError` if it does not end, or if a check fails."""
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
    """Return the save of a random game, as if read from a file."""
    pack = _pack(path)
    chosen = a_setting(pack, chance.randint(*pack.players), random.Random(chance.randrange(6)))
    game = pack.new_game(chosen.players, chance.randrange(2**32), chosen.options, log=False)
    for _ in range(int(chance.random() ** 2 * 200)):
        if not game.decision:
            break
        decision = chance.choice(game.decisions)
        game.choose(chance.randrange(decision.count), decision.player)
    return json.loads(json.dumps(game.position_data()))


# -------------------------------------------------------------------- changes
def _places(value: Data, depth: int = 6) -> Iterator[Place]:
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if depth and isinstance(each, dict | list):
            yield from _places(each, depth - 1)


def _place(data: Data, chance: random.Random, kind: type = object) -> Place:
    """Return the place of a random value of the given type, usually one in the state."""
    state = data.get("state")
    within = state if chance.random() < 4 / 5 and isinstance(state, dict) else data
    if chance.random() < 1 / 3 and isinstance(within.get("frames"), list) and within["frames"]:
        within = within["frames"]
    found = [each for each in _places(within) if isinstance(each[0][each[1]], kind)]
    return chance.choice(found) if found else (data, chance.choice([*data] or ["pack"]))


def odd_value(data: Data, chance: random.Random) -> str:
    """Replace a value with an odd one."""
    inside, key = _place(data, chance)
    inside[key] = copy.deepcopy(chance.choice(ODD_VALUES))
    return f"{key!r} is {inside[key]!r}"


def other_number(data: Data, chance: random.Random) -> str:
    """Change a number slightly."""
    inside, key = _place(data, chance, int)
    if isinstance(inside.get(key) if isinstance(inside, dict) else inside[key], int):
        inside[key] += chance.choice((-2, -1, 1, 2, 10))
    return f"{key!r} is {inside[key]!r}"


def swapped(data: Data, chance: random.Random) -> str:
    """Exchange two values."""
    (one, a), (other, b) = _place(data, chance), _place(data, chance)
    one[a], other[b] = copy.deepcopy(other[b]), copy.deepcopy(one[a])
    return f"{a!r} and {b!r} exchanged"


def removed(data: Data, chance: random.Random) -> str:
    """Remove a value."""
    inside, key = _place(data, chance)
    del inside[key]
    return f"{key!r} removed"


def added(data: Data, chance: random.Random) -> str:
    """Duplicate a value."""
    inside, key = _place(data, chance)
    if isinstance(inside, dict):
        inside[f"{key}x"] = inside[key]
    else:
        inside.insert(key, copy.deepcopy(inside[key]))
    return f"{key!r} twice"


def nested(data: Data, chance: random.Random) -> str:
    """Nest a value in lists."""
    inside, key = _place(data, chance)
    for _ in range(chance.choice((1, 2, 5_000))):
        inside[key] = [inside[key]]
    return f"{key!r} deep inside lists"


def _moved_pieces(state: Data, _: Data, chance: random.Random) -> str:
    """Move pieces between cells without changing their total."""
    name = chance.choice([key for key in state if key[:2] in {"n_", "l_"}] or [""])
    cells = state.get(name)
    if not isinstance(cells, list) or not cells:
        return "nothing"
    source, target = chance.randrange(len(cells)), chance.randrange(len(cells))
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


def _other_frames(state: Data, other: Data, chance: random.Random) -> str:
    mine, there = state.get("frames"), other["frames"]
    if not isinstance(mine, list):
        return "nothing"
    cut = chance.randint(0, len(mine))
    parts = (there, [*mine[:cut], *there], [*mine, *mine], mine[:cut], mine[cut:], mine[::-1])
    state["frames"] = chance.choice((*parts, mine * 60))
    return "other frames"


def _other_state(state: Data, other: Data, chance: random.Random) -> str:
    name = chance.choice([*other])
    state[name] = other[name]
    return f"{name} of another position"


def _answers(state: Data, _: Data, chance: random.Random) -> str:
    count = chance.choice((1, 2, 3, 4, 5))
    state["answers"] = [chance.choice((-1, 0, 1, 2, 50)) for _ in range(count)]
    return "answers"


OF_DATA = (odd_value, other_number, other_number, swapped, removed, added)
OF_STATES = (_moved_pieces, _moved_pieces, _other_frames, _other_state, _other_state, _answers)
