"""Lines of the log, in parts and as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import attrs

from rulesdsl.source.english import and_list, opening

if TYPE_CHECKING:
    from rulesdsl.lower.flat import Change
    from rulesdsl.source.span import Span

ACCEPTS = "accepts:"
"""The verb of a choice to do what is offered: what it changes says more."""
Kind = Literal["choice", "answer", "refusal", "done", "say", "act", "part", "told"]
"""What is no change; an `answer` was given in secret, together with those of others."""


@attrs.frozen
class Amount:
    """What somebody has more (or less) of afterwards: `noun` in the singular, by how many."""

    seat: int
    noun: str
    by: int


@attrs.frozen
class Clause:
    """A sentence in parts: `Ann` `draws` `Ruby` `from the deck`; what is empty is not said.

    `noun`: what its one object is so many of (`count`), where that is all that is said of it.
    """

    who: str
    verb: str
    objects: tuple[str, ...] = ()
    rest: str = ""
    noun: str = ""
    count: int = 1

    @property
    def text(self) -> str:
        """The whole sentence, without a full stop."""
        parts = (self.who, self.verb, and_list(self.objects), self.rest)
        said = " ".join(each for each in parts if each)
        return opening(said)


@attrs.frozen
class LogLine:
    """One thing that happened. `actor`: player number from 1, 0 for the game itself.

    `hidden` is what those read who are not in `seen_by` (None: everybody is): None for nothing.
    `quiet`: book-keeping, which only the whole log tells. `rules` are the rule lines behind it.
    `about` is the id of the entry whose effect was chosen, as in `Option.about`, if any.
    """

    actor: int
    kind: Kind | Change
    clause: Clause
    hidden: Clause | None = attrs.field(default=None, repr=False)
    seen_by: frozenset[int] | None = attrs.field(default=None, repr=False)
    amounts: tuple[Amount, ...] = ()
    quiet: bool = False
    rules: tuple[Span, ...] = attrs.field(default=(), repr=False)
    learned: int = attrs.field(default=0, repr=False)
    about: str = attrs.field(default="", repr=False)

    @property
    def text(self) -> str:
        """The sentence as those read it who see everything."""
        return self.clause.text

    @property
    def hidden_text(self) -> str:
        """The sentence as those read it who do not see it; empty where they are told nothing."""
        return "" if self.hidden is None else self.hidden.text

    def seen(self, viewer: int) -> Clause | None:
        """Return the sentence as a player (0: somebody who only watches) may read it."""
        return self.clause if self.seen_by is None or viewer in self.seen_by else self.hidden

    def seen_text(self, viewer: int) -> str:
        """Return the sentence as a player may read it, empty where there is none."""
        clause = self.seen(viewer)
        return "" if clause is None else clause.text
