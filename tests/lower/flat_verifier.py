"""A verifier of flat programs: they must satisfy the assumptions of the back ends.

Every name exists and gets the right number of arguments; every local is set before it is read;
every path through a block ends, and no statement follows an end; loops do not change what they
iterate over.
"""

from collections.abc import Iterable
from typing import assert_never

import attrs

from lower.verifier import UnsoundError
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.walk import AnyNode, bodies, bound_by, read_first
from rulesdsl.source.tree import children, walk

Names = frozenset[str]
NOTHING: Names = frozenset()


@attrs.define
class Changes:
    """Effects of one program's statements, memoized."""

    flat: fl.Flat
    _changes: dict[fl.Stmt, Names] = attrs.Factory(dict)
    _changed_by: dict[str, Names] = attrs.Factory(dict)  # by functions

    def of(self, stmt: fl.Stmt) -> Names:
        """Return the effects of a statement, including those of all statements inside it."""
        if stmt not in self._changes:
            inner = (each for body in bodies(stmt) for each in body)
            self._changes[stmt] = self._changed(stmt).union(*map(self.of, inner))
        return self._changes[stmt]

    def _changed(self, stmt: fl.Stmt) -> Names:
        """Return the effects of a statement on its own."""
        match stmt:
            case fl.Store(array=array) | fl.Fill(array=array):
                return frozenset({f"@{array}"})
            case fl.Clear(buffer=buffer) | fl.Push(buffer=buffer) | fl.Distinct(buffer=buffer):
                return frozenset({f"&{buffer.name}"})
            case fl.PermutePile(pile=fl.Pile(piece=piece)) | fl.Shift(piece=piece):
                return frozenset({f"#{piece}", *bound_by(stmt)})
            case fl.PlacePiece(piece=piece):
                return frozenset({f"#{piece}", f"@w:{piece}"})
            case fl.RunFunction(function=name, index=index):
                return self._called(name, index)
            case fl.For(local=local):
                return frozenset({local})
            case fl.Set() | fl.Draw():
                return frozenset(bound_by(stmt))
            case fl.Conditional() | fl.Break() | fl.Return() | fl.Note() | fl.FinishGame():
                return NOTHING
            case fl.Goto() | fl.Enter() | fl.Leave() | fl.Ask():
                return NOTHING  # nothing of the body is after them
            case _:
                assert_never(stmt)

    def _called(self, name: str, index: fl.Expr | None) -> Names:
        """Return the external effects of the functions called; none of these is recursive."""
        every = NOTHING
        for each in self.flat.called(name, index):
            if each not in self._changed_by:
                whole = NOTHING.union(*map(self.of, self.flat.functions[each].body))
                self._changed_by[each] = frozenset(name for name in whole if name[0] in "@#")
            every |= self._changed_by[each]
        return every


_ENDS = (fl.Goto, fl.Enter, fl.Leave, fl.Ask, fl.FinishGame)


def verify(flat: fl.Flat) -> None:
    """Raise UnsoundError for an invalid program."""
    changes = Changes(flat)
    for name, function in flat.functions.items():
        _Verifier(flat, name, changes).function(function)
    for name, machine in flat.machines.items():
        _Verifier(flat, name, changes).machine(machine)


@attrs.define
class _Verifier:
    flat: fl.Flat
    where: str
    changes: Changes
    _buffers: frozenset[str] = frozenset()

    def fail(self, what: str) -> None:
        raise UnsoundError(f"{self.where}: {what}")

    def function(self, function: fl.Function) -> None:
        self._buffers = frozenset(name for name, _ in function.buffers)
        early = read_first(function.body) - {*function.params} - self._buffers
        if early:
            self.fail(f"{sorted(early)} may be read before they are set")
        for node in walk(function.body):
            if isinstance(node, fl.Goto | fl.Enter | fl.Leave | fl.Ask):
                self.fail(f"{node} is for machines")
        self.body(function.body, looping=False)

    def machine(self, machine: fl.Machine) -> None:
        self._buffers = frozenset({fl.OPTIONS, *(name for name, _ in machine.buffers)})
        if machine.slots[: len(machine.params)] != machine.params:
            self.fail("its slots do not begin with its parameters")
        for at, block in enumerate(machine.blocks):
            early = read_first(block) - {*machine.slots} - self._buffers
            if early:
                self.fail(f"block {at}: {sorted(early)} may be read before they are set")
            self.body(block, looping=False)
            if block and not self.ends(block):
                self.fail(f"block {at} does not end on every way")
            for node in walk(block):
                targets = {fl.Goto: "block", fl.Enter: "then"}.get(type(node))
                if targets and not 0 <= getattr(node, targets) < len(machine.blocks):
                    self.fail(f"block {at}: {node} leads nowhere")

    def ends(self, body: fl.Body) -> bool:
        last = body[-1] if body else None
        if isinstance(last, fl.Conditional):
            return self.ends(last.yes) and self.ends(last.no)
        return isinstance(last, _ENDS)

    # ---------------------------------------------------------------- statements
    def body(self, body: fl.Body, *, looping: bool) -> None:
        for at, stmt in enumerate(body):
            if isinstance(stmt, (*_ENDS, fl.Break, fl.Return)) and at != len(body) - 1:
                self.fail(f"{body[at + 1]} is never reached")
            self.stmt(stmt, looping=looping)

    def stmt(self, stmt: fl.Stmt, *, looping: bool) -> None:  # noqa: C901 - one case a statement
        for node in walk(tuple(each for each in children(stmt) if not isinstance(each, fl.Stmt))):
            self.node(node)
        match stmt:
            case fl.Conditional(yes=yes, no=no):
                self.body(yes, looping=looping)
                self.body(no, looping=looping)
            case fl.For(local=local, source=source, body=body):
                self.steady(local, source, body)
                self.body(body, looping=True)
            case fl.Break():
                if not looping:
                    self.fail("a break outside of a loop")
            case fl.Store(array=array) | fl.Fill(array=array):
                self.known(array, self.flat.arrays)
            case fl.RunFunction(function=name, arguments=arguments, index=index):
                self.called(name, arguments, index, self.flat.functions)
            case fl.Enter(machine=name, arguments=arguments, index=index):
                self.called(name, arguments, index, self.flat.machines)
            case fl.Ask(decision=decision):
                if not 0 <= decision < len(self.flat.decisions):
                    self.fail(f"there is no decision {decision}")
            case _:
                pass

    def steady(self, local: str, source: fl.Source, body: fl.Body) -> None:
        """Fail if a loop changes its own local or what it iterates over."""
        changed = frozenset[str]().union(*map(self.changes.of, body))
        if local in changed:
            self.fail(f"a loop sets its own {local}")
        match source:
            case fl.Pile(piece=name):
                through, change = f"#{name}", "moves pieces"
            case fl.Buffer(name=name):
                through, change = f"&{name}", "changes it"
            case fl.ConstRow() | fl.IntRange() | fl.Bits():
                return
            case _:
                assert_never(source)
        if through in changed:
            self.fail(f"a loop over {source} {change}")

    # ---------------------------------------------------------------- expressions
    def node(self, node: AnyNode) -> None:
        match node:
            case fl.Load(array=array):
                self.known(array, self.flat.arrays)
            case fl.TableCell(table=table):
                self.known(table, self.flat.tables)
            case fl.CallFunction(function=name, arguments=arguments, index=index):
                self.called(name, arguments, index, self.flat.functions)
            case fl.Buffer(name=name):
                self.known(name, self._buffers)
            case fl.ConstRow(number=fl.Literal(value=number)):
                self.known(number, range(len(self.flat.lists)))
            case fl.Op(op=op):
                self.known(op, fl.OPERATORS)
            case _:
                pass

    def known(self, name: object, names: Iterable[object]) -> None:
        if name not in names:
            self.fail(f"there is no {name}")

    def called(
        self,
        name: str,
        arguments: tuple[fl.Expr, ...],
        index: fl.Expr | None,
        every: dict[str, fl.Function] | dict[str, fl.Machine],
    ) -> None:
        if index is not None:
            self.known(name, self.flat.choices)
        for each in [name] if index is None else self.flat.choices[name]:
            self.known(each, every)
            if len(every[each].params) != len(arguments):
                self.fail(f"{each} takes {len(every[each].params)} arguments")
