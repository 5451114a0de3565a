"""What resolving everything needs: what is known, what is reported, and the ways back in."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.field_names import known_as
from rulesdsl.check.naming import HOLE, Sort, Thing
from rulesdsl.check.resolve.computing import bundle
from rulesdsl.check.resolve.holes import known_types, names_of
from rulesdsl.check.resolve.statements import steps_of
from rulesdsl.check.resolve.values import value_of
from rulesdsl.check.types import NUMBER, SEAT, UNKNOWN, YES_NO, Type, a_or_an, entry, fits, mending
from rulesdsl.check.world import ParamInfo
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.facts import AskFirst, UnknownName, YesNoWanted
from rulesdsl.source.suggest import Advice
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.grammar import is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.resolve.bodies import Bodies
    from rulesdsl.check.scope import Scope
    from rulesdsl.check.world import World
    from rulesdsl.source.span import Span
    from rulesdsl.syntax import expressions as ex
    from rulesdsl.syntax.node import Word


@attrs.define(eq=False)
class Resolver:
    """Resolves one body: what its scope knows, what is reported, and the ways back in.

    Every function of this folder that resolves a phrase takes it as its first argument, `r`.
    """

    world: World
    findings: Findings
    scope: Scope
    bodies: Bodies
    positive: set[ty.Value] = attrs.Factory(set)  # numbers in locals that are provably above 0

    # ---------------------------------------------------------------- what is wrong
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
        """Report a finding; return what stands for the value that is not known.

        Where it is `about` such a stand-in, the cause was reported, and nothing more is said.
        """
        if about is None or about.type != UNKNOWN:
            self.scope.failed = True
            self.findings.report(code, span, message, help_text, facts=facts)
        return self.unknown(span)

    def doubtful(self, name: str) -> bool:
        """Whether a name may be unknown because of something else; what uses it is open then."""
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
        """Report a name that means nothing, unless something else may be the cause of that.

        A message that says that it means nothing `anywhere` has to be true: for a name that is
        declared as something else there is another one.
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
        """Return a stand-in for what was reported already."""
        return ty.Const(0, type=UNKNOWN, span=span)

    def mismatch(
        self, span: Span, have: ty.Value, want: Type | str, message: str = ""
    ) -> ty.Value:
        """Report a value of another type than the one that is wanted."""
        if isinstance(want, Type) and self.sort_given(span, have, want):
            return self.unknown(span)
        help_text = mending(have.type, want) if isinstance(want, Type) else ""
        message = message or f"This is {have.type}, but {want} is needed."
        return self.report("E301", span, message, help_text, have)

    def sort_given(self, span: Span, have: ty.Value, want: Type) -> bool:
        """Report what is printed on pieces where one of these pieces is wanted."""
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

    # ---------------------------------------------------------------- what names refer to
    def note(self, span: Span, sort: Sort, name: str, of: str = "") -> None:
        """Note for editors what the name at the beginning of a stretch refers to."""
        self.bodies.noted.note(span, Thing(sort, name, of))

    def binds(self, word: Word | ParamInfo, local: ty.Value) -> None:
        """Note for editors that a word gives a name to something."""
        if isinstance(local, ty.Local):
            name = word.name if isinstance(word, ParamInfo) else word.text
            self.bodies.noted.bound(self.scope, name, local.name, word.span, local.type)

    def bind(self, params: Iterable[ParamInfo], values: Iterable[ty.Value]) -> None:
        """Say what the names of parameters stand for."""
        for param, value in zip(params, values, strict=True):
            self.scope.locals[param.name] = value
            self.binds(param, value)

    def uses(self, name: str, local: ty.Value, span: Span) -> None:
        """Note for editors that a name is used that a word of the same body gives."""
        if isinstance(local, ty.Local):
            self.bodies.noted.used(self.scope, name, local.name, span, local.type)

    def expect(self, word: Word, want: Type) -> None:
        """Record which names would do for a word, if it is a hole."""
        if word.text == HOLE:
            self.scope.failed = True
            self.bodies.noted.expect(HOLE, names_of(self, want), known_types(self))

    @contextmanager
    def muted(self) -> Iterator[None]:
        """Report nothing about phrases that follow something wrong, only record their names."""
        findings, self.findings = self.findings, Findings()
        try:
            yield
        finally:
            self.findings = findings

    def evaluate(self, exprs: Iterable[ex.Expr]) -> None:
        """Record the names in phrases whose values are of no use after an error."""
        with self.muted():
            for each in exprs:
                self.value(each)

    def _note_whose(self, sort: Sort, whose: ty.Value, span: Span) -> None:
        if isinstance(whose, ty.Local):
            self.bodies.noted.note(span, Thing(sort, whose.name), whose.type)

    # ---------------------------------------------------------------- values
    def value(self, expr: ex.Expr, want: Type | None = None) -> ty.Value:
        """Return the value of an expression; `want` helps where a name could mean several."""
        return value_of(self, expr, want)

    def number(self, expr: ex.Expr) -> ty.Value:
        """Return a number; a selection is its count."""
        found = self.value(expr, NUMBER)
        if not fits(found.type, NUMBER):
            return self.mismatch(expr.span, found, "a number")
        return self.total(found, expr.span)

    def condition(self, expr: ex.Expr) -> ty.Value:
        """Return a yes or no."""
        found = self.value(expr, YES_NO)
        if fits(found.type, YES_NO):
            return found
        message = f"This is {found.type}, but a yes or no is needed."
        help_text = "Ask with `any` or `no`, or compare it with something."
        return self.report("E301", expr.span, message, help_text, facts=YesNoWanted())

    def of_type(self, expr: ex.Expr, want: Type) -> ty.Value:
        """Return a value of a type, never none."""
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
        """Return a value that is provably there; complain where it may be none."""
        if not value.type.maybe:
            return value
        if value not in self.scope.some:
            name = self._name_of(value)
            message = f"This is {value.type}: there may be none."
            facts = AskFirst(name) if name else None
            self.report("E302", span, message, _ask_first(name), facts=facts)
        return attrs.evolve(value, type=value.type.total())

    def _name_of(self, value: ty.Value) -> str | None:
        """Return what the rules call a value, if they do."""
        if isinstance(value, ty.SeatNumber):
            return value.rival
        own = self.scope.locals.items() if isinstance(value, ty.Local) else ()
        return next((each for each, local in own if local == value), None)

    def me(self, span: Span) -> ty.Value:
        """Return the acting seat."""
        if self.scope.me is not None:
            self._note_whose(Sort.ACTOR, self.scope.me, span)
            return self.scope.me
        if self.scope.lost_line:
            return self.unknown(span)
        self.scope.lost_line = True  # once is enough for a whole step
        message = "Nobody acts here: the game carries out a step."
        help_text = "Say for whom: `for each player: ...`, or make it a verb."
        return self.report("E304", span, message, help_text)

    def it(self, span: Span) -> ty.Value:
        """Return the innermost candidate."""
        if self.scope.candidates:
            self._note_whose(Sort.CANDIDATE, self.scope.candidates[-1], span)
            return self.scope.candidates[-1]
        message = "`it` is the candidate of a `where`, `with` or `per`, but there is none here."
        return self.report(
            "E201", span, message, "Name the thing that you mean, or give it a name with `let`."
        )

    def count_of(self, domain: ty.Domain | None, span: Span) -> ty.Value:
        """Return how many there are."""
        return self.unknown(span) if domain is None else ty.CountOf(domain, type=NUMBER, span=span)

    # ---------------------------------------------------------------- steps
    def block(self, body: st.Body) -> ty.Block:
        """Return the steps of a body, in a scope of its own."""
        with self.scope.block():
            return self.open_block(body.statements, body.span)

    def open_block(self, statements: tuple[st.Stmt, ...], span: Span) -> ty.Block:
        """Return the steps of statements whose names stay known."""
        steps: list[ty.Step] = []
        for each in statements:
            steps.extend(steps_of(self, each))
            if not isinstance(each, st.Let | st.Needs | st.Nothing | st.LookAt):
                self.scope.forget_state()
        return ty.Block(tuple(steps), span=span)

    def optional_block(self, body: st.Body | None) -> ty.Block:
        """Return a body's steps, none where there is none."""
        return ty.Block(()) if body is None else self.block(body)

    def loop(self, body: st.Body) -> ty.Block:
        """Return the steps of a loop: what was learned before it may have changed within."""
        with self.scope.block():
            self.scope.forget_state()
            return self.open_block(body.statements, body.span)

    def actor(self) -> ty.Value:
        """Return who acts, or nobody."""
        return self.scope.me or ty.Const(-1, type=SEAT)


def _ask_first(name: str | None) -> str:
    """Return how to ask whether there is such a thing, which needs a name."""
    first = "Ask first" if name else "Give it a name with `let x = ...`, and ask first"
    asked = f"any {name or 'x'}"
    return f"{first}: `if {asked}:`, `needs {asked}`, or in a condition `{asked} and ...`."
