"""Named numbers: files that say nothing else, and tables of numbers in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.names import another_name
from rulesdsl.check.tables.files import Said
from rulesdsl.source.diagnostic import Related

if TYPE_CHECKING:
    from rulesdsl.check.tables.files import Reader
    from rulesdsl.syntax import declarations as de


def read_constants(reader: Reader, decl: de.ConstantsDecl) -> None:
    """Take in the named numbers of a file."""
    world, table = reader.world, reader.tables.get(decl.table.path, decl.table.span)
    if table is None:
        world.unread = True
        return
    world.constant_tables.append(decl.table.path)
    for name, said in Said(table, (), table.data).named(world):
        if world.constant_spans.get(name) == said.key_span:
            continue  # another pack names the same file
        world.lost.add(name)
        if not isinstance(said.raw, int | dict) or isinstance(said.raw, bool):
            reader.wrong(said, "a whole number or a table of numbers")
        elif name in world.constants:
            first = world.constant_spans[name]
            reader.findings.report(
                "E202",
                said.key_span,
                f"`{name}` is named twice.",
                another_name(name, said.key_span, first, world),
                [Related(first, "named here first")],
            )
        elif _numbers_only(reader, said):
            world.lost.discard(name)
            world.constants[name] = said.raw
            world.constant_spans[name] = said.key_span


def _numbers_only(reader: Reader, said: Said) -> bool:
    if isinstance(said.raw, dict):
        return all(_numbers_only(reader, each) for _, each in said.items)
    return reader.number(said) is not None
