"""Which verbs, steps, hooks and effects call which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.naming import Sort, Thing
from rulesdsl.editor.index import Role
from rulesdsl.editor.symbols import Symbol, outline

if TYPE_CHECKING:
    from rulesdsl.editor.view import Spot, View
    from rulesdsl.source.span import Span


@attrs.frozen
class Call:
    """Somebody who calls, or is called, and the places of the calls in the one who calls."""

    who: Symbol
    places: tuple[Span, ...]


def callable_at(view: View, spot: Spot) -> Symbol | None:
    """Return the verb or step that is named at a place, else what the place lies in."""
    found = view.name_at(spot)
    if found is not None and found.thing.sort is Sort.VERB:
        return _declared(view, found.thing)
    return around(view, spot.file, spot.line)


def around(view: View, file: str, line: int) -> Symbol | None:
    """Return the declaration or entry that a line lies in."""
    source = view.source(file)
    for each in outline(source) if source is not None else ():
        if each.whole.line <= line <= each.whole.end_line:
            return each
    return None


def callers(view: View, who: Symbol) -> tuple[Call, ...]:
    """Return who calls a verb or step, hooks on it included."""
    thing = _thing(view, who)
    if thing is None:
        return ()
    found: dict[Span, tuple[Symbol, list[Span]]] = {}
    for each in view.index.of(thing):
        if each.role is Role.DECLARES:
            continue
        caller = around(view, each.span.file, each.span.line)
        if caller is not None:
            found.setdefault(caller.whole, (caller, []))[1].append(each.span)
    return tuple(Call(caller, tuple(places)) for caller, places in found.values())


def called(view: View, who: Symbol) -> tuple[Call, ...]:
    """Return the verbs and steps that a declaration or an entry calls."""
    found: dict[Thing, list[Span]] = {}
    for each in view.index.in_file(who.whole.file):
        if who.whole.holds(each.span) and each.role is Role.USES and each.thing.sort is Sort.VERB:
            found.setdefault(each.thing, []).append(each.span)
    listed = ((_declared(view, thing), places) for thing, places in found.items())
    return tuple(Call(symbol, tuple(places)) for symbol, places in listed if symbol is not None)


def _thing(view: View, who: Symbol) -> Thing | None:
    """Return the verb that a symbol declares, or that it is a hook on."""
    found = view.index.at(who.span.file, who.span.line, who.span.column)
    return found.thing if found is not None and found.thing.sort is Sort.VERB else None


def _declared(view: View, thing: Thing) -> Symbol | None:
    span = view.index.declaration(thing)
    return around(view, span.file, span.line) if span.file else None
