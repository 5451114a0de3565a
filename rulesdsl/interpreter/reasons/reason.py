"""What is told of an option that is not offered: data alone, which importing it costs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from rulesdsl.source.span import Span


@attrs.frozen
class Action:
    """One option that a game may ever offer.

    `id` and `label` are those of the option as far as they depend on no position; things that are
    called the same are one action.  `question` is what is asked there, `decision` the id of that
    question (`Decision.id`), `rule` where the rules offer it, `about` the id in `Game.printed` of
    the entry that it names, if any.
    """

    number: int
    id: str
    label: str
    question: str = attrs.field(repr=False)
    rule: Span = attrs.field(repr=False)
    about: str = attrs.field(default="", repr=False)
    decision: str = ""
    asked_in: int = attrs.field(default=0, repr=False)
    """The number of the block that asks."""
    raw: tuple[int, ...] = attrs.field(default=(), repr=False)
    """The choices that it stands for, as the flat form has them."""


@attrs.frozen
class Reason:
    """Why an option is not offered, in words, and where the rules say so.

    `condition` is which of the option's conditions fails, from 0; None where its question is not
    open, where nobody may tell, or where it is offered (`offered`).  `choice` is the choice, as
    the flat form has it, that came closest of those that are called the same.
    """

    text: str
    rule: Span
    offered: bool = False
    declared: bool = False
    """Whether the content has words of its own for it."""
    condition: int | None = attrs.field(default=None, repr=False)
    choice: int | None = attrs.field(default=None, repr=False)
