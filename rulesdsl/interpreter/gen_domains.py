"""Python for domains: counting, asking, going through and ranking things."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.walk import substitute
from rulesdsl.check.types import YES_NO
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_unroll import as_number, binds, put_in, rounds_of
from rulesdsl.lower import form as fm

if TYPE_CHECKING:
    from rulesdsl.interpreter.layout import Layout

Generators = list[ast.comprehension]


class DomainGenerator:
    """Generates expressions for domains."""

    layout: Layout

    def value(self, node: ty.Value) -> ast.expr:
        """Return the expression of a value."""
        raise NotImplementedError

    def condition(self, node: ty.Value) -> ast.expr:
        """Return the expression of a condition."""
        raise NotImplementedError

    def keep(self, value: tuple[object, ...]) -> ast.expr:
        """Keep a constant table under a global name and return that."""
        raise NotImplementedError

    def keep_functions(self, names: tuple[object, ...]) -> ast.expr:
        """Keep a table of functions, given by name, and return its global name."""
        raise NotImplementedError

    def formula_table(self, node: ty.Formula) -> ast.expr:
        """Return the table of the functions of a formula field."""
        raise NotImplementedError

    def local(self, name: str) -> str:
        """Return the Python name of a local."""
        return py.identifier(name)

    # ---------------------------------------------------------------- cells
    def flat(self, sizes: tuple[int, ...], indexes: list[ast.expr]) -> ast.expr:
        """Return the flat index of a cell."""
        total: ast.expr = py.const(0)
        for stride, index in zip(self.layout.strides(sizes), indexes, strict=True):
            total = py.binary("+", total, py.binary("*", index, py.const(stride)))
        return total

    def code(self, piece: str, cells: ty.Cells, owner: ty.Value | None = None) -> ast.expr:
        """Return the number of one cell of a kind of pieces."""
        dims = [self.value(dim) for dim in cells.dims if dim is not None]
        sizes = self.layout.cell_dims(piece, cells.place)
        if len(dims) < len(sizes):
            assert owner is not None
            dims.append(self.value(owner))
        base = py.const(self.layout.base(piece, cells.place))
        return py.binary("+", self.flat(sizes, dims), base)

    def codes(
        self, piece: str, cells: ty.Cells, owner: ty.Value | None = None
    ) -> ast.expr | list[ast.expr]:
        """Return the cells that are meant: a list of numbers, or an expression that is one."""
        sizes = self.layout.cell_dims(piece, cells.place)
        strides = self.layout.strides(sizes)
        dims: list[ty.Value | None] = list(cells.dims)
        if len(dims) < len(sizes):
            dims.append(owner)
        found: list[ast.expr] = [py.const(self.layout.base(piece, cells.place))]
        lists: list[tuple[ast.expr, int]] = []
        for dim, size, stride in zip(dims, sizes, strides, strict=True):
            if dim is None:
                found = [
                    py.binary("+", each, py.const(at * stride))
                    for each in found
                    for at in range(size)
                ]
            elif dim.type.family == "list":
                lists.append((self.value(dim), stride))
            else:
                step = py.binary("*", self.value(dim), py.const(stride))
                found = [py.binary("+", step, each) for each in found]
        if not lists:
            return found
        values, stride = lists[0]
        element = py.binary("*", py.name("c_"), py.const(stride))
        choices = [py.binary("+", element, each) for each in found]
        inner: ast.expr = choices[0]
        generators = [py.generator("c_", values, [])]
        if len(choices) > 1:
            generators.append(py.generator("d_", ast.Tuple(choices, py.LOAD), []))
            inner = py.name("d_")
        return py.comprehension(inner, generators)

    def counted(self, node: ty.Lying) -> ast.expr:
        """Return how many like pieces lie in cells."""
        field = py.field(py.identifier(node.piece, "n_"))
        codes = self.codes(node.piece, node.cells, node.owner)
        if not isinstance(codes, list):
            generators = [py.generator("k_", codes, [])]
            return py.call("sum", py.comprehension(py.item(field, py.name("k_")), generators))
        if len(codes) == 1:
            return py.item(field, codes[0])
        run = _run(codes)
        if run is not None and len(codes) > 3:  # noqa: PLR2004
            return py.call("sum", py.item(field, _slice(*run)))
        total: ast.expr = py.item(field, codes[0])
        for each in codes[1:]:
            total = py.binary("+", total, py.item(field, each))
        return total

    def any_counted(self, node: ty.Lying) -> ast.expr:
        """Return whether like pieces lie in cells."""
        field = py.field(py.identifier(node.piece, "n_"))
        codes = self.codes(node.piece, node.cells, node.owner)
        if isinstance(codes, list):
            run = _run(codes)
            if run is not None and len(codes) > 4:  # noqa: PLR2004
                return py.call("any", py.item(field, _slice(*run)))
            return py.joined("or", [py.item(field, each) for each in codes])
        return self.counted(node)

    # ---------------------------------------------------------------- going through
    def style(self, piece: str) -> str:
        """Return how pieces of a kind are kept."""
        return self.layout.world.pieces[piece].style

    def generators(self, domain: ty.Domain, variable: str) -> Generators:  # noqa: C901
        """Return the loops that go through a domain, with its conditions."""
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
                raise AssertionError(domain)

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
            run = _run(codes)
            if run is not None:
                over: ast.expr = py.item(field, _slice(*run))
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

    def single_at(self, piece: str, subject: ast.expr) -> ast.expr:
        """Return the cell where a single piece is."""
        field = py.field(py.identifier(piece, "s_"))
        return py.item(field, subject) if self.layout.world.pieces[piece].owned else field

    def single_in(self, piece: str, subject: ast.expr, cells: ty.Cells) -> ast.expr:
        """Return whether a single piece is in cells."""
        return self.code_in(piece, self.single_at(piece, subject), cells)

    def code_in(self, piece: str, code: ast.expr, cells: ty.Cells) -> ast.expr:
        """Return whether a cell is among cells."""
        codes = self.codes(piece, cells)
        if not isinstance(codes, list):
            return py.compared("in", code, codes)
        if len(codes) == 1:
            return py.compared("=", code, codes[0])
        run = _run(codes)
        if run is not None and isinstance(run[0], ast.Constant):
            low, size = run
            if size == self.layout.cells(piece):
                return py.const(value=True)
            high = py.binary("+", low, py.const(size - 1))
            return ast.Compare(low, [ast.LtE(), ast.LtE()], [code, high])
        return py.compared("in", code, ast.Tuple(codes, py.LOAD))

    def end_pieces(self, node: ty.EndPieces) -> ast.expr:
        """Return the top or bottom pieces of a stack, nearest the end first."""
        pile = py.item(
            py.field(py.identifier(node.piece, "l_")), self.code(node.piece, node.cells)
        )
        if node.top:
            return py.call("last_first", pile, py.const(node.count))
        return py.item(pile, ast.Slice(None, py.const(node.count), None))

    def candidate(self, domain: ty.Domain) -> str:
        """Return a name for one of a domain that nothing in its conditions bears already."""
        if isinstance(domain, ty.Filtered):
            return domain.variable
        used = {each.name for each in ty.walk(domain) if isinstance(each, ty.Local)}
        name = "it"
        while name in used:
            name += ".other"
        return name

    def listed(self, domain: ty.Domain, variable: str | None = None) -> ast.expr:
        """Return the things of a domain as a new list."""
        variable = variable or self.candidate(domain)
        made = self.generators(domain, variable)
        if len(made) == 1 and not made[0].ifs:
            return py.call("list", made[0].iter)
        return py.comprehension(py.name(self.local(variable)), made)

    # ---------------------------------------------------------------- counted and asked
    def _CountOf(self, node: ty.CountOf) -> ast.expr:
        domain = node.domain
        match domain:
            case ty.Lying() if self.style(domain.piece) == "counted":
                return self.counted(domain)
            case ty.Entries(kind=kind):
                return py.const(self.layout.size(kind))
            case ty.AllSeats(players=players):
                return py.const(self.layout.players if players else self.layout.seats)
            case ty.Listed(values=values):
                return py.call("len", self.value(values))
            case ty.Lying(owner=None, entry=None) if self.style(domain.piece) == "printed":
                codes = self.codes(domain.piece, domain.cells)
                if isinstance(codes, list) and len(codes) == 1:
                    field = py.field(py.identifier(domain.piece, "l_"))
                    return py.call("len", py.item(field, codes[0]))
            case _:
                pass
        made = self.generators(domain, self.candidate(domain))
        return self.how_many(made)

    def _AnyOf(self, node: ty.AnyOf) -> ast.expr:
        domain = node.domain
        match domain:
            case ty.Lying() if self.style(domain.piece) == "counted":
                return self.any_counted(domain)
            case ty.Entries() | ty.AllSeats():
                return py.const(value=True)
            case ty.Numbers(low=low, high=high):
                return py.compared("<=", self.value(low), self.value(high))
            case ty.Listed(values=values):
                return self.value(values)
            case ty.Lying(owner=None, entry=None) if self.style(domain.piece) == "printed":
                codes = self.codes(domain.piece, domain.cells)
                field = py.field(py.identifier(domain.piece, "l_"))
                if isinstance(codes, list):
                    run = _run(codes)
                    if run is not None and len(codes) > 4:  # noqa: PLR2004
                        return py.call("any", py.item(field, _slice(*run)))
                    return py.joined("or", [py.item(field, each) for each in codes])
            case _:
                pass
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
        return total if len(rounds) > 1 else py.chosen(rounds[0], py.const(1), py.const(0))

    def is_any(self, made: Generators) -> ast.expr:
        """Return whether loops have a round at all."""
        rounds = self.each_round(made)
        if rounds is not None:
            return py.joined("or", rounds)
        return self.helper(made, py.const(value=True), py.const(value=False))

    def _MemberOf(self, node: ty.MemberOf) -> ast.expr:
        subject, domain = node.subject, node.domain
        match domain:
            case ty.Lying() if self.style(domain.piece) == "single":
                return self.single_in(domain.piece, self.value(subject), domain.cells)
            case ty.Lying():
                piece = self.value(subject)
                where = py.item(py.field(py.identifier(domain.piece, "w_")), piece)
                there = self.code_in(domain.piece, where, domain.cells)
                if subject.type.maybe:
                    some = py.compared(">=", piece, py.const(0))
                    there = py.joined("and", [some, there])
                return py.joined("and", [there, *self.about(domain, piece)])
            case ty.Filtered(base=base, variable=variable, condition=condition):
                inside = self.value(ty.MemberOf(subject, base, type=YES_NO))
                asked = self.condition(substitute(condition, variable, subject))
                return py.joined("and", [inside, asked])
            case ty.Listed(values=values):
                return py.compared("in", self.value(subject), self.value(values))
            case ty.Entries() | ty.AllSeats() | ty.AnyWhere():
                return py.compared(">=", self.value(subject), py.const(0))
            case _:
                return py.compared("in", self.value(subject), self.listed(domain))

    def _SumOf(self, node: ty.SumOf) -> ast.expr:
        made = self.generators(node.domain, node.variable)
        return py.call("sum", py.comprehension(self.value(node.amount), made))

    def _BestOf(self, node: ty.BestOf) -> ast.expr:
        made = self.generators(node.domain, node.variable)
        known = self._known_order(node, made)
        if known is not None:
            return known
        local = py.name(self.local(node.variable))
        keys = [self._key(most, value) for most, value in node.ranking]
        key = keys[0] if len(keys) == 1 else ast.Tuple(keys, py.LOAD)
        pairs = py.comprehension(ast.Tuple([key, local], py.LOAD), made)
        return py.call("sole_best", pairs)

    def _known_order(self, node: ty.BestOf, made: Generators) -> ast.expr | None:
        """Return the first that meets the conditions where the order is printed and no two tie."""
        rounds = self.each_round(made)
        if rounds is None or len(node.ranking) != 1:
            return None
        most, value = node.ranking[0]
        match self.value(value):
            case ast.Subscript(value=ast.Name(id=table), slice=ast.Name(id=at)):
                row = self.table(table)
            case _:
                return None
        if at != self.local(node.variable) or row is None:
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

    def _key(self, most: bool, value: ty.Value) -> ast.expr:  # noqa: FBT001
        made = self.value(value)
        return made if most else ast.UnaryOp(ast.USub(), made)

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


def _run(codes: list[ast.expr]) -> tuple[ast.expr, int] | None:
    """Return first cell and length where cells are numbered one after the other."""
    parts: list[tuple[str, int]] = []
    for each in codes:
        match each:
            case ast.Constant(value=int(value)):
                parts.append(("", value))
            case ast.BinOp(op=ast.Add(), left=left, right=ast.Constant(value=int(value))):
                parts.append((ast.dump(left), value))
            case _:
                parts.append((ast.dump(each), 0))
    first = parts[0]
    if all(part == (first[0], first[1] + at) for at, part in enumerate(parts)):
        return codes[0], len(codes)
    return None


def _slice(low: ast.expr, size: int) -> ast.expr:
    return ast.Slice(low, py.binary("+", low, py.const(size)), None)
