"""What steps tell those who look on: a step discloses what some who see it could not know.

Everybody sees pieces without a face move, how many cards go where, what is asked of whom, and how
often something is done; of a track or mark, those see a change who see the track or the piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.proofs import both, either, instantiate, narrowed, negate
from rulesdsl.check.typed.walk import parts_of
from rulesdsl.check.types import YES_NO, entry
from rulesdsl.check.visibility import ALL, NOBODY, OPEN, Eyes, Sights, Visibility, meet, within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.program import Program


class Disclosure(Visibility):
    """Tells of steps what they disclose, given who knows what their locals hold."""

    def __init__(self, program: Program, fresh: Iterator[int]) -> None:
        super().__init__(program)
        self._fresh = fresh

    def turns_up(self, step: ty.MovePrinted | ty.MoveSome, sights: Sights) -> bool:
        """Whether a move shows somebody a face that they could not know."""
        if isinstance(step, ty.MovePrinted):
            there, seen = self.pile_eyes(step.piece, step.target), self.face(step.subject, sights)
        else:
            there = self.pile_eyes(step.domain.element.of, step.target)
            seen = self.members(step.domain, sights)
        return not within(there, seen)

    def discloses(self, step: ty.Step, sights: Sights) -> bool:
        """Whether a step shows somebody what they could not know; faces and blocks left out."""
        own = [e for e in parts_of(step) if not isinstance(e, ty.Step | ty.Way | ty.Entry)]
        drawn = (e.domain for part in own for e in ty.walk(part) if isinstance(e, ty.RandomOf))
        known = within(self._observers(step, sights), self._known_before(step, sights))
        return not known or any(self.number(each, sights) is not ALL for each in drawn)

    def follows(self, block: ty.Step, eyes: Eyes, sights: Sights) -> bool:
        """Whether those who lack `eyes` notice that something is done."""
        steps = (each for each in ty.walk(block) if isinstance(each, ty.Step))
        return any(not within(self._observers(each, sights), eyes) for each in steps)

    def _observers(self, step: ty.Step, sights: Sights) -> Eyes:
        """Return who notices a step, those inside it left out."""
        match step:
            case ty.Block() | ty.Branching() | ty.Require() | ty.ForEach() | ty.WhereAble():
                return NOBODY
            case ty.RepeatTimes() | ty.RepeatUntil():
                return NOBODY
            case ty.SetLocal():
                random = any(isinstance(each, ty.RandomOf) for each in ty.walk(step.value))
                return ALL if random else NOBODY
            case ty.ChangeTrack():
                return meet(self.track_eyes(step.track, step.dims), self._marked(step, sights))
            case ty.SetFlag():
                return self._marked(step, sights)
            case _:
                return ALL

    def _marked(self, step: ty.ChangeTrack | ty.SetFlag, sights: Sights) -> Eyes:
        """Return who sees the pieces that are marked: of a hidden one, marks are hidden too."""
        pieces = [each for each in step.dims if self.has_face(each.type.of)]
        used = (part for each in pieces for part in ty.walk(each) if isinstance(part, ty.Local))
        if any(each.name not in sights for each in used):
            return ALL  # bound further inside
        return self.faces(pieces, sights)

    def _known_before(self, step: ty.Step, sights: Sights) -> Eyes:
        """Return who knows beforehand what those see who notice a step, faces left out."""
        match step:
            case ty.MovePrinted():
                return meet(self.which(step.subject, sights), self.face(step.target, sights))
            case ty.ShiftPiece():
                return meet(self.which(step.subject, sights), self.face(step.amount, sights))
            case ty.MoveSome():
                every = meet(self.number(step.domain, sights), self.face(step.target, sights))
                return meet(every, self.face_of(step.amount, sights))
            case ty.MoveCounted() | ty.MoveSingle() | ty.ShuffleCells() | ty.DoField():
                return self.faces(parts_of(step), sights)
            case ty.ChangeTrack():
                return self.faces((*step.dims, step.amount), sights)
            case ty.SetFlag():
                return self.faces(step.dims, sights)
            case ty.Run() | ty.Pick() | ty.ChooseWay() | ty.OfferMenu():
                return self.face(step.me, sights)
            case ty.Optionally() | ty.OptionallyRepeat():
                return self.face(step.me, sights)
            case _:
                return ALL

    # ---------------------------------------------------------------- as far as all know
    def known_domain(self, domain: ty.Domain, sights: Sights) -> ty.Domain | None:
        """Return what all know of a domain, at least as many things; None for nothing."""
        if self.number(domain, sights) is ALL:
            return domain
        match domain:
            case ty.Filtered(base=base, variable=variable):
                wider = self.known_domain(base, sights)
                rough = self.known(domain.condition, self.inside(base, variable, sights))
                return wider and narrowed(wider, variable, rough)
            case ty.Lying() if self.face(domain.cells, sights) is ALL:
                return ty.Lying(domain.piece, domain.cells, element=domain.element)
            case _:
                return None

    def known(self, value: ty.Value, sights: Sights) -> ty.Value:
        """Return what everybody knows of a condition: it holds wherever that one does."""
        hidden = self.face(value, sights) is not ALL
        return either([value, self.might(value, sights)]) if hidden else value

    def might(  # noqa: C901 - one case for each kind of condition
        self, value: ty.Value, sights: Sights, *, holds: bool = True
    ) -> ty.Value:
        """Return where only hidden things can say that a condition does not hold (or does)."""
        if self.face(value, sights) is ALL:
            return ty.NO
        match value:
            case ty.And(parts=parts) | ty.Or(parts=parts):
                hidden = [each for each in parts if self.face(each, sights) is not ALL]
                if holds == isinstance(value, ty.Or):
                    return either(self.might(each, sights, holds=holds) for each in hidden)
                rest = [each if holds else negate(each) for each in parts if each not in hidden]
                if len(hidden) == 1:
                    return both(*rest, self.might(hidden[0], sights, holds=holds))
                known = (self.might(each, sights, holds=holds) for each in hidden)
                sure = (each if holds else negate(each) for each in hidden)
                return both(*rest, *(either(pair) for pair in zip(sure, known, strict=True)))
            case ty.Negation(value=inner):
                return self.might(inner, sights, holds=not holds)
            case ty.AnyOf(domain=domain) if holds:
                wider = self.known_domain(domain, sights)
                return ty.YES if wider is None else ty.AnyOf(wider, type=YES_NO)
            case ty.Cases(cases=cases, otherwise=last) if holds:
                if self.faces((each for each, _ in cases), sights) is not ALL:
                    return either(
                        self.known(each, sights) for each in (*(v for _, v in cases), last)
                    )
                found = tuple((each, self.might(then, sights)) for each, then in cases)
                return ty.Cases(found, self.might(last, sights), type=YES_NO)
            case ty.LetIn(name=name, bound=bound) if self.face(bound, sights) is ALL:
                inner = self.might(value.inner, {**sights, name: OPEN}, holds=holds)
                return ty.LetIn(name, bound, inner, type=YES_NO)
            case ty.Can(proc=proc) if holds:
                guard, params = self.program.guards[proc], self.program.procs[proc].params
                asked = instantiate(guard, params, value.me, value.arguments, self._fresh)
                return self.might(asked, sights)
            case ty.CanDo() if holds:
                return either(self._perhaps(value, sights))
            case _:
                return ty.YES

    def _perhaps(self, value: ty.CanDo, sights: Sights) -> Iterator[ty.Value]:
        """Yield for each effect whose guard some cannot tell where it is meant, and might be."""
        if self.faces(parts_of(value), sights) is not ALL:
            yield ty.YES
            return
        per = self.world.kinds[value.kind].fields[value.field].per
        subject = value.subject
        if subject.type.family == "piece":
            subject = ty.EntryOf(value.kind, subject, type=entry(value.kind))
        for (kind, field, at, column), proc in self.program.effects.items():
            guard = instantiate(self.program.guards[proc], (), value.me, (), self._fresh)
            if (kind, field) != (value.kind, value.field) or self.face(guard, sights) is ALL:
                continue
            meant = [ty.Comparison("=", subject, ty.Const(at, type=subject.type), type=YES_NO)]
            if value.key is not None and per is not None and column is not None:
                index = ty.Const(self.world.kinds[per].index[column], type=value.key.type)
                meant.append(ty.Comparison("=", value.key, index, type=YES_NO))
            yield both(*meant, self.might(guard, sights))
