"""Parts of a program by name, and which of them something asked for.

Flattening reads a program through tables that note what is asked for, so that it is known what
the code of each function depends on: see `rulesdsl.scenarios.changed`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import attrs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rulesdsl.check.program import EffectKey, Program
    from rulesdsl.check.world import EntryInfo, KindInfo

REST = "everything else"
K = TypeVar("K")
V = TypeVar("V")


def proc_part(key: str) -> str:
    """Return the part that a procedure is, as it was lowered."""
    return f"proc {key}"


def guard_part(key: str) -> str:
    """Return the part that a guard is."""
    return f"guard {key}"


def guarded_part(key: str) -> str:
    """Return whether a procedure has a guard at all, as a part."""
    return f"guarded {key}"


def value_part(key: tuple[str, int]) -> str:
    """Return the part that a layer of a value is."""
    return f"value {key[0]} {key[1]}"


def takes_part(key: tuple[str, int]) -> str:
    """Return what a value is called with, as a part."""
    return f"takes {key[0]} {key[1]}"


def formula_part(key: EffectKey) -> str:
    """Return the part that a formula of an entry is."""
    return f"formula {key}"


def column_part(kind: str, field: str) -> str:
    """Return which entries of a kind have an effect or a formula in a field, as a part."""
    return f"column {kind} {field}"


def cell_part(kind: str, field: str, entry: str) -> str:
    """Return what one entry says in a field, as a part."""
    return f"cell {kind} {field} {entry}"


def written_part(kind: str, field: str, entry: str) -> str:
    """Return the effect or formula of an entry as it is written, which people read, as a part."""
    return f"written {kind} {field} {entry}"


def column_of_effect(key: EffectKey) -> str:
    """Return the column that an effect or a formula is in."""
    return column_part(key[0], key[1])


def name_part(word: str) -> str:
    """Return what a word means in a scenario, as a part."""
    return f"name {word}"


@attrs.define
class Asked:
    """The parts that are asked for while something is made."""

    parts: set[str] = attrs.Factory(set)

    def afresh(self, *parts: str) -> set[str]:
        """Begin something else, which depends on some parts anyway; return what it asks for."""
        self.parts = {*parts}
        return self.parts

    @contextmanager
    def aside(self) -> Iterator[set[str]]:
        """Make something whose parts are not asked for now; they are noted in what it yields."""
        outer, self.parts = self.parts, set()
        try:
            yield self.parts
        finally:
            self.parts = outer


class NotingRow(tuple[Any, ...]):
    """A constant table of compiled code that notes which parts the cells are of that are read."""

    __slots__ = ()
    asked: ClassVar[Asked]
    origins: ClassVar[tuple[tuple[str, ...], ...]]

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - as that of a tuple
        """Return a cell, and note the parts that it is of."""
        self.asked.parts.update(origin[at] for origin in self.origins)
        return super().__getitem__(at)

    @classmethod
    def of(cls, cells: tuple[Any, ...], asked: Asked, origins: Iterable[tuple[str, ...]]) -> Self:
        """Return a table that notes; each origin has a part for every cell."""
        made = type(cls.__name__, (cls,), {"asked": asked, "origins": tuple(origins)})
        return made(cells)  # type: ignore[no-any-return] # of a class made just now


class Noting(dict[K, V], Generic[K, V]):
    """A table of a program that notes which parts are asked for.

    `table[key]` is about all that is there, `table.get(key)` about what is asked without looking
    into it: whether there is a guard, say. To go through it all is not noted.
    """

    def __init__(
        self,
        table: dict[K, V],
        asked: Asked,
        whole: Callable[[K], str],
        light: Callable[[K], str] | None = None,
    ) -> None:
        super().__init__(table)
        self._asked = asked
        self._whole = whole
        self._light = light or whole

    def __getitem__(self, key: K) -> V:
        """Return what is there, and note the part."""
        self._asked.parts.add(self._whole(key))
        return super().__getitem__(key)

    def get(self, key: K, default: Any = None) -> Any:  # noqa: ANN401 - as that of a dict
        """Return what is there, and note that it was asked for."""
        self._asked.parts.add(self._light(key))
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        """Whether something is there, which is noted."""
        self._asked.parts.add(self._light(key))  # type: ignore[arg-type] # a key, or none of ours
        return super().__contains__(key)

    def items(self) -> Any:  # noqa: ANN401 - as that of a dict
        """Return all that is there, and note it."""
        self._all()
        return super().items()

    def values(self) -> Any:  # noqa: ANN401 - as that of a dict
        """Return all that is there, and note it."""
        self._all()
        return super().values()

    def __iter__(self) -> Iterator[K]:
        """Go through all that is there, and note it."""
        self._all()
        return super().__iter__()

    def _all(self) -> None:
        self._asked.parts.update(map(self._whole, super().__iter__()))


def noting(program: Program, asked: Asked) -> Program:
    """Return a program that notes what is asked of it."""
    world = program.world
    kinds = {name: _noting_kind(kind, asked) for name, kind in world.kinds.items()}
    return attrs.evolve(
        program,
        world=attrs.evolve(world, kinds=kinds),
        procs=Noting(program.procs, asked, proc_part),
        values=Noting(program.values, asked, value_part, takes_part),
        guards=Noting(program.guards, asked, guard_part, guarded_part),
        effects=Noting(program.effects, asked, column_of_effect),
        formulas=Noting(program.formulas, asked, formula_part, column_of_effect),
    )


def _noting_kind(kind: KindInfo, asked: Asked) -> KindInfo:
    return attrs.evolve(kind, entries=[_noting_entry(each, asked) for each in kind.entries])


def _noting_entry(entry: EntryInfo, asked: Asked) -> EntryInfo:
    def cell(key: tuple[str, str | None]) -> str:
        return cell_part(entry.kind, key[0], entry.name)

    def written(key: tuple[str, str | None]) -> str:
        return written_part(entry.kind, key[0], entry.name)

    return attrs.evolve(
        entry,
        values=Noting(entry.values, asked, cell),
        effects=Noting(entry.effects, asked, written),
        formulas=Noting(entry.formulas, asked, written),
    )
