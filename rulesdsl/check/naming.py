"""What the names in rules refer to, noted while they are resolved, for whoever edits them.

Nobody notes anything in a check: `Bodies.noted` is None there, and a note costs one comparison.
Whoever wants to know (`rulesdsl.editor`) resolves bodies once more with a `Noted` in its place.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
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
    """What has been noted so far."""

    mentions: list[Mention] = attrs.Factory(list)
    _binders: dict[tuple[int, str, str], Thing] = attrs.Factory(dict)

    def note(self, span: Span, thing: Thing, kind: Type | None = None) -> None:
        """Note what the name at the beginning of a stretch refers to."""
        self.mentions.append(Mention(span, thing, kind))

    def bound(self, scope: object, name: str, local: str, span: Span, kind: Type) -> None:
        """Note a place that gives a name to something, which the scope knows as `local`."""
        place = f"{span.file}:{span.line}:{span.column}"
        thing = self._binders[id(scope), local, name] = Thing(Sort.LOCAL, name, place)
        self.note(span, thing, kind)

    def used(self, scope: object, name: str, local: str, span: Span, kind: Type) -> None:
        """Note the use of such a name; one that no line of the rules gives is passed over."""
        thing = self._binders.get((id(scope), local, name))
        if thing is not None:
            self.note(span, thing, kind)
