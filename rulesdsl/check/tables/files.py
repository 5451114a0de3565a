"""TOML files as the check sees them, and the named numbers in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.declare.names import another_name
from rulesdsl.packs.place import Place
from rulesdsl.packs.shapes import Refusal, whole
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.facts import OutOfRange
from rulesdsl.syntax.size import MAX_NUMBER
from rulesdsl.syntax.token_words import ANY_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.naming import Noted
    from rulesdsl.check.world import KindInfo, World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.merge import MergedTable
    from rulesdsl.packs.toml_spans import Path
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.syntax import declarations as de

TOO_LARGE = Refusal(
    "E407", "{} is too large.", f"Numbers go up to {MAX_NUMBER}.", OutOfRange(0, MAX_NUMBER)
)
NUMBER = whole(-MAX_NUMBER, MAX_NUMBER, refused=TOO_LARGE)
AMOUNT = whole(0, MAX_NUMBER)


@attrs.frozen
class Tables:
    """The tables of a game with its mods, and the world that they are read into."""

    layers: Layered
    world: World
    findings: Findings
    noted: Noted

    def place(self, table: MergedTable, path: Path) -> Place:
        """Return a place in a table."""
        return Place(table, path, self.findings, lambda _path, wanted, _: f"Expected {wanted}.")

    def entries(self, kind: KindInfo, table: MergedTable) -> Iterator[tuple[str, Place, object]]:
        """Yield name, place and value of what may be an entry of a kind."""
        section, path = section_of(kind, table, self.world)
        for name, where, raw in named_in(section, path, self.world):
            yield name, self.place(table, where), raw

    def read_constants(self, decl: de.ConstantsDecl) -> None:
        """Take in the named numbers of a file."""
        table = self.layers.get(decl.table.path, decl.table.span)
        if table is None:
            self.world.lost.add(ANY_NAME)
            return
        self.world.constant_tables.append(decl.table.path)
        for name, path, value in named_in(table.data, (), self.world):
            place = self.place(table, path)
            span = place.key_span
            if self.world.constant_spans.get(name) == span:
                continue  # another pack names the same file
            self.world.lost.add(name)
            if not isinstance(value, int | dict) or isinstance(value, bool):
                place.wrong("a whole number or a table of numbers", value, whole=True)
            elif name in self.world.constants:
                first = self.world.constant_spans[name]
                advice = another_name(name, span, first, self.world)
                related = [Related(first, "named here first")]
                self.findings.report("E202", span, f"`{name}` is named twice.", advice, related)
            elif _numbers_only(value, place):
                self.world.lost.discard(name)
                self.world.constants[name] = value
                self.world.constant_spans[name] = span


def _numbers_only(value: object, place: Place) -> bool:
    if isinstance(value, dict):
        return all(_numbers_only(each, place.below(key)) for key, each in value.items())
    return NUMBER.read(value, place) is not None


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


def section_of(kind: KindInfo, table: MergedTable, world: World) -> tuple[dict[str, object], Path]:
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
