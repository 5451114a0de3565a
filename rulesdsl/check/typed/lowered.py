"""Steps and values that lowering adds: no text stands for them, and the checker meets none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.typed.base import StepNode, ValueNode

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
