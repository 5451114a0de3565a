"""Sampler of positions consistent with an observation."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.interpreter.knowledge.dealing import Deals, Dealt, Spots, TrackCourse
from rulesdsl.interpreter.knowledge.frames import SPREAD, ask_again
from rulesdsl.interpreter.knowledge.observing import SPOT
from rulesdsl.interpreter.python.expressions import field_name
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.interpreter.knowledge.observing import Observation


def sample(observation: Observation, seed: int) -> Any:  # noqa: ANN401
    """Return a state that the player of an observation cannot tell from the real one.

    Raises RuntimeError if no position is found in which the player is asked the same.
    """
    return Sampler(observation).draw(seed)


@attrs.frozen
class _Kind:
    """Spots of a kind of pieces: the first number, and the contents of their cells."""

    name: str
    first: int
    cells: list[tuple[int, list[int]]]
    spots: Spots

    def lay(self, st: Any, dealt: list[int]) -> None:  # noqa: ANN401
        """Lay out the faces that were dealt."""
        piles, where = cells_of(st, f"l:{self.name}"), cells_of(st, f"w:{self.name}")
        faces = iter(dealt)
        for cell, pile in self.cells:
            piles[cell] = laid = [each if each >= 0 else next(faces) for each in pile]
            for piece in laid:
                where[piece] = cell


class Sampler:
    """Sampler for one observation; work shared by all samples is done once.

    It gets an observation and no game, so it cannot peek. For each sample it deals the unknown
    faces to the spots, uniformly over all assignments that the player considers possible, computes
    the hidden tracks from the deal (`Deals`), and repeats the open question. A deal is rejected if
    the player would get other options.

    Values that do not follow from the faces are approximated:

    - locals of suspended procedures are computed from their definitions in the current position,
      or drawn if there is none;
    - a hidden track with changes that some players cannot follow is uniform between its minimum
      and the largest value of it visible elsewhere;
    - marks on hidden pieces are as at the beginning, unless their changes are public;
    - choices of other players restrict the faces only by conditions on printed fields of the
      chosen piece, not by their plausibility.
    """

    def __init__(self, observation: Observation) -> None:
        self._setting, self._data = observation.setting, observation.data
        self.player: int = self._data["player"]
        """The player (from 0) who cannot tell the positions apart."""
        self._st = self._setting.engine.states.new(0)
        self._kinds = [*self._laid()]
        self._first = {each.name: each.first for each in self._kinds}
        self._deals = Deals({each.name: each.spots for each in self._kinds}, [*self._courses()])
        self._blanks = [*self._cells()]
        self._slots = [self._setting.slots[each[0]] for each in self._data["frames"]]

    def _laid(self) -> Iterator[_Kind]:
        """Lay out the known pieces, and yield the kinds that have unknown ones."""
        first = SPOT
        for name, piles in self._data["piles"].items():
            where = cells_of(self._st, f"w:{name}")
            cells_of(self._st, f"l:{name}")[:] = [[e for e in pile if e >= 0] for pile in piles]
            for cell, pile in enumerate(piles):
                for piece in pile:
                    if piece >= 0:
                        where[piece] = cell
            cells = [(at, pile) for at, pile in enumerate(piles) if any(e < 0 for e in pile)]
            spots = [~each for _, pile in cells for each in pile if each < 0]
            if spots:
                yield _Kind(name, first, cells, Spots.of(spots, self._data["classes"][name]))
            first += len(spots)

    def _courses(self) -> Iterator[TrackCourse]:
        """Yield the hidden cells of tracks that follow from the faces."""
        for name, cell, start, changes in self._data["tracks"]:
            info = self._setting.layout.world.tracks[name]
            made = [
                (by, [(kind, spot - self._first[kind], amounts) for kind, spot, amounts in spots])
                for by, spots in changes
            ]
            yield TrackCourse(name, cell, info.low, info.high, start, made)

    def _cells(self) -> Iterator[tuple[str, int, int, int]]:
        """Fill the arrays; yield the cells to draw, with their bounds."""
        starts = {each.name: each.low for each in self._setting.engine.states.fields}
        for name, value in self._data["cells"].items():
            low = starts[name]
            filled: Any = low if value is None else value
            if isinstance(value, list):
                filled = [low if each is None else each for each in value]
            setattr(self._st, name, filled)
        world = self._setting.layout.world
        printed = self._setting.views.printed
        for track in world.tracks.values():
            if track.seen_by is None or track.name in self._setting.followed:
                continue
            if any(each in printed for each in track.dims):
                continue
            value = self._data["cells"][field_name(f"t:{track.name}")]
            cells = value if isinstance(value, list) else [value]
            seen = [each for each in cells if each is not None]
            most = min(track.high, max(seen, default=track.low + SPREAD))
            yield from (
                (track.name, at, track.low, most) for at, e in enumerate(cells) if e is None
            )

    # ---------------------------------------------------------------- a position
    def draw(self, seed: int) -> Any:  # noqa: ANN401
        """Return a state; raise RuntimeError if none is found with the same question."""
        chance = random.Random(seed)  # noqa: S311 - not cryptographic
        for _ in self._deals.each(chance):
            made = self._made(self._deals.dealt, chance)
            if made is not None:
                return made
        raise RuntimeError("no other position with the same question was found")

    def _made(self, dealt: Dealt, chance: random.Random) -> Any:  # noqa: ANN401
        """Return the state of a deal; None if the player would be asked something else."""
        st = self._setting.engine.clone(self._st)
        for each in self._kinds:
            each.lay(st, dealt[each.name])
        drawn = [(name, at, chance.randint(*bounds)) for name, at, *bounds in self._blanks]
        for name, at, value in (*self._deals.values, *drawn):
            field = field_name(f"t:{name}")
            cells = getattr(st, field)
            if isinstance(cells, int):
                setattr(st, field, value)
            else:
                cells[at] = value
        st.frames = self._filled(dealt)
        self._define(st, chance)
        st.rng = chance.getrandbits(64)
        if self._data["over"]:
            st.over = True
            return st
        return st if self._asks(st) else None

    def _filled(self, dealt: Dealt) -> list[list[Any]]:
        first = self._first
        return [
            slots.replaced(frame, lambda kind, e: e if e < SPOT else dealt[kind][e - first[kind]])
            for frame, slots in zip(self._data["frames"], self._slots, strict=True)
        ]

    def _define(self, st: Any, chance: random.Random) -> None:  # noqa: ANN401
        """Compute the locals that the player does not know from their definitions, or draw them.

        An argument is drawn if the procedure that passed it has already ended.
        """
        for number, (frame, slots) in enumerate(zip(st.frames, self._slots, strict=True)):
            for at, _, name, part, most in slots.hidden:
                if frame[at] is None:
                    found = self._defined(st, number, name, part)
                    frame[at] = chance.randint(0, most) if found is None else found

    def _defined(self, st: Any, number: int, name: str, part: int) -> int | None:  # noqa: ANN401
        """Return the value of a local's definition, or of a parameter's argument."""
        procs, slots = self._setting.layout.program.procs, self._slots[number]
        value = slots.defined.get(name)
        params = [each.name for each in procs[slots.machine].params]
        if value is None and name in params and number:
            number -= 1
            steps = ty.walk(procs[self._slots[number].machine].body)
            calls = (e for e in steps if isinstance(e, ty.Run) and e.proc == slots.machine)
            value = next((each.arguments[params.index(name)] for each in calls), None)
        if value is None:
            return None
        words = ty.MessageText(("", ""), (value,), ("",))
        of = self._slots[number].machine, words, st, st.frames[number]
        return self._setting.looks.numbers(*of)[part]

    def _asks(self, st: Any) -> bool:  # noqa: ANN401
        """Repeat the open question; return whether the player is offered the same options.

        Secret answers of other players are reopened.
        """
        options = self._data["options"]
        if not ask_again(self._setting.engine, st):
            return False
        if isinstance(st.options[0], list):
            if self._data["answer"] >= 0:
                st.answers = [-1] * self._setting.layout.players
                st.answers[self.player] = self._data["answer"]
            return bool(st.options[self.player] == options)
        return options is None or bool(st.options == options)
