"""W620: places and tracks that the default panels would show, but no declared panel shows."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.check.analysis.prover import Effects
from rulesdsl.check.lints.liveness.unused_declarations import gather
from rulesdsl.check.symbols.symbol_table import Cell, PlaceInfo, SymbolTable, TrackInfo
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.english import and_list
from rulesdsl.source.facts import ShownNowhere
from rulesdsl.syntax.declarations import PanelDecl

SEATS = ("player", "seat")
_USED = {"tracks_read", "tracks_changed"}  # W601 reports a track with less


def shown_nowhere(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report what players may see and no panel shows, once for each pack."""
    world = checked.program.world
    if not world.panels:
        return
    shown = _shown(checked.program)
    things: list[PlaceInfo | TrackInfo] = [*world.tracks.values(), *world.places.values()]
    hidden = [thing for thing in things if _is_hidden(thing, shown, checked.program)]
    uses = gather(checked) if hidden else set()
    by_pack: dict[str, list[PlaceInfo | TrackInfo]] = {}
    for thing in hidden:
        used = {use for use, name in uses if name == thing.name}
        if isinstance(thing, PlaceInfo) or used.issuperset(_USED):
            by_pack.setdefault(world.pack_of(thing.span), []).append(thing)
    for pack, things in by_pack.items():
        panel = _first_panel(world, pack)
        span = things[0].span if panel is None else panel.span
        names = and_list([f"`{thing.name}`" for thing in things])
        them = "it" if len(things) == 1 else "them"
        message = f"No panel shows {names}: players see {them} nowhere."
        help_text = (
            f"Show {them} in a panel, since declared panels replace the default ones; or declare "
            f"{them} `quiet` for bookkeeping."
        )
        facts = ShownNowhere(tuple(_panels(things)))
        findings.report("W620", span, message, help_text, facts=facts)


def _is_hidden(thing: PlaceInfo | TrackInfo, shown: set[Cell], program: Program) -> bool:
    cells = {*_to_show(thing, program)}
    return bool(cells) and not thing.quiet and cells.isdisjoint(shown)


def _first_panel(world: SymbolTable, pack: str) -> PanelDecl | None:
    """Return the first panel of a pack; for a game without any, that of a mod."""
    own = [panel for panel in world.panels if world.pack_of(panel.span) == pack]
    others = world.panels if pack not in world.mods else ()
    return next(iter((*own, *others)), None)


def _panels(things: list[PlaceInfo | TrackInfo]) -> Iterator[str]:
    """Yield declarations of panels for things: of players, of seats, and of all."""
    for dim in (*SEATS, ""):
        of_dim = [thing for thing in things if _seat_dim(thing) == dim]
        if of_dim:
            names = ", ".join(thing.name for thing in of_dim)
            yield f'panel "{of_dim[0].title}"{dim and f" per {dim}"}: {names}'


def _seat_dim(thing: PlaceInfo | TrackInfo) -> str:
    return next((dim for dim in thing.dims if dim in SEATS), "")


def _to_show(thing: PlaceInfo | TrackInfo, program: Program) -> Iterator[Cell]:
    """Yield the cells of which one should be shown; none for what concerns nobody yet.

    A track that lasts only for one action, a place in which nobody sees anything, and pieces where
    they begin need not be shown.
    """
    world = program.world
    if isinstance(thing, TrackInfo):
        if thing.during is None:
            yield "t", thing.name, ""
        return
    for piece in thing.holds if thing.seen_by != "nobody" else ():
        home = program.homes.get(piece)
        begins = home is not None and home.cells.place == thing.name
        if not begins and not world.pieces[piece].quiet:
            yield world.cell(piece, thing.name)


def _shown(program: Program) -> set[Cell]:
    """Return the cells that panels show, directly or in a value."""
    world, effects = program.world, Effects(program)
    cells: set[Cell] = set()
    for shown in (item for panel in world.panels for item in panel.shown):
        name = world.singular(shown.name.text)
        if shown.place is not None:
            cells.add(world.cell(name, world.singular(shown.place.text)))
        elif name in world.places:
            cells.update(world.cell(piece, name) for piece in world.places[name].holds)
        elif name in world.values:
            layers = range(len(world.values[name].hooks) + 1)
            cells.update(*(effects.called_reads((name, layer)) for layer in layers))
        else:
            cells.add(("s" if name in world.pieces else "t", name, ""))
    return cells
