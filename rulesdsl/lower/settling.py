"""Checked procedures with their guards written into them: what every back end starts from.

Each line of a decision holds its whole guard; other conditions, which the checker has proved or
moved into guards, are gone.  Candidates are those that
keep the rest of the guard true, and `if able` asks its guard like any condition.

What is hidden decides nothing in silence: before a step that shows somebody what they could not
know is a `Learn`, and a question is asked wherever it might be as far as all know: `No` or
`Done` is what is left then.  A change of a hidden track that all can follow is marked as such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.disclosure import Disclosure
from rulesdsl.check.inline import bindings
from rulesdsl.check.proofs import both, negate, some_of, uses
from rulesdsl.check.types import YES_NO
from rulesdsl.check.visibility import ALL, OPEN, Eyes, Sight, Sights, meet, seat, within
from rulesdsl.check.world import TrackInfo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.program import TypedProc

_PRINTED = (
    *(ty.Const, ty.Arith, ty.Seats, ty.Setting),
    *(ty.Negation, ty.And, ty.Or, ty.Comparison),
)


def has_activation(checked: Checked, proc: TypedProc) -> bool:
    """Whether there are cells that last as long as a procedure is carried out."""
    world = checked.program.world
    outermost = {each.key for each in world.procs.get(proc.title, [])}  # not beneath a hook
    return proc.key in outermost and bool(world.activation(proc.title))


class Settler:
    """Lowers the procedures of a program, and carries along who knows what locals hold."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.program = checked.program
        self.see = Disclosure(checked.program, checked.fresh)
        self.eyes: dict[str, dict[str, Eyes]] = {key: {} for key in self.program.procs}
        """By procedures: the locals that not everybody sees, and who does.

        Of pieces it is who sees the face.  A hidden number that is passed on counts as told for
        the rules, but nobody sees it before something is done with it.
        """
        self.rounds: dict[str, dict[ty.Value | ty.Domain, Eyes]] = {e: {} for e in self.eyes}
        """By procedures: what says how often something is done, where not everybody sees it."""
        self._passed: dict[str, list[Sights]] = {key: [] for key in self.program.procs}
        self._given: dict[str, list[Sights]] = {key: [] for key in self.program.procs}
        self._closed: set[str] = set()  # procedures that hidden things may have decided to call
        self._open = True  # whether all can tell that the step in hand is carried out
        self._key = ""

    def all(self) -> dict[str, tuple[ty.Step, ...]]:
        """Return the steps of every procedure, in the order of the program."""
        # guards are computed callees first: here callers come first
        found = {key: self._proc(self.program.procs[key]) for key in reversed(self.program.guards)}
        return {key: found[key] for key in self.program.procs}

    def _proc(self, proc: TypedProc) -> tuple[ty.Step, ...]:
        """Return the steps of a procedure; cells of one activation are cleared."""
        self._key, self._open = proc.key, proc.key not in self._closed
        sights = Sights({"me": OPEN})
        for name in (each.name for each in proc.params):
            passed = [each[name] for each in self._given[proc.key]]
            sight = Sight(meet(*(e.which for e in passed)), meet(*(e.face for e in passed)))
            sights.learn(name, sight)
            unseen = meet(*(each[name].face for each in self._passed[proc.key]))
            self._note(name, unseen)
        steps = self._steps(self.checked.bodies[proc.key], sights)
        if not has_activation(self.checked, proc):
            return steps
        reset = ty.Reset(proc.title, span=proc.span)
        return (reset, *steps, reset)

    # ---------------------------------------------------------------- steps
    def _steps(self, block: ty.Block, sights: Sights) -> tuple[ty.Step, ...]:
        return tuple(each for step in block.steps for each in self._step(step, sights))

    def _block(
        self, block: ty.Block, sights: Sights, *last: ty.Step, eyes: Eyes = ALL
    ) -> ty.Block:
        """Return a block of its own: what is bound or shown in it is forgotten after it.

        `eyes` are those who can tell whether it is carried out.
        """
        outer, self._open = self._open, self._open and eyes is ALL
        steps = self._steps(block, Sights(sights.known))
        self._open = outer
        return ty.Block((*steps, *last), span=block.span)

    def _note(self, name: str, eyes: Eyes) -> None:
        """Note who sees what a local of the procedure in hand holds."""
        if eyes is not ALL:
            known = self.eyes[self._key]
            known[name] = meet(known.get(name, ALL), eyes)

    def _seen_so_far(self, sights: Sights) -> Sights:
        """Return who sees what locals hold: not what counts as told where it is passed on."""
        hidden = self.eyes[self._key].items()
        unseen = {name: Sight(sights[name].which, eyes) for name, eyes in hidden}
        return Sights({**sights.known, **unseen})

    def _step(self, step: ty.Step, sights: Sights) -> Iterator[ty.Step]:
        """Yield what a step becomes; `sights` is brought up to what is known after it."""
        told = isinstance(step, ty.Run | ty.DoField) and self._pass_on(step, sights)
        if told or self.see.discloses(step, sights):
            yield ty.Learn(ty.YES, span=step.span)
        if isinstance(step, ty.Require):
            return
        if isinstance(step, ty.Leaf):
            yield self._leaf(step, sights)
            return
        match step:
            case ty.Run() | ty.DoField():
                yield step
            case ty.Block():
                yield ty.Block(self._steps(step, sights), span=step.span)
            case ty.WhereAble(guard=guard, block=block, otherwise=otherwise):
                made = ty.Branching(((guard, block),), otherwise, span=step.span)
                yield from self._branching(made, sights)
            case ty.Branching():
                yield from self._branching(step, sights)
            case ty.RepeatTimes() | ty.RepeatUntil() | ty.ForEach():
                yield from self._loop(step, sights)
            case ty.Secretly() | ty.Decide():
                yield from self._asked(step, sights)
            case _:
                assert_never(step)

    def _leaf(self, step: ty.Leaf, sights: Sights) -> ty.Step:
        """Return what a step becomes, and note what is known of locals after it."""
        if isinstance(step, ty.SetLocal):
            seen = self.see.face(step.value, self._seen_so_far(sights))
            sights.learn(step.name, self.see.sight(step.value, sights))
            if step.value.type.family != "piece":
                self._note(step.name, seen)
        if isinstance(step, ty.Tell):
            return attrs.evolve(step, words=self._words(step.words, sights, step.me))
        if isinstance(step, ty.ChangeTrack | ty.SetFlag):
            return attrs.evolve(step, followed=self._open and self._is_followed(step, sights))
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
            bound = dict(bindings(proc.params, step.me, arguments))
            given = self.see.passed(bound, sights)
            for name in (each.name for each in proc.params if each.type.family != "piece"):
                if self.see.follows(proc.block, given[name].face, given):
                    tells = True
                    given.learn(name, OPEN)
            # what scenarios call is no part of the game, and says nothing of what it hides
            if self._key in graph.reachable or callee not in graph.reachable:
                self._given[callee].append(given)
                self._passed[callee].append(self.see.passed(bound, self._seen_so_far(sights)))
                if not self._open or self._is_veiled(step, sights):
                    self._closed.add(callee)
        return tells

    def _branching(self, step: ty.Branching, sights: Sights) -> Iterator[ty.Step]:
        branches = step.branches
        eyes = self.see.faces((condition for condition, _ in branches), sights)
        if any(self.see.follows(block, eyes, sights) for block in step.blocks):
            hidden = (self.see.face(each, sights) is not ALL for each, _ in branches)
            before = branches[: next(at for at, each in enumerate(hidden) if each)]
            yield ty.Learn(both(*(negate(each) for each, _ in before)), span=step.span)
        made, seen = list[tuple[ty.Value, ty.Block]](), self._seen_so_far(sights)
        told: Eyes = ALL
        for condition, block in branches:
            told = meet(told, self.see.face(condition, seen))
            made.append((condition, self._block(block, sights, eyes=told)))
        otherwise = self._block(step.otherwise, sights, eyes=told)
        yield ty.Branching(tuple(made), otherwise, span=step.span)

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
        if eyes is not ALL and not isinstance(step, ty.RepeatUntil):
            rounds = step.domain if isinstance(step, ty.ForEach) else step.times
            self.rounds[self._key][rounds] = eyes
        tells = self.see.follows(step.block, eyes, sights)
        learn = [ty.Learn(ty.YES, span=step.span)] if tells else []
        yield from learn
        yield attrs.evolve(step, block=self._block(step.block, sights, *learn, eyes=eyes))

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
        bound = sights.told
        secret = self._chosen(name, domain, step.me, sights)
        if not secret and seen is not ALL:  # all learn from whether it is asked
            yield ty.Learn(ty.YES, span=step.span)
        elif not within(seat(step.me, ALL), seen):
            some = self.see.known(ty.AnyOf(domain, type=YES_NO), sights)
            yield ty.Learn(some, span=step.span)
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
        yield attrs.evolve(step, lines=(line,), prompt=prompt, secret=secret)

    def _sealed(self, step: ty.Secretly, sights: Sights) -> Iterator[ty.Step]:
        domain, me = step.domain, ty.Local(step.me)
        inner = sights.also(step.me, OPEN)
        if not within(seat(me), self.see.things(domain, inner)):
            yield ty.Learn(ty.YES, span=step.span)
        secret = self._chosen(step.variable, domain, me, inner)
        label, block = self._words(step.label, inner, me), self._block(step.block, inner)
        things = self._told_apart(domain, me, inner)
        yield attrs.evolve(step, domain=things, label=label, block=block, secret=secret)

    def _lines(self, step: ty.Decide, sights: Sights) -> Iterator[ty.Step]:
        """Yield a decision between lines; what is learned where they are offered comes before."""
        inside = [Sights(sights.known) for _ in step.lines]
        bound = sights.told
        offers = [self._offer(*each, step.me) for each in zip(step.lines, inside, strict=True)]
        told = [learn for _, learns in offers for learn in learns]
        if self.see.face_of(step.limit, sights) is not ALL:
            told = [ty.Learn(ty.YES, span=step.span)]
        yield from told
        again = told if step.again else []  # each time that it is offered
        lines: list[ty.Line] = []
        several = sum(line.secret for line, _ in offers) > 1  # which of them it is, nobody is told
        for (line, _), known in zip(offers, inside, strict=True):
            eyes = seat(step.me) if line.secret and several else ALL
            block = self._block(line.block, known, *again, eyes=eyes)
            things = line.domain and self._told_apart(line.domain, step.me, sights)
            label = self._words(line.label, known, step.me)
            secret = line.secret or _veiled(label)
            made = attrs.evolve(line, domain=things, block=block, label=label, secret=secret)
            lines.append(attrs.evolve(made, bound=bound))
        prompt = self._words(step.prompt, sights, step.me)
        yield attrs.evolve(step, lines=tuple(lines), prompt=prompt)

    def _offer(self, line: ty.Line, sights: Sights, me: ty.Value) -> tuple[ty.Line, list[ty.Step]]:
        """Return a line with its guard, and what is learned by who is offered it."""
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
        learn: list[ty.Step] = []
        if not within(seat(me, ALL), seen):
            learn = [ty.Learn(self.see.known(asked, sights), span=line.block.span)]
        if seen is ALL:
            return line, learn
        if counted:
            might = self.see.might(guard, inner)
        else:
            unknown = wider is None and uses(guard, line.variable or "")
            might = ty.YES if unknown else self.see.known(guard, inner)
        told = attrs.evolve(line, might=might, wider=wider, hidden=True, secret=secret)
        return told, learn

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

    # ---------------------------------------------------------------- hidden tracks
    def _is_veiled(self, step: ty.Run | ty.DoField, sights: Sights) -> bool:
        """Whether not everybody can tell which effect is carried out."""
        if isinstance(step, ty.Run):
            return False
        key = self.see.face_of(step.key, sights)
        return meet(self.see.face(step.subject, sights), key) is not ALL

    def _is_followed(self, step: ty.ChangeTrack | ty.SetFlag, sights: Sights) -> bool:
        """Whether all know what changes that not all see: of which piece, and by how much.

        By how much may be what is printed on hidden pieces: one that a local holds, or all that
        lie in a pile.
        """
        see, sights, world = self.see, self._seen_so_far(sights), self.program.world
        seen_by = None if isinstance(step, ty.SetFlag) else world.tracks[step.track].seen_by
        if seen_by is None and not any(see.has_face(each.type.of) for each in step.dims):
            return False
        if see.faces(step.dims, sights) is not ALL:
            return False
        if isinstance(step, ty.SetFlag):
            return True
        known = see.face(step.amount, sights) is ALL
        return known or (seen_by is not None and self._is_printed(step.amount, sights))

    def _is_printed(self, amount: ty.Value, sights: Sights) -> bool:
        """Whether an amount is what is printed on a piece in a local, or on all in a pile."""
        piece: ty.Local | None = None
        if isinstance(amount, ty.SumOf):
            domain = amount.domain
            if not isinstance(domain, ty.Lying) or self.see.number(domain, sights) is not ALL:
                return False
            piece, amount = ty.Local(amount.variable, type=domain.element), amount.amount
        elif any(
            self.see.which(e, sights) is not ALL
            for e in ty.walk(amount)
            if isinstance(e, ty.Local)
        ):
            return False
        for each in ty.walk(amount):
            if isinstance(each, ty.Local):
                piece = piece or each
                if each != piece or not self.see.has_face(each.type.of):
                    return False
            elif isinstance(each, ty.FieldOf):
                if each.key or not isinstance(each.subject, ty.Local):
                    return False
            elif not isinstance(each, _PRINTED):
                return False
        return True


def _veiled(label: ty.Words | None) -> bool:
    """Whether somebody may not read what a line says."""
    return label is not None and any(each != "all" for each in label.seen)
