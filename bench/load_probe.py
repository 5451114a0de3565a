"""Load one pack in this process, and print the CPU seconds as JSON.

Usage: python -m bench.load_probe MODULE PACK MOD..., where MODULE is the engine's name. The import
of the engine is timed separately, because a long-lived process pays for it once.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.engine import Engine


def main(arguments: Sequence[str]) -> None:
    """Time the import of the engine and the loading of a pack."""
    module, pack, *mods = arguments
    start = time.process_time()
    engine = cast("Engine", importlib.import_module(module))
    imported = time.process_time()
    engine.load(Path(pack), [Path(mod) for mod in mods])
    loaded = time.process_time()
    json.dump({"import": imported - start, "load": loaded - imported}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
