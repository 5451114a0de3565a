"""The table: a game, its seats and bots, its journal, and the undo history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import TYPE_CHECKING, TypeAlias

import attrs

from coloma.journal import By, JournalChoice, JournalWriter
from coloma.output import USAGE, CommandError
from coloma.session.score_view import Move, PointHistory, history, outcome_lines
from rulesdsl import Decision, Game
from rulesdsl.bots.bot import Bot, ByWeight, all_alike

if TYPE_CHECKING:
    from rulesdsl import Decision
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
    """Number of players, and number of bots among them, in the last seats."""

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
    """Return the names of the players, empty for a person without a given name.

    Bots get names that no person has, with a mark. Raise `CommandError` if there are more names
    than people.
    """
    people = len(seating.people)
    if len(given) > people:
        some = {0: "no people", 1: "1 person"}.get(people, f"{people} people")
        raise CommandError(
            f"--name is given {len(given)} times, for {some}: bots have names of their own", USAGE
        )
    taken = {each.strip().casefold() for each in given}
    bots = (each for each in _names_of_bots() if each.casefold() not in taken)
    unnamed = [""] * (people - len(given))
    return [*given, *unnamed, *(f"{each} (bot)" for each in islice(bots, seating.bots))]


def _names_of_bots() -> Iterator[str]:
    yield from _BOTS
    for number in count(2):
        yield from (f"{each} {number}" for each in _BOTS)


def seed_of_choice(seed: int, player: int, step: int) -> int:
    """Return a deterministic seed for a bot's choice.

    It depends on the game's seed, the bot's seat and the number of choices made, so that a resumed
    game continues as it would have, and undoing a choice changes no bot's decision.
    """
    return _mix(_mix(_mix(seed & _MASK) + player) + step)


def choices_of(bots: Mapping[int, Bot]) -> Callable[[Game, Seating, int], tuple[int, int] | None]:
    """Return a function that gives the asked bot and its choice, None for a person."""

    def choice(game: Game, _: Seating, step: int) -> tuple[int, int] | None:
        decision = game.decision
        if decision is None or decision.player not in bots:
            return None
        seed = seed_of_choice(game.seed, decision.player, step)
        return decision.player, bots[decision.player].choose(game, decision.player, seed)

    return choice


def bot_choice(game: Game, seating: Seating, step: int) -> tuple[int, int] | None:
    """Return the asked bot and its choice if all bots are random, None for a person."""
    every = dict.fromkeys(range(1, seating.players + 1), ByWeight(all_alike))
    of_bots = {player: bot for player, bot in every.items() if seating.is_bot(player)}
    return choices_of(of_bots)(game, seating, step)


def _mix(value: int) -> int:
    value = (value + _GOLDEN) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


_MOST_LISTED = 4
_BETTER = ((0.1, "clearly better than"), (0.03, "a little better than"))  # house
_AS_GOOD = "about as good as"

Estimates: TypeAlias = Sequence[tuple[int, float]]
"""Options by index with their estimated value, best first: from 0 (lost) to 1."""


@attrs.define
class Adviser:
    """Source of hints; creates its bot on first use."""

    _make: Callable[[], Strong]
    _bot: Strong | None = None

    def hint(self, game: Game, player: int, step: int) -> Estimates:
        """Return estimates for the asked player, deterministic for a given `step`."""
        if self._bot is None:
            self._bot = self._make()
        return self._bot.estimates(game, player, seed_of_choice(game.seed, player, step))


def hint_lines(decision: Decision, found: Estimates) -> list[str]:
    """Describe a hint: the best option, and its lead over the next."""
    options = decision.options
    if len(options) == 1:
        return ["Hint: there is only one choice."]

    def named(index: int) -> str:
        return f"{index + 1}, {options[index].label}"

    best, *others = found
    said = f"Hint: {named(best[0])}."
    if others:
        said += f" It is {_how_much(best[1] - others[0][1])} {named(others[0][0])}."
    listed = ", ".join(f"{at + 1}: {round(100 * each)}" for at, each in found[:_MOST_LISTED])
    return [said, f"Estimates, from 0 (lost) to 100 (a clear win): {listed}"]


def _how_much(by: float) -> str:
    return next((words for least, words in _BETTER if by >= least), _AS_GOOD)


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
        """Make a person's choice and record it; raise `ValueError` if it is not possible."""
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

        Return False if there is no such choice, or if a player has learned something since.
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
