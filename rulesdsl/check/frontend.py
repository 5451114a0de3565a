"""Front end: the full check of a pack, from files to a program or findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import attrs

from rulesdsl.check.analysis import wording
from rulesdsl.check.analysis.call_graph import Depth, Graph, order_of_values
from rulesdsl.check.analysis.cost import work_of
from rulesdsl.check.analysis.intervals import Intervals, check_sizes, mark_exact
from rulesdsl.check.analysis.preconditions import Guards
from rulesdsl.check.analysis.prover import Effects
from rulesdsl.check.analysis.secrecy.information_flow import check_open_writes
from rulesdsl.check.analysis.secrecy.visibility import check_unreadable
from rulesdsl.check.analysis.termination import PathSummaries, check_termination
from rulesdsl.check.attribution import blamed
from rulesdsl.check.fixes import at_home, offer, with_renamings
from rulesdsl.check.lints import run_lints
from rulesdsl.check.resolve.program import new_context, resolve_program
from rulesdsl.check.rulebook import pages_of, read_book
from rulesdsl.check.symbols.consistency import (
    SourceLine,
    check_conflicts,
    check_references,
    number_sources,
)
from rulesdsl.check.symbols.declare import Declarations, check_words
from rulesdsl.check.symbols.declare_procedures import declare
from rulesdsl.check.symbols.fields import fill_defaults, read_fields
from rulesdsl.check.symbols.symbol_table import ReferenceRecorder, SymbolTable
from rulesdsl.check.symbols.tables import (
    Tables,
    add_entry,
    add_entry_fields,
    check_source_words,
    list_entries,
)
from rulesdsl.check.symbols.types import UNKNOWN
from rulesdsl.check.symbols.vocabulary import Vocabulary, collect_vocabulary
from rulesdsl.check.symbols.wording import GAME_TAKES_NOTHING, NO_GAME
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.packs.find import loaded_before
from rulesdsl.packs.overlay import Layered, lay, read_packs
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.packs.toml_document import exact_fixes
from rulesdsl.source.diagnostics import Diagnostic, Findings, LintError, Report
from rulesdsl.source.english import plural_of
from rulesdsl.source.facts import (
    BlamedOnMod,
    MissingFields,
    NeverReached,
    SuperfluousIndex,
    UnknownName,
    WrongArgument,
)
from rulesdsl.source.files import DISK, Files
from rulesdsl.source.span import NOWHERE, SourceFile, Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.lexer import ANY_NAME
from rulesdsl.syntax.parser import parse_file, report_tabs

MOST = 3  # findings shown about one subject


def fold(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Keep only the first `MOST` findings about a subject; the last says how many are omitted."""
    every = tuple(findings)
    often = Counter(map(_subject, every))
    so_far: Counter[object] = Counter()
    kept: list[Diagnostic] = []
    for each in every:
        subject = _subject(each)
        so_far[subject] += 1
        more = often[subject] - MOST
        if subject is None or so_far[subject] < MOST or more <= 0:
            kept.append(each)
        elif so_far[subject] == MOST:
            places = "one more place" if more == 1 else f"{more} more places"
            help_text = f"{each.help}\n" if each.help else ""
            told = f"{help_text}The same problem occurs in {places}."
            kept.append(attrs.evolve(each, help=told, more=more))
    return tuple(kept)


def _subject(finding: Diagnostic) -> object:
    facts = finding.facts
    if isinstance(facts, BlamedOnMod):
        facts = facts.facts
    match facts:
        case UnknownName(name=name):
            return name.removesuffix("s")
        case MissingFields() | SuperfluousIndex() | NeverReached() | WrongArgument():
            return facts
        case _:
            return None


def check_sources(layers: Layered, findings: Findings, *, analyses: bool = True) -> Checked:
    """Check the rules and tables of a game with its mods and return its program.

    Without `analyses`, the check ends after name and type resolution.
    """
    declarations: list[de.Decl] = []
    world = empty_world(layers)
    for source in layers.rules:
        if world.start == NOWHERE:
            world.start = Span(source.path, 1, 1, 1, 1)
        report_tabs(source.text, source.path, findings)
        parsed = parse_file(source.text, source.path, findings, source.language)
        declarations.extend(parsed.file.declarations)
        world.broken.update(parsed.broken, map(plural_of, parsed.broken))
        world.lost.update(parsed.lost)
    bodies = new_context(world, findings)
    build_world(world, declarations, layers, findings, bodies.noted)
    program = resolve_program(bodies)
    checked = check_program(program, findings) if analyses else Checked(program, complete=False)
    return attrs.evolve(checked, mentions=bodies.noted.mentions)


def empty_world(layers: Layered) -> SymbolTable:
    """Return a symbol table for a game and its mods, without any declarations yet."""
    return SymbolTable(
        layers.game.manifest,
        layers.players.most,
        lost=set() if layers.complete else {ANY_NAME},
        packs={path: pack.id for pack in layers.packs for path in pack.sources},
        languages={pack.id: pack.manifest.language for pack in layers.packs},
        after=loaded_before(layers.mods),
        mods=frozenset(mod.id for mod in layers.mods),
    )


def check_program(program: Program, findings: Findings) -> Checked:
    """Run the whole-program analyses: cycles, decisions, guards, cost, termination."""
    graph = Graph(program, findings)
    order = graph.order()
    world = program.world
    if "game" in world.procs and "game" not in program.procs:
        said = world.procs["game"][0]
        if not any(param.type == UNKNOWN for param in said.params):
            GAME_TAKES_NOTHING.report(findings, said.span)
    elif "game" not in program.procs and not world.doubtful("game"):
        NO_GAME.report(findings, world.start)
    values = order_of_values(program, findings)
    if order is None or values is None or program.world.doubtful(ANY_NAME):
        return Checked(program)
    if not Depth(program, findings).fits(order, values):
        return Checked(program)
    mark_exact(program, order[::-1], values[::-1])
    graph = Graph(program, findings)
    graph.check_automatic()
    graph.check_deciders()
    graph.check_activations()
    effects, intervals = Effects(program), Intervals(program, values)
    effects.beforehand(order, values)
    guards = Guards(effects, intervals, findings, graph.unsure())
    bodies = guards.run(order)
    program.work = work_of(program, bodies, order, values, findings)
    check_termination(PathSummaries(effects, intervals, bodies), graph.unsure(), findings)
    guards.require_free("game")
    check_unreadable(program, findings)
    checked = Checked(program, graph.steps, graph.calls, bodies, (*values,))
    if not findings.has_errors:
        check_open_writes(checked, findings)
    return checked


def build_world(
    world: SymbolTable,
    declarations: list[de.Decl],
    layers: Layered,
    findings: Findings,
    noted: ReferenceRecorder,
) -> None:
    """Fill a symbol table: first with names, then entries, then the fields of entries."""
    tables = Tables(layers, world, findings, noted)
    for decl in declarations:
        if isinstance(decl, de.ConstantsDecl):
            tables.read_constants(decl)
    declare(world, findings, declarations, noted)
    world.bundle_nouns = tuple(
        name
        for name in [*world.pieces, *world.numbers]
        if name in world.numbers or world.pieces[name].style == "counted"
    )
    entries = [decl for decl in declarations if isinstance(decl, de.EntryDecl)]
    for kind in list(world.kinds.values()):
        list_entries(tables, kind)
    for decl in entries:
        add_entry(tables, decl)
    for kind in world.kinds.values():
        read_fields(tables, kind)
    for decl in entries:
        add_entry_fields(tables, decl)
    check_words(world, declarations, findings)
    check_references(Declarations(world, findings, noted), declarations)
    check_conflicts(world, declarations, findings)
    check_source_words(tables, declarations)
    fill_defaults(world, findings)
    check_sizes(world, findings)


def lint(path: str | Path, mods: Sequence[str | Path] = ()) -> Report:
    """Check a game with its mods and return all findings; invalid content does not raise."""
    return check_pack(path, mods)[2]


def check_layers(layers: Layered, findings: Findings) -> Checked:
    """Check a game with its mods for errors, without lints."""
    found = Findings()
    checked = _check(layers, found)
    findings.extend(blamed(layers, found.sorted(), checked.program.world, _check))
    return checked


def _check(layers: Layered, findings: Findings) -> Checked:
    try:
        return check_sources(layers, findings)
    except RecursionError:
        path = next((source.path for source in layers.rules), "")
        wording.TOO_DEEP_TO_CHECK.report(findings, Span(path, 1, 1, 1, 1))
        program = Program(SymbolTable(layers.game.manifest))
        return Checked(program)


def check_pack(
    path: str | Path, mods: Sequence[str | Path] = (), files: Files = DISK
) -> tuple[Layered | None, Checked | None, Report]:
    """Read, check and lint a game with its mods; invalid content does not raise.

    Packs that do not fit together, and a mod without its game, are checked only for syntax, since
    all names of the missing pack would be unknown.
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
            read_book(layers, checked.program.world, findings)
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
    if pack is None:
        return
    for source in pack.rules:
        report_tabs(source.text, source.path, findings)
        parse_file(source.text, source.path, findings, source.language)
    for path in pack.toml_paths():
        pack.toml(path)
    pages_of(pack, findings)


def sources(path: str | Path, mods: Sequence[str | Path] = ()) -> tuple[SourceLine, ...]:
    """List the numbers in a pack that are not from the rulebook, with their sources and places.

    Raises LintError if the content has errors.
    """
    layers, checked, report = check_pack(path, mods)
    if layers is None or checked is None or report.errors:
        raise LintError(report.errors, report.sources)
    return number_sources(layers, checked.program.world)


def vocabulary(path: str | Path, mods: Sequence[str | Path] = ()) -> Vocabulary:
    """List the declarations of a game and its mods.

    These are verbs, values, places, pieces, tables and numbers. Unreadable parts are skipped.
    Raises LintError if the pack cannot be read at all.
    """
    layers, checked, report = check_pack(path, mods)
    if layers is None or checked is None:
        raise LintError(report.diagnostics, report.sources)
    return collect_vocabulary(layers, checked.program.world)
