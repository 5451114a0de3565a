"""A lesson that is played: what is said when, and which choice is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.book.filling import Filled
from rulesdsl.interpreter.game import Game, IllegalChoice
from rulesdsl.interpreter.texts import Reader
from rulesdsl.scenarios.lessons.lesson import LEARNER, Lesson
from rulesdsl.scenarios.report import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.scenarios.scenario import Pick


@attrs.frozen
class Course:
    """A lesson and the game in which it is played, from its beginning.

    All questions are asked with the number of choices that have been made since.
    """

    lesson: Lesson
    game: Game
    texts: tuple[Filled, ...] = attrs.field(repr=False)

    @property
    def name(self) -> str:
        """What the lesson is called."""
        return self.lesson.start.name

    def over(self, made: int) -> bool:
        """Whether all steps are done."""
        return made >= len(self.lesson.picks)

    def wanted(self, made: int) -> Pick | None:
        """Return what has to be chosen now, None where all steps are done."""
        return None if self.over(made) else self.lesson.picks[made][1]

    def hint(self, made: int) -> str:
        """Return what helps with the choice that is wanted now."""
        return "" if self.over(made) else self.lesson.steps[self.lesson.picks[made][0]].hint

    def said(self, made: int, game: Game) -> Iterator[str]:
        """Yield what is said before the next choice, with the values of the game as it is now."""
        picks, steps = self.lesson.picks, len(self.lesson.steps)
        before = picks[made - 1][0] + 1 if made else 0
        now = steps if self.over(made) else picks[made][0] + 1
        reader = Reader(game.setting, game.state)
        for at in range(before, now):
            yield reader.text(self.texts[at])

    def index(self, made: int, game: Game) -> tuple[int, int] | Failure | None:
        """Return player and index of the choice that is wanted, None where all steps are done."""
        pick, decision = self.wanted(made), game.decision
        if pick is None:
            return None
        if decision is None:
            return Failure(pick.span, f"the game is over before `{pick.option}` is chosen")
        ids = [option.id for option in decision.options]
        if decision.player == pick.player and pick.option in ids:
            return pick.player, ids.index(pick.option)
        said = f"player {pick.player} is not offered `{pick.option}`"
        asked = f"player {decision.player}: {decision.prompt} {', '.join(ids)}"
        return Failure(pick.span, said, (("open", asked),))

    def failures(self) -> Iterator[Failure]:
        """Play the lesson as it says; yield what cannot be done or said."""
        game = self.game.clone()
        for made, (at, _) in enumerate(self.lesson.picks):
            try:
                list(self.said(made, game))
                found = self.index(made, game)
                if isinstance(found, Failure):
                    yield found
                    return
                if found is not None:
                    game.choose(found[1], player=found[0])
            except (ArithmeticError, IllegalChoice, LookupError) as error:
                yield Failure(self.lesson.steps[at].span, f"this cannot be carried out ({error})")
                return
        list(self.said(len(self.lesson.picks), game))

    @property
    def learner(self) -> int:
        """The player who learns, from 1."""
        return LEARNER
