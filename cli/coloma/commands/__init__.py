"""The commands. A new one is a module beside this file, one import and one line below."""

from __future__ import annotations

from collections.abc import Callable

from coloma.commands.bots import bots
from coloma.commands.compare import compare
from coloma.commands.dump import dump
from coloma.commands.explain import explain
from coloma.commands.fmt import fmt
from coloma.commands.games import games
from coloma.commands.learn import learn
from coloma.commands.lint import lint
from coloma.commands.lsp import lsp
from coloma.commands.new import new
from coloma.commands.packs import packs
from coloma.commands.play import play
from coloma.commands.replay import replay
from coloma.commands.report import report
from coloma.commands.rules import rules
from coloma.commands.schema import schema
from coloma.commands.simulate import simulate
from coloma.commands.sources import sources
from coloma.commands.test import run_tests
from coloma.commands.train import train
from coloma.commands.vocabulary import vocabulary
from coloma.commands.watch import watch

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
