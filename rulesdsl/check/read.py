"""Reading and checking a pack from its folder: what `lint` and `load` begin with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulesdsl.check import analysis_wording as wording
from rulesdsl.check.blame import Wanted, blamed
from rulesdsl.check.book.book import check_book, pages_of
from rulesdsl.check.fold import fold
from rulesdsl.check.graph import Graph
from rulesdsl.check.lints import run_lints
from rulesdsl.check.misdeclared import with_renamings
from rulesdsl.check.pack_check import Checked, check_sources
from rulesdsl.check.program import Program
from rulesdsl.check.report import Report
from rulesdsl.check.text_fixes import at_home, offer
from rulesdsl.check.world import World
from rulesdsl.packs.exact_edits import exact_fixes
from rulesdsl.packs.layers import Layered, lay, read_packs
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.files import DISK
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax.parser import parse_file, report_tabs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.source.files import Files
    from rulesdsl.source.span import SourceFile


def lint(path: str | Path, mods: Sequence[str | Path] = ()) -> Report:
    """Check a pack, with mods laid over it; every finding, and never an exception."""
    return check_pack(path, mods)[2]


def check_layers(layers: Layered, findings: Findings) -> Checked:
    """Check a game with its mods for errors: what has to hold before it can be played."""
    found = Findings()
    checked = _check(layers, found)
    findings.extend(blamed(layers, found.sorted(), checked.program.world, _check))
    return checked


def _check(
    layers: Layered,
    findings: Findings,
    without: Span | None = None,
    wanted: Wanted | None = None,
) -> Checked:
    try:
        return check_sources(layers, findings, without, wanted)
    except RecursionError:
        path = next((source.path for source in layers.rules), "")
        findings.report(
            "E407",
            Span(path, 1, 1, 1, 1),
            *wording.too_deep_to_check(),
        )
        program = Program(World(layers.game.manifest))
        return Checked(program, Graph(program, findings))


def check_pack(
    path: str | Path,
    mods: Sequence[str | Path] = (),
    files: Files = DISK,
) -> tuple[Layered | None, Checked | None, Report]:
    """Read and check a pack; never raises for content, whatever is wrong with it.

    Packs that do not belong together, and a mod without its game, are checked for what each of
    them says by itself: the names of one that is missing would all be unknown.
    """
    findings = Findings()
    sources: dict[str, SourceFile] = {}
    packs = read_packs(path, mods, findings, sources, files)
    layers = lay(packs, findings)
    checked = None
    if layers is not None and layers.fits:
        checked = check_layers(layers, findings)
        if not findings.has_errors:
            run_lints(checked, layers, findings)
            check_book(layers, checked.program.world, findings)
    else:
        layers = None
        for pack in packs:
            _check_form(pack, findings)
    for pack in packs:
        sources.update(pack.sources if pack else {})
    found = offer(fold(findings.sorted()), sources)
    if checked is not None:
        found = with_renamings(found, checked.program.world, checked.mentions)
    found = at_home(found, [pack.sources for pack in packs if pack])
    return layers, checked, Report(exact_fixes(found, sources), sources)


def _check_form(pack: PackSource | None, findings: Findings) -> None:
    """Check what a pack shows by itself: whether its rules and tables can be read."""
    if pack is None:
        return
    for source in pack.rules:
        report_tabs(source.text, source.path, findings)
        parse_file(source.text, source.path, findings)
    for path in pack.toml_paths():
        pack.toml(path, NOWHERE)
    pages_of(pack, findings)
