"""Names: words that a phrase mentions, hints for misplaced ones, and constant numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.symbol_table import (
    KindInfo,
)
from rulesdsl.check.symbols.types import a_or_an
from rulesdsl.check.typed.conditions import holds
from rulesdsl.source.tree import walk
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.node import MAX_NUMBER, Identifier

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from rulesdsl.check.symbols.symbol_table import SymbolTable


def mentions(node: object) -> frozenset[str]:
    """Return all names in a node."""
    return frozenset(word.text for word in words_in(node))


def words_in(node: object) -> Iterator[Identifier]:
    """Yield all names in a node with their spans."""
    for each in walk(node):
        if isinstance(each, Identifier):
            yield each
        elif isinstance(each, ex.Name | ex.My):
            yield Identifier(each.name, span=each.span)


def calls(node: object, verb: str) -> bool:
    """Return whether a node calls a verb or step of this name."""
    return any(isinstance(each, st.Call) and each.verb.text == verb for each in walk(node))


def constant_number(expr: ex.Expr, world: SymbolTable) -> int | None:
    """Evaluate a constant expression; None if it is not constant."""
    if isinstance(expr, ex.Number):
        return expr.value
    if isinstance(expr, ex.Name):
        found = world.constants.get(expr.name)
        if isinstance(found, int):
            world.constants_used.add(expr.name)
            return found
    if isinstance(expr, ex.Arithmetic):
        left = constant_number(expr.left, world)
        right = constant_number(expr.right, world)
        if left is not None and right is not None:
            found = _compute(expr.op, left, right)
            return None if found is None or abs(found) > MAX_NUMBER else found
    return None


def _compute(op: str, left: int, right: int) -> int | None:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left // right if right else None


def fixed(value: ty.Value, players: int, options: Mapping[str, int]) -> int | None:
    """Evaluate a value from players and options; None if it needs anything else."""
    if isinstance(value, ty.Const):
        return value.value
    if isinstance(value, ty.Seats) and value.players:
        return players
    if isinstance(value, ty.SettingValue):
        return options[value.option]
    if not isinstance(value, ty.Negation | ty.And | ty.Or | ty.Comparison | ty.Arith):
        return None
    parts = [fixed(each, players, options) for each in ty.children(value)]  # type: ignore[arg-type]
    known = [each for each in parts if each is not None]
    return _of_fixed(value, known) if len(known) == len(parts) else None


def _of_fixed(
    value: ty.Negation | ty.And | ty.Or | ty.Comparison | ty.Arith, parts: list[int]
) -> int | None:
    match value:
        case ty.Negation():
            return int(not parts[0])
        case ty.And():
            return int(all(parts))
        case ty.Or():
            return int(any(parts))
        case ty.Comparison(op=op):
            return int(holds(op, *parts))
        case ty.Arith(op="min"):
            return min(parts)
        case ty.Arith(op="max"):
            return max(parts)
        case ty.Arith(op=op):
            return _compute(op, *parts)


DONE = {"effect", "automatic"}


def help_to_hook(name: str, world: SymbolTable) -> str:
    """Return the advice for a hook on a field or price, which have no hooks; else ""."""
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


def help_to_use(name: str, world: SymbolTable) -> str:
    """Return the advice on the notation of a field; "" if no field has the name."""
    kind = _kind_with(name, world)
    if kind is None:
        return ""
    field = kind.fields[name]
    use = f"{name} of ..." + (" at ..." if field.per else "")
    if field.type in DONE:
        use = f"do {use}"
    return f"`{name}` is a field of {kind.name}. Say of which: `{use}`."


def _kind_with(name: str, world: SymbolTable) -> KindInfo | None:
    return next((kind for kind in world.kinds.values() if name in kind.fields), None)


def known_as(name: str, world: SymbolTable) -> tuple[str, str] | None:
    """Return message and advice for a declared name in the wrong context; None if undeclared."""
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


def sort_of(name: str, world: SymbolTable) -> str | None:
    """Return the sort of a declared name, such as `a place`; None if undeclared."""
    singular = world.singular(name)
    tables: dict[str, Container[str]] = {
        "a place": world.places,
        "a piece": world.pieces,
        "a track": world.tracks,
        "a kind of things": world.kinds,
    }
    plain: dict[str, Container[str]] = {
        "a flag": world.flags,
        "a value": world.values,
        "an option": world.options,
        "a named number": world.constants,
    }
    found = [sort for sort, table in tables.items() if singular in table]
    found += [sort for sort, table in plain.items() if name in table]
    if name in world.procs:
        found.append("a verb" if world.procs[name][0].verb else "a step")
    for kind in map(world.kinds.__getitem__, world.owners.get(name, ())):
        printed = kind.role == "piece"
        found.append(f"a sort of {kind.name}" if printed else f"one of the {kind.plural}")
    holder = _kind_with(name, world)
    if holder is not None:
        found.append(f"a field of {holder.name}")
    return next(iter(found), None)


def _counter(name: str, dims: tuple[str, ...]) -> tuple[str, str]:
    if dims:
        return (
            f"`{name}` is kept per {' per '.join(dims)}.",
            f"Say whose it is: `my {name}`, or `{name} of ...`.",
        )
    return f"`{name}` is there only once.", f"Write `{name}` by itself."


def _value(name: str, world: SymbolTable) -> tuple[str, str]:
    params = world.values[name].params
    if params:
        wanted = " and ".join(str(param.type) for param in params)
        return f"`{name}` is a value of {wanted}.", f"Say of what: `{name} of ...`."
    return f"`{name}` is a single value.", f"Write `{name}` by itself."


def _entry(name: str, kind: str, world: SymbolTable) -> tuple[str, str]:
    if world.kinds[kind].role != "piece":
        return f"`{name}` is one of the {world.kinds[kind].plural}.", ""
    one = f"`{a_or_an(kind)} in ... where it = {name}`"
    return (
        f"`{name}` is a sort of {kind}.",
        f"Write `{kind}` for all sorts, or ask for one: {one}.",
    )
