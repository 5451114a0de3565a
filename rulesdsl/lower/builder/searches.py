"""Builder of searches in domains: counts, sums, the best entity, a random entity."""

from __future__ import annotations

from typing import assert_never

from rulesdsl.check import typed as ty
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder import domains
from rulesdsl.lower.builder.domains import Sum, among, located
from rulesdsl.lower.builder.writer import NONE, ONE, ZERO, Writer
from rulesdsl.lower.flat.walk import logic, op, select
from rulesdsl.source.language import Language
from rulesdsl.source.tree import walk

Search = (
    ty.Located
    | ty.CountOf
    | ty.AnyOf
    | ty.MemberOf
    | ty.SumOf
    | ty.BestOf
    | ty.FirstOf
    | ty.EndOf
    | ty.RandomOf
    | ty.PositionIn
)


def found(w: Writer, node: Search) -> fl.Expr:  # noqa: C901 - one case per kind
    """Write a search and return its result."""
    match node:
        case ty.Located():
            return located(w, node)
        case ty.CountOf(domain=domain):
            return _count(w, domain)
        case ty.AnyOf(domain=domain):
            return _any(w, domain)
        case ty.MemberOf(subject=subject, domain=domain):
            return among(w, w.steady(subject, "subject"), subject.type, domain)
        case ty.SumOf():
            return _sum(w, node)
        case ty.BestOf():
            return _best(w, node)
        case ty.FirstOf():
            return _first(w, node)
        case ty.EndOf():
            return _end(w, node)
        case ty.RandomOf(domain=domain):
            drawn = w.fresh("drawn")
            w.add(fl.Draw(drawn.name, domains.listed(w, domain, "each")))
            if w.shared.logging:
                apart = not _whole_pile(w, domain)
                event = fl.Event("draw", domain.element.of, w.span, w.proc, apart=apart)
                w.tell(event, (NONE, drawn))
            return drawn
        case ty.PositionIn():
            return _position(w, node)
        case _:
            assert_never(node)


def _end(w: Writer, node: ty.EndOf) -> fl.Expr:
    at = ONE if node.index is None else w.steady(node.index, "index")
    if not node.cells.one:
        return _in_several(w, node, at)
    pile = fl.Pile(node.piece, w.kept(domains.cell(w, node.piece, node.cells), "cell"))
    return select(op(">=", fl.Length(pile), at), _item(pile, at, top=node.top), NONE)


def _item(pile: fl.Pile, at: fl.Expr, *, top: bool) -> fl.Expr:
    return fl.ListItem(pile, op("-", fl.Length(pile) if top else at, at if top else ONE))


def _in_several(w: Writer, node: ty.EndOf, at: fl.Expr) -> fl.Expr:
    """Write a search for the piece at a position that is counted through several cells."""
    rest, piece = w.set("rest", at), w.set("piece", NONE)

    def count(cell: fl.Expr) -> None:
        pile = fl.Pile(node.piece, w.kept(cell, "cell"))
        here = fl.Set(piece.name, _item(pile, rest, top=node.top))
        w.add(fl.Conditional(op(">=", fl.Length(pile), rest), (here, fl.Break())))
        w.count_up(rest, op("-", ZERO, fl.Length(pile)))

    with w.search(op(">=", piece, ZERO)):
        domains.each_cell(w, node.piece, node.cells, count)
    return piece


# -------------------------------------------------------------------- unrolled domains
MAX_ROUNDS, MAX_NODES = 10, 260


def known_rounds(w: Writer, domain: ty.Domain) -> list[fl.Expr] | None:
    """Return the conditions of the candidates in a small domain, or None."""
    base = domain.unfiltered
    numbers: range | None = None
    if isinstance(base, ty.Entries | ty.AllSeats):
        numbers = range(domains.most(w, base))
    elif isinstance(base, ty.NumberRange):
        low, high = base.low, base.high
        if isinstance(low, ty.Const) and isinstance(high, ty.Const):
            numbers = range(low.value, high.value + 1)
    if numbers is None or len(numbers) > MAX_ROUNDS:
        return None
    with w.body() as written:
        rounds = [_holds(w, domain, fl.Literal(number)) for number in numbers]
    size = sum(1 for _ in walk(tuple(rounds)))
    return None if written or size > MAX_NODES else rounds


def _holds(w: Writer, domain: ty.Domain, thing: fl.Expr) -> fl.Expr:
    if not isinstance(domain, ty.Filtered):
        return ONE
    inner = _holds(w, domain.base, thing)
    with w.given({domain.variable: thing}):
        return logic("and", inner, w.value(domain.condition))


# -------------------------------------------------------------------- counts
def _counted(w: Writer, domain: ty.Domain) -> ty.Lying | None:
    if isinstance(domain, ty.Lying) and w.world.pieces[domain.piece].style == "counted":
        return domain
    return None


def _count(w: Writer, domain: ty.Domain) -> fl.Expr:
    lying = _counted(w, domain)
    if lying is not None:
        return _pieces(w, lying)
    if isinstance(domain, ty.Entries | ty.AllSeats):
        return fl.Literal(domains.most(w, domain))
    if isinstance(domain, ty.ListedEntries):
        return fl.Length(fl.ConstRow(w.value(domain.values)))
    if _whole_pile(w, domain):
        return fl.Length(fl.Pile(domain.piece, domains.cell(w, domain.piece, domain.cells)))  # type: ignore[union-attr]
    rounds = known_rounds(w, domain)
    if rounds is not None:
        total: fl.Expr = ZERO
        for holds in rounds:
            total = op("+", total, holds)
        return total
    count = w.set("count", ZERO)
    with w.search():
        domains.through(w, domain, "each", lambda _: w.count_up(count))
    return count


def _whole_pile(w: Writer, domain: ty.Domain) -> bool:
    return (
        isinstance(domain, ty.Lying)
        and domain.owner is domain.entry is None
        and w.world.pieces[domain.piece].style == "printed"
        and domain.cells.one
    )


def _pieces(w: Writer, node: ty.Lying, *, any_: bool = False) -> fl.Expr:
    """Return the number of counted pieces in cells; with `any_`, a test for whether any exist."""
    array = f"n:{node.piece}"
    owner = None if node.owner is None else w.value(node.owner)
    few = domains.few_cells(w, node.piece, node.cells, owner)
    if few and any_:
        return logic("or", *(op("<>", fl.Load(array, each), ZERO) for each in few))
    if few:
        total: fl.Expr = ZERO
        for each in few:
            total = op("+", total, fl.Load(array, each))
        return total
    count = w.set("count", ZERO)
    with w.search():
        domains.each_cell(
            w, node.piece, node.cells, lambda at: w.count_up(count, fl.Load(array, at)), owner
        )
    return op("<>", count, ZERO) if any_ else count


def _any(w: Writer, domain: ty.Domain) -> fl.Expr:
    lying = _counted(w, domain)
    if lying is not None:
        return _pieces(w, lying, any_=True)
    if isinstance(domain, ty.ListedEntries) or _whole_pile(w, domain):
        return op("<>", _count(w, domain), ZERO)
    if isinstance(domain, ty.Entries | ty.AllSeats):
        return fl.Literal(int(domains.most(w, domain) > 0))
    if isinstance(domain, ty.NumberRange):
        return op("<=", w.value(domain.low), w.value(domain.high))
    rounds = known_rounds(w, domain)
    if rounds is not None:
        return logic("or", *rounds)
    there = w.set("any", ZERO)
    with w.search(there):
        domains.through(w, domain, "each", lambda _: w.take(there, ONE))
    return there


def _sum(w: Writer, node: ty.SumOf) -> fl.Expr:
    total = Sum.begin(w, exact=node.exact)

    def more(thing: fl.Expr) -> None:
        amount = w.about(node.variable, thing, node.amount)
        total.add(w, amount)

    with w.search():
        domains.through(w, node.domain, node.variable, more)
    return total.total(w)


# -------------------------------------------------------------------- selections
def _best(w: Writer, node: ty.BestOf) -> fl.Expr:
    """Write the search for the best candidate; a tie, but for equal copies, yields `NONE`."""
    best, tied = w.set("best", NONE), w.set("tied", ZERO)
    highest = [w.set("highest", ZERO) for _ in node.ranking]

    def compare(thing: fl.Expr) -> None:
        with w.given({node.variable: thing}):
            keys = [w.kept(w.value(rank), "rank") for _, rank in node.ranking]
        better: fl.Expr = ZERO
        level: fl.Expr = ONE
        for (most, _), key, held in reversed([*zip(node.ranking, keys, highest, strict=True)]):
            ahead, same = op(">" if most else "<", key, held), op("=", key, held)
            better = logic("or", ahead, logic("and", same, better))
            level = logic("and", same, level)
        better_one = [fl.Set(best.name, thing), fl.Set(tied.name, ZERO)]
        better_one += [fl.Set(h.name, key) for h, key in zip(highest, keys, strict=True)]
        w.add(
            fl.Conditional(
                logic("or", op("<", best, ZERO), better),
                tuple(better_one),
                (fl.Conditional(level, (fl.Set(tied.name, ONE),)),),
            )
        )

    with w.search():
        copies_tie = w.world.language(node.span) < Language.V0_2
        loop = domains.through_distinct if node.ranking and not copies_tie else domains.through
        loop(w, node.domain, node.variable, compare)
    return select(tied, NONE, best)


def _first(w: Writer, node: ty.FirstOf) -> fl.Expr:
    """Write the search for the first match in a list, optionally after a given entry."""
    first = w.set("first", NONE)
    after = None if node.after is None else w.steady(node.after, "after")
    begun = None if after is None else w.set("begun", ZERO)

    def asked(thing: fl.Expr) -> None:
        holds = w.about(node.variable, thing, node.condition)
        w.when(holds, lambda: w.take(first, thing))

    def each(thing: fl.LocalVar) -> None:
        if after is None or begun is None:
            asked(thing)
            return
        with w.body() as behind:
            asked(thing)
        start = fl.Conditional(op("=", thing, after), (fl.Set(begun.name, ONE),))
        w.add(fl.Conditional(begun, tuple(behind), (start,)))

    with w.search():
        w.loop(node.variable, fl.ConstRow(w.value(node.values)), each)
    return first


def _position(w: Writer, node: ty.PositionIn) -> fl.Expr:
    subject = w.steady(node.subject, "subject")
    at, place = w.set("at", ZERO), w.set("position", ZERO)

    def each(thing: fl.Expr) -> None:
        w.count_up(at)
        w.add(fl.Conditional(op("=", thing, subject), (fl.Set(place.name, at), fl.Break())))

    with w.search(place):
        domains.through(w, node.domain, "each", each)
    return place
