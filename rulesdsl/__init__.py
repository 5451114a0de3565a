"""A small language for the rules of board games, and an engine that plays them.

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
    from rulesdsl.check.frontend import lint, sources, vocabulary
    from rulesdsl.check.symbols.consistency import SourceLine
    from rulesdsl.check.symbols.vocabulary import Vocabulary, Word
    from rulesdsl.interpreter.decisions import Decision, Option
    from rulesdsl.interpreter.display.board_model import (
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
    from rulesdsl.interpreter.display.results import Chosen, Playouts, Rank, Result, Totals
    from rulesdsl.interpreter.display.rulebook import Printed, Rulebook, Topic
    from rulesdsl.interpreter.display.views import Score, ScoreLine
    from rulesdsl.interpreter.game import Game, IllegalChoice
    from rulesdsl.interpreter.log import Amount, Clause, LogLine, StoryLine
    from rulesdsl.interpreter.pack import OptionInfo, OptionValue, Pack, load
    from rulesdsl.interpreter.saves import SaveError
    from rulesdsl.interpreter.simulator.action_space import OptionName
    from rulesdsl.interpreter.simulator.functions import TooMuchWork
    from rulesdsl.interpreter.simulator.simulator import Simulator
    from rulesdsl.interpreter.why_not import Action, Reason
    from rulesdsl.lower.schema import Verdict
    from rulesdsl.source.diagnostics import Diagnostic, LintError, Report
    from rulesdsl.source.span import Span

_HOMES = {
    "rulesdsl.check.frontend": (
        "lint",
        "sources",
        "vocabulary",
    ),
    "rulesdsl.check.symbols.consistency": ("SourceLine",),
    "rulesdsl.check.symbols.vocabulary": (
        "Vocabulary",
        "Word",
    ),
    "rulesdsl.interpreter.display.board_model": (
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
    "rulesdsl.interpreter.decisions": (
        "Decision",
        "Option",
    ),
    "rulesdsl.interpreter.game": (
        "Game",
        "IllegalChoice",
    ),
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
        "load",
    ),
    "rulesdsl.interpreter.why_not": (
        "Action",
        "Reason",
    ),
    "rulesdsl.interpreter.display.rulebook": (
        "Printed",
        "Rulebook",
        "Topic",
    ),
    "rulesdsl.interpreter.saves": ("SaveError",),
    "rulesdsl.interpreter.simulator.action_space": ("OptionName",),
    "rulesdsl.interpreter.simulator.functions": ("TooMuchWork",),
    "rulesdsl.interpreter.simulator.simulator": ("Simulator",),
    "rulesdsl.interpreter.display.results": (
        "Chosen",
        "Playouts",
        "Rank",
        "Result",
        "Totals",
    ),
    "rulesdsl.interpreter.display.views": (
        "Score",
        "ScoreLine",
    ),
    "rulesdsl.lower.schema": ("Verdict",),
    "rulesdsl.source.diagnostics": (
        "Report",
        "Diagnostic",
        "LintError",
    ),
    "rulesdsl.source.span": ("Span",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name on first access, so that linting never loads the engine."""
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
