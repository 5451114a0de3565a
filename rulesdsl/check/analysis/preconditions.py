"""Weakest preconditions of procedures and options, written into the tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis import wording
from rulesdsl.check.analysis.intervals import Intervals
from rulesdsl.check.analysis.precondition_errors import LateConditions
from rulesdsl.check.analysis.prover import Cells, Effects, FactSet, facts_of, proved
from rulesdsl.check.analysis.substitution import Substitution
from rulesdsl.check.symbols.types import NUMBER, PLAYER, SEAT, YES_NO, piece
from rulesdsl.check.typed.conditions import (
    as_filled,
    atoms,
    both,
    either,
    lying,
    narrowed,
    negate,
    some_of,
    uses,
)
from rulesdsl.check.typed.program import Program
from rulesdsl.check.typed.traits import TRAITS, inline, is_random
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import NOWHERE, Span

# the last line of these is inside: nothing can be joined to it
_WITH_BODY = (ty.Branching, ty.WhereAble, ty.RepeatTimes, ty.ForEach, ty.Decide, ty.Secretly)
Implied = tuple[ty.Value, ty.Value]


@attrs.frozen
class FlowState:
    """Flow state: facts, implications, written cells, and locals bound too late for the guard.

    `changes` are the steps that wrote since the beginning of the block, and `around` those before
    it.
    """

    facts: FactSet
    written: Cells = frozenset()
    late: frozenset[str] = frozenset()
    implied: tuple[Implied, ...] = ()  # pairs (p, q) with p implies q
    changes: tuple[ty.Step, ...] = ()
    around: tuple[ty.Step, ...] = ()

    def inside(self) -> FlowState:
        """Return the state at the beginning of a nested block."""
        return attrs.evolve(self, changes=(), around=self.around + self.changes)

    def unwritten(self) -> FlowState:
        """Return the state for conditions that are evaluated here, not at the front."""
        return attrs.evolve(self, written=frozenset(), changes=(), around=())

    def holding(self, condition: ty.Value) -> FlowState:
        """Return the state in which a condition and its consequences hold as well."""
        new = set(atoms(condition))
        new |= set(map(as_filled, new))
        new |= {found for asked, found in self.implied if asked in new}
        return attrs.evolve(self, facts=self.facts | new)

    def with_one(self, name: str, domain: ty.Domain) -> FlowState:
        """Return the state in which a local is bound to an element of a domain."""
        return attrs.evolve(self, facts=self.facts | facts_of(name, domain))

    def binding(self, step: ty.SetLocal, *, late: bool) -> FlowState:
        """Return the state in which a local is bound to a value."""
        local = ty.Local(step.name, type=step.value.type)
        facts = self.facts | _copies(self.facts, step.value, local)
        implied = (*self.implied, *_implications(local, step.value))
        names = self.late | {step.name} if late else self.late
        return attrs.evolve(self, facts=facts, implied=implied, late=names)


def _copies(facts: FactSet, value: ty.Value, local: ty.Local) -> set[ty.Value]:
    """Return the facts about a value, in terms of the local that is bound to it."""
    if not isinstance(value, ty.Local | ty.FieldOf | ty.CallValue) or value == local:
        return set()
    return {
        ty.rewrite(fact, lambda each: local if each == value else each)
        for fact in facts
        if any(each == value for each in ty.walk(fact))
    }


def _implications(local: ty.Local, value: ty.Value) -> Iterator[Implied]:
    """Yield the facts about a chosen or drawn element that hold if it is not none."""
    there = ty.IsSome(local, type=YES_NO)
    if isinstance(value, ty.BestOf | ty.RandomOf):
        yield from ((there, fact) for fact in facts_of(local.name, value.domain))
    elif isinstance(value, ty.FirstOf):
        total = ty.Local(local.name, type=local.type.total())
        for atom in atoms(value.condition):
            yield there, ty.substitute(atom, value.variable, total)


def candidates(name: str, domain: ty.Domain, guard: ty.Value) -> ty.Domain | None:
    """Return the elements of a domain that satisfy the guard's conditions on `name`.

    Return None if they are pieces in any place and no condition restricts their place.
    """
    about = [atom for atom in atoms(guard) if uses(atom, name)]
    base = domain.base if isinstance(domain, ty.Filtered) else domain
    if not isinstance(base, ty.AnyWhere):
        return narrowed(domain, name, both(*about))
    if isinstance(domain, ty.Filtered):
        mine = ty.Local(name, type=domain.element)
        about += atoms(ty.substitute(domain.condition, domain.variable, mine))
    for place in about:
        if isinstance(place, ty.MemberOf) and _restricts_place(place, name):
            about.remove(place)
            return narrowed(place.domain, name, both(*about))
    return None


def _restricts_place(member: ty.MemberOf, name: str) -> bool:
    return (
        isinstance(member.subject, ty.Local)
        and member.subject.name == name
        and isinstance(member.domain, ty.Lying)
        and not uses(member.domain, name)
    )


SMALL = 24  # nodes of a guard that is inlined, at most


def call_guard(
    program: Program,
    key: str,
    me: ty.Value,
    arguments: tuple[ty.Value, ...],
) -> ty.Value:
    """Return the guard for a call: inlined if small, otherwise a `Can` node."""
    guard = program.guards.get(key, ty.YES)
    if guard in {ty.YES, ty.NO}:
        return guard
    params = program.procs[key].params
    if sum(1 for _ in ty.walk(guard)) > SMALL:
        can = ty.Can(key, me, arguments, type=YES_NO)
        return both(*(inline(program, e, params, me, arguments) for e in lying(guard)), can)
    return inline(program, guard, params, me, arguments)


def field_guard(program: Program, step: ty.DoField) -> ty.Value:
    """Return the guard of `do`: the field has an effect, and it can be carried out."""
    kind = program.world.kinds[step.kind]
    fixed = isinstance(step.subject, ty.Const)
    one_column = step.key is None or program.key_name(step) is not None
    procs = program.meant(step)
    if fixed and one_column and len(procs) == 1:
        return call_guard(program, procs[0], step.me, ())
    free = all(program.guards.get(proc, ty.YES) == ty.YES for proc in procs)
    written = [each for each in kind.entries if step.field not in each.wrong]
    full = one_column and len(procs) >= (1 if fixed else len(written))
    if free and full:
        return ty.YES
    where = step.kind, step.field, step.subject, step.key
    if free:
        return ty.HasEffect(*where, type=YES_NO, span=step.span)
    return ty.CanDo(*where, step.me, type=YES_NO, span=step.span)


def enough(program: Program, step: ty.MoveCounted | ty.MoveSome, amount: ty.Value) -> ty.Value:
    """Return the condition that there are enough pieces for a move."""
    if isinstance(step, ty.MoveSome):
        domain = step.domain
    else:
        of_seats = program.world.places[step.source.place].owner_dim is not None
        owner = None if of_seats else step.owner
        domain = ty.Lying(step.piece, step.source, owner, element=piece(step.piece))
    if isinstance(amount, ty.Const) and amount.value <= 1:
        some = ty.AnyOf(domain, type=YES_NO, span=step.span)
        return some if amount.value == 1 else ty.YES
    counted = ty.CountOf(domain, type=NUMBER, span=step.span)
    return ty.Comparison(">=", counted, amount, type=YES_NO, span=step.span)


NO_CELLS: Cells = frozenset()
EVERYBODY = ty.AllSeats(players=True, element=PLAYER)
ZERO = ty.Const(0, type=NUMBER)
Steps = tuple[ty.Step, ...]


# Weakest preconditions: a guard for every procedure and option, so that no game gets stuck.
#
# A procedure may need something in the middle: a price to pay, a thing to choose. A procedure that
# cannot be completed must not be begun, so each one gets a guard under which all of its steps are
# possible, computed backwards over the steps, callees first (Dijkstra):
#
#     wp(needs C; rest)    = C and wp(rest)             C is a fact in the rest
#     wp(let x = V; rest)  = let x = V: wp(rest)
#     wp(run p(a); rest)   = guard of p with a for its parameter, and wp(rest)
#     wp(choose x; rest)   = any x: wp(rest)            these are the candidates
#     wp(if C: a; else: b) = C ? wp(a); wp(b)
#
# There is one deviation: all conditions are evaluated before the first change. A condition that
# reads nothing written so far (`FlowState.written`) moves to the front unchanged. Any other
# condition is late: it must follow from the facts at that point (`prover.proved`), or the rule is
# rejected with E401. On one line (`A, B to C`), the changes are substituted into it instead where
# `substitution` can, so that `pay 1 coin to pay 2 coins` requires three coins at the front. A
# `may` or `if able` evaluates its guard when it is reached, so conditions inside are not late.
#
# The driver of `dataflow` is not suitable: a precondition is built backwards, and a `let` or a
# choice encloses the precondition of all steps after it, while summaries compose forwards.
#
# The pass returns the bodies with guards filled in (`OptionLine.guard`, `WhereAble.guard`, domains
# of `Decide` and `Secretly` narrowed to candidates) and writes `Program.guards`. A guard of up to
# `SMALL` nodes is inlined at a call; a longer one becomes a `Can` node, as a function call.
#
# Read and write sets are per kind of place, track and flag, not per cell. So "pay from my purse,
# then the other player needs a coin in theirs" is rejected although the cells differ; so is a
# condition on the sum of two tracks even if the steps leave the sum unchanged, since the prover
# does no arithmetic.
class Guards:
    """Computation of the guards of procedures and options; it reports steps that can get stuck.

    `unsure` are the failed procedures and their callers, for which some errors are not reported.
    """

    def __init__(
        self,
        effects: Effects,
        intervals: Intervals,
        findings: Findings,
        unsure: frozenset[str],
    ) -> None:
        self.program = effects.program
        self.effects = effects
        self.intervals = intervals
        self.findings = findings
        self.unsure = unsure
        self.stuck = LateConditions(effects, findings)
        self._key = ""
        self._checks: list[ty.Step] = []  # of the step that is being processed
        self._bodies: dict[str, ty.Block] = {}

    def run(self, order: Iterable[str]) -> dict[str, ty.Block]:
        """Compute guards, callees first, and return the bodies with guards filled in.

        Failed procedures are skipped, since guesses about their meaning would cause more findings.
        """
        self._bodies = {key: proc.block for key, proc in self.program.procs.items()}
        for key in order:
            if key not in self.program.failed:
                self._guard(key)
        return self._bodies

    def _guard(self, key: str) -> None:
        self._key = key
        block = self.program.procs[key].block
        guard, self._bodies[key] = self._block(block, FlowState(FactSet(self.effects.reads)))
        self.program.guards[key] = ty.YES if key in self.program.failed else guard
        self.effects.called_reads(key)

    def require_free(self, key: str) -> None:
        """Report the preconditions of a procedure that starts the game, as nothing checks them."""
        guard = self.program.guards.get(key, ty.YES)
        for atom in atoms(guard) if guard != ty.YES else ():
            place = atom.span if atom.span.line else self.program.procs[key].span
            self.stuck.report(place, atom, wording.MAY_BE_IMPOSSIBLE)

    # ---------------------------------------------------------------- conditions
    def _ask(self, condition: ty.Value, known: FlowState, span: Span | None = None) -> ty.Value:
        """Return a condition as part of the guard; report it if it is late and not provable."""
        if condition == ty.YES or proved(condition, known.facts) or self._some_number(condition):
            return ty.YES
        if isinstance(condition, ty.And):
            return both(*(self._ask(part, known, span) for part in condition.parts))
        if self._is_late(condition, known):
            at, late = span or condition.span, self.program.procs[self._key].late
            earlier = self._earlier(condition, known)
            if earlier is None or not self._joined(condition, known, at):
                if late is None:
                    before = (*known.around, *known.changes)
                    joins = earlier is not None and not any(
                        isinstance(step, _WITH_BODY) for step in self._causes(condition, known)
                    )
                    self.stuck.report_in(self._key, at, condition, before, joins=joins)
                else:
                    place = condition.span if condition.span.line else at
                    name, free = f"{self._key}: {len(late)}", _free(condition)
                    late[name] = free, attrs.evolve(condition, span=place)
                    self._checks.append(_late_check(name, free, condition))
                return ty.YES
            condition = earlier
        if span is not None and (condition.span.line == 0 or self.stuck.is_added(span, condition)):
            condition = attrs.evolve(condition, span=span)
        return condition

    def _some_number(self, condition: ty.Value) -> bool:
        """Return whether the first number of a range always exists and can be chosen."""
        return isinstance(condition, ty.AnyOf) and self.intervals.truth(condition) is True

    def _is_late(self, value: ty.Value, known: FlowState) -> bool:
        return bool(self.effects.reads(value) & known.written) or any(
            isinstance(each, ty.Local) and each.name in known.late for each in ty.walk(value)
        )

    def _earlier(self, condition: ty.Value, known: FlowState) -> ty.Value | None:
        """Return what a late condition requires at the front, or None if that is not provable."""
        earlier = Substitution(self.effects, self._bodies).before(
            condition, reversed(known.changes)
        )
        outside = NO_CELLS.union(*map(self.effects.writes, known.around))
        if earlier is None or self._is_late(earlier, attrs.evolve(known, written=outside)):
            return None
        return earlier

    def _joined(self, condition: ty.Value, known: FlowState, at: Span) -> bool:
        """Return whether the steps that make a condition late are on one line with its step."""
        causes = [step.span for step in self._causes(condition, known)]
        lines = (line for line in self.program.joined if line.holds(at))
        return any(all(map(line.holds, causes)) for line in lines)

    def _causes(self, condition: ty.Value, known: FlowState) -> list[ty.Step]:
        """Return the steps of the block that make a condition late."""
        read = self.effects.reads(condition)
        return [step for step in known.changes if self.effects.writes(step) & read]

    def _changed(self, step: ty.Step, state: FlowState, cells: Cells | None = None) -> FlowState:
        """Return the state after a step, without the facts that its writes to cells invalidate."""
        cells = self.effects.writes(step) if cells is None else cells
        if not cells:
            return state
        facts = state.facts.without(cells)
        implied = tuple(pair for pair in state.implied if not self.effects.reads(pair[1]) & cells)
        return attrs.evolve(
            state,
            written=state.written | cells,
            facts=facts,
            implied=implied,
            changes=(*state.changes, step),
        )

    # ---------------------------------------------------------------- sequences
    def _block(self, block: ty.Block, known: FlowState) -> tuple[ty.Value, ty.Block]:
        """Return the weakest precondition of a block, and the block with guards filled in."""
        made: list[ty.Step] = []
        guard = self._after(block.steps, known, made)
        return guard, attrs.evolve(block, steps=_filled(block.steps, iter(made)))

    def _offered(self, block: ty.Block, known: FlowState) -> tuple[ty.Value, ty.Block]:
        """Return the guard of an option, evaluated when it is offered, and its block."""
        return self._block(block, attrs.evolve(known.unwritten(), late=frozenset()))

    def _after(self, steps: Steps, known: FlowState, made: list[ty.Step]) -> ty.Value:
        """Return the weakest precondition of steps; append them, flattened, to `made`."""
        asked: list[ty.Value] = []
        left = list(reversed(steps))
        while left:
            step = left.pop()
            if isinstance(step, ty.Block):
                left.extend(reversed(step.steps))
                continue
            made.append(step)
            if isinstance(step, ty.Finish):
                break
            if isinstance(step, ty.SetLocal):
                asked.append(self._bind(step, tuple(reversed(left)), known, made))
                break
            if isinstance(step, ty.Decide) and step.choice is not None:
                asked.append(self._pick(step, tuple(reversed(left)), known, made))
                break
            if isinstance(step, ty.Require):
                self._check_text(step, known)
                asked.append(self._ask(step.condition, known))
                known = known.holding(step.condition)
            else:
                condition, made[-1] = self._one(step, known)
                asked.append(condition)
                known = self._changed(step, known)
            self._put_checks(made, -1)
        return both(*asked)

    def _put_checks(self, made: list[ty.Step], at: int) -> None:
        """Put the checks of late conditions before the step that needs them."""
        if self._checks:
            made[at] = ty.Block((*self._checks, made[at]), span=made[at].span)
            self._checks = []

    def _check_text(self, step: ty.Require, known: FlowState) -> None:
        for part in atoms(step.condition):
            for each in [] if part.why is None else ty.walk(part.why):
                if isinstance(each, ty.Local) and each.name in known.late:
                    wording.TEXT_TOO_EARLY.report(self.findings, each.span)
                    return

    def _bind(
        self, step: ty.SetLocal, rest: Steps, known: FlowState, made: list[ty.Step]
    ) -> ty.Value:
        """Process a `let`: the guard contains it unless its value is late or random."""
        late = self._is_late(step.value, known) or is_random(step.value)
        inner = self._after(rest, known.binding(step, late=late), made)
        if late:
            return inner
        if not uses(inner, step.name):  # only texts may still use it
            return ty.substitute(inner, step.name, step.value)
        asked_at = self.stuck.asked_at(inner)  # the local alone is not a condition
        span = step.span if asked_at == NOWHERE else asked_at
        return ty.LetIn(step.name, step.value, inner, type=YES_NO, span=span)

    def _pick(
        self, step: ty.Decide, rest: Steps, known: FlowState, made: list[ty.Step]
    ) -> ty.Value:
        """Process a choice: its candidates are the elements that make the later steps possible."""
        assert step.choice is not None
        name, base = step.choice
        at = len(made) - 1
        fresh = known.unwritten().with_one(name, base)
        inner = self._after(rest, fresh, made)
        domain = candidates(name, base, inner)
        if domain is None:
            domain = base
            self._report_anywhere(step.span, base)
        made[at] = attrs.evolve(step, lines=(attrs.evolve(step.lines[0], domain=domain),))
        found = self._ask(some_of(domain, "", ty.YES), known, step.span)
        apart = [self._ask(atom, known) for atom in atoms(inner) if not uses(atom, name)]
        self._put_checks(made, at)
        return both(found, *apart)

    def _report_anywhere(self, span: Span, domain: ty.Domain) -> None:
        if self._key not in self.unsure:
            wording.CHOSEN_ANYWHERE.report(self.findings, span, kind=domain.element.of)
            self.program.failed.add(self._key)

    # ---------------------------------------------------------------- single steps
    def _one(self, step: ty.Step, known: FlowState) -> tuple[ty.Value, ty.Step]:
        if isinstance(step, ty.Leaf):
            return self._leaf(step, known), step
        match step:
            case ty.Run(proc=proc, me=me, arguments=arguments):
                guard = call_guard(self.program, proc, me, arguments)
                return self._ask(guard, known, step.span), step
            case ty.DoField():
                guard = field_guard(self.program, step)
                return self._ask(guard, known, step.span), step
            case ty.Branching():
                return self._branching(step, known)
            case ty.WhereAble():
                guard, block = self._offered(step.block, known)
                asked, otherwise = self._block(step.otherwise, known.inside())
                return asked, attrs.evolve(step, block=block, otherwise=otherwise, guard=guard)
            case ty.Decide():
                return self._decide(step, known)
            case ty.RepeatTimes() | ty.ForEach():
                return self._loop(step, known)
            case ty.Secretly():
                return self._secretly(step, known)
            case ty.Block():
                raise AssertionError(step)  # blocks are flattened
            case _:
                assert_never(step)

    def _leaf(self, step: ty.Leaf, known: FlowState) -> ty.Value:
        if not isinstance(step, ty.MoveCounted | ty.MoveSome) or step.up_to or not step.amount:
            return ty.YES
        return self._ask(enough(self.program, step, step.amount), known, step.span)

    def _branching(self, step: ty.Branching, known: FlowState) -> tuple[ty.Value, ty.Step]:
        """Process an `if`: its precondition is that of the branch that is taken."""
        guards: list[tuple[ty.Value, ty.Value]] = []
        branches: list[tuple[ty.Value, ty.Block]] = []
        here = known.inside()
        for condition, block in step.branches:
            guard, inside = self._block(block, here.holding(condition))
            guards.append((condition, guard))
            branches.append((condition, inside))
            here = here.holding(negate(condition))
        last, otherwise = self._block(step.otherwise, here)
        made = attrs.evolve(step, branches=tuple(branches), otherwise=otherwise)
        if last == ty.YES and all(guard == ty.YES for _, guard in guards):
            return ty.YES, made
        chosen = ty.Cases(tuple(guards), last, type=YES_NO, span=step.span)
        others = [last, *(guard for _, guard in guards[1:])]
        shared = [
            each for each in lying(guards[0][1]) if all(each in atoms(other) for other in others)
        ]
        return self._ask(both(*shared, chosen), known, step.span), made

    def _decide(self, step: ty.Decide, known: FlowState) -> tuple[ty.Value, ty.Step]:
        """Process a decision: the guard of an option is evaluated each time it is offered."""
        here = known
        for block in step.blocks if step.again else ():
            here = self._changed(block, here)
        lines: list[ty.OptionLine] = []
        for line in step.lines:
            inner = here if line.about is None else here.with_one(*line.about)
            guard, block = self._offered(line.block, inner)
            lines.append(attrs.evolve(line, guard=guard, block=block))
        made = attrs.evolve(step, lines=tuple(lines))
        if step.stop is not None or not lines:
            return ty.YES, made
        return self._ask(either(line.guard for line in lines), known, step.span), made

    def _loop(
        self, step: ty.RepeatTimes | ty.ForEach, known: FlowState
    ) -> tuple[ty.Value, ty.Step]:
        """Process a loop: the precondition of its body must hold in every round."""
        if isinstance(step, ty.ForEach):
            here = self._one_of(step, self._at_turn(step, step.variable, known))
        else:
            here = self._changed(step.block, known).inside()
        body, block = self._block(step.block, here)
        made = attrs.evolve(step, block=block)
        if body == ty.YES:
            return ty.YES, made
        place, flow = _place(body, step.span), TRAITS[type(step)].flow(step)
        if flow is not None and flow.tested:
            return self._ask(body, known, step.span), made
        if isinstance(step, ty.ForEach):
            failing = some_of(step.domain, step.variable, negate(body))
            return self._ask(negate(failing), known, place), made
        never = ty.Comparison("<=", step.times, ZERO, type=YES_NO)
        return self._ask(either([never, body]), known, place), made

    def _at_turn(self, step: ty.ForEach | ty.Secretly, seat: str, known: FlowState) -> FlowState:
        """Return the state at the beginning of a round, after the rounds of others.

        If each round is of another seat, what all of them touch only at their own is unchanged.
        """
        cells = self.effects.writes(step.block)
        if isinstance(step, ty.Secretly) or isinstance(step.domain.unfiltered, ty.AllSeats):
            about = facts_of(step.variable, step.domain)
            cells &= self.effects.elsewhere([step.block, *about], seat)
        return self._changed(step.block, known, cells).inside()

    def _one_of(self, step: ty.ForEach, here: FlowState) -> FlowState:
        """Return the state with facts about the loop variable that no round invalidates."""
        written = self.effects.writes(step.block)
        facts = frozenset(
            fact
            for fact in facts_of(step.variable, step.domain)
            if not self.effects.reads(fact) & here.written
            or (isinstance(fact, ty.MemberOf) and not self.effects.reads(fact) & written)
        )
        return attrs.evolve(here, facts=here.facts | facts)

    def _secretly(self, step: ty.Secretly, state: FlowState) -> tuple[ty.Value, ty.Step]:
        """Process a simultaneous choice: there must be an option for every player taking part."""
        fresh = FlowState(FactSet(self.effects.reads), late=state.late)
        inner = self._at_turn(step, step.me, fresh.with_one(step.variable, step.domain))
        body, block = self._block(step.block, inner)
        domain = narrowed(step.domain, step.variable, body)
        possible = some_of(domain, "", ty.YES)
        if step.where != ty.YES:
            sure = proved(possible, state.facts | atoms(step.where))
            possible = (
                ty.YES
                if sure or self._some_number(possible)
                else either([negate(step.where), possible])
            )
        sure = proved(possible, state.facts) or self._some_number(possible)
        if uses(possible, step.me) and not sure:
            possible = negate(some_of(EVERYBODY, step.me, negate(possible)))
        guarded = attrs.evolve(step, domain=domain, block=block)
        return self._ask(possible, state, step.span), guarded


def _filled(steps: Steps, made: Iterator[ty.Step]) -> Steps:
    """Put the steps with guards back into their nested blocks; leave unreached steps unchanged."""
    return tuple(
        attrs.evolve(each, steps=_filled(each.steps, made))
        if isinstance(each, ty.Block)
        else next(made, each)
        for each in steps
    )


def _free(condition: ty.Value) -> tuple[ty.Local, ...]:
    """Return the locals of a condition that are bound outside of it."""
    bound = {name for each in ty.walk(condition) for name in TRAITS[type(each)].within(each)}
    every = (each for each in ty.walk(condition) if isinstance(each, ty.Local))
    return tuple(dict.fromkeys(each for each in every if each.name not in bound))


def _late_check(name: str, free: tuple[ty.Local, ...], condition: ty.Value) -> ty.Step:
    """Return a step that ends the game, with a line in the log, unless a condition holds."""
    words = ty.MessageText((name, *" " * len(free)), free, ("",) * len(free))
    stop = ty.Block((ty.Tell(words, ty.Const(-1, type=SEAT), "say"), ty.Finish()))
    return ty.Branching(((negate(condition), stop),), ty.Block(()))


def _place(condition: ty.Value, otherwise: Span) -> Span:
    places = (atom.span for atom in atoms(condition))
    return next((span for span in places if span.line), otherwise)
