"""What steps tell those who look on: a step discloses what some who see it could not know.

Everybody sees pieces without a face move, how many cards go where, what is asked of whom, and how
often something is done; of a track or mark, those see a change who see the track or the piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.proofs import both, either, instantiate, negate
from rulesdsl.check.typed.walk import parts_of
from rulesdsl.check.types import YES_NO, entry
from rulesdsl.check.visibility import ALL, NOBODY, OPEN, Sights, meet, within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.visibility import Eyes, Visibility


class Disclosure:
    """Tells of steps what they disclose, given who knows what their locals hold."""

    def __init__(self, visibility: Visibility, fresh: Iterator[int]) -> None:
        self.see = visibility
        self._fresh = fresh

    def discloses(self, step: ty.Step, sights: Sights) -> bool:
        """Whether a step shows somebody what they could not know; its blocks left out."""
        if not within(self._observers(step, sights), self._shown(step, sights)):
            return True
        drawn = (each.domain for each in _own_values(step) if isinstance(each, ty.RandomOf))
        return any(self.see.number(each, sights) is not ALL for each in drawn)

    def follows(self, block: ty.Step, eyes: Eyes, sights: Sights) -> bool:
        """Whether those who lack `eyes` notice that something is done."""
        return any(
            not within(self._observers(each, sights), eyes)
            for each in ty.walk(block)
            if isinstance(each, ty.Step)
        )

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
                return meet(
                    [self.see.track_eyes(step.track, step.dims), self._marked(step, sights)]
                )
            case ty.SetFlag():
                return self._marked(step, sights)
            case _:
                return ALL

    def _marked(self, step: ty.ChangeTrack | ty.SetFlag, sights: Sights) -> Eyes:
        """Return who sees the pieces that are marked: of a hidden one, marks are hidden too."""
        pieces = [each for each in step.dims if self.see.has_face(each.type.of)]
        used = (part for each in pieces for part in ty.walk(each) if isinstance(part, ty.Local))
        if any(each.name not in sights for each in used):
            return ALL  # bound further inside
        return self.see.faces(pieces, sights)

    def _shown(self, step: ty.Step, sights: Sights) -> Eyes:
        """Return who knows beforehand what those see who notice a step."""
        see = self.see
        match step:
            case ty.MovePrinted():
                return meet([see.which(step.subject, sights), see.face(step.target, sights)])
            case ty.ShiftPiece():
                return meet([see.which(step.subject, sights), see.face(step.amount, sights)])
            case ty.MoveSome():
                every = see.number(step.domain, sights)
                own = [see.face_of(step.amount, sights), see.face(step.target, sights)]
                return meet([every, *own])
            case ty.MoveCounted() | ty.MoveSingle() | ty.ShuffleCells() | ty.DoField():
                return see.faces(parts_of(step), sights)
            case ty.ChangeTrack():
                return see.faces((*step.dims, step.amount), sights)
            case ty.SetFlag():
                return see.faces(step.dims, sights)
            case ty.Run() | ty.Pick() | ty.ChooseWay() | ty.OfferMenu():
                return see.face(step.me, sights)
            case ty.Optionally() | ty.OptionallyRepeat():
                return see.face(step.me, sights)
            case _:
                return ALL

    # ---------------------------------------------------------------- as far as all know
    def known(self, condition: ty.Value, sights: Sights) -> ty.Value:
        """Return what everybody knows of a condition: it holds wherever that one does."""
        return self._rough(condition, sights, holds=True)

    def known_domain(self, domain: ty.Domain, sights: Sights) -> ty.Domain | None:
        """Return what all know of a domain, at least as many things; None for nothing."""
        if self.see.number(domain, sights) is ALL:
            return domain
        match domain:
            case ty.Filtered():
                base = self.known_domain(domain.base, sights)
                if base is None:
                    return None
                inner = {**sights, domain.variable: self.see.candidate(domain.base, sights)}
                rough = self.known(domain.condition, inner)
                if rough == ty.YES:
                    return base
                return ty.Filtered(base, domain.variable, rough, element=domain.element)
            case ty.Lying() if self.see.face(domain.cells, sights) is ALL:
                return ty.Lying(domain.piece, domain.cells, element=domain.element)
            case _:
                return None

    def _rough(  # noqa: C901 - one case for each kind of condition
        self, value: ty.Value, sights: Sights, *, holds: bool
    ) -> ty.Value:
        if self.see.face(value, sights) is ALL:
            return value
        match value:
            case ty.And(parts=parts):
                rough = [self._rough(each, sights, holds=holds) for each in parts]
                return both(*rough)
            case ty.Or(parts=parts):
                return either(self._rough(each, sights, holds=holds) for each in parts)
            case ty.Negation(value=inner):
                return negate(self._rough(inner, sights, holds=not holds))
            case ty.AnyOf(domain=domain) if holds:
                wider = self.known_domain(domain, sights)
                return ty.YES if wider is None else ty.AnyOf(wider, type=YES_NO)
            case ty.Cases(cases=cases, otherwise=last) if holds:
                conditions = self.see.faces((each for each, _ in cases), sights)
                found = [self.known(each, sights) for each in (*(v for _, v in cases), last)]
                if conditions is not ALL:
                    return either(found)
                pairs = zip((each for each, _ in cases), found, strict=False)
                return ty.Cases(tuple(pairs), found[-1], type=YES_NO)
            case ty.LetIn(name=name, bound=bound) if self.see.face(bound, sights) is ALL:
                inner = self._rough(value.inner, {**sights, name: OPEN}, holds=holds)
                return ty.LetIn(name, bound, inner, type=YES_NO)
            case ty.Can(proc=proc, me=me) if holds:
                params = self.see.program.procs[proc].params
                guard = self.see.program.guards[proc]
                return self.known(
                    instantiate(guard, params, me, value.arguments, self._fresh), sights
                )
            case ty.CanDo() if holds:
                return either([value, *self._perhaps(value, sights)])
            case _:
                return ty.YES if holds else ty.NO

    def _perhaps(self, value: ty.CanDo, sights: Sights) -> Iterator[ty.Value]:
        """Yield what all know of those effects whose guards not everybody knows."""
        program = self.see.program
        if self.see.faces(parts_of(value), sights) is not ALL:
            yield ty.YES
            return
        per = program.world.kinds[value.kind].fields[value.field].per
        subject = value.subject
        if subject.type.family == "piece":
            subject = ty.EntryOf(value.kind, subject, type=entry(value.kind))
        for (kind, field, at, column), proc in program.effects.items():
            guard = instantiate(program.guards[proc], (), value.me, (), self._fresh)
            if (kind, field) != (value.kind, value.field) or self.see.face(guard, sights) is ALL:
                continue
            meant = [ty.Comparison("=", subject, ty.Const(at, type=subject.type), type=YES_NO)]
            if value.key is not None and per is not None and column is not None:
                index = ty.Const(program.world.kinds[per].index[column], type=value.key.type)
                meant.append(ty.Comparison("=", value.key, index, type=YES_NO))
            yield both(*meant, self.known(guard, sights))


def _own_values(step: ty.Step) -> list[ty.Typed]:
    """Return all values of a step, those of steps inside it left out."""
    own = [each for each in parts_of(step) if not isinstance(each, ty.Step | ty.Way | ty.Entry)]
    return [each for part in own for each in ty.walk(part)]
