"""W617: comparisons of positions that hold for a thing that is not in the list or stack."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.conditions import MIRRORED, holds
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.check.typed.traits import bindings
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings

_Nodes = tuple[ty.Node, ...]  # of one body
_Order = ty.Cells | ty.Value  # a stack or list
_Member = tuple[ty.Value | str, _Order | None]  # a value or the name of a local, and where it is
MESSAGE = "The position of what is not there is 0: this holds as if it came first."
HELP = "Ask first whether it is there, as in `any x in ... and position of x in ... < 3`."


def absent_position(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report `position of x in L < ...` where x may be absent."""
    program = checked.program
    for nodes in program.node_lists():
        compared = [*_compared(nodes)]
        early = [
            position
            for position, op, other in compared
            if op in {"<", "<="} and not _asks(op, other)
        ]
        present = {*_bound(nodes, program), *_tested(nodes, compared)} if early else set()
        for position in early:
            subject, order = position.subject, _order(position.domain)
            if (_thing(subject), order) not in present and not _listed(subject, order, program):
                findings.report("W617", position.span, MESSAGE, HELP)


def _compared(nodes: _Nodes) -> Iterator[tuple[ty.PositionIn, str, ty.Value]]:
    """Yield the positions in a body with what they are compared to, positions on the left."""
    for node in nodes:
        if isinstance(node, ty.Comparison) and node.op not in {"=", "<>"}:
            sides = (node.left, node.op, node.right), (node.right, MIRRORED[node.op], node.left)
            for one, op, other in sides:
                if isinstance(one, ty.PositionIn) and _order(one.domain) is not None:
                    yield one, op, other


def _asks(op: str, other: ty.Value) -> bool:
    """Return whether `position < other` holds only for what is absent."""
    return isinstance(other, ty.Const) and not holds(op, 1, other.value)


def _order(domain: ty.Domain) -> _Order | None:
    """Return the stack or list of a domain; None if the domain has all elements of its type."""
    base = domain.unfiltered
    if isinstance(base, ty.Lying | ty.EndPieces):
        return base.cells
    return base.values if isinstance(base, ty.ListedEntries) else None


def _tested(
    nodes: _Nodes, compared: list[tuple[ty.PositionIn, str, ty.Value]]
) -> Iterator[_Member]:
    """Yield what a body tests to be in a stack or list."""
    for position, op, other in compared:
        if isinstance(other, ty.Const) and not holds(op, 0, other.value):
            yield _thing(position.subject), _order(position.domain)
    for node in nodes:
        if isinstance(node, ty.MemberOf):
            yield _thing(node.subject), _order(node.domain)


def _bound(nodes: _Nodes, program: Program) -> Iterator[_Member]:
    """Yield the locals of a body that are bound to elements of a stack or list."""
    for node in nodes:
        if isinstance(node, ty.ForEach | ty.SumOf | ty.BestOf | ty.Filtered):
            yield node.variable, _order(node if isinstance(node, ty.Filtered) else node.domain)
        elif isinstance(node, ty.OptionLine) and node.about is not None:
            yield node.about[0], _order(node.about[1])
        elif isinstance(node, ty.SetLocal | ty.LetIn):
            origin = node.value if isinstance(node, ty.SetLocal) else node.bound
            yield from ((node.name, order) for order in _origins(origin, program))


def _thing(value: ty.Value) -> ty.Value | str:
    return value.name if isinstance(value, ty.Local) else value


def _origins(value: ty.Value, program: Program) -> Iterator[_Order | None]:
    """Yield the stack or list that a value is an element of, unless it is none."""
    if isinstance(value, ty.BestOf | ty.RandomOf):
        yield _order(value.domain)
    elif isinstance(value, ty.EndOf):
        yield value.cells
    elif isinstance(value, ty.FirstOf):
        yield value.values
    elif isinstance(value, ty.LetIn):
        yield from _origins(value.inner, program)
    elif isinstance(value, ty.CallValue) and (value.name, value.layer) in program.values:
        called = program.values[value.name, value.layer]
        arguments = dict(bindings(called.params, value.me, value.arguments))
        yield from _origins(ty.substitute_all(called.body, arguments), program)


def _listed(subject: ty.Value, order: _Order | None, program: Program) -> bool:
    """Return whether a thing is in a list of the tables, whichever entry has the list."""
    if not isinstance(order, ty.FieldOf):
        return False
    kind = program.world.kinds[order.kind]
    entries = kind.entries
    if isinstance(order.subject, ty.Const):
        entries = [kind.entries[order.subject.value]]
    of = program.world.kinds.get(subject.type.of)
    indexes = range(0 if of is None else len(of.entries))
    wanted = {subject.value} if isinstance(subject, ty.Const) else {*indexes}
    lists = [entry.values.get((order.field, None)) for entry in entries]
    return all(isinstance(row, tuple) and wanted <= {*row} for row in lists)
