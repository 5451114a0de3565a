"""Who leads through a lesson: says what to do, plays the others, and helps where it went wrong."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from coloma.session.screen import shown
from coloma.session.seating import Seating
from coloma.session.table import Table
from rulesdsl import Decision, Game
from rulesdsl.scenarios.lessons import Course


@attrs.frozen
class Teacher:
    """Leads through one lesson; how far it is, is how many choices have been made."""

    course: Course

    def is_done(self, made: int) -> bool:
        """Tell whether all steps are done."""
        return self.course.over(made)

    def says(self, table: Table) -> Iterator[str]:
        """Yield the paragraphs to read before the next choice."""
        for text in self.course.said(table.step, table.game):
            for paragraph in text.strip().split("\n\n"):
                yield shown(paragraph)

    def hint(self, table: Table, decision: Decision, index: int) -> str:
        """Return what to say of a choice that is not the one of the lesson, else nothing."""
        wanted = self.course.wanted(table.step)
        if wanted is None or decision.options[index].id == wanted.option:
            return ""
        return f"{shown(self.course.hint(table.step))} (Nothing has happened: try again.)"

    def others(self, game: Game, seating: Seating, made: int) -> tuple[int, int] | None:
        """Return the choice that the lesson makes for another player, if it is their turn."""
        decision, wanted = game.decision, self.course.wanted(made)
        if decision is None or wanted is None or not seating.is_bot(decision.player):
            return None
        index = next(
            (at for at, each in enumerate(decision.options) if each.id == wanted.option), 0
        )
        return decision.player, index
