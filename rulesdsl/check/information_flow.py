"""Information flow: annotates procedures with what each step reveals, and who knows what.

What is hidden decides nothing in silence.  Every step says under which conditions it reveals
something that somebody could not know before (`reveals`): the count of such moments tells bots and
undo that a position is a new one.  Every line of a question says what it might offer as far as all
know: a question is asked wherever it might be one, and `No` or `Done` is what is left then.  Words
say who may read their values.

The pass walks each procedure once, forwards, with the `Sights` of its locals: who knows which
thing a local holds, and who its face.  Callers come before what they call, so the sights of
parameters are the meet of all calls.  It relies on the guards that are written into the bodies
(`possible`): each line of a decision holds its whole guard, and candidates keep the rest of the
guard true.  It looks at one step at a time: where each of two branches shows as much as the other,
so that nobody can tell them apart, which of them is taken counts as revealed all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.depending import chosen, depends, depends_on
from rulesdsl.check.disclosure import Disclosure
from rulesdsl.check.inline import bindings
from rulesdsl.check.proofs import both, negate, some_of, uses
from rulesdsl.check.types import YES_NO
from rulesdsl.check.visibility import ALL, OPEN, Sight, Sights, meet, seat, within
from rulesdsl.check.world import TrackInfo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.program import Program


def annotate(checked: Checked) -> Program:
    """Return a checked program whose procedures have their bodies: with guards, annotated."""
    flow = InformationFlow(checked)
    # guards are computed callees first: here callers come first
    found = {key: flow.body(key) for key in reversed(checked.program.guards)}
    for key, proc in checked.program.procs.items():
        decides = key in checked.graph.deciding
        checked.program.procs[key] = attrs.evolve(proc, body=found[key], decides=decides)
    return checked.program


class InformationFlow:
    """Annotates procedures, and carries along who knows what locals hold."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.program = checked.program
        self.see = Disclosure(checked.program)
        self._given: dict[str, list[Sights]] = {key: [] for key in self.program.procs}
        self._key = ""

    def body(self, key: str) -> ty.Block:
        """Return the body of a procedure; those of all that call it come before."""
        self._key = key
        sights = Sights({"me": OPEN})
        for name in (each.name for each in self.program.procs[key].params):
            passed = [each[name] for each in self._given[key]]
            sight = Sight(meet(*(e.which for e in passed)), meet(*(e.face for e in passed)))
            sights.learn(name, sight)
        body = self.checked.bodies[key]
        return ty.Block(self._steps(body, sights), span=body.span)

    # ---------------------------------------------------------------- steps
    def _steps(self, block: ty.Block, sights: Sights) -> tuple[ty.Step, ...]:
        return tuple(each for step in block.steps for each in self._step(step, sights))

    def _block(self, block: ty.Block, sights: Sights, *at_end: ty.Value) -> ty.Block:
        """Return a block of its own: what is bound or shown in it is forgotten after it."""
        steps = self._steps(block, Sights(sights.known))
        return ty.Block(steps, reveals_at_end=at_end, span=block.span)

    def _step(self, step: ty.Step, sights: Sights) -> Iterator[ty.Step]:
        """Yield a step with what it reveals; `sights` is brought up to what is known after it."""
        told = isinstance(step, ty.Run | ty.DoField) and self._pass_on(step, sights)
        always = (ty.YES,) if told or self.see.discloses(step, sights) else ()
        found = [*depends(self.see, step, sights), *self._annotated(step, sights)]
        reveals = (*always, *(condition for made in found for condition in made.reveals))
        for made in found:  # it reveals all before it says what it depends on
            yield made if made.reveals == reveals else attrs.evolve(made, reveals=reveals)
            reveals = ()

    def _annotated(self, step: ty.Step, sights: Sights) -> Iterator[ty.Step]:
        if isinstance(step, ty.Leaf):
            yield self._leaf(step, sights)
            return
        match step:
            case ty.Run() | ty.DoField():
                yield step
            case ty.Block():
                yield ty.Block(self._steps(step, sights), span=step.span)
            case ty.WhereAble(guard=guard, block=block):
                reveals, made = self._branches(((guard, block),), step.otherwise, sights)
                yield attrs.evolve(step, block=made[0], otherwise=made[1], reveals=reveals)
            case ty.Branching(branches=branches):
                reveals, (*made, last) = self._branches(branches, step.otherwise, sights)
                asked = (condition for condition, _ in branches)
                branches = tuple(zip(asked, made, strict=True))
                yield attrs.evolve(step, branches=branches, otherwise=last, reveals=reveals)
            case ty.RepeatTimes() | ty.RepeatUntil() | ty.ForEach():
                yield self._loop(step, sights)
            case ty.Secretly() | ty.Decide():
                yield from self._asked(step, sights)
            case _:
                assert_never(step)

    def _leaf(self, step: ty.Leaf, sights: Sights) -> ty.Step:
        """Return what a step becomes, and note what is known of locals after it."""
        if isinstance(step, ty.SetLocal):
            sights.learn(step.name, self.see.sight(step.value, sights))
        if isinstance(step, ty.Tell):
            return attrs.evolve(step, words=self._words(step.words, sights, step.me))
        if not isinstance(step, ty.MovePrinted | ty.MoveSome):
            return step
        turned = attrs.evolve(step, shown=self.see.turns_up(step, sights))
        if isinstance(step, ty.MoveSome) or not isinstance(step.subject, ty.Local):
            return turned
        if self.see.pile_eyes(step.piece, step.target) is ALL:
            sights.learn(step.subject.name, OPEN)
        return turned

    def _words(self, words: ty.Words | None, sights: Sights, me: ty.Value) -> ty.Words | None:
        """Return words with who knows their values: those others read `some` or `a card`."""
        if words is None:
            return None
        told = [self._seen(each, sights, me) for each in words.values]
        seen, faces = tuple(seen for seen, _ in told), tuple(faces for _, faces in told)
        return attrs.evolve(words, seen=seen, faces=faces)

    def _seen(
        self, value: ty.Value, sights: Sights, me: ty.Value
    ) -> tuple[ty.Seen, tuple[ty.Local, ...]]:
        """Return who provably knows a value, and which pieces have to lie open for all others."""
        eyes = self.see.face(value, sights)
        if eyes is ALL:
            return "all", ()
        seen: ty.Seen = "actor" if within(seat(me), eyes) else "nobody"
        used = {each for each in ty.walk(value) if isinstance(each, ty.Local)}
        faces = tuple(each for each in used if self.see.has_face(each.type.of))
        known = sights.known | {each.name: OPEN for each in faces}
        alone = self.see.face(value, Sights(known)) is ALL
        return seen, tuple(sorted(faces, key=lambda each: each.name)) if alone else ()

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

    def _branches(
        self,
        branches: tuple[tuple[ty.Value, ty.Block], ...],
        otherwise: ty.Block,
        sights: Sights,
    ) -> tuple[tuple[ty.Value, ...], list[ty.Block]]:
        """Return what it reveals which of some blocks is carried out, and these."""
        blocks = [*(block for _, block in branches), otherwise]
        eyes = self.see.faces((condition for condition, _ in branches), sights)
        reveals: tuple[ty.Value, ...] = ()
        if any(self.see.follows(block, eyes, sights) for block in blocks):
            hidden = (self.see.face(each, sights) is not ALL for each, _ in branches)
            before = branches[: next(at for at, each in enumerate(hidden) if each)]
            reveals = (both(*(negate(each) for each, _ in before)),)
        return reveals, [self._block(block, sights) for block in blocks]

    def _loop(self, step: ty.RepeatTimes | ty.RepeatUntil | ty.ForEach, sights: Sights) -> ty.Step:
        """Return a loop; where hidden things say how often it goes round, each round tells."""
        match step:
            case ty.ForEach(domain=domain):
                eyes = meet(self.see.number(domain, sights), self.see.face_of(step.start, sights))
                sights = self.see.inside(domain, step.variable, sights)
            case ty.RepeatTimes():
                eyes = self.see.face(step.times, sights)
            case ty.RepeatUntil():
                eyes = self.see.faces([step.limit, step.condition], sights)
        reveals = (ty.YES,) if self.see.follows(step.block, eyes, sights) else ()
        return attrs.evolve(step, block=self._block(step.block, sights, *reveals), reveals=reveals)

    # ---------------------------------------------------------------- questions
    def _asked(self, step: ty.Decide | ty.Secretly, sights: Sights) -> Iterator[ty.Step]:
        if isinstance(step, ty.Secretly):
            return self._sealed(step, sights)
        return self._lines(step, sights) if step.choice is None else self._choice(step, sights)

    def _choice(self, step: ty.Decide, sights: Sights) -> Iterator[ty.Step]:
        """Yield a choice of a thing for what follows."""
        assert step.choice is not None
        name, domain = step.choice
        seen = self.see.things(domain, sights)
        bound, before = sights.told, Sights(sights.known)
        depends = chosen(self.see, name, domain, sights, step.span)
        secret = self._chosen(name, domain, step.me, sights)
        reveals: tuple[ty.Value, ...] = ()
        if not secret and seen is not ALL:  # all learn from whether it is asked
            reveals = (ty.YES,)
            yield from depends_on(self.see, [domain], before, step.span)
        elif not within(seat(step.me, ALL), seen):
            reveals = (self.see.known(ty.AnyOf(domain, type=YES_NO), sights),)
            yield from depends_on(self.see, [domain], before, step.span)
        things = self._told_apart(domain, step.me, sights)
        label = self._words(step.lines[0].label, sights, step.me)
        line = attrs.evolve(
            step.lines[0],
            domain=things,
            label=label,
            bound=bound,
            hidden=secret,
            secret=secret or _veiled(label),
        )
        prompt = self._words(step.prompt, sights, step.me)
        yield attrs.evolve(step, lines=(line,), prompt=prompt, secret=secret, reveals=reveals)
        yield from depends

    def _sealed(self, step: ty.Secretly, sights: Sights) -> Iterator[ty.Step]:
        domain, me = step.domain, ty.Local(step.me)
        inner = sights.also(step.me, OPEN)
        open_to = within(seat(me), self.see.things(domain, inner))
        depends = chosen(self.see, step.variable, domain, inner, step.span)
        self._chosen(step.variable, domain, me, inner)
        label, block = self._words(step.label, inner, me), self._block(step.block, inner)
        block = attrs.evolve(block, steps=(*depends, *block.steps))
        things = self._told_apart(domain, me, inner)
        reveals = () if open_to else (ty.YES,)
        yield attrs.evolve(step, domain=things, label=label, block=block, reveals=reveals)

    def _lines(self, step: ty.Decide, sights: Sights) -> Iterator[ty.Step]:
        """Yield a decision between lines; what is learned where they are offered comes before."""
        inside = [Sights(sights.known) for _ in step.lines]
        bound = sights.told
        offers = [self._offer(*each, step.me) for each in zip(step.lines, inside, strict=True)]
        reveals = tuple(each for _, told in offers for each in told)
        needed: tuple[ty.Step, ...] = ()
        if self.see.face_of(step.limit, sights) is not ALL:
            reveals = (ty.YES,)
        else:
            needed = tuple(e for line in step.lines for e in self._needed(line, sights, step.me))
        yield from needed
        again = reveals if step.again else ()  # each time that it is offered
        lines: list[ty.Line] = []
        for (line, _), known in zip(offers, inside, strict=True):
            block = self._block(line.block, known, *again)
            if step.again:
                block = attrs.evolve(block, steps=(*block.steps, *needed))
            if line.about is not None:
                depends = chosen(self.see, *line.about, sights, line.block.span)
                block = attrs.evolve(block, steps=(*depends, *block.steps))
            things = line.domain and self._told_apart(line.domain, step.me, sights)
            label = self._words(line.label, known, step.me)
            secret = line.secret or _veiled(label)
            made = attrs.evolve(line, domain=things, block=block, label=label, bound=bound)
            lines.append(attrs.evolve(made, secret=secret) if secret else made)
        prompt = self._words(step.prompt, sights, step.me)
        yield attrs.evolve(step, lines=tuple(lines), prompt=prompt, reveals=reveals)

    def _needed(self, line: ty.Line, sights: Sights, me: ty.Value) -> Iterator[ty.Step]:
        """Yield the pieces that it depends on whether a line is offered."""
        _, told = self._offer(line, Sights(sights.known), me)
        if told:
            part = line.guard if line.domain is None else line.domain
            yield from depends_on(self.see, [part], sights, line.block.span)

    def _offer(
        self, line: ty.Line, sights: Sights, me: ty.Value
    ) -> tuple[ty.Line, tuple[ty.Value, ...]]:
        """Return a line with who can tell whether it is offered, and what it reveals if it is."""
        guard = asked = line.guard
        inner, secret, seen = sights, False, ALL
        domain, wider, counted = line.domain, None, True
        if domain is not None and line.variable is not None:
            wider, seen = self.see.known_domain(domain, sights), self.see.things(domain, sights)
            counted = self.see.number(domain, sights) is ALL
            inner = self.see.inside(domain, line.variable, sights)
            asked = some_of(domain, line.variable, guard)
            secret = self._chosen(line.variable, domain, me, sights)
        for each in line.block.steps:
            if isinstance(each, ty.DoField):  # the label says which effect it is
                key = self.see.face_of(each.key, sights)
                named = meet(self.see.face(each.subject, sights), key)
                secret, seen = secret or named is not ALL, meet(seen, named)
        seen = meet(seen, self.see.face(guard, inner))
        open_to = within(seat(me, ALL), seen)
        reveals = () if open_to else (self.see.known(asked, sights),)
        if seen is ALL:
            return line, reveals
        if counted:
            might = self.see.might(guard, inner)
        else:
            unknown = wider is None and uses(guard, line.variable or "")
            might = ty.YES if unknown else self.see.known(guard, inner)
        told = attrs.evolve(line, might=might, wider=wider, hidden=True, secret=secret)
        return told, reveals

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


def _veiled(label: ty.Words | None) -> bool:
    """Whether somebody may not read what a line says."""
    return label is not None and any(each != "all" for each in label.seen)
