"""Sources of the pieces in locals: the domains from which they are drawn, chosen or computed."""

from __future__ import annotations

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.types import NUMBER, YES_NO
from rulesdsl.check.typed.conditions import both


@attrs.frozen
class Origin:
    """Source of the piece that a local holds in secret, and the seats that can tell which it is.

    It is one of a domain, the best of it, or all of it in turn; if there is no domain, it is an
    argument of a caller, or what some other expression yields. `eyes` is a visibility label.
    """

    eyes: frozenset[str] | None
    domain: ty.Domain | None = None
    ranking: tuple[tuple[bool, ty.Value], ...] = ()  # of the best one, with its variable
    variable: str = ""
    guard: ty.Value = ty.YES
    in_turn: bool = False

    def conditions(self, name: str) -> list[tuple[str, ty.Value]]:
        """Return the conditions on the piece, each with the local that stands for the piece."""
        conditions, domain = [(name, self.guard)], self.domain
        while isinstance(domain, ty.Filtered):
            conditions.append((domain.variable, domain.condition))
            domain = domain.base
        return conditions

    def test(self, piece: ty.Local) -> ty.Value:
        """Return a test for whether a piece satisfies all conditions, wherever it lies."""
        parts = [
            ty.LetIn(name, piece, condition, type=YES_NO) if name != piece.name else condition
            for name, condition in self.conditions(piece.name)
        ]
        base = None if self.domain is None else self.domain.unfiltered
        if isinstance(base, ty.Lying) and base.entry is not None:
            own = ty.EntryOf(base.piece, piece, type=base.entry.type)
            parts.append(ty.Comparison("=", own, base.entry, type=YES_NO))
        return both(*parts)

    def ranks(self, piece: ty.Local) -> list[ty.Value]:
        """Return the numbers by which the best piece is found; the highest ones are best."""
        return [
            ty.LetIn(self.variable, piece, rank if most else _minus(rank), type=NUMBER)
            for most, rank in self.ranking
        ]


def _minus(value: ty.Value) -> ty.Value:
    return ty.Arith("-", ty.Const(0, type=NUMBER), value, type=NUMBER)
