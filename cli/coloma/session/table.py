"""The table: the game, its journal, the bots, and how far the way back is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs

from coloma.journal.entries import By, Choice
from coloma.journal.writing import JournalWriter
from coloma.session.hints import Adviser, Estimates
from coloma.session.history import History, Move, history
from coloma.session.scoring_view import outcome_lines
from coloma.session.seating import Seating, bot_choice
from rulesdsl import Decision, Game

Bots: TypeAlias = Callable[[Game, Seating, int], tuple[int, int] | None]
"""Which player's turn it is and the index to take after so many choices, None for a person."""


@attrs.frozen
class _Moment:
    """The game just before a person's choice, and how many choices had been made."""

    game: Game
    step: int


class Table:
    """A game that is being played, without anything that is shown or typed.

    `step` counts the choices made so far, those that were taken back left out.
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
        """Make a person's choice, and write it down; `ValueError` if it cannot be made."""
        moment = _Moment(self.game.clone(), self.step)
        self._choose(decision, index, By.PERSON)
        self._way_back.append(moment)
        self._shut_where_learned()

    @property
    def thinks(self) -> bool:
        """Whether the next choice is a bot's, which has to think first."""
        asked = self.game.decision
        return self._bots_think and asked is not None and self.seating.is_bot(asked.player)

    def hint(self, decision: Decision) -> Estimates | None:
        """Return what a bot finds of the options of a decision; None where there is no adviser."""
        if self._adviser is None:
            return None
        return self._adviser.hint(self.game, decision.player, self.step)

    def let_a_bot_choose(self) -> bool:
        """Make the next choice if it is a bot's; false if it is not."""
        chosen = self._bots(self.game, self.seating, self.step)
        decision = self.game.decision
        if chosen is None or decision is None:
            return False
        self._choose(decision, chosen[1], By.BOT)
        self._shut_where_learned()
        return True

    def repeat(self, choice: Choice) -> None:
        """Make a choice of the journal again, without writing it down a second time."""
        before = self.game.clone() if choice.by is By.PERSON else None
        self.game.choose(choice.id, player=choice.player)
        self._moves.append((choice.player, choice.id))
        if before is not None:
            self._way_back.append(_Moment(before, self.step))
        self.step += 1
        self._shut_where_learned()

    def undo(self) -> bool:
        """Go back to before the last choice of a person; false where somebody has learned since.

        What the bots did afterwards is taken back with it.
        """
        if not self._way_back:
            return False
        moment = self._way_back.pop()
        if self.journal:
            self.journal.undo(self.step - moment.step)
        self.game, self.step = moment.game, moment.step
        del self._moves[self.step :]
        return True

    def history(self, most: int) -> History:
        """Return the points of everybody at most so many times on the way; for a game's end."""
        return history(self._begun, self._moves, most)

    def close(self) -> None:
        """Let go of the journal; that of a game that is over says so."""
        if self.journal:
            if self.game.result:
                self.journal.end(" ".join(outcome_lines(self.game.result)))
            self.journal.close()

    def final_options(self, decision: Decision) -> tuple[bool, ...]:
        """Tell for every option whether it cannot be taken back.

        Each is tried on a copy, up to the next question to a person or the first thing that
        anybody learns. What comes before that depends on nothing hidden, but what a bot is
        offered may: there, so that the remark tells nothing of it, an option counts as final.  So
        it does where a bot would have to think first.
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
        if self.journal:  # before the choice: afterwards the option may no longer be there
            choice = Choice(decision.player, decision.options[index].id, by)
        self.game.choose(index, player=decision.player)
        self._moves.append((decision.player, index))
        self.step += 1
        if self.journal and choice:
            self.journal.choice(choice)

    def _shut_where_learned(self) -> None:
        """Forget the way back beyond the last thing that somebody learned."""
        if self.game.learned != self._shut_at:
            self._way_back.clear()
            self._shut_at = self.game.learned
