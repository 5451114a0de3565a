"""Previews of choices: costs, gains and the next question, as far as the player may know."""

from __future__ import annotations

from itertools import takewhile

import attrs

from rulesdsl.interpreter.decisions import Decision
from rulesdsl.interpreter.game import Game

_YES_OR_NO = {"yes", "no"}  # ids of the options of an offer


@attrs.frozen
class Preview:
    """Costs and gains of a choice in words, and the options of the question that follows.

    A question whose answers are yes and no stands for itself. All are empty if the choice shows
    anybody something hidden or random.
    """

    outcome: str = ""
    next_options: tuple[str, ...] = ()
    next_question: str = ""


def preview(game: Game, decision: Decision, index: int) -> Preview:
    """Return the preview of an option of an open question, which is tried on a copy.

    It ends with the part of the game, or where another player comes in. Answers to sealed
    questions have no preview.
    """
    if decision.sealed:
        return Preview()
    trial, player = game.clone(), decision.player
    trial.choose(index, player=player)
    if trial.learned != game.learned:
        return Preview()
    lines = trial.story(player, game.log_length)
    own_lines = [
        *takewhile(lambda line: line.level == "line" and line.actor in {0, player}, lines)
    ]
    name = game.seats[player - 1]
    results = (
        line.balance.removeprefix(": ").removeprefix(f"{name} ").strip() for line in own_lines
    )
    outcome = "; ".join(filter(None, results))
    follower = trial.decision if len(own_lines) == len(lines) else None
    if follower is None or follower.player != player or follower.number == decision.number:
        return Preview(outcome)
    if {option.id for option in follower.options} <= _YES_OR_NO:
        return Preview(outcome, next_question=follower.prompt)
    return Preview(outcome, tuple(option.label for option in follower.options))


def previews(game: Game, decision: Decision) -> tuple[Preview, ...]:
    """Return the previews of all options; what all of them lead to is left out."""
    each_one = tuple(preview(game, decision, index) for index in range(decision.count))
    if len({(one.next_options, one.next_question) for one in each_one}) > 1:
        return each_one
    return tuple(Preview(one.outcome) for one in each_one)
