"""A name at a place, and how the word is found in a stretch that the resolver notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.declare.names import BUILT_IN
from rulesdsl.check.naming import Role, Sort, Thing
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesdsl.check.naming import Mention
    from rulesdsl.check.types import Type
    from rulesdsl.check.world import World
    from rulesdsl.source.span import SourceFile

NAME = re.compile(r"[a-z][\w.'-]*")
_OF_THE_LANGUAGE = BUILT_IN | {"bundle", "yes-no"}
_MY = re.compile(r"my[ \t]+")
_WHOSE = {Sort.ACTOR: ("my", "me"), Sort.CANDIDATE: ("it",)}


@attrs.frozen
class Occurrence:
    """A name at a place. The span is the word alone, without the id of a mod before it.

    `type` is that of a local, of who acts, or of a candidate.
    """

    span: Span
    thing: Thing
    role: Role = Role.USES
    type: Type | None = None


def occurrence_of(
    mention: Mention, sources: Mapping[str, SourceFile], world: World
) -> Occurrence | None:
    """Return the word that a mention is about; None where its words are not those of its thing."""
    span, thing = mention.span, mention.thing
    source = sources.get(span.file)
    if mention.role is not None:
        return word_occurrence(span, thing, mention.role, source)
    if source is None:
        return None
    line, at = source.line(span.line), span.column - 1
    if thing.sort in _WHOSE:
        found = NAME.match(line, at)
        if found is None or found[0] not in _WHOSE[thing.sort]:
            return None
        return Occurrence(within(span, found.start(), found.end()), thing, type=mention.type)
    my = _MY.match(line, at)
    found = NAME.match(line, at if my is None else my.end())
    if found is None:
        return None
    start, end = _bare(found[0].partition("..")[0], found.start())
    written = line[found.start() : end]
    if thing.name not in {written, world.singular(written)}:
        return None
    role = Role.USES
    if thing.sort is Sort.LOCAL and thing.name in _OF_THE_LANGUAGE:
        return None  # a parameter without a name: `step pass seat`
    if thing.sort is Sort.LOCAL:
        place = within(span, start, end)
        if thing.of == f"{place.file}:{place.line}:{place.column}":
            role = Role.DECLARES
        singular = world.singular(thing.name)
        if singular in world.pieces or singular in world.kinds:
            thing, role = Thing(Sort.NOUN, singular), Role.USES  # a parameter without a name
    return Occurrence(within(span, start, end), thing, role, mention.type)


def word_occurrence(span: Span, thing: Thing, role: Role, source: SourceFile | None) -> Occurrence:
    """Return the occurrence of a word that fills a span, quotation marks and mod ids apart."""
    start, end = span.column - 1, span.end_column - 1
    if source is not None:
        written = source.line(span.line)[start:end]
        if written[:1] in {'"', "'"}:
            start, end, written = start + 1, end - 1, written[1:-1]
        start, end = _bare(written, start)
    return Occurrence(within(span, start, end), thing, role)


def within(span: Span, start: int, end: int) -> Span:
    """Return a stretch of the first line of a span, by offsets in the line."""
    return Span(span.file, span.line, start + 1, span.line, end + 1)


def _bare(written: str, start: int) -> tuple[int, int]:
    """Return where a name begins after the id of its mod, and where it ends."""
    return start + written.rfind(".") + 1, start + len(written)
