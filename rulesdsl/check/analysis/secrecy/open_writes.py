"""Open writes: steps that write something hidden, by value or by condition, where more see it.

`InformationFlow` notes them as it goes, with the labels of the moment. In the end, those are left
out whose sources are turned up in the same act, see `TurnedUp`. What a text says is not written:
its readers see of it what they may.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.call_graph import Graph, reached
from rulesdsl.check.analysis.secrecy.disclosure import Disclosure
from rulesdsl.check.analysis.secrecy.turned_up import TurnedUp
from rulesdsl.check.analysis.secrecy.visibility import ALL, NOBODY, OF_PARTS, Sight, Sights, within
from rulesdsl.check.typed.conditions import uses
from rulesdsl.check.typed.program import Eyes
from rulesdsl.check.typed.traits import TRAITS, inline

_COUNTER = ty.ChangeTrack | ty.SetFlag
_NOTICED = ty.ShuffleCells | ty.ShiftPiece | ty.Peek | ty.ShowCell | ty.Finish
_SELECTION = ty.Lying | ty.EndPieces | ty.EndOf
Node = ty.Value | ty.Domain | ty.Cells
How = Literal["value", "condition", "change"]


@attrs.frozen
class HiddenSource:
    """A hidden thing in a procedure: pieces in a place, a track, or a local.

    The value of a local with a number comes from other things, so it has no `node`.
    """

    name: str
    proc: str
    node: ty.Node | None = None
    over: tuple[tuple[str, ty.Domain], ...] = ()  # the domains of locals in `node` for all in turn


@attrs.frozen
class OpenWrite:
    """A step of a procedure, with the hidden things that it tells, or that decide if it is run.

    `how` says which of these it is; those to whom something was shown notice any `change` of it.
    """

    proc: str
    step: ty.Step
    sources: frozenset[HiddenSource]
    readers: Eyes
    how: How


OTHERS = "others~"  # a local for any seat but the one that does not see what is written

Condition = tuple[Node, Sights]
"""A hidden condition, loop or domain that decides whether steps are run, and the labels there."""


class OpenWrites:
    """Collector of the open writes of a program."""

    def __init__(self, see: Disclosure, graph: Graph) -> None:
        self._see, self._graph, self._world = see, graph, see.world
        self._writes: list[list[OpenWrite]] = []  # for each step, the first that counts
        self._bound: defaultdict[HiddenSource, list[tuple[ty.Step, frozenset[HiddenSource]]]]
        self._bound = defaultdict(list)
        self._sources_of: dict[tuple[str, str], ty.Value | ty.Domain] = {}  # of locals

    # ---------------------------------------------------------------- on the way
    def note(
        self,
        proc: str,
        step: ty.Step,
        sights: Sights,
        under: Iterable[Condition],
        printed: Iterable[ty.Value] = (),
    ) -> None:
        """Note a step that writes something hidden, or runs under a hidden condition.

        `printed` are the values that its text shows to all.
        """
        for name, source in _sources_in(step):
            self._sources_of[proc, name] = source
        if isinstance(step, ty.SetLocal) and step.value.type.family != "piece":
            self.bind(proc, step.name, step, proc, step.value, sights)
            return
        if isinstance(step, ty.ForEach) and step.domain.element.family != "piece":
            sources = self._members(proc, step.domain, sights)
            if sources:
                self._bound[HiddenSource(step.variable, proc)].append((step, sources))
        is_noticed, owner = self._see.is_noticed(step), self._hidden_from(step)
        if owner is not None and not is_noticed:  # any other seat may read it
            under = [(node, self._of_others(proc, labels, owner)) for node, labels in under]
            sights = self._of_others(proc, sights, owner)
        eyes = self._readers(step, sights) if owner is None else frozenset({OTHERS})
        if eyes == NOBODY and not is_noticed and not isinstance(step, _COUNTER):
            return
        sources = self._sources(proc, [*self._written(step), *printed], eyes, sights)
        writes = [OpenWrite(proc, step, sources, eyes, "value")]
        # to whom it was shown sees that it is another now
        is_shown = isinstance(step, _COUNTER) and step.counter in self._world.shown
        how: How = "change" if is_shown and eyes is not ALL else "condition"
        eyes = ALL if is_noticed or is_shown else eyes
        conditions = (self._sources(proc, [node], eyes, labels) for node, labels in under)
        decisive = frozenset[HiddenSource]().union(*conditions)
        writes.append(OpenWrite(proc, step, decisive, eyes, how))
        acting = getattr(step, "me", None)
        if not sources and not decisive and acting is not None:
            acted = self._sources(proc, [acting], eyes, sights)
            writes.append(OpenWrite(proc, step, acted, eyes, "value"))
        self._writes.append([write for write in writes if write.sources])

    def _hidden_from(self, step: ty.Step) -> str | None:
        """Return the local whose seat alone does not see the track or flag that a step changes.

        It is empty if only the seat that an expression names sees it, which may be any seat.
        """
        if not isinstance(step, _COUNTER):
            return None
        info = self._world.counter(step.counter)
        if info is None or info.owner_dim is None:
            return None
        owner = step.dims[info.owner_dim]
        if info.seen_by == "owner":
            return None if isinstance(owner, ty.Local) else ""
        has_face = any(self._see.has_face(dim.type.of) for dim in step.dims)
        is_told = info.seen_by == "others" and not has_face
        return owner.name if is_told and isinstance(owner, ty.Local) else None

    def _of_others(self, proc: str, sights: Sights, owner: str) -> Sights:
        """Return the labels with a local for any seat, other than an owner's if there is one."""
        inner = Sights({OTHERS: Sight(apart=frozenset({owner} - {""}))})
        for name, sight in sights.known.items():
            source, labels = self._sources_of.get((proc, name)), sight
            if isinstance(source, ty.DomainNode):
                eyes = self._see.members(source, inner)
                labels = Sight(self._see.number(source, inner), eyes, sight.apart)
            elif source is not None:
                labels = self._see.sight(source, inner)
            inner.known[name] = labels
        return inner

    def bind(
        self, owner: str, name: str, step: ty.Step, proc: str, value: ty.Value, sights: Sights
    ) -> None:
        """Note a hidden number that a step of `proc` binds to a local of the procedure `owner`."""
        sources = self._sources(proc, [value], ALL, sights)
        if sources and value.type.family != "piece":
            self._bound[HiddenSource(name, owner)].append((step, sources))

    def _readers(self, step: ty.Step, sights: Sights) -> Eyes:
        """Return the seats that read what a step writes; nobody if it writes nothing."""
        if isinstance(step, _COUNTER):
            return self._see.change_eyes(step, sights, NOBODY)
        if isinstance(step, ty.Tell):
            return ALL if self._is_told(step) else NOBODY
        if isinstance(step, _NOTICED):
            return ALL
        if isinstance(step, ty.Run | ty.DoField):  # W630 is about questions
            callees = set(self._graph.called(step)) - self._graph.deciding
            return ALL if any(map(self._is_heard, callees)) else NOBODY
        return self._movers(step, sights) if isinstance(step, ty.Move) else NOBODY

    def _movers(self, step: ty.Step, sights: Sights) -> Eyes:
        """Return the seats that read a move: all, unless both ends hide how many lie there."""
        move = self._uncounted(step)
        if move is None:
            return ALL
        piece, ends = move
        source, target = (self._see.pile_eyes(piece, cells, sights, ALL) for cells in ends)
        return ALL if source is None or target is None else source | target

    def _uncounted(self, step: ty.Step) -> tuple[str, tuple[ty.Cells, ty.Cells]] | None:
        """Return the piece and the ends of a move, if others count it at neither end."""
        if isinstance(step, ty.MoveCounted):
            piece, ends = step.piece, (step.source, step.target)
        elif isinstance(step, ty.MoveSome):
            pieces = step.domain.unfiltered
            if not isinstance(pieces, ty.Lying | ty.EndPieces):
                return None
            piece, ends = pieces.piece, (pieces.cells, step.target)
        else:
            return None
        is_uncounted = all(self._world.places[cells.place].only for cells in ends)
        return (piece, ends) if is_uncounted else None

    def _is_heard(self, proc: str) -> bool:
        """Return whether a procedure writes anything that everybody reads."""
        below = reached([proc], lambda key: [callee for callee, _ in self._graph.calls[key]])
        return any(self._is_public(step) for key in below for step in self._graph.steps[key])

    def _is_public(self, step: ty.Step) -> bool:
        if self._see.is_noticed(step):
            return True
        if isinstance(step, ty.Move):
            return self._uncounted(step) is None
        if isinstance(step, _COUNTER):
            info = self._world.counter(step.counter)
            return info is not None and info.seen_by is None
        return isinstance(step, _NOTICED) or (isinstance(step, ty.Tell) and self._is_told(step))

    def _is_told(self, step: ty.Tell) -> bool:
        return step.words is not None and not step.quiet

    def _written(self, step: ty.Step) -> list[Node]:
        """Return the values that readers of a step's outcome can tell from it."""
        if isinstance(step, ty.ChangeTrack):
            return [step.result or step.amount, *self._faceless(step.dims)]
        if isinstance(step, ty.SetFlag):
            return self._faceless(step.dims)
        if isinstance(step, ty.DoField):
            return [step.subject, *([] if step.key is None else [step.key])]
        if isinstance(step, ty.ShiftPiece):
            return [step.amount]
        if isinstance(step, ty.ShuffleCells):
            return self._faceless(dim for dim in step.cells.dims if dim is not None)
        if isinstance(step, ty.ShowCell):
            return self._faceless([*step.cell.dims, *([] if step.to is None else [step.to])])
        if isinstance(step, ty.Peek):
            return self._told_by_look(step)
        return self._told_by_move(step) if isinstance(step, ty.Move) else []

    def _told_by_move(self, step: ty.Move) -> list[Node]:
        place = self._world.places[step.target.place]
        owner = None if place.owner_dim is None else step.target.dims[place.owner_dim]
        is_of_local = owner is None or isinstance(owner, ty.Local)
        target: list[Node] = [] if place.only and is_of_local else [step.target]
        amount: list[Node] = []
        if isinstance(step, ty.MoveCounted | ty.MoveSome) and step.amount is not None:
            amount.append(step.amount)
        if isinstance(step, ty.MoveSome) and (step.amount is None or step.up_to):
            domain = step.domain  # others count how many these are
            is_sorted = isinstance(domain, ty.Lying) and domain.entry is not None
            amount += [domain] if is_sorted or isinstance(domain, ty.Filtered) else []
        return [*amount, *target]

    def _told_by_look(self, step: ty.Peek) -> list[Node]:
        cells = [part for part in ty.walk(step.domain) if isinstance(part, ty.Cells)]
        if step.to is None:
            return [*cells]
        # others read how many pieces these are
        is_counted = isinstance(step.domain, ty.Filtered) and step.subject is None
        return [step.to, *cells, *([step.domain] if is_counted else [])]

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

    def _members(self, proc: str, domain: ty.Domain, sights: Sights) -> frozenset[HiddenSource]:
        """Return the hidden things that decide which elements a domain has."""
        if self._see.members(domain, sights) is ALL:
            return frozenset()
        return frozenset(self._hidden(proc, domain, ALL, sights))

    def _label(self, node: Node, sights: Sights) -> Eyes:
        if isinstance(node, ty.DomainNode):
            return self._see.number(node, sights)
        return self._see.face(node, sights)

    def _hidden(self, proc: str, node: Node, eyes: Eyes, sights: Sights) -> Iterator[HiddenSource]:
        if isinstance(node, ty.Local):
            yield _of_local(node, proc)
            return
        if isinstance(node, (*OF_PARTS, ty.FieldOf)):
            parts = [part for part in ty.children(node) if isinstance(part, ty.ValueNode)]
            if sources := self._sources(proc, parts, eyes, sights):
                yield from sources
                return
        todo: list[ty.Node] = [node]
        over: dict[str, ty.Domain] = {}
        while todo:
            part = todo.pop()
            todo += self._inside(part)
            if isinstance(part, ty.SumOf | ty.BestOf):
                over[part.variable] = part.domain
            elif isinstance(part, ty.Filtered):
                over[part.variable] = part.base
            if name := self._hidden_name(part, over, sights):
                yield HiddenSource(name, proc, part, _ranging(over, part))
            elif (
                isinstance(part, ty.Local)
                and part.name in sights.known
                and not within(eyes, sights[part.name].face)
            ):
                yield _of_local(part, proc)

    def _inside(self, part: ty.Node) -> list[ty.Node]:
        """Return what is inside a node, or in the value that it calls."""
        calls = [inline(self._see.program, *call) for call in self._see.calls(part)]
        if isinstance(part, ty.CallValue):
            return [*calls]
        inside = [*ty.children(part), *calls]
        if isinstance(part, ty.Filtered) and isinstance(part.base, _SELECTION):
            inside.remove(part.base)  # some of its pieces are a thing of their own
        return inside

    def _hidden_name(self, part: ty.Node, over: Mapping[str, ty.Domain], sights: Sights) -> str:
        """Return the name of a hidden place whose pieces a node selects, or of a counter."""
        marks = self._see.program.secret_marks
        if isinstance(part, ty.TrackCell | ty.FlagCell) and part.counter in marks:
            for name, domain in over.items():
                sights = sights.also(name, Sight(afar=isinstance(domain.unfiltered, ty.AnyWhere)))
            if self._see.is_secret_mark(part, sights):
                return part.counter
        selection = part.base if isinstance(part, ty.Filtered) else part
        if isinstance(selection, ty.Located | _SELECTION):
            where = selection if isinstance(selection, ty.Located) else selection.cells
            place = self._world.places[where.place]
            return place.name if place.seen_by else ""
        info = self._see.hidden_counter(part)
        return info.name if info is not None else ""

    # ---------------------------------------------------------------- at the end
    def found(self) -> Iterator[tuple[OpenWrite, ty.Step]]:
        """Yield the writes whose sources nothing turns up, each with the step to blame.

        That is the write itself, or the call that passes on the hidden number.
        """
        turned_up = TurnedUp(self._see.program, self._graph)
        for writes in self._writes:
            findings = (list(self._hidden_in(write, turned_up)) for write in writes)
            yield from next(filter(None, findings), ())

    def _hidden_in(
        self, write: OpenWrite, turned_up: TurnedUp
    ) -> Iterator[tuple[OpenWrite, ty.Step]]:
        """Yield a write with its sources that nothing turns up, each with the step to blame."""
        plain = {source for source in write.sources if source.node is not None}
        paths = [(write.step, plain)]
        for number in write.sources - plain:
            paths += [(step or write.step, sources) for step, sources in self._traced(number)]
        for step, sources in paths:
            hidden = {
                source
                for source in sources
                if source.node is not None
                and not turned_up.is_open(
                    source.proc, step, source.node, write.readers, dict(source.over)
                )
            }
            if hidden:
                yield attrs.evolve(write, sources=frozenset(hidden)), step

    def _traced(self, number: HiddenSource) -> Iterator[tuple[ty.Step | None, set[HiddenSource]]]:
        """Yield the things from which a hidden number comes, and the call that passes it on."""
        for step, sources in self._bound[number]:
            call = step if isinstance(step, ty.Run) else None
            yield call, {source for source in sources if source.node is not None}
            for source in sources:
                if source.node is None:
                    yield from ((earlier or call, more) for earlier, more in self._traced(source))


def _of_local(local: ty.Local, proc: str) -> HiddenSource:
    return HiddenSource(local.name, proc, local if local.type.family == "piece" else None)


def _sources_in(step: ty.Step) -> Iterator[tuple[str, ty.Value | ty.Domain]]:
    """Yield the locals that a step binds, each with its value or domain."""
    if isinstance(step, ty.SetLocal):
        yield step.name, step.value
    elif isinstance(step, ty.ForEach):
        yield step.variable, step.domain
    elif isinstance(step, ty.Decide) and step.choice is not None:
        yield step.choice


def _ranging(over: Mapping[str, ty.Domain], part: ty.Node) -> tuple[tuple[str, ty.Domain], ...]:
    inside = {name for node in ty.walk(part) for name in TRAITS[type(node)].within(node)}
    return tuple(
        (name, domain) for name, domain in over.items() if name not in inside and uses(part, name)
    )
