"""Explanations of options that are not offered: the first condition that fails."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.intervals import Intervals
from rulesdsl.check.analysis.secrecy.disclosure import Disclosure
from rulesdsl.check.analysis.secrecy.visibility import ALL, OPEN, Sight, Sights, meet, seat, within
from rulesdsl.check.quoting import NOT_IN, NOT_NOW, condition_text, unbound
from rulesdsl.check.symbols.types import NUMBER, YES_NO, entry
from rulesdsl.check.symbols.words import SIGNS
from rulesdsl.check.typed.conditions import both, either, uses
from rulesdsl.check.typed.traits import bound_inside, inline
from rulesdsl.interpreter.decision_points import is_offered
from rulesdsl.interpreter.reasons.occasions import Occasions
from rulesdsl.interpreter.reasons.refusals import NOBODY, Position, Refusals
from rulesdsl.source.english import sentence
from rulesdsl.source.span import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulesdsl.check.typed.program import Program
    from rulesdsl.interpreter.decision_points import DecisionPoint
    from rulesdsl.interpreter.decisions import Decision
    from rulesdsl.interpreter.evaluator import Evaluator
    from rulesdsl.interpreter.labels import Labels
    from rulesdsl.lower.layout import Layout
    from rulesdsl.source.span import Span


@attrs.frozen
class Action:
    """One of the options that a game can ever offer.

    `id` and `label` are the parts of the option's id and label that do not depend on the position;
    a question's options with equal ids are one action. `question` is the prompt, `decision` is its
    id (`Decision.id`), `rule` is the place in the rules that offers the option, and `about` is the
    id in `Game.printed` of the entry that it names, if any.
    """

    number: int
    id: str
    label: str
    question: str = attrs.field(repr=False)
    rule: Span = attrs.field(repr=False)
    about: str = attrs.field(default="", repr=False)
    decision: str = ""
    former_id: str = attrs.field(default="", repr=False)
    """The id in language 0.1, as `Option.former_id`."""
    asked_in: int = attrs.field(default=0, repr=False)
    """The number of the block that asks the question."""
    raw: tuple[int, ...] = attrs.field(default=(), repr=False)
    """The raw choices that the action covers, as numbers of the flat form."""


@attrs.frozen
class Reason:
    """The reason why an option is not offered, as text, with the rule that forbids the option.

    `condition` is the index of the failing condition; None if the question is not open, the reason
    is secret, or the option is offered (`offered`). `choice` is the raw choice of the action that
    satisfies the most conditions before the one that fails.
    """

    text: str
    rule: Span
    offered: bool = False
    declared: bool = False
    """True if the author wrote the text."""
    quoted: str = attrs.field(default="", repr=False)
    """The text with the words of the rule in place of a description, as scenarios may state it."""
    condition: int | None = attrs.field(default=None, repr=False)
    choice: int | None = attrs.field(default=None, repr=False)


_NOT_YET = "That is not possible at this point of the game."


def actions_of(labels: Labels) -> tuple[Action, ...]:
    """Return all actions, question by question."""
    found: list[Action] = []
    intervals = Intervals(labels.program)
    for block, offer in labels.offers.items():
        ask = labels.engine.asks[block]
        same: dict[tuple[int | None, str], list[int]] = {}
        for option in _known_actions(intervals, ask, offer.options()):
            name, _ = labels.option(ask, option, ask.effect(option))
            same.setdefault((ask.number(option), name), []).append(option)
        for (_, name), raw in same.items():
            found.append(_action(labels, len(found), block, name, tuple(raw)))
    return tuple(found)


def _action(labels: Labels, number: int, block: int, name: str, raw: tuple[int, ...]) -> Action:
    ask = labels.engine.asks[block]
    _, label = labels.option(ask, raw[0], ask.effect(raw[0]))
    domain = ask.domain(raw[0])
    if ask.plain and domain is not None:  # a label may need a position
        label = labels.thing(domain.element, raw[0])
    question = "" if ask.end.prompt is None else labels.without_amounts(ask.end.prompt)
    line = ask.line(raw[0])
    if line is not None and line.label is not None and line.domain is None:
        label = labels.heading(line.label)
    rule = ask.end.span if line is None or not line.span.line else line.span
    about = labels.about(ask, raw[0])[0]
    decision = labels.question_ids[block]
    former = labels.former_id(ask, raw[0])
    return Action(number, name, label, question, rule, about, decision, former, block, raw)


def _known_actions(
    intervals: Intervals, ask: DecisionPoint, options: Iterator[int]
) -> Iterator[int]:
    """Yield the valid options; for numbers, only those up to the upper bound of their range."""
    for option in options:
        if not is_offered(ask, option):
            continue
        domain = ask.domain(option)
        base = None if domain is None else domain.unfiltered
        if isinstance(base, ty.NumberRange) and ask.thing(option) > intervals.of(base.high)[1]:
            continue
        yield option


@attrs.frozen
class Condition:
    """A precondition of an option. Its `value` is None if it requires that a line be unused."""

    value: ty.Value | None
    rule: Span


def conditions(program: Program, ask: DecisionPoint, option: int) -> tuple[Condition, ...]:
    """Return the conditions for an option: those on its entity, then those of its line."""
    line, domain = ask.line(option), ask.domain(option)
    place = ask.end.span if line is None or not line.span.line else line.span
    found: list[Condition] = []
    if domain is not None:
        variable = ask.variable(option)
        assert variable is not None
        found += (_placed(each, place) for each in filters(program, domain, variable))
    if line is not None and line.once:
        found.append(Condition(None, place))
    if line is not None:
        found += (_placed(each, place) for each in parts(program, line.guard))
    return tuple(each for each in found if each.value != ty.YES)


def _placed(value: ty.Value, place: Span) -> Condition:
    return Condition(value, value.span if value.span.line else place)


def filters(program: Program, domain: ty.Domain, variable: str) -> Iterator[ty.Value]:
    """Yield the conditions that a domain places on an entity: membership, then each filter."""
    thing = ty.Local(variable, type=domain.element)
    if isinstance(domain, ty.Filtered):
        yield from filters(program, domain.base, variable)
        yield from parts(program, ty.substitute(domain.condition, domain.variable, thing))
    else:
        yield ty.MemberOf(thing, domain, type=YES_NO, span=domain.span)


def parts(
    program: Program,
    value: ty.Value,
    around: Span = NOWHERE,
    why: ty.MessageText | None = None,
) -> Iterator[ty.Value]:
    """Yield the conjuncts of a condition, with the guards of procedures inlined.

    A conjunct without a span or text inherits that of the enclosing expression.
    """
    around = value.span if value.span.line else around
    why = value.why or why
    inner: list[ty.Value] = []
    if isinstance(value, ty.And):
        inner += value.parts
    elif isinstance(value, ty.LetIn):
        bound = uses(value.inner, value.name)
        inner.append(ty.substitute(value.inner, value.name, value.bound) if bound else value.inner)
    elif isinstance(value, ty.Can):
        params = program.procs[value.proc].params
        guard = program.guards[value.proc]
        inner.append(inline(program, guard, params, value.me, value.arguments))
    elif isinstance(value, ty.Negation) and isinstance(value.value, ty.Negation):
        inner.append(value.value.value)
    else:
        yield attrs.evolve(value, span=around, why=why)
    for each in inner:
        yield from parts(program, each, around, why)


def failing(
    program: Program, layout: Layout, place: Position, value: ty.Value, rule: Span
) -> tuple[ty.Value, Span]:
    """Return the innermost failing part of a condition, and its rule."""
    while True:
        rule = value.span if value.span.line else rule
        if value.why is not None:  # the author wrote a reason
            return value, rule
        if isinstance(value, ty.Or):  # all alternatives fail, each for its own reason
            every = (first_failing(program, place, each) for each in value.parts)
            found = [failing(program, layout, place, each, rule)[0] for each in every]
            return either(found), rule
        inner = _inside(program, layout, place, value)
        if inner is None:
            return value, rule
        value = first_failing(program, place, inner)


def _ways(part: ty.Value) -> tuple[ty.Value, ...]:
    """Return the alternatives of a condition that has no text of its own."""
    return part.parts if isinstance(part, ty.Or) and part.why is None else (part,)


def _later(program: Program, place: Position, value: ty.Value, rule: Span) -> ty.Value | None:
    """Return what no candidate of a choice allows of the steps after it, or None.

    A choice is possible if a candidate satisfies the filters of its own and those steps.
    """

    def failing_part(value: ty.AnyOf, is_possible: Callable[[ty.Value], bool]) -> ty.Value:
        domain = value.domain
        if not isinstance(domain, ty.Filtered) or not is_possible(_some_of(domain, ty.YES)):
            return value
        satisfied: ty.Value = ty.YES
        for part in parts(program, domain.condition):
            before, satisfied = satisfied, both(satisfied, part)
            if is_possible(_some_of(domain, satisfied)):
                continue
            if not isinstance(part, ty.AnyOf):
                return value if value.span.holds(part.span) else part

            def is_possible_after(inner: ty.Value, before: ty.Value = before) -> bool:
                return is_possible(_some_of(domain, both(before, inner)))

            return failing_part(part, is_possible_after)
        return value

    if not isinstance(value, ty.AnyOf):
        return None
    part = failing_part(value, lambda condition: bool(place.number(condition)))
    is_own = part is value or rule.holds(part.span) or (part.why and part.why.values)
    return None if is_own or part.span == NOWHERE else part


def _some_of(domain: ty.Filtered, condition: ty.Value) -> ty.Value:
    some = domain.base if condition == ty.YES else attrs.evolve(domain, condition=condition)
    return ty.AnyOf(some, type=YES_NO)


def first_failing(program: Program, place: Position, value: ty.Value) -> ty.Value:
    """Return the first failing part of a failing condition."""
    return next(each for each in parts(program, value) if not place.number(each))


def _inside(program: Program, layout: Layout, place: Position, value: ty.Value) -> ty.Value | None:
    """Return the condition that a condition reduces to at a position; None if it is atomic."""
    if isinstance(value, ty.Cases):
        taken = (then for asked, then in value.cases if place.number(asked))
        return next(taken, value.otherwise)
    if isinstance(value, ty.CallValue) and not program.world.values[value.name].title:
        formula = program.values[value.name, value.layer]
        return inline(program, formula.body, formula.params, value.me, value.arguments)
    return _of_effect(program, layout, place, value) if isinstance(value, ty.CanDo) else None


def _of_effect(
    program: Program, layout: Layout, place: Position, value: ty.CanDo
) -> ty.Value | None:
    """Return the guard of the effect that is selected at a position, or None."""
    at = place.number(value.subject)
    key = None if value.key is None else place.number(value.key)
    if at < 0 or (key is not None and key < 0):
        return None
    if value.subject.type.family == "piece":
        at = layout.instances(value.kind)[at][0]
    per = program.world.kinds[value.kind].fields[value.field].per
    fixed = ty.CanDo(
        value.kind,
        value.field,
        ty.Const(at, type=entry(value.kind)),
        None if key is None or per is None else ty.Const(key, type=entry(per)),
        value.me,
    )
    meant = program.meant(fixed)
    if not meant:
        return ty.HasEffect(fixed.kind, fixed.field, fixed.subject, fixed.key, type=YES_NO)
    if len(meant) != 1 or program.guards.get(meant[0], ty.YES) == ty.YES:
        return None
    return inline(program, program.guards[meant[0]], (), value.me, ())


class WhyNot:
    """Explainer of missing options in the games of one setting.

    `conditions` splits the filters of an option's domain and the guard of its line into conjuncts,
    in evaluation order. Each is compiled when it is first evaluated (`Evaluator`), and `failing`
    narrows the first that fails to its innermost failing part. The text is the author's, or else
    quotes the rule (`_condition_text`). If an action covers several choices, the one that
    satisfies the most conditions is explained. Conditions that the viewer may not know are
    skipped; if only those fail, the answer is just that it depends on hidden information.
    """

    def __init__(self, labels: Labels, looks: Evaluator) -> None:
        self._labels = labels
        self._asks = labels.engine.asks
        self._program = labels.program
        self.looks = looks
        self._see = Disclosure(self._program)
        self._occasions = Occasions(self._program)
        self._asked: dict[tuple[int, int], tuple[Condition, ...]] = {}
        self._known: dict[tuple[int, int], tuple[bool, ...]] = {}

    def reason(self, open_now: Sequence[Decision], action: Action, viewer: int | None) -> Reason:
        """Return the reason why an action is not offered; nothing is redacted without a viewer."""
        if not open_now:
            return Reason("The game is over.", action.rule)
        ask = self._asks[action.asked_in]
        mine = [each for each in open_now if viewer in (None, each.player)]
        if not mine:
            names = " and ".join(self._labels.seats[each.player - 1] for each in open_now)
            return Reason(f"It is up to {names} now.", action.rule)
        decision = mine[0]
        if decision.ask is not ask:
            return Reason(f"{self._elsewhere(action)} are asked something else now.", action.rule)
        if any(each in decision.raw for each in action.raw):
            return Reason("It is offered now.", action.rule, offered=True)
        return self._closest(decision, action, viewer)

    def _elsewhere(self, action: Action) -> str:
        if not action.question:
            return "You"
        ask = self._asks[action.asked_in]
        titles, domain = self._occasions.of(ask.proc), ask.domain(action.raw[0])
        subject = "It is"
        if domain is not None and domain.element.family == "number":
            subject = "Numbers are"
        where = f"{subject} chosen at “{action.question}”"
        if action.question.startswith(action.label):
            where = "That is asked when its time comes"
        return f"{where}, which comes with {titles}. You" if titles else f"{where}, and you"

    def conditions(self, action: Action, choice: int) -> tuple[Condition, ...]:
        """Return the conditions for one of an action's choices."""
        key = action.asked_in, choice
        if key not in self._asked:
            ask = self._asks[action.asked_in]
            self._asked[key] = conditions(self._program, ask, choice)
        return self._asked[key]

    # ---------------------------------------------------------------- first failing condition
    def _closest(self, decision: Decision, action: Action, viewer: int | None) -> Reason:
        best: tuple[int, int] | None = None
        for choice in action.raw:
            at = self._fails_at(decision, action, choice, viewer)
            if at is not None and (best is None or at > best[0]):
                best = at, choice
        if best is None:
            return Reason("That depends on hidden information.", action.rule)
        at, choice = best
        return self._reason(decision, action, choice, at, viewer)

    def _fails_at(
        self, decision: Decision, action: Action, choice: int, viewer: int | None
    ) -> int | None:
        """Return the index of the first failing condition among those that the viewer knows.

        That a thing has no effect here comes first: nothing that the player does would help.
        """
        place = self._position(decision, choice)
        required = self.conditions(action, choice)
        is_known = self._may_know(decision.ask, action.asked_in, choice)
        failing_at = [
            at
            for at, condition in enumerate(required)
            if (viewer is None or is_known[at])
            and not self._holds(place, decision, condition, choice)
        ]
        without_effect = (at for at in failing_at if self._lacks_effect(place, required[at]))
        return next(chain(without_effect, failing_at), None)

    def _lacks_effect(self, place: Position, condition: Condition) -> bool:
        """Return whether a failing condition fails since a thing has no effect here."""
        if condition.value is None:
            return False
        layout = self._labels.layout
        part, _ = failing(self._program, layout, place, condition.value, condition.rule)
        return isinstance(part, ty.HasEffect)

    def _holds(
        self, place: Position, decision: Decision, condition: Condition, choice: int
    ) -> bool:
        if condition.value is None:
            return choice not in place.frame[decision.ask.slot]
        return bool(place.number(condition.value))

    def _reason(
        self,
        decision: Decision,
        action: Action,
        choice: int,
        at: int,
        viewer: int | None,
    ) -> Reason:
        found = self.conditions(action, choice)[at]
        if found.value is None:
            text = "It can be done only once, and has already been done."
            return Reason(text, found.rule, condition=at, choice=choice)
        place, ask = self._position(decision, choice), decision.ask
        known = _known(ask, found.value) & _bound(ask, choice)

        def seen(value: ty.Value) -> bool:
            there = unbound(value) <= known
            return there and (viewer is None or self._sees(ask, choice, value))

        me = decision.player - 1
        reason = self._in_words(place, found.value, found.rule, seen, me)
        return attrs.evolve(reason, condition=at, choice=choice)

    def in_words(self, place: Position, part: ty.Value, rule: Span) -> str:
        """Return a failing condition in the words of its rule; nothing is redacted."""
        return self._in_words(place, part, rule, lambda _: True, NOBODY).quoted

    def _in_words(
        self,
        place: Position,
        value: ty.Value,
        rule: Span,
        seen: Callable[[ty.Value], bool],
        me: int,
    ) -> Reason:
        """Return the innermost failing part as text; values that are not `seen` are redacted."""
        part, rule = failing(self._program, self._labels.layout, place, value, rule)
        reasons = [*self._alternatives(place, part, rule)]
        refusals = Refusals(self._labels, place, seen, me)
        texts, quotes, declared = dict[str, None](), dict[str, None](), False
        for reason in reasons:
            where = reason.span if reason.span.line else rule
            if reason.why is None:
                quote = self._quoted(place, reason, where, seen)
                text = refusals.sentence(reason) or (quote if quote != NOT_NOW else _NOT_YET)
                quotes[quote] = None
            else:
                open_to = [*map(seen, reason.why.values)]
                numbers = self._numbers(place, reason.why, open_to)
                veiled = [at for at, known in enumerate(open_to) if not known]
                text, declared = sentence(self._labels.say(reason.why, numbers, veiled)), True
                quotes[text] = None
            texts[text] = None
            rule = where if len(reasons) == 1 else rule
        for lines, vague in ((texts, _NOT_YET), (quotes, NOT_NOW)):
            if len(lines) > 1:
                lines.pop(vague, None)
        return Reason(" ".join(texts), rule, declared=declared, quoted=" ".join(quotes))

    def _alternatives(self, place: Position, part: ty.Value, rule: Span) -> Iterator[ty.Value]:
        """Yield the failing parts of which any one would do, or the part itself."""
        for way in _ways(part):
            later = _later(self._program, place, way, way.span if way.span.line else rule)
            yield from (way,) if later is None else _ways(later)

    def _quoted(
        self, place: Position, part: ty.Value, rule: Span, seen: Callable[[ty.Value], bool]
    ) -> str:
        """Describe a failing part that has no text: quote its rule, with its bounds as numbers."""
        world, names = self._program.world, self._names_in(place, part, seen)
        if isinstance(part, ty.MemberOf):
            domain = part.domain
            if isinstance(domain, ty.NumberRange) and seen(domain.low) and seen(domain.high):
                low, high = place.number(domain.low), place.number(domain.high)
                return f"It is not a number from {low} to {high}."
            return condition_text(world, rule, NOT_IN, names)
        if isinstance(part, ty.HasEffect):
            return "It has no effect here."
        if not isinstance(part, ty.Comparison) or not seen(part.right):
            return condition_text(world, rule, "It needs:", names)
        least = place.number(part.right)
        text = condition_text(world, rule, "It needs:", names, least if part.op == ">=" else None)
        if text == NOT_NOW and part.left.type == NUMBER and seen(part.left):
            return f"It needs {SIGNS[part.op]} {least}, not {place.number(part.left)}."
        return text

    def _names_in(
        self, place: Position, part: ty.Value, is_open: Callable[[ty.Value], bool]
    ) -> dict[str, str]:
        """Return words for the locals in a condition: what they hold, or `the` and the kind."""
        free, names = unbound(part), dict[str, str]()
        for local in (node for node in ty.walk(part) if isinstance(node, ty.Local)):
            name, family = re.split("[.~]", local.name)[0], local.type.family
            kind = (
                family
                if family in {"seat", "player"}
                else self._labels.world.title_of(local.type.of)
            )
            if local.name in free and is_open(local):
                names[name] = self._labels.thing(local.type, place.number(local))
            elif local.name in free or name not in {"it", local.type.of}:
                names[name] = f"the {kind}" if kind else ""
        return names

    def _numbers(self, place: Position, words: ty.MessageText, seen: list[bool]) -> list[int]:
        """Return the values in text; 0 for those that may not be disclosed."""
        found: list[int] = []
        for value, noun, open_to in zip(words.values, words.nouns, seen, strict=True):
            if open_to:
                found += place.numbers(ty.MessageText(("", ""), (value,), (noun,)))
            else:
                found += [0] * self._labels.numbers_in(value)
        return found

    def _position(self, decision: Decision, choice: int) -> Position:
        ask = decision.ask
        frame = ask.filled(decision.state.frames[-1], decision.player - 1, choice)
        return Position(self.looks, ask.proc, decision.state, frame)

    # ---------------------------------------------------------------- visibility
    def _may_know(self, ask: DecisionPoint, block: int, choice: int) -> tuple[bool, ...]:
        key = block, choice
        if key not in self._known:
            every = self._asked[block, choice]
            self._known[key] = tuple(self._sees(ask, choice, each.value) for each in every)
        return self._known[key]

    def _sees(self, ask: DecisionPoint, choice: int, value: ty.Value | None) -> bool:
        if value is None:
            return True
        me = ty.Local(ask.chooser)
        line, domain = ask.line(choice), ask.domain(choice)
        sights = Sights({me.name: OPEN})
        if line is not None:
            told = ((name, Sight(which, face, apart)) for name, which, face, apart in line.bound)
            sights = Sights({**dict.fromkeys(ask.slots, OPEN), **sights.known, **dict(told)})
        variable = ask.variable(choice)
        if domain is None or variable is None:
            return within(seat(me), self._see.face(value, sights))
        # each entity is tried in turn, so its identity reveals nothing; cells indexed by it do
        eyes = self._see.face(value, sights.also(variable, OPEN))
        if any(isinstance(each, ty.FlagCell | ty.TrackCell) for each in ty.walk(value)):
            base = domain.unfiltered
            eyes = meet(eyes, self._see.face(value, self._see.inside(base, variable, sights)))
        return eyes is ALL or within(seat(me), eyes)


def _bound(ask: DecisionPoint, choice: int) -> frozenset[str]:
    line, variable = ask.line(choice), ask.variable(choice)
    names = [] if line is None else [name for name, *_ in line.bound]
    return frozenset([ask.chooser, *names, *filter(None, [variable])])


def _known(ask: DecisionPoint, condition: ty.Value) -> frozenset[str]:
    """Return the locals that have a value at the point where a condition is evaluated.

    Variables bound inside it are excluded: a frame slot of the same name may hold a stale,
    possibly hidden value.
    """
    return frozenset(ask.slots.keys() - bound_inside(condition))
