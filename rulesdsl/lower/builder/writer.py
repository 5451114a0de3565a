"""Writers of flat statements: the shared program and the body of one function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.typed.program import EffectKey, Program
from rulesdsl.check.typed.traits import TRAITS
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.walk import known, op
from rulesdsl.lower.layout import Layout
from rulesdsl.source.span import NOWHERE, Span

ZERO, ONE, NONE = fl.Literal(0), fl.Literal(1), fl.Literal(-1)


class ValueOf(Protocol):
    """Builder of the expression for a value."""

    def __call__(self, w: Writer, node: ty.Value) -> fl.Expr:
        """Write the statements that a value needs, and return its expression."""


def _leads_elsewhere(node: ty.Node, program: Program) -> bool:
    traits = TRAITS[type(node)]
    return traits.decides or any(True for _ in traits.runs(node, program))


@attrs.define
class Shared:
    """Parts of a program shared by its functions; equal tables and lists are interned."""

    layout: Layout
    value: ValueOf
    logging: bool = False
    careful: bool = False  # moves of counted pieces are limited to the pieces present
    events: list[fl.Event] = attrs.Factory(list)
    sources: list[ty.Asking] = attrs.Factory(list)  # the question of each decision
    declared: dict[tuple[str, int], int] = attrs.Factory(dict)  # by machine and block
    flat: fl.Flat = attrs.Factory(fl.Flat)
    columns: dict[tuple[object, ...], tuple[Any, ...]] = attrs.Factory(dict)
    """Memo cache: values computed for every subject and column of a field."""
    formulas: dict[EffectKey, str] = attrs.field(init=False)  # function names
    round_loops: frozenset[tuple[str, Span]] = frozenset()  # by procedure and place
    _hushed: dict[str, bool] = attrs.Factory(dict)  # procedures
    _tables: dict[tuple[int, ...], str] = attrs.Factory(dict)
    _rows: dict[tuple[int, ...], int] = attrs.Factory(dict)
    _choices: dict[tuple[str, ...], str] = attrs.Factory(dict)
    texts: list[str] = attrs.Factory(list)
    _numbers: dict[str, int] = attrs.Factory(dict)  # of texts

    @formulas.default
    def _functions_of_formulas(self) -> dict[EffectKey, str]:
        return {key: f"formula:{at}" for at, key in enumerate(self.layout.program.formulas)}

    def is_hushed(self, key: str) -> bool:
        """Return true for a quiet procedure that runs no other: all its events are quiet."""
        if key not in self._hushed:
            program = self.layout.program
            block = program.procs[key].block if key in program.procs else ty.Block(())
            tell = block.steps[0] if block.steps else None
            is_silent = isinstance(tell, ty.Tell) and tell.quiet and tell.words is None
            self._hushed[key] = is_silent and not any(
                _leads_elsewhere(node, program) for node in ty.walk(block)
            )
        return self._hushed[key]

    def table(self, cells: tuple[int, ...]) -> str:
        """Intern a constant table and return its name."""
        name = self._tables.setdefault(cells, f"t{len(self._tables)}")
        self.flat.tables[name] = cells
        return name

    def row(self, items: tuple[int, ...]) -> int:
        """Intern a constant list and return its number."""
        if items not in self._rows:
            self._rows[items] = len(self._rows)
            self.flat.lists.append(items)
        return self._rows[items]

    def choices(self, names: tuple[str, ...]) -> str:
        """Intern a table of functions or machines and return its name."""
        name = self._choices.setdefault(names, f"c{len(self._choices)}")
        self.flat.choices[name] = names
        return name

    def text(self, text: str) -> int:
        """Intern a string and return its number."""
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


@attrs.define
class Writer:
    """Writer of a function's or machine's body."""

    shared: Shared
    proc: str = ""
    span: Span = NOWHERE
    out: list[fl.Stmt] = attrs.Factory(list)
    buffers: dict[str, int] = attrs.Factory(dict)
    _given: dict[str, fl.Expr] = attrs.Factory(dict)  # bindings of names in the typed tree
    _often: dict[str, int] = attrs.Factory(dict)
    _ending: fl.Expr | None = None
    _depth: int = 0

    @property
    def layout(self) -> Layout:
        """The memory layout."""
        return self.shared.layout

    @property
    def program(self) -> Program:
        """The checked program."""
        return self.layout.program

    @property
    def world(self) -> SymbolTable:
        """The declarations of the program."""
        return self.layout.world

    def function(self, name: str, params: tuple[str, ...], span: Span = NOWHERE) -> None:
        """Add the statements written so far to the program, as the body of a function."""
        made = fl.Function(name, params, tuple(self.out), tuple(self.buffers.items()), span)
        self.shared.flat.functions[name] = made

    # ---------------------------------------------------------------- values
    def value(self, node: ty.Value) -> fl.Expr:
        """Write the statements that a value needs, and return its expression."""
        return self.shared.value(self, node)

    def later(self, node: ty.Value) -> Callable[[], fl.Expr]:
        """Return a thunk that writes a value when called."""
        return lambda: self.value(node)

    def about(self, name: str, thing: fl.Expr, node: ty.Value) -> fl.Expr:
        """Write a value in which a name is bound to an entity."""
        with self.given({name: thing}):
            return self.value(node)

    def steady(self, node: ty.Value, word: str) -> fl.Expr:
        """Return a value as an expression that may be used twice."""
        return self.kept(self.value(node), word)

    def kept(self, expr: fl.Expr, word: str) -> fl.Expr:
        """Return a local that holds an expression, unless it is already a local or constant."""
        return expr if isinstance(expr, fl.Literal | fl.LocalVar) else self.set(word, expr)

    # ---------------------------------------------------------------- statements
    def add(self, *stmts: fl.Stmt) -> None:
        """Append statements to the current body; drop unreachable ones."""
        for stmt in stmts:
            if not self.out or not isinstance(self.out[-1], fl.FinishGame | fl.Break):
                placed = stmt.span is not NOWHERE
                self.out.append(stmt if placed else attrs.evolve(stmt, span=self.span))

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """Set the rule line for the statements written in a `with` block."""
        outer, self.span = self.span, self.span if span == NOWHERE else span
        try:
            yield
        finally:
            self.span = outer

    @contextmanager
    def body(self) -> Iterator[list[fl.Stmt]]:
        """Collect the statements written in a `with` block as a nested body."""
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
        """Write a conditional, folded if the condition is constant."""
        decided = known(condition)
        if decided is not None:
            (yes if decided else no)()
            return
        with self.body() as then:
            yes()
        with self.body() as otherwise:
            no()
        if then or otherwise:
            self.add(fl.Conditional(condition, tuple(then), tuple(otherwise)))

    def one_of(
        self, which: fl.Expr, ways: Sequence[Callable[[], None]], first: int = 0, step: int = 1
    ) -> None:
        """Write a dispatch on a number as a binary search."""
        if len(ways) == 1:
            ways[0]()
            return
        half = len(ways) // 2
        self.when(
            op("<", which, fl.Literal((first + half) * step)),
            lambda: self.one_of(which, ways[:half], first, step),
            lambda: self.one_of(which, ways[half:], first + half, step),
        )

    def loop(self, word: str, source: fl.Source, body: Callable[[fl.LocalVar], None]) -> None:
        """Write a loop over a source."""
        local, depth = self.fresh(word), self._depth
        self._depth += 1
        with self.body() as inside:
            body(local)
        self._depth = depth
        if inside:
            self.add(fl.For(local.name, source, tuple(inside)))
            if self._ending is not None and depth:  # the enclosing loop ends too
                self.add(fl.Conditional(self._ending, (fl.Break(),)))

    @contextmanager
    def search(self, ending: fl.Expr | None = None) -> Iterator[None]:
        """Write nested loops that all end as soon as a condition holds."""
        outer, self._ending = self._ending, ending
        depth, self._depth = self._depth, 0
        try:
            yield
        finally:
            self._ending, self._depth = outer, depth

    # ---------------------------------------------------------------- locals
    def fresh(self, word: str) -> fl.LocalVar:
        """Return a new local."""
        word = word.partition("~")[0].partition("%")[0].partition("!")[0]
        number = self._often[word] = self._often.get(word, 0) + 1
        return fl.LocalVar(f"{word}!{number}")  # no name in a game and no slot contains this sign

    def set(self, word: str, value: fl.Expr) -> fl.LocalVar:
        """Write the assignment of a value to a new local, and return the local."""
        local = self.fresh(word)
        self.add(fl.Set(local.name, value))
        return local

    def note(
        self,
        step: ty.Step,
        kind: fl.Change,
        subject: str,
        *values: fl.Expr | fl.Buffer,
        imposed: bool = False,
        cause: ty.Local | None = None,
        ends: tuple[fl.StackEnd, fl.StackEnd] = ("", ""),
        keeps: bool = False,
    ) -> None:
        """Write the log event for a step, if there is a log."""
        if self.shared.logging:
            place = step.span, self.proc
            event = fl.Event(kind, subject, *place, cause=cause, imposed=imposed, ends=ends)
            self.tell(attrs.evolve(event, keeps=True) if keeps else event, values)

    def tell(self, event: fl.Event, values: Sequence[fl.Expr | fl.Buffer]) -> None:
        """Write a log event, unless it delimits events that are quiet themselves."""
        is_hushed = self.shared.is_hushed(self.proc)
        if is_hushed and event.kind in {"act", "part", "told"}:
            return
        if is_hushed and event.kind != "say":
            event = attrs.evolve(event, quiet=True)
        self.shared.events.append(event)
        self.add(fl.Note(len(self.shared.events) - 1, tuple(values)))

    def list(self, name: str, most: int) -> fl.Buffer:
        """Return the buffer of a list slot, with a capacity of at least `most` items."""
        self.buffers[name] = max(most, self.buffers.get(name, 0))
        return fl.Buffer(name)

    def take(self, local: fl.LocalVar, value: fl.Expr) -> None:
        """Write an assignment, and the exit from the loop."""
        self.add(fl.Set(local.name, value), fl.Break())

    def count_up(self, local: fl.LocalVar, by: fl.Expr = ONE) -> None:
        """Write an addition, which cannot overflow, to a local."""
        self.add(fl.Set(local.name, op("+", local, by)))

    def buffer(self, word: str, most: int) -> fl.Buffer:
        """Return a new, empty buffer."""
        buffer = fl.Buffer(self.fresh(word).name)
        self.buffers[buffer.name] = most
        self.add(fl.Clear(buffer))
        return buffer

    # ---------------------------------------------------------------- names
    def named(self, name: str) -> fl.Expr:
        """Return the expression bound to a name of the typed tree."""
        return self._given.get(name, fl.LocalVar(name))

    @contextmanager
    def given(self, names: Mapping[str, fl.Expr]) -> Iterator[None]:
        """Bind names of the typed tree to expressions."""
        outer = self._given
        self._given = {**outer, **names}
        try:
            yield
        finally:
            self._given = outer
