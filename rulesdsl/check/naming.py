"""References: the symbol that each name in the rules stands for, recorded by the resolver.

Every check records them (as `Info` of go/types does); the editor's features are queries on them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from rulesdsl.check.scope import Scope
    from rulesdsl.check.types import Type
    from rulesdsl.source.span import Span


class Sort(StrEnum):
    """What sort of thing a name refers to."""

    NOUN = "noun"  # a name that means one thing in the whole game: kinds, pieces, tracks, numbers
    VERB = "verb"  # a verb or step
    ENTRY = "entry"  # of the kind `of`
    FIELD = "field"  # of the kind `of`
    LOCAL = "local"  # `of` is the place that gives it its name
    ACTOR = "actor"  # `me`, or the `my` of something
    CANDIDATE = "candidate"  # `it`


@attrs.frozen
class Thing:
    """What a name refers to."""

    sort: Sort
    name: str
    of: str = ""


@attrs.frozen
class Mention:
    """A stretch that begins with a name, or with `my` and a name, and what the name refers to.

    `type` is that of a local, of who acts, or of a candidate.
    """

    span: Span
    thing: Thing
    type: Type | None = None


@attrs.define(eq=False)
class Noted:
    """The references that have been recorded so far."""

    mentions: list[Mention] = attrs.Factory(list)

    def note(self, span: Span, thing: Thing, kind: Type | None = None) -> None:
        """Note what the name at the beginning of a stretch refers to."""
        self.mentions.append(Mention(span, thing, kind))

    def bound(self, scope: Scope, name: str, local: str, span: Span, kind: Type) -> None:
        """Note a place that gives a name to something, which the scope knows as `local`."""
        place = f"{span.file}:{span.line}:{span.column}"
        thing = scope.binders[local, name] = Thing(Sort.LOCAL, name, place)
        self.note(span, thing, kind)

    def used(self, scope: Scope, name: str, local: str, span: Span, kind: Type) -> None:
        """Note the use of such a name; one that no line of the rules gives is passed over."""
        thing = scope.binders.get((local, name))
        if thing is not None:
            self.note(span, thing, kind)
