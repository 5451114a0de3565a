"""Game table: a game with its seats, bots, journal and undo history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from rulesdsl.bots.kinds import KINDS, check_kinds
from rulesdsl.interpreter.arguments import name_key
from rulesdsl.interpreter.decisions import Decision
from rulesdsl.interpreter.display.results import outcome_lines
from rulesdsl.interpreter.game import Game
from rulesdsl.table.journal import By, JournalChoice, JournalWriter
from rulesdsl.table.points import Move, PointHistory, history
from rulesdsl.table.seating import BotMaker, Script, Seating, name_in_seat, seed_of_choice
from rulesdsl.table.undo import NotUndone, PastChoice, Undone, obstacle

if TYPE_CHECKING:
    from rulesdsl.bots.strong import Strong

Estimates: TypeAlias = Sequence[tuple[int, float]]
"""Indices of options with their estimated values, from 0 (lost) to 1; the best come first.

Where others choose at the same time, the values are shares of a mixed strategy."""


class GameTable:
    """Game in progress, without input or output.

    `step` counts the choices made so far, except those undone. `position` numbers the positions:
    it grows with each choice, undo, and new seat or name, so that a late answer can be told.
    """

    def __init__(
        self,
        game: Game,
        seating: Seating,
        journal: JournalWriter | None,
        bots: BotMaker,
        *,
        script: Script | None = None,
        adviser: Callable[[], Strong] | None = None,
    ) -> None:
        """Seat people and bots at a game; a script makes all choices that it knows for bots."""
        self.game = game
        self._bots = bots
        self.script = script
        self._adviser = cache(adviser) if adviser else None  # slow: called for the first hint
        self.seating = seating
        self.journal = journal
        self.step = 0
        self.position = 0
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
        decision = self.game.decision
        kind = KINDS.get(self.seating.kinds[decision.player - 1]) if decision else None
        return kind is not None and kind.thinks and self.script is None

    def hint(self, decision: Decision) -> Estimates | None:
        """Return a bot's estimates of the options; None if it has none here."""
        if self._adviser is None:
            return None
        seed = seed_of_choice(self.game.seed, decision.player, self.step)
        return self._adviser().estimates(self.game, decision.player, seed) or None

    def let_a_bot_choose(self) -> bool:
        """Make the next choice if a bot is to move; return False otherwise."""
        decision = self.game.decision
        if decision is None or not self.seating.is_bot(decision.player):
            return False
        choice = self.script(self.game, self.step) if self.script else None
        if choice is None:
            seed = seed_of_choice(self.game.seed, decision.player, self.step)
            bot = self._bots(self.seating.kinds[decision.player - 1])
            choice = bot.choose(self.game, decision.player, seed)
        self._choose(decision, choice, By.BOT)
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

    def hand_over(self, player: int, kind: str) -> None:
        """Give a seat to a bot of a kind, or to a person if it is empty, from the next choice on.

        The name of the seat gets or loses the mark of bots. Raise `ValueError` for an unknown
        player or kind, or if a script plays; and what the maker of bots raises.
        """
        self._check(player)
        if self.script:
            raise ValueError("in a lesson no seat changes hands")
        if kind:
            check_kinds((kind,), self.seating.players)
            self._bots(kind)
        self.seating = self.seating.with_seat(player, kind)
        self.position += 1
        if self.journal:
            self.journal.seat(player, kind)
        with suppress(ValueError):  # another seat has that name: this one keeps its own
            self.rename(player, name_in_seat(self.game.seats[player - 1], is_bot=bool(kind)))

    def rename(self, player: int, name: str) -> None:
        """Give a player another name; raise `ValueError` if it is not possible."""
        self._check(player)
        names = [*self.game.seats[: self.seating.players]]
        if name == names[player - 1]:
            return
        names[player - 1] = name
        self.game.rename(names)
        for choice in self._past:
            choice.game.rename(names)
        self._begun.rename(names)
        self.position += 1
        if self.journal:
            self.journal.rename(player, self.game.seats[player - 1])

    def _check(self, player: int) -> None:
        if not 1 <= player <= self.seating.players:
            raise ValueError(f"there is no player {player}: seats are 1 to {self.seating.players}")

    def undo(self, typist: int, owner: str = "") -> Undone:
        """Undo the last choice by a person, and the bots' choices after it; return what it was.

        The player `typist` is at the keyboard. With `owner`, a name or number, undo that player's
        last choice; only this takes back a secret choice of somebody else. If the last choice is
        one, undo the typist's own answer before it. What others have answered to the same sealed
        question remains. Raise `NotUndone` if there is no such choice, or if it is final.
        """
        at = self._undone_at(typist, owner)
        past, later = self._past[at], self._past[at + 1 :]
        undone = self._undone(past)
        self._go_back_to(past, at)
        for choice in later:
            self._choose(self._asked(choice.player), choice.option, By.PERSON)
        return undone

    def undoable(self, typist: int) -> Undone | None:
        """Return what `undo` would take back for the player at the keyboard; None if nothing."""
        try:
            return self._undone(self._past[self._undone_at(typist, "")])
        except NotUndone:
            return None

    def _undone_at(self, typist: int, owner: str) -> int:
        """Return the index of the choice that `undo` takes back; raise `NotUndone` if none."""
        at = self._last_of(self._named(owner))
        if not owner and self._past[at].secret and self._past[at].player != typist:
            at = self._own_before(at, typist)
        past = self._past[at]
        if reason := obstacle(past.game, past.player, past.option, self.seating.people):
            raise NotUndone(f"That cannot be taken back: {reason}.")
        return at

    def _undone(self, past: PastChoice) -> Undone:
        later = self._moves[past.step + 1 :]
        replies = sum(self.seating.is_bot(player) for player, _ in later)
        return Undone(past.player, "" if past.secret else past.label, replies)

    def can_undo_the_end(self) -> bool:
        """Return whether the answers of bots that ended the game can be undone.

        Where something is hidden, options that bots could answer with the end are final. An end
        that was read from a journal stays.
        """
        if not self._past or not self.game.perfect_information:
            return False
        past, read = self._past[-1], self.journal is not None and self.journal.ended
        return not read and not obstacle(past.game, past.player, past.option, self.seating.people)

    def seat_of(self, text: str) -> int | None:
        """Return the player with this name or number; None if there is none."""
        for number, name in enumerate(self.game.seats[: self.seating.players], start=1):
            if name_key(text) in {str(number), name_key(name)}:
                return number
        return None

    def _named(self, owner: str) -> int | None:
        player = self.seat_of(owner)
        if owner and player is None:
            raise NotUndone(f"There is no player `{owner}`.")
        return player

    def _last_of(self, owner: int | None) -> int:
        """Return the index of a player's last choice (None: anybody's) that is not yet final."""
        owners = [choice.player for choice in self._past if owner in {None, choice.player}]
        if not owners:
            raise NotUndone(self._none_left(owner))
        at = max(at for at, choice in enumerate(self._past) if choice.player == owners[-1])
        later = self._past[at + 1 :]
        if later and not all(choice.sealed for choice in self._past[at:]):
            raise NotUndone("That cannot be taken back: somebody else has chosen since.")
        return at

    def _own_before(self, at: int, typist: int) -> int:
        """Return the index of a player's own answer before somebody else's secret choice."""
        try:
            return self._last_of(typist)
        except NotUndone:
            name = self.game.seats[self._past[at].player - 1]
            reason = f"{name} chose in secret: only `undo {name}` takes that back."
            raise NotUndone(reason) from None

    def _none_left(self, owner: int | None) -> str:
        chosen = {player for player, _ in self._moves if not self.seating.is_bot(player)}
        if not chosen or owner not in {None, *chosen}:
            return "There is nothing to take back."
        return "That cannot be taken back: somebody has learned something since."

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
            label = decision.options[index].label
            past = PastChoice(
                *(self.game.clone(), self.step, decision.player, index, label),
                sealed=decision.sealed,
                secret=secret,
            )
            self._past.append(past)
        self.game.choose(index, player=decision.player)
        self._moves.append((decision.player, index))
        self.step += 1
        self.position += 1
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
        self.position += 1
        del self._moves[self.step :]
        del self._past[at:]
        for earlier, choice in reversed([*enumerate(self._past)]):
            others = answered - {choice.player}
            if any(self.game.knows_more(other, choice.player) for other in others):
                del self._past[: earlier + 1]
                break
