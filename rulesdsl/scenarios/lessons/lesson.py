"""What a lesson says, and its fields: one list for the reader and for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.packs.shapes import (
    SOMETHING,
    Field,
    Json,
    Shape,
    array,
    is_table,
    list_of,
    table_of,
    text,
)
from rulesdsl.scenarios.fields import option_of, scenario_fields
from rulesdsl.scenarios.scenario import RuleText

if TYPE_CHECKING:
    from rulesdsl.packs.manifest import Players
    from rulesdsl.packs.place import Place
    from rulesdsl.scenarios.scenario import Pick, Scenario
    from rulesdsl.source.span import Span

START = ("name", "players", "seed", "options", "after", "given", "play")
"""The fields of a scenario that a lesson has too."""
STEPS = "step"
LEARNER = 1
"""Who learns: the first player."""


@attrs.frozen
class Step:
    """One step: what is said, what is then chosen by whom, and help for the one who learns."""

    say: RuleText
    do: tuple[Pick, ...]
    hint: str
    span: Span


@attrs.frozen
class Lesson:
    """A lesson: its beginning as a scenario without conditions, and its steps."""

    start: Scenario
    steps: tuple[Step, ...]

    @property
    def picks(self) -> tuple[tuple[int, Pick], ...]:
        """All choices in their order, each with the number of its step from 0."""
        return tuple((at, pick) for at, step in enumerate(self.steps) for pick in step.do)


def lesson_fields(
    players: Players, at_table: int, *, options: Json | None = None, steps: Json | None = None
) -> tuple[Field, ...]:
    """Return what a lesson says where so many are at the table."""
    start = scenario_fields(players, at_table, options=options, steps=steps)
    one = table_of(step_fields(at_table))
    every = Shape(
        lambda value: isinstance(value, list) and all(map(is_table, value)),
        "a list of steps; each begins with `[[lesson.step]]`",
        array(one),
    )
    return (
        attrs.evolve(start[0], about="What the lesson is called."),
        *(each for each in start[1:] if each.key in START),
        Field(STEPS, every, "The steps, in their order.", needed=True),
    )


def step_fields(at_table: int) -> tuple[Field, ...]:
    """Return what a step says."""
    picks = list_of(option_of(at_table), 'a list of texts: do = ["p1 done"]')
    return (
        Field("say", SAID, "What is said; values of the game are in braces.", needed=True),
        Field("do", picks, "Choices in their order: a player and the id of an option.", ()),
        Field("hint", text(SOMETHING), "What is said after another choice of player 1.", ""),
    )


def _said(found: str, place: Place) -> RuleText:

    return RuleText(found, place.span, place.string_map)


SAID = text(SOMETHING, "a text: what the learner reads").then(_said)
