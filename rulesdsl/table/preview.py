"""Previews of choices: costs, gains and the next question, as far as the player may know."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

import attrs

from rulesdsl.interpreter.decision_points import STOP
from rulesdsl.interpreter.decisions import Decision
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.log import StoryLine

PREVIEWED = 12  # house: options of a question, each of which may take 10 ms to preview
NOTHING = "nothing now"
"""Preview of a choice whose verb does and offers nothing."""

_COSTS = re.compile(r"^\(([^()]*)\)")  # as after the words of an act
_YES_OR_NO = {"yes", "no"}  # ids of the options of an offer


@attrs.frozen
class Preview:
    """Costs and gains of a choice in words, and the options of the question that follows.

    What a verb that previews the choice offers is a part of the outcome.
    A question whose answers are yes and no stands for itself. All are empty if the choice shows
    anybody something hidden or random.
    """

    outcome: str = ""
    next_options: tuple[str, ...] = ()
    next_question: str = ""


def preview(game: Game, decision: Decision, index: int) -> Preview:
    """Return the preview of an option of an open question, which is tried on a copy.

    It ends with the part of the game, or where another player comes in. Where the content names a
    verb that previews the choice, that is what is tried; otherwise it is the choice itself, and
    answers to sealed questions have no preview.
    """
    player = decision.player
    trial = game.previewed(index, player)
    if trial is not None:
        lines = _own_lines(trial.story(player, game.log_length), player)
        parts = [_outcome(game, lines, player, spoken=True), *_foreseen(trial, player)]
        return Preview(" / ".join(filter(None, parts)) or NOTHING)
    if decision.sealed:
        return Preview()
    trial = game.tried(index, player)
    if trial is None:
        return Preview()
    story = trial.story(player, game.log_length)
    lines = _own_lines(story, player)
    outcome = _outcome(game, lines, player)
    follower = trial.decision if len(lines) == len(story) else None
    if follower is None or follower.player != player or follower.number == decision.number:
        return Preview(outcome)
    if {option.id for option in follower.options} <= _YES_OR_NO:
        return Preview(outcome, next_question=follower.prompt)
    return Preview(outcome, tuple(option.label for option in follower.options))


def _own_lines(story: Sequence[StoryLine], player: int) -> list[StoryLine]:
    """Return the lines about a player or nobody before those of others and of the next part."""
    return [*takewhile(lambda line: line.level == "line" and line.actor in {0, player}, story)]


def _outcome(game: Game, lines: Sequence[StoryLine], player: int, *, spoken: bool = False) -> str:
    """Return the costs and gains in lines; with `spoken`, the sentences of the rules as well."""
    name = game.seats[player - 1]
    results: list[str] = []
    for line in lines:
        balance = line.balance.removeprefix(": ").removeprefix(f"{name} ").strip()
        balance = _COSTS.sub(r"pays \1", balance)
        is_sentence = line.nature == "effect" and not line.text.startswith(name)
        results.append(balance or (line.text if spoken and is_sentence else ""))
    return (". " if spoken else "; ").join(filter(None, results))


def _foreseen(trial: Game, player: int) -> tuple[str, ...]:
    """Return what can be chosen at a player's next question, with what comes of it at once."""
    decision = trial.decision
    if decision is None or decision.player != player:
        return ()
    return tuple(
        option.label + (f" ({outcome})" if outcome else "")
        for index, option in enumerate(decision.options)
        if decision.raw[index] != STOP
        for outcome in [preview(trial, decision, index).outcome]
    )


def previews(game: Game, decision: Decision) -> tuple[Preview, ...]:
    """Return the previews of all options; what all of them lead to is left out."""
    each_one = tuple(preview(game, decision, index) for index in range(decision.count))
    if len({(one.next_options, one.next_question) for one in each_one}) > 1:
        return each_one
    return tuple(Preview(one.outcome) for one in each_one)
