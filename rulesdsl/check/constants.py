"""Numbers that are fixed when a pack is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.world import World


def constant_number(expr: ex.Expr, world: World) -> int | None:
    """Return the number of a fixed expression; None where it is not fixed."""
    match expr:
        case ex.Number():
            return expr.value
        case ex.Name():
            found = world.constants.get(expr.name)
            if isinstance(found, int):
                world.constants_used.add(expr.name)
                return found
            return None
        case ex.Arithmetic():
            left = constant_number(expr.left, world)
            right = constant_number(expr.right, world)
            if left is None or right is None:
                return None
            return _compute(expr.op, left, right)
        case _:
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
