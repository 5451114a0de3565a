"""Context of resolution: the scope and findings of one body, and the values of a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.wording import CYCLE_OF_VALUES
from rulesdsl.check.resolve import wording
from rulesdsl.check.resolve.holes import FittingNames, ends_in_hole
from rulesdsl.check.symbols.names import mentions
from rulesdsl.check.symbols.symbol_table import (
    HOLE,
    ParamInfo,
    ReferenceRecorder,
    Symbol,
    SymbolKind,
    SymbolTable,
    ValueInfo,
)
from rulesdsl.check.symbols.types import (
    NUMBER,
    SEAT,
    SEAT_WORDS,
    UNKNOWN,
    YES_NO,
    Type,
    entry,
    fits,
    mismatch_advice,
)
from rulesdsl.check.symbols.wording import known_as
from rulesdsl.check.typed.conditions import atoms
from rulesdsl.check.typed.program import Program
from rulesdsl.source.diagnostics import Advice, Findings, WordedFinding
from rulesdsl.source.facts import DeclaredTwice, UncheckedNone, UnknownName, YesNoWanted
from rulesdsl.source.span import Span
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexer import is_word
from rulesdsl.syntax.node import Identifier

NOTHING_SAID = ty.MessageText(("",))


@attrs.frozen(eq=False)
class AddedLines:
    """Lines that a hook adds to a menu or choice, with the hook's condition and parameters."""

    lines: st.Menu | st.ChooseOne
    when: ex.Expr | None
    params: tuple[ParamInfo, ...]
    values: tuple[ty.Local, ...]


@attrs.define
class Scope:
    """Names that are bound and facts that hold at a given point; each body has its own scope."""

    me: ty.Value | None
    locals: dict[str, ty.Value] = attrs.Factory(dict)
    candidates: list[ty.Local] = attrs.Factory(list)
    some: set[ty.Value] = attrs.Factory(set)
    looked_at: set[ty.Domain] = attrs.Factory(set)  # the pieces that the acting seat has seen
    beneath_value: tuple[str, int] | None = None
    beneath_proc: tuple[str, int] | None = None
    inside: str = ""  # enclosing procedure, for activations
    heading: ty.MessageText = NOTHING_SAID  # title for prompts without a text
    may_choose: bool = True
    added: tuple[AddedLines, ...] = ()  # lines that hooks add to its menu or choice
    lost_line: bool = False  # an unparsed line may have named the acting seat
    wants_place: bool = False  # the name of a place is expected
    failed: bool = False  # contains an error
    binders: dict[tuple[str, str], Symbol] = attrs.Factory(dict)  # by local and name
    _names: dict[str, int] = attrs.Factory(dict)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Expect the name of a place for the duration of the context."""
        before, self.wants_place = self.wants_place, True
        yield
        self.wants_place = before

    def fresh(self, name: str, kind: Type) -> ty.Local:
        """Return a new local with a name that is unique in the procedure."""
        count = self._names.get(name, 0)
        self._names[name] = count + 1
        return ty.Local(name if count == 0 else f"{name}.{count + 1}", type=kind)

    @contextmanager
    def candidate(self, element: Type, name: str | None = None) -> Iterator[ty.Local]:
        """Open the scope of a condition on a candidate, to which `it` and a name are bound."""
        local = self.fresh(name or "it", element)
        before, some = dict(self.locals), set(self.some)
        self.candidates.append(local)
        if name is not None:
            self.locals[name] = local
        try:
            yield local
        finally:
            self.candidates.pop()
            self.locals, self.some = before, some

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open a nested scope; its bindings and facts end with it."""
        before, some, me = dict(self.locals), set(self.some), self.me
        looked_at = set(self.looked_at)
        candidates, added = list(self.candidates), self.added
        try:
            yield
        finally:
            self.locals, self.some, self.me = before, some, me
            self.looked_at = looked_at
            self.candidates, self.added = candidates, added

    def assume(self, condition: ty.Value) -> None:
        """Record the optional values that a true condition proves not to be none."""
        for atom in atoms(condition):
            if isinstance(atom, ty.IsSome):
                self.some.add(atom.value)
            elif isinstance(atom, ty.MemberOf):
                self.some.add(atom.subject)
            elif isinstance(atom, ty.Comparison) and atom.op == "=":
                # two values that are none are equal, too
                if not atom.right.type.maybe:
                    self.some.add(atom.left)
                if not atom.left.type.maybe:
                    self.some.add(atom.right)

    def assume_not(self, condition: ty.Value) -> None:
        """Record the optional values that a false condition proves not to be none."""
        self.assume(ty.Negation(condition, type=YES_NO))
        if isinstance(condition, ty.Negation):
            self.assume(condition.value)

    def narrowed(self, value: ty.Value) -> ty.Value:
        """Return a value, with a total type if it is proven not to be none."""
        if value.type.maybe and value in self.some:
            return attrs.evolve(value, type=value.type.total())
        return value

    def forget_state(self) -> None:
        """Drop the facts that a change of the state may have invalidated."""
        self.some = {value for value in self.some if isinstance(value, ty.Local | ty.SeatNumber)}
        self.looked_at = set()


@attrs.frozen
class Dispatch:
    """Functions that resolve nested syntax, by its kind.

    They are injected, so that they can call each other without importing each other.
    """

    value: Callable[[Resolver, ex.Expr, Type | None], ty.Value]
    price: Callable[[Resolver, ex.Expr], ty.Value]
    steps: Callable[[Resolver, st.Stmt], list[ty.Step]]
    named_value: Callable[[ResolveContext, ValueInfo], tuple[Type, bool]]


@attrs.define(eq=False)
class Resolver:
    """Resolver of one body: its scope, its findings, and the entry points of resolution.

    Every function in this folder that resolves syntax takes a resolver as its first argument, `r`.
    """

    world: SymbolTable
    findings: Findings
    scope: Scope
    bodies: ResolveContext
    positive: set[ty.Value] = attrs.Factory(set)  # locals that are provably positive

    # ---------------------------------------------------------------- findings
    def report(
        self,
        said: WordedFinding,
        span: Span,
        about: ty.Value | None = None,
        *,
        facts: object = None,
    ) -> ty.Value:
        """Report a finding and return a placeholder of type UNKNOWN.

        Nothing is reported `about` another placeholder, since its cause has been reported.
        """
        if about is None or about.type != UNKNOWN:
            self.scope.failed = True
            code, message, advice = said
            self.findings.report(code, span, message, advice, facts=facts)
        return self.unknown(span)

    def doubtful(self, name: str) -> bool:
        """Return whether an error may make a name unknown; if so, mark the scope as failed."""
        found = self.world.doubtful(name)
        self.scope.failed |= found
        return found

    def not_known(
        self, said: WordedFinding, name: str, span: Span, *, anywhere: bool = True
    ) -> ty.Value:
        """Report an unknown name, unless another error may be the cause.

        With `anywhere`, the message says that nothing has the name. If it is declared in another
        role, a different message replaces it.
        """
        if self.doubtful(name):
            return self.unknown(span)
        facts = UnknownName(name)
        known = known_as(name, self.world) if anywhere else None
        if known is not None:
            return self.report(WordedFinding(said.code, *known), span, facts=facts)
        if name in SEAT_WORDS and anywhere:
            said = wording.SEATS_ALONE(name=name)
        elif is_word(name) and said.code == "E201" and anywhere:
            said = wording.WORD_OUT_OF_PLACE(said.advice, name=name)
        near = isinstance(said.advice, Advice) and said.advice
        return self.report(said, span, facts=None if near else facts)

    def unknown(self, span: Span) -> ty.Value:
        """Return a placeholder for a value about which an error has been reported."""
        return ty.Const(0, type=UNKNOWN, span=span)

    def mismatch(
        self, span: Span, have: ty.Value, want: Type | str, said: WordedFinding | None = None
    ) -> ty.Value:
        """Report a value of the wrong type."""
        if isinstance(want, Type) and self.sort_given(span, have, want):
            return self.unknown(span)
        near = mismatch_advice(have.type, want) if isinstance(want, Type) else ""
        return self.report(said or wording.WRONG_TYPE(near, have=have.type, want=want), span, have)

    def sort_given(self, span: Span, have: ty.Value, want: Type, *, moved: bool = False) -> bool:
        """Report an entry given in place of a printed piece; return whether it was reported."""
        kind = want.of
        printed = kind in self.world.pieces and kind in self.world.kinds
        if not printed or want.family != "piece" or have.type.total() != entry(kind):
            return False
        names = self.world.kinds[kind].index
        at = have.value if isinstance(have, ty.Const) else None
        name = next((each for each, number in names.items() if number == at), "")
        words = wording.SORT_FOR_PIECE if self.scope.may_choose else wording.SORT_WITHOUT_CHOICE
        if moved and name:
            words = wording.SORT_MOVED
        shown, sort = (f"`{name}`", name) if name else ("this", self.name_of(have) or "...")
        plural = self.world.plural(kind)
        self.report(words(name=shown, kind=kind, plural=plural, sort=sort), span)
        return True

    @contextmanager
    def muted(self) -> Iterator[None]:
        """Suppress findings that follow from an error; references are still recorded.

        Unknown names are still reported: they are mistakes in their own right.
        """
        findings, self.findings = self.findings, Findings()
        try:
            yield
        finally:
            names = [each for each in self.findings.since(0) if each.code == "E201"]
            findings.extend(names)
            self.findings = findings

    def evaluate(self, exprs: Iterable[ex.Expr]) -> None:
        """Record the references in expressions whose values are not needed after an error."""
        with self.muted():
            for each in exprs:
                self.value(each)

    # ---------------------------------------------------------------- references
    def note(self, span: Span, sort: SymbolKind, name: str, of: str = "") -> None:
        """Record the symbol of the name at the start of a span."""
        self.bodies.noted.note(span, Symbol(sort, name, of))

    def binds(self, word: Identifier | ParamInfo, local: ty.Value) -> None:
        """Record a word that binds a local."""
        if isinstance(local, ty.Local):
            name = word.name if isinstance(word, ParamInfo) else word.text
            symbol = self.bodies.noted.bound(name, word.span, local.type)
            self.scope.binders[local.name, name] = symbol

    def bind(self, params: Iterable[ParamInfo], values: Iterable[ty.Value]) -> None:
        """Bind parameters to values."""
        for param, value in zip(params, values, strict=True):
            self.scope.locals[param.name] = value
            self.binds(param, value)

    def uses(self, name: str, local: ty.Value, span: Span) -> None:
        """Record the use of a local, unless it is synthetic and has no binding."""
        if isinstance(local, ty.Local) and (local.name, name) in self.scope.binders:
            self.bodies.noted.note(span, self.scope.binders[local.name, name], local.type)

    def _note_whose(self, sort: SymbolKind, whose: ty.Value, span: Span) -> None:
        if isinstance(whose, ty.Local):
            self.bodies.noted.note(span, Symbol(sort, whose.name), whose.type)

    # ---------------------------------------------------------------- holes
    def fitting(self) -> FittingNames:
        """Return the queries for names that fit a hole in this scope."""
        locals_ = self.scope.locals.items()
        return FittingNames(self.world, {name: v.type for name, v in locals_ if name != HOLE})

    def expected(self, names: Iterable[str]) -> None:
        """Record the names that fit a hole, and mark the scope as failed."""
        self.scope.failed = True
        self.bodies.noted.expect(HOLE, names, self.fitting().known)

    def expect(self, word: Identifier, want: Type) -> None:
        """Record the names that would fit in place of a word, if it is a hole."""
        if word.text == HOLE:
            self.expected(self.fitting().of(want))

    def hole(self, expr: ex.Expr, want: Type | None) -> ty.Value | None:
        """Return a placeholder for an expression that ends in a hole; None for any other."""
        if not ends_in_hole(expr):
            return None
        self.expected(self.fitting().at_end(expr, want))
        return self.unknown(expr.span)

    # ---------------------------------------------------------------- values
    def value(self, expr: ex.Expr, want: Type | None = None) -> ty.Value:
        """Resolve an expression; `want` disambiguates names."""
        return self.hole(expr, want) or self.bodies.dispatch.value(self, expr, want)

    def number(self, expr: ex.Expr) -> ty.Value:
        """Resolve an expression to a number."""
        found = self.value(expr, NUMBER)
        if not fits(found.type, NUMBER):
            return self.mismatch(expr.span, found, "a number")
        return self.total(found, expr.span)

    def condition(self, expr: ex.Expr, repeated: str = "") -> ty.Value:
        """Resolve an expression to a boolean; for any other type, advise writing `repeated`."""
        found = self.value(expr, YES_NO)
        if fits(found.type, YES_NO):
            return found
        facts = None if repeated else YesNoWanted()
        words = wording.COMPARISON_NOT_REPEATED if repeated else wording.NO_CONDITION
        return self.report(words(have=found.type, meant=repeated), expr.span, facts=facts)

    def of_type(self, expr: ex.Expr, want: Type) -> ty.Value:
        """Resolve an expression to a value of a given type, never none."""
        if want.family == "number":
            return self.number(expr)
        if want.family == "bundle":
            return self.bodies.dispatch.price(self, expr)
        found = self.total(self.value(expr, want), expr.span)
        if want.family == "entry" and found.type.family == "piece" and found.type.of == want.of:
            return ty.EntryOf(want.of, found, type=want, span=expr.span)
        if not fits(found.type, want):
            return self.mismatch(expr.span, found, want)
        return found

    def total(self, value: ty.Value, span: Span) -> ty.Value:
        """Return a value with a total type; report the value if it may be none."""
        if not value.type.maybe:
            return value
        if value not in self.scope.some:
            name = self.name_of(value)
            facts = UncheckedNone(name) if name else None
            words = wording.MAY_BE_NONE if name else wording.MAY_BE_NONE_UNNAMED
            self.report(words(have=value.type, name=name), span, facts=facts)
        return attrs.evolve(value, type=value.type.total())

    def name_of(self, value: ty.Value) -> str | None:
        """Return the name of a value in the rules, if it has one."""
        if isinstance(value, ty.SeatNumber):
            return value.rival
        if isinstance(value, ty.TrackCell) and value.dims in {(), (self.scope.me,)}:
            return f"my {value.track}" if value.dims else value.track
        own = self.scope.locals.items() if isinstance(value, ty.Local) else ()
        return next((each for each, local in own if local == value), None)

    def me(self, span: Span) -> ty.Value:
        """Resolve `me`, the acting seat."""
        if self.scope.me is not None:
            self._note_whose(SymbolKind.ACTOR, self.scope.me, span)
            return self.scope.me
        if self.scope.lost_line:
            return self.unknown(span)
        self.scope.lost_line = True  # report once per step
        looks = self.scope.candidates and self.scope.candidates[-1].type.family in {
            "seat",
            "player",
        }
        return self.report(wording.NOBODY_ACTS_OF_IT() if looks else wording.NOBODY_ACTS(), span)

    def it(self, span: Span) -> ty.Value:
        """Resolve `it`, the innermost candidate."""
        if self.scope.candidates:
            self._note_whose(SymbolKind.CANDIDATE, self.scope.candidates[-1], span)
            return self.scope.candidates[-1]
        return self.report(wording.NO_CANDIDATE(), span)

    def count_of(self, domain: ty.Domain | None, span: Span) -> ty.Value:
        """Return the size of a domain."""
        return self.unknown(span) if domain is None else ty.CountOf(domain, type=NUMBER, span=span)

    # ---------------------------------------------------------------- steps
    def block(self, body: st.Body | None) -> ty.Block:
        """Resolve a body, which may be absent, in a nested scope."""
        if body is None:
            return ty.Block(())
        with self.scope.block():
            return self.open_block(body.statements, body.span)

    def open_block(self, statements: tuple[st.Stmt, ...], span: Span) -> ty.Block:
        """Resolve statements in the current scope."""
        steps: list[ty.Step] = []
        for each in statements:
            steps.extend(self.bodies.dispatch.steps(self, each))
            if not isinstance(each, st.Let | st.Needs | st.Nothing | st.LookAt | st.Show):
                self.scope.forget_state()
        return ty.Block(tuple(steps), span=span)

    def loop(self, body: st.Body) -> ty.Block:
        """Resolve the body of a loop, in which facts from before the loop may not hold."""
        with self.scope.block():
            self.scope.forget_state()
            return self.open_block(body.statements, body.span)

    def actor(self) -> ty.Value:
        """Return the acting seat, or the constant none."""
        return self.scope.me or ty.Const(-1, type=SEAT)


@attrs.define(eq=False)
class ResolveContext:
    """Context of a whole program: scopes for its bodies, and types of named values."""

    world: SymbolTable
    findings: Findings
    dispatch: Dispatch
    program: Program = attrs.field(
        init=False, default=attrs.Factory(lambda self: Program(self.world), takes_self=True)
    )
    noted: ReferenceRecorder = attrs.Factory(ReferenceRecorder)  # references, for editors
    _open: list[str] = attrs.Factory(list)  # values in progress, to detect cycles
    _types: dict[str, tuple[Type, bool]] = attrs.Factory(dict)

    def resolver(self, scope: Scope) -> Resolver:
        """Return a resolver for a scope."""
        return Resolver(self.world, self.findings, scope, self)

    def of_nobody(self, *parts: object, may_choose: bool = False) -> Resolver:
        """Return a resolver for syntax without an acting seat."""
        r = self.resolver(Scope(None, may_choose=may_choose))
        broken = self.world.broken
        if broken and any(word in broken for part in parts for word in mentions(part)):
            r.findings = Findings()  # a declaration that it mentions was reported
            r.scope.failed = True
        return r

    def of_seat(self, *parts: object, may_choose: bool = False) -> Resolver:
        """Return a resolver for syntax in which the seat `me` acts."""
        r = self.of_nobody(*parts, may_choose=may_choose)
        r.scope.me = r.scope.fresh("me", SEAT)
        return r

    def params(self, r: Resolver, params: tuple[ParamInfo, ...]) -> tuple[ty.Local, ...]:
        """Bind parameters in a scope, and return their locals."""
        found = tuple(r.scope.fresh(param.name, param.type) for param in params)
        r.bind(params, found)
        for param in params:
            noun = param.name in self.world.pieces or param.name in self.world.plurals
            if noun and param.type != UNKNOWN:  # unknown types are reported
                words, facts = wording.NOUN_AS_PARAMETER, DeclaredTwice()
                words.report(self.findings, param.span, facts=facts, name=param.name)
        return found

    # ---------------------------------------------------------------- named values
    def value_body(self, name: str, layer: int) -> ty.Value | None:
        """Return a named value with its first `layer` hooks, or None if it is not yet resolved."""
        found = self.program.values.get((name, layer))
        return None if found is None else found.body

    def value_type(self, name: str) -> tuple[Type, bool]:
        """Return the type of a named value, and whether it needs an acting seat."""
        if name not in self._types and name in self._open:
            self._types[name] = (UNKNOWN, False)
            around = [*self._open[self._open.index(name) :], name]
            span = self.world.values[name].span
            CYCLE_OF_VALUES.report(self.findings, span, names=around)
        elif name not in self._types:
            self._open.append(name)
            self._types[name] = self.dispatch.named_value(self, self.world.values[name])
            self._open.pop()
        return self._types[name]

    def expect_value(self, name: str, kind: Type, *, needs_me: bool) -> None:
        """Record the type of a value while its hooks are being resolved."""
        self._types[name] = (kind, needs_me)
