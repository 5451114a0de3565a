"""Help for names that are declared, and used as what they are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.types import a_or_an

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


def known_as(name: str, world: World) -> tuple[str, str] | None:
    """Return what a name stands for that does not fit where it is, and how it is used.

    None for a name that nothing declares.
    """
    singular = world.singular(name)
    counter = world.counter(name)
    owners = world.owners.get(name, ())
    if singular in world.places:
        place = world.places[singular]
        whose = "my " if place.dims in {("seat",), ("player",)} else ""
        return (
            f"`{name}` is a place, not a value.",
            f"Ask what is there, for example `any ... in {whose}{name}`.",
        )
    if singular in world.pieces:
        plural = world.pieces[singular].plural
        return f"`{name}` could be anywhere.", f"Say where they are: `{plural} in ...`."
    if counter is not None:
        return _counter(name, counter.dims)
    if name in world.values:
        return _value(name, world)
    if name in world.procs:
        what = "verb" if world.procs[name][0].verb else "step"
        return f"`{name}` is a {what}.", "A statement begins with it."
    if name in world.constants or name in world.options:
        what = "an option" if name in world.options else "a number or a table"
        return f"`{name}` is {what}, which belongs to nothing.", f"Write `{name}` by itself."
    if singular in world.kinds:
        kind = world.kinds[singular]
        return f"`{name}` is a kind of things.", f"Name one of them, or ask for `a {kind.name}`."
    if owners:
        return _entry(name, owners[0], world)
    use = help_to_use(name, world)
    if use:
        said, _, way = use.partition(" Say")
        return said, f"Say{way}"
    return None


def _counter(name: str, dims: tuple[str, ...]) -> tuple[str, str]:
    if dims:
        return (
            f"`{name}` is kept per {' per '.join(dims)}.",
            f"Say whose it is: `my {name}`, or `{name} of ...`.",
        )
    return f"`{name}` is there only once.", f"Write `{name}` by itself."


def _value(name: str, world: World) -> tuple[str, str]:
    params = world.values[name].params
    if params:
        wanted = " and ".join(str(param.type) for param in params)
        return f"`{name}` is a value of {wanted}.", f"Say of what: `{name} of ...`."
    return f"`{name}` is a value of nothing in particular.", f"Write `{name}` by itself."


def _entry(name: str, kind: str, world: World) -> tuple[str, str]:
    if world.kinds[kind].role != "piece":
        return f"`{name}` is one of the {world.kinds[kind].plural}.", ""
    one = f"`{a_or_an(kind)} in ... where it = {name}`"
    return (
        f"`{name}` is a sort of {kind}.",
        f"Write `{kind}` for all sorts, or ask for one: {one}.",
    )
