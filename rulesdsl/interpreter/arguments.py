"""What callers hand in, looked at before it is used: a clear ValueError says what is accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesdsl.source.ranges import Range


def whole(name: str, value: object, within: Range | None = None) -> int:
    """Return a whole number, NumPy's ones too; ValueError for anything else, or out of a range."""
    if not isinstance(value, bool):
        try:
            found = index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
        else:
            if within is None or within.least <= found <= within.most:
                return found
            raise ValueError(f"`{name}` is a whole number {within}, not {told(value)}")
    raise ValueError(f"`{name}` is a whole number, not {told(value)}")


def table(name: str, value: object) -> Mapping[str, object]:
    """Return a table with texts as keys; ValueError for anything else."""
    if isinstance(value, Mapping) and all(isinstance(each, str) for each in value):
        return value
    raise ValueError(f"`{name}` is a table such as {{'name': value}}, not {told(value)}")


def texts(name: str, value: object) -> Sequence[str]:
    """Return a list of texts; ValueError for anything else."""
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return value
    raise ValueError(f"`{name}` is a list of texts, not {told(value)}")


def told(value: object) -> str:
    """Say what was given: as it is written, and of what type; both in short."""
    written = repr(value)
    short = written if len(written) <= LONGEST else f"{written[:LONGEST]}..."
    return f"{short} ({type(value).__name__})"


LONGEST = 40  # house: more of what was given tells nobody more
