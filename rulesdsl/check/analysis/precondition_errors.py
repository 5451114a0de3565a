"""Errors about late conditions, which earlier steps can change, and where to report them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis import wording
from rulesdsl.check.analysis.prover import Effects
from rulesdsl.check.symbols.symbol_table import Cell
from rulesdsl.check.typed.conditions import atoms
from rulesdsl.check.typed.program import Program
from rulesdsl.check.typed.traits import TRAITS, guards_of, inline, is_random
from rulesdsl.source.diagnostics import Detail, Findings, Related, Wording
from rulesdsl.source.facts import MayBeJoined, MayBeSkipped
from rulesdsl.source.span import NOWHERE, Span

_FACTS = {
    wording.MAY_BE_IMPOSSIBLE.advice: MayBeSkipped(),
    wording.IMPOSSIBLE_ON_THIS_LINE.advice: MayBeJoined(),
}


class LateConditions:
    """Search for the cause of a late condition: a line, a callee, or a hook."""

    def __init__(self, effects: Effects, findings: Findings) -> None:
        self.program = effects.program
        self.effects = effects
        self.findings = findings
        self._hooks: dict[str, list[Span]] = {}  # spans of hooks by file
        for infos in self.program.world.procs.values():
            for hook in (each for info in infos for each in info.hooks):
                self._hooks.setdefault(hook.span.file, []).append(hook.span)

    def report(self, span: Span, condition: ty.Value, said: Wording) -> None:
        """Report a late condition, at the hook that adds it if there is one."""
        added = NOWHERE if self._in_hook(span) else self._added(condition)
        if added == NOWHERE:
            because = (self.asked_at(condition), "this is what may be impossible")
            self._report(said, span, condition, because)
        else:  # a hook cannot change the line that runs its verb
            self._report(wording.MAY_BE_IMPOSSIBLE, added, condition, (span, "this causes it"))

    def report_in(
        self,
        key: str,
        span: Span,
        condition: ty.Value,
        before: tuple[ty.Step, ...],
        *,
        joins: bool,
    ) -> None:
        """Report a late condition, at a `before` hook of the procedure if that is the cause.

        `before` are the earlier steps that change something; `joins` says that the condition
        would not be late if all of it were on one line, which refuses a verb, but no step.
        """
        hook = self._hook_before(key, condition, span)
        proc = self.program.procs.get(key)
        verb, joins = proc.title if proc else "", joins and (proc is None or proc.verb)
        if hook is not None:
            because = (self._added(condition), "because of this")
            impossible = (span, "this is what may be impossible")
            template = wording.IMPOSSIBLE_AFTER_HOOK if joins else wording.IMPOSSIBLE_BY_HOOK
            self._report(template, hook, condition, impossible, because, verb=verb)
        elif joins:
            self.report(span, condition, wording.IMPOSSIBLE_ON_THIS_LINE)
        elif self._calls_itself(key, span):
            self._report(wording.IMPOSSIBLE_BELOW_HOOK, span, condition, verb=verb)
        elif is_paid(before, self.program):
            self.report(span, condition, wording.PAID_ALREADY)
        elif (drawn := self._drawn(key, condition)) is not None:
            self._report(wording.DRAWN_TOO_LATE, span, condition, drawn=drawn.partition("~")[0])
        else:
            self.report(span, condition, wording.MAY_BE_IMPOSSIBLE)

    def _drawn(self, key: str, condition: ty.Value) -> str | None:
        """Return the local that chance chooses, if the condition is that there is one."""
        subject = condition.value if isinstance(condition, ty.IsSome) else condition
        bindings = (node for node in self._nodes(key) if isinstance(node, ty.SetLocal))
        drawn = {binding.name for binding in bindings if is_random(binding.value)}
        return subject.name if isinstance(subject, ty.Local) and subject.name in drawn else None

    def _calls_itself(self, key: str, span: Span) -> bool:
        """Return whether a span is a hook's call to the verb that it replaces."""
        calls = (node for node in self._nodes(key) if isinstance(node, ty.Run))
        return any("@" in call.proc for call in calls if call.span == span)

    def _nodes(self, key: str) -> Iterable[ty.Node]:
        """Return the nodes of a procedure; none if the key belongs to something else."""
        return self.program.procs[key].nodes if key in self.program.procs else ()

    def is_added(self, span: Span, condition: ty.Value) -> bool:
        """Return whether a span is in a hook but the condition required there is not in one."""
        return self._in_hook(span) and not self._in_hook(condition.span)

    def asked_at(self, condition: ty.Value) -> Span:
        """Return the first span of a condition or its parts, even in callees, or NOWHERE."""
        parts: Iterable[ty.Value]
        if isinstance(condition, ty.Can | ty.CanDo):
            parts = guards_of(condition, self.program)
        elif isinstance(condition, ty.Cases):
            parts = condition.values
        elif isinstance(condition, ty.And | ty.Or):
            parts = condition.parts
        elif isinstance(condition, ty.LetIn):
            parts = (condition.inner,)
        else:
            return condition.span
        places = (self.asked_at(part) for part in parts)
        return next((span for span in places if span != NOWHERE), NOWHERE)

    # ---------------------------------------------------------------- hooks
    def _in_hook(self, span: Span) -> bool:
        return any(hook.holds(span) for hook in self._hooks.get(span.file, ()))

    def _hook_before(self, key: str, condition: ty.Value, place: Span) -> Span | None:
        """Return the span of a procedure's `before` hook that writes a cell a condition reads."""
        proc = self.program.procs.get(key)
        if proc is None:
            return None
        every = self.program.world.procs.get(proc.title, ())
        for hook in (each for info in every if info.key == proc.key for each in info.hooks):
            if hook.time == "before" and not hook.span.holds(place):
                steps = (step for step in proc.block.steps if hook.span.holds(step.span))
                read = self.effects.reads(condition)
                if any(self.effects.writes(step) & read for step in steps):
                    return hook.span
        return None

    def _added(self, condition: ty.Value) -> Span:
        """Return the span in a hook that adds a part of a condition, or NOWHERE."""
        places = self._asking_places(condition, set())
        return next((place for place in places if self._in_hook(place)), NOWHERE)

    def _asking_places(self, condition: ty.Node, seen: set[str]) -> Iterator[Span]:
        """Yield the spans of a condition and of its parts, including those in callees."""
        parts: Iterable[ty.Node]
        if isinstance(condition, ty.Cases):
            parts = condition.values
        elif isinstance(condition, ty.LetIn):
            parts = (condition.inner,)
        elif isinstance(condition, ty.Filtered):
            parts = (condition.condition, condition.base)
        else:
            yield condition.span
            found = set(TRAITS[type(condition)].asks(condition, self.program))
            keys = sorted(found - seen)
            guards = [self.program.guards.get(key, ty.YES) for key in keys]
            seen |= found
            parts = guards if found else ty.children(condition)
        for part in parts:
            yield from self._asking_places(part, seen)
        yield condition.span

    # ---------------------------------------------------------------- reporting
    def _report(
        self,
        template: Wording,
        span: Span,
        condition: ty.Value,
        *others: tuple[Span, str],
        **fields: Detail,
    ) -> None:
        if template is wording.MAY_BE_IMPOSSIBLE and self._is_simultaneous(condition):
            template = wording.NOT_ALL_CAN_CHOOSE
        elif template in {wording.MAY_BE_IMPOSSIBLE, wording.IMPOSSIBLE_ON_THIS_LINE}:
            choices = self._choices_without_option(condition, span)
            if choices and (template is wording.MAY_BE_IMPOSSIBLE or span in choices):
                template = wording.NO_SURE_OPTION  # a choice cannot be joined to anything
        domains = (atom.domain for atom in atoms(condition) if isinstance(atom, ty.AnyOf))
        advice = template(**fields).advice
        if any(map(_is_sort, domains)):
            advice = f"{advice}\n{wording.CHOOSE_FIRST}"
        related = [Related(at, why) for at, why in others if at not in {NOWHERE, span}]
        facts = _FACTS.get(template.advice)
        template.report(self.findings, span, related, advice=advice, facts=facts, **fields)

    def _choices_without_option(self, condition: ty.Value, place: Span) -> set[Span]:
        """Return the choices in the same file of which a condition says that one is possible."""
        calls = isinstance(condition, ty.Can | ty.CanDo)
        guards = guards_of(condition, self.program) if calls else [condition]
        parts = (part for guard in guards for part in atoms(_in_round(guard)))
        options = (atom for atom in parts if isinstance(atom, ty.Or))
        spans = {atom.span if atom.span.line else place for atom in options}
        nodes = (node for proc in self.program.procs.values() for node in proc.nodes)
        choices = (node for node in nodes if isinstance(node, ty.Decide) and node.choice is None)
        return {
            node.span for node in choices if node.span in spans and node.span.file == place.file
        }

    def _is_simultaneous(self, condition: ty.Value) -> bool:
        """Return whether a condition is that every player can choose in secret."""
        filters = (node for node in ty.walk(condition) if isinstance(node, ty.Filtered))
        names = {re.split("[%~]", node.variable)[0] for node in filters}  # calls rename it
        nodes = (node for proc in self.program.procs.values() for node in proc.nodes)
        players = (node.me for node in nodes if isinstance(node, ty.Secretly))
        return any(re.split("[%~]", player)[0] in names for player in players)


def _in_round(condition: ty.Value) -> ty.Value:
    """Return what must hold in every round of a loop, if that is the condition."""
    failing = condition.value if isinstance(condition, ty.Negation) else None
    domain = failing.domain if isinstance(failing, ty.AnyOf) else None
    failed = domain.condition if isinstance(domain, ty.Filtered) else None
    return failed.value if isinstance(failed, ty.Negation) else condition


def _is_sort(domain: ty.Domain) -> bool:
    base = domain.base if isinstance(domain, ty.Filtered) else domain
    return isinstance(base, ty.Lying) and (base is not domain or base.entry is not None)


# Payments: steps that take from the acting seat something that it must have.
def is_paid(steps: Collection[ty.Step], program: Program) -> bool:
    """Return whether steps take something from their actor that a precondition requires."""
    visited: set[str] = set()
    required = {cell for step in steps for cell in _required(step, program, visited)}
    visited = set()
    taken = (cell for step in steps for cell in _taken(step, program, visited))
    return bool(required) and any(cell in required for cell in taken)


def _required(step: ty.Step, program: Program, visited: set[str]) -> Iterator[Cell]:
    """Yield the cells of the actor that a precondition of a step reads."""
    actor = TRAITS[type(step)].actor(step) or ty.Local("me")
    for node in (node for part in _asked(step, program, visited) for node in ty.walk(part)):
        if isinstance(node, ty.Lying):
            at = program.world.places[node.cells.place].owner_dim
            if at is not None and _same(node.cells.dims[at], actor):
                yield program.world.cell(node.piece, node.cells.place)
        elif isinstance(node, ty.TrackCell) and any(_same(dim, actor) for dim in node.dims):
            yield "t", node.track, ""


def _same(seat: ty.Value | None, actor: ty.Value) -> bool:
    return isinstance(seat, ty.Local) and isinstance(actor, ty.Local) and seat.name == actor.name


def _asked(step: ty.Step, program: Program, visited: set[str]) -> Iterator[ty.Node]:
    if isinstance(step, ty.Require):
        yield step.condition
    elif isinstance(step, ty.Decide) and step.choice is not None:
        yield step.choice[1]
    elif isinstance(step, ty.MoveCounted) and not step.up_to and step.amount is not None:
        yield ty.Lying(step.piece, step.source, element=step.amount.type)
    elif isinstance(step, ty.Block):
        for inner in step.steps:
            yield from _asked(inner, program, visited)
    elif isinstance(step, ty.Run):
        guard, params = program.guards.get(step.proc, ty.YES), program.procs[step.proc].params
        guard = inline(program, guard, params, step.me, step.arguments)
        yield guard
        for node in ty.walk(guard):
            if isinstance(node, ty.Can) and node.proc not in {step.proc, *visited}:
                visited.add(node.proc)
                yield from _asked(ty.Run(node.proc, node.me, node.arguments), program, visited)


def _taken(node: ty.Node, program: Program, visited: set[str]) -> Iterator[Cell]:
    """Yield the cells that a node may take from; pieces that their owner keeps are not taken."""
    for inner in ty.walk(node):
        traits = TRAITS[type(inner)]
        if isinstance(inner, ty.MoveCounted):
            yield from traits.takes(inner, program)
        elif isinstance(inner, ty.MovePrinted | ty.MoveSome):
            yield from () if _kept(inner.target, program) else traits.writes(inner, program)
        elif isinstance(inner, ty.ChangeTrack) and not inner.up:
            yield "t", inner.track, ""
        for key in {*traits.runs(inner, program)} & program.procs.keys() - visited:
            visited.add(key)
            yield from _taken(program.procs[key].block, program, visited)


def _kept(target: ty.Cells, program: Program) -> bool:
    return program.world.places[target.place].owner_dim is not None
