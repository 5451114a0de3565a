"""From expressions to values: names looked up, types checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve_domains import DomainResolver
from rulesdsl.check.types import (
    BUNDLE,
    NUMBER,
    PLAYER,
    SEAT,
    UNKNOWN,
    YES_NO,
    Type,
    entry,
    fits,
    piece,
    told,
)
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.source.span import Span

COUNTABLE = {"number", "unknown"}
MOST_NUMBER = 1_000_000


class ValueResolver(DomainResolver):
    """Resolves values; what cannot be resolved is reported once and has an unknown type."""

    def unknown(self, span: Span) -> ty.Value:
        """Return a stand-in for what was reported already."""
        return ty.Const(0, type=UNKNOWN, span=span)

    # ---------------------------------------------------------------- wanted types
    def number(self, expr: ex.Expr) -> ty.Value:
        """Return a number; a selection is its count."""
        found = self.value(expr, NUMBER)
        if found.type.family not in COUNTABLE:
            self._mismatch(expr.span, found.type, "a number")
            return self.unknown(expr.span)
        return self.total(found, expr.span)

    def condition(self, expr: ex.Expr) -> ty.Value:
        """Return a yes or no."""
        found = self.value(expr, YES_NO)
        if found.type.family not in {"yes-no", "unknown"}:
            help_text = "Ask with `any` or `no`, or compare it with something."
            self.report(
                "E301", expr.span, f"This is {found.type}, where a yes or no is needed.", help_text
            )
            return self.unknown(expr.span)
        return found

    def of_type(self, expr: ex.Expr, want: Type) -> ty.Value:
        """Return a value of a type, never none."""
        if want.family == "number":
            return self.number(expr)
        if want.family == "bundle":
            return self.bundle(expr)
        found = self.total(self.value(expr, want), expr.span)
        if want.family == "entry" and found.type.family == "piece" and found.type.of == want.of:
            return ty.EntryOf(want.of, found, type=want, span=expr.span)
        if not fits(found.type, want):
            self._mismatch(expr.span, found.type, str(want))
            return self.unknown(expr.span)
        return found

    def total(self, value: ty.Value, span: Span) -> ty.Value:
        """Return a value that is surely there; complain where it may be none."""
        if not value.type.maybe:
            return value
        if value not in self.scope.some:
            self.report(
                "E302",
                span,
                f"This is {value.type}: it may not be there.",
                "Ask first: `if any ...:` or `needs any ...`, under a name given by `let`.",
            )
        return attrs.evolve(value, type=value.type.total())

    def _mismatch(self, span: Span, have: Type, want: str) -> None:
        if have != UNKNOWN:
            self.report("E301", span, f"This is {have}, where {want} is needed.", "")

    # ---------------------------------------------------------------- values
    def value(self, expr: ex.Expr, want: Type | None = None) -> ty.Value:  # noqa: C901, PLR0912
        """Return the value of an expression; `want` helps where a name could mean several."""
        span = expr.span
        match expr:
            case ex.Number():
                if expr.value > MOST_NUMBER:
                    self.report(
                        "E407",
                        span,
                        f"{expr.value} is too large.",
                        f"Numbers go up to {MOST_NUMBER}.",
                    )
                return ty.Const(min(expr.value, MOST_NUMBER), type=NUMBER, span=span)
            case ex.Switch():
                return ty.Const(int(expr.on), type=YES_NO, span=span)
            case ex.Name():
                return self.name(expr, want)
            case ex.My():
                return self.mine(expr)
            case ex.Me():
                return self.me(span)
            case ex.It():
                return self.it(span)
            case ex.Of():
                return self.of(expr)
            case ex.At():
                return self.at(expr)
            case ex.Ends():
                return self.end(expr)
            case ex.Amount() | ex.Per():
                return self.counted(expr)
            case ex.Beside():
                return self.beside(expr)
            case ex.Contents():
                return self.contents_value(expr)
            case ex.Not():
                inner = self.condition(expr.value)
                return ty.Negation(inner, type=YES_NO, span=span)
            case ex.Logic():
                return self.logic(expr)
            case ex.Compare():
                return self.compare(expr)
            case ex.Arithmetic():
                return self.arithmetic(expr)
            case ex.Cap():
                op = "min" if expr.at_most else "max"
                left, right = self.number(expr.value), self.number(expr.bound)
                return ty.Arith(op, left, right, type=NUMBER, span=span)
            case ex.Quantified():
                return self.quantified(expr)
            case ex.The():
                return self.best(expr)
            case ex.First():
                return self.first(expr)
            case ex.RandomPick():
                return self.random(expr)
            case ex.All():
                return self.count_of(self.selection(expr), span)
            case ex.Choice():
                self.report(
                    "E305",
                    span,
                    "A choice cannot stand inside a value.",
                    "Make it first: `let x = a ...`, then use `x`.",
                )
                return self.unknown(span)
            case ex.Range():
                self.report("E301", span, "A range is not a value.", "")
                return self.unknown(span)

    def count_of(self, domain: ty.Domain | None, span: Span) -> ty.Value:
        """Return how many there are."""
        if domain is None:
            return self.unknown(span)
        return ty.CountOf(domain, type=NUMBER, span=span)

    def me(self, span: Span) -> ty.Value:
        """Return the acting seat."""
        if self.scope.me is None and self.scope.lost_line:
            return self.unknown(span)
        if self.scope.me is None:
            self.scope.lost_line = True  # once is enough for a whole step
            self.report(
                "E304",
                span,
                "Nobody acts here: a step is done by the game.",
                "Say for whom: `for each player: ...`, or make it a verb.",
            )
            return self.unknown(span)
        return self.scope.me

    def it(self, span: Span) -> ty.Value:
        """Return the innermost candidate."""
        if not self.scope.candidates:
            self.report(
                "E201",
                span,
                "`it` stands for the candidate of a `where`, `with` or `per`; here is none.",
                "Give the thing a name with `let`.",
            )
            return self.unknown(span)
        return self.scope.candidates[-1]

    # ---------------------------------------------------------------- names
    def name(self, expr: ex.Name, want: Type | None) -> ty.Value:
        """Return what a single word stands for."""
        local = self.scope.locals.get(expr.name)
        if local is not None:
            return self.narrowed(attrs.evolve(local, span=expr.span))
        attribute = None
        if self.scope.candidates and self.has_attribute(expr.name, self.scope.candidates[-1].type):
            attribute = self.attribute(expr.name, self.scope.candidates[-1], expr.span, None)
        found = self.plain_name(expr, want, report=attribute is None)
        if attribute is not None and found is not None and found.type != UNKNOWN:
            self.report(
                "E203",
                expr.span,
                f"`{expr.name}` could be that of the candidate or something of the game.",
                f"Write `{expr.name} of it`, or take another name.",
            )
        return attribute or found or self.unknown(expr.span)

    def narrowed(self, value: ty.Value) -> ty.Value:
        """Return a value without none where it was asked for before."""
        if value.type.maybe and value in self.scope.some:
            return attrs.evolve(value, type=value.type.total())
        return value

    def plain_name(  # noqa: C901, PLR0912 - one case for each thing a word can mean
        self, expr: ex.Name, want: Type | None, *, report: bool
    ) -> ty.Value | None:
        """Return what a word means that belongs to nothing in particular."""
        name, span, world = expr.name, expr.span, self.world
        singular = world.singular(name)
        if want is not None and want.family in {"entry", "piece"}:
            kind = world.kinds.get(want.of)
            if kind is not None and name in kind.index:
                kind.used = True
                return ty.Const(kind.index[name], type=entry(want.of), span=span)
        if name in world.constants:
            world.constants_used.add(name)
            return self.constant(name, span)
        if name in world.options:
            return self.option(name, span)
        if name in world.rivals:
            return ty.SeatNumber(name, type=SEAT.or_none(), span=span)
        if name in {"players", "seats"}:
            return ty.Seats(name == "players", type=NUMBER, span=span)
        if name in world.values and not world.values[name].params:
            return self.call_value(name, (), span)
        if singular in world.tracks and not world.tracks[singular].dims:
            return self.track(singular, (), span)
        if name in world.flags and not world.flags[name].dims:
            return self.flag(name, (), span)
        info = world.pieces.get(name)
        if info is not None and info.style == "single" and not info.owned:
            info.used = True
            return ty.Const(0, type=piece(name), span=span)
        owners = world.owners.get(name, [])
        if len(owners) == 1:
            world.kinds[owners[0]].used = True
            return ty.Const(world.kinds[owners[0]].index[name], type=entry(owners[0]), span=span)
        if len(owners) > 1:
            self.report(
                "E203",
                span,
                f"`{name}` could be " + " or ".join(f"the {kind}" for kind in owners) + ".",
                "Take another name for one of them.",
            )
            return self.unknown(span)
        counted = world.kinds.get(singular)
        if counted is not None and counted.role != "piece" and name == counted.plural:
            return self.count_of(self.all_of(singular, span), span)
        if report and not self._other_use(name, span) and not self.doubtful(name):
            self.report("E201", span, f"Nothing is called `{name}`.", self.suggestion(name))
        return self.unknown(span) if report else None

    def _other_use(self, name: str, span: Span) -> bool:
        """Report a word that is known, but means nothing when it stands alone."""
        world, singular = self.world, self.world.singular(name)
        counter = world.tracks.get(singular) or world.flags.get(name)
        if counter is not None:
            message = f"`{name}` is kept per {' per '.join(counter.dims)}."
            help_text = f"Say whose it is: `my {name}`, or `{name} of ...`."
        elif name in world.values:
            wanted = " and ".join(str(param.type) for param in world.values[name].params)
            message = f"`{name}` is a value of {wanted}."
            help_text = f"Say of what: `{name} of ...`."
        elif singular in world.places:
            message = f"`{name}` is a place, which is no value by itself."
            help_text = f"Ask what lies there, such as `any ... in {name}`."
        elif singular in world.pieces:
            message = f"`{name}` could be anywhere."
            help_text = f"Say where they are: `{world.pieces[singular].plural} in ...`."
        else:
            return False
        self.report("E301", span, message, help_text)
        return True

    def suggestion(self, name: str) -> str:
        """Return a hint at a name that is like an unknown one."""
        world = self.world
        known = [
            *self.scope.locals,
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
        if self.scope.candidates:
            kind = world.kinds.get(self.scope.candidates[-1].type.of)
            known.extend(kind.fields if kind else ())
        return did_you_mean(name, known)

    def constant(self, name: str, span: Span) -> ty.Value:
        """Return a named number, or a named price."""
        raw = self.world.constants[name]
        if isinstance(raw, int):
            return ty.Const(raw, type=NUMBER, span=span)
        bundle = self.bundle_of(raw)
        if bundle is not None:
            return ty.Bundle(bundle, type=BUNDLE, span=span)
        self.report("E301", span, f"`{name}` is a table.", f"Say which: `{name} at ...`.")
        return self.unknown(span)

    def bundle_of(self, raw: object) -> tuple[int, ...] | None:
        """Return a table of nouns and amounts as a price, None where it is something else."""
        if not isinstance(raw, dict):
            return None
        amounts = dict.fromkeys(self.world.bundle_nouns, 0)
        for noun, value in raw.items():
            singular = self.world.singular(noun)
            if singular not in amounts or not isinstance(value, int):
                return None
            amounts[singular] = value
        return tuple(amounts.values())

    def option(self, name: str, span: Span) -> ty.Value:
        """Return the value of an option."""
        option = self.world.options[name]
        option.used = True
        if option.switch:
            kind = YES_NO
        elif option.names:
            kind = entry(name)
        else:
            kind = NUMBER
        return ty.Setting(name, type=kind, span=span)

    def mine(self, expr: ex.My) -> ty.Value:
        """Return `my X`."""
        me = self.me(expr.span)
        info = self.world.pieces.get(expr.name)
        if info is not None and info.style == "single" and info.owned:
            info.used = True
            return attrs.evolve(me, type=piece(expr.name), span=expr.span)
        return self.attribute(expr.name, me, expr.span, None)

    # ---------------------------------------------------------------- X of Y, X at K
    def of(self, expr: ex.Of) -> ty.Value:
        """Return `X of Y`."""
        name = expr.name.text
        if name == "position":
            return self.position(expr)
        value = self.world.values.get(name)
        if value is not None and value.params and not expr.mine:
            return self.call_value(name, (expr.owner,), expr.span)
        owner = self.value(expr.owner)
        if expr.mine:
            return self.two_dims(name, self.me(expr.span), owner, expr.span)
        return self.attribute(name, owner, expr.span, None)

    def two_dims(self, name: str, first: ty.Value, second: ty.Value, span: Span) -> ty.Value:
        """Return a track or flag that is indexed twice."""
        singular = self.world.singular(name)
        if singular in self.world.tracks:
            return self.track(singular, (first, second), span)
        if name in self.world.flags:
            return self.flag(name, (first, second), span)
        value = self.world.values.get(name)
        if value is not None and len(value.params) == 2:  # noqa: PLR2004
            return self.call_typed(name, (first, second), span)
        self.report("E201", span, f"Nothing called `{name}` has two owners.", "")
        return self.unknown(span)

    def at(self, expr: ex.At) -> ty.Value:
        """Return `X at K`: a column of a field, a chart, a value with two parameters."""
        base, span = expr.base, expr.span
        if isinstance(base, ex.Name) and base.name in self.world.constants:
            self.world.constants_used.add(base.name)
            return self.table_at(base.name, expr.key, span)
        if isinstance(base, ex.Of):
            name = base.name.text
            value = self.world.values.get(name)
            if value is not None and value.params:
                if base.mine:
                    first = self.me(span)
                    second = self.of_type(expr.key, value.params[-1].type)
                    return self.call_typed(name, (first, second), span)
                return self.call_value(name, (base.owner, expr.key), span)
            if self.world.singular(name) in self.world.tracks or name in self.world.flags:
                owner = self.value(base.owner)
                return self.two_dims(name, owner, self.value(expr.key), span)
            owner = self.value(base.owner)
            return self.attribute(name, owner, span, expr.key)
        if isinstance(base, ex.My):
            return self.my_at(base, expr.key, span)
        if isinstance(base, ex.Name) and self.scope.candidates:
            candidate = self.scope.candidates[-1]
            if base.name in self.world.values:
                key = self.value(expr.key)
                return self.call_typed(base.name, (candidate, key), span)
            return self.attribute(base.name, candidate, span, expr.key)
        if isinstance(base, ex.Name) and self.value(base).type == UNKNOWN:
            return self.unknown(span)
        self.report("E301", span, "`at` reads a table, a field or a value with two things.", "")
        return self.unknown(span)

    def my_at(self, base: ex.My, key: ex.Expr, span: Span) -> ty.Value:
        """Return `my X at K`."""
        me, name = self.me(span), base.name
        singular = self.world.singular(name)
        if singular in self.world.tracks or name in self.world.flags or name in self.world.values:
            return self.two_dims(name, me, self.value(key), span)
        return self.attribute(name, me, span, key)

    def table_at(self, name: str, key: ex.Expr, span: Span) -> ty.Value:
        """Return what a table of named numbers says for a key."""
        raw = self.world.constants[name]
        if not isinstance(raw, dict):
            self.report("E301", span, f"`{name}` is a single number, not a table.", "")
            return self.unknown(span)
        if all(isinstance(each, str) and each.isdigit() for each in raw):
            points = tuple(sorted((int(at), number) for at, number in raw.items()))
            return ty.Chart(points, self.number(key), type=NUMBER, span=span)
        where = self.value(key)
        kind = self.world.kinds.get(where.type.of)
        if where.type == UNKNOWN:
            return where
        if kind is None or where.type.family != "entry":
            self._mismatch(key.span, where.type, "a thing that this table lists")
            return self.unknown(span)
        return self.rows_at(name, raw, kind.name, self.total(where, key.span), span)

    def rows_at(
        self, name: str, raw: dict[str, object], kind: str, key: ty.Value, span: Span
    ) -> ty.Value:
        """Return the row of a table for an entry."""
        rows: list[ty.Value] = []
        for each in self.world.kinds[kind].entries:
            found = raw.get(each.name)
            bundle = self.bundle_of(found)
            if bundle is not None:
                rows.append(ty.Bundle(bundle, type=BUNDLE))
            elif isinstance(found, int):
                rows.append(ty.Const(found, type=NUMBER))
            else:
                self.report("E006", span, f"`{name}` says nothing about `{each.name}`.", "")
                return self.unknown(span)
        return ty.TableAt(tuple(rows), key, type=rows[0].type, span=span)

    # ---------------------------------------------------------------- computing
    def logic(self, expr: ex.Logic) -> ty.Value:
        """Return `and` or `or`; what stands behind knows what was asked before."""
        left = self.condition(expr.left)
        some = set(self.scope.some)
        self.scope.assume(left if expr.op == "and" else ty.Negation(left, type=YES_NO))
        if expr.op == "or":
            self._assume_none_was_asked(left)
        right = self.condition(expr.right)
        self.scope.some = some
        node = ty.And if expr.op == "and" else ty.Or
        return node((left, right), type=YES_NO, span=expr.span)

    def _assume_none_was_asked(self, left: ty.Value) -> None:
        """`no x or f of x`: behind the `or`, x is there."""
        match left:
            case ty.Negation(value=ty.IsSome() as asked):
                self.scope.assume(asked)
            case _:
                pass

    def compare(self, expr: ex.Compare) -> ty.Value:
        """Return a comparison of two things of one type."""
        left = self.value(expr.left)
        right = self.value(expr.right, left.type)
        if isinstance(expr.left, ex.Name) and left.type != right.type:
            again = self.quiet_value(expr.left, right.type)
            left = again or left
        left, right = self._as_entries(left, right)
        if not (fits(left.type, right.type) or fits(right.type, left.type)):
            self.report(
                "E301",
                expr.span,
                f"{told(left.type)} cannot be compared with {right.type}.",
                "Compare numbers with numbers, and things with things of the same kind.",
            )
            return ty.Const(0, type=YES_NO, span=expr.span)
        if expr.op not in {"=", "<>"}:
            for side, part in ((left, expr.left), (right, expr.right)):
                if side.type.family not in COUNTABLE:
                    self._mismatch(part.span, side.type, "a number")
        return self._comparison(expr.op, left, right, expr.span)

    def _comparison(self, op: str, left: ty.Value, right: ty.Value, span: Span) -> ty.Value:
        if isinstance(left, ty.CountOf) and isinstance(right, ty.Const):
            some = ty.AnyOf(left.domain, type=YES_NO, span=span)
            if (op, right.value) in {(">", 0), (">=", 1), ("<>", 0)}:
                return some
            if (op, right.value) in {("=", 0), ("<", 1), ("<=", 0)}:
                return ty.Negation(some, type=YES_NO, span=span)
        return ty.Comparison(op, left, right, type=YES_NO, span=span)

    def _as_entries(self, left: ty.Value, right: ty.Value) -> tuple[ty.Value, ty.Value]:
        """Compare printed pieces by what is printed on them: copies are equal."""
        if left.type.family == right.type.family == "piece" and left.type.of == right.type.of:
            if left.type.of in self.world.kinds:
                return self._print(left), self._print(right)
            return left, right
        if left.type.family == "piece" and right.type == entry(left.type.of):
            return ty.EntryOf(left.type.of, left, type=right.type, span=left.span), right
        if right.type.family == "piece" and left.type == entry(right.type.of):
            return left, ty.EntryOf(right.type.of, right, type=left.type, span=right.span)
        return left, right

    def _print(self, value: ty.Value) -> ty.Value:
        kind = entry(value.type.of)
        kind = kind.or_none() if value.type.maybe else kind
        return ty.EntryOf(value.type.of, value, type=kind, span=value.span)

    def quiet_value(self, expr: ex.Name, want: Type) -> ty.Value | None:
        """Return what a name means where a type is wanted, without complaints."""
        kind = self.world.kinds.get(want.of)
        if want.family == "entry" and kind is not None and expr.name in kind.index:
            return ty.Const(kind.index[expr.name], type=want.total(), span=expr.span)
        return None

    def arithmetic(self, expr: ex.Arithmetic) -> ty.Value:
        """Return a sum, difference, product or quotient."""
        left, right = self.number(expr.left), self.number(expr.right)
        if expr.op == "/" and not self.surely_positive(right):
            self.report(
                "E301",
                expr.right.span,
                "What divides must be a fixed number above 0.",
                "Write it as `(... at least 1)` where it is counted.",
            )
        return ty.Arith(expr.op, left, right, type=NUMBER, span=expr.span)

    def surely_positive(self, value: ty.Value) -> bool:
        """Whether a number is known to be above 0."""
        match value:
            case ty.Const():
                return value.value > 0 or value.type == UNKNOWN
            case ty.Arith(op="max", left=left, right=right):
                return self.surely_positive(left) or self.surely_positive(right)
            case ty.Seats():
                return True
            case ty.Chart(points=points):
                return all(number > 0 for _, number in points)
            case ty.FieldOf(field=name, kind=kind):
                values = (each.values.items() for each in self.world.kinds[kind].entries)
                return all(_positive(v) for some in values for (f, _), v in some if f == name)
            case ty.Local():
                return value in self.positive
            case ty.CallValue():
                body = self.value_body(value.name)
                return body is not None and self.surely_positive(body)
            case ty.LetIn(inner=inner):
                return self.surely_positive(inner)
            case ty.Cases(cases=cases, otherwise=otherwise):
                every = [*(found for _, found in cases), otherwise]
                return all(self.surely_positive(each) for each in every)
            case _:
                return False

    def beside(self, expr: ex.Beside) -> ty.Value:
        """Return the entry some steps around."""
        singular = self.world.singular(expr.noun.text)
        kind = self.world.kinds.get(singular)
        steps = self.number(expr.steps)
        if singular in {"player", "seat"}:
            origin = self.of_type(expr.origin, SEAT)
            ring, kind_type = "player", PLAYER
        elif kind is None:
            self.report(
                "E201",
                expr.noun.span,
                f"There is no kind of things called `{expr.noun.text}`.",
                did_you_mean(expr.noun.text, self.world.kinds),
            )
            return self.unknown(expr.span)
        else:
            kind.used = True
            origin = self.of_type(expr.origin, entry(singular))
            ring, kind_type = singular, entry(singular)
        if expr.side == "before":
            zero = ty.Const(0, type=NUMBER)
            steps = ty.Arith("-", zero, steps, type=NUMBER, span=expr.span)
        return ty.Ring(ring, origin, steps, type=kind_type, span=expr.span)

    def bundle(self, expr: ex.Expr) -> ty.Value:
        """Return a price; an amount is a price of one noun."""
        amount = self.amount(expr)
        if amount is None:
            found = self.value(expr, BUNDLE)
            if not fits(found.type, BUNDLE):
                self._mismatch(expr.span, found.type, "a price")
                return self.unknown(expr.span)
            return found
        number, noun, _ = amount
        if number.type == UNKNOWN:
            return number
        if noun not in self.world.bundle_nouns:
            self.report("E301", expr.span, f"Nobody can pay with `{noun}`.", "")
            return self.unknown(expr.span)
        zero = ty.Const(0, type=NUMBER)
        parts = tuple(number if each == noun else zero for each in self.world.bundle_nouns)
        if isinstance(number, ty.Const):
            fixed = tuple(number.value if each == noun else 0 for each in self.world.bundle_nouns)
            return ty.Bundle(fixed, type=BUNDLE, span=expr.span)
        return ty.MakeBundle(parts, type=BUNDLE, span=expr.span)


def _positive(value: object) -> bool:
    """Whether a value of a field is above 0: a number, or every number of a chart."""
    if isinstance(value, tuple):
        return bool(value) and all(number > 0 for _, number in value)
    return isinstance(value, int) and value > 0
