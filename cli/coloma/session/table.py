"""Game table: a game with its seats, bots, journal and undo history."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, count, islice
from typing import TYPE_CHECKING, TypeAlias

import attrs

from coloma.journal import By, JournalChoice, JournalWriter
from coloma.output import USAGE, CommandError
from coloma.session.log_view import readable
from coloma.session.score_view import Move, PointHistory, history, outcome_lines
from coloma.session.undo import NotUndone, PastChoice, obstacle
from rulesdsl import Decision, Game
from rulesdsl.bots.bot import Bot
from rulesdsl.interpreter.arguments import name_key
from rulesdsl.source.english import ended, so_many

if TYPE_CHECKING:
    from rulesdsl.bots.strong import Strong

# house: plain first names that occur in no game
_BOTS = (
    *("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hanna"),
    *("Igor", "June", "Karl", "Lena", "Milo", "Nora", "Otto", "Pia"),
)
_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15  # the constants of the generator splitmix64


@attrs.frozen
class Seating:
    """Number of players, and the number of bots among them; these take the last seats."""

    players: int
    bots: int

    @property
    def people(self) -> range:
        """The seats of people."""
        return range(1, self.players - self.bots + 1)

    @property
    def of_bots(self) -> range:
        """The seats of bots."""
        return range(self.players - self.bots + 1, self.players + 1)

    def is_bot(self, player: int) -> bool:
        """Return True if a bot sits in this seat."""
        return player not in self.people


def seat_names(seating: Seating, given: Sequence[str]) -> list[str]:
    """Return the names of the players; people who are not named get an empty one.

    Bots get names that differ from those of the people, marked as bots. Raise `CommandError` if
    there are more names than people.
    """
    people = len(seating.people)
    if len(given) > people:
        some = so_many(people, "human player", "human players") if people else "no human player"
        names = so_many(len(given), "name", "names")
        raise CommandError(f"--name gives {names} for {some}; bots have their own", USAGE)
    taken = {name_key(name) for name in given}
    numbered = (f"{each} {number}" for number in count(2) for each in _BOTS)
    bots = (each for each in chain(_BOTS, numbered) if name_key(each) not in taken)
    unnamed = [""] * (people - len(given))
    return [*given, *unnamed, *(f"{each} (bot)" for each in islice(bots, seating.bots))]


def seed_of_choice(seed: int, player: int, step: int) -> int:
    """Return a deterministic seed for a bot's choice.

    It depends on the game's seed, the bot's seat and the number of choices made, so that a resumed
    game continues as it would have, and undoing a choice changes no bot's decision.
    """
    return _mix(_mix(_mix(seed & _MASK) + player) + step)


BotChoice: TypeAlias = Callable[[Game, int], int | None]
"""Function that returns the choice of the bot to move, by index; None if a person is to move.

The second argument is the number of choices made so far.
"""


def choices_of(bots: Mapping[int, Bot]) -> BotChoice:
    """Return a function that makes the bots' choices; `bots` maps seats to bots."""

    def choice(game: Game, step: int) -> int | None:
        decision = game.decision
        if decision is None or decision.player not in bots:
            return None
        seed = seed_of_choice(game.seed, decision.player, step)
        return bots[decision.player].choose(game, decision.player, seed)

    return choice


def _mix(value: int) -> int:
    value = (value + _GOLDEN) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


_MOST_LISTED = 4
_BETTER = ((0.1, "clearly better than"), (0.03, "a little better than"))  # house
_AS_GOOD = "about as good as"

Estimates: TypeAlias = Sequence[tuple[int, float]]
"""Indices of options with their estimated values, from 0 (lost) to 1; the best come first."""


def hint_lines(decision: Decision, found: Estimates) -> list[str]:
    """Describe a hint: the best option, and its lead over the second best."""
    options = decision.options
    if len(options) == 1:
        return ["Hint: there is only one choice."]

    def named(index: int) -> str:
        return f"{index + 1}, {options[index].label}"

    best, *others = found
    advice = f"Hint: {ended(named(best[0]))}"
    if others:
        lead = best[1] - others[0][1]
        compared = next((words for least, words in _BETTER if lead >= least), _AS_GOOD)
        advice += f" It is {compared} {ended(named(others[0][0]))}"
    listed = ", ".join(f"{at + 1}: {round(100 * each)}" for at, each in found[:_MOST_LISTED])
    return [advice, f"Estimates, from 0 (lost) to 100 (a clear win): {listed}"]


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
        last choice; only this takes back a secret choice of somebody else. What others have
        answered to the same sealed question remains. Raise `NotUndone` if there is no such choice,
        or if it is final.
        """
        at = self._last_of(self._named(owner), typist)
        past, later = self._past[at], self._past[at + 1 :]
        if not owner and past.secret and past.player != typist:
            name = self.game.seats[past.player - 1]
            raise NotUndone(f"{name} chose in secret: only `undo {name}` takes that back.")
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

    def _none_left(self, owner: int | None, typist: int) -> str:
        chosen = {player for player, _ in self._moves if not self.seating.is_bot(player)}
        if not chosen or owner not in {None, *chosen}:
            return "There is nothing to take back."
        problem = "That cannot be taken back: somebody has learned something since."
        learned = [line for line in self.game.log if line.learned == self.game.learned]
        for line in readable(learned[:1], typist):
            problem += f" What was learned: {line}"
        return problem

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
