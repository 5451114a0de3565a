"""Python in a process of its own that may use little memory and never wait."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MEMORY = 2**30
HANGS = 60  # seconds; what is right takes one or two

LIMITED = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))\n"


def bounded(code: str, *arguments: object, home: Path) -> subprocess.CompletedProcess[str]:
    """Run code with arguments in `sys.argv[1:]`; what it keeps for later goes below `home`."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED + code, *map(str, arguments)],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=HANGS,
        check=False,
        env={
            "PYTHONPATH": ":".join(sys.path),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_STATE_HOME": str(home / "state"),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )


def command(*arguments: object, home: Path) -> subprocess.CompletedProcess[str]:
    """Run the command `coloma` as `bounded` does."""
    return bounded("from coloma.app import main; main()", *arguments, home=home)
