"""Expressions: names, domains, tables, and the dispatch on the kind of expression."""

from __future__ import annotations

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import operators, selections, wording
from rulesdsl.check.resolve.attributes import (
    SEATS,
    attribute_of,
    call_typed,
    call_value,
    counter_cell,
    has_attribute,
    is_attribute_name,
    local_with_owner,
    no_article,
)
from rulesdsl.check.resolve.holes import KIND, THINGS
from rulesdsl.check.resolve.operators import as_entry, no_kind
from rulesdsl.check.resolve.resolver import Resolver
from rulesdsl.check.resolve.selections import (
    all_of,
    assume_member,
    check_element,
    filtered,
    is_list,
    noun_in,
    try_selection,
)
from rulesdsl.check.symbols.declare import BUILT_IN
from rulesdsl.check.symbols.symbol_table import PieceInfo, SymbolKind
from rulesdsl.check.symbols.types import (
    BUNDLE,
    NUMBER,
    SEAT,
    UNKNOWN,
    YES_NO,
    Type,
    entry,
    piece,
)
from rulesdsl.check.symbols.wording import help_to_use
from rulesdsl.check.typed.steps import substitute
from rulesdsl.source.diagnostics import Advice, WordedFinding, similar
from rulesdsl.source.english import or_list
from rulesdsl.source.facts import Ambiguous, MissingOwner
from rulesdsl.source.span import Span
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.lexer import begins, is_word
from rulesdsl.syntax.node import Identifier


# -------------------------------------------------------------------- domains
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
            r.report(wording.NO_RANGE(), expr.span)
            return None
        return found
    info = r.world.pieces.get(name)
    if not (info or name in {*r.world.kinds, *SEATS} or kind.text in r.world.owners):
        _unknown_kind(r, kind)
        return None
    if info is not None and info.style == "counted":
        r.report(wording.ALIKE_TO_CHOOSE(info=info), kind.span)
        return None
    found = noun_in(r, kind.text, None, expr, kind.span.to(expr.span))
    if found is None and not (info or name in r.world.kinds):
        r.report(wording.NONE_THERE(kind=kind.text), expr.span)
    return found


def _unknown_kind(r: Resolver, kind: Identifier) -> None:
    if no_article(r):
        return
    said = no_kind(r, kind.text, [*r.world.kinds, *r.world.pieces, "player", "seat"])
    r.not_known(said, kind.text, kind.span, anywhere=False)


def _best(r: Resolver, expr: ex.The) -> ty.Value:
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


def _renamed(condition: ty.Value, name: str, local: ty.Local) -> ty.Value:
    """Substitute the candidate for `name` in tests for none; leave other conditions unchanged."""
    if isinstance(condition, ty.And):
        renamed = tuple(_renamed(part, name, local) for part in condition.parts)
        return attrs.evolve(condition, parts=renamed)
    if isinstance(condition, ty.IsSome):
        return ty.IsSome(substitute(condition.value, name, local), type=YES_NO)
    return condition


def _first(r: Resolver, expr: ex.First) -> ty.Value:
    """Resolve `the first K in LIST after X where ...`: one or none."""
    r.expect(expr.kind, KIND)
    values = r.value(expr.domain, THINGS)
    if not is_list(r, expr.domain):
        return r.report(wording.NO_LIST(), expr.domain.span, values)
    element = entry(values.type.of)
    if values.type != UNKNOWN:
        check_element(r, element, r.world.singular(expr.kind.text), expr.kind.span)
        r.note(expr.kind.span, SymbolKind.NOUN, element.of)
    after = None if expr.after is None else r.of_type(expr.after, element)
    with r.scope.candidate(element) as local:
        condition = ty.YES if expr.where is None else r.condition(expr.where)
    return ty.FirstOf(values, after, local.name, condition, type=element.or_none(), span=expr.span)


def _random_one(r: Resolver, expr: ex.RandomPick) -> ty.Value:
    """Resolve a random choice, which is never none if the domain is never empty."""
    base = domain_of(r, expr.kind, expr.domain)
    if base is None:
        return r.unknown(expr.span)
    domain = filtered(r, base, expr.where)
    if not r.scope.may_choose:
        r.report(wording.CHANCE_IN_VALUE(), expr.span)
    sure = isinstance(domain, ty.AllSeats | ty.Entries)
    kind = domain.element if sure else domain.element.or_none()
    return ty.RandomOf(domain, type=kind, span=expr.span)


# -------------------------------------------------------------------- names
def _named(r: Resolver, expr: ex.Name, want: Type | None) -> ty.Value:
    local = r.scope.locals.get(expr.name)
    if local is not None:
        r.uses(expr.name, local, expr.span)
        return r.scope.narrowed(attrs.evolve(local, span=expr.span))
    attribute = None
    if r.scope.candidates and has_attribute(r, expr.name, r.scope.candidates[-1].type):
        attribute = attribute_of(r, expr.name, r.scope.candidates[-1], expr.span, None)
    found = _plain_name(r, expr, want)
    if attribute is not None:
        if found is not None and found.type != UNKNOWN:
            said = wording.OF_CANDIDATE_OR_GAME(name=expr.name)
            r.report(said, expr.span, facts=Ambiguous(f"{expr.name} of it"))
        return attribute
    if found is not None:
        return found
    other = _other_use(r, expr.name)
    if other is None:
        said = wording.NOTHING_CALLED(_suggestion(r, expr.name), name=expr.name)
        return r.not_known(said, expr.name, expr.span)
    counter = r.world.counter(expr.name)
    facts_kept = MissingOwner(f"my {expr.name}") if counter is not None and counter.dims else None
    return r.report(other, expr.span, facts=facts_kept)


def _plain_name(r: Resolver, expr: ex.Name, want: Type | None) -> ty.Value | None:  # noqa: C901, PLR0912
    """Resolve a word that is not a local or an attribute; return None if it is not a value."""
    name, span, world = expr.name, expr.span, r.world
    wanted = as_entry(r, expr, want)
    if wanted is not None:
        r.note(span, SymbolKind.ENTRY, name, wanted.type.of)
        return wanted
    if name in world.constants and name not in world.values:
        world.constants[name].used = True
        r.note(span, SymbolKind.NOUN, name)
        raw = world.constants[name].value
        if isinstance(raw, int):
            return ty.Const(raw, type=NUMBER, span=span)
        price = bundle_of(r, raw)
        if price is not None:
            return ty.Bundle(price, type=BUNDLE, span=span)
        return r.report(wording.TABLE_ALONE(name=name), span)
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
        return counter_cell(r, name, (), span)
    info = world.pieces.get(name)
    if info is not None and _is_one(info):
        r.note(span, SymbolKind.NOUN, name)
        return ty.Const(0, type=piece(name), span=span)
    owners = world.owners.get(name, [])
    if len(owners) == 1:
        r.note(span, SymbolKind.ENTRY, name, owners[0])
        return ty.Const(world.kinds[owners[0]].index[name], type=entry(owners[0]), span=span)
    if len(owners) > 1:
        kinds = or_list([f"the {kind}" for kind in owners])
        return r.report(wording.ENTRY_OF_SEVERAL(name=name, kinds=kinds), span)
    counted = world.kinds.get(world.singular(name))
    if counted is not None and counted.role != "piece" and name == counted.plural:
        return r.count_of(all_of(r, counted.name, span), span)
    return None


def _other_use(r: Resolver, name: str) -> WordedFinding | None:
    """Return a message and advice for a declared word that is not itself a value."""
    world, singular = r.world, r.world.singular(name)
    counter = world.counter(name)
    if counter is not None and counter.dims:
        return wording.KEPT_PER(name=name, dims=counter.dims)
    if name in world.values and world.values[name].params:
        params = " and ".join(str(param.type) for param in world.values[name].params)
        return wording.VALUE_ALONE(name=name, params=params)
    if singular in world.places:
        return wording.PLACE_AS_VALUE(name=name)
    if singular in world.pieces and not _is_one(world.pieces[singular]):
        return wording.PIECES_ANYWHERE(name=name, plural=world.pieces[singular].plural)
    return None


def _is_one(piece: PieceInfo) -> bool:
    """Return whether a kind has only one piece, to which its name refers."""
    return piece.style == "single" and not piece.owned


def _suggestion(r: Resolver, name: str) -> str | Advice:
    world = r.world
    values = (world.constants, world.options, world.values, world.tracks, world.flags)
    nouns = (world.pieces, world.plurals, world.owners, world.places, world.kinds, world.rivals)
    names = [word for table in (r.scope.locals, *values, *nouns) for word in table]
    if r.scope.candidates:
        kind = world.kinds.get(r.scope.candidates[-1].type.of)
        names.extend(kind.fields if kind else ())
    places = set(world.places) if r.scope.wants_place else set()
    language = {*BUILT_IN, *begins("arg")} - {"player", "seat", "number", "a", "an"}
    return help_to_use(name, world) or similar(
        name,
        {*names, *(language if len(name) > 1 and not is_word(name) else ())},
        lambda word: word not in places and _other_use(r, word) is not None,
    )


def bundle_of(r: Resolver, raw: object) -> tuple[int, ...] | None:
    """Convert a table of nouns and amounts to a price; return None for other tables."""
    if not isinstance(raw, dict):
        return None
    amounts = dict.fromkeys(r.world.bundle_nouns, 0)
    for noun, value in raw.items():
        singular = r.world.singular(noun)
        if singular not in amounts or not isinstance(value, int):
            return None
        amounts[singular] = value
    return tuple(amounts.values())


# -------------------------------------------------------------------- attributes and tables
def _of(r: Resolver, expr: ex.Of) -> ty.Value:
    name = expr.name.text
    value = r.world.values.get(name)
    if said := local_with_owner(r, expr):
        return r.report(said, expr.owner.span)
    if value is not None and value.params:
        return call_value(r, name, (expr.owner,), expr.span)
    if not is_attribute_name(r, name) and not r.doubtful(name):
        near = similar(name, {"top", "bottom"})
        if near:
            return r.report(wording.NOTHING_CALLED(near, name=name), expr.name.span)
    return attribute_of(r, name, r.value(expr.owner), expr.span, None)


def _at(r: Resolver, expr: ex.At) -> ty.Value:
    """Resolve `X at K`: an attribute with a key, a table lookup, or a call with two arguments."""
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
        return _column(r, name, r.value(base.owner), expr.key, span)
    if isinstance(base, ex.My):
        return _column(r, base.name, r.me(span), expr.key, span)
    if isinstance(base, ex.Name) and r.scope.candidates:
        candidate = r.scope.candidates[-1]
        if base.name in r.world.values:
            return call_typed(r, base.name, (candidate, r.value(expr.key)), span)
        return attribute_of(r, base.name, candidate, span, expr.key)
    found = r.value(base) if isinstance(base, ex.Name) else None
    return r.report(wording.MISPLACED_AT(), span, found)


def _column(r: Resolver, name: str, owner: ty.Value, key: ex.Expr, span: Span) -> ty.Value:
    """Resolve an attribute of `owner` with a key: a track, flag, value or field."""
    value = r.world.values.get(name)
    if r.world.counter(name) is None and (value is None or not value.params):
        return attribute_of(r, name, owner, span, key)
    things = owner, r.value(key)
    found = counter_cell(r, name, things, span)
    if found is not None:
        return found
    if value is not None and len(value.params) == len(things):
        return call_typed(r, name, things, span)
    return r.report(wording.OF_NO_TWO_THINGS(name=name), span)


def _table_at(r: Resolver, name: str, key: ex.Expr, span: Span) -> ty.Value:
    """Resolve a lookup in a table of named numbers."""
    raw = r.world.constants[name].value
    if not isinstance(raw, dict):
        return r.report(wording.NUMBER_AT(name=name), span)
    if all(isinstance(each, str) and each.isdigit() for each in raw):
        points = tuple(sorted((int(at), number) for at, number in raw.items()))
        return ty.Chart(points, r.number(key), type=NUMBER, span=span)
    where = r.value(key)
    kind = r.world.kinds.get(where.type.of)
    if kind is None or where.type.family != "entry":
        return r.mismatch(key.span, where, "a thing that this table lists")
    at, rows = r.total(where, key.span), list[ty.Value]()
    for each in kind.entries:
        found = raw.get(each.name)
        bundle = bundle_of(r, found)
        if bundle is not None:
            rows.append(ty.Bundle(bundle, type=BUNDLE))
        elif isinstance(found, int):
            rows.append(ty.Const(found, type=NUMBER))
        else:
            return r.report(wording.NOT_IN_TABLE(name=name, entry=each.name), span)
    return ty.TableAt(tuple(rows), at, type=rows[0].type, span=span)


# -------------------------------------------------------------------- all kinds of expressions
def value_of(r: Resolver, expr: ex.Expr, want: Type | None) -> ty.Value:  # noqa: C901, PLR0912
    """Resolve an expression; `want` disambiguates names."""
    span = expr.span
    match expr:
        case ex.Number():
            return ty.Const(expr.value, type=NUMBER, span=span)
        case ex.Switch():
            return ty.Const(int(expr.on), type=YES_NO, span=span)
        case ex.Name():
            return _named(r, expr, want)
        case ex.My():
            return attribute_of(r, expr.name, r.me(span), span, None)
        case ex.Me():
            return r.me(span)
        case ex.It():
            return r.it(span)
        case ex.Of():
            return _of(r, expr)
        case ex.At():
            return _at(r, expr)
        case ex.Ends():
            return selections.end_of(r, expr)
        case ex.NounAmount() | ex.Per():
            return operators.counted(r, expr)
        case ex.Beside():
            return operators.beside(r, expr)
        case ex.Contents():
            return selections.contents_value(r, expr)
        case ex.Not():
            return ty.Negation(r.condition(expr.value), type=YES_NO, span=span)
        case ex.Logic():
            return operators.logic(r, expr)
        case ex.Compare():
            return operators.compare(r, expr)
        case ex.Arithmetic():
            return operators.arithmetic(r, expr.op, expr.left, expr.right, span)
        case ex.Cap():
            word = "min" if expr.at_most else "max"
            return operators.arithmetic(r, word, expr.value, expr.bound, span)
        case ex.Quantified():
            return selections.quantified(r, expr)
        case ex.The():
            return _best(r, expr)
        case ex.First():
            return _first(r, expr)
        case ex.RandomPick():
            return _random_one(r, expr)
        case ex.All():
            return r.count_of(selections.selection(r, expr), span)
        case ex.Choice():
            with r.muted():
                _random_one(r, ex.RandomPick(expr.kind, expr.domain, expr.where))
            return r.report(wording.CHOICE_IN_VALUE(), span)
        case ex.Range():
            return r.report(wording.RANGE_AS_VALUE(), span)
        case ex.OtherThan():
            return r.report(wording.OTHER_THAN_ALONE(), span)
