"""Resolved programs: procedures, values and effects as typed trees."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import Reference, SymbolTable
from rulesdsl.check.typed.origins import Origin
from rulesdsl.source.span import NOWHERE, Span

EffectKey = tuple[str, str, int, str | None]
Eyes = frozenset[str] | None  # visibility label: the locals whose seats may know; None: everybody
Computed = tuple[str, str | int]  # value and layer, or kind and formula field
EMPTY = ty.Block(())
RANKING: Computed = ("standing", 0)  # the final ranking; no value can have this name
VERDICT = ("verdict of player", 0)  # number of a player's verdict; no value can have this name


@attrs.define
class TypedProc:
    """Verb, step or effect: its parameters (locals) and steps; the acting seat is the local `me`.

    The annotation pass sets `body`, the block with guards and reveals; `decides`, true if the
    procedure or a callee contains a decision; `eyes`, the visibility labels of its locals that are
    not public; and `held`, the sources of those that hold a piece in secret. `late` is None if
    late conditions are errors; otherwise, each is checked when it is reached: `late` maps the name
    that a failure has in the log to the condition and its locals, whose values are there as well.
    """

    key: str
    title: str
    verb: bool
    params: tuple[ty.Local, ...]
    block: ty.Block
    span: Span = NOWHERE
    automatic: bool = False
    body: ty.Block = EMPTY
    decides: bool = False
    eyes: dict[str, Eyes] = attrs.Factory(dict)
    held: dict[str, Origin] = attrs.Factory(dict)
    late: dict[str, tuple[tuple[ty.Local, ...], ty.Value]] | None = None

    @cached_property
    def nodes(self) -> tuple[ty.Node, ...]:
        """The block and all its descendants, as `walk` yields them."""
        return tuple(ty.walk(self.block))


@attrs.define
class TypedValue:
    """One layer of a named value: the declaration, or a hook on it."""

    name: str
    params: tuple[ty.Local, ...]
    me: ty.Value | None
    body: ty.Value
    span: Span = NOWHERE


@attrs.define
class Home:
    """Initial cells for the pieces of a kind."""

    piece: str
    cells: ty.Cells


@attrs.define
class Program:
    """Resolved program, which is the input to the builder of the flat form."""

    world: SymbolTable
    procs: dict[str, TypedProc] = attrs.Factory(dict)
    values: dict[tuple[str, int], TypedValue] = attrs.Factory(dict)
    effects: dict[EffectKey, str] = attrs.Factory(dict)
    formulas: dict[EffectKey, ty.Value] = attrs.Factory(dict)
    homes: dict[str, Home] = attrs.Factory(dict)
    rival_conditions: dict[str, ty.Value] = attrs.Factory(dict)
    ranking: tuple[tuple[bool, ty.Value], ...] = ()
    guards: dict[str, ty.Value] = attrs.Factory(dict)
    joined: list[Span] = attrs.Factory(list)  # lines with several statements: `A, B to C`
    openly: set[Span] = attrs.Factory(set)  # statements that may write what is hidden in the open
    secret_marks: set[str] = attrs.Factory(set)  # tracks and flags changed for hidden pieces
    costs: list[Span] = attrs.Factory(list)  # the parts of those lines before `to`
    work: int = 0  # bound of rounds and calls between two decisions
    names: int = attrs.field(default=0, eq=False)  # fresh names issued
    failed: set[str] = attrs.Factory(set)  # procedures with errors
    failed_values: set[str] = attrs.Factory(set)

    def fresh(self, name: str) -> str:
        """Return a fresh name for a local, unique in the program."""
        self.names += 1
        return f"{name}~{self.names}"

    def node_lists(self) -> Iterator[tuple[ty.Node, ...]]:
        """Yield the nodes of each body, those of values included."""
        yield from (proc.nodes for proc in self.procs.values())
        yield from (tuple(ty.walk(value.body)) for value in self.values.values())
        yield from (tuple(ty.walk(formula)) for formula in self.formulas.values())

    def roots(self) -> Iterator[ty.Node]:
        """Yield all bodies except those of values declared by the rules."""
        yield from (proc.block for proc in self.procs.values())
        yield from self.formulas.values()
        yield from (home.cells for home in self.homes.values())
        yield from self.rival_conditions.values()
        yield from (value for _, value in self.ranking)
        declared = self.world.values
        yield from (each.body for each in self.values.values() if each.name not in declared)

    def previewing(self) -> Iterator[str]:
        """Yield the keys of the procedures that preview choices."""
        for proc in self.procs.values():
            for node in proc.nodes:
                if isinstance(node, ty.OptionLine | ty.Secretly) and node.preview:
                    yield node.preview

    def column(self, kind: str, field: str, key: str | None, entry: int | None) -> list[str]:
        """Return the effects that `do FIELD of x at K` may run; None means any key or entry."""
        return [
            proc
            for (k, f, e, c), proc in self.effects.items()
            if k == kind
            and f == field
            and (entry is None or e == entry)
            and (key is None or c is None or c == key)
        ]

    def meant(self, node: ty.DoField | ty.CanDo) -> list[str]:
        """Return the effects that a node may run or test."""
        fixed = node.subject.value if isinstance(node.subject, ty.Const) else None
        return self.column(node.kind, node.field, self.key_name(node), fixed)

    def key_name(self, node: ty.DoField | ty.CanDo) -> str | None:
        """Return the name of the effect column that a node selects, if it is constant."""
        per = self.world.kinds[node.kind].fields[node.field].per
        if isinstance(node.key, ty.Const) and node.key.value >= 0 and per is not None:
            return [*self.world.kinds[per].index][node.key.value]
        return None

    def bodies(self, asked: Computed) -> list[ty.Value]:
        """Return the expressions of a value, a formula field, or the ranking."""
        if asked == RANKING:
            return [value for _, value in self.ranking]
        name, which = asked
        if isinstance(which, int):
            return [self.values[name, which].body] if (name, which) in self.values else []
        return [body for key, body in self.formulas.items() if key[:2] == asked]


@attrs.frozen
class Checked:
    """Checked program and the results of its analyses."""

    program: Program
    steps: dict[str, list[ty.Step]] = attrs.Factory(dict)  # of procedures, including nested ones
    calls: dict[str, list[tuple[str, ty.Step]]] = attrs.Factory(dict)  # callees and calling steps
    bodies: dict[str, ty.Block] = attrs.Factory(dict)  # of procedures, with guards
    values: tuple[Computed, ...] = ()  # named values and formulas, callees first
    complete: bool = True  # false if the check stopped early
    mentions: list[Reference] = attrs.Factory(list)  # references in rules
    memo: dict[str, Any] = attrs.field(factory=dict, eq=False, repr=False)  # analyses on demand
