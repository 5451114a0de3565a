"""TOML files as the check sees them, and what they say at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import attrs

from rulesdsl.check.types import a_or_an
from rulesdsl.source.suggest import closest
from rulesdsl.syntax.size import MAX_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.world import EntryInfo, KindInfo, World
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span


Path = tuple[str | int, ...]
ABOUT_SOURCES = {"source", "sources"}


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


@attrs.frozen
class Said:
    """What a table says at a place."""

    table: Table
    path: Path
    raw: object

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.table.span(self.path)

    @property
    def key_span(self) -> Span:
        """Where the key stands that it is said under."""
        return self.table.key_span(self.path)

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The place of every character of a text."""
        return self.table.string_map(self.path)

    def inner(self, key: str | int, raw: object) -> Said:
        """Return what is said in it under a key."""
        return Said(self.table, (*self.path, key), raw)

    @property
    def items(self) -> list[tuple[str, Said]]:
        """What is said in it, by key; nothing where it is no table."""
        raw = self.raw if isinstance(self.raw, dict) else {}
        return [(key, self.inner(key, each)) for key, each in raw.items()]

    def named(self, world: World) -> Iterator[tuple[str, Said]]:
        """Yield what a table names, the sources apart; below a mod's id, what the mod brings.

        In a table, `[hats.bonnet]` is the `bonnet` that the mod `hats` brings.
        """
        for key, each in self.items:
            if key in ABOUT_SOURCES:
                continue
            if key in world.mods and isinstance(each.raw, dict):
                for bare, inner in each.items:
                    if bare not in ABOUT_SOURCES:
                        yield f"{key}.{bare}", inner
            else:
                yield key, each


def section_of(kind: KindInfo, table: Table, world: World) -> Said:
    """Return the part of a file that is about a kind: all of it, or the part of its name."""
    whole = Said(table, (), table.data)
    found = table.data.get(kind.name)
    shared = any(is_section(kind, name, world) for name in table.data)
    if isinstance(found, dict) and (
        shared or all(isinstance(each, dict) for each in found.values())
    ):
        return whole.inner(kind.name, found)
    return whole.inner(kind.name, {}) if shared else whole


def is_section(kind: KindInfo, name: str, world: World) -> bool:
    """Whether a name in the file of a kind is that of another kind in the same file."""
    other = world.kinds.get(name)
    return other is not None and other is not kind and other.table == kind.table


@attrs.frozen
class Reader:
    """What all readers of tables share: the world that is filled, and what is wrong in tables."""

    world: World
    tables: Tables
    findings: Findings

    def wrong(self, said: Said, wanted: str) -> None:
        """Report what is of another kind than the one that is wanted."""
        self.findings.report("E005", said.span, f"Here must stand {wanted}.")

    def number(self, said: Said, wanted: str = "a whole number") -> int | None:
        """Return a number; reported and None where it is none, or too large."""
        raw = said.raw
        if isinstance(raw, bool) or not isinstance(raw, int):
            self.wrong(said, wanted)
            return None
        if abs(raw) <= MAX_NUMBER:
            return raw
        help_text = f"Numbers go up to {MAX_NUMBER}."
        self.findings.report("E407", said.span, f"{raw} is too large.", help_text)
        return None

    def unknown_field(
        self, kind: KindInfo, found: EntryInfo, name: str, span: Span, help_text: str
    ) -> None:
        """Report a field of an entry that its kind does not have."""
        found.wrong.update(closest(name, kind.fields)[:1])  # it may have been meant
        if not self.world.doubtful(name):
            message = f"{a_or_an(kind.name).capitalize()} has no field `{name}`."
            self.findings.report("E004", span, message, help_text)
