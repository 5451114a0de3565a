"""What somebody may see of a state, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from rulesdsl.interpreter.labels import Labels
    from rulesdsl.lower.schema import FlagInfo, PlaceInfo, TrackInfo


class Views:
    """Reads the states of a setting."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        layout, pieces = labels.layout, labels.world.pieces
        self.eyes = {name: layout.watchers(name) for name in pieces}
        self.printed = tuple(name for name, each in pieces.items() if each.style == "printed")
        self.places: dict[str, list[tuple[PlaceInfo, tuple[int, ...]]]] = {
            name: [layout.place_of(name, code) for code in range(layout.cells(name))]
            for name in pieces
        }

    def backs(self, piece: str) -> list[tuple[object, ...]]:
        """Return what is printed on the back of every printed piece of a kind."""
        kind = self.labels.world.kinds[piece]
        fields = [each.name for each in kind.fields.values() if each.back]
        return [
            tuple(kind.entries[entry].values.get((name, None)) for name in fields)
            for entry, _ in self.labels.layout.instances(piece)
        ]

    def of(self, st: Any, viewer: int | None) -> View:  # noqa: ANN401
        """Return what a player (from 1) sees, or somebody who only watches (None)."""
        return View(self, st, viewer)


class View:
    """A state with the eyes of somebody."""

    def __init__(self, views: Views, st: Any, viewer: int | None) -> None:  # noqa: ANN401
        self.views = views
        self.labels = views.labels
        self.layout = views.labels.layout
        self.world = views.labels.world
        self.st = st
        self.viewer = viewer

    def cells(self, array: str) -> Any:  # noqa: ANN401
        """Return what the state holds under the name of an array, or of piles."""
        return cells_of(self.st, array)

    def data(self) -> dict[str, object]:
        """Return everything that the viewer may know as plain data."""
        found: dict[str, object] = {}
        for name, piece in self.world.pieces.items():
            match piece.style:
                case "counted":
                    found[name] = list(self.cells(f"n:{name}"))
                case "single":
                    where = self.cells(f"s:{name}")
                    found[name] = where if isinstance(where, int) else list(where)
                case _:
                    piles = enumerate(self.cells(f"l:{name}"))
                    found[name] = [self._pile(name, code, pile) for code, pile in piles]
        for track in self.world.tracks.values():
            found[track.name] = self.track(track)
        for flag in self.world.flags.values():
            cells = self.cells(f"f:{flag.name}")
            found[f"{flag.name}?"] = cells if isinstance(cells, int) else self.marked(flag, cells)
        return found

    def marked(self, flag: FlagInfo | TrackInfo, cells: list[int]) -> list[int | None]:
        """Return the cells of a flag or track; a piece that lies hidden hides its own."""
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

    def track(self, track: TrackInfo) -> object:
        """Return the cells of a track, or its one number."""
        cells = self.cells(f"t:{track.name}")
        if isinstance(cells, int):
            return cells if track.seen_by is None else None
        seen = self.marked(track, cells)
        if track.seen_by is None:
            return seen
        own = self.viewer - 1 if track.seen_by == "owner" and self.viewer is not None else -1
        owner = self.layout.owner_of
        return [value if owner(track.dims, at) == own else None for at, value in enumerate(seen)]

    def sees(self, piece: str, code: int) -> bool:
        """Whether the viewer sees what lies in a cell."""
        return self.views.eyes[piece][code] in {None, self.viewer or -1}

    def has_back(self, piece: str) -> bool:
        """Whether something is printed on the backs of a kind of pieces."""
        return any(field.back for field in self.world.kinds[piece].fields.values())

    def _pile(self, piece: str, code: int, pile: list[int]) -> object:
        place, _ = self.views.places[piece][code]
        if self.sees(piece, code):
            names = [f"{self.labels.printed(piece, at).name}#{at}" for at in pile]
        elif self.has_back(piece):
            names = [self.labels.back(piece, at) for at in pile]
        else:
            return len(pile)
        return names if place.stack else sorted(names)
