"""Builder of values other than searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import assert_never

from rulesdsl.check import typed as ty
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder import fields, searches
from rulesdsl.lower.builder.domains import conditions
from rulesdsl.lower.builder.writer import ONE, ZERO, Writer
from rulesdsl.lower.flat.walk import known, negated, op, select


def value(w: Writer, node: ty.Value) -> fl.Expr:  # noqa: C901, PLR0912 - one case per kind
    """Write the statements that a value needs, and return its expression."""
    if isinstance(node, fields.Read):
        return fields.read(w, node)
    if isinstance(node, searches.Search):
        return searches.found(w, node)
    if isinstance(node, _Called):
        return _call(w, node)
    match node:
        case ty.Const(value=number):
            return fl.Literal(number)
        case ty.Local(name=name):
            return w.named(name)
        case ty.TextValue(text=text):
            return fl.Literal(w.shared.text(text))
        case ty.SeatNumber(rival=rival):
            return fl.Literal(seat_of(w, rival))
        case ty.Seats(players=players):
            return fl.Literal(w.layout.players if players else w.layout.seats)
        case ty.SettingValue(option=option):
            return fl.Literal(w.layout.settings[option])
        case ty.Chart(points=points, key=key):
            return fields.read_charts(w, [points], ZERO, w.value(key))
        case ty.TableAt(rows=rows, key=key):
            return _off_table(w, map(w.value, rows), key)
        case ty.Arith():
            return _arith(w, node)
        case ty.Comparison():
            return _comparison(w, node)
        case ty.And(parts=parts):
            return conditions(w, "and", [w.later(each) for each in parts])
        case ty.Or(parts=parts):
            return conditions(w, "or", [w.later(each) for each in parts])
        case ty.Negation(value=inner):
            return negated(w.value(inner))
        case ty.Cases(cases=cases, otherwise=otherwise):
            return _cases(w, list(cases), otherwise, w.value)
        case ty.LetIn(name=name, bound=bound, inner=inner):
            with w.given(held(w, name, bound)):
                return w.value(inner)
        case ty.IsSome(value=inner):
            return op(">=", w.value(inner), ZERO)
        case ty.Ring():
            return _ring(w, node)
        case ty.BundlePart(bundle=bundle, position=position):
            return part(w, bundle, position)
        case ty.Bundle() | ty.MakeBundle():
            raise AssertionError(node)  # prices are built part by part
        case _:
            assert_never(node)


def seat_of(w: Writer, rival: str) -> int:
    """Return a rival's seat, or -1 if the rival is absent."""
    rivals = w.layout.rivals
    return w.layout.players + rivals.index(rival) if rival in rivals else -1


def _off_table(w: Writer, rows: Iterable[fl.Expr], key: ty.Value) -> fl.Expr:
    cells = tuple(each.value for each in rows if isinstance(each, fl.Literal))
    return fields.table(w, cells, w.value(key))


# -------------------------------------------------------------------- arithmetic
def _arith(w: Writer, node: ty.Arith) -> fl.Expr:
    left, right = w.value(node.left), w.value(node.right)
    held = not node.exact and node.op in {"+", "-", "*"}
    return op(f"{node.op}." if held else node.op, left, right)


def _comparison(w: Writer, node: ty.Comparison) -> fl.Expr:
    if node.op in {"=", "<>"} and _nobody_is(w, node.left, node.right):
        return fl.Literal(int(node.op == "<>"))
    return op(node.op, w.value(node.left), w.value(node.right))


def _nobody_is(w: Writer, one: ty.Value, other: ty.Value) -> bool:
    """Return whether one value is an absent rival, and the other is always a seat."""
    return any(
        isinstance(rival, ty.SeatNumber)
        and rival.rival not in w.layout.rivals
        and isinstance(seat, ty.Local)
        and not seat.type.maybe
        for rival, seat in ((one, other), (other, one))
    )


def _ring(w: Writer, node: ty.Ring) -> fl.Expr:
    """Return the entry some steps further around a ring; rivals sit after the last player."""
    origin, steps = w.value(node.origin), w.value(node.steps)
    players = w.layout.players
    if node.kind == "player" and w.layout.seats > players:
        origin, steps = w.kept(origin, "from"), w.kept(steps, "steps")
        behind = select(op(">", steps, ZERO), fl.Literal(players - 1), fl.Literal(players))
        origin = select(op(">=", origin, fl.Literal(players)), behind, origin)
    size = players if node.kind == "player" else w.layout.size(node.kind)
    if known(steps) is None:  # the sum could overflow
        steps = op("%", steps, fl.Literal(size))
    return op("%", op("+", origin, steps), fl.Literal(size))


# -------------------------------------------------------------------- cases
def _cases(
    w: Writer,
    cases: list[tuple[ty.Value, ty.Value]],
    otherwise: ty.Value,
    make: Callable[[ty.Value], fl.Expr],
) -> fl.Expr:
    if not cases:
        return make(otherwise)
    (condition, first), *others = cases
    asked = w.value(condition)
    decided = known(asked)
    if decided is not None:
        return make(first) if decided else _cases(w, others, otherwise, make)
    with w.body() as before:
        yes = make(first)
    with w.body() as instead:
        no = _cases(w, others, otherwise, make)
    if not before and not instead:
        return select(asked, yes, no)
    local = w.fresh("case")
    before.append(fl.Set(local.name, yes))
    instead.append(fl.Set(local.name, no))
    w.add(fl.Conditional(asked, tuple(before), tuple(instead)))
    return local


# -------------------------------------------------------------------- prices
def part(w: Writer, node: ty.Value, at: int) -> fl.Expr:
    """Return the amount of one noun in a price."""
    if isinstance(node, ty.Bundle):
        return fl.Literal(node.amounts[at])
    if isinstance(node, ty.MakeBundle):
        return w.value(node.parts[at])
    if isinstance(node, ty.Local):
        return w.named(f"{node.name}.{at}")
    if isinstance(node, ty.CallValue):
        me = [node.me] if _takes_me(w, node) else []
        name = f"{fl.value_name(node.name, node.layer)}.{at}"
        return fl.CallFunction(name, given(w, [*me, *node.arguments]))
    if isinstance(node, ty.Cases):
        return _cases(w, list(node.cases), node.otherwise, lambda each: part(w, each, at))
    if isinstance(node, ty.LetIn):
        with w.given(held(w, node.name, node.bound)):
            return part(w, node.inner, at)
    if isinstance(node, ty.TableAt):
        return _off_table(w, (part(w, row, at) for row in node.rows), node.key)
    assert isinstance(node, ty.FieldOf), node
    return fields.price(w, node, at)


def parts(w: Writer, node: ty.Value) -> list[fl.Expr]:
    """Return the amounts of all nouns in a price."""
    return [part(w, node, at) for at in range(len(w.world.bundle_nouns))]


def held(w: Writer, name: str, bound: ty.Value) -> dict[str, fl.Expr]:
    """Write the binding of a name; return its expressions, one for each part of a price."""
    if bound.type.family != "bundle":
        return {name: w.kept(w.value(bound), name)}
    names = enumerate(w.layout.parts(name))
    return {each: w.kept(part(w, bound, at), name) for at, each in names}


def given(w: Writer, arguments: Sequence[ty.Value]) -> tuple[fl.Expr, ...]:
    """Return the expressions passed for arguments; a price is passed as its parts."""
    every = (parts(w, e) if e.type.family == "bundle" else [w.value(e)] for e in arguments)
    return tuple(each for some in every for each in some)


def params(w: Writer, locals_: Sequence[ty.Local]) -> tuple[str, ...]:
    """Return the names of parameters; a price is passed as its parts."""
    bundles = ((each.name, each.type.family == "bundle") for each in locals_)
    every = (w.layout.parts(name) if parted else [name] for name, parted in bundles)
    return tuple(each for some in every for each in some)


# -------------------------------------------------------------------- calls
_Called = ty.CallValue | ty.ScoreOf | ty.StandingOf | ty.Can | ty.CanDo | ty.FieldFormula


def guard_name(w: Writer, key: str) -> str:
    """Return the function name for a guard; `ALWAYS` if there is none."""
    return ALWAYS if w.program.guards.get(key, ty.YES) == ty.YES else f"can:{key}"


def _takes_me(w: Writer, node: ty.CallValue) -> bool:
    called = w.program.values.get((node.name, node.layer))
    assert called is not None, node
    return called.me is not None


ALWAYS, NEVER = "always", "never"


def _call(w: Writer, node: _Called) -> fl.Expr:
    match node:
        case ty.CallValue():
            me = [node.me] if _takes_me(w, node) else []
            name = fl.value_name(node.name, node.layer)
            return fl.CallFunction(name, given(w, [*me, *node.arguments]))
        case ty.ScoreOf(seat=seat):
            return fl.CallFunction(fl.TOTAL, (w.value(seat),))
        case ty.StandingOf(seat=seat):
            return fl.CallFunction(fl.STANDING, (w.value(seat),))
        case ty.Can():
            name = guard_name(w, node.proc)
            if name == ALWAYS:
                return fl.Literal(1)
            return fl.CallFunction(name, given(w, [node.me, *node.arguments]))
        case ty.CanDo():
            names = fields.effects(w, node, "guards", lambda key: guard_name(w, key), NEVER)
            return _chosen(w, node, names)
        case ty.FieldFormula():
            return _chosen(w, node, fields.formulas(w, node, NEVER))
        case _:
            assert_never(node)


def _chosen(w: Writer, node: ty.CanDo | ty.FieldFormula, names: tuple[str, ...]) -> fl.Expr:
    index, me = fields.index(w, node), w.value(node.me)
    name, at = fields.one_of(w, names, index)
    return {ALWAYS: ONE, NEVER: ZERO}.get(name) or fl.CallFunction(name, (me,), at)
