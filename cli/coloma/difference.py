"""What a command would change, as a unified diff."""

from __future__ import annotations

import difflib
from pathlib import Path


def difference(before: str, after: str, file: Path) -> str:
    """Return a unified diff of what a file is and what it would be."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"{file} as it is",
        f"{file} as it would be",
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ no newline at the end\n" for line in lines
    )
