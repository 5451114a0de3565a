"""Noun phrases: selections, `where`, ends of stacks, and membership."""

from __future__ import annotations

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import wording
from rulesdsl.check.resolve.attributes import (
    SEATS,
    cells_of,
    check_holds,
    check_whose,
    is_attribute_name,
    nobodys,
    one_stack,
    place_type,
    try_cells,
    word_of,
)
from rulesdsl.check.resolve.holes import THINGS
from rulesdsl.check.resolve.resolver import Resolver
from rulesdsl.check.symbols.symbol_table import SymbolKind
from rulesdsl.check.symbols.types import (
    NUMBER,
    PLAYER,
    SEAT,
    SEAT_WORDS,
    UNKNOWN,
    YES_NO,
    Type,
    entry,
    fits,
    piece,
)
from rulesdsl.check.symbols.wording import sort_of
from rulesdsl.check.typed.steps import substitute
from rulesdsl.check.typed.traits import Capability, uses
from rulesdsl.source.diagnostics import WordedFinding, similar
from rulesdsl.source.english import plural_of
from rulesdsl.source.facts import InNeedsBrackets
from rulesdsl.source.span import Span
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.lexer import begins
from rulesdsl.syntax.node import Identifier
from rulesdsl.syntax.printer import print_expression


def filtered(
    r: Resolver,
    base: ty.Domain,
    where: ex.Expr | None,
    word: Identifier | None = None,
    *,
    acting: bool = False,
) -> ty.Domain:
    """Restrict a domain by a `where` condition; with `acting`, `me` in it is the candidate."""
    if where is None:
        return base
    name = None if word is None else word.text
    with r.scope.block(), r.scope.candidate(base.element, name) as local:
        if word is not None:
            r.binds(word, local)
        if acting:
            r.scope.me = local
        assume_member(r, local, base)
        condition = r.condition(where)
    if Capability.LIST not in uses(r.world, base):
        return _of_owner(r, base, local, condition, where.span)
    return ty.Filtered(base, local.name, condition, element=base.element, span=where.span)


def _of_owner(
    r: Resolver, base: ty.Domain, local: ty.Local, condition: ty.Value, span: Span
) -> ty.Domain:
    """Restrict interchangeable pieces to an owner, the only condition they support."""
    assert isinstance(base, ty.Lying)
    owner: ty.Value = local
    if isinstance(condition, ty.Comparison) and condition.op == "=":
        left, right = condition.left, condition.right
        if isinstance(left, ty.OwnerOf) and left.subject == local:
            owner = right
        elif isinstance(right, ty.OwnerOf) and right.subject == local:
            owner = left
    if condition.type == UNKNOWN:
        return base
    at = r.world.places[base.cells.place].owner_dim
    given = base.owner if at is None else base.cells.dims[at]
    if given is None and not owner.type.maybe and local not in ty.walk(owner):
        return belonging(r, base, owner)
    r.report(wording.ALIKE_IN_WHERE(plural=r.world.pieces[base.piece].plural), span)
    return base


def belonging(r: Resolver, base: ty.Lying, owner: ty.Value) -> ty.Lying:
    """Restrict the pieces in places to those that belong to a seat."""
    at = r.world.places[base.cells.place].owner_dim
    if at is None:
        return attrs.evolve(base, owner=owner)
    dims = list(base.cells.dims)
    dims[at] = owner
    return attrs.evolve(base, cells=attrs.evolve(base.cells, dims=tuple(dims)))


def assume_member(r: Resolver, local: ty.Value, base: ty.Domain) -> None:
    """Record that a piece chosen from places of a kind is in one of them."""
    base = base.unfiltered
    if isinstance(base, ty.Lying):
        place = r.world.places.get(base.cells.place)
        if place is not None:
            kind = place_type(r, place.name)
            located = ty.Located(base.piece, local, place.name, type=kind.or_none())
            r.scope.some.add(located)


def one_of(r: Resolver, name: str, domain: ty.Domain) -> ty.Local:
    """Return a local for an element of a domain that satisfies the domain's filter."""
    local = r.scope.fresh(name, domain.element)
    assume_member(r, local, domain)
    if isinstance(domain, ty.Filtered):
        r.scope.assume(substitute(domain.condition, domain.variable, local))
    return local


def end_pieces(r: Resolver, expr: ex.Ends) -> ty.Domain | None:
    """Resolve `top N of S`."""
    cells = one_stack(r, expr.stack)
    if cells is None:
        return None
    kind = _only_printed(r, cells.place, expr.stack.span)
    if kind is None:
        return None
    count = 1 if expr.count is None else expr.count
    if count == 0:
        r.report(wording.NO_PIECES(), expr.span)
    top = expr.end == "top"
    return ty.EndPieces(kind, cells, top, count, element=piece(kind), span=expr.span)


def end_of(r: Resolver, expr: ex.Ends) -> ty.Value:
    """Resolve `top of S` to a piece or none, or `top N of S` to its size."""
    if expr.count is not None:
        return r.count_of(end_pieces(r, expr), expr.span)
    cells = one_stack(r, expr.stack)
    kind = None if cells is None else _only_printed(r, cells.place, expr.stack.span)
    if cells is None or kind is None:
        return r.unknown(expr.span)
    return ty.EndOf(kind, cells, expr.end == "top", type=piece(kind).or_none(), span=expr.span)


def piled(r: Resolver, where: ex.Expr) -> ty.Domain | None:
    """Resolve the pieces of one stack in order; return None for anything else."""
    cells = try_cells(r, where)
    if not isinstance(cells, ty.Cells) or not cells.one:
        return None
    place = r.world.places[cells.place]
    kind = _only_printed(r, place.name, where.span) if place.stack else None
    if kind is None:
        return None
    return ty.Lying(kind, cells, element=piece(kind), span=where.span)


def _only_printed(r: Resolver, place: str, span: Span) -> str | None:
    """Return the only kind of printed piece that a place holds."""
    printed = [
        name
        for name in r.world.places[place].holds
        if name in r.world.pieces and r.world.pieces[name].style == "printed"
    ]
    if len(printed) == 1:
        return printed[0]
    if r.world.places[place].unsure:
        r.scope.failed = True
        return None
    r.report(wording.NO_ENDS(place=place), span)
    return None


def all_of(r: Resolver, singular: str, span: Span) -> ty.Domain | None:
    """Return all elements of a kind."""
    if singular in SEAT_WORDS:
        players = singular in {"player", "players"}
        return ty.AllSeats(players, element=PLAYER if players else SEAT, span=span)
    kind = r.world.kinds.get(singular)
    if kind is None:
        return None
    r.note(span, SymbolKind.NOUN, kind.name)
    if kind.role == "piece":
        return ty.AnyWhere(singular, element=piece(singular), span=span)
    return ty.Entries(singular, element=entry(singular), span=span)


def selection(r: Resolver, expr: ex.Expr) -> ty.Domain | None:
    """Resolve a domain; report the expression and return None if it is not one."""
    things = things_or_value(r, expr)
    if things is None or isinstance(things, ty.DomainNode):
        return things
    r.report(wording.NO_SELECTION(have=things.type), expr.span, things)
    return None


def things_or_value(r: Resolver, expr: ex.Expr) -> ty.Domain | ty.Value | None:
    """Resolve a domain or a value; report anything else, such as a place, and return None."""
    domain, reported = reported_selection(r, expr)
    if domain is not None or reported:
        return domain
    amount = expr.what if isinstance(expr, ex.Contents) else expr
    if isinstance(amount, ex.NounAmount) and (finding := kind_and_name(r, amount)):
        r.report(finding, amount.span)
        return None
    if amount is not expr and isinstance(amount, ex.NounAmount):
        noun = r.world.pieces.get(r.world.singular(amount.noun.text))
        if noun is not None:
            r.report(wording.NUMBER_AS_SELECTION(info=noun), amount.span)
            return None
    other = r.value(expr) if isinstance(expr, ex.Contents) else try_cells(r, expr)
    if not isinstance(other, ty.Cells):
        return other
    held = [r.world.pieces[name] for name in r.world.places[other.place].holds]
    info = next((info for info in held if info.style == "printed"), held[0])
    phrase = f"{info.plural} in {print_expression(expr)}"
    r.report(wording.PLACE_AS_SELECTION(meant=phrase), expr.span)
    return None


def kind_and_name(r: Resolver, amount: ex.NounAmount) -> WordedFinding | None:
    """Return the finding about a kind and a name, `seat p`, which read like an amount."""
    count, name = amount.count, amount.noun.text
    if not isinstance(count, ex.Name) or count.name in r.scope.locals:
        return None
    singular = r.world.singular(count.name)
    if singular not in {*r.world.kinds, *r.world.pieces, *SEAT_WORDS, "number"}:
        return None
    if name in {"me", "it", *r.scope.locals, *r.world.owners}:
        return wording.KIND_BEFORE_NAME(name=name)
    is_new = name in r.world.values or _is_unheard_of(r, name)
    return wording.NAME_OF_MANY(name=name, kind=count.name) if is_new else None


def reported_selection(r: Resolver, expr: ex.Expr) -> tuple[ty.Domain | None, bool]:
    """Resolve a domain, and return whether an error was reported."""
    failed, r.scope.failed = r.scope.failed, False
    found, said = try_selection(r, expr), r.scope.failed
    r.scope.failed |= failed
    return found, said


def try_selection(r: Resolver, expr: ex.Expr) -> ty.Domain | None:
    """Resolve a domain; for an expression that is not one, return None silently."""
    if r.hole(expr, THINGS) is not None:
        return None
    if isinstance(expr, ex.Name) and expr.name not in r.scope.locals:
        return all_of(r, r.world.singular(expr.name), expr.span) or _listed(r, expr)
    if isinstance(expr, ex.Contents):
        return contents(r, expr)
    if isinstance(expr, ex.All):
        base = selection(r, expr.what)
        return None if base is None else filtered(r, base, expr.where)
    if isinstance(expr, ex.Ends) and expr.count is not None:
        return end_pieces(r, expr)
    if isinstance(expr, ex.Range):
        low, high = r.number(expr.low), r.number(expr.high)
        return ty.NumberRange(low, high, element=NUMBER, span=expr.span)
    return _listed(r, expr)


def _listed(r: Resolver, expr: ex.Expr) -> ty.Domain | None:
    if not is_list(r, expr):
        return None
    found = r.value(expr)
    return ty.ListedEntries(found, element=entry(found.type.of), span=expr.span)


def is_list(r: Resolver, expr: ex.Expr) -> bool:
    """Return whether an expression is a field that holds a list."""
    if isinstance(expr, ex.At):
        return isinstance(expr.base, ex.Of) and is_list(r, expr.base)
    if isinstance(expr, ex.Name):
        local = r.scope.locals.get(expr.name)
        if local is not None:
            return local.type.family == "list"
        name = expr.name
        kinds = [c.type.of for c in r.scope.candidates[-1:]]
    elif isinstance(expr, ex.Of):
        name = expr.name.text
        kinds = list(r.world.kinds)
    else:
        return False
    for kind in kinds:
        info = r.world.kinds.get(kind)
        field = info.fields.get(name) if info else None
        if field is not None and field.type in r.world.plurals:
            return True
    return False


def contents(r: Resolver, expr: ex.Contents) -> ty.Domain | None:
    """Resolve `X in P` to a domain; return None if X is a single entity and not a noun."""
    what, owner = expr.what, None
    if isinstance(what, ex.Of) and is_piece_noun(r, what.name.text):
        return noun_in(r, what.name.text, r.of_type(what.owner, SEAT), expr.where, expr.span)
    if isinstance(what, ex.My):
        owner = r.me(what.span)
    elif not isinstance(what, ex.Name) or what.name in r.scope.locals:
        return None
    return noun_in(r, what.name, owner, expr.where, expr.span)


def is_piece_noun(r: Resolver, name: str) -> bool:
    """Return whether a word names pieces."""
    return r.world.singular(name) in r.world.pieces


def noun_in(
    r: Resolver, noun: str, owner: ty.Value | None, where: ex.Expr, span: Span
) -> ty.Domain | None:
    """Resolve a noun in a place or list to a domain of pieces or entries."""
    if isinstance(where, ex.OtherThan):
        base = noun_in(r, noun, owner, where.where, span)
        return None if base is None else _without(r, base, where.piece)
    singular = r.world.singular(noun)
    info = r.world.pieces.get(singular)
    if info is not None:
        r.note(span, SymbolKind.NOUN, singular)
        return _lying(r, singular, None, owner, where, span)
    owners = [kind for kind in r.world.owners.get(noun, []) if r.world.kinds[kind].role == "piece"]
    if owners:
        kind = r.world.kinds[owners[0]]
        r.note(span, SymbolKind.ENTRY, noun, kind.name)
        which = ty.Const(kind.index[noun], type=entry(kind.name))
        return _lying(r, kind.name, which, owner, where, span)
    if singular in r.world.kinds or singular in SEATS:
        if singular in r.world.kinds:
            r.note(span, SymbolKind.NOUN, singular)
        listed = try_selection(r, where)
        if listed is None:
            several = plural_of(singular) if singular in SEATS else r.world.plural(singular)
            r.report(wording.NO_LIST_OF(plural=several), where.span)
            return None
        check_element(r, listed.element, singular, where.span)
        return listed
    r.doubtful(noun)
    return None


def _without(r: Resolver, base: ty.Domain, piece_left: ex.Expr) -> ty.Domain:
    """Restrict a domain to the elements other than one; equal copies are different elements."""
    other = r.value(piece_left, base.element)
    if not (fits(other.type, base.element) or fits(base.element, other.type.total())):
        r.mismatch(piece_left.span, other, base.element)
        return base
    if Capability.LIST not in uses(r.world, base):
        r.report(
            wording.ALIKE_IN_WHERE(plural=r.world.pieces[base.element.of].plural), piece_left.span
        )
        return base
    with r.scope.candidate(base.element) as local:
        condition = ty.Comparison("<>", local, other, type=YES_NO, span=piece_left.span)
    return ty.Filtered(base, local.name, condition, element=base.element, span=piece_left.span)


def check_element(r: Resolver, element: Type, singular: str, span: Span) -> None:
    """Report a list whose elements are not of the kind named before it."""
    if element.of != singular:
        r.report(wording.LIST_OF_OTHERS(element=element, wanted=singular), span)


def _lying(
    r: Resolver,
    singular: str,
    which: ty.Value | None,
    owner: ty.Value | None,
    where: ex.Expr,
    span: Span,
) -> ty.Domain | None:
    if isinstance(where, ex.Ends) and where.count is not None:
        return _among_ends(r, singular, which, owner, where, span)
    cells = cells_of(r, where)
    if cells is None:
        return None
    if owner is None:
        check_whose(r, cells, where)
    check_holds(r, cells.place, singular, where.span)
    found = ty.Lying(singular, cells, None, which, element=piece(singular), span=span)
    if owner is None:
        return found
    _check_owner(r, singular, cells, owner, span)
    return belonging(r, found, owner)


def _check_owner(r: Resolver, singular: str, cells: ty.Cells, owner: ty.Value, span: Span) -> None:
    """Report an owner named for pieces that have none, or two different owners."""
    at, info = r.world.places[cells.place].owner_dim, r.world.pieces[singular]
    if at is None and not info.owned:
        nobodys(r, info, span)
    elif at is not None and cells.dims[at] not in {None, owner}:
        r.report(wording.TWO_OWNERS(), span)


def _among_ends(
    r: Resolver,
    singular: str,
    which: ty.Value | None,
    owner: ty.Value | None,
    where: ex.Ends,
    span: Span,
) -> ty.Domain | None:
    """Restrict the top or bottom pieces of a stack to those that a noun names."""
    base = end_pieces(r, where)
    if not isinstance(base, ty.EndPieces):
        return base
    check_holds(r, base.cells.place, singular, where.span)
    asked: list[ty.Value] = []
    with r.scope.candidate(base.element) as local:
        if which is not None:
            print_of = ty.EntryOf(singular, local, type=which.type)
            asked.append(ty.Comparison("=", print_of, which, type=YES_NO, span=span))
        if owner is not None:
            _check_owner(r, singular, base.cells, owner, span)
            if r.world.pieces[singular].owned:
                owner_of = ty.OwnerOf(singular, local, type=SEAT)
                asked.append(ty.Comparison("=", owner_of, owner, type=YES_NO, span=span))
    if not asked:
        return base
    condition = asked[0] if len(asked) == 1 else ty.And(tuple(asked), type=YES_NO, span=span)
    return ty.Filtered(base, local.name, condition, element=base.element, span=span)


def quantified(r: Resolver, expr: ex.Quantified) -> ty.Value:
    """Resolve `any X` or `no X`."""
    found = _some_of(r, expr)
    if expr.positive:
        return found
    return ty.Negation(found, type=YES_NO, span=expr.span)


def _some_of(r: Resolver, expr: ex.Quantified) -> ty.Value:
    what, span = expr.what, expr.span
    hole = r.hole(what, THINGS)
    if hole is not None:
        return hole
    if isinstance(what, ex.Contents):
        member = _member(r, what)
        if member is not None:
            return member
    domain = try_selection(r, what)
    if domain is not None:
        domain = filtered(r, domain, expr.where)
        return ty.AnyOf(domain, type=YES_NO, span=span)
    found = r.value(what)
    if found.type.family == "effect":
        return attrs.evolve(found, type=YES_NO)
    if found.type == UNKNOWN:
        return found
    if found.type.maybe:
        return ty.IsSome(found, type=YES_NO, span=span)
    if found not in r.scope.some:
        r.report(wording.ALWAYS_THERE(have=found.type), span)
    return ty.Const(1, type=YES_NO, span=span)


def _member(r: Resolver, expr: ex.Contents) -> ty.Value | None:
    """Resolve `X in P` to a membership test; return None if X is a noun."""
    what = expr.what
    if isinstance(what, ex.Name) and what.name not in r.scope.locals:
        return _single_in(r, what.name, None, expr)
    if isinstance(what, ex.My):
        return _single_in(r, what.name, r.me(what.span), expr)
    if isinstance(what, ex.Of) and is_piece_noun(r, what.name.text):
        return None
    subject = r.value(what)
    if subject.type == UNKNOWN:
        return subject
    if subject.type.family == "piece":
        return _piece_in(r, subject, expr)
    listed = try_selection(r, expr.where)
    if listed is None:
        return r.report(wording.NO_PLACE_OR_LIST(), expr.where.span)
    element = listed.element
    if not (fits(subject.type, element) or fits(element, subject.type.total())):
        return r.mismatch(what.span, subject, element)
    return ty.MemberOf(subject, listed, type=YES_NO, span=expr.span)


def _single_in(
    r: Resolver, name: str, owner: ty.Value | None, expr: ex.Contents
) -> ty.Value | None:
    info = r.world.pieces.get(name)
    if info is None or info.style != "single" or (info.owned and owner is None):
        return None
    r.note(expr.what.span, SymbolKind.NOUN, name)
    subject = owner if info.owned and owner is not None else ty.Const(0)
    subject = attrs.evolve(subject, type=piece(name), span=expr.what.span)
    return _piece_in(r, subject, expr)


def _piece_in(r: Resolver, subject: ty.Value, expr: ex.Contents) -> ty.Value:
    cells = cells_of(r, expr.where)
    if cells is None:
        return r.unknown(expr.span)
    check_whose(r, cells, expr.where)
    check_holds(r, cells.place, subject.type.of, expr.where.span)
    kind = subject.type.total()
    domain = ty.Lying(kind.of, cells, element=kind, span=expr.where.span)
    return ty.MemberOf(subject, domain, type=YES_NO, span=expr.span)


def contents_value(r: Resolver, expr: ex.Contents) -> ty.Value:
    """Resolve `X in P` to a value: a count or a position."""
    what = expr.what
    if isinstance(what, ex.Of) and what.name.text == "position":
        return _position_in(r, what, expr)
    domain = contents(r, expr)
    if domain is not None:
        return r.count_of(domain, expr.span)
    if isinstance(what, ex.Name | ex.My) and is_piece_noun(r, what.name):
        return r.unknown(expr.span)  # the place was reported
    if isinstance(what, ex.Name | ex.My | ex.NounAmount):
        return _no_piece(r, what)
    where = print_expression(expr.where)
    if isinstance(what, ex.At):
        base, key = map(print_expression, (what.base, what.key))
        facts = InNeedsBrackets(f"{base} at ({key} in {where})")
        said = wording.BRACKETS_AROUND_IN(phrase=f"{base} at {key}", meant=facts.meant)
        return r.report(said, expr.span, facts=facts)
    if isinstance(what, ex.Of) and not r.world.declares(what.name.text):
        meant = f"{print_expression(what.owner)} in {where}"
        return r.report(wording.COUNT_BY_ITSELF(word=what.name.text, meant=meant), expr.span)
    return r.report(wording.THING_IN_PLACE(), expr.span)


def _no_piece(r: Resolver, what: ex.Name | ex.My | ex.NounAmount) -> ty.Value:
    name = what.noun.text if isinstance(what, ex.NounAmount) else what.name
    if isinstance(what, ex.NounAmount) and (slip := misspelt_head(r, what)):
        return r.report(slip, what.count.span)
    if isinstance(what, ex.NounAmount) and (named := kind_and_name(r, what)):
        return r.report(named, what.span)
    if isinstance(what, ex.NounAmount) and is_piece_noun(r, name):
        plural = r.world.plural(r.world.singular(name))
        said = wording.AMOUNT_IN_PLACE(plural=plural, count=print_expression(what.count))
        return r.report(said, what.span)
    near = similar(word_of(what), [*piece_names(r), *r.world.kinds])
    return r.not_known(wording.NO_PIECES_CALLED(near, name=name), name, what.span)


def misspelt_head(r: Resolver, amount: ex.NounAmount) -> WordedFinding | None:
    """Return the finding about an unknown word before a noun that resembles one of the language.

    `ayn cards` reads like an amount, as `n cards` does.
    """
    count = amount.count
    if not isinstance(count, ex.Name) or not _is_unheard_of(r, count.name):
        return None
    near = similar(count.name, [word for word in begins("arg") if word not in {"a", "an"}])
    return wording.NOTHING_CALLED(near, name=count.name) if near else None


def _is_unheard_of(r: Resolver, name: str) -> bool:
    known = name in r.scope.locals or sort_of(name, r.world) is not None
    return not known and not is_attribute_name(r, name) and not r.doubtful(name)


def piece_names(r: Resolver) -> list[str]:
    """Return the names of all pieces: singulars, plurals, and printed entries."""
    world = r.world
    printed = [each for each in world.kinds.values() if each.role == "piece"]
    plurals = [each for each, singular in world.plurals.items() if singular in world.pieces]
    return [*world.pieces, *plurals, *(name for kind in printed for name in kind.index)]


def _position_in(r: Resolver, what: ex.Of, expr: ex.Contents) -> ty.Value:
    """Resolve `position of X in L`: in a list, or in a stack from the bottom."""
    domain = try_selection(r, expr.where) or piled(r, expr.where)
    if domain is None:
        if not r.scope.failed:
            r.report(wording.NO_LIST_OR_STACK(), expr.where.span)
        return r.unknown(expr.span)
    if Capability.ORDER not in uses(r.world, domain):
        return r.report(wording.NO_ORDER(), expr.where.span)
    subject = r.of_type(what.owner, domain.element)
    return ty.PositionIn(subject, domain, type=NUMBER, span=expr.span)
