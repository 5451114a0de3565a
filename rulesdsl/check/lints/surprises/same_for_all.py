"""W622: conditions and rankings that do not depend on the candidate."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.attributes import SEATS
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.typed.conditions import atoms, uses
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import NOWHERE

_SAME = "This is the same for every {noun} here: it is not about the one that is looked at."
_SAME_RANK = "This is the same for every {noun} here, so it ranks no {noun} before another."
_OF_IT = "Write `{name} of it`. If it is meant, ask outside: `needs` or `if`."
_OUTSIDE = (
    "A `where` reaches to the end of the condition. Put brackets around what is about the "
    "{plural}, from `any`, `no` or the number on, so that they end before this."
)
_SAME_VALUE = "`{name}` is the same for every seat: what it counts is that of all of them."
_MINE = "Write `my` before what belongs to one of them, or leave the seat out of the declaration."
_RANKED = (
    "If there are several, the outcome is none of them. Rank them by something about `it`, the "
    "one that is looked at."
)


def same_for_all(checked: Checked, _layers: Layered, findings: Findings) -> None:
    """Report parts of a `where`, and rankings by `with`, that do not look at the candidate."""
    world = checked.program.world
    _report_values(checked, findings)
    for node in (node for nodes in checked.program.node_lists() for node in nodes):
        if isinstance(node, ty.Filtered):
            _report_filter(node, world, findings)
        elif isinstance(node, ty.AnyOf) and isinstance(node.domain, ty.Filtered):
            _report_joined(node.domain, world, findings, ty.Or)
        elif isinstance(node, ty.Negation) and isinstance(node.value, ty.AnyOf):
            if isinstance(node.value.domain, ty.Filtered):
                _report_joined(node.value.domain, world, findings, ty.And)
        elif isinstance(node, ty.BestOf):
            noun, _ = _words(node.domain, world)
            for _, key in node.ranking:
                if not uses(key, node.variable) and not isinstance(key, ty.Const):
                    message = _SAME_RANK.format(noun=noun)
                    findings.report("W622", key.span, message, _RANKED)


def _report_values(checked: Checked, findings: Findings) -> None:
    """Report values of a seat that count the pieces of all seats, and nothing of that seat."""
    world = checked.program.world
    for value in checked.program.values.values():
        seats = [param for param in value.params if param.type.family in SEATS]
        if len(seats) != 1 or uses(value.body, seats[0].name):
            continue
        counted = [node for node in ty.walk(value.body) if isinstance(node, ty.Lying)]
        if any(world.pieces[node.piece].owned for node in counted):
            message = _SAME_VALUE.format(name=value.name)
            findings.report("W622", value.body.span, message, _MINE)


def _report_filter(node: ty.Filtered, world: SymbolTable, findings: Findings) -> None:
    of_seats = isinstance(node.unfiltered, ty.AllSeats)
    noun, _ = _words(node, world)
    for atom in atoms(node.condition) if of_seats else _parts(node.condition):
        if uses(atom, node.variable) or atom.span == NOWHERE:
            continue
        name = _noun_of_seat(atom)
        if of_seats and name is not None:
            findings.report("W622", atom.span, _SAME.format(noun=noun), _OF_IT.format(name=name))
        elif not of_seats and _counts(atom):
            _report_outside(atom, node, world, findings)


def _report_joined(
    node: ty.Filtered, world: SymbolTable, findings: Findings, joined: type[ty.And | ty.Or]
) -> None:
    """Report other parts of a `where`, if brackets before the `and` or `or` change the meaning.

    That is an `or` after `any ... where`, and an `and` after `no ... where`.
    """
    condition = node.condition
    if isinstance(node.unfiltered, ty.AllSeats) or not isinstance(condition, joined):
        return
    for part in condition.parts:
        if not uses(part, node.variable) and part.span != NOWHERE and not _counts(part):
            _report_outside(part, node, world, findings)


def _report_outside(
    part: ty.Value, node: ty.Filtered, world: SymbolTable, findings: Findings
) -> None:
    noun, plural = _words(node, world)
    help_text = _OUTSIDE.format(plural=plural)
    findings.report("W622", part.span, _SAME.format(noun=noun), help_text)


def _counts(condition: ty.Value) -> bool:
    return any(isinstance(part, ty.AnyOf | ty.CountOf) for part in ty.walk(condition))


def _parts(condition: ty.Value) -> Iterator[ty.Value]:
    """Yield the operands of `and` and `or`."""
    for atom in atoms(condition):
        if isinstance(atom, ty.Or):
            for part in atom.parts:
                yield from _parts(part)
        else:
            yield atom


def _words(domain: ty.Domain, world: SymbolTable) -> tuple[str, str]:
    """Return the noun and the plural for the elements of a domain."""
    kind = domain.element
    info = world.pieces.get(kind.of) or world.kinds.get(kind.of)
    if info is None:
        return ("player", "players") if kind.family in SEATS else ("thing", "things")
    return info.name, info.plural


def _noun_of_seat(condition: ty.Value) -> str | None:
    """Return the name of the first flag, track, place or value of a seat in a condition."""
    for node in ty.walk(condition):
        name, owners = _owned(node)
        if any(isinstance(owner, ty.Local) and owner.type.family in SEATS for owner in owners):
            return name
    return None


def _owned(node: ty.Node) -> tuple[str, tuple[ty.Value | None, ...]]:
    if isinstance(node, ty.FlagCell):
        return node.flag, node.dims
    if isinstance(node, ty.TrackCell):
        return node.track, node.dims
    if isinstance(node, ty.Cells):
        return node.place, node.dims
    return (node.name, node.arguments) if isinstance(node, ty.CallValue) else ("", ())
