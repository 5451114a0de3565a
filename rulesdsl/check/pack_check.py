"""The whole check of a pack: from its files to a program, or to findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.cost_bound import work_of
from rulesdsl.check.declare.hooks import declare
from rulesdsl.check.declare.names import plural_of
from rulesdsl.check.declare.reserved import check_words
from rulesdsl.check.defaults import fill_defaults
from rulesdsl.check.depth import Depth
from rulesdsl.check.effects import Effects
from rulesdsl.check.graph import Graph
from rulesdsl.check.intervals import Intervals
from rulesdsl.check.outcomes import Ways
from rulesdsl.check.overflow import mark_exact
from rulesdsl.check.possible.guards import Guards
from rulesdsl.check.program import Computed, Program
from rulesdsl.check.references import check_references
from rulesdsl.check.replaced import check_replacements, check_winners, lay_verdicts
from rulesdsl.check.resolve.bodies import Bodies
from rulesdsl.check.resolve.program import resolve_program
from rulesdsl.check.sizes import check_sizes
from rulesdsl.check.tables.entries import list_entries
from rulesdsl.check.tables.files import Tables
from rulesdsl.check.tables.rule_entries import add_entry, add_entry_fields
from rulesdsl.check.tables.source_words import check_source_words
from rulesdsl.check.tables.values import read_fields
from rulesdsl.check.termination import check_termination
from rulesdsl.check.types import UNKNOWN
from rulesdsl.check.unreadable import check_unreadable
from rulesdsl.check.value_cycles import order_of_values
from rulesdsl.check.world import World
from rulesdsl.packs.find import loaded_before
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.parser import parse_file, report_tabs
from rulesdsl.syntax.token_words import ANY_NAME

if TYPE_CHECKING:
    from rulesdsl.check.blame import Wanted
    from rulesdsl.check.naming import Mention, Noted
    from rulesdsl.packs.layers import Layered
    from rulesdsl.source.diagnostic import Findings


@attrs.frozen
class Checked:
    """A checked program with what the checks found out about it."""

    program: Program
    graph: Graph
    bodies: dict[str, ty.Block] = attrs.Factory(dict)  # of procedures, with guards in them
    values: tuple[Computed, ...] = ()  # all that is computed, callees first
    complete: bool = True  # whether the check went on to its end
    mentions: list[Mention] = attrs.Factory(list)  # all names in rules, with their referents


def check_sources(
    layers: Layered,
    findings: Findings,
    without: Span | None = None,
    wanted: Wanted | None = None,
) -> Checked:
    """Check the rules and tables of a game with its mods and return its program.

    The declaration at the place `without` is left out. Where a finding is `wanted`, the check
    stops when it is found.
    """
    declarations: list[de.Decl] = []
    world = empty_world(layers)
    for source in layers.rules:
        if world.start == NOWHERE:
            world.start = Span(source.path, 1, 1, 1, 1)
        report_tabs(source.text, source.path, findings)
        parsed = parse_file(source.text, source.path, findings)
        declarations.extend(each for each in parsed.file.declarations if each.span != without)
        world.broken.update(parsed.broken, map(plural_of, parsed.broken))
        world.lost.update(parsed.lost)
    if wanted is not None and wanted.found(findings):
        program = Program(world)
        return Checked(program, Graph(program, findings), complete=False)
    bodies = Bodies(world, findings)
    build_world(world, declarations, layers, findings, bodies.noted)
    program = resolve_program(bodies)
    if wanted is not None and wanted.found(findings):
        return Checked(program, Graph(program, findings), complete=False)
    return attrs.evolve(check_program(program, findings), mentions=bodies.noted.mentions)


def empty_world(layers: Layered) -> World:
    """Return the world of a game and its mods before anything is declared in it."""
    return World(
        layers.game.manifest,
        layers.players.most,
        lost=set() if layers.complete else {ANY_NAME},
        packs={path: pack.id for pack in layers.packs for path in pack.sources},
        after=loaded_before(layers.mods),
        mods=frozenset(mod.id for mod in layers.mods),
    )


def check_program(program: Program, findings: Findings) -> Checked:
    """Check what only the whole program shows: circles, choices, what can get stuck."""
    graph = Graph(program, findings)
    order = graph.order()
    world = program.world
    if "game" in world.procs and "game" not in program.procs:
        said = world.procs["game"][0]
        if not any(param.type == UNKNOWN for param in said.params):
            message = "`game` begins the game: it is not done to anything."
            findings.report("E408", said.span, message, "Write `step game:`.")
    elif "game" not in program.procs and not world.doubtful("game"):
        findings.report(
            "E408",
            world.start,
            "There is no `step game`: nothing says how the game is played.",
            "Write `step game:`, and below it what happens, in order.",
        )
    values = order_of_values(program, findings)
    if order is None or values is None or program.world.doubtful(ANY_NAME):
        return Checked(program, graph)
    if not Depth(program, findings).fits(order, values):
        return Checked(program, graph)
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
    check_termination(Ways(effects, intervals, bodies), graph.unsure(), findings)
    guards.require_free("game")
    check_unreadable(program, findings)
    return Checked(program, graph, bodies, (*values,))


def build_world(
    world: World,
    declarations: list[de.Decl],
    layers: Layered,
    findings: Findings,
    noted: Noted,
) -> None:
    """Fill a world: names first, then entries, then their fields."""
    tables = Tables(layers, world, findings, noted)
    for decl in declarations:
        if isinstance(decl, de.ConstantsDecl):
            tables.read_constants(decl)
    declare(world, findings, declarations, noted)
    world.nouns = tuple(
        name
        for name in [*world.pieces, *world.tracks]
        if name in world.tracks or world.pieces[name].style == "counted"
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
    check_references(world, declarations, findings, noted)
    check_replacements(world, findings)
    check_winners(world, findings)
    lay_verdicts(world, findings)
    check_source_words(tables, declarations)
    fill_defaults(world, findings)
    check_sizes(world, findings)
