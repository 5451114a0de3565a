"""Plain data about a state: a viewer's view and the standings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import attrs

from rulesdsl.interpreter.labels import Labels
from rulesdsl.interpreter.state import cells_of
from rulesdsl.lower.flat import STANDING, TOTAL, value_name
from rulesdsl.lower.layout import Viewers
from rulesdsl.lower.schema import NOTHING, Eyes, FlagInfo, MemoryInfo, PlaceInfo, TrackInfo


class Views:
    """Reader of a setting's states."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        layout, pieces = labels.layout, labels.world.pieces
        self.eyes = {name: layout.watchers(name) for name in pieces}
        self.counters = {name: layout.counters(name) for name in pieces}
        self.printed = tuple(name for name, each in pieces.items() if each.style == "printed")
        self.places: dict[str, list[tuple[PlaceInfo, tuple[int, ...]]]] = {
            name: [layout.place_of(name, code) for code in range(layout.cells(name))]
            for name in pieces
        }

    def backs(self, piece: str) -> list[tuple[object, ...]]:
        """Return the public values on the back of each printed piece of a kind."""
        kind = self.labels.world.kinds[piece]
        fields = [each.name for each in kind.fields.values() if each.back]
        return [
            tuple(kind.entries[entry].values.get((name, None)) for name in fields)
            for entry, _ in self.labels.layout.instances(piece)
        ]

    @cached_property
    def copies_of(self) -> dict[str, list[tuple[int, ...]]]:
        """The groups of several equal printed pieces, by kind."""
        every = {name: dict.fromkeys(self.copies(name)) for name in self.printed}
        return {name: [each for each in some if len(each) > 1] for name, some in every.items()}

    def copies(self, piece: str) -> list[tuple[int, ...]]:
        """Return for each printed piece of a kind all pieces that are equal to it."""
        groups: dict[tuple[int, int], list[int]] = {}
        instances = self.labels.layout.instances(piece)
        for at, printed in enumerate(instances):
            groups.setdefault(printed, []).append(at)
        return [tuple(groups[printed]) for printed in instances]

    def numbers(self, piece: str, order: Callable[[int], int]) -> list[int]:
        """Return a number for each printed piece of a kind; equal copies are numbered in an order.

        `order` is a sort key for pieces.
        """
        numbers = [*range(len(self.labels.layout.instances(piece)))]
        for group in self.copies_of[piece]:
            for number, copy in zip(group, sorted(group, key=order), strict=True):
                numbers[copy] = number
        return numbers

    def numbered(
        self,
        info: FlagInfo | TrackInfo,
        cells: Any,  # noqa: ANN401 - a number or a list
        numbers: Mapping[str, list[int]],
    ) -> Any:  # noqa: ANN401
        """Return the cells of a flag or track after its pieces have got other numbers."""
        layout, copied = self.labels.layout, (k for k in info.dims if self.copies_of.get(k))
        renumbered = [kind for kind in copied if numbers[kind] != [*range(len(numbers[kind]))]]
        if not renumbered or not isinstance(cells, list):
            return cells
        moved, strides = list(cells), layout.strides(tuple(map(layout.size, info.dims)))
        for at, value in enumerate(cells):
            along = zip(layout.indexes(info.dims, at), strides, strict=True)
            places = [
                (numbers[kind][index] if kind in renumbered else index) * stride
                for (kind, index), stride in along
            ]
            moved[sum(places)] = value
        return moved

    def of(
        self,
        st: Any,  # noqa: ANN401
        viewer: int | None,
        turned_up: Mapping[str, frozenset[int]] | None = None,
    ) -> StateView:
        """Return the view of a player (numbered from 1) or of a spectator (None).

        `turned_up` are the pieces that the viewer was shown and that still lie there, by kind.
        """
        return StateView(self, st, viewer, turned_up or {})


class StateView:
    """A state as seen by one viewer."""

    def __init__(
        self,
        views: Views,
        st: Any,  # noqa: ANN401
        viewer: int | None,
        turned_up: Mapping[str, frozenset[int]],
    ) -> None:
        self._turned_up = turned_up
        self.views = views
        self.labels = views.labels
        self.layout = views.labels.layout
        self.world = views.labels.world
        self.st = st
        self.viewer = viewer

    def cells(self, array: str) -> Any:  # noqa: ANN401
        """Return the cells of an array, or the piles for a kind of piece."""
        return cells_of(self.st, array)

    def data(self) -> dict[str, object]:
        """Return everything that the viewer may know as plain data."""
        found: dict[str, object] = {}
        for name, piece in self.world.pieces.items():
            match piece.style:
                case "counted":
                    found[name] = self.amounts(name)
                case "single":
                    found[name] = self.where(name)
                case _:
                    piles = enumerate(self.cells(f"l:{name}"))
                    found[name] = [self._pile(name, code, pile) for code, pile in piles]
        for track in self.world.tracks.values():
            found[track.name] = self.views.numbered(track, self.track(track), self.numbers)
        for flag in self.world.flags.values():
            found[f"{flag.name}?"] = self.views.numbered(flag, self.flag(flag), self.numbers)
        return found

    @cached_property
    def numbers(self) -> dict[str, list[int]]:
        """The numbers of printed pieces in the view; equal copies are numbered as they lie."""
        by_kind: dict[str, list[int]] = {}
        for piece in self.views.printed:
            order: dict[int, int] = {}
            if self.views.copies_of[piece]:
                piles = [*enumerate(self.cells(f"l:{piece}"))]
                piles.sort(key=lambda pile: not self.sees(piece, pile[0]))  # in sight first
                lying = [copy for _, pile in piles for copy in pile]
                if turned_up := self.shown(piece):
                    open_to = [self.sees(piece, code) for code in range(len(piles))]
                    where = self.cells(f"w:{piece}")
                    lying.sort(key=lambda at: 0 if open_to[where[at]] else 2 - (at in turned_up))
                order = {copy: at for at, copy in enumerate(lying)}
            by_kind[piece] = self.views.numbers(piece, order.__getitem__)
        return by_kind

    def _marked(self, flag: FlagInfo | TrackInfo, cells: list[int]) -> list[int | None]:
        """Return the cells of a flag or track; None for those that belong to hidden pieces."""
        eyes = {
            dim: [self.sees(dim, code) for code in self.cells(f"w:{dim}")]
            for dim in flag.dims
            if dim in self.world.pieces and self.world.pieces[dim].style == "printed"
        }
        if not eyes:
            return list(cells)
        indexes = (self.layout.indexes(flag.dims, at) for at in range(len(cells)))
        seen = (all(eyes[dim][at] for dim, at in each if dim in eyes) for each in indexes)
        return [value if each else None for value, each in zip(cells, seen, strict=True)]

    def flag(self, flag: FlagInfo) -> object:
        """Return the visible cells of a flag, or its single value."""
        return self._seen(flag, self.cells(f"f:{flag.name}"))

    def track(self, track: TrackInfo) -> object:
        """Return the visible cells of a track, or its single number."""
        return self._seen(track, self.cells(f"t:{track.name}"))

    def _seen(self, info: FlagInfo | TrackInfo, cells: Any) -> object:  # noqa: ANN401
        if isinstance(cells, int):
            return cells if info.seen_by is None or self._is_open(info, 0, cells) else None
        visible = self._marked(info, cells)
        if info.seen_by is None:
            return visible
        viewers, owner_of = self.layout.viewers, self.layout.owner_of
        return [
            value
            if self._is_among(viewers(info, owner_of(info.dims, at)))
            or self._is_open(info, at, value)
            else None
            for at, value in enumerate(visible)
        ]

    def _is_open(self, info: FlagInfo | TrackInfo, at: int, value: int | None) -> bool:
        """Return true if a hidden cell is an empty memory, or was shown to the viewer."""
        if isinstance(info, MemoryInfo) and value == NOTHING:
            return True
        if info.name not in self.world.shown:
            return False
        shown = self.cells(self.world.shown[info.name].array)
        bits = shown if isinstance(shown, int) else shown[at]
        return bool(bits >> max(self.viewer or 0, 0) & 1)  # the first bit is for spectators

    def amounts(self, piece: str) -> list[int | None]:
        """Return the number of counted pieces in each cell; None where it is hidden."""
        cells = enumerate(self.cells(f"n:{piece}"))
        if not any(viewers is not None for viewers in self.views.counters[piece]):
            return [number for _, number in cells]
        return [number if self.counts(piece, code) else None for code, number in cells]

    def where(self, piece: str) -> Any:  # noqa: ANN401 - a number or a list
        """Return the cell of each single piece, or of the only one; None where it is hidden."""
        where = self.cells(f"s:{piece}")
        cells = [where] if isinstance(where, int) else where
        seen = [code if code < 0 or self.counts(piece, code) else None for code in cells]
        return seen[0] if isinstance(where, int) else seen

    def counts(self, piece: str, code: int) -> bool:
        """Return true if the viewer knows how many pieces lie in a cell."""
        return self._is_among(self.views.counters[piece][code])

    def sees(self, piece: str, code: int) -> bool:
        """Return true if the viewer sees the contents of a cell."""
        return self._is_among(self.views.eyes[piece][code])

    def _is_among(self, viewers: Viewers) -> bool:
        return viewers is None or self.viewer in viewers

    def shown(self, piece: str) -> frozenset[int]:
        """Return the pieces of a kind that lie face down, but were shown to the viewer."""
        return self._turned_up.get(piece, frozenset())

    def has_back(self, piece: str) -> bool:
        """Return true if pieces of a kind have printed backs."""
        return any(field.back for field in self.world.kinds[piece].fields.values())

    def _pile(self, piece: str, code: int, pile: list[int]) -> object:
        if not self.counts(piece, code):
            return None
        place, _ = self.views.places[piece][code]
        is_open, turned_up = self.sees(piece, code), self.shown(piece)
        if not is_open and turned_up.isdisjoint(pile) and not self.has_back(piece):
            return len(pile)
        names = [
            f"{self.labels.printed(piece, at).name}#{self.numbers[piece][at]}"
            if is_open or at in turned_up
            else self.labels.back(piece, at)
            for at in pile
        ]
        return names if place.stack else sorted(names)


@attrs.frozen
class ScoreLine:
    """A seat's points from one scoring line; None if the viewer may not know them."""

    title: str
    points: int | None


@attrs.frozen
class Score:
    """The score of a seat as if the game ended now.

    The lines are those of the final result, in the same order. `total` and `place` are None if the
    viewer may not know them.
    """

    seat: int
    """The number of the seat, from 1: players first, then rivals."""
    name: str
    lines: tuple[ScoreLine, ...]
    total: int | None
    place: int | None
    """1 is first; tied seats share a place."""


class Standings:
    """Reader of scores from the states of one setting, redacted by visibility."""

    def __init__(self, views: Views) -> None:
        self.views = views
        self.labels = views.labels
        self.seats = views.labels.layout.scoring_seats()

    @cached_property
    def _sources(self) -> tuple[tuple[str, str, Eyes, str], ...]:
        """The title, function, viewers and seat parameter of each scoring line."""
        layout = self.labels.layout
        return tuple(
            (line.title, value_name(*line.value), *layout.value_eyes(*line.value))
            for line in layout.schema.scores
        )

    def all(self, st: Any, viewer: int | None) -> tuple[Score, ...]:  # noqa: ANN401 - made at run time
        """Return the scores as known to a player (numbered from 1), or to a spectator (None)."""
        return tuple(self._score(st, seat, viewer) for seat in self.seats)

    def whole(self, st: Any, seat: int) -> Score:  # noqa: ANN401 - made at run time
        """Return a seat's score, including secrets; seats are numbered from 0."""
        return self._score(st, seat, None, secrets=True)

    def _score(
        self,
        st: Any,  # noqa: ANN401 - made at run time
        seat: int,
        viewer: int | None,
        *,
        secrets: bool = False,
    ) -> Score:
        engine, layout = self.labels.engine, self.labels.layout
        secrets = secrets or st.over  # the final result is open to all
        own = viewer == seat + 1
        lines = tuple(
            ScoreLine(
                title,
                engine.call(function, st, seat)
                if secrets or eyes is None or (own and owner in eyes)
                else None,
            )
            for title, function, eyes, owner in self._sources
        )
        known = all(line.points is not None for line in lines)
        return Score(
            seat + 1,
            self.labels.seats[seat],
            lines,
            engine.call(TOTAL, st, seat) if known else None,
            engine.call(STANDING, st, seat) if secrets or layout.places_are_open else None,
        )
