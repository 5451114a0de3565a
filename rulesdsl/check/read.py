"""Reading and checking a pack from its folder: what `lint` and `load` begin with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.fold import fold
from rulesdsl.check.graph import Graph
from rulesdsl.check.lints import run_lints
from rulesdsl.check.pack_check import Checked, check_sources
from rulesdsl.check.possible.guards import Guards
from rulesdsl.check.program import Program
from rulesdsl.check.world import World
from rulesdsl.packs.layers import Layered, layer
from rulesdsl.packs.pack_source import read_pack
from rulesdsl.source.diagnostic import Diagnostic, Findings
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.source.span import SourceFile


@attrs.frozen
class Report:
    """What a lint found: findings in the order of the files, and the files' texts."""

    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, SourceFile] = attrs.field(repr=False)


def read_layers(
    path: str | Path,
    mods: Sequence[str | Path],
    findings: Findings,
    sources: dict[str, SourceFile],
) -> Layered | None:
    """Read a game and its mods from their folders; None where one cannot be read at all."""
    game = read_pack(Path(path), findings, sources=sources)
    layers = [read_pack(Path(mod), findings, sources=sources) for mod in mods]
    if game is None or any(each is None for each in layers):
        return None
    return layer(game, [each for each in layers if each is not None], findings)


def check_layers(layers: Layered, findings: Findings) -> Checked:
    """Check a game with its mods for errors: what has to hold before it can be played."""
    manifest = layers.game.manifest
    try:
        return check_sources(manifest, layers.rules, layers, findings)
    except RecursionError:
        path = next((source.path for source in layers.rules), "")
        findings.report(
            "E407",
            Span(path, 1, 1, 1, 1),
            "Something in this pack goes too deep to be checked: values or verbs that call "
            "others, which call others, and so on.",
            "Make the chains of calls shorter.",
        )
        program = Program(World(manifest))
        return Checked(program, Graph(program, findings), Guards(program, findings))


def check_pack(
    path: str | Path, mods: Sequence[str | Path] = ()
) -> tuple[Layered | None, Checked | None, Report]:
    """Read and check a pack; never raises for content, whatever is wrong with it."""
    findings = Findings()
    sources: dict[str, SourceFile] = {}
    layers = read_layers(path, mods, findings, sources)
    checked = None
    if layers is not None:
        checked = check_layers(layers, findings)
        if not findings.has_errors:
            run_lints(checked, layers, findings)
        sources.update(layers.sources)
    return layers, checked, Report(fold(findings.sorted()), sources)
