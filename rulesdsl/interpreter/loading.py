"""Loading a pack: read, check, lower; from the cache where nothing has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.read import check_pack
from rulesdsl.interpreter.pack import Pack
from rulesdsl.lower.lowering import lower
from rulesdsl.source.diagnostic import LintError, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def load(path: str | Path, mods: Sequence[str | Path] = (), *, cache: bool = True) -> Pack:
    """Load a game from its folder, with mods laid over it.

    Raises LintError with every finding where the content has errors.
    """
    layers, checked, report = check_pack(path, mods)
    errors = [each for each in report.diagnostics if each.severity is Severity.ERROR]
    if layers is None or checked is None or errors:
        raise LintError(errors or report.diagnostics, report.sources)
    manifest = layers.game.manifest
    return Pack(
        manifest.id,
        manifest.name,
        str(manifest.version),
        layers.digest,
        layers.files,
        (layers.players.least, layers.players.most),
        tuple(mod.id for mod in layers.mods),
        checked.program,
        lower(checked),
    )
