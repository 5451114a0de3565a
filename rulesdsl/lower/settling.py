"""Checked procedures with their guards written into them: what every back end starts from.

Where something is offered, its block begins with one `Require` that holds the whole guard; other
conditions, which the checker has proved or moved into guards, are gone.  Candidates are those that
keep the rest of the guard true, and `if able` asks its guard like any condition.

What is hidden decides nothing in silence: before a step that shows somebody what they could not
know stands a `Learn`, and a question is asked wherever it might be as far as all know: `No` or
`Done` is what is left then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.disclosure import Disclosure
from rulesdsl.check.proofs import both, negate, some_of, uses
from rulesdsl.check.types import YES_NO
from rulesdsl.check.visibility import ALL, OPEN, Sight, Sights, bindings, meet, seat, within
from rulesdsl.check.world import TrackInfo
from rulesdsl.lower import form as fm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.program import TypedProc

_Question = (
    ty.Pick | ty.Secretly | ty.Optionally | ty.OptionallyRepeat | ty.ChooseWay | ty.OfferMenu
)


def has_activation(checked: Checked, proc: TypedProc) -> bool:
    """Whether there are cells that last as long as a procedure is carried out."""
    world = checked.program.world
    outermost = {each.key for each in world.procs.get(proc.title, [])}  # not beneath a hook
    return proc.key in outermost and bool(world.activation(proc.title))


def guard_of(block: ty.Block) -> ty.Value:
    """Return the guard of a settled block that is offered."""
    first = block.steps[0] if block.steps else None
    return first.condition if isinstance(first, ty.Require) else ty.YES


def offer_of(block: ty.Block) -> ty.Offer | None:
    """Return what is hidden of the offer of a settled block, None where everybody knows it."""
    first = block.steps[0] if block.steps else None
    return first if isinstance(first, ty.Offer) else None


def might_of(block: ty.Block) -> ty.Value:
    """Return where only hidden things say that a settled block cannot be carried out."""
    offer = offer_of(block)
    return ty.NO if offer is None else offer.might


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
    """Return where only hidden things say that a line is not offered; None where none do."""
    offer = offer_of(line.block)
    if offer is None or offer.might == ty.NO:
        return None
    line = attrs.evolve(line, guard=offer.might, domain=offer.wider)
    unknown = line.variable is not None and offer.wider is None
    return attrs.evolve(line, variable=None, once=False) if unknown else line


class Settler:
    """Lowers the procedures of a program, and carries along who knows what locals hold."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.program = checked.program
        self.see = Disclosure(checked.program, checked.guards.fresh)
        self._given: dict[str, list[Sights]] = {key: [] for key in self.program.procs}
        self._key = ""

    def all(self) -> dict[str, tuple[ty.Step, ...]]:
        """Return the steps of every procedure, in the order of the program."""
        # guards are computed callees first: here callers come first
        found = {key: self._proc(self.program.procs[key]) for key in reversed(self.program.guards)}
        return {key: found[key] for key in self.program.procs}

    def _proc(self, proc: TypedProc) -> tuple[ty.Step, ...]:
        """Return the steps of a procedure; cells of one activation are cleared."""
        self._key = proc.key
        sights = Sights({"me": OPEN})
        for name in (each.name for each in proc.params):
            passed = [each[name] for each in self._given[proc.key]]
            sight = Sight(meet(*(e.which for e in passed)), meet(*(e.face for e in passed)))
            sights.learn(name, sight)
        steps = self._steps(proc.block, sights)
        if not has_activation(self.checked, proc):
            return steps
        reset = ty.Reset(proc.title, span=proc.span)
        return (reset, *steps, reset)

    # ---------------------------------------------------------------- steps
    def _steps(self, block: ty.Block, sights: Sights) -> tuple[ty.Step, ...]:
        return tuple(each for step in block.steps for each in self._step(step, sights))

    def _block(self, block: ty.Block, sights: Sights, *last: ty.Step) -> ty.Block:
        """Return a block of its own: what is bound or shown in it is forgotten behind it."""
        return ty.Block((*self._steps(block, Sights(sights.known)), *last), span=block.span)

    def _step(self, step: ty.Step, sights: Sights) -> Iterator[ty.Step]:
        """Yield what a step becomes; `sights` is brought up to what is known behind it."""
        if isinstance(step, ty.Require):
            return
        told = isinstance(step, ty.Run | ty.DoField) and self._pass_on(step, sights)
        if told or self.see.discloses(step, sights):
            yield ty.Learn(ty.YES, span=step.span)
        if isinstance(step, ty.Leaf):
            yield self._leaf(step, sights)
            return
        match step:
            case ty.Run() | ty.DoField():
                yield step
            case ty.Block():
                yield ty.Block(self._steps(step, sights), span=step.span)
            case ty.WhereAble():
                branches = ((self._guard(step.block), step.block),)
                yield from self._branching(branches, step.otherwise, step, sights)
            case ty.Branching():
                yield from self._branching(step.branches, step.otherwise, step, sights)
            case ty.RepeatTimes() | ty.RepeatUntil() | ty.ForEach():
                yield from self._loop(step, sights)
            case (
                ty.Pick()
                | ty.Secretly()
                | ty.Optionally()
                | ty.OptionallyRepeat()
                | ty.ChooseWay()
                | ty.OfferMenu()
            ):
                yield from self._asked(step, sights)
            case _:
                assert_never(step)

    def _leaf(self, step: ty.Leaf, sights: Sights) -> ty.Step:
        """Return what a step becomes, and note what is known of locals behind it."""
        if isinstance(step, ty.SetLocal):
            sights.learn(step.name, self.see.sight(step.value, sights))
        if not isinstance(step, ty.MovePrinted | ty.MoveSome):
            return step
        turned = attrs.evolve(step, shown=self.see.turns_up(step, sights))
        match step:
            case ty.MovePrinted(subject=ty.Local(name=name)) if (
                self.see.pile_eyes(step.piece, step.target) is ALL
            ):
                sights.learn(name, OPEN)
        return turned

    def _pass_on(self, step: ty.Run | ty.DoField, sights: Sights) -> bool:
        """Note what is known of what a procedure is given; return whether it gives that away.

        A hidden number is told where it is passed on, not where it is used: the same verb may be
        given another one that everybody knows.
        """
        graph = self.checked.graph
        tells = False
        for callee in graph.called(step):
            proc = self.program.procs[callee]
            arguments = step.arguments if isinstance(step, ty.Run) else ()
            given = self.see.passed(dict(bindings(proc.params, step.me, arguments)), sights)
            for name in (each.name for each in proc.params if each.type.family != "piece"):
                if self.see.follows(proc.block, given[name].face, given):
                    tells = True
                    given.learn(name, OPEN)
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
        if any(self.see.follows(block, eyes, sights) for block in every):
            hidden = (self.see.face(each, sights) is not ALL for each, _ in branches)
            before = branches[: next(at for at, each in enumerate(hidden) if each)]
            yield ty.Learn(both(*(negate(each) for each, _ in before)), span=step.span)
        made = tuple((condition, self._block(block, sights)) for condition, block in branches)
        yield ty.Branching(made, self._block(otherwise, sights), span=step.span)

    def _loop(
        self, step: ty.RepeatTimes | ty.RepeatUntil | ty.ForEach, sights: Sights
    ) -> Iterator[ty.Step]:
        """Yield a loop; where hidden things say how often it goes round, each round tells."""
        match step:
            case ty.ForEach(domain=domain):
                eyes = meet(self.see.number(domain, sights), self.see.face_of(step.start, sights))
                sights = self.see.inside(domain, step.variable, sights)
            case ty.RepeatTimes():
                eyes = self.see.face(step.times, sights)
            case ty.RepeatUntil():
                eyes = self.see.faces([step.limit, step.condition], sights)
        tells = self.see.follows(step.block, eyes, sights)
        learn = [ty.Learn(ty.YES, span=step.span)] if tells else []
        yield from learn
        yield attrs.evolve(step, block=self._block(step.block, sights, *learn))

    # ---------------------------------------------------------------- questions
    def _asked(  # noqa: C901, PLR0912 - one case for each kind of question
        self, step: _Question, sights: Sights
    ) -> Iterator[ty.Step]:
        match step:
            case ty.Pick():
                domain = self._candidates(step)
                seen = self.see.things(domain, sights)
                secret = self._chosen(step.name, domain, step.me, sights)
                if not secret and seen is not ALL:  # all learn from whether it is asked
                    yield ty.Learn(ty.YES, span=step.span)
                elif not within(seat(step.me, ALL), seen):
                    some = self.see.known(ty.AnyOf(domain, type=YES_NO), sights)
                    yield ty.Learn(some, span=step.span)
                yield attrs.evolve(
                    step, domain=self._told_apart(domain, step.me, sights), secret=secret
                )
            case ty.Secretly():
                domain, me = self._candidates(step), ty.Local(step.me)
                inner = sights.also(step.me, OPEN)
                if not within(seat(me), self.see.things(domain, inner)):
                    yield ty.Learn(ty.YES, span=step.span)
                self._chosen(step.variable, domain, me, inner)
                block = self._block(step.block, inner)
                yield attrs.evolve(step, domain=self._told_apart(domain, me, inner), block=block)
            case ty.Optionally():
                first, learn = self._offer(step.block, step.me, sights)
                yield from learn
                yield attrs.evolve(step, block=_headed(first, self._block(step.block, sights)))
            case ty.OptionallyRepeat():
                first, learn = self._offer(step.block, step.me, sights)
                if self.see.face_of(step.limit, sights) is not ALL:
                    learn = [ty.Learn(ty.YES, span=step.span)]
                yield from learn
                block = self._block(step.block, sights, *learn)
                yield attrs.evolve(step, block=_headed(first, block))
            case ty.ChooseWay():
                ways: list[ty.Way] = []
                for way in step.ways:
                    first, learn = self._offer(way.block, step.me, sights)
                    yield from learn
                    block = _headed(first, self._block(way.block, sights))
                    ways.append(attrs.evolve(way, block=block))
                yield attrs.evolve(step, ways=tuple(ways))
            case ty.OfferMenu():
                lines: list[ty.Entry] = []
                inside = [Sights(sights.known) for _ in step.entries]
                each_line = list(zip(step.entries, inside, strict=True))
                heads = [self._offer(e.block, step.me, known, e) for e, known in each_line]
                told = [learn for _, learns in heads for learn in learns]
                yield from told  # and each time that it is offered again
                for (line, known), (first, _) in zip(each_line, heads, strict=True):
                    block = _headed(first, self._block(line.block, known, *told))
                    things = line.domain and self._told_apart(line.domain, step.me, sights)
                    lines.append(attrs.evolve(line, domain=things, block=block))
                yield attrs.evolve(step, entries=tuple(lines))
            case _:
                assert_never(step)

    def _offer(
        self, block: ty.Block, me: ty.Value, sights: Sights, line: ty.Entry | None = None
    ) -> tuple[ty.Step | None, list[ty.Step]]:
        """Return how a block begins that is offered, and what is learned by who is asked."""
        guard = offered = self._guard(block)
        inner, secret, seen = sights, False, ALL
        wider: ty.Domain | None = None
        if line is not None and line.domain is not None and line.variable is not None:
            wider, seen = (
                self.see.known_domain(line.domain, sights),
                self.see.things(line.domain, sights),
            )
            inner = self.see.inside(line.domain, line.variable, sights)
            offered = some_of(line.domain, line.variable, guard)
            secret = self._chosen(line.variable, line.domain, me, sights)
        for each in block.steps:
            if isinstance(each, ty.DoField):  # the label says which effect it is
                key = self.see.face_of(each.key, sights)
                named = meet(self.see.face(each.subject, sights), key)
                secret, seen = secret or named is not ALL, meet(seen, named)
        seen = meet(seen, self.see.face(guard, inner))
        learn: list[ty.Step] = []
        if not within(seat(me, ALL), seen):
            learn = [ty.Learn(self.see.known(offered, sights), span=block.span)]
        if seen is ALL:
            return None if guard == ty.YES else ty.Require(guard, span=block.span), learn
        if line is None or line.domain is None or self.see.number(line.domain, sights) is ALL:
            might = self.see.might(guard, inner)
        else:
            unknown = wider is None and uses(guard, line.variable or "")
            might = ty.YES if unknown else self.see.known(guard, inner)
        return ty.Offer(guard, might, wider, secret, span=block.span), learn

    def _guard(self, block: ty.Block) -> ty.Value:
        return self.checked.guards.offers.get(id(block), ty.YES)

    def _candidates(self, step: ty.Pick | ty.Secretly) -> ty.Domain:
        return self.checked.guards.domains.get(id(step), step.domain)

    def _chosen(self, name: str, domain: ty.Domain, me: ty.Value, sights: Sights) -> bool:
        """Note who knows what is chosen; return whether only who chooses does."""
        base = domain.unfiltered
        seen = self.see.members(base, sights)
        if seen is ALL or not isinstance(base, ty.Lying | ty.EndPieces):
            sights.learn(name, OPEN)
            return False
        # an option says what is printed on a piece; its marks show only where it lies open
        one = meet(seat(me), seen) if self.program.world.marks(base.piece) else seat(me)
        sights.learn(name, Sight(ALL, one))
        return True

    def _told_apart(self, domain: ty.Domain, me: ty.Value, sights: Sights) -> ty.Domain:
        """Return what is offered: copies are one thing if all who are asked see their marks."""
        if isinstance(domain, ty.Filtered):
            return attrs.evolve(domain, base=self._told_apart(domain.base, me, sights))
        if not isinstance(domain, ty.Lying):
            return domain
        marks = self.program.world.marks(domain.piece)
        hidden = any(isinstance(each, TrackInfo) and each.seen_by for each in marks)
        lies_open = within(seat(me, ALL), self.see.members(domain, sights))
        return attrs.evolve(domain, apart=bool(marks) and (hidden or not lies_open))


def _headed(first: ty.Step | None, block: ty.Block) -> ty.Block:
    return block if first is None else attrs.evolve(block, steps=(first, *block.steps))
