"""Python for domains: going through things."""

from __future__ import annotations

import ast
from typing import assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.capabilities import Use, uses
from rulesdsl.check.typed.walk import substitute
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_cells import CellGenerator, run_of, slice_of
from rulesdsl.lower import form as fm

Generators = list[ast.comprehension]


class DomainGenerator(CellGenerator):
    """Generates the loops that go through domains."""

    def generators(self, domain: ty.Domain, variable: str) -> Generators:  # noqa: C901
        """Return the loops that go through a domain, with its conditions."""
        assert Use.LIST in uses(self.layout.world, domain)
        local = self.local(variable)
        match domain:
            case ty.Entries(kind=kind):
                return [
                    py.generator(local, py.call("range", py.const(self.layout.size(kind))), [])
                ]
            case ty.AllSeats(players=players):
                count = self.layout.players if players else self.layout.seats
                return [py.generator(local, py.call("range", py.const(count)), [])]
            case ty.Numbers(low=low, high=high):
                return [py.generator(local, self.counting(low, high), [])]
            case ty.Listed(values=values):
                return [py.generator(local, self.value(values), [])]
            case ty.Lying():
                return self.lying(domain, local)
            case ty.EndPieces():
                return [py.generator(local, self.end_pieces(domain), [])]
            case ty.Filtered(base=base, variable=inner, condition=condition):
                made = self.generators(base, variable)
                if inner != variable:
                    mine = ty.Local(variable, type=base.element)
                    condition = substitute(condition, inner, mine)
                asked = self.condition(condition)
                if not (isinstance(asked, ast.Constant) and asked.value):
                    made[-1].ifs.append(asked)
                return made
            case ty.AnyWhere(piece=piece):
                count = len(self.layout.instances(piece))
                return [py.generator(local, py.call("range", py.const(count)), [])]
            case _:
                assert_never(domain)

    def counting(self, low: ty.Value, high: ty.Value) -> ast.expr:
        """Return the numbers of a range; no more of them than a loop goes round."""
        first, last = self.value(low), self.value(high)
        over = py.call("range", first, py.binary("+", last, py.const(1)))
        match first, last:
            case ast.Constant(value=int() as start), ast.Constant(value=int() as stop) if (
                stop - start < fm.MOST_REPEATS
            ):
                return over
            case _:
                return py.item(over, ast.Slice(None, py.const(fm.MOST_REPEATS), None))

    def lying(self, node: ty.Lying, local: str) -> Generators:
        """Return the loops that go through pieces in cells."""
        if self.style(node.piece) == "single":
            return self.singles(node, local)
        codes = self.codes(node.piece, node.cells)
        field = py.field(py.identifier(node.piece, "l_"))
        conditions = self.about(node, py.name(local))
        if isinstance(codes, list) and len(codes) == 1:
            return [py.generator(local, py.item(field, codes[0]), conditions)]
        if isinstance(codes, list):
            run = run_of(codes)
            if run is not None:
                over: ast.expr = py.item(field, slice_of(*run))
                outer = py.generator("p_", over, [])
                return [outer, py.generator(local, py.name("p_"), conditions)]
            over = ast.Tuple(codes, py.LOAD)
        else:
            over = codes
        outer = py.generator("k_", over, [])
        return [outer, py.generator(local, py.item(field, py.name("k_")), conditions)]

    def about(self, node: ty.Lying, piece: ast.expr) -> list[ast.expr]:
        """Return what narrows printed pieces down: their owner, their entry."""
        conditions: list[ast.expr] = []
        instances = self.layout.instances(node.piece)
        if node.entry is not None:
            table = self.keep(tuple(entry for entry, _ in instances))
            conditions.append(py.compared("=", py.item(table, piece), self.value(node.entry)))
        if node.owner is not None:
            table = self.keep(tuple(owner for _, owner in instances))
            conditions.append(py.compared("=", py.item(table, piece), self.value(node.owner)))
        return conditions

    def singles(self, node: ty.Lying, local: str) -> Generators:
        """Return the loops over single pieces that lie in cells."""
        info = self.layout.world.pieces[node.piece]
        there = self.single_in(node.piece, py.name(local), node.cells)
        conditions = [there]
        if info.owned and node.owner is not None:
            conditions.insert(0, py.compared("=", py.name(local), self.value(node.owner)))
        over = py.call("range", py.const(self.layout.owners(info)))
        return [py.generator(local, over, conditions)]

    def end_pieces(self, node: ty.EndPieces) -> ast.expr:
        """Return the top or bottom pieces of a stack, nearest the end first."""
        pile = py.item(
            py.field(py.identifier(node.piece, "l_")), self.code(node.piece, node.cells)
        )
        if node.top:
            return py.call("last_first", pile, py.const(node.count))
        return py.item(pile, ast.Slice(None, py.const(node.count), None))

    def candidate(self, domain: ty.Domain) -> str:
        """Return a name for one of a domain that no loop around it or in it has.

        Playouts write searches as loops, in which a name means one thing only.
        """
        return domain.variable if isinstance(domain, ty.Filtered) else self.nested("any", domain)

    def nested(self, word: str, domain: ty.Domain) -> str:
        """Return a name that no content can say, and that is another one inside the domain.

        A domain has more domains in it than each that is inside it.
        """
        return f"{word}.{sum(isinstance(each, ty.DomainNode) for each in ty.walk(domain))}"

    def listed(self, domain: ty.Domain, variable: str | None = None) -> ast.expr:
        """Return the things of a domain as a new list."""
        variable = variable or self.candidate(domain)
        made = self.generators(domain, variable)
        if len(made) == 1 and not made[0].ifs:
            return py.call("list", made[0].iter)
        return py.comprehension(py.name(self.local(variable)), made)
