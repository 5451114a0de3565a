"""What a player may know, as a row of numbers with names.

A row is made from `Game.view` of the player, and from the question that they are asked, and from
nothing else: so it cannot tell more than a player may know.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulesdsl.check.world import FlagInfo, PieceInfo, TrackInfo
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.lower.layout import Layout


@attrs.frozen
class Counted:
    """How many pieces lie in each place."""

    piece: str
    names: tuple[str, ...]

    def numbers(self, view: Any) -> Iterator[int]:  # noqa: ANN401 - plain data
        """Yield one number for each name, from the board of a view."""
        yield from view[self.piece]


@attrs.frozen
class Single:
    """1 for the place where a piece lies of which each owner has one."""

    piece: str
    names: tuple[str, ...]
    cells: int
    owners: int
    """Seats without such a piece come after those that have one."""

    def numbers(self, view: Any) -> Iterator[int]:  # noqa: ANN401 - plain data
        """Yield one number for each name, from the board of a view."""
        where = view[self.piece]
        for lies in [where] if isinstance(where, int) else where[: self.owners]:
            yield from (int(cell == lies) for cell in range(self.cells))


@attrs.frozen
class Printed:
    """How many pieces lie in each place; which ones, and whose backs, as far as they are seen."""

    piece: str
    names: tuple[str, ...]
    faces: dict[str, int]
    """The pieces by what a view calls them."""
    backs: tuple[str, ...]

    def numbers(self, view: Any) -> Iterator[int]:  # noqa: ANN401 - plain data
        """Yield one number for each name, from the board of a view."""
        for pile in view[self.piece]:
            if isinstance(pile, int):
                yield pile
                yield from [0] * (len(self.faces) + len(self.backs))
                continue
            yield len(pile)
            yield from (int(face in pile) for face in self.faces)
            yield from (pile.count(back) for back in self.backs)


@attrs.frozen
class Cells:
    """The numbers of a track or flag.

    Of one that may be hidden (`secret`), each is followed by whether it is known; else it is 0.
    """

    key: str
    names: tuple[str, ...]
    secret: bool

    def numbers(self, view: Any) -> Iterator[int]:  # noqa: ANN401 - plain data
        """Yield one number for each name, from the board of a view."""
        cells = view[self.key]
        for each in cells if isinstance(cells, list) else [cells]:
            yield each or 0
            if self.secret:
                yield int(each is not None)


Part = Counted | Single | Printed | Cells
"""Some of the numbers: those of one kind of pieces, one track, one flag."""


class Observer:
    """Makes rows of numbers for one setting; `names` says what each number is."""

    def __init__(self, setting: Setting) -> None:
        self._labels = setting.labels
        self._questions = tuple(setting.question_ids.values())
        self._values = max((len(ask.words[0]) for ask in setting.engine.asks.values()), default=0)
        self._parts = tuple(self._board(setting))
        seats = [f"seat {at + 1}" for at in range(setting.layout.players)]
        self.names: tuple[str, ...] = (
            *(f"I am in {each}" for each in seats),
            *(f"{each} is asked" for each in seats),
            *(f"I am asked {each}" for each in self._questions),
            *(f"value {at + 1} in the question" for at in range(self._values)),
            *(name for part in self._parts for name in part.names),
        )

    def row(self, game: Game, player: int) -> list[int]:
        """Return what a player (from 1) may know now, one number for each name."""
        view = game.view(player)
        players = range(1, game.players + 1)
        asked = next((each for each in game.decisions if each.player == player), None)
        open_: Any = view["open"]
        found = [int(each == player) for each in players]
        found += [int(each in open_) for each in players]
        found += [int(asked is not None and each == asked.id) for each in self._questions]
        said = [each or 0 for each in asked.values] if asked is not None else []
        found += said + [0] * (self._values - len(said))
        for part in self._parts:
            found += part.numbers(view["board"])
        return found

    def named(self, row: Sequence[float]) -> dict[str, float]:
        """Return the numbers of a row that are not 0, by their names."""
        return {name: each for name, each in zip(self.names, row, strict=True) if each}

    # ---------------------------------------------------------------- the board
    def _board(self, setting: Setting) -> Iterator[Part]:
        world = setting.layout.world
        for piece in world.pieces.values():
            yield self._of_pieces(setting, piece)
        for track in world.tracks.values():
            yield self._of_cells(setting, track.name, track, track.seen_by)
        for flag in world.flags.values():
            yield self._of_cells(setting, f"{flag.name}?", flag)

    def _of_pieces(self, setting: Setting, piece: PieceInfo) -> Part:
        name, labels, layout = piece.name, self._labels, setting.layout
        cells = [labels.cell(name, code) for code in range(layout.cells(name))]
        match piece.style:
            case "counted":
                whose = self._owners(layout, piece)
                found = (
                    f"{piece.plural}{of} in {at}" for of, at in zip(whose, cells, strict=True)
                )
                return Counted(name, tuple(found))
            case "single":
                owners = layout.owners(piece)
                at = [
                    f"{labels.single(name, each)} in {cell}"
                    for each in range(owners)
                    for cell in cells
                ]
                return Single(name, tuple(at), len(cells), owners)
            case _:
                pieces = range(len(layout.instances(name)))
                backs = dict.fromkeys(filter(None, (labels.back(name, each) for each in pieces)))
                faces = {f"{labels.printed(name, at).name}#{at}": at for at in pieces}
                kinds = [piece.plural, *faces, *(f"{piece.plural} with back {e}" for e in backs)]
                names = tuple(f"{kind} in {cell}" for cell in cells for kind in kinds)
                return Printed(name, names, faces, tuple(backs))

    def _owners(self, layout: Layout, piece: PieceInfo) -> Iterator[str]:
        """Yield ` of ...` for each cell that does not say itself whose pieces lie in it."""
        for code, owner in enumerate(layout.owners_of_cells(piece.name)):
            place, _ = layout.place_of(piece.name, code)
            told = owner < 0 or not piece.owned or place.owner_dim is not None
            yield "" if told else f" of {self._labels.seats[owner]}"

    def _thing(self, dim: str, at: int) -> str:
        """Return what a thing is called here, which tells equal pieces apart."""
        piece = self._labels.world.pieces.get(dim)
        if piece is not None and piece.style == "printed":
            return f"{self._labels.printed(dim, at).name}#{at}"
        return self._labels.named(dim, at)

    def _of_cells(
        self, setting: Setting, key: str, info: TrackInfo | FlagInfo, seen_by: str | None = None
    ) -> Cells:
        layout = setting.layout
        pieces = (layout.world.pieces.get(dim) for dim in info.dims)
        secret = bool(seen_by) or any(e is not None and e.style == "printed" for e in pieces)
        names: list[str] = []
        for at in range(prod(layout.size(dim) for dim in info.dims)):
            along = layout.indexes(info.dims, at)
            of = ", ".join(self._thing(dim, each) for dim, each in along)
            name = f"{info.name} of {of}" if of else info.name
            names += [name, f"{name} is known"] if secret else [name]
        return Cells(key, tuple(names), secret)
