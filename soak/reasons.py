"""Whether `why not` names the first condition that fails, at positions of random games.

The conditions of every option are taken one by one from the checked tree and computed at the
position, beside what `why not` says.  What the game itself offers is the other witness: an option
is offered exactly where all of them hold.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import attrs

import rulesdsl
from rulesdsl.check import typed as ty
from rulesdsl.check.types import YES_NO
from rulesdsl.interpreter.reasons.looks import Looks

_EVERY = 12  # one decision in so many is looked at


@attrs.define
class Found:
    """How many reasons were compared, and what was wrong."""

    positions: int = 0
    struck: int = 0
    elsewhere: int = 0
    wrong: Counter[str] = attrs.Factory(Counter)

    def told(self) -> str:
        """Say it in a few lines."""
        said = [f"{self.positions} positions, {self.struck} options of the open question not"]
        said[0] += f" offered, {self.elsewhere} of other questions"
        said += [f"{count} times: {text}" for text, count in self.wrong.most_common(10)]
        return "\n".join([*said, f"{self.wrong.total()} wrong"])


def run(pack: str, positions: int, seed: int) -> int:
    """Print what was found, and return the exit status."""
    found = compare(rulesdsl.load(Path(pack)), positions, seed)
    print(found.told())
    return 1 if found.wrong else 0


def compare(pack: rulesdsl.Pack, positions: int, seed: int) -> Found:
    """Compare every reason at so many positions of random games."""
    found, chance = Found(), random.Random(seed)
    looks: dict[int, Looks] = {}
    least, most = pack.players
    while found.positions < positions:
        game = pack.new_game(chance.randint(least, most), seed=chance.randrange(10**6), log=False)
        own = looks.setdefault(game.players, Looks(game.setting.engine))
        while (decision := game.decision) is not None and found.positions < positions:
            if chance.randrange(_EVERY) == 0:
                found.positions += 1
                for action in game.actions:
                    _compare(game, decision, action, own, found)
            game.choose(chance.randrange(decision.count), decision.player)
    return found


def _compare(
    game: rulesdsl.Game,
    decision: rulesdsl.Decision,
    action: rulesdsl.Action,
    looks: Looks,
    found: Found,
) -> None:
    reason = game.why_not(action)
    if action.asked_in != decision.number:
        found.elsewhere += 1
        if decision.prompt not in reason.text or reason.offered:
            found.wrong[f"{action.id} is of another question: {reason.text}"] += 1
        return
    offered = [each for each in action.raw if each in decision.raw]
    if bool(offered) != reason.offered:
        found.wrong[f"{action.id}: offered or not?"] += 1
    if offered:
        return
    found.struck += 1
    fails = {each: _first(game, decision, each, looks) for each in action.raw}
    if None in fails.values():
        found.wrong[f"{action.id} is not offered, but all that it needs is there"] += 1
    elif reason.choice is None or fails.get(reason.choice) is None:
        found.wrong[f"{action.id}: no condition is named: {reason.text}"] += 1
    elif not _is_first(game, decision, action, reason, fails[reason.choice], looks):
        found.wrong[f"{action.id}: not the first that fails: {reason.text}"] += 1


def _is_first(
    game: rulesdsl.Game,
    decision: rulesdsl.Decision,
    action: rulesdsl.Action,
    reason: rulesdsl.Reason,
    first: ty.Value | None,
    looks: Looks,
) -> bool:
    """Whether the condition that is named fails, none before it does, and it is the one expected.

    What the first of the tree's conditions calls has parts of its own: one of those is named then.
    """
    assert reason.choice is not None
    assert reason.condition is not None
    every = game.setting.why_not.conditions(action, reason.choice)
    ask = decision.ask
    frame = ask.filled(game.state.frames[-1], decision.player - 1, reason.choice)
    holds = [
        reason.choice not in frame[ask.slot]
        if each.value is None
        else bool(looks.number(ask.proc, each.value, game.state, frame))
        for each in every[: reason.condition + 1]
    ]
    if holds.pop() or not all(holds):
        return False
    named = every[reason.condition].value
    if named is None or first == _ONCE:
        return named is None and first == _ONCE
    called = any(isinstance(each, ty.Can | ty.LetIn) for each in ty.walk(first or ty.NO))
    return named == first or called


_ONCE = ty.Text("once")


def _first(
    game: rulesdsl.Game, decision: rulesdsl.Decision, choice: int, looks: Looks
) -> ty.Value | None:
    """Return the first condition of a choice that fails; None where all hold."""
    ask = decision.ask
    frame = ask.filled(game.state.frames[-1], decision.player - 1, choice)
    line, domain = ask.line(choice), ask.domain(choice)
    every: list[ty.Value] = []
    if domain is not None:
        every += _asked(domain, ty.Local(ask.variable(choice) or "", type=domain.element))
    if line is not None and line.once:
        every.append(_ONCE)
    if line is not None:
        every += line.guard.parts if isinstance(line.guard, ty.And) else (line.guard,)
    for each in every:
        if each == _ONCE:
            holds = choice not in frame[ask.slot]
        else:
            holds = bool(looks.number(ask.proc, each, game.state, frame))
        if not holds:
            return each
    return None


def _asked(domain: ty.Domain, thing: ty.Local) -> list[ty.Value]:
    if not isinstance(domain, ty.Filtered):
        return [ty.MemberOf(thing, domain, type=YES_NO)]
    own = ty.substitute(domain.condition, domain.variable, thing)
    return [*_asked(domain.base, thing), *(own.parts if isinstance(own, ty.And) else (own,))]
