"""What to do where the name of a field is written as if it were a value or a verb."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesdsl.check.world import KindInfo, World

DONE = {"effect", "automatic"}


def help_to_hook(name: str, world: World) -> str:
    """Return how a field or price can be changed, for those who hook on it; else nothing."""
    if name in world.constants:
        return (
            f"`{name}` is a price or a chart; hooks change only single numbers. For everybody, "
            "change it in a table of the mod; for some, hook the verb that uses it."
        )
    kind = _kind_with(name, world)
    if kind is None:
        return ""
    where = f"in a table `{kind.table}` of the mod" if kind.table else f"with `{kind.name} ...:`"
    return (
        f"`{name}` is a field of {kind.name}, and hooks do not change fields. For everybody, "
        f"change it {where}; for some, hook the verb that uses it, or what that verb does."
    )


def help_to_use(name: str, world: World) -> str:
    """Return how a field is asked for or done; empty if there is none of that name."""
    kind = _kind_with(name, world)
    if kind is None:
        return ""
    field = kind.fields[name]
    use = f"{name} of ..." + (" at ..." if field.per else "")
    if field.type in DONE:
        use = f"do {use}"
    return f"`{name}` is a field of {kind.name}. Say of which: `{use}`."


def _kind_with(name: str, world: World) -> KindInfo | None:
    return next((kind for kind in world.kinds.values() if name in kind.fields), None)
