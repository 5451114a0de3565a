"""A verifier of checked programs: they must satisfy the assumptions of the generators.

The table lists the assumptions about each kind of node. `verify` checks a whole program against
it, and checks that every local is bound before it is read.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.secrecy.information_flow import annotate
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.check.typed.traits import TRAITS, Capability, uses

Presumed = tuple[str, Callable[[Any, "Program"], bool]]


_THINGS = {"entry", "seat", "player"}  # that have a position: see the resolver of attributes


class UnsoundError(AssertionError):
    """A program that a back end cannot take."""


# -------------------------------------------------------------------- what can be presumed
SEATED = frozenset({"seat", "player"})


def _values(found: object) -> Iterator[ty.Value]:
    if isinstance(found, ty.Typed):
        yield found  # type: ignore[misc] # asked of slots that hold values alone
    elif isinstance(found, tuple):
        for each in found:
            yield from _values(each)


def _things(slot: str, use: Capability) -> Presumed:
    return f"{slot} can be {use.value}", lambda n, p: use in uses(p.world, getattr(n, slot))


def _of(family: str, *slots: str) -> Presumed:
    def holds(node: object, _: Program) -> bool:
        kinds = [each.type for slot in slots for each in _values(getattr(node, slot))]
        return all(kind.family == family and not kind.maybe for kind in kinds)

    return f"{', '.join(slots)}: {family}", holds


def _counted(node: ty.Arith, _: Program) -> bool:
    """Return whether both operands are numbers; 1 may also be added to the index of a thing."""
    families = {"number"} | (_THINGS if node.op == "+" and node.right == ty.Const(1) else set())
    each = node.left.type
    return each.family in families and not each.maybe and node.right.type.family == "number"


def _there(*slots: str) -> Presumed:
    def holds(node: object, _: Program) -> bool:
        return not any(v.type.maybe for slot in slots for v in _values(getattr(node, slot)))

    return f"{', '.join(slots)}: never none", holds


def _cells(slot: str) -> Presumed:
    def holds(node: Any, program: Program) -> bool:  # noqa: ANN401 - of several kinds
        domain = getattr(node, "domain", None)
        piece = domain.element.of if domain is not None else node.piece
        return piece in program.world.places[getattr(node, slot).place].holds

    return f"{slot} can hold the pieces", holds


def _dims(table: str, slot: str) -> Presumed:
    def holds(node: Any, program: Program) -> bool:  # noqa: ANN401 - of several kinds
        info = getattr(program.world, table)[getattr(node, slot)]
        fitting = zip(info.dims, node.dims, strict=False)
        return len(info.dims) == len(node.dims) and all(_fits(*each, program) for each in fitting)

    return "its dimensions are those declared", holds


def _fits(dim: str, value: ty.Value | None, program: Program) -> bool:
    if value is None:
        return True
    kind = value.type
    if dim in SEATED:
        return kind.family in SEATED and not kind.maybe
    info = program.world.pieces.get(dim)
    if info is not None and info.owned and info.style == "single" and kind.family in SEATED:
        return not kind.maybe  # each seat has one: it is told by the number of its seat
    return kind.of == dim and kind.family in {"entry", "piece", "list"} and not kind.maybe


def _called(node: ty.Run | ty.Can, program: Program) -> bool:
    proc = program.procs.get(node.proc)
    return proc is not None and _given(proc.params, node.arguments)


def _computed(node: ty.CallValue, program: Program) -> bool:
    found = program.values.get((node.name, node.layer))
    return found is not None and _given(found.params, node.arguments)


def _given(params: tuple[ty.Local, ...], given: tuple[ty.Value, ...]) -> bool:
    return len(params) == len(given) and not any(
        each.type.maybe and not param.type.maybe for param, each in zip(params, given, strict=True)
    )


def _column(node: Any, program: Program) -> bool:  # noqa: ANN401 - of several kinds
    field = program.world.kinds[node.kind].fields.get(node.field)
    return field is not None and (field.per is None) == (node.key is None)


def _line(line: ty.OptionLine, program: Program) -> bool:
    return line.domain is None or Capability.LIST in uses(program.world, line.domain)


_CALLED: Presumed = ("the procedure is there, with as many parameters", _called)
_COLUMN: Presumed = ("the field is there, with a column where it has several", _column)
_FIELD = (_COLUMN, _there("subject", "key"))
_MOVE = (_cells("target"), ("its target is one cell", lambda n, _: n.target.one))

PRESUMED: dict[type, tuple[Presumed, ...]] = {
    # domains and what is computed of them
    ty.Filtered: (_things("base", Capability.LIST), _of("yes-no", "condition")),
    ty.Lying: (_cells("cells"),),
    ty.EndPieces: (_cells("cells"), ("one stack", lambda n, _: n.cells.one)),
    ty.EndOf: (_cells("cells"), ("one stack", lambda n, _: n.index is not None or n.cells.one)),
    ty.Cells: (_dims("places", "place"),),
    ty.NumberRange: (_of("number", "low", "high"),),
    ty.CountOf: (_things("domain", Capability.COUNT),),
    ty.AnyOf: (_things("domain", Capability.COUNT),),
    ty.MemberOf: (_things("domain", Capability.MEMBER),),
    ty.PositionIn: (_things("domain", Capability.ORDER), _there("subject")),
    ty.SumOf: (_things("domain", Capability.LIST), _of("number", "amount")),
    ty.BestOf: (_things("domain", Capability.LIST),),
    ty.FirstOf: (_of("list", "values"), _of("yes-no", "condition")),
    ty.RandomOf: (_things("domain", Capability.LIST),),
    # values
    ty.And: (_of("yes-no", "parts"),),
    ty.Or: (_of("yes-no", "parts"),),
    ty.Negation: (_of("yes-no", "value"),),
    ty.Arith: (("left, right: numbers, or a thing that is counted from 1", _counted),),
    ty.Chart: (_of("number", "key"),),
    ty.TrackCell: (_dims("tracks", "track"),),
    ty.FlagCell: (_dims("flags", "flag"),),
    ty.CallValue: (("the value is there, with as many parameters", _computed),),
    ty.Can: (_CALLED,),
    **dict.fromkeys((ty.FieldOf, ty.HasEffect, ty.FieldFormula, ty.CanDo, ty.DoField), _FIELD),
    ty.OwnerOf: (_there("subject"),),
    ty.Located: (
        _there("subject"),
        ("held", lambda n, p: n.piece in p.world.places[n.place].holds),
    ),
    # steps
    ty.Require: (_of("yes-no", "condition"),),
    ty.Run: (_CALLED,),
    ty.OptionLine: (("its things can be listed", _line),),
    ty.Secretly: (_things("domain", Capability.LIST),),
    ty.ForEach: (_things("domain", Capability.LIST),),
    ty.RepeatTimes: (_of("number", "times"), _of("yes-no", "until")),
    ty.MoveCounted: (_cells("source"), *_MOVE, _of("number", "amount")),
    ty.MoveSingle: (*_MOVE, _there("subject")),
    ty.MovePrinted: _MOVE,
    ty.MoveSome: (*_MOVE, _things("domain", Capability.MOVE), _of("number", "amount")),
    ty.ChangeTrack: (_dims("tracks", "track"), _of("number", "amount")),
    ty.SetFlag: (_dims("flags", "flag"),),
    ty.ShiftPiece: (_there("subject"), _of("number", "amount")),
    ty.Peek: (_things("domain", Capability.LOOK),),
}


# -------------------------------------------------------------------- going through a program
class _Verifier:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.where = ""

    def presume(self, node: object) -> None:
        """Raise UnsoundError if a node violates an assumption about its kind."""
        for what, holds in PRESUMED.get(type(node), ()):
            if not holds(node, self.program):
                self.fail(f"{what}: not so in {node}")

    def fail(self, what: str) -> None:
        message = f"{self.where}: {what}"
        raise UnsoundError(message)

    def visit(self, node: ty.Node, bound: frozenset[str]) -> frozenset[str]:
        """Verify a node, given the locals bound before it; return those bound after it."""
        self.presume(node)
        if isinstance(node, ty.StepNode):
            self.revealed(node.reveals, bound)
        facts = TRAITS[type(node)]
        if isinstance(node, ty.Local) and node.name not in bound:
            self.fail(f"`{node.name}` is read before it is bound")
        if twice := bound.intersection(facts.within(node)):
            self.fail(f"{sorted(twice)} is bound around {node} already")
        inner = bound.union(facts.within(node))
        for part in ty.children(node):
            around = self._around(node, part, bound)
            after = self.visit(part, inner if around is None else around)
            inner = after if isinstance(node, ty.Block) else inner
        if isinstance(node, ty.Block):
            self.revealed(node.reveals_at_end, inner)
            return inner
        return bound.union(facts.binds(node))

    def revealed(self, conditions: Iterable[ty.Value], bound: frozenset[str]) -> None:
        """Verify the values that a step reveals; locals that they bind may be bound already."""
        for each in conditions:
            own = (name for e in ty.walk(each) for name in TRAITS[type(e)].within(e))
            self.visit(each, bound.difference(own))

    def _around(
        self, node: ty.Node, part: ty.Node, bound: frozenset[str]
    ) -> frozenset[str] | None:
        """Return the locals bound around a part outside its node's scope, or None."""
        if isinstance(node, ty.Secretly):  # whose things each chooses from may be their own
            return bound.union([node.me]) if part is node.domain else None
        return bound if isinstance(part, ty.DomainNode) else None

    def all(self, nodes: Iterable[ty.Node], bound: frozenset[str]) -> frozenset[str]:
        for each in nodes:
            bound = self.visit(each, bound)
        return bound


def verify(program: Program) -> None:
    """Raise UnsoundError for a program that violates the generators' assumptions."""
    verifier = _Verifier(program)
    me = frozenset({"me"})
    for key, proc in program.procs.items():
        verifier.where = key
        verifier.visit(proc.body, me.union(each.name for each in proc.params))
    for (name, layer), value in program.values.items():
        verifier.where = f"{name} {layer}"
        acts = [value.me.name] if isinstance(value.me, ty.Local) else []
        verifier.visit(value.body, frozenset([*acts, *(each.name for each in value.params)]))
    for key, guard in program.guards.items():
        verifier.where = f"guard of {key}"
        params = program.procs[key].params
        verifier.visit(guard, me.union(each.name for each in params))
    for formula in program.formulas.values():
        verifier.visit(formula, me)
    verifier.where = "the end"
    verifier.all([value for _, value in program.ranking], me)


def annotate_and_verify(checked: Checked) -> Program:
    """Annotate a checked program and verify it."""
    program = annotate(checked)
    verify(program)
    return program
