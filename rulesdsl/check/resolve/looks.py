"""Statements `look at` and `show`: pieces, one piece, or a hidden track, flag or memory."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import selections, wording
from rulesdsl.check.resolve.attributes import word_of
from rulesdsl.check.resolve.calls import pick
from rulesdsl.check.resolve.resolver import Resolver
from rulesdsl.check.symbols.symbol_table import TrackInfo
from rulesdsl.check.symbols.types import SEAT, YES_NO, piece
from rulesdsl.check.typed.traits import Capability, uses
from rulesdsl.source.span import Span
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st


def look(r: Resolver, stmt: st.LookAt | st.Show) -> list[ty.Step]:
    """Resolve a look at pieces, or at one piece, which is chosen or drawn only once.

    Those who look are the acting player, or those to whom the pieces are shown.
    """
    steps, span = list[ty.Step](), stmt.what.span
    is_show = isinstance(stmt, st.Show)
    me = r.actor() if is_show else r.me(stmt.span)
    target = _target(r, stmt, steps)
    to: ty.Value | None = me
    if isinstance(stmt, st.Show):
        to = None if stmt.to is None else r.of_type(stmt.to, SEAT)
    if isinstance(target, ty.TrackCell | ty.FlagCell):
        return _show_cell(r, target, ty.ShowCell(target, me, to, span=stmt.span))
    if target is None or not _can_be_seen(r, target, span):
        return steps
    if not isinstance(target, ty.DomainNode):
        local = target if isinstance(target, ty.Local) else r.scope.fresh("seen", target.type)
        if local is not target:
            steps.append(ty.SetLocal(local.name, target, span=span))
        target = _only(r, local, span)
    elif to in {None, r.scope.me}:
        r.scope.looked_at.add(target)
    return [*steps, ty.Peek(target, me, to, is_show, span=stmt.span)]


def _target(
    r: Resolver, stmt: st.LookAt | st.Show, steps: list[ty.Step]
) -> ty.Domain | ty.Value | None:
    if isinstance(stmt.what, ex.Choice):
        return pick(r, stmt.what, None, steps, "Show" if isinstance(stmt, st.Show) else "Look at")
    if isinstance(stmt.what, ex.Ends):
        return selections.end_pieces(r, stmt.what)
    if _is_counter(r, stmt.what):
        return r.value(stmt.what)
    return selections.things_or_value(r, stmt.what)


def _is_counter(r: Resolver, expr: ex.Expr) -> bool:
    """Return whether an expression names a track, flag or memory."""
    base = expr.base if isinstance(expr, ex.At) else expr
    name = base.name.text if isinstance(base, ex.Of) else word_of(base)
    return r.world.counter(name) is not None


def _show_cell(r: Resolver, cell: ty.TrackCell | ty.FlagCell, step: ty.ShowCell) -> list[ty.Step]:
    name = cell.counter
    info = r.world.counter(name)
    assert info is not None
    if info.seen_by is None:
        r.report(wording.SEEN_BY_ALL(name=name), cell.span)
    bits = (2 << r.world.most_players) - 1  # one for each player, and one for spectators
    key, dims = f"{name} shown", (info.dims, None, 0, bits, info.during)
    r.world.shown[name] = TrackInfo(key, key, "", info.span, *dims, quiet=True)
    return [step]


def _can_be_seen(r: Resolver, target: ty.Domain | ty.Value, span: Span) -> bool:
    """Return whether these are printed pieces; report anything else."""
    if isinstance(target, ty.DomainNode):
        printed = Capability.LOOK in uses(r.world, target)
    elif target.type.family != "piece":
        if not r.sort_given(span, target, piece(target.type.of)):
            r.report(wording.NO_SELECTION(have=target.type), span, target)
        return False
    else:
        printed = r.world.pieces[target.type.of].style == "printed"
    if not printed:
        r.report(wording.NOTHING_TO_SEE(), span)
    return printed


def _only(r: Resolver, one: ty.Local, span: Span) -> ty.Domain:
    """Return the domain of one piece, which is empty if there is none."""
    kind = one.type.total()
    local = r.scope.fresh("same", kind)
    same = ty.Comparison("=", local, one, type=YES_NO, span=span)
    every = ty.AnyWhere(kind.of, element=kind, span=span)
    return ty.Filtered(every, local.name, same, element=kind, span=span)
