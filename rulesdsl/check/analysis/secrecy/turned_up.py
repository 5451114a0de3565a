"""Hidden things that rules turn up in the act in which something is written about them.

A thing is turned up for the readers of a step if every way through the step leads through a show,
or a move into the open, of the same thing: before the step, and unchanged since then; or after it,
before anybody is asked anything. The act may begin in the callers, if all of them do so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.call_graph import Graph
from rulesdsl.check.analysis.prover import Effects
from rulesdsl.check.symbols.types import PLAYER
from rulesdsl.check.typed.conditions import uses
from rulesdsl.check.typed.program import Eyes, Program
from rulesdsl.check.typed.traits import TRAITS, bindings

_SELECTION = ty.Lying | ty.EndPieces | ty.EndOf | ty.Filtered
_PLAYERS = ty.AllSeats(players=True, element=PLAYER)


@attrs.frozen
class _Thing:
    """Hidden piece, selection or counter, and the seats that must see it.

    It is one for each element of the domains `over` which locals in it range.
    """

    node: ty.Node
    readers: Eyes
    over: Mapping[str, ty.Domain] = attrs.Factory(dict)
    is_kept: bool = True  # nothing between an earlier show and the step changes it
    is_next: bool = True  # nobody is asked, and nothing changes it, between the step and a show
    is_urgent: bool = False  # it must be shown before anybody is asked


class TurnedUp:
    """Search for the shows of hidden things around the steps that tell about them."""

    def __init__(self, program: Program, graph: Graph) -> None:
        self._program, self._graph, self._effects = program, graph, Effects(program)
        self._callers: defaultdict[str, list[tuple[str, ty.Step]]] = defaultdict(list)
        for caller, calls in graph.calls.items():
            for callee, step in calls:
                # calls from scenarios are not part of the game
                if caller in graph.reachable or callee not in graph.reachable:
                    self._callers[callee].append((caller, step))
        self._paths: dict[str, dict[int, list[tuple[ty.Step, ty.Block, int]]]] = {}

    def is_open(
        self,
        proc: str,
        step: ty.Step,
        node: ty.Node,
        readers: Eyes,
        over: Mapping[str, ty.Domain],
    ) -> bool:
        """Return whether a hidden thing is turned up for readers wherever a step is carried out.

        It is one for each element of the domains `over` which locals in it range.
        """
        thing = _Thing(self._original(proc, node), readers, over)
        return self._is_shown_around(proc, step, thing)

    def _is_shown_around(self, proc: str, step: ty.Step, thing: _Thing) -> bool:
        return self._shows(proc, step, thing) or self._is_open(proc, step, thing)

    def _is_open(  # noqa: C901 - inside, before, after, around
        self, proc: str, step: ty.Step, thing: _Thing
    ) -> bool:
        for container, _, _ in self._path(proc, step):
            if isinstance(container, ty.ForEach) and self._covers(proc, container.domain, thing):
                piece = ty.Local(container.variable, type=container.domain.element)
                if self._is_shown_around(proc, step, attrs.evolve(thing, node=piece)):
                    return True
        for container, block, at in self._path(proc, step):
            before, after = reversed(block.steps[:at]), block.steps[at + 1 :]
            for other in before if thing.is_kept else ():
                if self._shows(proc, other, thing):
                    return True
                seats = _bound_seats(other, thing.node)
                if self._changes(other, thing) or seats is None:
                    thing = attrs.evolve(thing, is_kept=False)
                    break
                thing = attrs.evolve(thing, over={**thing.over, **seats})
            for other in after if thing.is_next else ():
                if self._shows(proc, other, attrs.evolve(thing, is_urgent=True)):
                    return True
                if self._changes(other, thing) or self._graph.asks(other):
                    thing = attrs.evolve(thing, is_next=False)
                    break
            thing = self._outside(container, block, thing)
        callers = self._callers[proc]
        inside = (self._in_caller(proc, call, thing) for _, call in callers)
        return bool(callers) and all(
            outer is not None and self._is_open(caller, call, outer)
            for (caller, call), outer in zip(callers, inside, strict=True)
        )

    def _path(self, proc: str, step: ty.Step) -> list[tuple[ty.Step, ty.Block, int]]:
        """Return the blocks around a step, from the inside, each with the step that has it."""
        if proc not in self._paths:
            self._paths[proc] = paths = {}
            body = self._program.procs[proc].block
            todo: list[tuple[ty.Step, list[tuple[ty.Step, ty.Block, int]]]] = [(body, [])]
            while todo:
                outer, path = todo.pop()
                for block in _blocks(outer):
                    for at, inner in enumerate(block.steps):
                        paths[id(inner)] = [(outer, block, at), *path]
                        todo.append((inner, paths[id(inner)]))
        return self._paths[proc].get(id(step), [])

    def _outside(self, container: ty.Step, block: ty.Block, thing: _Thing) -> _Thing:
        """Return what must be turned up for all rounds of a loop, outside of it."""
        bound = dict(_bound(container))
        inside = [name for name in bound if uses(thing.node, name)]
        if isinstance(container, ty.ForEach | ty.Secretly):
            over = {**thing.over, **{name: bound[name] for name in inside}}
            changing = self._effects.writes(block)
            for name in inside:
                if isinstance(bound[name].unfiltered, ty.AllSeats):  # other rounds, other seats
                    changing &= self._effects.elsewhere([block], name)
            changes = bool(changing & self._reads(thing))
            thing = attrs.evolve(thing, over=over)
        elif isinstance(container, ty.RepeatTimes) or getattr(container, "again", False):
            changes = self._changes(block, thing)
        else:
            return attrs.evolve(thing, is_kept=False, is_next=False) if inside else thing
        return attrs.evolve(
            thing,
            is_kept=thing.is_kept and not changes,
            is_next=thing.is_next and not changes and not self._graph.asks(block),
        )

    def _in_caller(self, proc: str, call: ty.Step, thing: _Thing) -> _Thing | None:
        """Return a thing in the words of a caller, or None if it has none for it."""
        params = self._program.procs[proc].params
        arguments = call.arguments if isinstance(call, ty.Run) else ()
        assert isinstance(call, ty.Run | ty.DoField)
        values = dict(bindings(params, call.me, arguments))
        free = {part.name for part in ty.walk(thing.node) if isinstance(part, ty.Local)}
        if not free - thing.over.keys() <= values.keys():
            return None
        readers = thing.readers and frozenset(
            value.name if isinstance(value := values.get(name), ty.Local) else f"^{name}"
            for name in thing.readers
        )
        replaced = {name: value for name, value in values.items() if name not in thing.over}
        node = ty.substitute_all(thing.node, replaced)
        return attrs.evolve(thing, node=node, readers=readers)

    # ---------------------------------------------------------------- shows
    def _shows(self, proc: str, step: ty.Step, thing: _Thing) -> bool:  # noqa: C901 - one case a step
        """Return whether a step certainly turns a thing up for its readers, and leaves it so."""
        if not isinstance(step, ty.MovePrinted | ty.MoveSome) and self._changes(step, thing):
            return False
        if isinstance(step, ty.Peek):
            subject = step.subject or step.domain
            return _reads_it(step.to, thing) and self._covers(proc, subject, thing)
        if isinstance(step, ty.ShowCell):
            return _reads_it(step.to, thing) and not thing.over and _same(step.cell, thing.node)
        if isinstance(step, ty.MovePrinted | ty.MoveSome):
            if isinstance(step, ty.MoveSome) and step.amount is not None:
                return False
            moved = step.subject if isinstance(step, ty.MovePrinted) else step.domain
            return self._lies_open(step.target, thing) and self._covers(proc, moved, thing)
        if isinstance(step, ty.Run | ty.DoField):
            callees = self._graph.called(step)
            inner = [self._in_callee(callee, step, thing) for callee in callees]
            return bool(inner) and all(
                part is not None and self._shows(callee, self._program.procs[callee].block, part)
                for callee, part in zip(callees, inner, strict=True)
            )
        if isinstance(step, ty.Block):
            return self._is_shown_in(proc, step, thing)
        if isinstance(step, ty.ForEach | ty.Secretly):
            return any(
                self._shows(proc, step.block, part) for part in self._in_turn(proc, step, thing)
            )
        if isinstance(step, ty.Branching) and len(step.branches) == 1:
            condition, block = step.branches[0]
            tested = condition.value if isinstance(condition, ty.IsSome) else None
            if _same(tested, thing.node) or (
                isinstance(condition, ty.AnyOf) and self._covers(proc, condition.domain, thing)
            ):
                return self._shows(proc, block, thing)
        is_sure = isinstance(step, ty.Branching | ty.WhereAble) or (
            isinstance(step, ty.Decide) and step.stop is None and bool(_blocks(step))
        )
        return is_sure and all(self._shows(proc, block, thing) for block in _blocks(step))

    def _is_shown_in(self, proc: str, block: ty.Block, thing: _Thing) -> bool:
        for step in block.steps:
            if self._shows(proc, step, thing):
                return True
            if thing.is_urgent and self._graph.asks(step):
                return False
        return False

    def _in_turn(
        self, proc: str, step: ty.ForEach | ty.Secretly, thing: _Thing
    ) -> Iterator[_Thing]:
        """Yield what a loop must show in every round to show all of a thing."""
        if isinstance(step, ty.ForEach) and self._covers(proc, step.domain, thing):
            yield attrs.evolve(thing, node=ty.Local(step.variable, type=step.domain.element))
        for name, domain in _bound(step):
            for var, outer in {**_seats_in(thing.node), **thing.over}.items():
                if _includes(domain, outer):
                    over = {other: thing.over[other] for other in thing.over if other != var}
                    node = _renamed(thing.node, {var: name})
                    yield attrs.evolve(thing, node=node, over=over)

    def _in_callee(self, callee: str, step: ty.Run | ty.DoField, thing: _Thing) -> _Thing | None:
        params = self._program.procs[callee].params
        arguments = step.arguments if isinstance(step, ty.Run) else ()
        names = {"me": step.me} | dict(bindings(params, step.me, arguments))
        free = {part.name for part in ty.walk(thing.node) if isinstance(part, ty.Local)}
        locals_ = {
            value.name: name for name, value in names.items() if isinstance(value, ty.Local)
        }
        if thing.over or not free <= locals_.keys():
            return None
        readers = thing.readers and frozenset(
            locals_.get(name, f"^{name}") for name in thing.readers
        )
        return attrs.evolve(thing, node=_renamed(thing.node, locals_), readers=readers)

    def _covers(self, proc: str, shown: ty.Node, thing: _Thing) -> bool:
        """Return whether a piece or selection is, or contains, a thing."""
        node = thing.node
        if isinstance(shown, ty.Local):
            return not thing.over and _same(self._original(proc, shown), node)
        if isinstance(node, ty.Local):
            domain = thing.over.get(node.name)
            return domain is not None and len(thing.over) == 1 and _includes(shown, domain)
        return not thing.over and isinstance(node, _SELECTION) and _includes(shown, node)

    def _lies_open(self, cells: ty.Cells, thing: _Thing) -> bool:
        place = self._program.world.places[cells.place]
        at = place.owner_dim
        if place.seen_by == "owner" and at is not None:
            return _reads_it(cells.dims[at], thing)
        return place.seen_by is None

    # ---------------------------------------------------------------- in between
    def _reads(self, thing: _Thing) -> frozenset[tuple[str, str, str]]:
        return frozenset() if isinstance(thing.node, ty.Local) else self._effects.reads(thing.node)

    def _changes(self, step: ty.Step, thing: _Thing) -> bool:
        return bool(self._effects.writes(step) & self._reads(thing))

    def _original(self, proc: str, node: ty.Node) -> ty.Node:
        """Return the first name of the piece that a local holds."""
        while isinstance(node, ty.Local):
            values = (
                step.value
                for step in self._graph.steps[proc]
                if isinstance(step, ty.SetLocal) and step.name == node.name
            )
            value = next(values, None)
            if not isinstance(value, ty.Local):
                break
            node = value
        return node


def _blocks(step: ty.Step) -> tuple[ty.Block, ...]:
    if isinstance(step, ty.Block):
        return (step,)
    flow = TRAITS[type(step)].flow(step)
    return () if flow is None else flow.blocks


def _bound(step: ty.Step) -> Iterator[tuple[str, ty.Domain]]:
    """Yield the locals that a step binds in its blocks, with their domains."""
    if isinstance(step, ty.ForEach):
        yield step.variable, step.domain
    elif isinstance(step, ty.Secretly):
        yield step.variable, step.domain
        yield step.me, _PLAYERS
    elif isinstance(step, ty.Decide):
        yield from (line.about for line in step.lines if line.about is not None)


def _bound_seats(step: ty.Step, node: ty.Node) -> dict[str, ty.Domain] | None:
    """Return the seats in a node that a step binds, any of all; None if it binds another thing."""
    seats, names = _seats_in(node), TRAITS[type(step)].binds(step)
    bound = [name for name in names if uses(node, name)]
    return {name: seats[name] for name in bound} if seats.keys() >= {*bound} else None


def _seats_in(node: ty.Node) -> dict[str, ty.Domain]:
    """Return the locals in a node that are seats, each with all that it may be."""
    return {
        part.name: ty.AllSeats(players=part.type.family == "player", element=part.type)
        for part in ty.walk(node)
        if isinstance(part, ty.Local) and part.type.family in {"seat", "player"}
    }


def _reads_it(to: ty.Value | None, thing: _Thing) -> bool:
    return to is None or (isinstance(to, ty.Local) and thing.readers == frozenset({to.name}))


def _renamed(node: ty.Node, names: Mapping[str, str]) -> ty.Node:
    local = [part for part in ty.walk(node) if isinstance(part, ty.Local) and part.name in names]
    return ty.substitute_all(
        node, {part.name: attrs.evolve(part, name=names[part.name]) for part in local}
    )


def _same(one: ty.Node | None, other: ty.Node) -> bool:
    """Return whether two nodes are the same local or counter, whatever is known to be in it."""
    if isinstance(one, ty.Local) and isinstance(other, ty.Local):
        return one.name == other.name
    counter = ty.TrackCell | ty.FlagCell
    return (
        isinstance(one, counter)
        and isinstance(other, counter)
        and one.counter == other.counter
        # a seat in a verb may be a rival, where its caller knows that it is a player
        and all(a == b or _same(a, b) for a, b in zip(one.dims, other.dims, strict=True))
    )


def _includes(outer: ty.Node, part: ty.Node) -> bool:
    """Return whether a domain certainly has all elements of another one, or of an end of it."""
    if isinstance(outer, ty.Filtered):
        if not isinstance(part, ty.Filtered) or not _includes(outer.base, part.base):
            return False
        local = ty.Local(outer.variable, type=outer.element)
        return outer.condition == ty.substitute(part.condition, part.variable, local)
    part = part.unfiltered if isinstance(part, ty.DomainNode) else part
    if isinstance(outer, ty.Lying) and isinstance(part, ty.Lying | ty.EndPieces | ty.EndOf):
        pairs = zip(outer.cells.dims, part.cells.dims, strict=False)
        return (
            (outer.piece, outer.cells.place) == (part.piece, part.cells.place)
            and outer.owner is outer.entry is None
            and all(wide is None or wide == narrow for wide, narrow in pairs)
        )
    if isinstance(outer, ty.EndPieces) and isinstance(part, ty.EndPieces | ty.EndOf):
        count = part.count if isinstance(part, ty.EndPieces) else 1
        is_end = isinstance(part, ty.EndPieces) or part.index is None
        return (
            (outer.cells, outer.top) == (part.cells, part.top) and is_end and outer.count >= count
        )
    if isinstance(outer, ty.AllSeats) and isinstance(part, ty.AllSeats):
        return part.players or not outer.players
    return outer == part
