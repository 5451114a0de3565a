"""References: the symbol that each name in the rules stands for, recorded by the resolver.

Every check records them (as `Info` of go/types does); the editor's features are queries on them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.tree import walk
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.node import Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulesdsl.check.scope import Scope
    from rulesdsl.check.types import Type
    from rulesdsl.check.world import World
    from rulesdsl.source.span import Span


HOLE = "?"  # stands for a name that is still to be written; no text can say it


class Sort(StrEnum):
    """Sort of thing that a name refers to."""

    NOUN = "noun"  # a name that means one thing in the whole game: kinds, pieces, tracks, numbers
    VERB = "verb"  # a verb or step
    ENTRY = "entry"  # of the kind `of`
    FIELD = "field"  # of the kind `of`
    LOCAL = "local"  # `of` is the place that gives it its name
    ACTOR = "actor"  # `me`, or the `my` of something
    CANDIDATE = "candidate"  # `it`


class Role(StrEnum):
    """Role of a name at its place."""

    DECLARES = "declares"
    HOOKS = "hooks"
    USES = "uses"


@attrs.frozen
class Thing:
    """Referent of a name."""

    sort: Sort
    name: str
    of: str = ""


@attrs.frozen
class Mention:
    """A stretch that begins with a name, or with `my` and a name, and what the name refers to.

    `type` is that of a local, of who acts, or of a candidate. With a `role` the stretch is the
    name and nothing else.
    """

    span: Span
    thing: Thing
    type: Type | None = None
    role: Role | None = None


@attrs.frozen
class Expected:
    """The names that would do at a hole, and the types of the local ones in scope."""

    names: frozenset[str]
    locals: Mapping[str, Type] = attrs.Factory(dict)


@attrs.define(eq=False)
class Noted:
    """The references that have been recorded so far, and what is expected at holes."""

    mentions: list[Mention] = attrs.Factory(list)
    expected: list[Expected] = attrs.Factory(list)

    def note(self, span: Span, thing: Thing, kind: Type | None = None) -> None:
        """Note what the name at the beginning of a stretch refers to."""
        self.mentions.append(Mention(span, thing, kind))

    def word(
        self, word: Word, sort: Sort, name: str, of: str = "", role: Role = Role.USES
    ) -> None:
        """Record what a word of a declaration refers to, or declares."""
        self.mentions.append(Mention(word.span, Thing(sort, name, of), role=role))

    def noun(self, word: Word | None, world: World) -> None:
        """Record a word that means one thing in the whole game, if it does."""
        if word is not None and world.declares(word.text):
            self.word(word, Sort.NOUN, world.singular(word.text))

    def value(self, said: ex.Expr | None, kind: str, world: World) -> None:
        """Record the names in the fixed value of a field: an entry, or named numbers."""
        if kind in world.kinds:
            if isinstance(said, ex.Name) and said.name in world.kinds[kind].index:
                self.word(Word(said.name, span=said.span), Sort.ENTRY, said.name, kind)
        elif kind == "number":
            for each in walk(said):
                if isinstance(each, ex.Name):
                    self.noun(Word(each.name, span=each.span), world)

    def bound(self, scope: Scope, name: str, local: str, span: Span, kind: Type) -> None:
        """Note a place that gives a name to something, which the scope knows as `local`."""
        self.expect(name, ())  # any name will do
        place = f"{span.file}:{span.line}:{span.column}"
        thing = scope.binders[local, name] = Thing(Sort.LOCAL, name, place)
        self.note(span, thing, kind)

    def used(self, scope: Scope, name: str, local: str, span: Span, kind: Type) -> None:
        """Note the use of such a name; one that no line of the rules gives is passed over."""
        thing = scope.binders.get((local, name))
        if thing is not None:
            self.note(span, thing, kind)

    def expect(
        self, name: str, names: Iterable[str], known: Mapping[str, Type] | None = None
    ) -> None:
        """Record the names that would do for a name, if it is a hole."""
        if name == HOLE:
            self.expected.append(Expected(frozenset(names), known or {}))
