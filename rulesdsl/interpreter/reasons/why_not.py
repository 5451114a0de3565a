"""Why an option is not offered: the first condition that fails, as a viewer may know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.disclosure import Disclosure
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.visibility import ALL, OPEN, Sight, Sights, meet, seat, within
from rulesdsl.interpreter.reasons.asked import Condition, conditions
from rulesdsl.interpreter.reasons.failing import Position, failing
from rulesdsl.interpreter.reasons.reason import Reason
from rulesdsl.interpreter.reasons.words import condition_text
from rulesdsl.source.english import sentence

if TYPE_CHECKING:
    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.decision import Decision
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.reasons.reason import Action
    from rulesdsl.interpreter.setting import Setting


class WhyNot:
    """Finds reasons in the games of one setting."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._labels = setting.labels
        self._program = setting.labels.program
        self._looks = setting.looks
        self._see = Disclosure(self._program)
        self._asked: dict[tuple[int, int], tuple[Condition, ...]] = {}
        self._known: dict[tuple[int, int], tuple[bool, ...]] = {}

    def reason(self, game: Game, action: Action, viewer: int | None) -> Reason:
        """Return why an action is not offered; without a viewer, whatever is hidden."""
        open_now = game.decisions
        if not open_now:
            return Reason("The game is over.", action.rule)
        ask = self._setting.engine.asks[action.asked_in]
        mine = [each for each in open_now if viewer in (None, each.player)]
        if not mine:
            names = " and ".join(game.seats[each.player - 1] for each in open_now)
            return Reason(f"It is {names} who decides now.", action.rule)
        decision = mine[0]
        if decision.ask is not ask:
            asked = f"What is asked now is “{decision.prompt}”."
            there = f" This is a choice of “{action.question}”." if action.question else ""
            return Reason(asked + there, action.rule)
        if any(each in decision.raw for each in action.raw):
            return Reason("It is offered now.", action.rule, offered=True)
        return self._closest(game, decision, action, viewer)

    def conditions(self, action: Action, choice: int) -> tuple[Condition, ...]:
        """Return the conditions of one of the choices that an action stands for."""
        key = action.asked_in, choice
        if key not in self._asked:
            ask = self._setting.engine.asks[action.asked_in]
            self._asked[key] = conditions(self._program, ask, choice)
        return self._asked[key]

    # ---------------------------------------------------------------- the first that fails
    def _closest(
        self, game: Game, decision: Decision, action: Action, viewer: int | None
    ) -> Reason:
        """Return why the one fails that fulfils most of what it needs."""
        best: tuple[int, int] | None = None
        for choice in action.raw:
            at = self._fails_at(game, decision, action, choice, viewer)
            if at is not None and (best is None or at > best[0]):
                best = at, choice
        if best is None:
            return Reason("That depends on what you do not see.", action.rule)
        at, choice = best
        return self._told(game, decision, action, choice, at, viewer)

    def _fails_at(
        self, game: Game, decision: Decision, action: Action, choice: int, viewer: int | None
    ) -> int | None:
        """Return which condition of a choice fails first, of those that the viewer knows."""
        place = self._position(game, decision, choice)
        asked = self.conditions(action, choice)
        known = self._may_know(decision.ask, action.asked_in, choice)
        for at, each in enumerate(asked):
            if (viewer is None or known[at]) and not self._holds(place, decision, each, choice):
                return at
        return None

    def _holds(
        self, place: Position, decision: Decision, condition: Condition, choice: int
    ) -> bool:
        if condition.value is None:
            return choice not in place.frame[decision.ask.slot]
        return bool(place.number(condition.value))

    def _told(
        self,
        game: Game,
        decision: Decision,
        action: Action,
        choice: int,
        at: int,
        viewer: int | None,
    ) -> Reason:
        found = self.conditions(action, choice)[at]
        if found.value is None:
            text = "It can be done only once, and it has been done."
            return Reason(text, found.rule, condition=at, choice=choice)
        place = self._position(game, decision, choice)
        part, rule = failing(self._program, self._labels.layout, place, found.value, found.rule)
        told = part.parts if isinstance(part, ty.Or) and part.why is None else (part,)
        known, bound = _known(decision.ask, found.value), _bound(decision.ask, choice)
        every = dict[str, None]()
        for each in told:
            if each.why is None:
                quoted = each.span if each.span.line else rule
                every[condition_text(self._program.world, quoted)] = None
            else:
                seen = self._seen(decision.ask, choice, each.why, known & bound, viewer)
                numbers = self._numbers(place, each.why, seen)
                veiled = [at for at, open_to in enumerate(seen) if not open_to]
                every[sentence(self._labels.say(each.why, numbers, veiled))] = None
        declared = any(each.why is not None for each in told)
        return Reason(" ".join(every), rule, declared=declared, condition=at, choice=choice)

    def _seen(
        self, ask: Ask, choice: int, words: ty.Words, known: frozenset[str], viewer: int | None
    ) -> list[bool]:
        """Return which values of a text there are, and whoever is asked knows."""
        found = []
        for value in words.values:
            used = {each.name for each in ty.walk(value) if isinstance(each, ty.Local)}
            bound = {name for each in ty.walk(value) for name in FACTS[type(each)].within(each)}
            there = used - bound <= known
            found.append(there and (viewer is None or self._sees(ask, choice, value)))
        return found

    def _numbers(self, place: Position, words: ty.Words, seen: list[bool]) -> list[int]:
        """Return the values of a text, anything for those that are not told."""
        found: list[int] = []
        for value, noun, open_to in zip(words.values, words.nouns, seen, strict=True):
            if open_to:
                found += place.numbers(ty.Words(("", ""), (value,), (noun,)))
            else:
                wide = len(self._labels.world.bundle_nouns)
                found += [0] * (wide if value.type.family == "bundle" else 1)
        return found

    def _position(self, game: Game, decision: Decision, choice: int) -> Position:
        ask = decision.ask
        frame = ask.filled(game.state.frames[-1], decision.player - 1, choice)
        return Position(self._looks, ask.proc, game.state, frame)

    # ---------------------------------------------------------------- who may know
    def _may_know(self, ask: Ask, block: int, choice: int) -> tuple[bool, ...]:
        """Return of each condition whether the one who is asked knows all that it is about."""
        key = block, choice
        if key not in self._known:
            every = self._asked[block, choice]
            self._known[key] = tuple(self._sees(ask, choice, each.value) for each in every)
        return self._known[key]

    def _sees(self, ask: Ask, choice: int, value: ty.Value | None) -> bool:
        if value is None:
            return True
        me = ty.Local(ask.chooser)
        line, domain = ask.line(choice), ask.domain(choice)
        sights = Sights({me.name: OPEN})
        if line is not None:
            told = ((name, Sight(which, face)) for name, which, face in line.bound)
            sights = Sights({**dict.fromkeys(ask.slots, OPEN), **sights.known, **dict(told)})
        variable = ask.variable(choice)
        if domain is None or variable is None:
            return within(seat(me), self._see.face(value, sights))
        # every thing is looked at in turn, so which one it is tells nothing: what is marked does
        eyes = self._see.face(value, sights.also(variable, OPEN))
        if any(isinstance(each, ty.FlagCell | ty.TrackCell) for each in ty.walk(value)):
            base = domain.unfiltered
            eyes = meet(eyes, self._see.face(value, self._see.inside(base, variable, sights)))
        return eyes is ALL or within(seat(me), eyes)


def _bound(ask: Ask, choice: int) -> frozenset[str]:
    """Return the locals that are bound where an option is offered, its own thing among them."""
    line, variable = ask.line(choice), ask.variable(choice)
    names = [] if line is None else [name for name, *_ in line.bound]
    return frozenset([ask.chooser, *names, *filter(None, [variable])])


def _known(ask: Ask, condition: ty.Value) -> frozenset[str]:
    """Return the locals that have a value where a condition is asked.

    Those that it binds itself stand for any thing: what the frame holds under their names is left
    from something else, and may be hidden.
    """
    bound = {name for each in ty.walk(condition) for name in FACTS[type(each)].within(each)}
    return frozenset(ask.slots.keys() - bound)
