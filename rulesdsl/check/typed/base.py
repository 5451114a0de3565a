"""What all nodes of the checked tree are made of; the unions say which there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.types import NUMBER, Type
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.source.tree import ASIDE

if TYPE_CHECKING:
    from rulesdsl.check.typed import Domain, Value
    from rulesdsl.check.typed.steps import Words


@attrs.frozen(cache_hash=True)
class Typed:
    """A node of the checked tree."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen(cache_hash=True)
class ValueNode(Typed):
    """Something that can be computed; of a condition, `why` is what the rules say if it fails."""

    type: Type = attrs.field(default=NUMBER, kw_only=True)
    why: Words | None = attrs.field(
        default=None, eq=False, repr=False, kw_only=True, metadata=ASIDE
    )


@attrs.frozen(cache_hash=True)
class DomainNode(Typed):
    """Things to choose from, count or go through; `element` is the type of one."""

    element: Type = attrs.field(kw_only=True)

    @property
    def unfiltered(self) -> Domain:
        """The things that its conditions pick from."""
        return self  # type: ignore[return-value] # every one of these is in the union


@attrs.frozen(cache_hash=True)
class StepNode(Typed):
    """Something that is done; where one of `reveals` holds, it tells somebody something new."""

    reveals: tuple[Value, ...] = attrs.field(
        default=(), eq=False, repr=False, kw_only=True, metadata=ASIDE
    )
