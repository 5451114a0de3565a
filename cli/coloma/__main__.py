"""Entry point of `coloma` and `python -m coloma`."""

from __future__ import annotations

import sys

INTERRUPTED = 130  # as in `coloma.output`, which may not be loaded yet


def main() -> None:
    """Load the command and run it; it can be interrupted while it loads, too."""
    try:
        from coloma.app import main as run
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
