"""Random games: the settings that they are played in, and a look at their positions.

`look_at` makes everything that people see of a position. `accounts_of` counts every piece, place
and track of its state, apart from the engine's own book-keeping: what a state must hold is worked
out from the declarations alone, so many pieces of a kind for each owner, each in exactly one
place, every track within its bounds.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.pynodes import identifier

if TYPE_CHECKING:
    import rulesdsl
    from rulesdsl.check.world import PieceInfo
    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.lower.layout import Layout

Value = bool | int | str


# -------------------------------------------------------------------- settings
@attrs.frozen
class Chosen:
    """One setting: so many players and their options."""

    players: int
    options: dict[str, Value]

    def __str__(self) -> str:
        """Show what one would type to get it."""
        words = [f"--players {self.players}"]
        words += [f"--option {name}={value}" for name, value in self.options.items()]
        return " ".join(words)


def settings(
    pack: rulesdsl.Pack, count: int, seed: int, players: int | None = None
) -> list[Chosen]:
    """Return so many settings; together they hold every value of every option, at every count.

    The first ones cycle through all values of all options; what follows is drawn by chance. Where
    a number of players is given, all are for so many.
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
    """Return a setting: as usual, or with options by chance."""
    if chance.random() < 1 / 2:
        return Chosen(players, {})
    return Chosen(players, {info.name: chance.choice(info.values) for info in pack.options})


# -------------------------------------------------------------------- positions
def state_of(game: rulesdsl.Game) -> Any:  # noqa: ANN401 - the class is made at run time
    """Return the state behind a game: a soak looks below the public face."""
    return game._state  # noqa: SLF001


def look_at(game: rulesdsl.Game) -> None:
    """Make everything that people see of a position."""
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
class NotAccounted(AssertionError):  # noqa: N818 - says what is wrong with a state
    """A piece is missing, doubled or nowhere, or a track is out of its bounds."""


@attrs.frozen
class Heap:
    """Cells of counted pieces that hold the same owner's, and how many there must be."""

    field: str
    cells: tuple[int, ...]
    count: int
    about: str


@attrs.frozen
class Single:
    """A piece of which there is one, or one a seat."""

    field: str
    owners: int  # 0: nobody's
    cells: int


@attrs.frozen
class Printed:
    """Pieces with something printed on them: piles and where each piece lies."""

    piles: str
    where: str
    count: int


@attrs.frozen
class Bounded:
    """A track or a flag with its bounds."""

    field: str
    low: int
    high: int


class Accounts:
    """What the states of one setting must hold."""

    def __init__(self, layout: Layout) -> None:
        self.heaps: list[Heap] = []
        self.singles: list[Single] = []
        self.printed: list[Printed] = []
        self.bounded: list[Bounded] = []
        for piece in layout.world.pieces.values():
            self._piece(layout, piece)
        for track in layout.world.tracks.values():
            field = identifier(track.name, "t_")
            self.bounded.append(Bounded(field, track.low, track.high))
        for flag in layout.world.flags.values():
            self.bounded.append(Bounded(identifier(flag.name, "f_"), 0, 1))

    def _piece(self, layout: Layout, piece: PieceInfo) -> None:
        owners = _owners(layout, piece)
        cells = layout.cells(piece.name)
        if piece.style == "counted":
            by_owner: dict[int, list[int]] = {}
            for code in range(cells):
                by_owner.setdefault(_owner_of_cell(layout, piece, code), []).append(code)
            for owner, codes in by_owner.items():
                count = piece.count if owner < owners or not piece.owned else 0
                about = f"{piece.plural} of seat {owner + 1}" if piece.owned else piece.plural
                field = identifier(piece.name, "n_")
                self.heaps.append(Heap(field, tuple(codes), count, about))
        elif piece.style == "single":
            name = identifier(piece.name, "s_")
            self.singles.append(Single(name, owners if piece.owned else 0, cells))
        else:
            entries = layout.world.kinds[piece.name].entries
            count = sum(entry.copies for entry in entries) * piece.count * owners
            piles, where = identifier(piece.name, "l_"), identifier(piece.name, "w_")
            self.printed.append(Printed(piles, where, count))

    def check(self, st: Any) -> None:  # noqa: ANN401 - the class is made at run time
        """Raise NotAccounted where the state does not hold what it must."""
        for heap in self.heaps:
            cells = getattr(st, heap.field)
            total = 0
            for code in heap.cells:
                count = cells[code]
                if count < 0:
                    raise NotAccounted(f"{heap.about}: {count} in cell {code}")
                total += count
            if total != heap.count:
                raise NotAccounted(f"{heap.about}: {total} of {heap.count}")
        for single in self.singles:
            _check_single(single, getattr(st, single.field))
        for printed in self.printed:
            _check_printed(printed, getattr(st, printed.piles), getattr(st, printed.where))
        for bounded in self.bounded:
            cells = getattr(st, bounded.field)
            if isinstance(cells, int):
                cells = (cells,)
            if cells and not bounded.low <= min(cells) <= max(cells) <= bounded.high:
                raise NotAccounted(f"{bounded.field}: {cells} not in {bounded}")


def accounts_of(game: rulesdsl.Game) -> Accounts:
    """Return what the states of a game must hold."""
    return _accounts(game.setting)


@lru_cache(maxsize=64)
def _accounts(setting: Setting) -> Accounts:
    return Accounts(setting.engine.layout)


def _owners(layout: Layout, piece: PieceInfo) -> int:
    if piece.per is None:
        return 1
    return layout.players if piece.per == "player" else layout.players + len(layout.rivals)


def _owner_of_cell(layout: Layout, piece: PieceInfo, code: int) -> int:
    if not piece.owned:
        return 0
    place, dims = layout.place_of(piece.name, code)
    at = place.owner_dim
    return dims[-1] if at is None else dims[at]


def _check_single(single: Single, where: Any) -> None:  # noqa: ANN401
    cells = [where] if isinstance(where, int) else where[: single.owners]
    beyond = [] if isinstance(where, int) else where[single.owners :]
    if any(not 0 <= code < single.cells for code in cells) or any(at != -1 for at in beyond):
        raise NotAccounted(f"{single.field}: {where}")


def _check_printed(printed: Printed, piles: list[list[int]], where: list[int]) -> None:
    if len(where) != printed.count:
        raise NotAccounted(f"{printed.where}: {len(where)} of {printed.count}")
    found = 0
    for code, pile in enumerate(piles):
        for piece in pile:
            if where[piece] != code:
                raise NotAccounted(
                    f"{printed.piles}: piece {piece} in {code}, {where[piece]} said"
                )
        found += len(pile)
        if len(set(pile)) != len(pile):
            raise NotAccounted(f"{printed.piles}: a piece twice in cell {code}")
    if found != printed.count:
        raise NotAccounted(f"{printed.piles}: {found} of {printed.count}")
