"""Where a name is declared, and where it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.naming import Sort
from rulesdsl.editor.index import Role

if TYPE_CHECKING:
    from rulesdsl.check.naming import Thing
    from rulesdsl.editor.view import Spot, View
    from rulesdsl.source.span import Span

_NOWHERE_DECLARED = {Sort.ACTOR, Sort.CANDIDATE}


def thing_at(view: View, spot: Spot) -> Thing | None:
    """Return what the name at a place refers to; nothing for `my`, `me` and `it`."""
    found = view.name_at(spot)
    return None if found is None or found.thing.sort in _NOWHERE_DECLARED else found.thing


def definitions(view: View, spot: Spot) -> tuple[Span, ...]:
    """Return where the thing at a place is declared; a verb with several forms, each of them."""
    thing = thing_at(view, spot)
    if thing is None:
        return ()
    return tuple(each.span for each in view.index.of_rules(thing) if each.role is Role.DECLARES)


def references(view: View, spot: Spot, *, declaration: bool = True) -> tuple[Span, ...]:
    """Return every place at which the thing at a place is named."""
    thing = thing_at(view, spot)
    if thing is None:
        return ()
    return tuple(
        each.span for each in view.index.of(thing) if declaration or each.role is not Role.DECLARES
    )


def highlights(view: View, spot: Spot) -> tuple[Span, ...]:
    """Return the places of the same file at which the thing at a place is named."""
    found = view.name_at(spot)
    if found is None:
        return ()
    return tuple(
        each.span
        for each in view.index.in_file(spot.file)
        if each.thing == found.thing and each.type == found.type
    )
