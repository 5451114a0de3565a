"""Lists of what a pack has, from its folder: its numbers with their sources, and its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.read import check_pack
from rulesdsl.check.sources import SourceLine, number_sources
from rulesdsl.check.vocabulary import Vocabulary, collect_vocabulary
from rulesdsl.source.diagnostic import LintError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def sources(path: str | Path, mods: Sequence[str | Path] = ()) -> tuple[SourceLine, ...]:
    """List every number of a pack that is not the rulebook's, with its source and place.

    Raises LintError where the content has errors.
    """
    layers, checked, report = check_pack(path, mods)
    if layers is None or checked is None or report.errors:
        raise LintError(report.errors, report.sources)
    return number_sources(layers, checked)


def vocabulary(path: str | Path, mods: Sequence[str | Path] = ()) -> Vocabulary:
    """List what a game and its mods declare: verbs, values, places, pieces, tables, numbers.

    What cannot be read of it is left out; raises LintError where the pack cannot be read at all.
    """
    layers, checked, report = check_pack(path, mods)
    if layers is None or checked is None:
        raise LintError(report.diagnostics, report.sources)
    return collect_vocabulary(layers, checked.program.world)
