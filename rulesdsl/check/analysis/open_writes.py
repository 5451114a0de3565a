"""Open writes: steps that write something hidden, by value or by condition, where more see it.

`InformationFlow` notes them as it goes, with the labels of the moment. In the end, those are left
out whose sources are turned up in the same act, before or after: pieces that are shown to all or
moved into the open, by whatever name, and places whose pieces are, in a procedure that calls this
one or is called by it. What a text says is not written: its readers see of it what they may.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.call_graph import Graph, reached
from rulesdsl.check.analysis.disclosure import Disclosure
from rulesdsl.check.analysis.visibility import ALL, NOBODY, OF_PARTS, Sights, within
from rulesdsl.check.typed.program import Eyes

_MOVE = ty.MoveCounted | ty.MoveSingle | ty.MovePrinted | ty.MoveSome
Node = ty.Value | ty.Domain | ty.Cells


@attrs.frozen
class HiddenSource:
    """A hidden thing: a place or track, or a piece or number in a local of a procedure."""

    name: str
    proc: str = ""
    is_number: bool = False


@attrs.frozen
class OpenWrite:
    """A step of a procedure, with the hidden things that it tells, or that decide if it is run."""

    proc: str
    step: ty.Step
    sources: frozenset[HiddenSource]
    to_all: bool
    decides: bool


Condition = tuple[Node, Sights]
"""A hidden condition, loop or domain that decides whether steps are run, and the labels there."""


class OpenWrites:
    """Collector of the open writes of a program."""

    def __init__(self, see: Disclosure, graph: Graph) -> None:
        self._see, self._graph, self._world = see, graph, see.world
        self._writes: list[OpenWrite] = []
        self._bound: defaultdict[HiddenSource, list[tuple[ty.Step, frozenset[HiddenSource]]]]
        self._bound = defaultdict(list)

    # ---------------------------------------------------------------- on the way
    def note(self, proc: str, step: ty.Step, sights: Sights, under: Iterable[Condition]) -> None:
        """Note a step that writes something hidden, or runs under a hidden condition."""
        if isinstance(step, ty.SetLocal) and step.value.type.family != "piece":
            self.bind(proc, step.name, step, proc, step.value, sights)
            return
        eyes, is_noticed = self._readers(step, sights), self._see.is_noticed(step)
        if eyes == NOBODY and not is_noticed:
            return
        sources = self._sources(proc, self._written(step), eyes, sights)
        if sources:
            self._writes.append(OpenWrite(proc, step, sources, eyes is ALL, decides=False))
        elif isinstance(step, ty.Run) or self._is_public(step):
            eyes = ALL if is_noticed else eyes
            conditions = (self._sources(proc, [node], eyes, labels) for node, labels in under)
            deciding = frozenset[HiddenSource]().union(*conditions)
            if deciding:
                self._writes.append(OpenWrite(proc, step, deciding, eyes is ALL, decides=True))

    def bind(
        self, owner: str, name: str, step: ty.Step, proc: str, value: ty.Value, sights: Sights
    ) -> None:
        """Note a hidden number that a step of `proc` binds to a local of the procedure `owner`."""
        sources = self._sources(proc, [value], ALL, sights)
        if sources and value.type.family != "piece":
            self._bound[HiddenSource(name, owner, is_number=True)].append((step, sources))

    def _readers(self, step: ty.Step, sights: Sights) -> Eyes:
        """Return the seats that read what a step writes; nobody if it writes nothing."""
        if isinstance(step, ty.ChangeTrack | ty.SetFlag):
            return self._see.change_eyes(step, sights, NOBODY)
        if isinstance(step, ty.Tell):
            return ALL if step.what == "say" else NOBODY
        if isinstance(step, ty.Run):  # W630 is about questions
            is_heard = step.proc not in self._graph.deciding and self._is_heard(step.proc)
            return ALL if is_heard else NOBODY
        return self._movers(step, sights) if isinstance(step, _MOVE) else NOBODY

    def _movers(self, step: ty.Step, sights: Sights) -> Eyes:
        """Return the seats that read a move: all, unless both ends hide how many lie there."""
        if not isinstance(step, ty.MoveCounted):
            return ALL
        ends = step.source, step.target
        if not all(self._world.places[cells.place].only for cells in ends):
            return ALL
        source, target = (self._see.pile_eyes(step.piece, cells, sights, ALL) for cells in ends)
        return ALL if source is None or target is None else source | target

    def _is_heard(self, proc: str) -> bool:
        """Return whether a procedure writes anything that everybody reads."""
        below = reached([proc], lambda key: [callee for callee, _ in self._graph.calls[key]])
        return any(self._is_public(step) for key in below for step in self._graph.steps[key])

    def _is_public(self, step: ty.Step) -> bool:
        if self._see.is_noticed(step):
            return True
        if isinstance(step, _MOVE):
            place = self._world.places[step.target.place]
            is_printed = isinstance(step, ty.MovePrinted | ty.MoveSome)
            return not (place.only or (is_printed and place.seen_by))
        if isinstance(step, ty.ChangeTrack | ty.SetFlag):
            info = self._world.counter(step.counter)
            return info is not None and info.seen_by is None
        return isinstance(step, ty.Tell) and step.what == "say"

    def _written(self, step: ty.Step) -> list[Node]:
        """Return the values that readers of a step's outcome can tell from it."""
        if isinstance(step, ty.ChangeTrack):
            return [step.result or step.amount, *self._faceless(step.dims)]
        if isinstance(step, ty.SetFlag):
            return self._faceless(step.dims)
        if not isinstance(step, _MOVE):
            return []
        target = [] if self._world.places[step.target.place].only else [step.target]
        if isinstance(step, ty.MoveCounted | ty.MoveSome) and step.amount is not None:
            return [step.amount, *target]
        return [*target]

    def _faceless(self, dims: Iterable[ty.Value]) -> list[Node]:
        return [dim for dim in dims if not self._see.has_face(dim.type.of)]

    # ---------------------------------------------------------------- sources
    def _sources(
        self, proc: str, nodes: Iterable[Node], eyes: Eyes, sights: Sights
    ) -> frozenset[HiddenSource]:
        """Return the hidden things on which nodes depend that some of `eyes` cannot know."""
        return frozenset(
            source
            for node in nodes
            if not within(eyes, self._label(node, sights))
            for source in self._hidden(proc, node, eyes, sights)
        )

    def _label(self, node: Node, sights: Sights) -> Eyes:
        if isinstance(node, ty.DomainNode):
            return self._see.number(node, sights)
        return self._see.face(node, sights)

    def _hidden(self, proc: str, node: Node, eyes: Eyes, sights: Sights) -> Iterator[HiddenSource]:
        if isinstance(node, ty.Local):
            yield HiddenSource(node.name, proc, is_number=node.type.family != "piece")
            return
        if isinstance(node, (*OF_PARTS, ty.FieldOf)):
            parts = [part for part in ty.children(node) if isinstance(part, ty.ValueNode)]
            if sources := self._sources(proc, parts, eyes, sights):
                yield from sources
                return
        for part in self._with_calls(node):
            name = ""
            if isinstance(part, ty.Cells):
                name = part.place if self._world.places[part.place].seen_by else ""
            elif isinstance(part, ty.TrackCell | ty.FlagCell):
                info = self._world.counter(part.counter)
                name = info.name if info is not None and info.seen_by else ""
            elif isinstance(part, ty.Local) and part.name in sights.known:
                if within(eyes, sights[part.name].face):
                    continue
                yield HiddenSource(part.name, proc, is_number=part.type.family != "piece")
            if name:
                yield HiddenSource(name)

    def _with_calls(self, node: ty.Node) -> Iterator[ty.Node]:
        """Yield a node with all inside it, and what is inside the values that it calls."""
        yield from ty.walk(node)
        values = self._see.program.values
        for key in reached(_called(node), lambda key: _called(values[key].body)):
            yield from (
                part for part in ty.walk(values[key].body) if not isinstance(part, ty.Local)
            )

    # ---------------------------------------------------------------- at the end
    def found(self) -> Iterator[tuple[OpenWrite, ty.Step]]:
        """Yield the writes whose sources nothing turns up, each with the step to blame.

        That is the write itself, or the call that passes on the hidden number.
        """
        turned_up = TurnedUp(self._see, self._graph)
        for write in self._writes:
            plain = {source for source in write.sources if not source.is_number}
            paths = [(write.step, plain)]
            for number in write.sources - plain:
                paths += [(step or write.step, sources) for step, sources in self._traced(number)]
            for step, sources in paths:
                hidden = {source for source in sources if not turned_up.is_open(source, write)}
                if hidden:
                    yield attrs.evolve(write, sources=frozenset(hidden)), step

    def _traced(self, number: HiddenSource) -> Iterator[tuple[ty.Step | None, set[HiddenSource]]]:
        """Yield the things from which a hidden number comes, and the call that passes it on."""
        for step, sources in self._bound[number]:
            call = step if isinstance(step, ty.Run) else None
            yield call, {source for source in sources if not source.is_number}
            for source in sources:
                if source.is_number:
                    yield from ((earlier or call, more) for earlier, more in self._traced(source))


def _called(node: ty.Node) -> list[tuple[str, int]]:
    return [(part.name, part.layer) for part in ty.walk(node) if isinstance(part, ty.CallValue)]


class TurnedUp:
    """Pieces and places that rules turn up, by a show or a move, for all or for some seat."""

    def __init__(self, see: Disclosure, graph: Graph) -> None:
        self._see, self._graph = see, graph
        self._same: dict[HiddenSource, HiddenSource] = {}  # locals that hold the same piece
        self._pieces: set[tuple[HiddenSource, bool]] = set()
        self._places: set[tuple[str, str, bool]] = set()  # with the procedures
        steps = [(proc, step) for proc in see.program.procs for step in graph.steps[proc]]
        for proc, step in steps:
            self._join(proc, step)
        for proc, step in steps:
            self._turn_up(proc, step)
        for proc, step in steps:
            if isinstance(step, ty.ForEach):
                for to_all in (True, False):
                    if (self._name_of(HiddenSource(step.variable, proc)), to_all) in self._pieces:
                        self._open(proc, step.domain.unfiltered, to_all=to_all)

    def is_open(self, source: HiddenSource, write: OpenWrite) -> bool:
        """Return whether something hidden is turned up for the readers of a write."""
        if source.proc:
            opened = {to_all for piece, to_all in self._pieces if piece == self._name_of(source)}
        else:
            related = self._related(write.proc)
            opened = {
                to_all
                for proc, place, to_all in self._places
                if place == source.name and proc in related
            }
        return True in opened or (bool(opened) and not write.to_all)

    def _related(self, proc: str) -> frozenset[str]:
        calls = self._graph.calls
        callers = {key: {callee for callee, _ in calls[key]} for key in calls}
        below = reached([proc], lambda key: callers[key])
        above = reached([proc], lambda key: [name for name in callers if key in callers[name]])
        return below | above

    def _name_of(self, source: HiddenSource) -> HiddenSource:
        while source in self._same:
            source = self._same[source]
        return source

    def _join(self, proc: str, step: ty.Step) -> None:
        pairs: list[tuple[HiddenSource, ty.Value]] = []
        if isinstance(step, ty.SetLocal):
            pairs = [(HiddenSource(step.name, proc), step.value)]
        elif isinstance(step, ty.Run):
            params = (
                HiddenSource(p.name, step.proc) for p in self._see.program.procs[step.proc].params
            )
            pairs = [*zip(params, step.arguments, strict=True)]
        for source, value in pairs:
            if isinstance(value, ty.Local):
                name, other = self._name_of(source), self._name_of(HiddenSource(value.name, proc))
                if name != other:
                    self._same[name] = other

    def _turn_up(self, proc: str, step: ty.Step) -> None:
        if isinstance(step, ty.Peek):
            self._open(proc, step.subject or step.domain.unfiltered, to_all=step.to is None)
        elif isinstance(step, ty.ShowCell):
            self._places.add((proc, step.cell.counter, step.to is None))
        elif isinstance(step, ty.MovePrinted | ty.MoveSome):
            seen_by = self._see.world.places[step.target.place].seen_by
            subject = step.subject if isinstance(step, ty.MovePrinted) else step.domain.unfiltered
            if seen_by != "nobody":
                self._open(proc, subject, to_all=seen_by is None)

    def _open(self, proc: str, subject: ty.Node, *, to_all: bool) -> None:
        if isinstance(subject, ty.Local):
            self._pieces.add((self._name_of(HiddenSource(subject.name, proc)), to_all))
        elif isinstance(subject, ty.Lying | ty.EndPieces | ty.EndOf):
            self._places.add((proc, subject.cells.place, to_all))
