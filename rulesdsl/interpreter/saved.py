"""What is in the places of a saved game: taken only after a look at it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulesdsl.source.excerpt import in_short


class SaveError(ValueError):
    """What a saved game has in one place, and cannot have; the place is its `path`."""

    def __init__(self, path: str, why: str) -> None:
        self.path = path
        said = f"`{in_short(path)}` {in_short(why)}"
        super().__init__(f"this is not a saved game of this pack: {said}")


def number(path: str, value: object, low: int, high: int) -> int:
    """Return a whole number within bounds; SaveError for anything else."""
    if type(value) is not int:
        raise SaveError(path, "is not a whole number")
    if not low <= value <= high:
        raise SaveError(path, f"is not from {low} to {high}")
    return value


def numbers(path: str, value: object, low: int, high: int, length: int | None = None) -> list[int]:
    """Return a list of whole numbers within bounds; SaveError for anything else."""
    found = listed(path, value, length)
    if (
        not {*map(type, found)} <= {int}
        or not low <= min(found, default=low) <= max(found, default=high) <= high
    ):
        for at, each in enumerate(found):
            number(f"{path}[{at}]", each, low, high)
    return found


def listed(path: str, value: object, length: int | None = None) -> list[Any]:
    """Return a list; SaveError for anything else, or where its length is another one."""
    if not isinstance(value, list | tuple):
        raise SaveError(path, "is not a list")
    if length is not None and len(value) != length:
        raise SaveError(path, f"has {len(value)} items and not {length}")
    return list(value)


def of_type(path: str, value: object, said: str, *kinds: type) -> Any:  # noqa: ANN401
    """Return a value of one of these types, not of one below it; SaveError for anything else."""
    if type(value) not in kinds:
        raise SaveError(path, f"is not {said}")
    return value


def table(path: str, value: object, keys: Iterable[str]) -> dict[str, Any]:
    """Return a table with these keys and no others; SaveError for anything else."""
    if not isinstance(value, dict):
        raise SaveError(path or "it all", "is not a table")
    for key in keys:
        if key not in value:
            raise SaveError(f"{path}.{key}".lstrip("."), "is missing")
    for key in value.keys() - {*keys}:
        raise SaveError(f"{path}.{key}".lstrip("."), "is unknown")
    return value
