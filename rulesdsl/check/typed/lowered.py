"""Steps and values that lowering adds: no text stands for them, and the checker meets none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.typed.base import StepNode, ValueNode
from rulesdsl.check.typed.steps import Require

if TYPE_CHECKING:
    from rulesdsl.check.typed import Domain, Value


@attrs.frozen(slots=True)
class Snapshot(StepNode):
    """Keep the things of a domain as a list; `start` turns a circle of seats."""

    name: str
    domain: Domain
    start: Value | None


@attrs.frozen(slots=True)
class EmptyList(StepNode):
    """Bind an empty list."""

    name: str


@attrs.frozen(slots=True)
class ItemAt(ValueNode):
    """An item of a list local."""

    name: str
    at: Value


@attrs.frozen(slots=True)
class Length(ValueNode):
    """How long a list local is."""

    name: str


@attrs.frozen(slots=True)
class Reset(StepNode):
    """Clear the cells that belong to one activation of a procedure."""

    during: str


@attrs.frozen(slots=True)
class Learn(StepNode):
    """Where a condition holds, somebody learns here what they could not know."""

    condition: Value


@attrs.frozen(slots=True)
class Offer(Require):
    """The head of an offered block whose offer not everybody can see.

    `might` holds where only hidden things can say no, to a thing of `wider` (None where all know
    nothing of them); `secret`: only who chooses is told what is chosen.
    """

    might: Value
    wider: Domain | None
    secret: bool
