"""Writers of flat statements: of the program that is made, and of the body in hand."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.fold import known, op
from rulesdsl.source.span import NOWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rulesdsl.check import typed as ty
    from rulesdsl.check.program import EffectKey, Program
    from rulesdsl.check.world import World
    from rulesdsl.lower.layout import Layout

ZERO, ONE, NONE = fl.Const(0), fl.Const(1), fl.Const(-1)


class ValueOf(Protocol):
    """Writes what a value needs, and returns the expression that it comes to."""

    def __call__(self, w: Writer, node: ty.Value) -> fl.Expr:
        """Return the expression."""


@attrs.define
class Shared:
    """The parts of a program that its functions share; equal tables and lists are kept once."""

    layout: Layout
    value: ValueOf
    logging: bool = False
    careful: bool = False  # nobody pays more than there is
    events: list[fl.Event] = attrs.Factory(list)
    sources: list[ty.Asking] = attrs.Factory(list)  # the questions that the decisions are of
    declared: dict[tuple[str, int], int] = attrs.Factory(dict)  # by machine and block
    flat: fl.Flat = attrs.Factory(fl.Flat)
    columns: dict[tuple[object, ...], tuple[Any, ...]] = attrs.Factory(dict)
    """Memo cache: the values of a field, one for each entry of its kind."""
    formulas: dict[EffectKey, str] = attrs.field(init=False)  # their functions
    _tables: dict[tuple[int, ...], str] = attrs.Factory(dict)
    _rows: dict[tuple[int, ...], int] = attrs.Factory(dict)
    _choices: dict[tuple[str, ...], str] = attrs.Factory(dict)
    texts: list[str] = attrs.Factory(list)
    _numbers: dict[str, int] = attrs.Factory(dict)  # of texts

    @formulas.default
    def _functions_of_formulas(self) -> dict[EffectKey, str]:
        return {key: f"formula:{at}" for at, key in enumerate(self.layout.program.formulas)}

    def table(self, cells: tuple[int, ...]) -> str:
        """Return the name of a constant table."""
        name = self._tables.setdefault(cells, f"t{len(self._tables)}")
        self.flat.tables[name] = cells
        return name

    def row(self, items: tuple[int, ...]) -> int:
        """Return the number of a constant list."""
        if items not in self._rows:
            self._rows[items] = len(self._rows)
            self.flat.lists.append(items)
        return self._rows[items]

    def choices(self, names: tuple[str, ...]) -> str:
        """Return the name of a table of functions or machines."""
        name = self._choices.setdefault(names, f"c{len(self._choices)}")
        self.flat.choices[name] = names
        return name

    def text(self, text: str) -> int:
        """Return the number of a text: equal ones have one number."""
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


@attrs.define
class Writer:
    """Writes the body of one function or machine."""

    shared: Shared
    proc: str = ""
    span: Span = NOWHERE
    out: list[fl.Stmt] = attrs.Factory(list)
    buffers: dict[str, int] = attrs.Factory(dict)
    _given: dict[str, fl.Expr] = attrs.Factory(dict)  # what names of the checked tree stand for
    _often: dict[str, int] = attrs.Factory(dict)
    _ending: fl.Expr | None = None
    _depth: int = 0

    @property
    def layout(self) -> Layout:
        """The layout of memory."""
        return self.shared.layout

    @property
    def program(self) -> Program:
        """The checked program."""
        return self.layout.program

    @property
    def world(self) -> World:
        """The declarations of the program."""
        return self.layout.world

    def function(self, name: str, params: tuple[str, ...], span: Span = NOWHERE) -> None:
        """Add the function whose body has been written to the program."""
        made = fl.Function(name, params, tuple(self.out), tuple(self.buffers.items()), span)
        self.shared.flat.functions[name] = made

    # ---------------------------------------------------------------- values
    def value(self, node: ty.Value) -> fl.Expr:
        """Write what a value needs, and return the expression that it comes to."""
        return self.shared.value(self, node)

    def later(self, node: ty.Value) -> Callable[[], fl.Expr]:
        """Return what writes a value once it is needed."""
        return lambda: self.value(node)

    def about(self, name: str, thing: fl.Expr, node: ty.Value) -> fl.Expr:
        """Write a value in which a name stands for a thing."""
        with self.given({name: thing}):
            return self.value(node)

    def steady(self, node: ty.Value, word: str) -> fl.Expr:
        """Return a value as something that can be used twice and stays the same."""
        return self.kept(self.value(node), word)

    def kept(self, expr: fl.Expr, word: str) -> fl.Expr:
        """Return a local that holds an expression, unless that is as short."""
        return expr if isinstance(expr, fl.Const | fl.Local) else self.set(word, expr)

    # ---------------------------------------------------------------- statements
    def add(self, *stmts: fl.Stmt) -> None:
        """Add statements to the body in hand; what follows its end is left out."""
        for stmt in stmts:
            if not self.out or not isinstance(self.out[-1], fl.Finish | fl.Break):
                placed = stmt.span is not NOWHERE
                self.out.append(stmt if placed else attrs.evolve(stmt, span=self.span))

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """Write statements that stand for a rule line."""
        outer, self.span = self.span, self.span if span == NOWHERE else span
        try:
            yield
        finally:
            self.span = outer

    @contextmanager
    def body(self) -> Iterator[list[fl.Stmt]]:
        """Write a body of its own."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    def when(
        self,
        condition: fl.Expr,
        yes: Callable[[], None],
        no: Callable[[], None] = lambda: None,
    ) -> None:
        """Write what is done where a condition holds, and where it does not."""
        decided = known(condition)
        if decided is not None:
            (yes if decided else no)()
            return
        with self.body() as then:
            yes()
        with self.body() as otherwise:
            no()
        if then or otherwise:
            self.add(fl.If(condition, tuple(then), tuple(otherwise)))

    def one_of(
        self, which: fl.Expr, ways: Sequence[Callable[[], None]], first: int = 0, step: int = 1
    ) -> None:
        """Write what is done for each number from one on, halving what is left with each test."""
        if len(ways) == 1:
            ways[0]()
            return
        half = len(ways) // 2
        self.when(
            op("<", which, fl.Const((first + half) * step)),
            lambda: self.one_of(which, ways[:half], first, step),
            lambda: self.one_of(which, ways[half:], first + half, step),
        )

    def loop(self, word: str, source: fl.Source, body: Callable[[fl.Local], None]) -> None:
        """Write a loop over a source."""
        local, depth = self.fresh(word), self._depth
        self._depth += 1
        with self.body() as inside:
            body(local)
        self._depth = depth
        if inside:
            self.add(fl.For(local.name, source, tuple(inside)))
            if self._ending is not None and depth:  # the loop around it ends too
                self.add(fl.If(self._ending, (fl.Break(),)))

    @contextmanager
    def search(self, ending: fl.Expr | None = None) -> Iterator[None]:
        """Write loops that belong together: they all end where a condition holds."""
        outer, self._ending = self._ending, ending
        depth, self._depth = self._depth, 0
        try:
            yield
        finally:
            self._ending, self._depth = outer, depth

    # ---------------------------------------------------------------- locals
    def fresh(self, word: str) -> fl.Local:
        """Return a local that nothing else is called."""
        word = word.partition("~")[0].partition("%")[0].partition("!")[0]
        number = self._often[word] = self._often.get(word, 0) + 1
        return fl.Local(f"{word}!{number}")  # no name of the rules, or of a slot, has such a sign

    def set(self, word: str, value: fl.Expr) -> fl.Local:
        """Return a new local that takes a value here."""
        local = self.fresh(word)
        self.add(fl.Set(local.name, value))
        return local

    def note(
        self,
        step: ty.Step,
        kind: fl.Change,
        subject: str,
        *values: fl.Expr | fl.Buffer,
    ) -> None:
        """Write an event of a step, where there is a log."""
        if self.shared.logging:
            self.tell(fl.Event(kind, subject, step.span, self.proc), values)

    def tell(self, event: fl.Event, values: Sequence[fl.Expr | fl.Buffer]) -> None:
        """Write an event."""
        self.shared.events.append(event)
        self.add(fl.Note(len(self.shared.events) - 1, tuple(values)))

    def list(self, name: str, most: int) -> fl.Buffer:
        """Return a list in the frame."""
        self.buffers[name] = max(most, self.buffers.get(name, 0))
        return fl.Buffer(name)

    def take(self, local: fl.Local, value: fl.Expr) -> None:
        """Write what sets a local and leaves the loop around it."""
        self.add(fl.Set(local.name, value), fl.Break())

    def count_up(self, local: fl.Local, by: fl.Expr = ONE) -> None:
        """Add to a local that cannot grow beyond 64 bits."""
        self.add(fl.Set(local.name, op("+", local, by)))

    def buffer(self, word: str, most: int) -> fl.Buffer:
        """Return a new, empty buffer of this function."""
        buffer = fl.Buffer(self.fresh(word).name)
        self.buffers[buffer.name] = most
        self.add(fl.Clear(buffer))
        return buffer

    # ---------------------------------------------------------------- names
    def named(self, name: str) -> fl.Expr:
        """Return what a name of the checked tree stands for."""
        return self._given.get(name, fl.Local(name))

    @contextmanager
    def given(self, names: Mapping[str, fl.Expr]) -> Iterator[None]:
        """Let names of the checked tree stand for expressions."""
        outer = self._given
        self._given = {**outer, **names}
        try:
            yield
        finally:
            self._given = outer
