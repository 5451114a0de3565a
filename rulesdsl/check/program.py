"""A checked pack: every procedure, value and effect as a typed tree."""

from __future__ import annotations

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.world import World
from rulesdsl.source.span import NOWHERE, Span

EffectKey = tuple[str, str, int, str | None]
Eyes = frozenset[str] | None  # names of locals that hold seats; None: everybody
Computed = tuple[str, str | int]  # a value and its layer, or a kind and its field of formulas
EMPTY = ty.Block(())
RANKING: Computed = ("standing", 0)  # who is first; no value can be called that


@attrs.define
class TypedProc:
    """A verb, step or effect: parameters (locals), and its steps. `me` is the local `me`.

    `body` is the block with guards in it, annotated with what it reveals; `decides`: somebody may
    be asked in it, or in what it calls; `eyes`: who sees what a local holds, of those that not
    everybody sees. All this is there once a program is annotated.
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


@attrs.define
class TypedValue:
    """A named value, one layer of it."""

    name: str
    params: tuple[ty.Local, ...]
    me: ty.Value | None
    body: ty.Value
    span: Span = NOWHERE


@attrs.define
class TypedVerdict:
    """The meaning of the end for a player, `me`, for whom the condition holds."""

    word: str
    text: str
    condition: ty.Value
    span: Span = NOWHERE


@attrs.define
class Home:
    """The cells in which the pieces of a kind begin."""

    piece: str
    cells: ty.Cells


@attrs.define
class Program:
    """Everything that the builder of the flat form needs."""

    world: World
    procs: dict[str, TypedProc] = attrs.Factory(dict)
    values: dict[tuple[str, int], TypedValue] = attrs.Factory(dict)
    effects: dict[EffectKey, str] = attrs.Factory(dict)
    formulas: dict[EffectKey, ty.Value] = attrs.Factory(dict)
    homes: dict[str, Home] = attrs.Factory(dict)
    rival_conditions: dict[str, ty.Value] = attrs.Factory(dict)
    ranking: tuple[tuple[bool, ty.Value], ...] = ()
    verdicts: tuple[TypedVerdict, ...] = ()
    guards: dict[str, ty.Value] = attrs.Factory(dict)
    work: int = 0  # rounds and calls between two questions, at the most
    names: int = attrs.field(default=0, eq=False)  # how many new ones it has given out
    failed: set[str] = attrs.Factory(set)  # procedures in which something was reported
    failed_values: set[str] = attrs.Factory(set)

    def fresh(self, name: str) -> str:
        """Return a name for a local that no other local of the program has, or will have."""
        self.names += 1
        return f"{name}~{self.names}"

    def column(self, kind: str, field: str, key: str | None, entry: int | None) -> list[str]:
        """Return the effects that `do FIELD of x at K` may mean; None stands for any."""
        return [
            proc
            for (k, f, e, c), proc in self.effects.items()
            if k == kind
            and f == field
            and (entry is None or e == entry)
            and (key is None or c is None or c == key)
        ]

    def meant(self, node: ty.DoField | ty.CanDo) -> list[str]:
        """Return the effects of which a node means one."""
        fixed = node.subject.value if isinstance(node.subject, ty.Const) else None
        return self.column(node.kind, node.field, self.key_name(node), fixed)

    def key_name(self, node: ty.DoField | ty.CanDo) -> str | None:
        """Return the column of effects that a node means, where it is fixed."""
        per = self.world.kinds[node.kind].fields[node.field].per
        if isinstance(node.key, ty.Const) and node.key.value >= 0 and per is not None:
            return [*self.world.kinds[per].index][node.key.value]
        return None

    def bodies(self, asked: Computed) -> list[ty.Value]:
        """Return what is computed for a value, for the formulas of a field, for the ranking."""
        if asked == RANKING:
            return [value for _, value in self.ranking]
        name, which = asked
        if isinstance(which, int):
            return [self.values[name, which].body] if (name, which) in self.values else []
        return [body for key, body in self.formulas.items() if key[:2] == asked]
