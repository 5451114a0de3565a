"""Reading and checking a pack from its folder: what `lint` and `load` begin with."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulesdsl.check.blame import Wanted, blamed
from rulesdsl.check.book.book import check_book, pages_of
from rulesdsl.check.fold import fold
from rulesdsl.check.followed import Memories
from rulesdsl.check.graph import Graph
from rulesdsl.check.lints import run_lints
from rulesdsl.check.pack_check import Checked, check_sources
from rulesdsl.check.program import Program
from rulesdsl.check.quick_fixes.offered import at_home, offer
from rulesdsl.check.report import Report
from rulesdsl.check.world import World
from rulesdsl.packs.exact_edits import exact_fixes
from rulesdsl.packs.layers import Layered, layer
from rulesdsl.packs.pack_source import PackSource, read_pack
from rulesdsl.source.diagnostic import Findings, LintError
from rulesdsl.source.files import DISK
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.source.undisturbed import UNDISTURBED
from rulesdsl.syntax.parser import parse_file, report_tabs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.source.files import Files
    from rulesdsl.source.span import SourceFile


def lint(
    path: str | Path, mods: Sequence[str | Path] = (), memories: Memories | None = None
) -> Report:
    """Check a pack, with mods laid over it; every finding, and never an exception.

    With memories of earlier lints, what has not changed since is not checked again.
    """
    return check_pack(path, mods, memories=memories)[2]


def read_layers(path: str | Path, mods: Sequence[str | Path] = (), files: Files = DISK) -> Layered:
    """Read a game and its mods from their folders and put them in order.

    Raises LintError where one cannot be read, or where they cannot be loaded together.
    """
    findings = Findings()
    sources: dict[str, SourceFile] = {}
    layers = _layered(_read_packs(path, mods, findings, sources, files), findings)
    if layers is None or findings.has_errors:
        raise LintError(findings.sorted(), sources)
    return layers


def check_layers(layers: Layered, findings: Findings, memories: Memories | None = None) -> Checked:
    """Check a game with its mods for errors: what has to hold before it can be played."""
    found = Findings()
    checked = _check(layers, found, memories=memories, done=False)
    again = partial(_check, memories=memories)
    findings.extend(blamed(layers, found.sorted(), checked.program.world, again))
    return checked


def _check(
    layers: Layered,
    findings: Findings,
    without: Span | None = None,
    wanted: Wanted | None = None,
    memories: Memories | None = None,
    *,
    done: bool = True,
) -> Checked:
    memory = None if memories is None or without is not None else memories.of(layers)
    try:
        checked = check_sources(layers, findings, without, wanted, memory)
    except RecursionError:
        path = next((source.path for source in layers.rules), "")
        findings.report(
            "E407",
            Span(path, 1, 1, 1, 1),
            "Values or verbs of this pack call each other too deeply to be checked.",
            "Shorten the chains of calls.",
        )
        program = Program(World(layers.game.manifest))
        return Checked(program, Graph(program, findings))
    if memory is not None and done:
        memory.keep()
    return checked


def check_pack(
    path: str | Path,
    mods: Sequence[str | Path] = (),
    files: Files = DISK,
    memories: Memories | None = None,
) -> tuple[Layered | None, Checked | None, Report]:
    """Read and check a pack; never raises for content, whatever is wrong with it.

    Packs that do not belong together, and a mod without its game, are checked for what each of
    them says by itself: the names of one that is missing would all be unknown. With memories of
    earlier checks, what has not changed since is not checked again.
    """
    with UNDISTURBED:
        return _check_pack(path, mods, files, memories)


def _check_pack(
    path: str | Path, mods: Sequence[str | Path], files: Files, memories: Memories | None
) -> tuple[Layered | None, Checked | None, Report]:
    findings = Findings()
    sources: dict[str, SourceFile] = {}
    packs = _read_packs(path, mods, findings, sources, files)
    layers = _layered(packs, findings)
    checked = None
    if layers is not None and layers.fits:
        checked = check_layers(layers, findings, memories)
        if not findings.has_errors:
            run_lints(checked, layers, findings)
            check_book(layers, checked.program.world, findings)
        if memories is not None:
            checked = memories.of(layers).kept(checked)
    else:
        layers = None
        for pack in packs:
            _check_form(pack, findings)
    for pack in packs:
        sources.update(pack.sources if pack else {})
    world = checked.program.world if checked else None
    found = offer(fold(findings.sorted()), sources, world)
    found = at_home(found, [pack.sources for pack in packs if pack])
    return layers, checked, Report(exact_fixes(found, sources), sources)


def _read_packs(
    path: str | Path,
    mods: Sequence[str | Path],
    findings: Findings,
    sources: dict[str, SourceFile],
    files: Files = DISK,
) -> list[PackSource | None]:
    return [
        read_pack(Path(each), findings, sources=sources, files=files) for each in (path, *mods)
    ]


def _layered(packs: Sequence[PackSource | None], findings: Findings) -> Layered | None:
    """Lay packs over the first one; None, reported, where that is no game or one is missing."""
    game, *mods = packs
    if game is None or None in mods:
        return None
    if game.manifest.is_mod:
        wanted = game.manifest.for_game
        findings.report(
            "E501",
            game.manifest_file.index.span(("for_game",)),
            f"`{game.id}` is a mod for the game `{wanted}`, which is not loaded.",
            f"Load `{wanted}` together with this mod.",
        )
        return None
    return layer(game, [each for each in mods if each is not None], findings)


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
