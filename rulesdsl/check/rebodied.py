"""A world with other bodies of verbs, steps and hooks: nothing else of it has to be filled again.

Most edits are within a body.  Filling a world puts bodies in their places and does not look into
them, but for three things: texts in them that others replace, names in them that are words of the
language, and whether what replaces a verb calls it.  Where one of these is at stake, a world is
filled from the beginning.
"""

from __future__ import annotations

from operator import is_not
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from rulesdsl.check.declare.reserved import has_words
from rulesdsl.check.sameness import same
from rulesdsl.syntax import declarations as de

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.check.world import ProcInfo, World

_Bodied: TypeAlias = de.ProcedureDecl | de.HookDecl


def rebodied(world: World, old: Sequence[de.Decl], new: Sequence[de.Decl]) -> World | None:
    """Return a world that was filled from some declarations, as others would fill it.

    `None` where more than bodies differs.
    """
    if len(old) != len(new):
        return None
    retold = {each.header.name.text for each in new if isinstance(each, de.TextHookDecl)}
    procs = dict(world.procs)
    for before, now in zip(old, new, strict=True):
        if is_not(before, now):
            if not isinstance(before, _Bodied) or not isinstance(now, _Bodied):
                return None
            name = now.header.name.text
            if name in retold or not _is_like(before, now):
                return None
            found = [_with(info, before, now) for info in procs.get(name, ())]
            if sum(map(is_not, found, procs.get(name, ()))) != 1:
                return None
            procs[name] = found
    return attrs.evolve(world, procs=procs)


def _is_like(before: _Bodied, now: _Bodied) -> bool:
    """Tell whether two declarations differ in nothing but bodies that are only put in places."""
    changed: Any = before
    return (
        not (isinstance(now, de.HookDecl) and now.time == "instead of")
        and not has_words(before)
        and not has_words(now)
        and same(attrs.evolve(changed, body=now.body, span=now.span), now)
    )


def _with(info: ProcInfo, before: _Bodied, now: _Bodied) -> ProcInfo:
    """Return a verb or step with the new body in the place of that before, if it has that."""
    if isinstance(now, de.ProcedureDecl):
        return attrs.evolve(info, body=now.body) if same(info.body, before.body) else info
    hooks = [
        attrs.evolve(each, body=now.body, span=now.span) if same(each.body, before.body) else each
        for each in info.hooks
    ]
    changed = any(map(is_not, hooks, info.hooks))
    return attrs.evolve(info, hooks=hooks) if changed else info
