"""The resolver of one body, and the resolution of a whole program."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.program import Program
from rulesdsl.check.resolve.expressions import value_of
from rulesdsl.check.resolve.holes import known_types, names_of
from rulesdsl.check.resolve.operators import bundle
from rulesdsl.check.resolve.scope import Scope
from rulesdsl.check.resolve.statements import resolve_value, steps_of
from rulesdsl.check.symbols.names import mentions
from rulesdsl.check.symbols.symbol_table import (
    HOLE,
    ParamInfo,
    ReferenceRecorder,
    Symbol,
    SymbolKind,
)
from rulesdsl.check.symbols.types import (
    NUMBER,
    SEAT,
    UNKNOWN,
    YES_NO,
    Type,
    a_or_an,
    entry,
    fits,
    mending,
)
from rulesdsl.check.symbols.wording import known_as
from rulesdsl.source.diagnostics import Advice, Findings
from rulesdsl.source.facts import AskFirst, DeclaredTwice, UnknownName, YesNoWanted
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexer import is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.symbols.symbol_table import (
        SymbolTable,
    )
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.node import Identifier


@attrs.define(eq=False)
class Resolver:
    """Resolver of one body: its scope, its findings, and the entry points of resolution.

    Every function of this folder that resolves an expression takes it as its first argument, `r`.
    """

    world: SymbolTable
    findings: Findings
    scope: Scope
    bodies: ResolveContext
    positive: set[ty.Value] = attrs.Factory(set)  # locals that are provably positive

    # ---------------------------------------------------------------- findings
    def report(
        self,
        code: str,
        span: Span,
        message: str,
        help_text: str | Advice,
        about: ty.Value | None = None,
        *,
        facts: object = None,
    ) -> ty.Value:
        """Report a finding and return a placeholder of type UNKNOWN.

        Nothing is reported `about` another placeholder: its cause was reported already.
        """
        if about is None or about.type != UNKNOWN:
            self.scope.failed = True
            self.findings.report(code, span, message, help_text, facts=facts)
        return self.unknown(span)

    def doubtful(self, name: str) -> bool:
        """Return whether a name may be unknown because of another error; if so, fail the scope."""
        found = self.world.doubtful(name)
        self.scope.failed |= found
        return found

    def not_known(
        self,
        name: str,
        span: Span,
        message: str,
        help_text: str | Advice,
        code: str = "E201",
        *,
        anywhere: bool = True,
    ) -> ty.Value:
        """Report an unknown name, unless another error may be the cause.

        `anywhere`: the message states that nothing has the name; if it is declared as something
        else, another message replaces it.
        """
        if self.doubtful(name):
            return self.unknown(span)
        known = known_as(name, self.world) if anywhere else None
        if known is not None:
            return self.report(code, span, *known, facts=UnknownName(name))
        if is_word(name) and code == "E201" and anywhere:
            message = f"`{name}` is a word of the language, which does not fit here."
        facts = None if isinstance(help_text, Advice) and help_text else UnknownName(name)
        return self.report(code, span, message, help_text, facts=facts)

    def unknown(self, span: Span) -> ty.Value:
        """Return a placeholder for a value that was reported."""
        return ty.Const(0, type=UNKNOWN, span=span)

    def mismatch(
        self, span: Span, have: ty.Value, want: Type | str, message: str = ""
    ) -> ty.Value:
        """Report a value of the wrong type."""
        if isinstance(want, Type) and self.sort_given(span, have, want):
            return self.unknown(span)
        help_text = mending(have.type, want) if isinstance(want, Type) else ""
        message = message or f"This is {have.type}, but {want} is needed."
        return self.report("E301", span, message, help_text, have)

    def sort_given(self, span: Span, have: ty.Value, want: Type) -> bool:
        """Report an entry in place of one of the pieces it is printed on."""
        kind = want.of
        printed = kind in self.world.pieces and kind in self.world.kinds
        if not printed or want.family != "piece" or have.type.total() != entry(kind):
            return False
        names = self.world.kinds[kind].index
        at = have.value if isinstance(have, ty.Const) else None
        name = next((each for each, number in names.items() if number == at), "")
        message = f"{f'`{name}`' if name else 'This'} is a sort of {kind}; there may be several."
        help_text = f"Point at one: `{a_or_an(kind)} in ... where it = {name or '...'}`."
        self.report("E301", span, message, help_text)
        return True

    # ---------------------------------------------------------------- references
    def note(self, span: Span, sort: SymbolKind, name: str, of: str = "") -> None:
        """Record the referent of the name at the start of a span."""
        self.bodies.noted.note(span, Symbol(sort, name, of))

    def binds(self, word: Identifier | ParamInfo, local: ty.Value) -> None:
        """Record a word that binds a local."""
        if isinstance(local, ty.Local):
            name = word.name if isinstance(word, ParamInfo) else word.text
            self.bodies.noted.bound(self.scope.binders, name, local.name, word.span, local.type)

    def bind(self, params: Iterable[ParamInfo], values: Iterable[ty.Value]) -> None:
        """Bind parameters to values."""
        for param, value in zip(params, values, strict=True):
            self.scope.locals[param.name] = value
            self.binds(param, value)

    def uses(self, name: str, local: ty.Value, span: Span) -> None:
        """Record the use of a local."""
        if isinstance(local, ty.Local):
            self.bodies.noted.used(self.scope.binders, name, local.name, span, local.type)

    def expect(self, word: Identifier, want: Type) -> None:
        """Record the names that fit a word, if it is a hole."""
        if word.text == HOLE:
            self.scope.failed = True
            self.bodies.noted.expect(HOLE, names_of(self, want), known_types(self))

    @contextmanager
    def muted(self) -> Iterator[None]:
        """Suppress findings that follow from an error; references are still recorded."""
        findings, self.findings = self.findings, Findings()
        try:
            yield
        finally:
            self.findings = findings

    def evaluate(self, exprs: Iterable[ex.Expr]) -> None:
        """Record the references in expressions whose values are useless after an error."""
        with self.muted():
            for each in exprs:
                self.value(each)

    def _note_whose(self, sort: SymbolKind, whose: ty.Value, span: Span) -> None:
        if isinstance(whose, ty.Local):
            self.bodies.noted.note(span, Symbol(sort, whose.name), whose.type)

    # ---------------------------------------------------------------- values
    def value(self, expr: ex.Expr, want: Type | None = None) -> ty.Value:
        """Resolve an expression; `want` disambiguates names."""
        return value_of(self, expr, want)

    def number(self, expr: ex.Expr) -> ty.Value:
        """Resolve a number; a selection becomes its count."""
        found = self.value(expr, NUMBER)
        if not fits(found.type, NUMBER):
            return self.mismatch(expr.span, found, "a number")
        return self.total(found, expr.span)

    def condition(self, expr: ex.Expr) -> ty.Value:
        """Resolve a boolean."""
        found = self.value(expr, YES_NO)
        if fits(found.type, YES_NO):
            return found
        message = f"This is {found.type}, but a yes or no is needed."
        help_text = "Ask with `any` or `no`, or compare it with something."
        return self.report("E301", expr.span, message, help_text, facts=YesNoWanted())

    def of_type(self, expr: ex.Expr, want: Type) -> ty.Value:
        """Resolve a value of a type, never none."""
        if want.family == "number":
            return self.number(expr)
        if want.family == "bundle":
            return bundle(self, expr)
        found = self.total(self.value(expr, want), expr.span)
        if want.family == "entry" and found.type.family == "piece" and found.type.of == want.of:
            return ty.EntryOf(want.of, found, type=want, span=expr.span)
        if not fits(found.type, want):
            return self.mismatch(expr.span, found, want)
        return found

    def total(self, value: ty.Value, span: Span) -> ty.Value:
        """Return a value that is provably present; report it if it may be none."""
        if not value.type.maybe:
            return value
        if value not in self.scope.some:
            name = self._name_of(value)
            message = f"This is {value.type}: there may be none."
            facts = AskFirst(name) if name else None
            self.report("E302", span, message, _ask_first(name), facts=facts)
        return attrs.evolve(value, type=value.type.total())

    def _name_of(self, value: ty.Value) -> str | None:
        if isinstance(value, ty.SeatNumber):
            return value.rival
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
        message = "Nobody acts here: the game carries out a step."
        help_text = "Say for whom: `for each player: ...`, or make it a verb."
        return self.report("E304", span, message, help_text)

    def it(self, span: Span) -> ty.Value:
        """Resolve `it`, the innermost candidate."""
        if self.scope.candidates:
            self._note_whose(SymbolKind.CANDIDATE, self.scope.candidates[-1], span)
            return self.scope.candidates[-1]
        message = "`it` is the candidate of a `where`, `with` or `per`, but there is none here."
        return self.report(
            "E201", span, message, "Name the thing that you mean, or give it a name with `let`."
        )

    def count_of(self, domain: ty.Domain | None, span: Span) -> ty.Value:
        """Return the size of a domain."""
        return self.unknown(span) if domain is None else ty.CountOf(domain, type=NUMBER, span=span)

    # ---------------------------------------------------------------- steps
    def block(self, body: st.Body) -> ty.Block:
        """Resolve a body in a scope of its own."""
        with self.scope.block():
            return self.open_block(body.statements, body.span)

    def open_block(self, statements: tuple[st.Stmt, ...], span: Span) -> ty.Block:
        """Resolve statements in the current scope."""
        steps: list[ty.Step] = []
        for each in statements:
            steps.extend(steps_of(self, each))
            if not isinstance(each, st.Let | st.Needs | st.Nothing | st.LookAt):
                self.scope.forget_state()
        return ty.Block(tuple(steps), span=span)

    def optional_block(self, body: st.Body | None) -> ty.Block:
        """Resolve a body that may be absent."""
        return ty.Block(()) if body is None else self.block(body)

    def loop(self, body: st.Body) -> ty.Block:
        """Resolve a loop body: facts from before the loop may not hold inside."""
        with self.scope.block():
            self.scope.forget_state()
            return self.open_block(body.statements, body.span)

    def actor(self) -> ty.Value:
        """Return the acting seat, or none."""
        return self.scope.me or ty.Const(-1, type=SEAT)


def _ask_first(name: str | None) -> str:
    first = "Ask first" if name else "Give it a name with `let x = ...`, and ask first"
    asked = f"any {name or 'x'}"
    return f"{first}: `if {asked}:`, `needs {asked}`, or in a condition `{asked} and ...`."


@attrs.define(eq=False)
class ResolveContext:
    """Context of a whole program: scopes for its bodies, and types of named values."""

    world: SymbolTable
    findings: Findings
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
        if self._speaks_of_broken(parts):
            r.findings, r.scope.failed = (
                Findings(),
                True,
            )  # declaration was reported
        return r

    def _speaks_of_broken(self, parts: tuple[object, ...]) -> bool:
        broken = self.world.broken
        if not broken:
            return False
        return any(word in broken for part in parts for word in mentions(part))

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
                message = f"`{param.name}` is a noun of this game: it cannot name a parameter."
                help_text = "Choose another name, such as a single letter."
                facts = DeclaredTwice()
                self.findings.report("E202", param.span, message, help_text, facts=facts)
        return found

    # ---------------------------------------------------------------- named values
    def value_body(self, name: str, layer: int) -> ty.Value | None:
        """Return a named value with its first `layer` hooks, if it is resolved already."""
        found = self.program.values.get((name, layer))
        return None if found is None else found.body

    def value_type(self, name: str) -> tuple[Type, bool]:
        """Return the type of a named value, and whether it needs an acting seat."""
        if name not in self._types and name in self._open:
            self._types[name] = (UNKNOWN, False)
            around = " -> ".join([*self._open[self._open.index(name) :], name])
            message = f"`{name}` is defined in terms of itself: {around}."
            help_text = "Break the circle: a value is computed from others."
            self.findings.report("E404", self.world.values[name].span, message, help_text)
        elif name not in self._types:
            self._open.append(name)
            self._types[name] = resolve_value(self, self.world.values[name])
            self._open.pop()
        return self._types[name]

    def expect_value(self, name: str, kind: Type, *, needs_me: bool) -> None:
        """Record the type of a value while its hooks are being resolved."""
        self._types[name] = (kind, needs_me)


if TYPE_CHECKING:
    T = TypeVar("T")
