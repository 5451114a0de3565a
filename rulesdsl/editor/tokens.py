"""Names coloured by what they mean; words of the language are coloured by the grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.naming import Sort
from rulesdsl.editor.index import Role

if TYPE_CHECKING:
    from rulesdsl.check.naming import Thing
    from rulesdsl.check.world import World
    from rulesdsl.editor.view import View
    from rulesdsl.source.span import Span

# What editors call them, for which every theme has a colour.
TYPES = (
    "type",
    "class",
    "namespace",
    "variable",
    "enumMember",
    "property",
    "parameter",
    "function",
    "macro",
    "keyword",
)
MODIFIERS = ("declaration",)


@attrs.frozen
class Token:
    """A name with what it is, in the words of editors."""

    span: Span
    type: str
    declares: bool


def tokens(view: View, file: str) -> tuple[Token, ...]:
    """Return the names of a file in their order."""
    return tuple(
        Token(each.span, _type(each.thing, view.world), each.role is Role.DECLARES)
        for each in view.index.in_file(file)
    )


def _type(thing: Thing, world: World) -> str:
    match thing.sort:
        case Sort.VERB:
            return "function"
        case Sort.ENTRY:
            return "enumMember"
        case Sort.FIELD:
            return "property"
        case Sort.LOCAL:
            return "parameter"
        case Sort.ACTOR | Sort.CANDIDATE:
            return "keyword"
        case Sort.NOUN:
            return _of_noun(thing.name, world)


def _of_noun(name: str, world: World) -> str:
    if name in world.pieces:
        return "class"
    if name in world.places:
        return "namespace"
    if name in world.kinds:
        return "type"
    return "macro" if name in world.values else "variable"
