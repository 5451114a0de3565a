"""Sums that are held within 64 bits once all has been added up, however far they go on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flatten.writer import ZERO
from rulesdsl.lower.fold import MAX_NUMBER, MIN_NUMBER, op, select

if TYPE_CHECKING:
    from rulesdsl.lower.flatten.writer import Writer

HALF = 2**31
LIMB = fl.Const(2**32)


@attrs.frozen
class Sum:
    """A sum that is written: in one local, or in two halves where it may leave 64 bits."""

    low: fl.Local
    high: fl.Local | None

    @classmethod
    def begin(cls, w: Writer, *, exact: bool) -> Sum:
        """Write the beginning of a sum; `exact` where it provably stays within 64 bits."""
        return cls(w.set("sum", ZERO), None if exact else w.set("high", ZERO))

    def add(self, w: Writer, amount: fl.Expr) -> None:
        """Write the adding of an amount."""
        if self.high is None:
            w.count_up(self.low, amount)
            return
        amount = w.kept(amount, "amount")
        w.count_up(self.high, op("/", amount, LIMB))
        w.count_up(self.low, op("%", amount, LIMB))

    def total(self, w: Writer) -> fl.Expr:
        """Return the sum, or the bound that it lies beyond."""
        if self.high is None:
            return self.low
        high = w.set("high", op("+", self.high, op("/", self.low, LIMB)))
        whole = op("+", op("*", high, LIMB), op("%", self.low, LIMB))
        below = select(op("<", high, fl.Const(-HALF)), fl.Const(MIN_NUMBER), whole)
        return select(op(">=", high, fl.Const(HALF)), fl.Const(MAX_NUMBER), below)
