"""Undo: the choices that can be taken back, and by whom."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import attrs

from rulesdsl.interpreter.game import Game

_MOST_REPLIES = 100  # house: the answers of bots to try for one option, 0.1 ms each

_LEARNED = "somebody has learned something since"
_OVER = "it ends the game"
_SHOWN = "all answers are shown now"
_REPLY = "a bot answers it at once, and may show something"


class NotUndone(ValueError):  # noqa: N818 - a refusal, not a failure
    """Choice that cannot be taken back; the message says why."""


@attrs.frozen
class PastChoice:
    """Person's choice: the position and the number of choices before it, and the option.

    A `sealed` choice answers a question to several players, which has stayed open since; only its
    owner knows a `secret` one.
    """

    game: Game
    step: int
    player: int
    option: int
    label: str
    sealed: bool = attrs.field(kw_only=True)
    secret: bool = attrs.field(kw_only=True)


@attrs.frozen
class Undone:
    """Choice that undo takes back: player, label, and the number of bots' choices after it.

    The label of a secret answer is empty.
    """

    player: int
    label: str
    replies: int


def obstacle(game: Game, player: int, option: int, people: Collection[int]) -> str:
    """Return why an option of an open question cannot be undone; empty if it can be.

    `people` are the players (numbered from 1) who are not bots. The reason depends only on what
    the player knows, so that a remark about undo tells nothing else; no bot is run. An option is
    final if it shows somebody something hidden or random, or ends the game, or if the seat that
    answers next may know something that the player does not. A secret answer is final if no other
    person has still to answer.
    """
    # Bots answer before the player can undo, so all their possible answers are followed to the
    # next question for a person, and count as if they were part of the option. They are known to
    # the player, since the bot knows nothing else. If there are too many, the option is final.
    trial = game.clone()
    trial.choose(option, player=player)
    question = game.decision
    if trial.learned == game.learned and question is not None and question.sealed:
        waiting = any(decision.player in people for decision in trial.decisions)
        return "" if waiting else _SHOWN
    return _after(trial, game, player, people, iter(range(_MOST_REPLIES)))


def _after(
    trial: Game, game: Game, player: int, people: Collection[int], replies: Iterator[int]
) -> str:
    if trial.learned != game.learned:
        return _LEARNED
    if (question := trial.decision) is None:
        return _OVER
    if question.player == player:
        return ""
    if game.knows_more(question.player, player):
        names = game.seats[question.player - 1], game.seats[player - 1]
        return "{} may know something that {} does not".format(*names)
    if question.player in people or game.perfect_information:
        return ""
    for reply in range(question.count):
        if next(replies, None) is None:
            return _REPLY
        further = trial.clone()
        further.choose(reply, player=question.player)
        if _after(further, game, player, people, replies):
            return _REPLY
    return ""
