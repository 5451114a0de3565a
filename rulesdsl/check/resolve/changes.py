"""The small statements: what gives a name, raises, marks, does or shuffles something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.calls import pick
from rulesdsl.check.resolve.cells import cells_of, in_order, word_of
from rulesdsl.check.resolve.computing import surely_positive
from rulesdsl.check.resolve.holes import EFFECT, FLAG, STACK, TRACK
from rulesdsl.source.suggest import similar
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver


_A_FLAG = "A flag is declared at the left margin: `flag tired per player`."
TAKE_ANOTHER = "Choose another name for one of them."


def let(r: Resolver, stmt: st.Let) -> list[ty.Step]:
    """Return the binding of a name."""
    name = stmt.name.text
    if name in r.scope.locals:
        r.report("E202", stmt.name.span, f"`{name}` is already a name here.", TAKE_ANOTHER)
    if _hides(r, name):
        message = f"`{name}` already means something in this game."
        r.report("E202", stmt.name.span, message, f"Choose another name here, such as `{name}-1`.")
    if isinstance(stmt.value, ex.Choice):
        steps: list[ty.Step] = []
        local = pick(r, stmt.value, name, steps)
        r.scope.locals[name] = local or r.unknown(stmt.span)
        r.binds(stmt.name, r.scope.locals[name])
        return steps
    value = r.value(stmt.value)
    bound = r.scope.fresh(name, value.type)
    r.scope.locals[name] = bound
    r.binds(stmt.name, bound)
    if value.type.family == "number" and surely_positive(r, value):
        r.positive.add(bound)
    return [ty.SetLocal(bound.name, value, span=stmt.span)]


def _hides(r: Resolver, name: str) -> bool:
    world = r.world
    singular = world.singular(name)
    known = (world.pieces, world.places, world.tracks, world.constants, world.options)
    return any(singular in each for each in known) or name in world.values


def change(r: Resolver, stmt: st.Change) -> list[ty.Step]:
    """Return a change of a track, or of a piece's place in its stack."""
    target = r.value(stmt.target, TRACK)
    amount = r.number(stmt.amount)
    if target.type.family == "piece":
        return _shift(r, stmt, target, amount)
    if not isinstance(target, ty.TrackCell):
        message = "Only a track can be raised or lowered, or a piece in its stack."
        alike = similar(word_of(stmt.target), r.world.tracks)
        help_text = alike or "Pieces are moved, and flags are marked."
        r.report("E301", stmt.target.span, message, help_text, target)
        return []
    me = r.actor()
    return [ty.ChangeTrack(target.track, target.dims, stmt.up, amount, me, span=stmt.span)]


def _shift(r: Resolver, stmt: st.Change, target: ty.Value, amount: ty.Value) -> list[ty.Step]:
    """Return the raising or lowering of a piece in the stack that it lies in."""
    kind, world = target.type.of, r.world
    stacks = [each for each in world.places.values() if each.stack and kind in each.holds]
    if not stacks or world.pieces[kind].style != "printed":
        message = f"{world.pieces[kind].plural.capitalize()} are never in a stack."
        help_text = "Only a stack has an order: declare the place as `stack`."
        r.report("E301", stmt.target.span, message, help_text)
        return []
    me = r.actor()
    piece = r.total(target, stmt.target.span)
    return [ty.ShiftPiece(kind, piece, stmt.up, amount, me, span=stmt.span)]


def mark(r: Resolver, stmt: st.Mark) -> list[ty.Step]:
    """Return the marking of a thing."""
    target = r.value(stmt.target, FLAG)
    if not isinstance(target, ty.FlagCell):
        counted = "A track is raised or lowered." if isinstance(target, ty.TrackCell) else _A_FLAG
        help_text = similar(word_of(stmt.target), r.world.flags) or counted
        r.report("E301", stmt.target.span, "Only a flag can be marked.", help_text, target)
        return []
    me = r.actor()
    return [ty.SetFlag(target.flag, target.dims, stmt.on, me, span=stmt.span)]


def do(r: Resolver, stmt: st.Do) -> list[ty.Step]:
    """Return the carrying out of a field's effect."""
    target = r.value(stmt.target, EFFECT)
    if not isinstance(target, ty.HasEffect):
        message = "Only an effect can be carried out with `do`, and this is none."
        help_text = "Name the field and the thing: `do gift of s`."
        r.report("E301", stmt.target.span, message, help_text, target)
        return []
    me = r.me(stmt.span)
    return [ty.DoField(target.kind, target.field, target.subject, target.key, me, span=stmt.span)]


def shuffle(r: Resolver, stmt: st.Shuffle) -> list[ty.Step]:
    """Return the shuffling of a stack."""
    cells = cells_of(r, stmt.target, STACK)
    if cells is None or not in_order(r, cells, stmt.target.span):
        return []
    me = r.actor()
    return [ty.ShuffleCells(cells, me, span=stmt.span)]
