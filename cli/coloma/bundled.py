"""Where the content that we ship is: the only place that knows there are two homes."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def bundled_content() -> Path:
    """Return the content folder: inside the wheel, or at the root of a checkout."""
    installed = _PACKAGE / "content"
    return installed if installed.is_dir() else _PACKAGE.parents[1] / "content"
