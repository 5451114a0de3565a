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
    from rulesdsl.interpreter.display.scene import (
        Scene,
        SceneCell,
        SceneOption,
        ScenePiece,
        SceneValue,
    )
    from rulesdsl.interpreter.display.scene_changes import SceneChange
    from rulesdsl.interpreter.display.views import Score, ScoreLine
    from rulesdsl.interpreter.game import Game, IllegalChoice
    from rulesdsl.interpreter.knowledge.sampling import NoWorld
    from rulesdsl.interpreter.log import Amount, Clause, LogLine, StoryLine
    from rulesdsl.interpreter.pack import OptionInfo, OptionValue, Pack, load
    from rulesdsl.interpreter.reasons.why_not import Action, Reason
    from rulesdsl.interpreter.saves import SaveError
    from rulesdsl.interpreter.simulator.action_space import OptionName
    from rulesdsl.interpreter.simulator.functions import TooMuchWork
    from rulesdsl.interpreter.simulator.simulator import Simulator
    from rulesdsl.lower.schema import Verdict
    from rulesdsl.source.diagnostics import Diagnostic, LintError, Report
    from rulesdsl.source.span import Span

_HOMES = {
    "check.frontend": "lint sources vocabulary",
    "check.symbols.consistency": "SourceLine",
    "check.symbols.vocabulary": "Vocabulary Word",
    "interpreter.decisions": "Decision Option",
    "interpreter.display.board_model": (
        "BoardPanel Cell Form Grid Item Map Role Row Rows Spot Table TableLine When in_words"
    ),
    "interpreter.display.results": "Chosen Playouts Rank Result Totals",
    "interpreter.display.rulebook": "Printed Rulebook Topic",
    "interpreter.display.scene": "Scene SceneCell SceneOption ScenePiece SceneValue",
    "interpreter.display.scene_changes": "SceneChange",
    "interpreter.display.views": "Score ScoreLine",
    "interpreter.game": "Game IllegalChoice",
    "interpreter.knowledge.sampling": "NoWorld",
    "interpreter.log": "Amount Clause LogLine StoryLine",
    "interpreter.pack": "OptionInfo OptionValue Pack load",
    "interpreter.saves": "SaveError",
    "interpreter.simulator.action_space": "OptionName",
    "interpreter.simulator.functions": "TooMuchWork",
    "interpreter.simulator.simulator": "Simulator",
    "interpreter.reasons.why_not": "Action Reason",
    "lower.schema": "Verdict",
    "source.diagnostics": "Report Diagnostic LintError",
    "source.span": "Span",
}
_HOME_OF = {name: f"rulesdsl.{home}" for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Import a public name on first access, so that linting never loads the engine."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


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
    "NoWorld",
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
    "Scene",
    "SceneCell",
    "SceneChange",
    "SceneOption",
    "ScenePiece",
    "SceneValue",
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
