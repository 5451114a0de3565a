"""Loading a pack: read and check; from the cache where nothing has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.information_flow import annotate
from rulesdsl.check.program import Program
from rulesdsl.check.read import check_layers
from rulesdsl.interpreter.kinds import PROGRAM
from rulesdsl.interpreter.pack import Pack
from rulesdsl.packs.layers import read_layers
from rulesdsl.source import cache as disk
from rulesdsl.source.diagnostic import LintError, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rulesdsl.packs.layers import Layered


def load(path: str | Path, mods: Sequence[str | Path] = (), *, cache: bool = True) -> Pack:
    """Load a game from its folder, with mods laid over it.

    Raises LintError with every finding where the content has errors.
    """
    layers = read_layers(path, mods)
    key = _cache_key(layers)
    match disk.read_kept(key, PROGRAM) if cache else None:
        case Program() as program:
            pass
        case _:
            program = _check(layers)
            if cache:
                disk.write_kept(key, program, PROGRAM)
    return pack_of(layers, program, key=key if cache else "")


def pack_of(layers: Layered, program: Program, key: str = "") -> Pack:
    """Return the pack that a checked program makes of its folders."""
    manifest = layers.game.manifest
    return Pack(
        manifest.id,
        manifest.name,
        str(manifest.version),
        layers.digest,
        layers.files,
        (layers.players.least, layers.players.most),
        tuple(mod.id for mod in layers.mods),
        program,
        layers,
        key,
    )


def _cache_key(layers: Layered) -> str:
    """Return what a cached program depends on: content, and the paths that its places name."""
    return "\0".join([layers.digest, *sorted(layers.sources)])


def _check(layers: Layered) -> Program:
    checked = check_layers(layers, layers.findings)
    found = layers.findings.sorted()
    errors = [each for each in found if each.severity is Severity.ERROR]
    if errors:
        raise LintError(errors, layers.sources)
    return annotate(checked)
