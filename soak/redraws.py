"""`python -m soak redraws`: redraws are possible worlds, and each comes as often as the others.

In small packs all worlds are counted (`small_worlds`), and redraws compared with them.  At
positions of random games of a pack each redraw is looked at: every piece is there, what the player
sees is what it was, and what they have seen and nobody has moved or mixed since is where it was.
Some of them are played again from the beginning: the player must be shown the same all along.
"""

from __future__ import annotations

import random
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import rulesdsl
from rulesdsl.interpreter.knowledge.replays import Replays
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of
from soak.accounting import Accounts
from soak.decided_worlds import DECIDED
from soak.playing import state_of
from soak.scramble import scrambler_of
from soak.small_worlds import CASES, begun, off, world

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.interpreter.knowledge.redraw import Redraws
    from soak.scramble import Sight

DRAWS = 100_000  # of each small pack
PLAYED = 20_000  # of each one whose worlds are played
AT_ONCE = 500  # redraws of a position
VIEWED = 50  # one redraw in so many is looked at through the eyes of the player, all of it
_EVERY = 9  # one decision in so many is looked at
_SAID = 50  # positions between two lines about how far it is


def run(path: str, count: int, seed: int, jobs: int, players: int | None) -> int:
    """Draw small packs, then so many redraws of a pack; return the exit status."""
    began = time.perf_counter()
    wrong = _small()
    positions = -(-count // AT_ONCE)
    pack = rulesdsl.load(path)
    least, most = (players, players) if players else pack.players
    numbers = [least + at % (most - least + 1) for at in range(positions)]
    drawn = swapped = 0
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        work = [pool.submit(_look, path, each, seed + at) for at, each in enumerate(numbers)]
        for done, future in enumerate(as_completed(work), start=1):
            error = future.exception()
            if error is not None:
                wrong += 1
                print(f"FAILED {error}", flush=True)
                continue
            drawn, swapped = drawn + AT_ONCE, swapped + future.result()
            if not done % _SAID:
                print(f"{drawn} redraws at {done} positions, {wrong} wrong", flush=True)
    took = time.perf_counter() - began
    print(
        f"{pack.name}: {drawn} redraws at {positions} positions, {swapped} pieces were others;"
        f" {wrong} wrong, {took:.0f} s"
    )
    return 1 if wrong else 0


def _small() -> int:
    """Draw the small packs; return how many are not as they should be."""
    wrong = 0
    for name, case in {**CASES, **DECIDED}.items():
        with TemporaryDirectory() as folder:
            game = begun(Path(folder), case.steps, case.seen)
            draws = PLAYED if name in DECIDED else DRAWS
            found, most = off(game, case.possible(world(game), game), draws)
        wrong += found > most
        print(f"{name}: chi-square {found:.1f}, at most {most:.1f}", flush=True)
    return wrong


# -------------------------------------------------------------------- positions of a pack
_packs: dict[str, rulesdsl.Pack] = {}


def _look(path: str, players: int, seed: int) -> int:
    """Look at redraws of one position; return how many pieces were others. AssertionErrors."""
    pack = _packs.get(path) or _packs.setdefault(path, rulesdsl.load(path))
    chance = random.Random(seed)
    game = _position(pack, players, chance)
    player = chance.randint(1, players)
    try:
        return look_at(game, player, chance, AT_ONCE)
    except AssertionError as error:
        raise AssertionError(f"{players} players, --seed {seed}: {error}") from None


def _position(pack: rulesdsl.Pack, players: int, chance: random.Random) -> rulesdsl.Game:
    """Return a position of a random game."""
    game = pack.new_game(players, chance.getrandbits(32))
    while (decision := game.decision) is not None and chance.randrange(_EVERY * 10):
        game.choose(chance.randrange(decision.count), decision.player)
    return game


def look_at(game: rulesdsl.Game, player: int, chance: random.Random, count: int) -> int:
    """Look at so many redraws of a game; AssertionError for one that cannot be.

    Returns how many pieces were others in them.
    """
    accounts = Accounts(game.setting.engine.layout)
    sight, st = scrambler_of(game).sight(player), state_of(game)
    known = {name: set(each) for name, each in seen_last(game, player, sight).items()}
    open_ = _open(game, st, player)
    view, swapped = _viewed(game, player), 0
    redraws = game.redraws(player)
    replays = Replays(game, player - 1)
    for number in range(count):
        other = redraws.draw(chance.getrandbits(63))
        there = state_of(other)
        accounts.check(there)
        assert _open(other, there, player) == open_, "something open is another thing"
        for name, eyes in sight.items():
            piles, those = cells_of(st, f"l:{name}"), cells_of(there, f"l:{name}")
            for cell, (pile, that) in enumerate(zip(piles, those, strict=True)):
                assert not eyes[cell] or pile == that, f"{name}: a pile that is seen is another"
                swapped += sum(a != b for a, b in zip(pile, that, strict=True))
                for at, piece in enumerate(pile):
                    assert piece not in known[name] or that[at] == piece, (
                        f"{name}: piece {piece} was seen, and is another"
                    )
        if not number % VIEWED:
            assert _viewed(other, player) == view, "the view is another"
            if not redraws.otherwise:
                played, _ = replays.play(redraws.swaps)
                assert played is not None, "the player would have been shown something else"
    return swapped


class Otherwise(AssertionError):  # noqa: N818 - says what is wrong with a world
    """A world that is not what comes of the game with those pieces."""


def play_again(game: rulesdsl.Game, player: int, redraws: Redraws, seed: int) -> None:
    """Draw a world, and play the game again with its pieces: Otherwise where it comes so."""
    world_ = redraws.draw(seed)
    if redraws.otherwise:  # it was played, and is not the game with other pieces
        if _viewed(world_, player) != _viewed(game, player):
            raise Otherwise("the player would be shown something else")
        return
    played, _ = Replays(game, player - 1).play(redraws.swaps)
    if played is None:
        raise Otherwise("the player would have been shown something else")
    for track in game.setting.labels.world.tracks:
        here, there = (cells_of(state_of(each), f"t:{track}") for each in (world_, played))
        if here != there:
            raise Otherwise(f"{track} is {here}, and would be {there}")


def _viewed(game: rulesdsl.Game, player: int) -> dict[str, object]:
    """Return what a player is shown, but who is asked: secret answers are open again."""
    return {name: each for name, each in game.view(player).items() if name != "open"}


def _open(game: rulesdsl.Game, st: Any, player: int) -> list[object]:  # noqa: ANN401
    """Return the cells that have no secret: all counted pieces, and tracks that are seen."""
    world_, layout = game.setting.labels.world, game.setting.layout
    found: list[object] = [
        cells_of(st, f"{'n' if each.style == 'counted' else 's'}:{each.name}")
        for each in world_.pieces.values()
        if each.style != "printed"
    ]
    for track in world_.tracks.values():
        if any(dim in world_.pieces for dim in track.dims):
            continue  # marks of pieces go with the pieces
        cells = cells_of(st, f"t:{track.name}")
        listed = [cells] if isinstance(cells, int) else cells
        own = (layout.owner_of(track.dims, at) == player - 1 for at in range(len(listed)))
        seen = [track.seen_by is None or (track.seen_by == "owner" and each) for each in own]
        found.append([each for each, eyes in zip(listed, seen, strict=True) if eyes])
    return found


def seen_last(game: rulesdsl.Game, player: int, sight: Sight) -> dict[str, set[int]]:
    """Return the pieces that a player has seen where they lie, for all that the log says.

    These are not all that can be known: what others move face down counts as lost.
    """
    places = game.setting.views.places
    where = {name: list(cells_of(game.setting.box, f"w:{name}")) for name in sight}
    known = {name: set(range(len(each))) for name, each in where.items()}
    for event, actor, values in _events(game):
        name = event.subject
        if name not in sight:
            continue
        eyes, lying, sure = sight[name], where[name], known[name]
        if event.kind == "piece":
            piece, old, new = values
            heap = {each for each, cell in enumerate(lying) if cell == old}
            lying[piece] = new
            if eyes[old] or eyes[new]:
                sure.add(piece)
                if not eyes[old] and not places[name][old][0].stack:
                    sure -= heap - {piece} if actor != player - 1 else set()
            else:
                sure -= heap
        elif event.kind == "shuffle":
            if not eyes[values[0]]:
                sure -= {each for each, cell in enumerate(lying) if cell == values[0]}
        elif event.kind == "shift":
            sure -= {each for each, cell in enumerate(lying) if cell == values[1]}
        elif event.kind == "peek" and actor == player - 1:
            sure |= set(values[0])
    return known


def _events(game: rulesdsl.Game) -> Iterator[tuple[Any, int, list[Any]]]:
    engine = game.setting.engine
    for number, _, actor, *values in state_of(game).log:
        if number != CHOICE:
            yield engine.events[number], actor, values
