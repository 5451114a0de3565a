"""The table: a game, its journal, its bots, and the undo history."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs

from coloma.journal import By, JournalChoice, JournalWriter
from coloma.session.score_view import Move, PointHistory, history, outcome_lines
from coloma.session.seating import Adviser, Estimates, Seating, bot_choice
from rulesdsl import Decision, Game

Bots: TypeAlias = Callable[[Game, Seating, int], tuple[int, int] | None]
"""Function that gives a bot's choice at a step: the player and the index; None for a person."""


@attrs.frozen
class _Moment:
    """The game just before a person's choice, and the number of choices made."""

    game: Game
    step: int


class GameTable:
    """A game in progress, without input or output.

    `step` counts the choices made so far, without those undone.
    """

    def __init__(
        self,
        game: Game,
        seating: Seating,
        journal: JournalWriter | None,
        bots: Bots = bot_choice,
        *,
        bots_think: bool = False,
        adviser: Adviser | None = None,
    ) -> None:
        self.game = game
        self._bots = bots
        self._bots_think = bots_think
        self._adviser = adviser
        self.seating = seating
        self.journal = journal
        self.step = 0
        self._begun = game.clone()
        self._moves: list[Move] = []
        self._way_back: list[_Moment] = []
        self._shut_at = game.learned

    def choose(self, decision: Decision, index: int) -> None:
        """Make a person's choice and record it; `ValueError` if it is not possible."""
        moment = _Moment(self.game.clone(), self.step)
        self._choose(decision, index, By.PERSON)
        self._way_back.append(moment)
        self._shut_where_learned()

    @property
    def thinks(self) -> bool:
        """True if the next choice is a searching bot's."""
        asked = self.game.decision
        return self._bots_think and asked is not None and self.seating.is_bot(asked.player)

    def hint(self, decision: Decision) -> Estimates | None:
        """Return a bot's estimates of the options; None without an adviser."""
        if self._adviser is None:
            return None
        return self._adviser.hint(self.game, decision.player, self.step)

    def let_a_bot_choose(self) -> bool:
        """Make the next choice if it is a bot's; return False otherwise."""
        chosen = self._bots(self.game, self.seating, self.step)
        decision = self.game.decision
        if chosen is None or decision is None:
            return False
        self._choose(decision, chosen[1], By.BOT)
        self._shut_where_learned()
        return True

    def repeat(self, choice: JournalChoice) -> None:
        """Make a choice of the journal again, without recording it again."""
        before = self.game.clone() if choice.by is By.PERSON else None
        self.game.choose(choice.id, player=choice.player)
        self._moves.append((choice.player, choice.id))
        if before is not None:
            self._way_back.append(_Moment(before, self.step))
        self.step += 1
        self._shut_where_learned()

    def undo(self) -> bool:
        """Undo the last choice of a person and the bots' choices after it.

        Return False if there is none, or if a player has learned something since.
        """
        if not self._way_back:
            return False
        moment = self._way_back.pop()
        if self.journal:
            self.journal.undo(self.step - moment.step)
        self.game, self.step = moment.game, moment.step
        del self._moves[self.step :]
        return True

    def history(self, most: int) -> PointHistory:
        """Sample the points of all players over the game, once it is over."""
        return history(self._begun, self._moves, most)

    def close(self) -> None:
        """Close the journal, with the outcome if the game is over."""
        if self.journal:
            if self.game.result:
                self.journal.end(" ".join(outcome_lines(self.game.result)))
            self.journal.close()

    def final_options(self, decision: Decision) -> tuple[bool, ...]:
        """Return, for each option, True if it cannot be undone.

        Each option is tried on a copy until a person is asked or a player learns something. Up to
        then, the course depends on nothing hidden except the options offered to a bot: an option
        counts as final at that point, so that the remark reveals nothing. It also counts as final
        where a searching bot would have to choose.
        """
        return tuple(self._is_final(decision, index) for index in range(decision.count))

    def _is_final(self, decision: Decision, index: int) -> bool:
        trial, step = self.game.clone(), self.step + 1
        trial.choose(index, player=decision.player)
        while trial.learned == self.game.learned:
            asked = trial.decision
            if self._bots_think and asked is not None and self.seating.is_bot(asked.player):
                return True
            chosen = self._bots(trial, self.seating, step)
            if chosen is None:
                return asked is None
            if asked is not None and asked.hidden:
                return True
            player, taken = chosen
            trial.choose(taken, player=player)
            step += 1
        return True

    def _choose(self, decision: Decision, index: int, by: By) -> None:
        choice = None
        if self.journal:  # before the choice, because afterwards the option may be gone
            choice = JournalChoice(decision.player, decision.options[index].id, by)
        self.game.choose(index, player=decision.player)
        self._moves.append((decision.player, index))
        self.step += 1
        if self.journal and choice:
            self.journal.choice(choice)

    def _shut_where_learned(self) -> None:
        if self.game.learned != self._shut_at:
            self._way_back.clear()
            self._shut_at = self.game.learned
