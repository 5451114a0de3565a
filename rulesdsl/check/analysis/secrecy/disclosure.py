"""Disclosure: steps that reveal something that an observer could not know.

Everybody observes moves of pieces that have no face, the number of printed pieces moved and their
places, the seats that decide and the subjects of their decisions, and the number of repetitions. A
change to a track or flag is observed by the seats that see the track or the marked piece.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.secrecy.visibility import (
    ALL,
    NOBODY,
    OPEN,
    Emptied,
    Sights,
    Visibility,
    meet,
    seat,
    within,
)
from rulesdsl.check.symbols.symbol_table import MemoryInfo
from rulesdsl.check.symbols.types import YES_NO, entry
from rulesdsl.check.typed.conditions import both, either, narrowed, negate
from rulesdsl.check.typed.program import Eyes
from rulesdsl.check.typed.traits import MOVES_HIDDEN, inline, is_random

_FLOW = ty.Block | ty.Branching | ty.WhereAble | ty.RepeatTimes | ty.ForEach
_PUBLIC = ty.Peek | ty.Tell | ty.EndTell | ty.Finish
_SILENT = _FLOW | ty.Secretly | ty.SetLocal | ty.Require | _PUBLIC


# Public upper approximation: the presence of a question must not reveal hidden information. For a
# condition with a hidden part, `known` returns a public condition that it implies, so a decision
# is asked whenever it might have an option; `undecided` returns the difference, in which only
# hidden parts decide. Both are built by structural recursion: public conjuncts remain, hidden ones
# become true if there is no public bound; a hidden domain is widened to its public part
# (`known_domain`), for example all cards in a hand instead of the red ones. Guards of calls are
# inlined first, since they have public and hidden parts.
#
# A step discloses nothing if the seats that observe it (`_observers`) are among those that could
# predict it (`_known_before`). Each step is examined by itself, so a step whose outcome follows
# from an earlier disclosure counts as a disclosure again.
class Disclosure(Visibility):
    """Finder of steps that reveal hidden information, given the labels of locals."""

    def readers(
        self, value: ty.Value, sights: Sights, me: ty.Value
    ) -> tuple[ty.Seen, tuple[ty.Value, ...], tuple[str, ...]]:
        """Return who sees a value, and the things or the places on which it depends for others."""
        eyes = self.face(value, sights)
        if eyes is ALL:
            return "all", (), ()
        reader: ty.Seen = "actor" if within(seat(me), eyes) else "nobody"
        pieces = dict.fromkeys(
            node for node in ty.walk(value) if isinstance(node, ty.Local | ty.EndOf)
        )
        cells = [
            node
            for node in dict.fromkeys(ty.walk(value))
            if isinstance(node, ty.TrackCell | ty.FlagCell) and self._is_showable(node, sights)
        ]
        faces = tuple(piece for piece in pieces if self.has_face(piece.type.of))
        labels = {piece.name: OPEN for piece in faces if isinstance(piece, ty.Local)}
        opened = Sights(sights.known | labels)
        for piece in faces:
            if isinstance(piece, ty.EndOf) and self.face(piece.cells, sights) is ALL:
                opened.faces[piece] = ALL
        opened.faces.update(dict.fromkeys(cells, ALL))
        if self.face(value, opened) is ALL:
            return reader, (*faces, *cells), ()
        piles = frozenset(self._hiding(value))
        is_emptied = (
            piles and Emptied(self.program, piles).face(value, Sights(sights.known)) is ALL
        )
        return reader, (), tuple(sorted(piles)) if is_emptied else ()

    def _is_showable(self, node: ty.TrackCell | ty.FlagCell, sights: Sights) -> bool:
        """Return whether a track or flag, of a thing known to all, can be shown."""
        used = (part.name for part in ty.walk(node) if isinstance(part, ty.Local))
        is_bound = sights.known.keys() >= {*used}
        is_shown = node.counter in self.world.shown
        return is_shown and is_bound and self.faces(node.dims, sights) is ALL

    def _hiding(self, value: ty.Value) -> Iterator[str]:
        """Yield the places of hidden pieces, but public numbers, on which a value depends."""
        for node in ty.walk(value):
            if isinstance(node, ty.CallValue):
                yield from self._hiding(self.program.values[node.name, node.layer].body)
            if isinstance(node, ty.Cells):
                place = self.world.places[node.place]
                if place.seen_by is not None and not place.only:
                    yield place.name

    def turns_up(self, step: ty.MovePrinted | ty.MoveSome, sights: Sights) -> bool:
        """Return whether a move shows a face to a seat that could not otherwise know it."""
        if isinstance(step, ty.MovePrinted):
            piece, seen = step.piece, self.face(step.subject, sights)
        else:
            piece, seen = step.domain.element.of, self.members(step.domain, sights)
        return not within(self.pile_eyes(piece, step.target, sights, ALL), seen)

    def discloses(self, step: ty.Step, sights: Sights) -> bool:
        """Return whether a step reveals something, not counting faces and nested blocks."""
        own = [e for e in ty.children(step) if not isinstance(e, ty.StepNode | ty.OptionLine)]
        if isinstance(step, ty.Decide):
            own += [line.domain for line in step.lines if line.domain is not None]
        drawn = (e.domain for part in own for e in ty.walk(part) if isinstance(e, ty.RandomOf))
        known = within(self._observers(step, sights), self._known_before(step, sights))
        return not known or any(self.number(each, sights) is not ALL for each in drawn)

    def follows(self, block: ty.Step, eyes: Eyes, sights: Sights) -> bool:
        """Return whether seats outside `eyes` notice that a block is executed."""
        if eyes is ALL:
            return False
        steps = (each for each in ty.walk(block) if isinstance(each, ty.StepNode))
        return any(not within(self._observers(each, sights), eyes) for each in steps)

    def _observers(self, step: ty.Step, sights: Sights) -> Eyes:
        if isinstance(step, ty.SetLocal):
            return ALL if is_random(step.value) else NOBODY
        if isinstance(step, ty.ChangeTrack | ty.SetFlag):
            return ALL if self.is_noticed(step) else self.change_eyes(step, sights, ALL)
        return NOBODY if isinstance(step, _FLOW | ty.Require) else ALL

    def is_noticed(self, step: ty.Step) -> bool:
        """Return whether all notice a change of which some do not see the outcome."""
        track = step.track if isinstance(step, ty.ChangeTrack) else ""
        info = self.world.tracks.get(track)
        return isinstance(info, MemoryInfo) and info.seen_by is not None

    def change_eyes(self, step: ty.ChangeTrack | ty.SetFlag, sights: Sights, unsure: Eyes) -> Eyes:
        """Return the seats that see a change: the track or flag, and the pieces that it marks."""
        info = self.world.counter(step.counter)
        if info is not None and info.seen_by == "others":
            unsure = ALL
        eyes = self.track_eyes(step.counter, step.dims, sights, unsure)
        return meet(eyes, self._marked(step, sights))

    def _marked(self, step: ty.ChangeTrack | ty.SetFlag, sights: Sights) -> Eyes:
        pieces = [each for each in step.dims if self.has_face(each.type.of)]
        used = (part for each in pieces for part in ty.walk(each) if isinstance(part, ty.Local))
        if any(each.name not in sights.known for each in used):
            return ALL  # bound in a nested block
        return self.faces(pieces, sights)

    def _known_before(self, step: ty.Step, sights: Sights) -> Eyes:
        """Return the seats that could predict a step: by default, those that know its parts."""
        if isinstance(step, ty.Peek):
            return self.face_of(step.to, sights)
        if isinstance(step, ty.ShowCell):
            return self.faces(step.cell.dims, sights)
        if isinstance(step, _SILENT):
            # nested steps are examined by themselves; a text tells only what is `shown`
            words = step.words if isinstance(step, ty.Tell) else None
            is_open = step.span in self.program.openly
            return self.faces(words.values, sights) if words and is_open else ALL
        moved = MOVES_HIDDEN[type(step)](step)
        if moved is not None:
            parts = self.faces(moved.parts, sights)
            return meet(parts, ALL if moved.pieces is None else self._moving(moved.pieces, sights))
        if isinstance(step, ty.ChangeTrack) and self.is_noticed(step):
            knowing = self.faces((*step.dims, step.result or step.amount), sights)
            is_known = within(self.change_eyes(step, sights, ALL), knowing)
            return self.faces(step.dims, sights) if is_known else knowing
        if isinstance(step, ty.ChangeTrack):
            return self.faces((*step.dims, step.amount), sights)
        if isinstance(step, ty.SetFlag):
            return self.faces(step.dims, sights)
        if isinstance(step, ty.Run | ty.Decide):
            return self.face(step.me, sights)
        parts = self.faces(ty.children(step), sights)
        if isinstance(step, ty.MoveCounted) and (step.amount is None or step.up_to):
            # who sees the target learns how many pieces lay in the source
            counting = self.count_eyes(step.source, sights)
            learning = self.pile_eyes(step.piece, step.target, sights, ALL)
            return parts if within(learning, counting) else meet(parts, counting)
        return parts

    def _moving(self, pieces: ty.Value | ty.Domain, sights: Sights) -> Eyes:
        """Return the seats that know which piece a value is, or how many a domain has."""
        if isinstance(pieces, ty.Domain):
            return self.number(pieces, sights)
        return self.which(pieces, sights)

    # ---------------------------------------------------------------- public approximations
    def known_domain(self, domain: ty.Domain, sights: Sights) -> ty.Domain | None:
        """Return the tightest publicly known superset of a domain, or None."""
        if self.number(domain, sights) is ALL:
            return domain
        if isinstance(domain, ty.Filtered):
            wider = self.known_domain(domain.base, sights)
            inside = self.inside(domain.base, domain.variable, sights)
            return wider and narrowed(wider, domain.variable, self.known(domain.condition, inside))
        if isinstance(domain, ty.Lying) and self.count_eyes(domain.cells, sights) is ALL:
            return ty.Lying(domain.piece, domain.cells, element=domain.element)
        return None

    def known(self, value: ty.Value, sights: Sights) -> ty.Value:
        """Return the public upper approximation of a condition, which the condition implies."""
        hidden = self.face(value, sights) is not ALL
        return either([value, self.undecided(value, sights)]) if hidden else value

    def undecided(  # noqa: C901 - one case for each kind of condition
        self, value: ty.Value, sights: Sights, *, holds: bool = True
    ) -> ty.Value:
        """Return a public condition under which only hidden information can make a condition fail.

        With `holds=False`, return one under which only hidden information can make it hold.
        """
        if self.face(value, sights) is ALL:
            return ty.NO
        if isinstance(value, ty.And | ty.Or):
            hidden = [each for each in value.parts if self.face(each, sights) is not ALL]
            undecided = [self.undecided(each, sights, holds=holds) for each in hidden]
            if holds == isinstance(value, ty.Or):
                return either(undecided)
            rest = [e if holds else negate(e) for e in value.parts if e not in hidden]
            if len(hidden) == 1:
                return both(*rest, *undecided)
            sure = (each if holds else negate(each) for each in hidden)
            return both(*rest, *(either(pair) for pair in zip(sure, undecided, strict=True)))
        if isinstance(value, ty.Negation):
            return self.undecided(value.value, sights, holds=not holds)
        if isinstance(value, ty.LetIn) and self.face(value.bound, sights) is ALL:
            inner = self.undecided(value.inner, sights.also(value.name, OPEN), holds=holds)
            return ty.LetIn(value.name, value.bound, inner, type=YES_NO)
        if not holds:
            return ty.YES
        if isinstance(value, ty.AnyOf):
            wider = self.known_domain(value.domain, sights)
            return ty.YES if wider is None else ty.AnyOf(wider, type=YES_NO)
        if isinstance(value, ty.Cases):
            if self.faces((each for each, _ in value.cases), sights) is not ALL:
                return either(self.known(each, sights) for each in value.values)
            found = tuple((each, self.undecided(then, sights)) for each, then in value.cases)
            return ty.Cases(found, self.undecided(value.otherwise, sights), type=YES_NO)
        if isinstance(value, ty.Can):
            guard, params = self.program.guards[value.proc], self.program.procs[value.proc].params
            asked = inline(self.program, guard, params, value.me, value.arguments)
            return self.undecided(asked, sights)
        if isinstance(value, ty.CanDo):
            return either(self._perhaps(value, sights))
        return ty.YES

    def _perhaps(self, value: ty.CanDo, sights: Sights) -> Iterator[ty.Value]:
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
            yield both(*meant, self.undecided(guard, sights))


def open_to_all(words: ty.MessageText | None) -> ty.MessageText | None:
    """Return a text of which all may read all values."""
    if words is None:
        return None
    everybody: ty.Seen = "all"
    nothing: tuple[tuple[()], ...] = ((),) * len(words.values)
    seen = (everybody,) * len(words.values)
    return attrs.evolve(words, seen=seen, faces=nothing, piles=nothing)
