"""Expressions: names, domains, tables, and the dispatch over all kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import holes, operators, selections
from rulesdsl.check.resolve.attributes import (
    attribute_of,
    call_typed,
    call_value,
    has_attribute,
    kept,
)
from rulesdsl.check.resolve.holes import KIND, THINGS
from rulesdsl.check.resolve.selections import (
    alike,
    all_of,
    assume_member,
    check_element,
    filtered,
    is_list,
    noun_in,
    try_selection,
)
from rulesdsl.check.symbols.symbol_table import SymbolKind
from rulesdsl.check.symbols.types import BUNDLE, NUMBER, SEAT, UNKNOWN, YES_NO, Type, entry, piece
from rulesdsl.check.symbols.wording import help_to_use, sort_of
from rulesdsl.check.typed.steps import substitute
from rulesdsl.source.diagnostics import similar
from rulesdsl.source.facts import Ambiguous, KeptPer
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.symbols.symbol_table import PieceInfo
    from rulesdsl.source.diagnostics import Advice
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.node import Identifier


_A_LIST = "A list is a field that holds several entries, such as `stops of coast`."


def domain_of(r: Resolver, kind: Identifier, expr: ex.Expr | None) -> ty.Domain | None:
    """Resolve the domain of `a K in D`, `the K in D` and similar phrases."""
    r.expect(kind, KIND)
    name = r.world.singular(kind.text)
    if expr is None:
        found = all_of(r, name, kind.span)
        if found is None:
            _unknown_kind(r, kind)
        return found
    if name == "number":
        found = try_selection(r, expr)
        if not isinstance(found, ty.NumberRange):
            message = "This is not a range of numbers."
            r.report("E301", expr.span, message, "Write the range, such as `a number in 1..5`.")
            return None
        return found
    known = (
        name in r.world.pieces
        or name in r.world.kinds
        or name in {"seat", "player"}
        or kind.text in r.world.owners
    )
    if not known:
        _unknown_kind(r, kind)
        return None
    info = r.world.pieces.get(name)
    if info is not None and info.style == "counted":
        help_text = f"Name the place and the number, as in `move 1 {info.name} from ...`."
        alike(r, info.name, kind.span, "there is none to choose", help_text)
        return None
    found = noun_in(r, kind.text, None, expr, kind.span.to(expr.span))
    if found is None and not (info or name in r.world.kinds):
        r.report("E301", expr.span, f"There are no {kind.text} there.", "")
    return found


def _unknown_kind(r: Resolver, kind: Identifier) -> None:
    message = f"There is no kind of things called `{kind.text}`."
    known = [*r.world.kinds, *r.world.pieces, "player", "seat"]
    sort = sort_of(kind.text, r.world)
    if sort is not None:
        message = f"`{kind.text}` is {sort}, but a kind of things is needed here."
    r.not_known(kind.text, kind.span, message, similar(kind.text, known), anywhere=False)


def best(r: Resolver, expr: ex.The) -> ty.Value:
    """Resolve `the K with most ...`: one or none."""
    base = domain_of(r, expr.kind, expr.domain)
    if base is None:
        return r.unknown(expr.span)
    base = filtered(r, base, expr.where)
    with r.scope.candidate(base.element) as local:
        assume_member(r, local, base)
        if isinstance(base, ty.Filtered):
            r.scope.assume(_renamed(base.condition, base.variable, local))
        ranking = tuple((step.most, r.number(step.value)) for step in expr.ranking)
    return ty.BestOf(base, local.name, ranking, type=base.element.or_none(), span=expr.span)


def first(r: Resolver, expr: ex.First) -> ty.Value:
    """Resolve `the first K in LIST after X where ...`: one or none."""
    r.expect(expr.kind, KIND)
    values = r.value(expr.domain, THINGS)
    if not is_list(r, expr.domain):
        return r.report("E301", expr.domain.span, "This is not a list.", _A_LIST, values)
    element = entry(values.type.of)
    if values.type != UNKNOWN:
        check_element(r, element, r.world.singular(expr.kind.text), expr.kind.span)
        r.note(expr.kind.span, SymbolKind.NOUN, element.of)
    after = None if expr.after is None else r.of_type(expr.after, element)
    with r.scope.candidate(element) as local:
        condition = ty.YES if expr.where is None else r.condition(expr.where)
    return ty.FirstOf(values, after, local.name, condition, type=element.or_none(), span=expr.span)


def random_one(r: Resolver, expr: ex.RandomPick) -> ty.Value:
    """Resolve a random draw; never none if the domain is never empty."""
    base = domain_of(r, expr.kind, expr.domain)
    if base is None:
        return r.unknown(expr.span)
    domain = filtered(r, base, expr.where)
    if not r.scope.may_choose:
        message = "A value cannot use chance: it would change each time it is read."
        help_text = "Draw in a verb or step, and keep the result with `let`."
        r.report("E405", expr.span, message, help_text)
    sure = isinstance(domain, ty.AllSeats | ty.Entries)
    kind = domain.element if sure else domain.element.or_none()
    return ty.RandomOf(domain, type=kind, span=expr.span)


def _renamed(condition: ty.Value, name: str, local: ty.Local) -> ty.Value:
    """Substitute the candidate in presence tests of a condition, leaving the rest unchanged."""
    if isinstance(condition, ty.And):
        renamed = tuple(_renamed(part, name, local) for part in condition.parts)
        return attrs.evolve(condition, parts=renamed)
    if isinstance(condition, ty.IsSome):
        return ty.IsSome(substitute(condition.value, name, local), type=YES_NO)
    return condition


def named(r: Resolver, expr: ex.Name, want: Type | None) -> ty.Value:
    """Resolve a single word."""
    local = r.scope.locals.get(expr.name)
    if local is not None:
        r.uses(expr.name, local, expr.span)
        return r.scope.narrowed(attrs.evolve(local, span=expr.span))
    attribute = None
    if r.scope.candidates and has_attribute(r, expr.name, r.scope.candidates[-1].type):
        attribute = attribute_of(r, expr.name, r.scope.candidates[-1], expr.span, None)
    found = _plain_name(r, expr, want, report=attribute is None)
    if attribute is not None and found is not None and found.type != UNKNOWN:
        message = f"`{expr.name}` could belong to the candidate or to the game."
        help_text = f"Write `{expr.name} of it` for the candidate's. For the other, rename one."
        r.report("E203", expr.span, message, help_text, facts=Ambiguous(f"{expr.name} of it"))
    return attribute or found or r.unknown(expr.span)


def _plain_name(r: Resolver, expr: ex.Name, want: Type | None, *, report: bool) -> ty.Value | None:  # noqa: C901, PLR0912
    """Resolve a word that is no local and no attribute."""
    name, span, world = expr.name, expr.span, r.world
    singular = world.singular(name)
    if want is not None and want.family in {"entry", "piece"}:
        kind = world.kinds.get(want.of)
        if kind is not None and name in kind.index:
            r.note(span, SymbolKind.ENTRY, name, want.of)
            return ty.Const(kind.index[name], type=entry(want.of), span=span)
    if name in world.constants and name not in world.values:
        world.constants[name].used = True
        r.note(span, SymbolKind.NOUN, name)
        raw = world.constants[name].value
        price = bundle_of(r, raw)
        if isinstance(raw, int):
            return ty.Const(raw, type=NUMBER, span=span)
        if price is not None:
            return ty.Bundle(price, type=BUNDLE, span=span)
        return r.report("E301", span, f"`{name}` is a table.", f"Say which: `{name} at ...`.")
    option = world.options.get(name)
    if option is not None:
        r.note(span, SymbolKind.NOUN, name)
        kind_of = YES_NO if option.switch else entry(name) if option.names else NUMBER
        return ty.SettingValue(name, type=kind_of, span=span)
    if name in world.rivals:
        r.note(span, SymbolKind.NOUN, name)
        return ty.SeatNumber(name, type=SEAT.or_none(), span=span)
    if name in {"players", "seats"}:
        return ty.Seats(name == "players", type=NUMBER, span=span)
    if name in world.values and not world.values[name].params:
        return call_value(r, name, (), span)
    counter = world.counter(name)
    if counter is not None and not counter.dims:
        return kept(r, name, (), span)
    info = world.pieces.get(name)
    if info is not None and _is_one(info):
        r.note(span, SymbolKind.NOUN, name)
        return ty.Const(0, type=piece(name), span=span)
    owners = world.owners.get(name, [])
    if len(owners) == 1:
        r.note(span, SymbolKind.ENTRY, name, owners[0])
        return ty.Const(world.kinds[owners[0]].index[name], type=entry(owners[0]), span=span)
    if len(owners) > 1:
        message = f"`{name}` could be " + " or ".join(f"the {kind}" for kind in owners) + "."
        return r.report("E203", span, message, "Choose another name for one of them.")
    counted = world.kinds.get(singular)
    if counted is not None and counted.role != "piece" and name == counted.plural:
        return r.count_of(all_of(r, singular, span), span)
    other = _other_use(r, name) if report else None
    if other is not None:
        r.report("E301", span, *other, facts=_kept(r, name))
    elif report:
        r.not_known(name, span, f"Nothing is called `{name}`.", _suggestion(r, name))
    return r.unknown(span) if report else None


def _other_use(r: Resolver, name: str) -> tuple[str, str] | None:
    """Return message and help for a declared word that has no value by itself."""
    world, singular = r.world, r.world.singular(name)
    counter = world.counter(name)
    if counter is not None and counter.dims:
        return (
            f"`{name}` is kept per {' per '.join(counter.dims)}.",
            f"Say whose it is: `my {name}`, or `{name} of ...`.",
        )
    if name in world.values and world.values[name].params:
        wanted = " and ".join(str(param.type) for param in world.values[name].params)
        return f"`{name}` is a value of {wanted}.", f"Say of what: `{name} of ...`."
    if singular in world.places:
        message = f"`{name}` is a place, not a value."
        return message, f"Ask what is there, for example `any ... in {name}`."
    if singular in world.pieces and not _is_one(world.pieces[singular]):
        plural = world.pieces[singular].plural
        return f"`{name}` could be anywhere.", f"Say where they are: `{plural} in ...`."
    return None


def _kept(r: Resolver, name: str) -> KeptPer | None:
    counter = r.world.counter(name)
    return KeptPer(f"my {name}") if counter is not None and counter.dims else None


def _is_one(piece: PieceInfo) -> bool:
    """Return whether a kind has only one piece, which its name denotes."""
    return piece.style == "single" and not piece.owned


def _suggestion(r: Resolver, name: str) -> str | Advice:
    world = r.world
    known = [
        *r.scope.locals,
        *world.constants,
        *world.options,
        *world.values,
        *world.tracks,
        *world.flags,
        *world.pieces,
        *world.plurals,
        *world.owners,
        *world.places,
        *world.kinds,
        *world.rivals,
    ]
    if r.scope.candidates:
        kind = world.kinds.get(r.scope.candidates[-1].type.of)
        known.extend(kind.fields if kind else ())
    places = set(world.places) if r.scope.wants_place else set()
    misfits = {each for each in known if each not in places and _other_use(r, each)}
    return help_to_use(name, world) or similar(name, known, misfits)


def bundle_of(r: Resolver, raw: object) -> tuple[int, ...] | None:
    """Convert a table of nouns and amounts to a price; None for other tables."""
    if not isinstance(raw, dict):
        return None
    amounts = dict.fromkeys(r.world.bundle_nouns, 0)
    for noun, value in raw.items():
        singular = r.world.singular(noun)
        if singular not in amounts or not isinstance(value, int):
            return None
        amounts[singular] = value
    return tuple(amounts.values())


def mine(r: Resolver, expr: ex.My) -> ty.Value:
    """Resolve `my X`."""
    return attribute_of(r, expr.name, r.me(expr.span), expr.span, None)


def of(r: Resolver, expr: ex.Of) -> ty.Value:
    """Resolve `X of Y`."""
    name = expr.name.text
    value = r.world.values.get(name)
    if value is not None and value.params:
        return call_value(r, name, (expr.owner,), expr.span)
    return attribute_of(r, name, r.value(expr.owner), expr.span, None)


def _two_dims(r: Resolver, name: str, first: ty.Value, second: ty.Value, span: Span) -> ty.Value:
    counted = kept(r, name, (first, second), span)
    if counted is not None:
        return counted
    value = r.world.values.get(name)
    if value is not None and len(value.params) == 2:  # noqa: PLR2004
        return call_typed(r, name, (first, second), span)
    message = f"Nothing called `{name}` belongs to two things."
    return r.report("E201", span, message, "It needs a declaration with `per` twice.")


def at(r: Resolver, expr: ex.At) -> ty.Value:
    """Resolve `X at K`: a column of a field, a chart, or a value with two parameters."""
    base, span = expr.base, expr.span
    if isinstance(base, ex.Name) and base.name in r.world.constants:
        r.world.constants[base.name].used = True
        r.note(base.span, SymbolKind.NOUN, base.name)
        return _table_at(r, base.name, expr.key, span)
    if isinstance(base, ex.Of):
        name = base.name.text
        value = r.world.values.get(name)
        if value is not None and value.params:
            return call_value(r, name, (base.owner, expr.key), span)
        owner = r.value(base.owner)
        if r.world.counter(name) is not None:
            return _two_dims(r, name, owner, r.value(expr.key), span)
        return attribute_of(r, name, owner, span, expr.key)
    if isinstance(base, ex.My):
        return _my_at(r, base, expr.key, span)
    if isinstance(base, ex.Name) and r.scope.candidates:
        candidate = r.scope.candidates[-1]
        if base.name in r.world.values:
            key = r.value(expr.key)
            return call_typed(r, base.name, (candidate, key), span)
        return attribute_of(r, base.name, candidate, span, expr.key)
    found = r.value(base) if isinstance(base, ex.Name) else None
    message = "`at` reads a chart, a field with `per`, or a value of two things."
    help_text = "For example `chart at 2`, `field of x at y`."
    return r.report("E301", span, message, help_text, found)


def _my_at(r: Resolver, base: ex.My, key: ex.Expr, span: Span) -> ty.Value:
    me, name = r.me(span), base.name
    if r.world.counter(name) is not None or name in r.world.values:
        return _two_dims(r, name, me, r.value(key), span)
    return attribute_of(r, name, me, span, key)


def _table_at(r: Resolver, name: str, key: ex.Expr, span: Span) -> ty.Value:
    """Resolve a lookup in a table of named numbers."""
    raw = r.world.constants[name].value
    if not isinstance(raw, dict):
        return r.report("E301", span, f"`{name}` is a single number, not a chart.", "Remove `at`.")
    if all(isinstance(each, str) and each.isdigit() for each in raw):
        points = tuple(sorted((int(at), number) for at, number in raw.items()))
        return ty.Chart(points, r.number(key), type=NUMBER, span=span)
    where = r.value(key)
    kind = r.world.kinds.get(where.type.of)
    if kind is None or where.type.family != "entry":
        return r.mismatch(key.span, where, "a thing that this table lists")
    return _rows_at(r, name, raw, kind.name, r.total(where, key.span), span)


def _rows_at(
    r: Resolver, name: str, raw: dict[str, object], kind: str, key: ty.Value, span: Span
) -> ty.Value:
    rows: list[ty.Value] = []
    for each in r.world.kinds[kind].entries:
        found = raw.get(each.name)
        bundle = bundle_of(r, found)
        if bundle is not None:
            rows.append(ty.Bundle(bundle, type=BUNDLE))
        elif isinstance(found, int):
            rows.append(ty.Const(found, type=NUMBER))
        else:
            message = f"`{name}` says nothing about `{each.name}`."
            help_text = f"Add a value for it: `{each.name} = ...`."
            return r.report("E006", span, message, help_text)
    return ty.TableAt(tuple(rows), key, type=rows[0].type, span=span)


def value_of(r: Resolver, expr: ex.Expr, want: Type | None = None) -> ty.Value:  # noqa: C901, PLR0912
    """Resolve an expression; `want` disambiguates names."""
    span = expr.span
    hole = holes.hole_in(r, expr, want)
    if hole is not None:
        return hole
    match expr:
        case ex.Number():
            return ty.Const(expr.value, type=NUMBER, span=span)
        case ex.Switch():
            return ty.Const(int(expr.on), type=YES_NO, span=span)
        case ex.Name():
            return named(r, expr, want)
        case ex.My():
            return mine(r, expr)
        case ex.Me():
            return r.me(span)
        case ex.It():
            return r.it(span)
        case ex.Of():
            return of(r, expr)
        case ex.At():
            return at(r, expr)
        case ex.Ends():
            return selections.end_of(r, expr)
        case ex.NounAmount() | ex.Per():
            return operators.counted(r, expr)
        case ex.Beside():
            return operators.beside(r, expr)
        case ex.Contents():
            return selections.contents_value(r, expr)
        case ex.Not():
            inner = r.condition(expr.value)
            return ty.Negation(inner, type=YES_NO, span=span)
        case ex.Logic():
            return operators.logic(r, expr)
        case ex.Compare():
            return operators.compare(r, expr)
        case ex.Arithmetic():
            return operators.arithmetic(r, expr)
        case ex.Cap():
            op = "min" if expr.at_most else "max"
            left, right = r.number(expr.value), r.number(expr.bound)
            return ty.Arith(op, left, right, type=NUMBER, span=span)
        case ex.Quantified():
            return selections.quantified(r, expr)
        case ex.The():
            return best(r, expr)
        case ex.First():
            return first(r, expr)
        case ex.RandomPick():
            return random_one(r, expr)
        case ex.All():
            return r.count_of(selections.selection(r, expr), span)
        case ex.Choice():
            message = "A choice cannot be part of a value."
            help_text = "Make it first: `let x = a ...`, then use `x`."
            found = r.report("E305", span, message, help_text)
            with r.muted():
                random_one(r, ex.RandomPick(expr.kind, expr.domain, expr.where))
            return found
        case ex.Range():
            help_text = "A range follows `in`: `a number in 1..3`, `for each number n in 1..3:`."
            return r.report("E301", span, "A range is not a value.", help_text)
