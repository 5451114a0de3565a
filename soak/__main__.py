"""Command line for the soak tests: `python -m soak SOAK`."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def seeds(text: str) -> range:
    """Parse a range of numbers written as `FROM..TO`."""
    first, found, last = text.partition("..")
    if not found or not first.isdigit() or not last.isdigit():
        raise argparse.ArgumentTypeError("expected FROM..TO, such as 1..1000")
    return range(int(first), int(last) + 1)


OPTIONS: dict[str, dict[str, Any]] = {
    "commit": {"help": "the commit to compare with"},
    "folder": {"type": Path, "help": "folder of the pack"},
    "--seeds": {"type": seeds, "required": True, "help": "FROM..TO, both inclusive"},
    "--out": {"type": Path, "help": "file for results"},
    "--packs": {
        "action": "append",
        "default": [],
        "help": "folder of a pack; by default all shipped packs",
    },
    "--pack": {"default": "content", "help": "folder of the pack"},
    "--mod": {"dest": "mods", "action": "append", "default": [], "help": "folder of a mod"},
    "--seed": {"type": int, "default": 1},
    "--jobs": {"type": int, "default": os.cpu_count() or 1},
    "--players": {"type": int, "help": "number of players; by default, each possible number"},
    "--iterations": {"type": int, "help": "playouts per choice of searching bots; 0 for no bots"},
    "--ids": {"type": Path, "help": "TOML file: ids at the commit, with the ids here"},
    "--ignore": {
        "default": "",
        "help": "aspects that may differ: ids, labels, prompts, secrecy, log, story, result",
    },
    "--kinds": {"type": int, "default": 20, "help": "kinds of differences to list per aspect"},
    "--names": {"type": int, "default": 100, "help": "number of misspelt names"},
}
SOAKS = {  # module and function, options, description
    "scratch": ("packs.scratch", "--seeds --out --jobs",
                "random packs are refused or playable"),
    "mutants": ("packs.mutants", "--seeds --out --jobs --packs",
                "mutants of packs are refused or playable"),
    "judge": ("packs.judge", "folder --seeds", "the pack in a folder is refused or playable"),
    "playouts": ("playouts.run", "--games=400 --pack --seed --jobs --players --mod",
                 "WebAssembly and Python play the same games"),
    "since": ("since.run", "commit --games=200 --pack --seed --jobs --mod --ids --ignore --kinds",
              "games are the same as at another commit"),
    "saves": ("saves.run", "--count=1000 --pack --seed --jobs",
              "corrupted saves are refused or playable"),
    "journals": ("journals.run", "--count=1000 --pack --seed --jobs",
                 "corrupted journals are refused or playable"),
    "lsp": ("lsp.run", "--edits=10000 --pack --seed",
            "the language server survives random edits and requests"),
    "peeking": ("peeking.run", "--positions=2000 --pack --seed --players --iterations",
                "bots do not use hidden information"),
    "views": ("views.run", "--positions=500 --pack --mod --seed",
              "displays do not tell what their viewer may not know"),
    "answers": ("answers.run", "--count=20000 --pack --mod --seed",
                "a typed line chooses nothing that it does not name"),
    "screens": ("screens.run", "--games=20 --packs --seed",
                "boards and questions fit in the terminal and hide nothing"),
    "slips": ("slips.run", "--count=220 --names --seed",
              "fixes leave wrong words alone or restore the text"),
    "words": ("words.run", "--games=50 --pack --mod --seed --kinds --out",
              "players read sentences in words, not rule source"),
    "story": ("story.run", "--games=200 --pack --seed --mod",
              "the story tells every change that its reader may see"),
}  # fmt: skip


def main() -> int:
    """Run a soak test, and return the exit status: 0 if all guarantees hold."""
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    kinds = parser.add_subparsers(dest="soak", required=True)
    for soak, (_, options, about) in SOAKS.items():
        each = kinds.add_parser(soak, help=about)
        for option in options.split():
            name, counted, default = option.partition("=")
            if counted:
                each.add_argument(name, dest="count", type=int, default=int(default))
            else:
                each.add_argument(name.replace("packs", "pack"), **OPTIONS[name])
    given = vars(parser.parse_args())
    module, _, function = SOAKS[given.pop("soak")][0].partition(".")
    status: int = getattr(import_module(f"soak.{module}"), function)(**given)
    return status


if __name__ == "__main__":
    sys.exit(main())
