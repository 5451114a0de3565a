"""What a line leaves unsaid: whose `my` is, and what `it` is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.naming import Sort

if TYPE_CHECKING:
    from rulesdsl.editor.view import View
    from rulesdsl.source.span import Span

_PLAIN = {"me"}  # a verb's own actor: everybody knows
_SPOKEN = {"actor": "the one named by `for`", "chooser": "each player"}


@attrs.frozen
class Hint:
    """Something said right after a word."""

    span: Span
    text: str


def hints(view: View, file: str, first: int, last: int) -> tuple[Hint, ...]:
    """Return what is left unsaid in some lines of a file."""
    found: list[Hint] = []
    for each in view.index.in_file(file):
        if not first <= each.span.line <= last:
            continue
        name = each.thing.name.partition(".")[0]
        if each.thing.sort is Sort.CANDIDATE and each.type is not None:
            found.append(Hint(each.span, each.type.of or each.type.family))
        elif each.thing.sort is Sort.ACTOR and name not in _PLAIN:
            found.append(Hint(each.span, _SPOKEN.get(name, name)))
    return tuple(found)
