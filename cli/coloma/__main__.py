"""Entry point of `python -m coloma`."""

from __future__ import annotations

from coloma.app import main

if __name__ == "__main__":
    main()
