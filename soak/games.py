"""Settings, displays and invariants of random games.

`look_at` renders everything that players see in a position. `accounts_of` derives invariants from
the declarations alone: the number of pieces of each kind and owner is constant, each piece is in
exactly one place, and tracks stay within their bounds.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.python.nodes import identifier

if TYPE_CHECKING:
    import rulesdsl
    from rulesdsl.check.symbols.symbol_table import PieceInfo
    from rulesdsl.interpreter.setting import CompiledSetting
    from rulesdsl.lower.layout import Layout

Value = bool | int | str
Check = Callable[[Any], None]  # checks a state


# -------------------------------------------------------------------- settings
@attrs.frozen
class Chosen:
    """Setting: the number of players, and the options."""

    players: int
    options: dict[str, Value]

    def __str__(self) -> str:
        """Return the setting as command-line options."""
        words = [f"--players {self.players}"]
        words += [f"--option {name}={value}" for name, value in self.options.items()]
        return " ".join(words)


def settings(
    pack: rulesdsl.Pack, count: int, seed: int, players: int | None = None
) -> list[Chosen]:
    """Return settings that cover every value of every option with every number of players.

    Each fixes one value of one option, in turn; any other option has its default or a random
    value. `players` fixes the number of players.
    """
    chance = random.Random(seed)
    least, most = (players, players) if players else pack.players
    found: list[Chosen] = []
    wanted = [{info.name: value} for info in pack.options for value in info.values] or [{}]
    while len(found) < count:
        turn, at = divmod(len(found), len(wanted))
        fixed = wanted[at]
        options = {
            info.name: info.default if chance.random() < 1 / 2 else chance.choice(info.values)
            for info in pack.options
        }
        found.append(Chosen(least + (turn + at) % (most - least + 1), {**options, **fixed}))
    return found


def a_setting(pack: rulesdsl.Pack, players: int, chance: random.Random) -> Chosen:
    """Return the default setting, or one with random options."""
    if chance.random() < 1 / 2:
        return Chosen(players, {})
    return Chosen(players, {info.name: chance.choice(info.values) for info in pack.options})


# -------------------------------------------------------------------- positions
def state_of(game: rulesdsl.Game) -> Any:  # noqa: ANN401 - the class is generated
    """Return the internal state of a game."""
    return game._state  # noqa: SLF001


def look_at(game: rulesdsl.Game) -> None:
    """Render everything that players see in a position."""
    for decision in game.decisions:
        options = decision.options
        ids = {option.id for option in options}
        if len(ids) != len(options):
            raise AssertionError(f"{decision!r}: two options with one id")
        if not decision.prompt or not all(option.label for option in options):
            raise AssertionError(f"{decision!r}: without words")
    for viewer in range(1, game.players + 1):
        game.view(viewer)
    game.board(None)
    game.board(1)
    for line in game.log_since(max(game.log_length - 20, 0)):
        line.seen_text(1)


# -------------------------------------------------------------------- pieces
class NotAccounted(AssertionError):  # noqa: N818 - the name describes the failure
    """Violation of an invariant: the number or place of pieces, or the bounds of a track."""


class Accounts:
    """Invariants for the states of one setting, one check for each declaration."""

    def __init__(self, layout: Layout) -> None:
        world = layout.world
        tracks = ((f"t_{each.name}", each.low, each.high) for each in world.tracks.values())
        self._checks = [_bounded(*each) for each in tracks]
        self._checks += [_bounded(f"f_{each.name}", 0, 1) for each in world.flags.values()]
        for piece in world.pieces.values():
            owners = 1 if piece.per is None else layout.players
            owners += len(layout.rivals) if piece.per == "seat" else 0
            make = {"counted": _counted, "single": _single}.get(piece.style, _printed)
            self._checks.append(make(layout, piece, owners))

    def check(self, st: Any) -> None:  # noqa: ANN401 - the class is generated
        """Raise `NotAccounted` if the state violates an invariant."""
        for each in self._checks:
            each(st)


def accounts_of(game: rulesdsl.Game) -> Accounts:
    """Return the invariants of a game's states."""
    return _accounts(game.setting)


@lru_cache(maxsize=64)
def _accounts(setting: CompiledSetting) -> Accounts:
    return Accounts(setting.engine.layout)


def _field(name: str) -> str:
    return identifier(name[2:], name[:2])


def _bounded(name: str, low: int, high: int) -> Check:
    field = _field(name)

    def check(st: Any) -> None:  # noqa: ANN401
        cells = getattr(st, field)
        cells = (cells,) if isinstance(cells, int) else cells
        if cells and not low <= min(cells) <= max(cells) <= high:
            raise NotAccounted(f"{field}: {cells} not in {low}..{high}")

    return check


def _counted(layout: Layout, piece: PieceInfo, owners: int) -> Check:
    """Return the check for counted pieces: each owner has the full number."""
    field, cells_of = _field(f"n_{piece.name}"), dict[int, list[int]]()
    for code in range(layout.cells(piece.name)):
        place, dims = layout.place_of(piece.name, code)
        at = -1 if place.owner_dim is None else place.owner_dim
        cells_of.setdefault(dims[at] if piece.owned else 0, []).append(code)

    def check(st: Any) -> None:  # noqa: ANN401
        cells = getattr(st, field)
        if min(cells, default=0) < 0:
            raise NotAccounted(f"{field}: {cells}")
        for owner, codes in cells_of.items():
            count = piece.count if owner < owners or not piece.owned else 0
            total = sum(cells[code] for code in codes)
            if total != count:
                raise NotAccounted(f"{piece.plural} of seat {owner + 1}: {total} of {count}")

    return check


def _single(layout: Layout, piece: PieceInfo, owners: int) -> Check:
    """Return the check for a piece that exists once, or once per seat."""
    field, cells = _field(f"s_{piece.name}"), layout.cells(piece.name)

    def check(st: Any) -> None:  # noqa: ANN401
        where = getattr(st, field)
        own = [where] if isinstance(where, int) else where[:owners]
        beyond = [] if isinstance(where, int) else where[owners:]
        if any(not 0 <= code < cells for code in own) or any(at != -1 for at in beyond):
            raise NotAccounted(f"{field}: {where}")

    return check


def _printed(layout: Layout, piece: PieceInfo, owners: int) -> Check:
    """Return the check for printed pieces: each is in one pile, which is its recorded place."""
    entries = layout.world.kinds[piece.name].entries
    count = sum(entry.copies for entry in entries) * piece.count * owners
    piles_of, where_of = _field(f"l_{piece.name}"), _field(f"w_{piece.name}")

    def check(st: Any) -> None:  # noqa: ANN401
        piles, where = getattr(st, piles_of), getattr(st, where_of)
        lying = [(piece, code) for code, pile in enumerate(piles) for piece in pile]
        if sorted(lying) != list(enumerate(where)) or len(where) != count:
            raise NotAccounted(f"{piles_of}: {piles}, {where} said")

    return check
