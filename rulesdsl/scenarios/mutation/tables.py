"""Mutations of the values of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.scenarios.mutation.mutant import Mutation, TextFile
from rulesdsl.scenarios.mutation.rules import ANOTHER_NOUN, RuleBreaker
from rulesdsl.source.diagnostic import Findings
from rulesdsl.syntax.parser import parse_effect, parse_formula

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulesdsl.check.world import World
    from rulesdsl.packs.toml_file import TomlFile
    from rulesdsl.packs.toml_spans import Path

ABOUT_ITSELF = {"source", "sources", "name", "id"}


class TableBreaker:
    """Finds the ways to break a table."""

    def __init__(
        self, file: TextFile, table: TomlFile, world: World, swaps: Mapping[str, tuple[str, ...]]
    ) -> None:
        self.file = file
        self.table = table
        self.world = world
        self.swaps = swaps
        self._types = {
            field.name: field.type
            for kind in world.kinds.values()
            if kind.table == table.path
            for field in kind.fields.values()
        }

    def mutations(self) -> Iterator[Mutation]:
        """Yield all of them."""
        yield from self._value(self.table.data, ())

    def _value(self, value: object, path: Path) -> Iterator[Mutation]:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key not in ABOUT_ITSELF:
                    yield from self._value(inner, (*path, key))
        elif isinstance(value, list):
            for at, inner in enumerate(value):
                yield from self._value(inner, (*path, at))
        elif isinstance(value, bool):
            yield self._leaf(path, "yes or no", "false" if value else "true")
        elif isinstance(value, int):
            yield self._breaker(path).number(*self._stretch(path), value)
        elif isinstance(value, str):
            yield from self._text(value, path)

    def _text(self, text: str, path: Path) -> Iterator[Mutation]:
        kinds = {self._types.get(each, "") for each in path if isinstance(each, str)}
        if kinds & {"effect", "automatic", "formula"}:
            places = self.table.index.string_map(path)
            breaker = self._breaker(path)
            offsets = [self.file.offset(*place) for place in places]
            yield from breaker.words(text, offsets.__getitem__, header=False)
            parse = parse_formula if "formula" in kinds else parse_effect
            yield from breaker.tree(parse(text, self.table.path, Findings(), places))
        elif kinds & set(self.world.kinds) and text in self.swaps:
            yield self._leaf(path, ANOTHER_NOUN, *(f'"{each}"' for each in self.swaps[text]))

    def _leaf(self, path: Path, way: str, *news: str) -> Mutation:
        return Mutation(self.file, *self._stretch(path), news, way, self._about(path))

    def _breaker(self, path: Path) -> RuleBreaker:
        return RuleBreaker(self.file, self.swaps, self._about(path))

    def _about(self, path: Path) -> tuple[str, ...]:
        return tuple(each for each in path if isinstance(each, str))

    def _stretch(self, path: Path) -> tuple[int, int]:
        span = self.table.index.span(path)
        return (
            self.file.offset(span.line, span.column),
            self.file.offset(span.end_line, span.end_column),
        )
