"""From amounts and rates to numbers: `2 coins`, `1 per 3 cards in ...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.capabilities import Use, uses
from rulesdsl.check.resolve.domains import DomainResolver
from rulesdsl.check.types import NUMBER, UNKNOWN
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.source.span import Span


Amount = tuple[ty.Value, str, "Span"]


class AmountResolver(DomainResolver):
    """Resolves amounts and rates."""

    # ---------------------------------------------------------------- amounts and rates
    def amount(self, expr: ex.Expr) -> Amount | None:
        """Return how many of which noun an expression means, None where it is no amount."""
        if isinstance(expr, ex.Amount):
            noun = self.world.singular(expr.noun.text)
            if noun not in self.world.pieces and noun not in self.world.tracks:
                if not self.doubtful(expr.noun.text):
                    self.report(
                        "E201",
                        expr.noun.span,
                        f"There are no pieces or tracks called `{expr.noun.text}`.",
                        did_you_mean(expr.noun.text, self.piece_names()),
                    )
                return self.unknown(expr.span), noun, expr.span
            self.use_noun(noun)
            return self.number(expr.count), noun, expr.span
        if isinstance(expr, ex.Per) and isinstance(expr.rate, ex.Amount):
            rate = self.amount(expr.rate)
            assert rate is not None
            number = self.times(rate[0], self.things(expr.things), expr.span)
            return number, rate[1], expr.span
        return None

    def use_noun(self, noun: str) -> None:
        """Note that a piece or track is used."""
        if noun in self.world.pieces:
            self.world.pieces[noun].used = True
        else:
            self.world.tracks[noun].used = True

    def times(self, rate: ty.Value, count: ty.Value, span: Span) -> ty.Value:
        """Return a product, plain where one of the factors is 1."""
        if isinstance(rate, ty.Const) and rate.value == 1:
            return count
        return ty.Arith("*", rate, count, type=NUMBER, span=span)

    def things(self, expr: ex.Expr) -> ty.Value:
        """Return the number of things behind `per`; `per 2 cards in ...` counts pairs."""
        if isinstance(expr, ex.Contents) and isinstance(expr.what, ex.Amount):
            name = ex.Name(expr.what.noun.text, span=expr.what.noun.span)
            count = self.number(ex.Contents(name, expr.where, span=expr.span))
            size = self.number(expr.what.count)
            if not (isinstance(size, ty.Const) and size.value > 0):
                self.report("E301", expr.what.span, "How many make one is a fixed number.", "")
            return ty.Arith("/", count, size, type=NUMBER, span=expr.span)
        return self.number(expr)

    def counted(self, expr: ex.Amount | ex.Per) -> ty.Value:
        """Return an amount or a rate where a plain number is wanted."""
        if isinstance(expr, ex.Per) and not isinstance(expr.rate, ex.Amount):
            return self.sum_over(expr)
        found = self.amount(expr)
        assert found is not None
        if found[0].type == UNKNOWN:
            return found[0]
        self.report(
            "E301",
            expr.span,
            f"This is an amount of `{found[1]}`, where a plain number is needed.",
            "Leave the noun out, or call a verb that takes it.",
        )
        return self.unknown(expr.span)

    def sum_over(self, expr: ex.Per) -> ty.Value:
        """Return `E per THINGS`: E for each of them, added up."""
        domain, said = self.told_selection(expr.things)
        if said:
            return self.unknown(expr.span)
        if domain is None:
            return self.times(self.number(expr.rate), self.things(expr.things), expr.span)
        with self.scope.candidate(domain.element) as local:
            self.assume_member(local, domain)
            amount = self.number(expr.rate)
        read = {each.name for each in ty.walk(amount) if isinstance(each, ty.Local)}
        if local.name not in read:
            return self.times(amount, self.count_of(domain, expr.span), expr.span)
        if Use.LIST not in uses(self.world, domain):
            help_text = "Count them place by place: `(... in it) per PLACES`."
            self.alike(
                domain.element.of, expr.rate.span, "none has a number of its own", help_text
            )
            return self.unknown(expr.span)
        return ty.SumOf(domain, local.name, amount, type=NUMBER, span=expr.span)
