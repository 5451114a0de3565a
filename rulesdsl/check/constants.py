"""Numbers that are fixed when a pack is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.proofs import holds
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.size import MAX_NUMBER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesdsl.check.world import World


def constant_number(expr: ex.Expr, world: World) -> int | None:
    """Return the number of a fixed expression; None where it is not fixed."""
    if isinstance(expr, ex.Number):
        return expr.value
    if isinstance(expr, ex.Name):
        found = world.constants.get(expr.name)
        if isinstance(found, int):
            world.constants_used.add(expr.name)
            return found
    if isinstance(expr, ex.Arithmetic):
        left = constant_number(expr.left, world)
        right = constant_number(expr.right, world)
        if left is not None and right is not None:
            found = _compute(expr.op, left, right)
            return None if found is None or abs(found) > MAX_NUMBER else found
    return None


def _compute(op: str, left: int, right: int) -> int | None:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left // right if right else None


def fixed(value: ty.Value, players: int, options: Mapping[str, int]) -> int | None:
    """Return what a value is at a table; None where players and options do not say it."""
    if isinstance(value, ty.Const):
        return value.value
    if isinstance(value, ty.Seats) and value.players:
        return players
    if isinstance(value, ty.Setting):
        return options[value.option]
    if not isinstance(value, ty.Negation | ty.And | ty.Or | ty.Comparison | ty.Arith):
        return None
    parts = [fixed(each, players, options) for each in ty.children(value)]  # type: ignore[arg-type]
    known = [each for each in parts if each is not None]
    return _of_fixed(value, known) if len(known) == len(parts) else None


def _of_fixed(
    value: ty.Negation | ty.And | ty.Or | ty.Comparison | ty.Arith, parts: list[int]
) -> int | None:
    match value:
        case ty.Negation():
            return int(not parts[0])
        case ty.And():
            return int(all(parts))
        case ty.Or():
            return int(any(parts))
        case ty.Comparison(op=op):
            return int(holds(op, *parts))
        case ty.Arith(op="min"):
            return min(parts)
        case ty.Arith(op="max"):
            return max(parts)
        case ty.Arith(op=op):
            return _compute(op, *parts)
