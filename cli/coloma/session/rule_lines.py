"""Which lines of the rules brought a change about, with their text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from coloma.session.news import readable
from coloma.session.screen import shown
from rulesdsl import Game
from rulesdsl.source.span import SourceFile, Span


class RuleLines:
    """The texts of the content, read when somebody first asks for a reason."""

    def __init__(self, read_sources: Callable[[], Mapping[str, SourceFile]]) -> None:
        self._read_sources = read_sources

    def reasons(self, game: Game, viewer: int, back: int = 1) -> Iterator[str]:
        """Yield a change that the viewer knows of, the last or an earlier one, and its rules."""
        for line in reversed(game.log):
            told = list(readable([line], viewer))
            if not told or not line.rules:
                continue
            back -= 1
            if back <= 0:
                yield from told
                yield from map(self._quoted, dict.fromkeys(line.rules))
                return
        yield "Nothing has happened yet that a rule brought about."

    def _quoted(self, place: Span) -> str:
        source = self._sources.get(place.file)
        text = shown(source.line(place.line)) if source else ""
        return f"  {place.file}:{place.line}: {text}".rstrip(": ")

    @cached_property
    def _sources(self) -> Mapping[str, SourceFile]:
        return self._read_sources()
