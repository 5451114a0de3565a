"""What a verb wants, while it is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.declare.procedures import header_text

if TYPE_CHECKING:
    from rulesdsl.check.world import ProcInfo
    from rulesdsl.editor.view import Spot, View
    from rulesdsl.source.span import SourceFile

_WORD = re.compile(r"[a-z][\w.'-]*")
_BREAK = re.compile(r"[:,\"]|\b(?:to|or else|may|then)\b(?!-)")


@attrs.frozen
class Signature:
    """One form of a verb: its words, those of its parameters, and the one that comes next."""

    text: str
    params: tuple[str, ...]
    active: int


def signatures(view: View, source: SourceFile, spot: Spot) -> tuple[Signature, ...]:
    """Return the forms of the verb that is being written before a place of a text."""
    before = source.line(spot.line)[: spot.column - 1]
    said = _BREAK.split(before)[-1].strip()
    words = said.split()
    if not words or words[0] not in view.world.procs:
        return ()
    return tuple(_signature(view, each, words[1:]) for each in view.world.procs[words[0]])


def _signature(view: View, proc: ProcInfo, given: list[str]) -> Signature:
    text = header_text(proc, view.world)
    params: list[str] = []
    for param in proc.params:
        name = f"{param.name} {view.world.plural(param.noun)}" if param.noun else param.name
        kind = "" if param.noun else f"{param.type.of or param.type.family} "
        params.append(f"{kind}{name}")
    reached = 0
    for at, param in enumerate(proc.params):
        if param.preposition in given:
            reached = at
    return Signature(text, tuple(params), reached)
