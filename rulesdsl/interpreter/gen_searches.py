"""Python for looking among things: counting, asking, ranking."""

from __future__ import annotations

import ast
from typing import TypeGuard, assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.walk import substitute
from rulesdsl.check.types import YES_NO
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_cells import run_of, slice_of
from rulesdsl.interpreter.gen_domains import DomainGenerator, Generators
from rulesdsl.interpreter.gen_unroll import as_number, binds, put_in, rounds_of


class SearchGenerator(DomainGenerator):
    """Generates expressions that look among the things of a domain."""

    # ---------------------------------------------------------------- counted and asked
    def _CountOf(self, node: ty.CountOf) -> ast.expr:
        domain = node.domain
        if isinstance(domain, ty.Lying) and self.style(domain.piece) == "counted":
            return self.counted(domain)
        if isinstance(domain, ty.Entries):
            return py.const(self.layout.size(domain.kind))
        if isinstance(domain, ty.AllSeats):
            return py.const(self.layout.players if domain.players else self.layout.seats)
        if isinstance(domain, ty.Listed):
            return py.call("len", self.value(domain.values))
        if self._whole_piles(domain):
            codes = self.codes(domain.piece, domain.cells)
            if isinstance(codes, list) and len(codes) == 1:
                field = py.field(py.identifier(domain.piece, "l_"))
                return py.call("len", py.item(field, codes[0]))
        made = self.generators(domain, self.candidate(domain))
        return self.how_many(made)

    def _whole_piles(self, domain: ty.Domain) -> TypeGuard[ty.Lying]:
        """Whether these are all pieces of some piles."""
        return (
            isinstance(domain, ty.Lying)
            and domain.owner is domain.entry is None
            and self.style(domain.piece) == "printed"
        )

    def _AnyOf(self, node: ty.AnyOf) -> ast.expr:
        domain = node.domain
        if isinstance(domain, ty.Lying) and self.style(domain.piece) == "counted":
            return self.any_counted(domain)
        if isinstance(domain, ty.Entries | ty.AllSeats):
            return py.const(value=True)
        if isinstance(domain, ty.Numbers):
            return py.compared("<=", self.value(domain.low), self.value(domain.high))
        if isinstance(domain, ty.Listed):
            return py.compared("<>", self.value(domain.values), py.const(()))
        if self._whole_piles(domain):
            codes = self.codes(domain.piece, domain.cells)
            field = py.field(py.identifier(domain.piece, "l_"))
            if isinstance(codes, list):
                run = run_of(codes)
                if run is not None and len(codes) > 4:  # noqa: PLR2004
                    return py.call("any", py.item(field, slice_of(*run)))
                return py.joined("or", [py.item(field, each) for each in codes])
        made = self.generators(domain, self.candidate(domain))
        return self.is_any(made)

    # ---------------------------------------------------------------- loops written out
    def helper(self, made: Generators, found: ast.expr, none: ast.expr) -> ast.expr:
        """Return the call of a function that goes through loops until something is found."""
        raise NotImplementedError

    def each_round(self, made: Generators) -> list[ast.expr] | None:
        """Return the condition of every round of a loop over a few known numbers."""
        numbers = rounds_of(made)
        if numbers is None:
            return None
        assert isinstance(made[0].target, ast.Name)
        name = made[0].target.id
        asked = py.joined("and", made[0].ifs)
        if binds(asked, name):
            return None
        return [put_in(asked, name, number) for number in numbers]

    def how_many(self, made: Generators) -> ast.expr:
        """Return how many rounds of loops there are."""
        rounds = self.each_round(made)
        if rounds is None:
            return py.call("sum", py.comprehension(py.const(1), made))
        total: ast.expr = py.const(0)
        for each in rounds:
            total = py.binary("+", total, as_number(each))
        return total if len(rounds) != 1 else py.chosen(rounds[0], py.const(1), py.const(0))

    def is_any(self, made: Generators) -> ast.expr:
        """Return whether loops have a round at all."""
        rounds = self.each_round(made)
        if rounds is not None:
            return py.joined("or", rounds)
        return self.helper(made, py.const(value=True), py.const(value=False))

    def _MemberOf(self, node: ty.MemberOf) -> ast.expr:
        subject, domain = node.subject, node.domain
        named = isinstance(subject, ty.Local | ty.Const)
        if isinstance(domain, ty.Lying | ty.Filtered) and not named:  # it is used several times
            name = self.nested("subject", domain)
            same = ty.MemberOf(ty.Local(name, type=subject.type), domain, type=YES_NO)
            return self.value(ty.LetIn(name, subject, same, type=YES_NO))
        match domain:
            case ty.Lying():
                piece = self.value(subject)
                if self.style(domain.piece) == "single":
                    conditions = [self.single_in(domain.piece, piece, domain.cells)]
                else:
                    where = py.item(py.field(py.identifier(domain.piece, "w_")), piece)
                    there = self.code_in(domain.piece, where, domain.cells)
                    conditions = [there, *self.about(domain, piece)]
                if subject.type.maybe:
                    conditions.insert(0, py.compared(">=", piece, py.const(0)))
                return py.joined("and", conditions)
            case ty.Filtered(base=base, variable=variable, condition=condition):
                inside = self.value(ty.MemberOf(subject, base, type=YES_NO))
                asked = self.condition(substitute(condition, variable, subject))
                return py.joined("and", [inside, asked])
            case ty.Listed(values=values):
                return py.compared("in", self.value(subject), self.value(values))
            case ty.AllSeats(players=True) if subject.type.family == "seat":  # perhaps a rival's
                return py.compared("in", self.value(subject), self.listed(domain))
            case ty.Entries() | ty.AllSeats() | ty.AnyWhere():
                return py.compared(">=", self.value(subject), py.const(0))
            case ty.Numbers() | ty.EndPieces():
                return py.compared("in", self.value(subject), self.listed(domain))
            case _:
                assert_never(domain)

    def _SumOf(self, node: ty.SumOf) -> ast.expr:
        made = self.generators(node.domain, node.variable)
        total = py.call("sum", py.comprehension(self.value(node.amount), made))
        return total if node.exact else py.saturated(total)

    def _BestOf(self, node: ty.BestOf) -> ast.expr:
        made = self.generators(node.domain, node.variable)
        ranks = [(most, self.value(value)) for most, value in node.ranking]
        known = self._known_order(node.variable, ranks, made)
        if known is not None:
            return known
        local = py.name(self.local(node.variable))
        keys = [key if most else ast.UnaryOp(ast.USub(), key) for most, key in ranks]
        key = keys[0] if len(keys) == 1 else ast.Tuple(keys, py.LOAD)
        pairs = py.comprehension(ast.Tuple([key, local], py.LOAD), made)
        return py.call("sole_best", pairs)

    def _known_order(
        self, variable: str, ranks: list[tuple[bool, ast.expr]], made: Generators
    ) -> ast.expr | None:
        """Return the first that meets the conditions where the order is printed and no two tie."""
        rounds = self.each_round(made)
        if rounds is None or len(ranks) != 1:
            return None
        most, key = ranks[0]
        match key:
            case ast.Subscript(value=ast.Name(id=table), slice=ast.Name(id=at)):
                row = self.table(table)
            case _:
                return None
        if at != self.local(variable) or row is None:
            return None
        keys = [each for each in row[: len(rounds)] if isinstance(each, int)]
        if len(set(keys)) < len(rounds):
            return None
        order = sorted(range(len(rounds)), key=keys.__getitem__, reverse=not most)
        found: ast.expr = py.const(-1)
        for each in order:  # the best comes last and so is asked first
            found = py.chosen(rounds[each], py.const(each), found)
        return found

    def table(self, name: str) -> tuple[object, ...] | None:
        """Return a constant table by its global name."""
        raise NotImplementedError

    def _FirstOf(self, node: ty.FirstOf) -> ast.expr:
        along = self.value(node.values)
        if node.after is not None:
            along = py.call("behind", along, self.value(node.after))
        local = self.local(node.variable)
        made = [py.generator(local, along, [self.condition(node.condition)])]
        return self.helper(made, py.name(local), py.const(-1))

    def _EndOf(self, node: ty.EndOf) -> ast.expr:
        pile = py.item(
            py.field(py.identifier(node.piece, "l_")), self.code(node.piece, node.cells)
        )
        return py.call("top_of" if node.top else "bottom_of", pile)

    def _RandomOf(self, node: ty.RandomOf) -> ast.expr:
        return py.call("draw", py.name("st"), self.listed(node.domain))

    def _PositionIn(self, node: ty.PositionIn) -> ast.expr:
        if isinstance(node.domain, ty.Listed):
            return py.call("position", self.value(node.domain.values), self.value(node.subject))
        return py.call("position", self.listed(node.domain), self.value(node.subject))

    def _Located(self, node: ty.Located) -> ast.expr:
        subject = self.value(node.subject)
        piece, place = node.piece, node.place
        if self.style(piece) == "single":
            code = self.single_at(piece, subject)
        else:
            code = py.item(py.field(py.identifier(piece, "w_")), subject)
        base = self.layout.base(piece, place)
        size = 1
        for each in self.layout.cell_dims(piece, place):
            size *= each
        if size == self.layout.cells(piece):
            return code
        if node.type.maybe:
            return py.call("within", code, py.const(base), py.const(size))
        return py.binary("-", code, py.const(base))
