"""TOML files as the check sees them, and the named numbers in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rulesdsl.check.declare.names import another_name
from rulesdsl.check.world import KindInfo, World
from rulesdsl.source.diagnostic import Related
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.size import MAX_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span


Path = tuple[str | int, ...]


class Table(Protocol):
    """A TOML file, or several laid over each other, with the place of everything."""

    @property
    def data(self) -> dict[str, object]:
        """What the table holds."""
        ...

    def span(self, path: Path) -> Span:
        """Return the place of a value."""
        ...

    def key_span(self, path: Path) -> Span:
        """Return the place of a key."""
        ...

    def string_map(self, path: Path) -> tuple[tuple[int, int], ...]:
        """Return the place of every character of a text."""
        ...


class Tables(Protocol):
    """The TOML files of a pack."""

    def get(self, path: str, span: Span) -> Table | None:
        """Return a table; a missing one is reported at the place that asks for it."""
        ...


def named_in(
    section: dict[str, object], path: Path, world: World
) -> Iterator[tuple[str, Path, object]]:
    """Yield what a table names: name, path and value; below a mod's id, what the mod brings.

    In a table, `[hats.bonnet]` is the `bonnet` that the mod `hats` brings.
    """
    for key, value in section.items():
        if key in {"source", "sources"}:
            continue
        if key in world.mods and isinstance(value, dict):
            for bare, inner in value.items():
                if bare not in {"source", "sources"}:
                    yield f"{key}.{bare}", (*path, key, bare), inner
        else:
            yield key, (*path, key), value


def section_of(kind: KindInfo, table: Table, world: World) -> tuple[dict[str, object], Path]:
    """Return the part of a file that is about a kind: all of it, or the part of its name."""
    found = table.data.get(kind.name)
    shared = any(is_section(kind, name, world) for name in table.data)
    if isinstance(found, dict) and (
        shared or all(isinstance(each, dict) for each in found.values())
    ):
        return found, (kind.name,)
    if shared:
        return {}, (kind.name,)
    return table.data, ()


def is_section(kind: KindInfo, name: str, world: World) -> bool:
    """Whether a name in the file of a kind is that of another kind in the same file."""
    other = world.kinds.get(name)
    return other is not None and other is not kind and other.table == kind.table


class TableBase:
    """Reads named numbers; what all readers of tables share."""

    def __init__(self, world: World, tables: Tables, findings: Findings) -> None:
        self.world = world
        self.tables = tables
        self.findings = findings

    # ---------------------------------------------------------------- named numbers
    def read_constants(self, decl: de.ConstantsDecl) -> None:
        """Take in the named numbers of a file."""
        table = self.tables.get(decl.table.path, decl.table.span)
        if table is None:
            self.world.unread = True
            return
        self.world.constant_tables.append(decl.table.path)
        for name, path, value in named_in(table.data, (), self.world):
            span = table.key_span(path)
            if self.world.constant_spans.get(name) == span:
                continue  # another pack names the same file
            self.world.lost.add(name)
            if not isinstance(value, int | dict) or isinstance(value, bool):
                self._wrong(table, path, "a whole number or a table of numbers")
                continue
            if name in self.world.constants:
                first = self.world.constant_spans[name]
                self.findings.report(
                    "E202",
                    span,
                    f"`{name}` is named twice.",
                    another_name(name, span, first, self.world),
                    [Related(first, "named here first")],
                )
                continue
            if self._numbers_only(table, path, value):
                self.world.lost.discard(name)
                self.world.constants[name] = value
                self.world.constant_spans[name] = span

    def _numbers_only(self, table: Table, path: Path, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | dict):
            self._wrong(table, path, "a whole number")
            return False
        if isinstance(value, int):
            return self._in_bounds(table, path, value)
        return all(self._numbers_only(table, (*path, key), each) for key, each in value.items())

    def _in_bounds(self, table: Table, path: Path, value: int) -> bool:
        if abs(value) <= MAX_NUMBER:
            return True
        self.findings.report(
            "E407",
            table.span(path),
            f"{value} is too large.",
            f"Numbers go up to {MAX_NUMBER}.",
        )
        return False

    def _wrong(self, table: Table, here: Path, wanted: str) -> None:
        self.findings.report("E005", table.span(here), f"Here must stand {wanted}.")
