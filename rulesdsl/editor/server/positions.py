"""From our places to those of a client, which counts in UTF-16 unless it says otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs
from lsprotocol import types as lsp
from pygls import uris

from rulesdsl.editor.view import Spot

if TYPE_CHECKING:
    from collections.abc import Callable

    from pygls.workspace import PositionCodec

    from rulesdsl.source.span import SourceFile, Span


@attrs.frozen
class Positions:
    """Converts places; `source` gives the texts of files as they are now."""

    codec: PositionCodec
    source: Callable[[str], SourceFile | None]

    def position(self, file: str, line: int, column: int) -> lsp.Position:
        """Return the position of a client for a line and a column from 1."""
        source = self.source(file)
        before = "" if source is None else source.line(line)[: max(0, column - 1)]
        return lsp.Position(max(0, line - 1), self.codec.client_num_units(before))

    def range(self, span: Span) -> lsp.Range:
        """Return the range of a client for a stretch of a file."""
        return lsp.Range(
            self.position(span.file, span.line, span.column),
            self.position(span.file, span.end_line, span.end_column),
        )

    def location(self, span: Span) -> lsp.Location:
        """Return where a stretch is, by its file."""
        return lsp.Location(uri_of(span.file), self.range(span))

    def spot(self, uri: str, position: lsp.Position) -> Spot:
        """Return our place for the position of a client."""
        file = file_of(uri)
        source = self.source(file)
        text = "" if source is None else source.line(position.line + 1)
        column = 0
        units = 0
        while column < len(text) and units < position.character:
            units += self.codec.client_num_units(text[column])
            column += 1
        return Spot(file, position.line + 1, column + 1)


def file_of(uri: str) -> str:
    """Return the path of a file as it is shown in places; for what is no file, the URI."""
    path = uris.to_fs_path(uri)
    return uri if path is None else Path(path).as_posix()


def uri_of(file: str) -> str:
    """Return the URI of a file."""
    return uris.from_fs_path(file) or file
