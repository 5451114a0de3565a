"""One setting of a game: player count and options, with or without a log."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.display.board_model import BoardPlan
from rulesdsl.interpreter.display.results import Results
from rulesdsl.interpreter.display.rulebook import Printed, named, printed
from rulesdsl.interpreter.display.views import Standings, Views
from rulesdsl.interpreter.knowledge.tracking import Traceable
from rulesdsl.interpreter.labels import Labels
from rulesdsl.interpreter.log import LogReader
from rulesdsl.interpreter.saves import InProcess, Saver, Uncopied
from rulesdsl.interpreter.simulator.action_space import (
    Holding,
    OptionName,
    holdings_for,
    holdings_of,
    names_of,
    weighing_of,
)
from rulesdsl.lower.schema import (
    has_open_information,
    has_perfect_information,
    is_cooperative,
    shows_pieces,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rulesdsl.interpreter.display.scene import ScenePlan
    from rulesdsl.interpreter.engine import Engine
    from rulesdsl.interpreter.evaluator import Evaluator
    from rulesdsl.interpreter.knowledge.frames import SlotTable
    from rulesdsl.interpreter.reasons.why_not import Action, WhyNot
    from rulesdsl.interpreter.simulator.action_space import Weighing, Weights
    from rulesdsl.interpreter.simulator.module import Compiled
    from rulesdsl.lower.layout import Layout


@attrs.define(slots=False, eq=False, repr=False)
class CompiledSetting(Uncopied, InProcess):
    """Compiled code and the readers of its states, shared by all games with the same setting."""

    _sent_instead = "send the path of the pack, the players and the options"

    _compiled: Callable[[], Engine]
    layout: Layout
    pack_id: str
    mods: tuple[str, ...]
    digest: str
    options: dict[str, bool | int | str]
    key: str = ""
    """The key of its flat form and module in the disk cache; empty for no caching."""
    names: tuple[str, ...] = ()
    """The names of the first players; compiled code does not depend on them."""
    folders: tuple[Path, ...] = ()
    """The folders of the game and its mods."""

    def with_names(self, names: tuple[str, ...]) -> CompiledSetting:
        """Return the same setting with other names, sharing the compiled code."""
        if names == self.names:
            return self
        return attrs.evolve(self, compiled=lambda: self.engine, names=names)

    def __repr__(self) -> str:
        """Show the game, player count and options."""
        chosen = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"Setting({self.pack_id!r}, players={self.layout.players}, options=({chosen}))"

    @cached_property
    def engine(self) -> Engine:
        """The compiled Python code."""
        return self._compiled()

    @cached_property
    def box(self) -> Any:  # noqa: ANN401 - the state class is generated
        """The state before any game: all pieces at their homes."""
        return self.engine.states.new(0)

    @cached_property
    def module(self) -> Compiled:
        """The compiled module of the simulator."""
        from rulesdsl.interpreter.simulator.module import compiled  # noqa: PLC0415 - heavy

        return compiled(self.engine, self.key)

    @cached_property
    def asking_module(self) -> Compiled:
        """The simulator's module with option counts and weights."""
        from rulesdsl.interpreter.simulator.module import compiled  # noqa: PLC0415 - heavy

        return compiled(self.engine, self.key, [*self.labels.offers.values()])

    @cached_property
    def option_names(self) -> list[OptionName]:
        """The names of all options that can ever be offered."""
        return names_of(self.labels)

    @cached_property
    def traceable(self) -> Traceable:
        """The hidden things that players can follow."""
        return Traceable(self.engine, self.views)

    @cached_property
    def cooperative(self) -> bool:
        """True if the rules state a verdict for every game, and it is the same for all players."""
        return is_cooperative(self.layout.program, self.layout.players, self.layout.settings)

    @cached_property
    def open_information(self) -> bool:
        """True if nothing is ever hidden from a player, or chosen in secret."""
        return has_open_information(self.layout.program)

    @cached_property
    def perfect_information(self) -> bool:
        """True if nothing is ever hidden, chosen in secret or drawn at random."""
        return has_perfect_information(self.layout.program)

    @cached_property
    def slots(self) -> SlotTable:
        """The slots of frames, by the block in which a frame is suspended."""
        from rulesdsl.interpreter.knowledge.frames import SlotTable  # noqa: PLC0415 - bots only

        return SlotTable(self.views)

    @cached_property
    def shows(self) -> bool:
        """True if rules show pieces where they lie to others than the acting player."""
        return shows_pieces(self.layout.program)

    @cached_property
    def looks(self) -> Evaluator:
        """The evaluator of typed expressions, which compiles them on demand."""
        from rulesdsl.interpreter import evaluator  # noqa: PLC0415 - rarely needed

        return evaluator.Evaluator(self.engine)

    @cached_property
    def holdings(self) -> dict[str, Holding]:
        """The players' holdings by name; option weights may depend on them."""
        return holdings_of(self.layout)

    def weighing(self, weights: Weights | Sequence[Weights]) -> Weighing:
        """Return the weights of all options, compiled for repeated use."""
        return weighing_of(weights, self.option_names, self.holdings, self.layout)

    def levels(self, st: Any, weights: Weights, player: int) -> tuple[int, ...]:  # noqa: ANN401
        """Return the levels of a player's holdings (only of those that the weights depend on)."""
        holdings = holdings_for(weights, self.holdings)
        return tuple(each.level(st, player - 1) for each in holdings)

    @cached_property
    def question_ids(self) -> dict[int, str]:
        """The id of each question, by its number."""
        return self.labels.question_ids

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """All options that can ever be offered."""
        from rulesdsl.interpreter.reasons.why_not import actions_of  # noqa: PLC0415 - rarely needed

        return actions_of(self.labels)

    @cached_property
    def why_not(self) -> WhyNot:
        """The explainer of options that are not offered."""
        from rulesdsl.interpreter.reasons.why_not import WhyNot  # noqa: PLC0415 - rarely needed

        return WhyNot(self.labels, self.looks)

    @cached_property
    def labels(self) -> Labels:
        """The labels and ids of entities and options."""
        return Labels(self.engine, self.names)

    @cached_property
    def logs(self) -> LogReader:
        """The reader of logs of whole games."""
        return LogReader(self.labels, self.traceable)

    @cached_property
    def partial_logs(self) -> LogReader:
        """The reader of logs that lack the beginning of their game."""
        return LogReader(self.labels, self.traceable, whole=False)

    @cached_property
    def views(self) -> Views:
        """The reader of states."""
        return Views(self.labels)

    @cached_property
    def board_plan(self) -> BoardPlan:
        """The parts of the board that do not depend on the position."""
        return BoardPlan(self.labels)

    @cached_property
    def scene_plan(self) -> ScenePlan:
        """The parts of scenes that do not depend on the position."""
        from rulesdsl.interpreter.display.scene import ScenePlan  # noqa: PLC0415 - faces that draw

        return ScenePlan(self.board_plan)

    @cached_property
    def printed(self) -> tuple[Printed, ...]:
        """The printed text of the game's entries."""
        return printed(self.labels.world)

    @cached_property
    def named(self) -> tuple[Printed, ...]:
        """Descriptions of the on-screen names that are not in `printed`."""
        return named(self.labels, self.options)

    @cached_property
    def results(self) -> Results:
        """The reader of final results."""
        return Results(self.labels)

    @cached_property
    def standings(self) -> Standings:
        """The reader of scores during a game."""
        return Standings(self.views)

    @cached_property
    def saver(self) -> Saver:
        """The writer and reader of saved games."""
        return Saver(self.engine)
