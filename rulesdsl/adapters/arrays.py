"""Rows and moves as arrays of NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LIMIT = 2**24
"""Numbers are cut off there: single precision, which learners use, tells smaller ones apart."""


def observed(row: Sequence[int]) -> Any:  # noqa: ANN401 - an array
    """Return a row of numbers as an array in single precision."""
    return np.clip(np.array(row, dtype=np.float64), -LIMIT, LIMIT).astype(np.float32)


def masked(offered: Iterable[int], moves: int) -> Any:  # noqa: ANN401 - an array
    """Return an array with 1 for each move that is offered, and 0 for the others."""
    mask: Any = np.zeros(moves, dtype=np.int8)
    mask[list(offered)] = 1
    return mask
