"""Clauses and log lines: what one event says, and to whom."""

from __future__ import annotations

from typing import Literal

import attrs

from rulesdsl.lower.flat import Change
from rulesdsl.source.english import name_list, opening
from rulesdsl.source.span import Span

ACCEPTS = "accepts:"
"""The verb for accepting an offer; the story reports the resulting changes instead if it can."""
DRAWS = "draws"
"""The verb for drawing a piece, which the words of an act never stand for."""
Kind = Literal["choice", "answer", "refusal", "done", "say", "act", "part", "told", "hold", "mark"]
"""Kinds of events without a state change; `answer` is a choice made in secret by all players."""


@attrs.frozen
class Amount:
    """A gain (or loss, if negative) by a seat: `by` of `noun`, in the singular."""

    seat: int
    noun: str
    by: int


@attrs.frozen
class Clause:
    """A sentence in parts: `Ann` `draws` `Ruby` `from the deck`; empty parts are omitted.

    If `noun` is set, the only object is that noun, `count` times. `route` tells where a printed or
    single piece came from and went, for a sentence that names the piece already.
    """

    who: str
    verb: str
    objects: tuple[str, ...] = ()
    rest: str = ""
    noun: str = ""
    count: int = 1
    route: str = ""

    @property
    def text(self) -> str:
        """The whole sentence, without a full stop."""
        parts = (self.who, self.verb, name_list(self.objects), self.rest)
        first, *others = [part for part in parts if part] or [""]
        return " ".join([opening(first), *others])


@attrs.frozen
class LogLine:
    """One event. `actor` is a player's number (1, 2, ...), or 0 for the game itself.

    Viewers not in `seen_by` (None: everyone) read the clause `hidden`, or nothing if it is None. A
    `quiet` event is book-keeping, shown only in the unabridged log. `rules` are the lines of the
    rules that caused the event; those of a statement that is `shown` would tell on which condition
    it ran (`private_rules`). `about` is the id of the entry whose effect was chosen, as in
    `Option.about`, if any. `counted` is the counted piece or the track that changes, if any. A
    change is `imposed` if a verb of another seat made it.
    """

    actor: int
    kind: Kind | Change
    clause: Clause
    hidden: Clause | None = attrs.field(default=None, repr=False)
    seen_by: frozenset[int] | None = attrs.field(default=None, repr=False)
    amounts: tuple[Amount, ...] = ()
    quiet: bool = False
    rules: tuple[Span, ...] = attrs.field(default=(), repr=False)
    private_rules: bool = attrs.field(default=False, repr=False)
    learned: int = attrs.field(default=0, repr=False)
    about: str = attrs.field(default="", repr=False)
    counted: str = attrs.field(default="", repr=False)
    imposed: bool = attrs.field(default=False, repr=False)

    @property
    def text(self) -> str:
        """The sentence in full."""
        return self.clause.text

    @property
    def hidden_text(self) -> str:
        """The redacted sentence; empty if the event is hidden."""
        return "" if self.hidden is None else self.hidden.text

    def is_open_to(self, viewer: int) -> bool:
        """Return true if a player (0: a spectator) may read the whole sentence."""
        return self.seen_by is None or viewer in self.seen_by

    def seen(self, viewer: int) -> Clause | None:
        """Return the clause as a player (0: a spectator) may read it."""
        return self.clause if self.is_open_to(viewer) else self.hidden

    def actor_in(self, clause: Clause | None) -> int:
        """Return the actor, or 0 if the clause that a viewer reads leaves it out."""
        return self.actor if clause is None or clause.who == self.clause.who else 0

    def seen_rules(self, viewer: int) -> tuple[Span, ...]:
        """Return the rules that caused the event, if a player may read which ones they are.

        Where a verb begins or ends without a word is not told: that it runs may be a secret.
        """
        is_told = bool(self.seen_text(viewer)) and self.is_open_to(viewer)
        return self.rules if is_told and not self.private_rules else ()

    def seen_text(self, viewer: int) -> str:
        """Return the sentence as a player may read it; empty if the event is hidden."""
        clause = self.seen(viewer)
        return "" if clause is None else clause.text


NOBODY = -1


@attrs.frozen
class VisibleChange:
    """A change as a clause for the viewers `seen_by` (None: all), and as `hidden` for others."""

    clause: Clause
    hidden: Clause | None = None
    seen_by: frozenset[int] | None = None
    amounts: tuple[Amount, ...] = ()
    quiet: bool = False
    away: bool = False  # from, to or in a place whose number of pieces is hidden
