"""A small language for the rules of board games, and games played from it.

pack = rulesdsl.load("content")
game = pack.new_game(players=3, seed=7)
while decision := game.decision:
    game.choose(decision.options[0])
game.result
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.read import Report, check_pack
from rulesdsl.check.sources import SourceLine, number_sources
from rulesdsl.check.vocabulary import Vocabulary, collect_vocabulary
from rulesdsl.check.words import Word
from rulesdsl.interpreter.game import Decision, Game, IllegalChoice, Option
from rulesdsl.interpreter.loading import load
from rulesdsl.interpreter.log import Amount, Clause, LogLine, StoryLine
from rulesdsl.interpreter.pack import OptionInfo, OptionValue, Pack
from rulesdsl.interpreter.panels import (
    BoardPanel,
    Cell,
    Form,
    Grid,
    Item,
    Map,
    Role,
    Row,
    Rows,
    Spot,
    Table,
    TableLine,
    When,
    in_words,
)
from rulesdsl.interpreter.printed import Printed
from rulesdsl.interpreter.reasons.reason import Action, Reason
from rulesdsl.interpreter.results import Rank, Result, Verdict
from rulesdsl.interpreter.rulebook import Rulebook, Topic
from rulesdsl.interpreter.saved import SaveError
from rulesdsl.interpreter.simulator.fuel import TooMuchWork
from rulesdsl.interpreter.simulator.offers import OptionName
from rulesdsl.interpreter.simulator.simulator import Chosen, Playouts, Simulator, Totals
from rulesdsl.interpreter.standings import Score, ScoreLine
from rulesdsl.source.diagnostic import Diagnostic, LintError
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def lint(path: str | Path, mods: Sequence[str | Path] = ()) -> Report:
    """Check a pack, with mods laid over it; every finding, and never an exception."""
    return check_pack(path, mods)[2]


def sources(path: str | Path, mods: Sequence[str | Path] = ()) -> tuple[SourceLine, ...]:
    """List every number of a pack that is not the rulebook's, with its source and place.

    Raises LintError where the content has errors.
    """
    layers, checked, report = check_pack(path, mods)
    if layers is None or checked is None or report.errors:
        raise LintError(report.errors, report.sources)
    return number_sources(layers, checked)


def vocabulary(path: str | Path, mods: Sequence[str | Path] = ()) -> Vocabulary:
    """List what a game and its mods declare: verbs, values, places, pieces, tables, numbers.

    What cannot be read of it is left out; raises LintError where the pack cannot be read at all.
    """
    layers, checked, report = check_pack(path, mods)
    if layers is None or checked is None:
        raise LintError(report.diagnostics, report.sources)
    return collect_vocabulary(layers, checked.program.world)


__all__ = [
    "Action",
    "Amount",
    "BoardPanel",
    "Cell",
    "Chosen",
    "Clause",
    "Decision",
    "Diagnostic",
    "Form",
    "Game",
    "Grid",
    "IllegalChoice",
    "Item",
    "LintError",
    "LogLine",
    "Map",
    "Option",
    "OptionInfo",
    "OptionName",
    "OptionValue",
    "Pack",
    "Playouts",
    "Printed",
    "Rank",
    "Reason",
    "Report",
    "Result",
    "Role",
    "Row",
    "Rows",
    "Rulebook",
    "SaveError",
    "Score",
    "ScoreLine",
    "Simulator",
    "SourceLine",
    "Span",
    "Spot",
    "StoryLine",
    "Table",
    "TableLine",
    "TooMuchWork",
    "Topic",
    "Totals",
    "Verdict",
    "Vocabulary",
    "When",
    "Word",
    "in_words",
    "lint",
    "load",
    "sources",
    "vocabulary",
]
