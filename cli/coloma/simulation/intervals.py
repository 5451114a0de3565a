"""Shares with intervals: what games that were played say about all games."""

from __future__ import annotations

from math import sqrt

_NORMAL = 1.96  # 95 % of a normal distribution lie within so many standard deviations


def interval(count: float, of: int) -> tuple[float, float]:
    """Return the bounds of a share, from 0 to 1, that hold in 95 % of cases (Wilson)."""
    if not of:
        return 0.0, 1.0
    share, square = count / of, _NORMAL**2
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = _NORMAL * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def share(count: float, of: int) -> str:
    """Say a share in per cent with its bounds: `97.1 % (95.2 to 98.3 %)`."""
    low, high = interval(count, of)
    mean = count / of if of else 0.0
    return f"{100 * mean:.1f} % ({100 * low:.1f} to {100 * high:.1f} %)"
