"""What the players of a game call themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.interpreter.saved import SaveError, listed, of_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.lower.layout import Layout

LONGEST_NAME = 30  # house: labels, logs and the columns of tables hold it


def check_name(name: str) -> None:
    """Raise ValueError where a name cannot be shown on one line, or is too long."""
    if len(name) > LONGEST_NAME:
        short = f"{name[:LONGEST_NAME]}..."
        raise ValueError(f"{short!r} is too long: a name has at most {LONGEST_NAME} characters")
    if not name.isprintable():
        raise ValueError(f"{name!r} cannot be a name: not all of it can be shown")


def checked_names(names: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """Return the names of all players, without space around them; the usual where none is given.

    Raises ValueError where they are too many, or cannot be shown or told apart.
    """
    players = layout.players
    if len(names) > players:
        some = "1 player" if players == 1 else f"{players} players"
        raise ValueError(f"{len(names)} names are too many for {some}")
    usual = layout.seat_names()
    found = tuple(each.strip() or own for each, own in zip(names, usual, strict=False))
    for name in found:
        check_name(name)
    every = (*found, *usual[len(found) :])
    seen: set[str] = set()
    for name in every:
        if name.casefold() in seen:
            raise ValueError(f"two seats cannot both be called {name}")
        seen.add(name.casefold())
    return every[:players]


def names_of_save(value: object, layout: Layout) -> tuple[str, ...]:
    """Return the names of a saved game; SaveError where they are none."""
    names = [of_type("names", each, "a list of texts", str) for each in listed("names", value)]
    try:
        found = checked_names(names, layout)
    except ValueError as error:
        raise SaveError("names", f"cannot be ({error})") from None
    if len(names) not in {0, layout.players}:
        raise SaveError("names", f"has {len(names)} names and not {layout.players}")
    return found if names else ()
