"""A small language for the rules of board games, and games played from it.

pack = rulesdsl.load("content")
game = pack.new_game(players=3, seed=7)
while decision := game.decision:
    game.choose(decision.options[0])
game.result
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesdsl.check.listing import sources, vocabulary
    from rulesdsl.check.read import lint
    from rulesdsl.check.report import Report
    from rulesdsl.check.sources import SourceLine
    from rulesdsl.check.vocabulary import Vocabulary
    from rulesdsl.check.words import Word
    from rulesdsl.interpreter.decision import Decision, Option
    from rulesdsl.interpreter.game import Game, IllegalChoice
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
    from rulesdsl.interpreter.simulator.playouts import Chosen, Playouts, Totals
    from rulesdsl.interpreter.simulator.simulator import Simulator
    from rulesdsl.interpreter.standings import Score, ScoreLine
    from rulesdsl.source.diagnostic import Diagnostic, LintError
    from rulesdsl.source.span import Span

_HOMES = {
    "rulesdsl.check.listing": (
        "sources",
        "vocabulary",
    ),
    "rulesdsl.check.read": ("lint",),
    "rulesdsl.check.report": ("Report",),
    "rulesdsl.check.sources": ("SourceLine",),
    "rulesdsl.check.vocabulary": ("Vocabulary",),
    "rulesdsl.check.words": ("Word",),
    "rulesdsl.interpreter.decision": (
        "Decision",
        "Option",
    ),
    "rulesdsl.interpreter.game": (
        "Game",
        "IllegalChoice",
    ),
    "rulesdsl.interpreter.loading": ("load",),
    "rulesdsl.interpreter.log": (
        "Amount",
        "Clause",
        "LogLine",
        "StoryLine",
    ),
    "rulesdsl.interpreter.pack": (
        "OptionInfo",
        "OptionValue",
        "Pack",
    ),
    "rulesdsl.interpreter.panels": (
        "BoardPanel",
        "Cell",
        "Form",
        "Grid",
        "Item",
        "Map",
        "Role",
        "Row",
        "Rows",
        "Spot",
        "Table",
        "TableLine",
        "When",
        "in_words",
    ),
    "rulesdsl.interpreter.printed": ("Printed",),
    "rulesdsl.interpreter.reasons.reason": (
        "Action",
        "Reason",
    ),
    "rulesdsl.interpreter.results": (
        "Rank",
        "Result",
        "Verdict",
    ),
    "rulesdsl.interpreter.rulebook": (
        "Rulebook",
        "Topic",
    ),
    "rulesdsl.interpreter.saved": ("SaveError",),
    "rulesdsl.interpreter.simulator.fuel": ("TooMuchWork",),
    "rulesdsl.interpreter.simulator.offers": ("OptionName",),
    "rulesdsl.interpreter.simulator.playouts": (
        "Chosen",
        "Playouts",
        "Totals",
    ),
    "rulesdsl.interpreter.simulator.simulator": ("Simulator",),
    "rulesdsl.interpreter.standings": (
        "Score",
        "ScoreLine",
    ),
    "rulesdsl.source.diagnostic": (
        "Diagnostic",
        "LintError",
    ),
    "rulesdsl.source.span": ("Span",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import what is asked for: a lint needs no engine, and starts in half the time without."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(home), name)
    return found


def __dir__() -> list[str]:
    return [*__all__]


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
