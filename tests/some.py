from typing import TypeVar

T = TypeVar("T")


def some(value: T | None) -> T:
    """Return a value that must not be None."""
    assert value is not None
    return value
