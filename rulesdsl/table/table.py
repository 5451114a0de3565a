"""Game table: a game with its seats, bots, journal and undo history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from rulesdsl.interpreter.decisions import Decision
from rulesdsl.interpreter.display.results import outcome_lines
from rulesdsl.interpreter.game import Game
from rulesdsl.source.english import sentence
from rulesdsl.table.journal import By, JournalChoice, JournalWriter
from rulesdsl.table.points import Move, PointHistory, history
from rulesdsl.table.seating import BotChoice, Seating, seed_of_choice
from rulesdsl.table.undo import NotUndone, PastChoice, obstacle

if TYPE_CHECKING:
    from rulesdsl.bots.strong import Strong

Estimates: TypeAlias = Sequence[tuple[int, float]]
"""Indices of options with their estimated values, from 0 (lost) to 1; the best come first."""


class GameTable:
    """Game in progress, without input or output.

    `step` counts the choices made so far, except those undone.
    """

    def __init__(
        self,
        game: Game,
        seating: Seating,
        journal: JournalWriter | None,
        bots: BotChoice,
        *,
        bots_think: bool = False,
        adviser: Callable[[], Strong] | None = None,
    ) -> None:
        self.game = game
        self._bots = bots
        self._bots_think = bots_think
        self._adviser = adviser  # called only for the first hint, since it is slow
        self.seating = seating
        self.journal = journal
        self.step = 0
        self._begun = game.clone()
        self._moves: list[Move] = []
        self._past: list[PastChoice] = []  # of people, since somebody last learned something
        self._learned = game.learned  # at the beginning of the undo history

    def choose(self, decision: Decision, index: int) -> None:
        """Make a person's choice and record it; raise `ValueError` if it is not possible."""
        self._choose(decision, index, By.PERSON)

    @property
    def thinks(self) -> bool:
        """True if a bot that searches is to move."""
        return self._bots_think and self._is_for_bot(self.game.decision)

    def _is_for_bot(self, decision: Decision | None) -> bool:
        return decision is not None and self.seating.is_bot(decision.player)

    def hint(self, decision: Decision) -> Estimates | None:
        """Return a bot's estimates of the options; None if it has none here."""
        if self._adviser is None:
            return None
        seed = seed_of_choice(self.game.seed, decision.player, self.step)
        return self._adviser().estimates(self.game, decision.player, seed) or None

    def let_a_bot_choose(self) -> bool:
        """Make the next choice if a bot is to move; return False otherwise."""
        chosen, decision = self._bots(self.game, self.step), self.game.decision
        if chosen is None or decision is None:
            return False
        self._choose(decision, chosen, By.BOT)
        return True

    def repeat(self, choice: JournalChoice) -> None:
        """Repeat a choice from a journal without recording it; raise `ValueError` if it fails."""
        asked = {decision.player: decision for decision in self.game.decisions}
        decision = asked.get(choice.player)
        at = None if decision is None else decision.index_of(choice.id)
        if decision is None or at is None:
            self.game.choose(choice.id, player=choice.player)  # reports the fault
            return
        self._choose(decision, at, choice.by, record=False)

    def undo(self, typist: int, owner: str = "") -> None:
        """Undo the last choice by a person, and the bots' choices after it.

        The player `typist` is at the keyboard. With `owner`, a name or number, undo that player's
        last choice; only this takes back a secret choice of somebody else. If the last choice is
        one, undo the typist's own answer before it. What others have answered to the same sealed
        question remains. Raise `NotUndone` if there is no such choice, or if it is final.
        """
        at = self._last_of(self._named(owner), typist)
        if not owner and self._past[at].secret and self._past[at].player != typist:
            at = self._own_before(at, typist)
        past, later = self._past[at], self._past[at + 1 :]
        if reason := obstacle(past.game, past.player, past.option, self.seating.people):
            raise NotUndone(f"That cannot be taken back: {reason}.")
        self._go_back_to(past, at)
        for choice in later:
            self._choose(self._asked(choice.player), choice.option, By.PERSON)

    def can_undo_the_end(self) -> bool:
        """Return whether the answers of bots that ended the game can be undone.

        Where something is hidden, options that bots could answer with the end are final. An end
        that was read from a journal stays.
        """
        if not self._past or not self.game.perfect_information:
            return False
        past, read = self._past[-1], self.journal is not None and self.journal.ended
        return not read and not obstacle(past.game, past.player, past.option, self.seating.people)

    def _named(self, owner: str) -> int | None:
        for number, seat in enumerate(self.game.seats, start=1):
            if owner.casefold() in {str(number), seat.casefold()}:
                return number
        if owner:
            raise NotUndone(f"There is no player `{owner}`.")
        return None

    def _last_of(self, owner: int | None, typist: int) -> int:
        """Return the index of a player's last choice (None: anybody's) that is not yet final."""
        owners = [choice.player for choice in self._past if owner in {None, choice.player}]
        if not owners:
            raise NotUndone(self._none_left(owner, typist))
        at = max(at for at, choice in enumerate(self._past) if choice.player == owners[-1])
        later = self._past[at + 1 :]
        if later and not all(choice.sealed for choice in self._past[at:]):
            raise NotUndone("That cannot be taken back: somebody else has chosen since.")
        return at

    def _own_before(self, at: int, typist: int) -> int:
        """Return the index of a player's own answer before somebody else's secret choice."""
        try:
            return self._last_of(typist, typist)
        except NotUndone:
            name = self.game.seats[self._past[at].player - 1]
            reason = f"{name} chose in secret: only `undo {name}` takes that back."
            raise NotUndone(reason) from None

    def _none_left(self, owner: int | None, typist: int) -> str:
        chosen = {player for player, _ in self._moves if not self.seating.is_bot(player)}
        if not chosen or owner not in {None, *chosen}:
            return "There is nothing to take back."
        problem = "That cannot be taken back: somebody has learned something since."
        learned = [line for line in self.game.log if line.learned == self.game.learned]
        text = learned[0].seen_text(typist) if learned else ""
        return f"{problem} What was learned: {sentence(text)}" if text else problem

    def history(self, most: int) -> PointHistory:
        """Sample all players' points over the game, which must have ended."""
        return history(self._begun, self._moves, most)

    def close(self) -> None:
        """Close the journal; if the game is over, record the outcome first."""
        if self.journal:
            if self.game.result:
                self.journal.end(" ".join(outcome_lines(self.game.result)))
            self.journal.close()

    def final_options(self, decision: Decision) -> tuple[bool, ...]:
        """Return a flag for each option: True if it cannot be undone (see `obstacle`)."""
        return tuple(
            bool(obstacle(self.game, decision.player, option, self.seating.people))
            for option in range(decision.count)
        )

    def _choose(self, decision: Decision, index: int, by: By, *, record: bool = True) -> None:
        choice = None
        if self.journal and record:  # before the choice, since the options are gone afterwards
            choice = JournalChoice(decision.player, decision.options[index].id, by)
        if by is By.PERSON:
            secret = decision.is_secret(index)
            past = self.game.clone(), self.step, decision.player, index, decision.sealed, secret
            self._past.append(PastChoice(*past))
        self.game.choose(index, player=decision.player)
        self._moves.append((decision.player, index))
        self.step += 1
        if self.journal and choice:
            self.journal.choice(choice)
        if self.game.learned != self._learned:
            self._past.clear()
            self._learned = self.game.learned

    def _asked(self, player: int) -> Decision:
        return next(decision for decision in self.game.decisions if decision.player == player)

    def _go_back_to(self, past: PastChoice, at: int) -> None:
        """Go back to a position, and forget the choices that its undoing made final."""
        answered = {player for player, _ in self._moves[past.step :]}
        if self.journal:
            self.journal.undo(self.step - past.step)
        self.game, self.step = past.game, past.step
        del self._moves[self.step :]
        del self._past[at:]
        for earlier, choice in reversed([*enumerate(self._past)]):
            others = answered - {choice.player}
            if any(self.game.knows_more(other, choice.player) for other in others):
                del self._past[: earlier + 1]
                break
