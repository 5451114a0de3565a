"""Run all measurements, or one section: python -m bench [--seconds S] [--only SECTION]."""

from __future__ import annotations

import argparse
import platform
from typing import TYPE_CHECKING, Final

from bench import classics, edits, shipped, small_games

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_SECTIONS: Final[Mapping[str, Callable[[float], str]]] = {
    "small": small_games.report,
    "packs": shipped.report,
    "classics": classics.report,
    "edits": edits.report,
}
_DEFAULT_SECONDS: Final = 3.0
INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Print each requested section as soon as its measurements are done."""
    asked = _parser().parse_args(arguments)
    print(
        f"Python {platform.python_version()} on {platform.machine()} {platform.system()};"
        f" {asked.seconds:g} CPU seconds per measurement and contender,"
        " medians of alternating slices (quartiles in parentheses)."
    )
    try:
        for name, report in _SECTIONS.items():
            if asked.only in (None, name):
                print(f"\n{report(asked.seconds)}", flush=True)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--seconds",
        type=_positive,
        default=_DEFAULT_SECONDS,
        help="CPU seconds for each measurement (default: %(default)s)",
    )
    parser.add_argument("--only", choices=list(_SECTIONS), help="measure only this section")
    return parser


def _positive(text: str) -> float:
    value = float(text)
    if not value > 0:
        message = f"{text} is not more than 0"
        raise argparse.ArgumentTypeError(message)
    return value


if __name__ == "__main__":
    main()
