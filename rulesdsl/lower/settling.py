"""Checked procedures with their guards written into them: what every back end starts from.

Where something is offered, its block begins with one `Require` that holds the whole guard; other
conditions, which the checker has proved or moved into guards, are gone.  Candidates are those that
keep the rest of the guard true, and `if able` asks its guard like any condition.

What is hidden decides nothing in silence: before a step that shows somebody what they could not
know stands a `Learn`, and a question is asked wherever it might be as far as all know: `No` or
`Done` is what is left then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.disclosure import Disclosure
from rulesdsl.check.proofs import both, negate, some_of, uses
from rulesdsl.check.types import YES_NO
from rulesdsl.check.visibility import (
    ALL,
    OPEN,
    Sight,
    Sights,
    Visibility,
    bound_by,
    meet,
    seat,
    within,
)
from rulesdsl.lower import form as fm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.program import TypedProc
    from rulesdsl.check.world import FlagInfo, TrackInfo


def has_activation(checked: Checked, proc: TypedProc) -> bool:
    """Whether there are cells that last as long as a procedure is carried out."""
    world = checked.program.world
    cells: list[FlagInfo | TrackInfo] = [*world.flags.values(), *world.tracks.values()]
    outermost = {each.key for each in world.procs.get(proc.title, [])}  # not beneath a hook
    return proc.key in outermost and any(cell.during == proc.title for cell in cells)


def guard_of(block: ty.Block) -> ty.Value:
    """Return the guard of a settled block that is offered."""
    first = block.steps[0] if block.steps else None
    return first.condition if isinstance(first, ty.Require) else ty.YES


def offer_of(block: ty.Block) -> ty.Offer | None:
    """Return what is hidden of the offer of a settled block, None where everybody knows it."""
    first = block.steps[0] if block.steps else None
    return first if isinstance(first, ty.Offer) else None


def known_of(block: ty.Block) -> ty.Value:
    """Return what all know of the guard of a settled block: all of it where nothing is hidden."""
    offer = offer_of(block)
    return guard_of(block) if offer is None else offer.known


def menu_out(entry: ty.Entry, target: int) -> fm.MenuOut:
    """Return a line of a menu; its block begins at `target`."""
    return fm.MenuOut(
        entry.once,
        entry.label,
        entry.text,
        entry.variable,
        entry.domain,
        guard_of(entry.block),
        target,
        entry.block,
    )


def perhaps(line: fm.MenuOut) -> fm.MenuOut | None:
    """Return what all know of a line of a menu; None where nothing about it is hidden."""
    offer = offer_of(line.block)
    if offer is None or (offer.known == line.guard and offer.wider == line.domain):
        return None
    if line.variable is None or offer.wider is not None:
        return attrs.evolve(line, guard=offer.known, domain=offer.wider)
    known = ty.YES if uses(offer.known, line.variable) else offer.known
    return attrs.evolve(line, guard=known, variable=None, domain=None, once=False)


class Settler:
    """Settles the procedures of a program, and carries along who knows what locals hold."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.see = Visibility(checked.program)
        self.disclosure = Disclosure(self.see, checked.guards.fresh)
        self._given: dict[str, list[Sights]] = {key: [] for key in checked.program.procs}
        self._key = ""

    def all(self) -> dict[str, tuple[ty.Step, ...]]:
        """Return the steps of every procedure, in the order of the program."""
        program = self.checked.program
        # guards are computed callees first: here callers come first
        found = {key: self._settled(program.procs[key]) for key in reversed(program.guards)}
        return {key: found[key] for key in program.procs}

    def _settled(self, proc: TypedProc) -> tuple[ty.Step, ...]:
        """Return the steps of a procedure; cells of one activation are cleared."""
        self._key = proc.key
        sights = {"me": OPEN}
        for param in proc.params:
            passed = [each[param.name] for each in self._given[proc.key]]
            which, face = meet(each.which for each in passed), meet(each.face for each in passed)
            sights[param.name] = Sight(which, face)
        steps = self._steps(proc.block, sights)
        if not has_activation(self.checked, proc):
            return steps
        reset = ty.Reset(proc.title, span=proc.span)
        return (reset, *steps, reset)

    # ---------------------------------------------------------------- blocks
    def _steps(self, block: ty.Block, sights: Sights) -> tuple[ty.Step, ...]:
        return tuple(each for step in block.steps for each in self._step(step, sights))

    def _block(self, block: ty.Block, sights: Sights, *last: ty.Step) -> ty.Block:
        """Return a block of its own: what is bound or shown in it is forgotten behind it."""
        return ty.Block((*self._steps(block, dict(sights)), *last), span=block.span)

    # ---------------------------------------------------------------- steps
    def _step(self, step: ty.Step, sights: Sights) -> Iterator[ty.Step]:
        """Yield what a step becomes; `sights` is brought up to what is known behind it."""
        if isinstance(step, ty.Require):
            return
        told = isinstance(step, ty.Run | ty.DoField) and self._pass_on(step, sights)
        if told or self.disclosure.discloses(step, sights):
            yield ty.Learn(ty.YES, span=step.span)
        match step:
            case ty.Block():
                yield ty.Block(self._steps(step, sights), span=step.span)
            case ty.SetLocal():
                sights[step.name] = self.see.sight(step.value, sights)
                yield step
            case ty.MovePrinted(subject=ty.Local(name=name), target=target):
                if self.see.world.places[target.place].seen_by is None:
                    sights[name] = OPEN
                yield step
            case ty.WhereAble():
                guard = self.checked.guards.offers.get(id(step.block), ty.YES)
                branches = ((guard, step.block),)
                yield from self._branching(branches, step.otherwise, step, sights)
            case ty.Branching():
                yield from self._branching(step.branches, step.otherwise, step, sights)
            case ty.RepeatTimes() | ty.RepeatUntil() | ty.ForEach():
                yield from self._loop(step, sights)
            case _:
                yield from self._asked(step, sights)

    def _pass_on(self, step: ty.Run | ty.DoField, sights: Sights) -> bool:
        """Note what is known of what a procedure is given; return whether it gives that away.

        A hidden number is told where it is passed on, not where it is used: the same verb may be
        given another one that everybody knows.
        """
        graph = self.checked.graph
        tells = False
        for callee in graph.called(step):
            proc = self.checked.program.procs[callee]
            arguments = step.arguments if isinstance(step, ty.Run) else ()
            given = self.see.inward(bound_by(proc.params, step.me, arguments), sights)
            for name in (each.name for each in proc.params if each.type.family != "piece"):
                if self.disclosure.follows(proc.block, given[name].face, given):
                    tells, given[name] = True, OPEN
            # what scenarios call is no part of the game, and says nothing of what it hides
            if self._key in graph.reachable or callee not in graph.reachable:
                self._given[callee].append(given)
        return tells

    def _branching(
        self,
        branches: tuple[tuple[ty.Value, ty.Block], ...],
        otherwise: ty.Block,
        step: ty.Step,
        sights: Sights,
    ) -> Iterator[ty.Step]:
        eyes = self.see.faces((condition for condition, _ in branches), sights)
        every = [*(block for _, block in branches), otherwise]
        if any(self.disclosure.follows(block, eyes, sights) for block in every):
            before: list[ty.Value] = []
            for condition, _ in branches:
                if self.see.face(condition, sights) is not ALL:
                    break
                before.append(negate(condition))
            yield ty.Learn(both(*before), span=step.span)
        made = tuple((condition, self._block(block, sights)) for condition, block in branches)
        yield ty.Branching(made, self._block(otherwise, sights), span=step.span)

    def _loop(
        self, step: ty.RepeatTimes | ty.RepeatUntil | ty.ForEach, sights: Sights
    ) -> Iterator[ty.Step]:
        """Yield a loop; where hidden things say how often it goes round, each round tells."""
        match step:
            case ty.ForEach():
                start = self.see.face_of(step.start, sights)
                eyes = meet([self.see.number(step.domain, sights), start])
                sights = {**sights, step.variable: self.see.candidate(step.domain, sights)}
            case ty.RepeatTimes():
                eyes = self.see.face(step.times, sights)
            case ty.RepeatUntil():
                eyes = self.see.faces([step.limit, step.condition], sights)
        tells = self.disclosure.follows(step.block, eyes, sights)
        learn = [ty.Learn(ty.YES, span=step.span)] if tells else []
        yield from learn
        yield attrs.evolve(step, block=self._block(step.block, sights, *learn))

    # ---------------------------------------------------------------- questions
    def _asked(  # noqa: C901 - one case for each kind of question
        self, step: ty.Step, sights: Sights
    ) -> Iterator[ty.Step]:
        match step:
            case ty.Pick():
                domain = self._candidates(step)
                seen = self.see.things(domain, sights)
                secret = self._chosen(step.name, domain, step.me, sights)
                if not secret and seen is not ALL:  # all learn from whether it is asked
                    yield ty.Learn(ty.YES, span=step.span)
                elif not within(seat(step.me), seen):
                    some = ty.AnyOf(domain, type=YES_NO)
                    yield ty.Learn(self.disclosure.known(some, sights), span=step.span)
                yield attrs.evolve(step, domain=domain, secret=secret)
            case ty.Secretly():
                domain, me = self._candidates(step), ty.Local(step.me)
                inner = {**sights, step.me: OPEN}
                if not within(seat(me), self.see.things(domain, inner)):
                    yield ty.Learn(ty.YES, span=step.span)
                self._chosen(step.variable, domain, me, inner)
                yield attrs.evolve(step, domain=domain, block=self._block(step.block, inner))
            case ty.Optionally() | ty.OptionallyRepeat():
                first, learn = self._offer(step.block, step, sights)
                again: list[ty.Step] = []
                if isinstance(step, ty.OptionallyRepeat):
                    if self.see.face_of(step.limit, sights) is not ALL:
                        learn = [ty.Learn(ty.YES, span=step.span)]
                    again = learn
                yield from learn
                made = self._block(step.block, sights, *again)
                yield attrs.evolve(step, block=_headed(first, made))
            case ty.ChooseWay():
                ways: list[ty.Way] = []
                for way in step.ways:
                    first, learn = self._offer(way.block, step, sights)
                    yield from learn
                    block = _headed(first, self._block(way.block, sights))
                    ways.append(attrs.evolve(way, block=block))
                yield attrs.evolve(step, ways=tuple(ways))
            case ty.OfferMenu():
                yield from self._menu(step, sights)
            case _:
                yield step

    def _menu(self, step: ty.OfferMenu, sights: Sights) -> Iterator[ty.Step]:
        """Yield a menu; where it shows what was hidden, it does so each time it is offered."""
        firsts: list[tuple[ty.Step | None, Sights]] = []
        told: list[ty.Step] = []
        for entry in step.entries:
            inner = dict(sights)
            first, learn = self._offer(entry.block, step, inner, entry)
            firsts.append((first, inner))
            told += learn
        yield from told
        entries = tuple(
            attrs.evolve(entry, block=_headed(first, self._block(entry.block, inner, *told)))
            for entry, (first, inner) in zip(step.entries, firsts, strict=True)
        )
        yield attrs.evolve(step, entries=entries)

    def _offer(
        self,
        block: ty.Block,
        step: ty.Optionally | ty.OptionallyRepeat | ty.ChooseWay | ty.OfferMenu,
        sights: Sights,
        entry: ty.Entry | None = None,
    ) -> tuple[ty.Step | None, list[ty.Step]]:
        """Return how a block begins that is offered, and what is learned by who is asked."""
        guard = self.checked.guards.offers.get(id(block), ty.YES)
        offered: ty.Value = guard
        things, secret = ALL, False
        wider: ty.Domain | None = None
        if entry is not None and entry.domain is not None and entry.variable is not None:
            wider = self.disclosure.known_domain(entry.domain, sights)
            things = self.see.things(entry.domain, sights)
            outer = dict(sights)
            secret = self._chosen(entry.variable, entry.domain, step.me, sights)
            sights_of = {**outer, entry.variable: self.see.candidate(entry.domain, outer)}
            known = self.disclosure.known(guard, sights_of)
            offered = some_of(entry.domain, entry.variable, guard)
            seen = meet([things, self.see.face(guard, sights_of)])
        else:
            known = self.disclosure.known(guard, sights)
            seen = self.see.face(guard, sights)
        for each in block.steps:
            if isinstance(each, ty.DoField):  # the label says which effect it is
                key = self.see.face_of(each.key, sights)
                named = meet([self.see.face(each.subject, sights), key])
                secret = secret or named is not ALL
                seen = meet([seen, named])
        learn: list[ty.Step] = []
        if not within(seat(step.me), seen):
            learn = [ty.Learn(self.disclosure.known(offered, sights), span=step.span)]
        if seen is ALL:
            first = None if guard == ty.YES else ty.Require(guard, span=block.span)
            return first, learn
        return ty.Offer(guard, known, wider, secret, span=block.span), learn

    def _candidates(self, step: ty.Pick | ty.Secretly) -> ty.Domain:
        return self.checked.guards.domains.get(id(step), step.domain)

    def _chosen(self, name: str, domain: ty.Domain, me: ty.Value, sights: Sights) -> bool:
        """Note who knows what is chosen; return whether only who chooses does."""
        base = domain.unfiltered
        pieces = isinstance(base, ty.Lying | ty.EndPieces)
        secret = pieces and self.see.members(base, sights) is not ALL
        sights[name] = Sight(ALL, seat(me)) if secret else OPEN
        return secret


def _headed(first: ty.Step | None, block: ty.Block) -> ty.Block:
    return block if first is None else attrs.evolve(block, steps=(first, *block.steps))
