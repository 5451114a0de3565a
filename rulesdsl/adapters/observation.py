"""Encoding of a player's information as named numbers, and the list of all actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import Any

import attrs
import numpy as np

from rulesdsl.check.symbols.symbol_table import FlagInfo, PieceInfo, TrackInfo
from rulesdsl.interpreter.decisions import Decision
from rulesdsl.interpreter.game import Game, IllegalChoice
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.lower.layout import Layout


@attrs.frozen
class BoardFeatures:
    """Features for one kind of piece, track or flag: names, and a function that reads them."""

    names: tuple[str, ...]
    numbers: Callable[[Any], Iterable[int]]  # from the board of a view


class FeatureEncoder:
    """Encoder of observations in one setting as rows; `names` describes the numbers in a row."""

    # A row is computed only from the player's `Game.view` and open decision, so it cannot leak
    # secrets.

    def __init__(self, setting: CompiledSetting) -> None:
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
        """Return a player's information, one number for each name; players are numbered from 1."""
        view, players = game.view(player), range(1, game.players + 1)
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

    # ---------------------------------------------------------------- the board
    def _board(self, setting: CompiledSetting) -> Iterator[BoardFeatures]:
        world = setting.layout.world
        of_style = {"counted": self._counted, "single": self._single, "printed": self._printed}
        for piece in world.pieces.values():
            cells = range(setting.layout.cells(piece.name))
            named = [self._labels.cell(piece.name, code) for code in cells]
            yield of_style[piece.style](setting.layout, piece, named)
        for track in world.tracks.values():
            yield self._of_cells(setting.layout, track.name, track)
        for flag in world.flags.values():
            yield self._of_cells(setting.layout, f"{flag.name}?", flag)

    def _counted(self, layout: Layout, piece: PieceInfo, cells: list[str]) -> BoardFeatures:
        """Return the features of counted pieces: the number in each cell."""
        named = zip(self._owners(layout, piece), cells, strict=True)
        names = tuple(f"{piece.plural}{of} in {at}" for of, at in named)
        return BoardFeatures(names, lambda view: [amount or 0 for amount in view[piece.name]])

    def _single(self, layout: Layout, piece: PieceInfo, cells: list[str]) -> BoardFeatures:
        """Return the features of single pieces: the position, one-hot, for each owner."""
        owners, name = layout.owners(piece), piece.name
        pieces = (self._labels.single(name, each) for each in range(owners))

        def numbers(view: Any) -> Iterator[int]:  # noqa: ANN401 - plain data
            where = view[name]
            # seats without such a piece follow those that have one
            for lies in where[:owners] if isinstance(where, list) else [where]:
                yield from (int(cell == lies) for cell in range(len(cells)))

        return BoardFeatures(tuple(f"{e} in {cell}" for e in pieces for cell in cells), numbers)

    def _printed(self, layout: Layout, piece: PieceInfo, cells: list[str]) -> BoardFeatures:
        """Return the features of printed pieces: count, visible faces and backs in each cell."""
        name, labels = piece.name, self._labels
        pieces = range(len(layout.instances(name)))
        backs = dict.fromkeys(filter(None, (labels.back(name, each) for each in pieces)))
        faces = [f"{labels.printed(name, at).name}#{at}" for at in pieces]
        kinds = [piece.plural, *faces, *(f"{piece.plural} with back {e}" for e in backs)]

        def numbers(view: Any) -> Iterator[int]:  # noqa: ANN401 - plain data
            for pile in view[name]:
                known = pile if isinstance(pile, list) else []
                yield pile if isinstance(pile, int) else len(known)
                yield from (int(face in known) for face in faces)
                yield from (known.count(back) for back in backs)

        return BoardFeatures(tuple(f"{e} in {cell}" for cell in cells for e in kinds), numbers)

    def _owners(self, layout: Layout, piece: PieceInfo) -> Iterator[str]:
        """Yield ` of <owner>` for each cell whose place does not imply the owner of its pieces."""
        for code, owner in enumerate(layout.owners_of_cells(piece.name)):
            place, _ = layout.place_of(piece.name, code)
            implied = owner < 0 or not piece.owned or place.owner_dim is not None
            yield "" if implied else f" of {self._labels.seats[owner]}"

    def _named(self, dim: str, at: int) -> str:
        """Return the name of an entity, unique even for equal pieces."""
        piece = self._labels.world.pieces.get(dim)
        if piece is not None and piece.style == "printed":
            return f"{self._labels.printed(dim, at).name}#{at}"
        return self._labels.named(dim, at)

    def _of_cells(self, layout: Layout, key: str, info: TrackInfo | FlagInfo) -> BoardFeatures:
        """Return the features of a track or flag: its cells.

        If cells may be hidden, each is followed by 1 if it is known, else 0; unknown cells are 0.
        """
        pieces = (layout.world.pieces.get(dim) for dim in info.dims)
        secret = bool(info.seen_by) or any(e is not None and e.style == "printed" for e in pieces)
        names: list[str] = []
        for at in range(prod(layout.size(dim) for dim in info.dims)):
            along = layout.indexes(info.dims, at)
            of = ", ".join(self._named(dim, each) for dim, each in along)
            name = f"{info.name} of {of}" if of else info.name
            names += [name, f"{name} is known"] if secret else [name]

        def numbers(view: Any) -> Iterator[int]:  # noqa: ANN401 - plain data
            cells = view[key]
            for each in cells if isinstance(cells, list) else [cells]:
                yield each or 0
                if secret:
                    yield int(each is not None)

        return BoardFeatures(tuple(names), numbers)


@attrs.frozen
class ActionOption:
    """An option in a question, identified by their ids; equal option ids are numbered `...-2`."""

    number: int
    decision: str
    option: str
    label: str = attrs.field(repr=False)

    @property
    def name(self) -> str:
        """The question and the option as one string."""
        return f"{self.decision}/{self.option}"


class Moves:
    """All moves in a setting, in the order of `Pack.actions`."""

    # Equal pieces have separate moves, since they may lie in places that the rules distinguish.

    def __init__(self, setting: CompiledSetting) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self.all = tuple(self._number(setting))

    def _number(self, setting: CompiledSetting) -> Iterator[ActionOption]:
        for action in setting.actions:
            for at, raw in enumerate(action.raw):
                name = f"{action.id}-{at + 1}" if at else action.id
                number = len(self._numbers)
                self._numbers[action.asked_in, raw] = number
                yield ActionOption(number, action.decision, name, action.label)

    def offered(self, decision: Decision) -> dict[int, int]:
        """Return the legal moves at a decision, in order, each with the index of its option."""
        raws = enumerate(decision.raw)
        return dict(sorted((self._numbers[decision.number, raw], at) for at, raw in raws))

    def index(self, decision: Decision, number: int) -> int:
        """Return the option index of a move; raise IllegalChoice if it is not offered."""
        offered = self.offered(decision)
        if number not in offered:
            known = range(len(self.all))
            said = f"`{self.all[number].name}`" if number in known else f"move {number}"
            raise IllegalChoice(f"{said} is not offered at `{decision.id}`")
        return offered[number]


LIMIT = 2**24  # integers up to here are exact in single precision


def observed(row: Sequence[int]) -> Any:  # noqa: ANN401 - an array
    """Return a row of numbers as a clipped, single-precision array."""
    return np.clip(np.array(row, dtype=np.float64), -LIMIT, LIMIT).astype(np.float32)


def masked(offered: Iterable[int], moves: int) -> Any:  # noqa: ANN401 - an array
    """Return an array with 1 for each legal move and 0 for the others."""
    mask: Any = np.zeros(moves, dtype=np.int8)
    mask[list(offered)] = 1
    return mask
