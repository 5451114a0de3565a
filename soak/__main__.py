"""The command line of the soaks: `python -m soak SOAK`, with the options of each."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def seeds(text: str) -> range:
    """Return the numbers that `FROM..TO` means."""
    first, found, last = text.partition("..")
    if not found or not first.isdigit() or not last.isdigit():
        raise argparse.ArgumentTypeError("expected FROM..TO, such as 1..1000")
    return range(int(first), int(last) + 1)


OPTIONS: dict[str, dict[str, Any]] = {
    "commit": {"help": "what is compared with"},
    "folder": {"type": Path, "help": "folder of the pack"},
    "files": {"nargs": "+", "type": Path, "help": "results of sittings"},
    "--seeds": {"type": seeds, "required": True, "help": "FROM..TO, both included"},
    "--out": {"type": Path, "help": "file of results; a stopped sitting goes on"},
    "--stop": {"action": "store_true", "help": "end with the first failure"},
    "--packs": {"action": "append", "default": [], "help": "folder of a pack; else all we ship"},
    "--pack": {"default": "content", "help": "folder of the pack"},
    "--mod": {"dest": "mods", "action": "append", "default": [], "help": "folder of a mod"},
    "--seed": {"type": int, "default": 1},
    "--jobs": {"type": int, "default": os.cpu_count() or 1},
    "--players": {"type": int, "help": "so many only; else all there can be"},
    "--iterations": {"type": int, "help": "of bots that think"},
    "--think": {"dest": "seconds", "type": float, "help": "seconds of bots that think"},
    "--names": {"type": int, "default": 100, "help": "so many misspelt names"},
    "--one": {"required": True, "help": "the kind of bot that is looked at"},
    "--others": {"default": "random", "help": "the kind of all others"},
    "--results": {"type": Path, "help": "a line for each case; goes on there"},
}
BOTS = "--one --others --iterations --think"
SOAKS = {  # each with its module and function, its options, and what it is about
    "scratch": ("packs.scratch", "--seeds --out --jobs --stop",
                "packs from scratch are refused or play"),
    "mutants": ("packs.mutants", "--seeds --out --jobs --stop --packs",
                "packs with a few things changed are refused or play"),
    "judge": ("packs.judge", "folder --seeds", "judge the pack in a folder"),
    "summary": ("sitting.summary", "files", "what sittings came to"),
    "playouts": ("playouts.run", "--games=400 --pack --seed --jobs --players --mod",
                 "modules play the games that sessions play"),
    "since": ("since.run", "commit --games=200 --pack --seed --jobs --mod",
              "the same games as at another commit"),
    "saves": ("saves.run", "--count=1000 --pack --seed --jobs --results",
              "changed saves are refused or played on"),
    "journals": ("journals.run", "--count=1000 --pack --seed --jobs --results",
                 "changed journals are refused or played on"),
    "lsp": ("lsp.run", "--edits=10000 --pack --seed",
            "the language server under random edits and questions"),
    "peeking": ("peeking.run", "--positions=2000 --pack --seed --players --iterations",
                "no bot looks at what it may not know"),
    "strength": ("strength.run", f"--games=200 --pack --seed --jobs --players {BOTS} --results",
                 "how often a bot wins against others"),
    "screens": ("screens.run", "--positions=1000 --pack --seed",
                "boards and questions fit their terminal"),
    "slips": ("slips.run", "--count=220 --names --seed",
              "fixes leave slips of one word alone or restore the text"),
    "sentences": ("sentences.run", "--games=200 --pack --seed",
                  "every question and line of the log is in words"),
}  # fmt: skip


def main() -> int:
    """Run a soak and return its exit status: 0 where everything held."""
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
