"""The function in hand: lines of WebAssembly's text, its locals, and what all functions share."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter.simulator.fuel import Costs
from rulesdsl.interpreter.simulator.ids import Ids
from rulesdsl.interpreter.simulator.rounds import START, round_slot
from rulesdsl.lower import flat as fl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulesdsl.interpreter.simulator.map import Cells
    from rulesdsl.interpreter.simulator.memory import Memory


@attrs.define
class Shared:
    """What all functions of a module share: names, signatures, and who may end the game."""

    flat: fl.Flat
    memory: Memory
    ends: frozenset[str] = frozenset()  # functions that may end the game
    values: Ids = attrs.Factory(lambda: Ids("f."))
    machines: Ids = attrs.Factory(lambda: Ids("m."))
    choices: dict[str, int] = attrs.Factory(dict)  # where a table of functions begins
    types: dict[str, str] = attrs.Factory(dict)
    elements: list[str] = attrs.Factory(list)
    alike: list[fl.Distinct] = attrs.Factory(list)
    costs: Costs = attrs.field(
        init=False, default=attrs.Factory(lambda self: Costs(self.flat), takes_self=True)
    )
    rounds: str | None = attrs.field(
        init=False, default=attrs.Factory(lambda self: round_slot(self.flat), takes_self=True)
    )

    def distinct(self, stmt: fl.Distinct) -> str:
        """Return the helper that leaves one of those pieces that are alike."""
        key = attrs.evolve(stmt, buffer=fl.Buffer(""))
        if key not in self.alike:
            self.alike.append(key)
        return f"$distinct.{self.alike.index(key)}"

    def piles(self, piece: str, what: str) -> str:
        """Return the helper that does something with the piles of a kind of pieces."""
        return f"${what}.{[*self.memory.piles].index(piece)}"

    def type(self, params: int, result: str, first: str = "") -> str:
        """Return the name of a signature: so many numbers, `first` in front of them."""
        name = f"$t.{first}{params}.{result}"
        given = " ".join([first, *["i64"] * params]).strip()
        self.types[name] = f"(type {name} (func (param {given}) (result {result})))"
        return name

    def table(self, name: str, ids: Ids) -> int:
        """Return where a table of functions or machines begins among the module's elements."""
        if name not in self.choices:
            self.choices[name] = len(self.elements)
            self.elements += [ids[each] for each in self.flat.choices[name]]
        return self.choices[name]


@attrs.define
class Code:
    """The lines of one function."""

    shared: Shared
    owner: str  # the function or machine of the flat form
    lines: list[str] = attrs.Factory(list)
    locals: dict[str, str] = attrs.Factory(dict)
    ids: Ids = attrs.Factory(Ids)
    breaks: list[str] = attrs.Factory(list)
    end: Callable[[fl.End], None] | None = None  # how a block of a machine ends
    _depth: int = 2
    _number: int = 0
    _free: dict[str, list[str]] = attrs.Factory(lambda: {"i32": [], "i64": []})

    @property
    def memory(self) -> Memory:
        """Where everything lies."""
        return self.shared.memory

    def counts_rounds(self, local: str) -> bool:
        """Whether the rounds of the game are counted by a slot of this machine."""
        return self.owner == START and local == self.shared.rounds

    def add(self, *lines: str) -> None:
        """Add instructions."""
        self.lines += ["  " * self._depth + each for each in lines]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Write a `block`, `loop` or `if`."""
        self.enter(head)
        yield
        self.leave()

    def enter(self, head: str) -> None:
        """Begin a `block`, `loop` or `if`."""
        self.add(head)
        self._depth += 1

    def leave(self) -> None:
        """End the innermost one."""
        self._depth -= 1
        self.add("end")

    def otherwise(self) -> None:
        """Go on with the other way of an `if`."""
        self._depth -= 1
        self.add("else")
        self._depth += 1

    # ---------------------------------------------------------------- names
    def local(self, name: str, kind: str = "i64") -> str:
        """Return the identifier of a local, declared where it is new."""
        found = self.ids[name]
        self.locals.setdefault(found, kind)
        return found

    def declared(self, params: list[str]) -> list[str]:
        """Return the declarations of all locals that are no parameters."""
        return [f"    (local {n} {kind})" for n, kind in self.locals.items() if n not in params]

    def count(self, buffer: str) -> str:
        """Return the local that holds how many items a buffer has."""
        return self.local(f"{buffer}.count", "i32")

    def items(self, buffer: str) -> Cells:
        """Return where the items of a buffer lie."""
        key = (self.owner, buffer)
        return self.memory.lists.get(key) or self.memory.buffers[key]

    def burn(self, fuel: int) -> None:
        """Take off what follows comes to."""
        self.add("global.get $fuel", f"i64.const {fuel}", "i64.sub", "global.set $fuel")
        self._out_of_fuel()

    def burn_rounds(self, body: fl.Body) -> None:
        """Take off so many rounds of a body as the number of 64 bits on the stack says."""
        with self.held() as rounds:
            self.add(f"local.set {rounds}", "global.get $fuel", f"local.get {rounds}")
            self.add(f"i64.const {1 + self.shared.costs.of(body)}", "i64.mul", "i64.sub")
            self.add("global.set $fuel")
        self._out_of_fuel()

    def _out_of_fuel(self) -> None:
        self.add("global.get $fuel", "i64.const 0", "i64.lt_s", "if", "unreachable", "end")

    @contextmanager
    def held(self, kind: str = "i64") -> Iterator[str]:
        """Lend a local for as long as it is needed."""
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
        """Return a new label."""
        self._number += 1
        return f"${word}.{self._number}"
