"""W614: a cost that may be nothing, so that what it buys is free."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.dataflow import FactFlow
from rulesdsl.check.analysis.prover import Effects, FactSet, facts_of
from rulesdsl.check.symbols.declare import MOST
from rulesdsl.check.symbols.symbol_table import Cell
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.check.typed.traits import TRAITS
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings, Related, Wording
from rulesdsl.source.span import Span

FREE = Wording(
    "W614",
    "This may cost less or nothing, and what it buys is given all the same.",
    "Put it below `if {asked}:`.",
)
LESS_TAKEN = Wording(
    "W614",
    "If there is less than that, this takes less than is given for it.",
    "Put both below `if {asked}:`.",
)
NEEDED = "Ask for it first, on a line of its own: `needs {asked}`."
_PLACE = re.compile(r"\b(?:from|in|of) (.+?)(?: where .*)? into ")  # in a `move`
_Move = ty.MoveCounted | ty.MoveSome | ty.MovePrinted
_Aside = ty.SetLocal | ty.Require | ty.Tell | ty.EndTell


def free_costs(checked: Checked, layers: Layered, findings: Findings) -> None:
    """Report `A to B` where A may do nothing, and a track lowered to raise another as much."""
    search = _Search(checked, layers)
    for key in checked.bodies:
        if any(map(search.is_of_interest, checked.steps[key])):
            search.visit_proc(key)
    for span, (wording, idle, is_refusable) in [*search.idle.items()]:
        if not search.is_asked_by_callers(idle[0]):
            related = [Related(step.span, "this may change nothing") for step in idle]
            related = [note for note in related if not span.holds(note.span)]
            advice = NEEDED if is_refusable else wording.advice
            condition = search.words_asked(idle[0])
            wording.report(findings, span, related, advice=advice.format(asked=condition))


# A cost may be nothing if each of its steps may change nothing, those of callees included, and no
# fact on the path is about what the step takes, nor at every call of its verb. A branch, an offer
# or an effect in a field is taken at its word. `mark` is no cost, nor is a gain that is joined to
# something else.
class _Search:
    """Search for costs that may be nothing, with the facts that hold before each step."""

    def __init__(self, checked: Checked, layers: Layered) -> None:
        self._checked, self._program, self._bodies = checked, checked.program, checked.bodies
        self._layers = layers
        self._effects = Effects(checked.program)
        self._facts = FactFlow(self._effects)
        self._nothing_known = FactSet(self._effects.reads)
        self._visited: set[str] = set()
        self.idle: dict[Span, tuple[Wording, list[ty.Step], bool]] = {}
        self._calls: dict[str, list[FactSet]] = {}  # the facts at each call visited
        hooks = [hook for proc in self._program.world.procedures.values() for hook in proc.hooks]
        self._added = [hook.span for hook in hooks if hook.time != "instead of"]
        self._replacing = [hook.span for hook in hooks if hook.time == "instead of"]
        self._costs: dict[tuple[str, int], list[Span]] = {}
        for cost in checked.program.costs:
            self._costs.setdefault((cost.file, cost.line), []).append(cost)

    def is_of_interest(self, step: ty.Step) -> bool:
        """Return whether a step belongs to a cost, or lowers a track."""
        return self._cost(step) is not None or (isinstance(step, ty.ChangeTrack) and not step.up)

    def visit_proc(self, key: str) -> None:
        """Note the costs in a procedure that may be nothing, and the facts at its calls."""
        if key not in self._visited:
            self._visited.add(key)
            body, is_verb = self._bodies[key], self._program.procs[key].verb
            self._visit(body, self._nothing_known, is_verb=is_verb)

    # `needs` refuses what has not begun: an offer, or a verb outside of its loops and hooks.
    def _visit(
        self, block: ty.Block, facts: FactSet, *, is_verb: bool, is_offer: bool = False
    ) -> None:
        for cost, steps in groupby(block.steps, self._cost):
            paid = [*steps]
            idle = self._idle(paid, facts) if cost else None
            if cost and idle:
                is_called = not cost.holds(idle[0].span)
                can_refuse = is_called or is_offer or (is_verb and not self._in_hook(cost))
                self.idle[cost] = FREE, idle, can_refuse
            for step in paid:
                flow = TRAITS[type(step)].flow(step)
                states = self._facts.inside(step, flow, facts) if flow else ()
                filtered = _facts_of_filter(flow.each) if flow and flow.each else ()
                again = flow is not None and flow.each is not None
                offers = isinstance(step, ty.Decide) or (is_offer and not again)
                for inner, state in zip(flow.blocks if flow else (), states, strict=True):
                    inside = state | filtered
                    self._visit(inner, inside, is_verb=is_verb and not again, is_offer=offers)
                if isinstance(step, ty.Run):
                    self._calls.setdefault(step.proc, []).append(facts)
                if not cost and _is_given_on(step, block.steps) and self._is_idle(step, facts):
                    can_refuse = is_offer or (is_verb and not self._in_hook(step.span))
                    self.idle[step.span] = LESS_TAKEN, [step], can_refuse
                facts = self._facts.behind(step, facts)

    def is_asked_by_callers(self, step: ty.Step) -> bool:
        """Return whether a fact at each call of a step's verb is about what the step takes."""
        key = next((key for key, steps in self._checked.steps.items() if step in steps), "")
        for caller, calls in self._checked.calls.items():
            if any(callee == key for callee, _ in calls):
                self.visit_proc(caller)
        facts_at_calls = self._calls.get(key, [])
        return bool(facts_at_calls) and not any(
            self._is_idle(step, facts) for facts in facts_at_calls
        )

    def _in_hook(self, span: Span) -> bool:
        """Return whether a span is in a hook that runs before or after its verb or step."""
        return any(hook.holds(span) for hook in self._added)

    def _cost(self, step: ty.Step) -> Span | None:
        """Return the span of the cost to which a step belongs."""
        costs = self._costs.get((step.span.file, step.span.line), ())
        return next((cost for cost in costs if cost.holds(step.span)), None)

    def _idle(self, steps: Iterable[ty.Step], facts: FactSet) -> list[ty.Step] | None:
        """Return the steps that may change nothing, or None if one does change something."""
        idle: list[ty.Step] = []
        for step in steps:
            part: list[ty.Step] | None = []
            if isinstance(step, ty.Block | ty.RepeatTimes):
                inner = step if isinstance(step, ty.Block) else step.block
                part = self._idle(inner.steps, facts)
            elif isinstance(step, ty.Run):
                state = facts if ty.is_me(step.me) else self._nothing_known
                part = self._idle(self._unhooked(self._bodies[step.proc].steps), state)
            elif not isinstance(step, _Aside) and not (
                isinstance(step, ty.Decide) and step.onward
            ):
                part = [step] if self._is_idle(step, facts) else None
            if part is None:
                return None
            idle += part
            facts = self._facts.behind(step, facts)
        return idle

    def _unhooked(self, steps: Iterable[ty.Step]) -> list[ty.Step]:
        """Return the steps of a verb without those that hooks add, and with those they replace."""
        own: list[ty.Step] = []
        for step in steps:
            if isinstance(step, ty.Branching) and self._is_replaced(step):
                own += self._unhooked(step.otherwise.steps)
            elif not self._in_hook(step.span):
                own.append(step)
        return own

    def _is_replaced(self, step: ty.Branching) -> bool:
        """Return whether a hook carries out something else instead of a step under a condition."""
        inside = [inner.span for _, block in step.branches for inner in block.steps]
        return bool(inside) and all(
            any(hook.holds(span) for hook in self._replacing) for span in inside
        )

    def _is_idle(self, step: ty.Step, facts: FactSet) -> bool:
        """Return whether a step may change nothing, and no fact is about what it takes."""
        cell = self._taken(step)
        return cell is not None and not any(
            cell in self._effects.reads(fact) and not _is_contrary(fact, step) for fact in facts
        )

    def _taken(self, step: ty.Step) -> Cell | None:
        """Return the cell from which a step takes what there is; None for other steps, and gains.

        What the acting seat keeps counts as a gain, and so does a track that a verb raises.
        """
        world = self._program.world
        if isinstance(step, ty.ChangeTrack):
            if step.result is not None:
                return None
            bounded = world.tracks[step.track].high < MOST and self._cost(step) is not None
            return ("t", step.track, "") if bounded or not step.up else None
        if isinstance(step, ty.SetFlag) and not step.on:
            return "f", step.flag, ""
        if isinstance(step, _Move) and _is_of_me(step.target, self._program):
            return None
        piece, cells = _source(step)
        return None if cells is None else world.cell(piece, cells.place)

    def words_asked(self, step: ty.Step) -> str:
        """Return the words of the condition that a step has something to take."""
        text = self._layers.sources[step.span.file].text_of(step.span)
        if isinstance(step, ty.ChangeTrack | ty.SetFlag):
            _, _, change = text.partition(" ")
            cell, by, amount = change.rpartition(" by ")
            if isinstance(step, ty.ChangeTrack) and step.up:
                return f"{cell} < {self._program.world.tracks[step.track].high}"
            return f"{cell} >= {amount}" if by else change
        piece, cells = _source(step)
        assert cells is not None
        place = _PLACE.search(text)
        return f"any {self._program.world.plural(piece)} in {place[1] if place else cells.place}"


def _source(step: ty.Step) -> tuple[str, ty.Cells | None]:
    """Return the kind and the cells of the pieces that a step moves if there are any, or None."""
    if isinstance(step, ty.MoveCounted) and (step.up_to or step.amount is None):
        return step.piece, step.source
    if isinstance(step, ty.MovePrinted) and isinstance(step.subject, ty.EndOf):
        return step.piece, step.subject.cells
    if isinstance(step, ty.MoveSome) and (step.up_to or step.amount is None):
        pieces = step.domain.unfiltered
        if isinstance(pieces, ty.Lying | ty.EndPieces):
            return pieces.piece, pieces.cells
    return "", None


def _is_of_me(cells: ty.Cells, program: Program) -> bool:
    at = program.world.places[cells.place].owner_dim
    return at is not None and ty.is_me(cells.dims[at])


def _is_given_on(lowered: ty.Step, steps: tuple[ty.Step, ...]) -> bool:
    """Return whether what a step lowers is raised as much elsewhere in the same block."""
    return isinstance(lowered, ty.ChangeTrack) and any(
        isinstance(step, ty.ChangeTrack)
        and step.up > lowered.up
        and (step.track, step.amount) == (lowered.track, lowered.amount)
        and step.dims != lowered.dims
        for step in steps
    )


def _is_contrary(fact: ty.Value, step: ty.Step) -> bool:
    """Return whether a fact says the opposite of what a step asks for."""
    if isinstance(fact, ty.Comparison) and isinstance(step, ty.ChangeTrack):
        against = {">", ">="} if step.up else {"<", "<="}
        return isinstance(fact.left, ty.TrackCell) and fact.op in against
    return isinstance(fact, ty.Negation) and isinstance(fact.value, ty.AnyOf | ty.FlagCell)


def _facts_of_filter(loop: tuple[str, ty.Domain]) -> list[ty.Value]:
    """Return what holds of an element when its turn in a loop comes, unless the loop changes it.

    That it is an element says nothing about it.
    """
    return [fact for fact in facts_of(*loop) if not isinstance(fact, ty.MemberOf)]
