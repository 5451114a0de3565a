"""Conditions that are asked one after the other, until it is known whether all or any hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.lower import flat as fl
from rulesdsl.lower.fold import known, logic, negated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulesdsl.lower.flatten.writer import Writer


def conditions(w: Writer, word: str, parts: Sequence[Callable[[], fl.Expr]]) -> fl.Expr:
    """Return whether all or any of some conditions hold, each asked only where it still matters.

    What a condition needs is written where the ones before it have not decided yet.
    """
    sure: list[fl.Expr] = []
    for at, part_of in enumerate(parts):
        with w.body() as before:
            found = part_of()
        if not before:
            sure.append(found)
            if known(logic(word, found)) == int(word == "or"):
                break
            continue
        asked = logic(word, *sure)
        if known(asked) == int(word == "or"):
            return asked

        def rest(before: list[fl.Stmt] = before, found: fl.Expr = found, at: int = at) -> fl.Expr:
            w.add(*before)
            return conditions(w, word, [lambda: found, *parts[at + 1 :]])

        if not sure:
            return rest()
        local = w.set(word, asked)
        with w.body() as inside:
            w.add(fl.Set(local.name, rest()))
        w.add(fl.If(local if word == "and" else negated(local), tuple(inside)))
        return local
    return logic(word, *sure)
