"""What every node of the checked tree has."""

from __future__ import annotations

import attrs

from rulesdsl.check.types import NUMBER, Type
from rulesdsl.source.span import NOWHERE, Span


@attrs.frozen(slots=True)
class Typed:
    """A node of the checked tree."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@attrs.frozen(slots=True)
class Value(Typed):
    """Something that can be computed."""

    type: Type = attrs.field(default=NUMBER, kw_only=True)
