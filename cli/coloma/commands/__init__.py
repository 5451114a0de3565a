"""Table of commands. To add one, write a module in this folder, import it and add a line below."""

from __future__ import annotations

from collections.abc import Callable

from coloma.commands.compare import compare
from coloma.commands.developer import dump, lsp, schema
from coloma.commands.games import games, replay
from coloma.commands.lint import fmt, lint
from coloma.commands.new import new
from coloma.commands.play import learn, play
from coloma.commands.reference import bots, explain, packs, rules, sources, vocabulary
from coloma.commands.report import report
from coloma.commands.simulate import simulate
from coloma.commands.test import run_tests, watch
from coloma.commands.train import train

COMMANDS: dict[str, Callable[..., None]] = {
    "play": play,
    "games": games,
    "learn": learn,
    "rules": rules,
    "replay": replay,
    "lint": lint,
    "fmt": fmt,
    "new": new,
    "explain": explain,
    "vocabulary": vocabulary,
    "bots": bots,
    "simulate": simulate,
    "compare": compare,
    "report": report,
    "train": train,
    "test": run_tests,
    "watch": watch,
    "sources": sources,
    "dump": dump,
    "packs": packs,
    "schema": schema,
    "lsp": lsp,
}
