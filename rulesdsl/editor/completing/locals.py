"""Names that a declaration gives itself: parameters, `let`, and what is chosen or gone through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.types import SEAT_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulesdsl.check.world import World

Tokens = "Sequence[tuple[str, str]]"
_NAMED = {"A", "AN", "EACH"}
_HEADS = {"VERB", "STEP", "BEFORE", "AFTER", "INSTEAD_OF", "ADD_TO_MENU", "ADD_TO_CHOICES"}


def locals_in(tokens: Sequence[tuple[str, str]], world: World) -> dict[str, str]:
    """Return the names that are given before the end of a text, each with its kind, or nothing."""
    found = dict(_parameters(tokens, world))
    for at, (kind, _) in enumerate(tokens):
        following = tokens[at + 1 : at + 4]
        if kind == "LET" and following and following[0][0] == "NAME":
            found[following[0][1]] = _kind_of(tokens[at + 3 : at + 5], world)
        elif kind in _NAMED and [each for each, _ in following[:2]] == ["NAME", "NAME"]:
            if len(following) == 2 and at + 3 >= len(tokens):  # noqa: PLR2004 - it is being written
                continue
            found[following[1][1]] = world.singular(following[0][1])
    return found


def _kind_of(value: Sequence[tuple[str, str]], world: World) -> str:
    """Return the kind of `a card ...`."""
    if len(value) > 1 and value[0][0] in {"A", "AN", "THE", "RANDOM"} and value[1][0] == "NAME":
        return world.singular(value[1][1])
    return ""


def _parameters(tokens: Sequence[tuple[str, str]], world: World) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a head: `card c with tool t` gives `c` and `t`."""
    if not tokens or tokens[0][0] not in _HEADS | {"VALUE", "INSTEAD_OF_VALUE"}:
        return
    end = next((at for at, (kind, _) in enumerate(tokens) if kind == "COLON"), len(tokens))
    names = [text for kind, text in tokens[2:end] if kind == "NAME"]
    at = 0
    while at < len(names):
        first = names[at]
        is_kind = first in world.kinds or first in world.pieces or first in world.places
        second = names[at + 1] if at + 1 < len(names) else ""
        if is_kind or first in SEAT_WORDS | {"number", "bundle", "yes-no"}:
            yield second or first, first
            at += 2
        else:
            yield first, "number"  # `n coins`
            at += 2
