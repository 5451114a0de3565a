"""The classics: one module for each game, with its matches and the rules to break."""

import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from classics.lockstep import CLASSICS, Break, Match

MODULES = (
    "backgammon",
    "breakthrough",
    "chess",
    "dots_and_boxes",
    "four_in_a_row",
    "gin_rummy",
    "go",
    "goofspiel",
    "hex_board",
    "kalah",
    "liars_dice",
    "nine_mens_morris",
    "quarter_turn",
    "reversi",
    "tic_tac_toe",
)


def matches(module: str) -> Sequence[Match]:
    """Return the matches of a game, one for each compared setting."""
    found: Sequence[Match] = import_module(f"classics.{module}").MATCHES
    return found


def breaks(module: str) -> Sequence[Break]:
    """Return the rules of a game to break; every break must be noticed."""
    found: Sequence[Break] = import_module(f"classics.{module}").BREAKS
    return found


def unnoticed(module: str) -> Mapping[str, str]:
    """Return why rules of a game can be removed unnoticed, by file and beginning of the rule."""
    text = Path(__file__).with_name("unnoticed.toml").read_text(encoding="utf-8")
    found: Mapping[str, str] = tomllib.loads(text).get(module, {})
    return found


@contextmanager
def broken(pack: str, rule: Break) -> Iterator[Path]:
    """Break a rule in a copy of a pack; raise ValueError unless the rule's text occurs once."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / pack
        shutil.copytree(CLASSICS / pack, copy)
        file = copy / rule.file
        text = file.read_text(encoding="utf-8")
        if text.count(rule.old) != 1:
            raise ValueError(f"{rule.old!r} is {text.count(rule.old)} times in {rule.file}")
        file.write_text(text.replace(rule.old, rule.new), encoding="utf-8")
        yield copy
