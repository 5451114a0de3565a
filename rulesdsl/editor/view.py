"""A game with its mods as it was last checked, and what is asked about it again and again."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.effects import Effects
from rulesdsl.check.naming import Sort, Thing
from rulesdsl.check.vocabulary import collect_vocabulary
from rulesdsl.editor.index import Index
from rulesdsl.packs.folder import LESSONS, RULEBOOK, SCENARIOS
from rulesdsl.source.diagnostic import Findings
from rulesdsl.syntax.parser import parse_file

if TYPE_CHECKING:
    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.program import Program
    from rulesdsl.check.words import Word
    from rulesdsl.check.world import World
    from rulesdsl.editor.index import Occurrence
    from rulesdsl.editor.session import Session
    from rulesdsl.packs.layers import Layered
    from rulesdsl.source.span import SourceFile, Span
    from rulesdsl.syntax.declarations import Decl


@attrs.frozen
class Spot:
    """A place of a file: line and column from 1, in code points."""

    file: str
    line: int
    column: int


@attrs.frozen(slots=False, eq=False)
class View:
    """What features look at: the texts as they were at a check, and what it came to.

    `session` made the check, and has not changed since: one like it can try a change.
    """

    layers: Layered
    checked: Checked
    session: Session | None = None

    @property
    def program(self) -> Program:
        """What the check resolved."""
        return self.checked.program

    @property
    def world(self) -> World:
        """What is declared."""
        return self.checked.program.world

    @cached_property
    def index(self) -> Index:
        """Every name with what it refers to."""
        return Index(self.layers, self.checked)

    @cached_property
    def effects(self) -> Effects:
        """What verbs write."""
        return Effects(self.program)

    @cached_property
    def words(self) -> dict[str, list[Word]]:
        """The declarations of the game as people look them up, by their names."""
        found: dict[str, list[Word]] = {}
        for each in collect_vocabulary(self.layers, self.world).words:
            found.setdefault(each.name, []).append(each)
        return found

    @cached_property
    def sources(self) -> dict[str, SourceFile]:
        """The rules, tables and manifests by their paths: what the game is made of."""
        return {
            path: source
            for pack in self.layers.packs
            for path, source in pack.sources.items()
            if path.removeprefix(f"{pack.folder.as_posix()}/").partition("/")[0] not in _BESIDE
        }

    def source(self, file: str) -> SourceFile | None:
        """Return the text of a file, also of one beside the rules."""
        return self.sources.get(file) or self.index.text_beside(file)

    def name_at(self, spot: Spot) -> Occurrence | None:
        """Return the name at a place."""
        return self.index.at(spot.file, spot.line, spot.column)

    def declarations(self, file: str) -> tuple[Decl, ...]:
        """Return the declarations of a file of rules."""
        source = self.sources.get(file)
        if source is None or not file.endswith(".rules"):
            return ()
        return parse_file(source.text, file, Findings()).file.declarations

    def declared_as(self, thing: Thing) -> list[Word]:
        """Return how a thing is declared, in the words of its rules or table."""
        sorts = {Sort.VERB: {"verb", "step"}, Sort.ENTRY: {"entry"}, Sort.FIELD: {"field"}}
        wanted = sorts.get(thing.sort)
        of = thing.of if thing.sort in {Sort.ENTRY, Sort.FIELD} else ""
        return [
            each
            for each in self.words.get(thing.name, ())
            if each.of == of
            and (each.sort not in _NO_NOUNS if wanted is None else each.sort in wanted)
        ]

    def text_of(self, span: Span) -> str:
        """Return what a file says in a stretch, its lines joined."""
        source = self.source(span.file)
        if source is None:
            return ""
        if span.line == span.end_line:
            return source.line(span.line)[span.column - 1 : span.end_column - 1]
        first = source.line(span.line)[span.column - 1 :]
        rest = (source.line(each).strip() for each in range(span.line + 1, span.end_line))
        last = source.line(span.end_line)[: span.end_column - 1].strip()
        return " ".join([first.strip(), *rest, last])


_BESIDE = {SCENARIOS, LESSONS, RULEBOOK}
_NO_NOUNS = {"verb", "step", "entry", "field", "hook"}
