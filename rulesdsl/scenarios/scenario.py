"""What a scenario says, as it was read from its file."""

from __future__ import annotations

import attrs

from rulesdsl.interpreter.pack import OptionValue
from rulesdsl.source.span import Span


@attrs.frozen
class RuleText:
    """A text in the language of the rules, with the place of each of its characters."""

    text: str
    span: Span
    positions: tuple[tuple[int, int], ...] = attrs.field(repr=False)


@attrs.frozen
class Pick:
    """A player (from 1) and the id of an option; `*` is whatever is offered first.

    Empty where it is not about an option: in `open`.
    """

    player: int
    option: str
    span: Span


@attrs.frozen
class Why:
    """An option that is not offered, and a part of the reason."""

    pick: Pick
    reason: str


@attrs.frozen
class Note:
    """A word or a text with its place."""

    text: str
    span: Span


@attrs.frozen
class Numbers:
    """A list of numbers, one for each seat that scores."""

    values: tuple[int, ...]
    span: Span


@attrs.frozen
class Scenario:
    """One scenario. `span` is its name; `lines` are the first and the last that it takes up."""

    name: str
    span: Span
    lines: tuple[int, int]
    covers: tuple[Note, ...] = ()
    players: int = 2
    seed: int = 1
    options: dict[str, OptionValue] = attrs.Factory(dict)
    option_spans: dict[str, Span] = attrs.Factory(dict)
    after: Note | None = None
    given: tuple[RuleText, ...] = ()
    play: RuleText | None = None
    whole_game: bool = False
    do: tuple[Pick, ...] = ()
    offered: tuple[Pick, ...] = ()
    not_offered: tuple[Pick, ...] = ()
    why_not: tuple[Why, ...] = ()
    open: tuple[Pick, ...] = ()
    expect: tuple[RuleText, ...] = ()
    log: tuple[Note, ...] = ()
    over: bool | None = None
    scores: Numbers | None = None
    places: Numbers | None = None
    verdicts: tuple[Note, ...] = ()

    @property
    def group(self) -> tuple[object, ...]:
        """What it has to share with another for both to run on the same compiled code."""
        return (self.players, repr(sorted(self.options.items())))  # a mistake may be a list

    def covers_line(self, span: Span) -> bool:
        """Whether a place lies in this scenario."""
        return span.file == self.span.file and self.lines[0] <= span.line <= self.lines[1]
