"""Information-flow annotation: the conditions under which each step reveals hidden information.

Hidden information never has a silent effect. Each step lists the conditions under which it reveals
something that a seat could not know (`reveals`); bots and undo count these moments. Each option
has its public upper approximation (`might`, `wider`): a decision is offered wherever it might
have options, even if only `No` or `Done` remains. Messages list the readers of their values.

The analysis is one forward pass over each procedure, callers first, with a label environment
(`Sights`); the label of a parameter is the meet over all calls. It relies on the guards filled in
by `preconditions`: an option has its complete guard, and the steps after a choice are possible for
each of its candidates. Each step is examined by itself, without a comparison of branches: two
branches with the same visible effects count as distinguishable, so the hidden condition of a
branch counts as revealed even if nobody can tell the branches apart. The driver of `dataflow` is
not suitable, since the pass rewrites steps, and the condition of a compound step determines the
labels at the beginning of its blocks. The sampler of worlds reads the labels (`eyes`) and the
publicly traceable changes to hidden tracks (`followed`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis import wording
from rulesdsl.check.analysis.call_graph import Graph
from rulesdsl.check.analysis.secrecy.disclosure import Disclosure, open_to_all
from rulesdsl.check.analysis.secrecy.followed_changes import FollowedChanges
from rulesdsl.check.analysis.secrecy.open_writes import Condition, OpenWrites
from rulesdsl.check.analysis.secrecy.visibility import (
    ALL,
    OPEN,
    Sight,
    Sights,
    hides,
    meet,
    other_seats,
    seat,
    within,
    written_name,
)
from rulesdsl.check.symbols.types import YES_NO
from rulesdsl.check.typed.conditions import both, negate, some_of, uses
from rulesdsl.check.typed.origins import Origin
from rulesdsl.check.typed.program import Checked, Eyes, Program
from rulesdsl.check.typed.traits import TRAITS, bindings
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.english import and_list
from rulesdsl.source.language import Language
from rulesdsl.source.span import NOWHERE, Span

_CHANGING = (  # after which a track or flag may be another
    *(ty.ChangeTrack, ty.SetFlag, ty.Run, ty.DoField, ty.RepeatTimes, ty.ForEach),
    *(ty.Decide, ty.Secretly),
)


def annotate(checked: Checked) -> Program:
    """Return a checked program with guarded, annotated bodies."""
    flow = InformationFlow.of(checked)
    for key, proc in checked.program.procs.items():
        decides = key in flow.graph.deciding
        body, eyes, held = flow.bodies[key], flow.eyes[key], flow.held[key]
        checked.program.procs[key] = attrs.evolve(
            proc, body=body, decides=decides, eyes=eyes, held=held
        )
    return checked.program


def check_open_writes(checked: Checked, findings: Findings) -> None:
    """Report steps that write something hidden where more see it, in packs since language 0.2."""
    program, world = checked.program, checked.program.world
    if not hides(world) or max(world.languages.values()) < Language.V0_2:
        return
    for write, step in InformationFlow.of(checked).writes.found():
        spans = {write.step.span, step.span}
        if world.language(step.span) < Language.V0_2 or spans & {NOWHERE, *program.openly}:
            continue
        names = and_list(sorted({f"`{written_name(source.name)}`" for source in write.sources}))
        words = wording.TOLD_BY_VALUE if write.how == "value" else wording.TOLD_BY_CONDITION
        words = wording.TOLD_BY_CHANGE if write.how == "change" else words
        words.report(findings, step.span, names=names)


class InformationFlow:
    """Annotator of procedures, with a label environment for their locals."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.program = checked.program
        self.graph = Graph(checked.program, Findings())
        self.see = Disclosure(checked.program)
        self.eyes: dict[str, dict[str, Eyes]] = {key: {} for key in self.program.procs}
        """The labels of the locals that are not public, by procedure.

        The label of a piece is that of its face. A hidden number counts as revealed when it is
        passed to a procedure, but nobody sees it before it is used.
        """
        self.held: dict[str, dict[str, Origin]] = {key: {} for key in self.program.procs}
        """The sources of the locals that hold a piece in secret, by procedure."""
        self.bodies: dict[str, ty.Block] = {}
        """The annotated bodies."""
        self.telling: list[tuple[ty.Node, Span]] = []
        """The hidden conditions, domains and effects that decide whether somebody is asked."""
        self.restricted: list[tuple[ty.Node, Span]] = []
        """Conditions hidden from the chooser that restrict a choice, or decide on its offer."""
        self._passed: dict[str, list[Sights]] = {key: [] for key in self.program.procs}
        self._given: dict[str, list[Sights]] = {key: [] for key in self.program.procs}
        self._follow = FollowedChanges(self.see)
        self._closed: set[str] = set()  # their execution may depend on hidden information
        self._open = True  # execution of the current step is public
        self._key = ""
        self._copies: dict[str, ty.Value] = {}  # locals that still equal a track or flag
        self._under: list[Condition] = []  # hidden conditions of the current step
        self.writes = OpenWrites(self.see, self.graph)

    @classmethod
    def of(cls, checked: Checked) -> InformationFlow:
        """Annotate all procedures of a program, once."""
        if "flow" not in checked.memo:
            flow = cls(checked).run()
            if flow.see.read_afar & checked.program.secret_marks:  # which are known only now
                flow = cls(checked).run()
            checked.memo["flow"] = flow
        flow = checked.memo["flow"]
        assert isinstance(flow, cls)
        return flow

    def run(self) -> InformationFlow:
        """Annotate all procedures."""
        for key in reversed(self.program.guards):  # callees come first there
            self.bodies[key] = self.body(key)
        return self

    def body(self, key: str) -> ty.Block:
        """Return the annotated body of a procedure; its callers must be annotated first."""
        self._key, self._open, self._under = key, key not in self._closed, []
        self._copies.clear()
        sights = Sights({"me": OPEN})
        for name in (each.name for each in self.program.procs[key].params):
            passed = [each[name] for each in self._given[key]]
            which, face = meet(*(e.which for e in passed)), meet(*(e.face for e in passed))
            sights.learn(name, Sight(which, face, afar=any(e.afar for e in passed)))
            self._note(name, meet(*(each[name].face for each in self._passed[key])))
        body = self.checked.bodies[key]
        return ty.Block(self._steps(body, sights), span=body.span)

    # ---------------------------------------------------------------- steps
    def _steps(self, block: ty.Block, sights: Sights) -> tuple[ty.Step, ...]:
        return tuple([self._step(step, sights) for step in block.steps])

    def _block(
        self,
        block: ty.Block,
        sights: Sights,
        *at_end: ty.Value,
        eyes: Eyes = ALL,
        under: Iterable[ty.Value | ty.Domain] = (),
    ) -> ty.Block:
        outer, self._open = self._open, self._open and eyes is ALL
        around = self._under
        if eyes is not ALL:
            labels = self._seen_so_far(sights)
            self._under = [*around, *((node, labels) for node in under)]
        steps = self._steps(block, Sights(sights.known))
        self._open, self._under = outer, around
        return ty.Block(steps, reveals_at_end=at_end, span=block.span)

    def _note(self, name: str, eyes: Eyes) -> None:
        if eyes is not ALL:
            known = self.eyes[self._key]
            known[name] = meet(known.get(name, ALL), eyes)

    def _hold(self, name: str, piece: str, origin: Origin) -> None:
        if origin.eyes is not ALL and self.see.has_face(piece):
            self.held[self._key][name] = origin

    def _origin(self, value: ty.Value, sights: Sights) -> Origin:
        """Return the source of the piece in a local that gets a value."""
        if value.type.family != "piece" or not self.see.has_face(value.type.of):
            return Origin(ALL)
        if isinstance(value, ty.Local):
            return self.held[self._key].get(value.name, Origin(ALL))
        eyes = self.see.face(value.cells if isinstance(value, ty.EndOf) else value, sights)
        if isinstance(value, ty.BestOf):
            return Origin(eyes, value.domain, value.ranking, value.variable)
        return Origin(eyes, value.domain if isinstance(value, ty.RandomOf) else None)

    def _seen_so_far(self, sights: Sights) -> Sights:
        hidden = self.eyes[self._key].items()
        unseen = {name: attrs.evolve(sights[name], face=eyes) for name, eyes in hidden}
        return Sights({**sights.known, **unseen})

    def _step(self, step: ty.Step, sights: Sights) -> ty.Step:
        text = step.words.values if isinstance(step, ty.Tell) and step.words is not None else ()
        printed = [value for value in text if self.see.face(value, sights) is ALL]
        self.writes.note(self._key, step, self._seen_so_far(sights), self._under, printed)
        passes = isinstance(step, ty.Run | ty.DoField) and self._pass_on(step, sights)
        always = passes or self.see.discloses(step, sights)
        made = self._annotated(step, sights)
        return attrs.evolve(made, reveals=(ty.YES, *made.reveals)) if always else made

    def _copy(self, step: ty.Step, sights: Sights) -> None:
        """Note which locals equal a track or flag, and are known to all when that is shown."""
        if isinstance(step, ty.SetLocal) and isinstance(step.value, ty.TrackCell | ty.FlagCell):
            self._copies[step.name] = step.value
        elif isinstance(step, ty.ShowCell) and step.to is None:
            for name, cell in self._copies.items():
                if cell == step.cell:
                    sights.learn(name, OPEN)
        elif isinstance(step, _CHANGING):
            self._copies.clear()

    def _annotated(self, step: ty.Step, sights: Sights) -> ty.Step:
        self._copy(step, sights)
        if isinstance(step, ty.Leaf):
            return self._leaf(step, sights)
        match step:
            case ty.Run():
                return step
            case ty.DoField():
                key = () if step.key is None else (step.key,)
                self._tells((step.subject, *key), step, sights)
                return step
            case ty.Block():
                return ty.Block(self._steps(step, sights), span=step.span)
            case ty.WhereAble():
                return self._where_able(step, sights)
            case ty.Branching(branches=branches):
                self._tells((condition for condition, _ in branches), step, sights)
                reveals, (*made, last) = self._branches(branches, step.otherwise, sights)
                asked = (condition for condition, _ in branches)
                branches = tuple(zip(asked, made, strict=True))
                return ty.Branching(branches, last, reveals=reveals, span=step.span)
            case ty.RepeatTimes() | ty.ForEach():
                return self._loop(step, sights)
            case ty.Secretly():
                return self._sealed(step, sights)
            case ty.Decide():
                some = self._lines if step.choice is None else self._choice
                return some(step, sights)
            case _:
                assert_never(step)

    def _where_able(self, step: ty.WhereAble, sights: Sights) -> ty.Step:
        # that a hand holds nothing suitable is not reported, only what is kept in secret
        is_secret = any(map(self.see.hidden_counter, self.see.evaluated(step.guard)))
        if is_secret:
            self._tells((step.guard,), step, sights)
        cases = ((step.guard, step.block),)
        reveals, made = self._branches(cases, step.otherwise, sights, is_noted=is_secret)
        return attrs.evolve(step, block=made[0], otherwise=made[1], reveals=reveals)

    def _leaf(self, step: ty.Leaf, sights: Sights) -> ty.Step:
        if isinstance(step, ty.SetLocal):
            if self._follow.is_drawn(step.value, self._key):
                self._follow.draw(self._key, step.name)
            seen = self.see.face(step.value, self._seen_so_far(sights))
            self._hold(step.name, step.value.type.of, self._origin(step.value, sights))
            sights.learn(step.name, self.see.sight(step.value, sights))
            if step.value.type.family != "piece":
                self._note(step.name, seen)
        if isinstance(step, ty.Peek) and step.subject is not None:
            name, to = step.subject.name, seat(step.to) if step.to is not None else ALL
            before = sights[name]
            sights.learn(name, Sight(_joined(before.which, to), _joined(before.face, to)))
        if isinstance(step, ty.Tell):
            is_open = step.span in self.program.openly
            words = None if is_open else self._words(step.words, sights, step.me)
            return attrs.evolve(step, words=open_to_all(step.words) if is_open else words)
        if isinstance(step, ty.ChangeTrack | ty.SetFlag):
            return self._change(step, sights)
        if not isinstance(step, ty.MovePrinted | ty.MoveSome):
            return step
        turned = attrs.evolve(step, shown=self.see.turns_up(step, sights))
        if isinstance(step, ty.MoveSome) or not isinstance(step.subject, ty.Local):
            return turned
        if self.see.pile_eyes(step.piece, step.target, sights) is ALL:
            sights.learn(step.subject.name, OPEN)
        return turned

    def _change(self, step: ty.ChangeTrack | ty.SetFlag, sights: Sights) -> ty.Step:
        seen = self._seen_so_far(sights)
        followed = self._open and self._follow.is_followed(step, seen, self._key)
        pieces = [dim for dim in step.dims if self.see.has_face(dim.type.of)]
        if self.see.faces(pieces, seen) is not ALL:
            self.program.secret_marks.add(step.counter)
        values = [dim for dim in step.dims if dim not in pieces]
        values += [step.amount] if isinstance(step, ty.ChangeTrack) else []
        timed = self._open and self.see.faces(values, sights) is ALL
        return attrs.evolve(step, followed=followed, timed=timed)

    def _words(
        self, words: ty.MessageText | None, sights: Sights, me: ty.Value
    ) -> ty.MessageText | None:
        if words is None:
            return None
        readers = [self.see.readers(value, sights, me) for value in words.values]
        seen, faces, piles = zip(*readers, strict=True) if readers else ((), (), ())
        return attrs.evolve(words, seen=seen, faces=faces, piles=piles)

    def _question(
        self, words: ty.MessageText | None, sights: Sights, me: ty.Value
    ) -> ty.MessageText | None:
        # that a hidden number was passed on tells nobody which one it is
        return self._words(words, self._seen_so_far(sights), me)

    def _pass_on(self, step: ty.Run | ty.DoField, sights: Sights) -> bool:
        graph = self.graph
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
            # calls from scenarios are not part of the game
            if self._key in graph.reachable or callee not in graph.reachable:
                self._given[callee].append(given)
                for name, value in bound.items():
                    if self._follow.is_drawn(value, self._key):
                        self._follow.draw(callee, name)
                    if self._origin(value, sights).eyes is not ALL:
                        self.held[callee][name] = Origin(frozenset())
                for name, value in bound.items():
                    origin = self._key, value, self._seen_so_far(sights)
                    self.writes.bind(callee, name, step, *origin)
                self._passed[callee].append(self.see.passed(bound, self._seen_so_far(sights)))
                if not self._open or self._is_veiled(step, sights):
                    self._closed.add(callee)
        return tells

    def _branches(
        self,
        branches: tuple[tuple[ty.Value, ty.Block], ...],
        otherwise: ty.Block,
        sights: Sights,
        *,
        is_noted: bool = True,
    ) -> tuple[tuple[ty.Value, ...], list[ty.Block]]:
        blocks = [*(block for _, block in branches), otherwise]
        eyes = self.see.faces((condition for condition, _ in branches), sights)
        reveals: tuple[ty.Value, ...] = ()
        if any(self.see.follows(block, eyes, sights) for block in blocks):
            hidden = (self.see.face(each, sights) is not ALL for each, _ in branches)
            before = branches[: next(at for at, each in enumerate(hidden) if each)]
            reveals = (both(*(negate(each) for each, _ in before)),)
        seen, told, made = self._seen_so_far(sights), ALL, list[ty.Block]()
        under: list[ty.Value | ty.Domain] = []
        for condition, block in branches:
            told = meet(told, self.see.face(condition, seen))
            is_told = any(step.span in self.program.openly for step in block.steps)
            under += [condition] if is_noted and not is_told else []
            made.append(self._block(block, sights, eyes=told, under=under))
        return reveals, [*made, self._block(otherwise, sights, eyes=told, under=under)]

    def _tells(
        self, values: Iterable[ty.Value | ty.Domain], step: ty.Step, sights: Sights
    ) -> None:
        """Note the first hidden one among values that decide whether a step asks somebody."""
        hidden = (value for value in values if self._counted(value, sights) is not ALL)
        value = next(hidden, None) if self._open else None
        if value is not None and self.graph.asks(step):
            self.telling.append((value, value.span if value.span != NOWHERE else step.span))

    def _loop(self, step: ty.RepeatTimes | ty.ForEach, sights: Sights) -> ty.Step:
        flow = TRAITS[type(step)].flow(step)
        assert flow is not None
        self._tells(flow.asked, step, sights)
        counted = meet(*(self._counted(rounds, sights) for rounds in flow.asked))
        eyes = meet(counted, self.see.faces(flow.tested, sights))
        if flow.each is not None:
            name, domain = flow.each
            if domain.element.family == "piece":
                origin = Origin(self.see.things(domain, sights), domain, in_turn=True)
                self._hold(name, domain.element.of, origin)
            sights = self.see.inside(domain, name, sights)
        reveals = (ty.YES,) if self.see.follows(step.block, eyes, sights) else ()
        under = (*flow.asked, *flow.tested)
        block = self._block(step.block, sights, *reveals, eyes=eyes, under=under)
        # everybody sees the rounds of a loop with a test, one by one
        return attrs.evolve(step, block=block, reveals=reveals, eyes=ALL if flow.tested else eyes)

    def _counted(self, rounds: ty.Value | ty.Domain, sights: Sights) -> Eyes:
        if isinstance(rounds, ty.DomainNode):
            return self.see.number(rounds, sights)
        return self.see.face(rounds, sights)

    # ---------------------------------------------------------------- decisions
    def _choice(self, step: ty.Decide, sights: Sights) -> ty.Step:
        assert step.choice is not None
        name, domain = step.choice
        seen = self.see.things(domain, sights)
        bound = sights.labels
        self._tells_chooser(domain, step, sights)
        hidden = self._chosen(name, domain, step.me, sights, step.lines[0].guard)
        secret = hidden or step.kept
        if step.kept and not hidden:
            sights.learn(name, Sight(seat(step.me), seat(step.me)))
            self._note(name, seat(step.me))
        reveals: tuple[ty.Value, ...] = ()
        if not secret and seen is not ALL:  # the question reveals it to everybody
            reveals = (ty.YES,)
        elif not within(seat(step.me, ALL), seen):
            reveals = (self.see.known(ty.AnyOf(domain, type=YES_NO), sights),)
        things = self._distinguished(domain, step.me, sights)
        label = self._question(step.lines[0].label, sights, step.me)
        line = attrs.evolve(
            step.lines[0],
            domain=things,
            label=label,
            bound=bound,
            hidden=hidden,
            secret=secret or _veiled(label),
        )
        prompt = self._question(step.prompt, sights, step.me)
        asks = secret or self.see.number(domain, sights) is not ALL
        decision = attrs.evolve(step, lines=(line,), prompt=prompt, reveals=reveals)
        return attrs.evolve(decision, secret=secret, always_asks=asks)

    def _tells_chooser(self, domain: ty.Domain, step: ty.Decide, sights: Sights) -> None:
        """Note a choice among public things that something hidden from the chooser restricts."""
        base = domain.unfiltered
        is_search = isinstance(base, ty.Lying | ty.EndPieces)
        if is_search and self.see.members(base, sights) is not ALL:
            return
        if not within(seat(step.me, ALL), self.see.things(domain, sights)):
            self.restricted.append((domain, domain.span))

    def _sealed(self, step: ty.Secretly, sights: Sights) -> ty.Step:
        domain, me = step.domain, ty.Local(step.me)
        inner = sights.also(step.me, OPEN)
        self._tells((step.where,), step, inner)
        open_to = within(seat(me), self.see.things(domain, inner))
        secret = self._chosen(step.variable, domain, me, inner)
        label, block = self._question(step.label, inner, me), self._block(step.block, inner)
        things = self._distinguished(domain, me, inner)
        public = open_to and self.see.face(step.where, inner) is ALL
        reveals = () if public else (ty.YES,)
        made = attrs.evolve(step, domain=things, label=label, block=block, reveals=reveals)
        return attrs.evolve(made, secret=True) if secret else made

    def _lines(self, step: ty.Decide, sights: Sights) -> ty.Step:
        inside = [Sights(sights.known) for _ in step.lines]
        bound = sights.labels
        offers = [self._offer(*each, step.me) for each in zip(step.lines, inside, strict=True)]
        reveals = tuple(each for _, told in offers for each in told)
        if self.see.face_of(step.limit, sights) is not ALL:
            assert step.limit is not None
            self._tells((step.limit,), step, sights)
            reveals = (ty.YES,)
        again = reveals if step.again else ()  # at each repetition
        lines: list[ty.OptionLine] = []
        around, self._under = self._under, []  # what is chosen is not decided by what is hidden
        several = sum(line.secret for line, _ in offers) > 1  # nobody learns which one was taken
        for (line, _), known in zip(offers, inside, strict=True):
            eyes = seat(step.me) if line.secret and several else ALL
            block = self._block(line.block, known, *again, eyes=eyes)
            things = line.domain and self._distinguished(line.domain, step.me, sights)
            label = self._question(line.label, known, step.me)
            secret = line.secret or _veiled(label)
            made = attrs.evolve(line, domain=things, block=block, label=label, bound=bound)
            lines.append(attrs.evolve(made, secret=secret) if secret else made)
        self._under = around
        prompt = self._question(step.prompt, sights, step.me)
        return attrs.evolve(step, lines=tuple(lines), prompt=prompt, reveals=reveals)

    def _offer(
        self, line: ty.OptionLine, sights: Sights, me: ty.Value
    ) -> tuple[ty.OptionLine, tuple[ty.Value, ...]]:
        """Annotate an option; also return the conditions under which it reveals something."""
        guard = asked = line.guard
        inner, secret, seen = sights, False, ALL
        domain, wider, counted = line.domain, None, True
        if domain is not None and line.variable is not None:
            wider, seen = self.see.known_domain(domain, sights), self.see.things(domain, sights)
            counted = self.see.number(domain, sights) is ALL
            inner = self.see.inside(domain, line.variable, sights)
            asked = some_of(domain, line.variable, guard)
            secret = self._chosen(line.variable, domain, me, sights, guard)
        for each in line.block.steps:
            if isinstance(each, ty.DoField):  # the label names the effect
                key = self.see.face_of(each.key, sights)
                named = meet(self.see.face(each.subject, sights), key)
                secret, seen = secret or named is not ALL, meet(seen, named)
        seen = meet(seen, self.see.face(guard, inner))
        open_to = within(seat(me, ALL), seen)
        reveals = () if open_to else (self.see.known(asked, sights),)
        if not open_to and not secret:
            self.restricted.append((guard, guard.span))
        if seen is ALL:
            return line, reveals
        if counted:
            might = self.see.undecided(guard, inner)
        else:
            unknown = wider is None and uses(guard, line.variable or "")
            might = ty.YES if unknown else self.see.known(guard, inner)
        told = attrs.evolve(line, might=might, wider=wider, hidden=True, secret=secret)
        return told, reveals

    def _chosen(
        self,
        name: str,
        domain: ty.Domain,
        me: ty.Value,
        sights: Sights,
        guard: ty.Value = ty.YES,
    ) -> bool:
        base = domain.unfiltered
        viewers = self.see.members(base, sights)
        if viewers is ALL or not isinstance(base, ty.Lying | ty.EndPieces):
            sights.learn(name, Sight(apart=frozenset(other_seats(domain, name))))
            return False
        # an option shows the print; marks are visible only on pieces that are face up
        eyes = meet(seat(me), viewers) if self.program.world.marks(base.piece) else seat(me)
        self._hold(name, domain.element.of, Origin(seat(me), domain, guard=guard))
        sights.learn(name, Sight(ALL, eyes))
        return True

    def _distinguished(self, domain: ty.Domain, me: ty.Value, sights: Sights) -> ty.Domain:
        if isinstance(domain, ty.Filtered):
            return attrs.evolve(domain, base=self._distinguished(domain.base, me, sights))
        if not isinstance(domain, ty.Lying):
            return domain
        marks = self.program.world.marks(domain.piece)
        hidden = any(mark.seen_by for mark in marks)
        lies_open = within(seat(me, ALL), self.see.members(domain, sights))
        return attrs.evolve(domain, apart=bool(marks) and (hidden or not lies_open))

    def _is_veiled(self, step: ty.Run | ty.DoField, sights: Sights) -> bool:
        if isinstance(step, ty.Run):
            return False
        key = self.see.face_of(step.key, sights)
        return meet(self.see.face(step.subject, sights), key) is not ALL


def _joined(eyes: Eyes, more: Eyes) -> Eyes:
    """Return the seats of either label."""
    return ALL if eyes is None or more is None else eyes | more


def _veiled(label: ty.MessageText | None) -> bool:
    return label is not None and any(each != "all" for each in label.seen)
