"""Whether bots look at what they may not know: two worlds that a player cannot tell apart.

The other world is made from the real one: pieces that the player has not been able to tell apart
since they were last mixed are exchanged, in the position and in the log from that moment on; what
others have answered in secret is another answer, and the next chance is another.  Every bot must
choose the same in both, with the same seed.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

import rulesdsl
from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.training import Learned
from rulesdsl.bots.weights import FILE, read
from rulesdsl.interpreter.knowledge.following import Knowledge
from rulesdsl.interpreter.knowledge.frames import ask_again, swap_frames
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of
from soak.playing import state_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_EVERY = 7  # one decision in so many is looked at
Group = tuple[str, int, tuple[int, ...]]
"""Pieces of a kind that cannot be told apart since an entry of the log."""


@attrs.define
class Found:
    """How many choices were compared, and which were not the same."""

    choices: Counter[str] = attrs.Factory(Counter)
    swapped: int = 0
    peeked: Counter[str] = attrs.Factory(Counter)

    def told(self) -> str:
        """Say it in a few lines."""
        each = ", ".join(f"{name} {count}" for name, count in sorted(self.choices.items()))
        said = [f"choices in two worlds: {each}; {self.swapped} pieces were others"]
        said += [
            f"{name} looked at what it may not know: {n} times" for name, n in self.peeked.items()
        ]
        return "\n".join([*said, f"{self.peeked.total()} wrong"])


def run(pack_path: Path, positions: int, seed: int, players: int | None) -> int:
    """Compare choices at so many positions of random games."""
    pack, found = rulesdsl.load(pack_path), Found()
    least, most = pack.players
    numbers = range(least, most + 1) if players is None else (players,)
    learned = read(pack_path / FILE, pack) if (pack_path / FILE).exists() else Learned()
    for number in numbers:
        compare(pack, number, -(-positions // len(numbers)), seed, learned, found)
    print(found.told())
    return 1 if found.peeked else 0


def compare(
    pack: rulesdsl.Pack, players: int, positions: int, seed: int, learned: Learned, found: Found
) -> None:
    """Compare the choices of all bots at positions of games for so many players."""
    simulator = pack.simulator(players)
    making = Making(lambda: simulator, learned)
    bots = {name: kind.make(making) for name, kind in KINDS.items()}
    chance = random.Random(seed)
    for game, player in _positions(pack, players, chance, positions):
        made = elsewhere(game, player, chance)
        if made is None:
            continue
        other, swapped = made
        found.swapped += swapped
        of_choice = chance.getrandbits(64)
        for name, bot in bots.items():
            found.choices[name] += 1
            if bot.choose(game, player, of_choice) != bot.choose(other, player, of_choice):
                found.peeked[name] += 1


def _positions(
    pack: rulesdsl.Pack, players: int, chance: random.Random, count: int
) -> Iterator[tuple[rulesdsl.Game, int]]:
    """Yield positions of random games, and who is asked there among several options."""
    while count > 0:
        game = pack.new_game(players, chance.getrandbits(32))
        while (decision := game.decision) is not None and count > 0:
            open_ = [each for each in game.decisions if each.count > 1]
            if open_ and not chance.randrange(_EVERY):
                count -= 1
                yield game, chance.choice(open_).player
            game.choose(chance.randrange(decision.count), decision.player)


def elsewhere(
    game: rulesdsl.Game, player: int, chance: random.Random
) -> tuple[rulesdsl.Game, int] | None:
    """Return another world that looks the same to a player, and how many pieces are others there.

    None where the open question would not come up there: that world looks different.
    """
    copy = game.clone()
    st = state_of(copy)
    swaps: dict[str, dict[int, int]] = {}
    for name, since, group in _alike(game, player):
        own = dict(zip(group, chance.sample(group, len(group)), strict=True))
        swaps.setdefault(name, {}).update(own)
        st.log[since:] = [_entry(game, each, name, own) for each in st.log[since:]]
    for name, own in swaps.items():
        _exchange(game, st, name, own)
    swap_frames(copy, swaps)
    st.rng = chance.getrandbits(64)
    for at, answer in enumerate(st.answers):
        if answer >= 0 and at != player - 1:
            st.answers[at] = chance.randrange(len(st.options[at]))
    if not ask_again(copy) or _asked(copy, player) != _asked(game, player):
        return None
    return copy, sum(old != new for own in swaps.values() for old, new in own.items())


def _asked(game: rulesdsl.Game, player: int) -> list[object]:
    every = game.decisions
    return [each.raw if each.player == player else each.player for each in every]


def _alike(game: rulesdsl.Game, player: int) -> Iterator[Group]:
    """Yield the pieces that a player cannot tell apart, and since which entry of the log."""
    known, entries = Knowledge.begin(game.setting, player - 1), list[Any]()
    since: dict[tuple[str, int], int] = {}
    causes: dict[str, dict[int, int]] = {}
    for number, entry in enumerate(state_of(game).log, start=1):
        entries.append(entry)
        known.read(entries)
        for name, pieces in known.pieces.items():
            for tag in set(pieces.tags):
                since.setdefault((name, tag), number)
        for name, piece in _counted(game, entry):
            causes.setdefault(name, {})[piece] = number
    for name, pieces in known.pieces.items():
        groups: dict[int, list[int]] = {}
        for piece, tag in enumerate(pieces.tags):
            hidden = not known.sees(name, pieces.where[piece])
            mixed = since.get((name, tag), 0)
            counted = causes.get(name, {}).get(piece, 0) > mixed
            if hidden and not counted and pieces.may[piece] == {tag}:
                groups.setdefault(tag, []).append(piece)
        for tag, group in groups.items():
            if len(group) > 1:
                yield name, since.get((name, tag), 0), tuple(group)


def _counted(game: rulesdsl.Game, entry: tuple[Any, ...]) -> Iterator[tuple[str, int]]:
    """Yield the pieces after which a track has changed: it would have changed otherwise."""
    number, _, _, *values = entry
    event = None if number == CHOICE else game.setting.engine.events[number]
    if event is not None and event.kind == "track" and event.causes:
        pieces = values[len(values) - len(event.causes) :]
        yield from ((e.type.of, piece) for e, piece in zip(event.causes, pieces, strict=True))


def _entry(
    game: rulesdsl.Game, entry: tuple[Any, ...], name: str, own: dict[int, int]
) -> tuple[Any, ...]:
    """Return an entry of the log with other pieces in it."""
    number, at, actor, *values = entry
    event = None if number == CHOICE else game.setting.engine.events[number]
    if event is None or event.subject != name:
        return entry
    if event.kind == "piece":
        return (number, at, actor, own.get(values[0], values[0]), *values[1:])
    if event.kind == "peek":
        return (number, at, actor, [own.get(each, each) for each in values[0]], *values[1:])
    return entry


def _exchange(game: rulesdsl.Game, st: Any, name: str, own: dict[int, int]) -> None:  # noqa: ANN401
    """Lay pieces where others lie, with the marks of those."""
    piles, where = cells_of(st, f"l:{name}"), cells_of(st, f"w:{name}")
    for cell, pile in enumerate(piles):
        pile[:] = [own.get(each, each) for each in pile]
        for piece in pile:
            where[piece] = cell
    world, layout = game.setting.labels.world, game.setting.layout
    arrays = [(f"f:{e.name}", e.dims) for e in world.flags.values()]
    arrays += [(f"t:{e.name}", e.dims) for e in world.tracks.values()]
    for array, dims in arrays:
        if name not in dims:
            continue
        cells, of_each = cells_of(st, array), layout.cells_of_each(dims, name)
        before = list(cells)
        for old, new in own.items():
            for here, there in zip(of_each[old], of_each[new], strict=True):
                cells[there] = before[here]
