"""Dead code: a local that nobody reads is not set, and what does nothing is not there.

The slots of a machine lie in its frame, where saved games and labels read them: they stay.
Liveness is found backwards, in one go, as jumps only lead forward within a body; a loop is gone
through twice, as what its end leaves is read at its begin.

    v := price()                if ready
    if ready                        push &found me
        push &found me
    if other
        v := 2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import bound_by, locals_of
from rulesdsl.lower.fold import negated

if TYPE_CHECKING:
    from collections.abc import Collection

_LEAVE = (fl.Return, fl.Finish, fl.Goto, fl.Enter, fl.Leave, fl.Ask)


def remove_dead_code(flat: fl.Flat) -> None:
    """Remove dead code from all functions and machines."""
    for name, function in flat.functions.items():
        body, _ = _Living(frozenset()).body(function.body, set(), set())
        flat.functions[name] = attrs.evolve(function, body=body)
    for name, machine in flat.machines.items():
        living = _Living(frozenset(machine.slots))
        blocks = tuple(living.body(block, set(), set())[0] for block in machine.blocks)
        flat.machines[name] = attrs.evolve(machine, blocks=blocks)


@attrs.frozen
class _Living:
    """Finds what is read later; `slots` always are."""

    slots: Collection[str]

    def body(self, body: fl.Body, after: set[str], broken: set[str]) -> tuple[fl.Body, set[str]]:
        """Return what is left of a body and which locals live in front of it.

        `after` are those that live after the body, `broken` those after the loop around it.
        """
        live = set(after)
        found: list[fl.Stmt] = []
        for stmt in reversed(body):
            left, live = self.stmt(stmt, live, broken)
            if left is not None:
                found.append(left)
        return tuple(reversed(found)), live

    def stmt(
        self, stmt: fl.Stmt, after: set[str], broken: set[str]
    ) -> tuple[fl.Stmt | None, set[str]]:
        match stmt:
            case fl.If(condition=condition, yes=yes, no=no):
                yes, live_yes = self.body(yes, after, broken)
                no, live_no = self.body(no, after, broken)
                if not yes and not no:
                    return None, after
                if not yes:
                    condition, yes, no = negated(condition), no, ()
                live = live_yes | live_no | locals_of(condition)
                return attrs.evolve(stmt, condition=condition, yes=yes, no=no), live
            case fl.For(local=local, source=source, body=inner):
                _, again = self.body(inner, after, after)
                inner, live = self.body(inner, after | again, after)
                if not inner:
                    return None, after
                live = (live - {local}) | after | locals_of(source)
                return attrs.evolve(stmt, body=inner), live
            case fl.Set(local=local) if local not in after and local not in self.slots:
                return None, after
            case fl.Break():
                return stmt, set(broken)
            case _:
                live = set() if isinstance(stmt, _LEAVE) else after - bound_by(stmt)
                return stmt, live | locals_of(stmt)
