"""What a pack says about itself in its `pack.toml`."""

from __future__ import annotations

from enum import StrEnum

import attrs

from rulesdsl.packs.versions import ANY_VERSION, Version, VersionRange
from rulesdsl.source.span import NOWHERE, Span


class PackKind(StrEnum):
    """Whether a pack is played by itself or changes one that is."""

    GAME = "game"
    MOD = "mod"


@attrs.frozen
class Players:
    """How many people can play."""

    least: int
    most: int


DEFAULT_PLAYERS = Players(2, 2)
"""For a game that does not say."""


@attrs.frozen
class PackRef:
    """Another pack that a manifest names, in which versions, and where it names it."""

    id: str
    versions: VersionRange = ANY_VERSION
    span: Span = attrs.field(default=NOWHERE, eq=False)

    def __str__(self) -> str:
        return f"{self.id} {self.versions}".rstrip()


@attrs.frozen
class Manifest:
    """What a pack says about itself.

    `players` is `None` for a mod that leaves the number as it is. `for_game` is the id of the
    game that a mod changes, and empty for a game. What is required is loaded before, as what
    is in `after` is.
    """

    id: str
    name: str
    version: Version
    kind: PackKind
    engine: VersionRange = ANY_VERSION
    about: str = ""
    players: Players | None = None
    for_game: str = ""
    excludes: tuple[PackRef, ...] = ()
    requires: tuple[PackRef, ...] = ()
    after: tuple[PackRef, ...] = ()

    @property
    def is_mod(self) -> bool:
        """Whether the pack changes a game instead of being one."""
        return self.kind is PackKind.MOD

    @property
    def loads_after(self) -> frozenset[str]:
        """The ids of all packs that it wants before itself."""
        return frozenset(each.id for each in (*self.after, *self.requires))
