"""Disclosure: a step discloses what some who see it could not know.

Everybody sees pieces without a face move, how many cards go where, what is asked of whom, and how
often something is done; of a track or mark, those see a change who see the track or the piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.inline import inline
from rulesdsl.check.proofs import both, either, narrowed, negate
from rulesdsl.check.typed.facts import is_random
from rulesdsl.check.types import YES_NO, entry
from rulesdsl.check.visibility import ALL, NOBODY, OPEN, Sights, Visibility, meet, within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.program import Eyes


_FLOW = ty.Block | ty.Branching | ty.WhereAble | ty.RepeatTimes | ty.RepeatUntil | ty.ForEach


class Disclosure(Visibility):
    """Tells of steps what they disclose, given who knows what their locals hold."""

    def turns_up(self, step: ty.MovePrinted | ty.MoveSome, sights: Sights) -> bool:
        """Return whether a move shows somebody a face that they could not know."""
        if isinstance(step, ty.MovePrinted):
            piece, seen = step.piece, self.face(step.subject, sights)
        else:
            piece, seen = step.domain.element.of, self.members(step.domain, sights)
        return not within(self.pile_eyes(piece, step.target, ALL), seen)

    def discloses(self, step: ty.Step, sights: Sights) -> bool:
        """Return whether a step shows somebody something new; faces and blocks left out."""
        own = [e for e in ty.children(step) if not isinstance(e, ty.StepNode | ty.Line)]
        if isinstance(step, ty.Decide):
            own += [line.domain for line in step.lines if line.domain is not None]
        drawn = (e.domain for part in own for e in ty.walk(part) if isinstance(e, ty.RandomOf))
        known = within(self._observers(step, sights), self._known_before(step, sights))
        return not known or any(self.number(each, sights) is not ALL for each in drawn)

    def follows(self, block: ty.Step, eyes: Eyes, sights: Sights) -> bool:
        """Return whether those who lack `eyes` notice that something is done."""
        if eyes is ALL:
            return False
        steps = (each for each in ty.walk(block) if isinstance(each, ty.StepNode))
        return any(not within(self._observers(each, sights), eyes) for each in steps)

    def _observers(self, step: ty.Step, sights: Sights) -> Eyes:
        """Return who notices a step, those inside it left out."""
        if isinstance(step, ty.SetLocal):
            return ALL if is_random(step.value) else NOBODY
        if isinstance(step, ty.ChangeTrack):
            return meet(self.track_eyes(step.track, step.dims, ALL), self._marked(step, sights))
        if isinstance(step, ty.SetFlag):
            return self._marked(step, sights)
        return NOBODY if isinstance(step, _FLOW | ty.Require) else ALL

    def _marked(self, step: ty.ChangeTrack | ty.SetFlag, sights: Sights) -> Eyes:
        """Return who sees the pieces that are marked: of a hidden one, marks are hidden too."""
        pieces = [each for each in step.dims if self.has_face(each.type.of)]
        used = (part for each in pieces for part in ty.walk(each) if isinstance(part, ty.Local))
        if any(each.name not in sights.known for each in used):
            return ALL  # bound further inside
        return self.faces(pieces, sights)

    def _known_before(self, step: ty.Step, sights: Sights) -> Eyes:
        """Return who knows beforehand what those see who notice a step, faces left out."""
        if isinstance(step, _FLOW | ty.Secretly):
            return ALL  # what shows in the steps inside is asked of them
        match step:
            case ty.MovePrinted():
                return meet(self.which(step.subject, sights), self.face(step.target, sights))
            case ty.ShiftPiece():
                return meet(self.which(step.subject, sights), self.face(step.amount, sights))
            case ty.MoveSome():
                every = meet(self.number(step.domain, sights), self.face(step.target, sights))
                return meet(every, self.face_of(step.amount, sights))
            case ty.MoveCounted() | ty.MoveSingle() | ty.ShuffleCells() | ty.DoField():
                return self.faces(ty.children(step), sights)
            case ty.ChangeTrack():
                return self.faces((*step.dims, step.amount), sights)
            case ty.SetFlag():
                return self.faces(step.dims, sights)
            case ty.Run() | ty.Decide():
                return self.face(step.me, sights)
            case ty.SetLocal() | ty.Require() | ty.Peek() | ty.Tell() | ty.Told() | ty.Finish():
                return ALL
            case _:
                assert_never(step)

    # ---------------------------------------------------------------- as far as all know
    def known_domain(self, domain: ty.Domain, sights: Sights) -> ty.Domain | None:
        """Return what all know of a domain, at least as many things; None for nothing."""
        if self.number(domain, sights) is ALL:
            return domain
        if isinstance(domain, ty.Filtered):
            wider = self.known_domain(domain.base, sights)
            inside = self.inside(domain.base, domain.variable, sights)
            return wider and narrowed(wider, domain.variable, self.known(domain.condition, inside))
        if isinstance(domain, ty.Lying) and self.face(domain.cells, sights) is ALL:
            return ty.Lying(domain.piece, domain.cells, element=domain.element)
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
        if isinstance(value, ty.And | ty.Or):
            hidden = [each for each in value.parts if self.face(each, sights) is not ALL]
            mights = [self.might(each, sights, holds=holds) for each in hidden]
            if holds == isinstance(value, ty.Or):
                return either(mights)
            rest = [e if holds else negate(e) for e in value.parts if e not in hidden]
            if len(hidden) == 1:
                return both(*rest, *mights)
            sure = (each if holds else negate(each) for each in hidden)
            return both(*rest, *(either(pair) for pair in zip(sure, mights, strict=True)))
        if isinstance(value, ty.Negation):
            return self.might(value.value, sights, holds=not holds)
        if isinstance(value, ty.LetIn) and self.face(value.bound, sights) is ALL:
            inner = self.might(value.inner, sights.also(value.name, OPEN), holds=holds)
            return ty.LetIn(value.name, value.bound, inner, type=YES_NO)
        if not holds:
            return ty.YES
        if isinstance(value, ty.AnyOf):
            wider = self.known_domain(value.domain, sights)
            return ty.YES if wider is None else ty.AnyOf(wider, type=YES_NO)
        if isinstance(value, ty.Cases):
            if self.faces((each for each, _ in value.cases), sights) is not ALL:
                return either(self.known(each, sights) for each in value.values)
            found = tuple((each, self.might(then, sights)) for each, then in value.cases)
            return ty.Cases(found, self.might(value.otherwise, sights), type=YES_NO)
        if isinstance(value, ty.Can):
            guard, params = self.program.guards[value.proc], self.program.procs[value.proc].params
            asked = inline(self.program, guard, params, value.me, value.arguments)
            return self.might(asked, sights)
        if isinstance(value, ty.CanDo):
            return either(self._perhaps(value, sights))
        return ty.YES

    def _perhaps(self, value: ty.CanDo, sights: Sights) -> Iterator[ty.Value]:
        """Yield for each effect whose guard some cannot tell where it is meant, and might be."""
        if self.faces(ty.children(value), sights) is not ALL:
            yield ty.YES
            return
        per = self.world.kinds[value.kind].fields[value.field].per
        subject = value.subject
        if subject.type.family == "piece":
            subject = ty.EntryOf(value.kind, subject, type=entry(value.kind))
        for (kind, field, at, column), proc in self.program.effects.items():
            if (kind, field) != (value.kind, value.field):
                continue
            guard = inline(self.program, self.program.guards[proc], (), value.me, ())
            if self.face(guard, sights) is ALL:
                continue
            meant = [ty.Comparison("=", subject, ty.Const(at, type=subject.type), type=YES_NO)]
            if value.key is not None and per is not None and column is not None:
                index = ty.Const(self.world.kinds[per].index[column], type=value.key.type)
                meant.append(ty.Comparison("=", value.key, index, type=YES_NO))
            yield both(*meant, self.might(guard, sights))
