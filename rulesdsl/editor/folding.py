"""What can be folded: what is indented below a line, tables of a TOML file, runs of comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.editor.symbols import outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.source.span import SourceFile


@attrs.frozen
class Fold:
    """The first and the last line of what is folded into the first."""

    first: int
    last: int
    is_comment: bool = False


def folds(source: SourceFile) -> tuple[Fold, ...]:
    """Return what can be folded in a text, whether or not it can be read."""
    found = [*_comments(source)]
    if source.path.endswith(".rules"):
        found += _indented(source)
    else:
        found += (Fold(each.whole.line, each.whole.end_line) for each in outline(source))
    return tuple(sorted((each for each in found if each.last > each.first), key=_first))


def _first(fold: Fold) -> int:
    return fold.first


def _indented(source: SourceFile) -> Iterator[Fold]:
    opened: list[tuple[int, int]] = []  # the lines that something is below, with their margins
    last = 0
    for number, line in enumerate(source.lines, 1):
        if not line.strip():
            continue
        margin = len(line) - len(line.lstrip(" "))
        while opened and margin <= opened[-1][1]:
            yield Fold(opened.pop()[0], last)
        opened.append((number, margin))
        last = number
    for first, _ in opened:
        yield Fold(first, last)


def _comments(source: SourceFile) -> Iterator[Fold]:
    first = 0
    for number, line in enumerate((*source.lines, ""), 1):
        if line.lstrip().startswith("#"):
            first = first or number
        elif first:
            yield Fold(first, number - 1, is_comment=True)
            first = 0
