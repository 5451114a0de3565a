"""Text of WebAssembly functions: lines, locals, identifiers, and fuel."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs

from rulesdsl.interpreter.simulator.memory import Memory
from rulesdsl.interpreter.simulator.state_transfer import ArrayRegion
from rulesdsl.lower import flat as fl
from rulesdsl.lower.layout import Layout, known_rounds
from rulesdsl.lower.schema import MAX_GAME
from rulesdsl.source.tree import children

_OTHER = re.compile(r"[^0-9A-Za-z_.:/%~@!+-]")


@attrs.define
class Ids:
    """Unique, recognisable identifiers for the names of one scope."""

    prefix: str = ""
    _known: dict[str, str] = attrs.Factory(dict)
    _taken: set[str] = attrs.Factory(set)

    def __getitem__(self, name: str) -> str:
        """Return the identifier of a name."""
        if name not in self._known:
            made = base = f"${self.prefix}{_OTHER.sub('_', name)}"
            number = 1
            while made in self._taken:
                number += 1
                made = f"{base}_{number}"
            self._taken.add(made)
            self._known[name] = made
        return self._known[name]


MIN_WORK = 1000  # base budget, for loops and calls that occur only in modules
MAX_COST = 1 << 40  # exceeds any fuel, and cannot overflow when multiplied
MAX_FIXED = 64  # a longer loop over rows meters itself, instead of being charged its maximum
ROUNDS_OF_ONE = 16  # in a module, per iteration or call in the rules; cell scans excluded


class TooMuchWork(RuntimeError):  # noqa: N818 - it names a fault of the rules
    """A module ran out of fuel: more work without a decision than the rules allow."""


def fuel_of(layout: Layout) -> int:
    """Return the fuel that a module may consume between two decisions."""
    cells = max((layout.cells(piece) for piece in layout.schema.pieces), default=1)
    return min(layout.schema.work + MIN_WORK, MAX_GAME) * (ROUNDS_OF_ONE + cells)


@attrs.define
class Costs:
    """Upper bounds on the iterations and calls of bodies, for fuel metering.

    The checker bounds the work between two decisions and rejects packs above the limit (E407);
    fuel is a second line of defence. A machine's block is charged its static bound at once. Only
    loops without a static bound charge for their own iterations, when they start.
    """

    flat: fl.Flat
    _functions: dict[str, int] = attrs.Factory(dict)

    def of(self, body: fl.Body) -> int:
        """Return an upper bound on the cost of a body, self-metered loops excluded."""
        found = 0
        for stmt in body:
            match stmt:
                case fl.Conditional(condition=condition, yes=yes, no=no):
                    found += self._calls(condition) + max(self.of(yes), self.of(no))
                case fl.For(source=source, body=inner):
                    rounds = self.rounds(source)
                    found += self._calls(source) + (rounds or 0) * (1 + self.of(inner))
                case _:
                    found += self._calls(stmt)
        return min(found, MAX_COST)

    def rounds(self, source: fl.Source) -> int | None:
        """Return the maximum number of iterations of a loop, or None if it meters itself."""
        known = known_rounds(self.flat, source)
        differs = isinstance(source, fl.ConstRow) and not isinstance(source.number, fl.Literal)
        return None if differs and known is not None and known > MAX_FIXED else known

    def _calls(self, node: fl.Stmt | fl.Expr | fl.Source) -> int:
        if isinstance(node, fl.Select):  # only one branch is evaluated
            ways = max(self._calls(node.yes), self._calls(node.no))
            return self._calls(node.condition) + ways
        found = sum(map(self._calls, children(node)))
        if isinstance(node, fl.CallFunction | fl.RunFunction):
            found += 1 + max(map(self._function, self.flat.called(node.function, node.index)))
        return found

    def _function(self, name: str) -> int:
        if name not in self._functions:
            self._functions[name] = self.of(self.flat.functions[name].body)
        return self._functions[name]


@attrs.define
class ModuleContext:
    """State shared by all functions of a module: names, signatures, tables, and costs."""

    flat: fl.Flat
    memory: Memory
    ends: frozenset[str] = frozenset()  # functions that may end the game
    values: Ids = attrs.Factory(lambda: Ids("f."))
    machines: Ids = attrs.Factory(lambda: Ids("m."))
    choices: dict[str, int] = attrs.Factory(dict)  # start of each function table
    types: dict[str, str] = attrs.Factory(dict)
    elements: list[str] = attrs.Factory(list)
    alike: list[fl.Distinct] = attrs.Factory(list)
    costs: Costs = attrs.field(
        init=False, default=attrs.Factory(lambda self: Costs(self.flat), takes_self=True)
    )

    def distinct(self, stmt: fl.Distinct) -> str:
        """Return the name of the helper that drops duplicates from a list of pieces."""
        key = attrs.evolve(stmt, buffer=fl.Buffer(""))
        if key not in self.alike:
            self.alike.append(key)
        return f"$distinct.{self.alike.index(key)}"

    def piles(self, piece: str, what: str) -> str:
        """Return the name of the helper for an operation on the piles of one kind of piece."""
        return f"${what}.{[*self.memory.piles].index(piece)}"

    def type(self, params: int, result: str, first: str = "") -> str:
        """Return the name of a signature with the parameter `first`, then `params` numbers."""
        name = f"$t.{first}{params}.{result}"
        given = " ".join([first, *["i64"] * params]).strip()
        self.types[name] = f"(type {name} (func (param {given}) (result {result})))"
        return name

    def table(self, name: str, ids: Ids) -> int:
        """Return the position of a function table among the module's elements."""
        if name not in self.choices:
            self.choices[name] = len(self.elements)
            self.elements += [ids[each] for each in self.flat.choices[name]]
        return self.choices[name]


@attrs.define
class FunctionText:
    """The lines of one function under construction."""

    shared: ModuleContext
    owner: str  # name of the function or machine in the flat form
    lines: list[str] = attrs.Factory(list)
    locals: dict[str, str] = attrs.Factory(dict)
    ids: Ids = attrs.Factory(Ids)
    breaks: list[str] = attrs.Factory(list)
    end: Callable[[fl.End], None] | None = None  # emits the end of a machine's block
    _depth: int = 2
    _number: int = 0
    _free: dict[str, list[str]] = attrs.Factory(lambda: {"i32": [], "i64": []})

    @property
    def memory(self) -> Memory:
        """The layout of memory."""
        return self.shared.memory

    def add(self, *lines: str) -> None:
        """Add instructions."""
        self.lines += ["  " * self._depth + each for each in lines]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Emit a `block`, `loop` or `if` around the body."""
        self.enter(head)
        yield
        self.leave()

    def enter(self, head: str) -> None:
        """Open a `block`, `loop` or `if`."""
        self.add(head)
        self._depth += 1

    def leave(self) -> None:
        """Close the innermost `block`, `loop` or `if`."""
        self._depth -= 1
        self.add("end")

    def otherwise(self) -> None:
        """Switch to the else branch of an `if`."""
        self._depth -= 1
        self.add("else")
        self._depth += 1

    # ---------------------------------------------------------------- names
    def local(self, name: str, kind: str = "i64") -> str:
        """Return the identifier of a local, declared on first use."""
        found = self.ids[name]
        self.locals.setdefault(found, kind)
        return found

    def declared(self, params: list[str]) -> list[str]:
        """Return the declarations of all locals that are not parameters."""
        return [f"    (local {n} {kind})" for n, kind in self.locals.items() if n not in params]

    def count(self, buffer: str) -> str:
        """Return the local that holds the length of a buffer."""
        return self.local(f"{buffer}.count", "i32")

    def items(self, buffer: str) -> ArrayRegion:
        """Return the memory region of a buffer's items."""
        key = (self.owner, buffer)
        return self.memory.lists.get(key) or self.memory.buffers[key]

    def burn(self, fuel: int) -> None:
        """Emit code that charges a fixed amount of fuel."""
        self.add("global.get $fuel", f"i64.const {fuel}", "i64.sub", "global.set $fuel")
        self._out_of_fuel()

    def burn_rounds(self, body: fl.Body) -> None:
        """Emit code that charges for a body's iterations, whose number (i64) is on the stack."""
        with self.held() as rounds:
            self.add(f"local.set {rounds}", "global.get $fuel", f"local.get {rounds}")
            self.add(f"i64.const {1 + self.shared.costs.of(body)}", "i64.mul", "i64.sub")
            self.add("global.set $fuel")
        self._out_of_fuel()

    def _out_of_fuel(self) -> None:
        self.add("global.get $fuel", "i64.const 0", "i64.lt_s", "if", "unreachable", "end")

    @contextmanager
    def held(self, kind: str = "i64") -> Iterator[str]:
        """Allocate a temporary local for the duration of the context."""
        free = self._free[kind]
        if not free:
            self._number += 1
            free.append(self.local(f"held.{kind}.{self._number}", kind))
        name = free.pop()
        try:
            yield name
        finally:
            free.append(name)

    def label(self, word: str) -> str:
        """Return a fresh label."""
        self._number += 1
        return f"${word}.{self._number}"
