"""One setting of a game: so many players, given options, with or without a log."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.labels import Labels
from rulesdsl.interpreter.log import LogReader
from rulesdsl.interpreter.named import named
from rulesdsl.interpreter.printed import Printed, printed
from rulesdsl.interpreter.questions import question_ids
from rulesdsl.interpreter.results import Results
from rulesdsl.interpreter.saves import Saver
from rulesdsl.interpreter.simulator.holdings import Holding, holdings_of
from rulesdsl.interpreter.simulator.offers import OptionName, names_of, offers_of
from rulesdsl.interpreter.standings import Standings
from rulesdsl.interpreter.views import Views
from rulesdsl.lower.schema import unfollowed

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.interpreter.compile import Engine
    from rulesdsl.interpreter.knowledge.frames import Slots
    from rulesdsl.interpreter.reasons.looks import Looks
    from rulesdsl.interpreter.reasons.reason import Action
    from rulesdsl.interpreter.reasons.why_not import WhyNot
    from rulesdsl.interpreter.simulator.compiled import Compiled
    from rulesdsl.interpreter.simulator.offers import Offer
    from rulesdsl.lower.layout import Layout


@attrs.define(slots=False, eq=False, repr=False)
class Setting:
    """Compiled code with everything that puts its states into words; shared by its games."""

    _compiled: Callable[[], Engine]
    layout: Layout
    pack_id: str
    mods: tuple[str, ...]
    digest: str
    options: dict[str, bool | int | str]
    key: str = ""
    """Under which its flat form and module are kept on disk, nothing where they are not."""
    names: tuple[str, ...] = ()
    """What the first players are called; nothing compiled depends on it."""

    def with_names(self, names: tuple[str, ...]) -> Setting:
        """Return the same setting with other names; what is compiled is shared."""
        if names == self.names:
            return self
        return attrs.evolve(self, compiled=lambda: self.engine, names=names)

    def __repr__(self) -> str:
        """Name the game, for how many players, and its options."""
        chosen = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"Setting({self.pack_id!r}, players={self.layout.players}, options=({chosen}))"

    @cached_property
    def engine(self) -> Engine:
        """The Python of the setting."""
        return self._compiled()

    @cached_property
    def box(self) -> Any:  # noqa: ANN401 - the state class is made at run time
        """The state before any game: all pieces where they begin."""
        return self.engine.states.new(0)

    @cached_property
    def module(self) -> Compiled:
        """The compiled module of the simulator."""
        from rulesdsl.interpreter.simulator.compiled import compiled  # noqa: PLC0415 - heavy

        return compiled(self)

    @cached_property
    def asking_module(self) -> Compiled:
        """The same one with options counted and weighed."""
        from rulesdsl.interpreter.simulator.compiled import compiled  # noqa: PLC0415 - heavy

        return compiled(self, asking=True)

    @cached_property
    def offers(self) -> dict[int, Offer]:
        """The numbers of the options of each question, by its own number."""
        return dict(zip(self.engine.asks, offers_of(self), strict=True))

    @cached_property
    def option_names(self) -> list[OptionName]:
        """What every option is called that may ever be offered."""
        return names_of(self)

    @cached_property
    def followed(self) -> tuple[str, ...]:
        """The hidden tracks of which everybody can tell when they change, and by what."""
        hidden = (e for e in self.layout.world.tracks.values() if e.seen_by and not e.during)
        return tuple(each.name for each in hidden if each.name not in self._unfollowed)

    @cached_property
    def public_marks(self) -> frozenset[str]:
        """The flags and tracks of pieces that are only changed where everybody sees it."""
        world = self.layout.world
        marks = frozenset(e.name for piece in self.views.printed for e in world.marks(piece))
        hidden = {each.name for each in world.tracks.values() if each.seen_by}
        return marks - hidden - self._unfollowed

    @cached_property
    def _unfollowed(self) -> frozenset[str]:
        return unfollowed(self.layout.program)

    @cached_property
    def slots(self) -> dict[int, Slots]:
        """The slots of frames, by the block in which they wait; found as they are needed."""
        return {}

    @cached_property
    def prints(self) -> dict[tuple[int, str], tuple[int, ...]]:
        """What each piece of a kind adds to a track, by the event; found as it is needed."""
        return {}

    @cached_property
    def looks(self) -> Looks:
        """The values of the checked tree at a position; they compile on demand."""
        from rulesdsl.interpreter.reasons.looks import Looks  # noqa: PLC0415 - seldom asked

        return Looks(self.engine)

    @cached_property
    def holdings(self) -> dict[str, Holding]:
        """What players have, by names: weights of options may depend on it."""
        return holdings_of(self.layout)

    @cached_property
    def question_ids(self) -> dict[int, str]:
        """What each question is called by programs, by its own number."""
        return question_ids(self.labels)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """All options that may ever be offered."""
        from rulesdsl.interpreter.reasons.actions import actions_of  # noqa: PLC0415 - seldom asked

        return actions_of(self)

    @cached_property
    def why_not(self) -> WhyNot:
        """The finder of reasons; it compiles on demand."""
        from rulesdsl.interpreter.reasons.why_not import WhyNot  # noqa: PLC0415 - seldom asked

        return WhyNot(self)

    @cached_property
    def labels(self) -> Labels:
        """Labels of things and options."""
        return Labels(self.engine, self.names)

    @cached_property
    def logs(self) -> LogReader:
        """The reader of logs."""
        return LogReader(self.labels)

    @cached_property
    def views(self) -> Views:
        """The reader of states."""
        return Views(self.labels)

    @cached_property
    def printed(self) -> tuple[Printed, ...]:
        """What is printed on the entries of the game."""
        return printed(self.labels.world)

    @cached_property
    def named(self) -> tuple[Printed, ...]:
        """What the other things are that a screen names."""
        return named(self)

    @cached_property
    def results(self) -> Results:
        """The scorer."""
        return Results(self.labels)

    @cached_property
    def standings(self) -> Standings:
        """The scorer of games that go on."""
        return Standings(self.views)

    @cached_property
    def saver(self) -> Saver:
        """The writer and reader of saves."""
        return Saver(self.engine)
