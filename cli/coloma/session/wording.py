"""Names put together as a person would."""

from __future__ import annotations

from collections.abc import Sequence


def and_list(names: Sequence[str]) -> str:
    """Return names as a list: `Ann`, `Ann and Bob`, `Ann, Bob and Cleo`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
