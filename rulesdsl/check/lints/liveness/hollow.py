"""W614: a step that may fail after a cost was paid, or leave an offer empty."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.dataflow import FactFlow
from rulesdsl.check.analysis.precondition_errors import is_paid
from rulesdsl.check.analysis.prover import Effects, FactSet, proved
from rulesdsl.check.symbols.types import YES_NO
from rulesdsl.check.typed.conditions import atoms
from rulesdsl.check.typed.program import Checked
from rulesdsl.check.typed.traits import TRAITS
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings, Wording
from rulesdsl.source.span import NOWHERE, Span

W614 = partial(Wording, "W614")
INSTEAD = " Or say under `otherwise:` what happens instead, or `nothing`."
PAID_FOR_NOTHING = W614(
    "If this is not possible, what was paid for it is lost.",
    "Without `if able:`, join it to the cost on one line: `A to B` is only offered if all of it "
    "is possible." + INSTEAD,
)
PAID_WITHOUT_ASKING = W614(
    "If this does not hold, what was paid for it is lost.",
    "Ask for it before anything is paid, with `needs any ... in ...`." + INSTEAD,
)
OFFERED_FOR_NOTHING = W614(
    "This is offered even if it is not possible, and then it does nothing.",
    "Remove `if able:`: what is not possible is not offered." + INSTEAD,
)
OFFERED_WITHOUT_ASKING = W614(
    "This is offered even if it does not hold, and then nothing happens.",
    "Ask for it first, with `needs any ... in ...`: what is not possible is not offered."
    + INSTEAD,
)
HOOKED_FOR_NOTHING = W614(
    "`{verb}` is now offered even if it is not possible, and then it does nothing.",
    "Without `if able:`, join it with `to` to what comes before it, on one line, or call `{verb}` "
    "first." + INSTEAD,
)

_Silent = ty.SetLocal | ty.Require | ty.SetFlag | ty.Tell | ty.EndTell
_Failing = ty.WhereAble | ty.Branching


def hollow(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report an `if able:` or `if any` whose failing leaves a cost paid or an offer empty."""
    search = _Search(checked)
    bodies = [*filter(search.concerns, checked.bodies.values())]
    suspects = [body for body in bodies if search.suspects(body)]
    procs, fields = checked.program.procs, checked.program.effects.items()
    offers = {at: checked.bodies[key] for at, key in fields if not procs[key].automatic}
    offers = {at: body for at, body in offers.items() if search.suspects(body, offered=True)}
    for body in bodies if offers else suspects:
        search.visit(body, search.nothing_known)
    for at, body in offers.items():
        if at[:2] not in search.triggered:
            search.note(body, search.failing(body, search.nothing_known), offered=True)
    for key, body in checked.bodies.items():
        for step in filter(_loses_guard, ty.walk(body)):
            verb = checked.program.procs[key].title
            search.reported[step.span] = HOOKED_FOR_NOTHING, verb
    for span, (wording, verb) in search.reported.items():
        wording.report(findings, span, verb=verb)


def _loses_guard(step: ty.Node) -> bool:
    calls = (node for node in ty.walk(step) if isinstance(node, ty.Run))
    return _is_unsure(step) and any("@" in call.proc for call in calls)


def _says_nothing(otherwise: ty.Block) -> bool:
    """Return whether there is no `otherwise:`; one with `nothing` says that this is meant."""
    return not otherwise.steps and otherwise.span == NOWHERE


def _is_unsure(step: ty.Node) -> bool:
    return (
        isinstance(step, ty.WhereAble) and _says_nothing(step.otherwise) and step.guard != ty.YES
    )


# A block is hollow if nothing in it does anything but steps that may fail; payments, marks,
# choices, conditions and hooks with a `when` do nothing by themselves, and `otherwise:` says what
# happens instead. A hollow block is reported if it takes a payment, or if it is an option or an
# effect in a field. So is an `if able:` around a hook's call to the verb that it replaces, which
# is then always offered.
#
# An `if any` may fail if no fact before it says that there is one. A stack counts as never empty,
# since limited gains count as possible, and no tie counts as unbroken. An effect that runs after a
# change cannot be refused: it is triggered, not offered.
#
# A first search takes every test as one that may fail, and so needs no facts; few procedures are
# left for the second.
class _Search:
    """Search for hollow blocks, with the facts that hold before each step."""

    def __init__(self, checked: Checked) -> None:
        effects = Effects(checked.program)
        self.nothing_known = FactSet(effects.reads)
        self.reported: dict[Span, tuple[Wording, str]] = {}
        self.triggered: set[tuple[str, str]] = set()  # fields with effects that run after a change
        self._program, self._bodies = checked.program, checked.bodies
        self._writes, self._facts = effects.writes, FactFlow(effects)
        self._of_calls: dict[tuple[str, frozenset[ty.Value], bool], list[_Failing]] = {}
        self._knows_nothing = False  # in the first search
        self._perhaps: set[str] = set()  # locals that may be none
        infos = (info for infos in checked.program.world.procs.values() for info in infos)
        self._hooks = {hook.span for info in infos for hook in info.hooks}
        self._concerns: dict[ty.Step, bool] = {}
        self._trying: set[str] = set()  # procedures with a step at their top that may fail
        while more := {k for k, body in self._bodies.items() if self._tries(body)} - self._trying:
            self._trying |= more

    def suspects(self, body: ty.Block, *, offered: bool = False) -> bool:
        """Return whether a body has a hollow block if every test in it may fail."""
        self._knows_nothing = True
        self.visit(body, self.nothing_known, offered=offered)
        is_suspect = bool(self.reported)
        self.reported.clear()
        self._knows_nothing = False
        return is_suspect

    def concerns(self, step: ty.Step) -> bool:
        """Return whether a step may have a hollow block, or carry out an effect in a field."""
        if step not in self._concerns:
            self._concerns[step] = any(
                self._tries(node) if isinstance(node, ty.Block) else isinstance(node, ty.DoField)
                for node in ty.walk(step)
            )
        return self._concerns[step]

    def _tries(self, block: ty.Block) -> bool:
        return any(
            _says_nothing(step.otherwise)
            if isinstance(step, _Failing)
            else (isinstance(step, ty.Run) and step.proc in self._trying)
            or (isinstance(step, ty.Block) and self._tries(step))
            for step in block.steps
        )

    def visit(
        self, block: ty.Block, facts: FactSet, *, offered: bool = False, changed: bool = False
    ) -> None:
        """Report a block, and those inside it, if they are hollow and paid for or offered."""
        self.note(block, self.failing(block, facts), offered=offered)
        last = max((at for at, step in enumerate(block.steps) if self.concerns(step)), default=-1)
        for at, step in enumerate(block.steps[: last + 1]):
            offers = isinstance(step, ty.Decide)
            late = changed and not isinstance(step, ty.Decide | ty.WhereAble)
            for inner, state in self._inside(step, facts):
                self.visit(inner, state, offered=offers, changed=late)
            if changed and isinstance(step, ty.DoField):
                self.triggered.add((step.kind, step.field))
            if at < last:
                changed = changed or (not self._knows_nothing and bool(self._writes(step)))
                facts = self._behind(step, facts)

    def _inside(self, step: ty.Step, facts: FactSet) -> Iterator[tuple[ty.Block, FactSet]]:
        """Yield the blocks in a step, each with the facts at its start."""
        flow = TRAITS[type(step)].flow(step)
        if flow is None:
            return
        states = self._facts.inside(step, flow, facts)
        for block in flow.blocks:
            yield block, facts if self._knows_nothing else next(states)

    def note(self, block: ty.Block, failing: list[_Failing], *, offered: bool) -> None:
        """Note the failing steps of a hollow block if they are paid for or offered."""
        paid = bool(failing) and is_paid(block.steps, self._program)
        for step in failing if paid or offered else ():
            if isinstance(step, ty.WhereAble):
                span, wording = step.span, PAID_FOR_NOTHING if paid else OFFERED_FOR_NOTHING
            else:
                span = step.branches[0][0].span
                wording = PAID_WITHOUT_ASKING if paid else OFFERED_WITHOUT_ASKING
            self.reported.setdefault(span, (wording, ""))

    def failing(self, block: ty.Block, facts: FactSet) -> list[_Failing]:
        """Return the steps that may fail if nothing else in a block does anything, or else []."""
        if not self._tries(block):
            return []
        failing: list[_Failing] = []
        chosen: list[ty.Step] = []
        doing: list[tuple[ty.Step, ...]] = []
        for step in block.steps:
            hooked = isinstance(step, ty.Branching) and step.span in self._hooks
            if isinstance(step, _Failing) and not hooked and self._may_fail(step, facts):
                failing.append(step)
            elif isinstance(step, ty.Decide) and step.onward:
                chosen.append(step)
            elif not hooked and not isinstance(step, _Silent):
                if isinstance(step, ty.Run):
                    within = self._called(step, facts)
                else:
                    within = self.failing(step, facts) if isinstance(step, ty.Block) else []
                if not within:
                    doing.append((*chosen, step))
                failing += within
            facts = self._behind(step, facts)
        paid = bool(failing) and all(is_paid(steps, self._program) for steps in doing)
        return failing if paid else []

    def _called(self, call: ty.Run, facts: FactSet) -> list[_Failing]:
        facts = facts if ty.is_me(call.me) else self.nothing_known
        key = call.proc, frozenset(facts), self._knows_nothing
        if key not in self._of_calls:
            body = self._bodies.get(call.proc, ty.Block(()))
            self._of_calls[key] = self.failing(body, facts)
        return self._of_calls[key]

    def _may_fail(self, step: _Failing, facts: FactSet) -> bool:
        if isinstance(step, ty.WhereAble):
            return _is_unsure(step)
        tests = (atoms(condition) for condition, _ in step.branches)
        return _says_nothing(step.otherwise) and all(
            any(self._may_be_none(atom, facts) for atom in test) for test in tests
        )

    def _may_be_none(self, atom: ty.Value, facts: FactSet) -> bool:
        counted = atom.left if isinstance(atom, ty.Comparison) and atom.op in {">", ">="} else atom
        if isinstance(counted, ty.AnyOf | ty.CountOf):
            return not self._is_stack(counted.domain) and not proved(atom, facts)
        local = atom.value if isinstance(atom, ty.IsSome) else None
        return isinstance(local, ty.Local) and local.name in self._perhaps

    def _is_stack(self, domain: ty.Domain) -> bool:
        base, places = domain.unfiltered, self._program.world.places
        return isinstance(base, ty.Lying | ty.EndPieces) and places[base.cells.place].stack

    def _behind(self, step: ty.Step, facts: FactSet) -> FactSet:
        """Return the facts after a step, those from inside a block included."""
        if isinstance(step, ty.Block):
            for inner in step.steps:
                facts = self._behind(inner, facts)
            return facts
        if isinstance(step, ty.SetLocal):
            drawn = step.value.domain if isinstance(step.value, ty.RandomOf | ty.BestOf) else None
            if drawn is not None and self._may_be_none(ty.AnyOf(drawn, type=YES_NO), facts):
                self._perhaps.add(step.name)
            else:
                self._perhaps.discard(step.name)
        return facts if self._knows_nothing else self._facts.behind(step, facts)
