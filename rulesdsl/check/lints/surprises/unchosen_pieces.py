"""W615: moves of a number of pieces that differ, without a word on which ones."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.intervals import Intervals
from rulesdsl.check.symbols.symbol_table import FlagInfo, PieceInfo, SymbolTable, TrackInfo
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.english import a_or_an
from rulesdsl.source.facts import UnchosenPieces


def unchosen_pieces(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report `move 2 cards from P` if the cards differ and not all of them go."""
    program, world = checked.program, checked.program.world
    for key, proc in program.procs.items():
        for step in checked.steps[key]:
            if not isinstance(step, ty.MoveSome) or step.amount in {None, ty.Const(0)}:
                continue
            place = step.domain
            if not isinstance(place, ty.Lying) or place.entry or not _differ(world, place):
                continue
            intervals = Intervals(program, checked.values)
            least, most = intervals.of(step.amount)[0], intervals.most(place)
            if least >= most or step.amount == ty.CountOf(place):
                continue  # all of them go
            info = world.pieces[place.piece]
            ordered = world.places[place.cells.place].stack
            chooser = isinstance(step.me, ty.Local) and not proc.automatic
            facts = UnchosenPieces(info.name, info.plural, ordered=ordered, chooser=chooser)
            last = "on top" if ordered else "that have been there longest"
            message = f"This does not say which {info.plural} move: it is always those {last}."
            findings.report(
                "W615", step.span, message, _advice(step, info, ordered=ordered), facts=facts
            )


def _advice(step: ty.MoveSome, info: PieceInfo, *, ordered: bool) -> str:
    one, choice = step.amount == ty.Const(1), a_or_an(info.name)
    if ordered and one:
        return "Say so, with `top of ...`."
    if ordered:
        return "Say so, with `top 2 of ...`, or with `repeat n times: move top of ...`."
    by_chance = f"`random {info.name} in ...`"
    if one:
        return f"Let chance choose, with {by_chance}, or the player, with `{choice} in ...`."
    return (
        f"Repeat it for each of them. Let chance choose, with {by_chance}, or the player, with "
        f"`if any {info.plural} in ...: move {choice} in ...`."
    )


def _differ(world: SymbolTable, place: ty.Lying) -> bool:
    """Return whether pieces in a place may differ: in what is printed, in marks, or in owner."""
    info, cells = world.pieces[place.piece], world.places[place.cells.place]
    marks: list[TrackInfo | FlagInfo] = [*world.tracks.values(), *world.flags.values()]
    return (
        len(world.kinds[info.name].entries) > 1
        or (info.owned and cells.owner_dim is None)
        or any(info.name in mark.dims and mark.during is None for mark in marks)
    )
