"""Execution of one setting's compiled code: running to the next decision and applying choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs

from rulesdsl.interpreter.decision_points import LINE_MASK, DecisionPoint
from rulesdsl.interpreter.python.expressions import function_name
from rulesdsl.interpreter.python.lazy_module import OnDemand
from rulesdsl.interpreter.python.machines import ModuleEmitter
from rulesdsl.interpreter.python.runtime import Finished
from rulesdsl.interpreter.state import StateFactory, answers_of
from rulesdsl.lower.flat import LINE_BITS, Event, Flat, value_name
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.schema import Type
from rulesdsl.source.span import Span


@attrs.define(slots=False, eq=False)
class Engine:
    """The compiled code for one setting of a game.

    `make_code` returns the globals of the Python code: it runs at first use, since the simulator
    needs none. If functions are compiled on demand, `asks`, `events` and `texts` grow with each
    first call.
    """

    layout: Layout
    states: StateFactory
    make_code: Callable[[], dict[str, Any]]
    asks: Mapping[int, DecisionPoint]  # by block number, in the order of the decisions
    events: Sequence[Event]
    texts: Sequence[str]
    _emitter: ModuleEmitter
    logging: bool
    on_demand: OnDemand | None = None

    @cached_property
    def names(self) -> dict[str, Any]:
        """The globals of the Python code."""
        return self.make_code()

    @cached_property
    def blocks(self) -> list[Any]:
        """The function of each block."""
        found: list[Any] = self.names["BLOCKS"]
        return found

    @cached_property
    def block_numbers(self) -> dict[str, int]:
        """The number of each block, by procedure and position."""
        numbers = self._emitter.numbers.items()
        return {f"{key}/{at}": number for (key, at), number in numbers}

    @cached_property
    def block_names(self) -> list[str]:
        """The names of all blocks, by number."""
        return [*self.block_numbers]

    @cached_property
    def clone(self) -> Any:  # noqa: ANN401 - the state class is generated
        """The function that copies a state."""
        return self.names["clone_state"]

    @property
    def flat(self) -> Flat:
        """The whole program in the flat form."""
        if self.on_demand is not None:
            self.on_demand.planned.write_all()
        return self._emitter.flat

    @property
    def marks(self) -> list[Span]:
        """The spans of the rules behind the generated code, by its line numbers."""
        return self._emitter.marks.spans

    def slots(self, key: str) -> tuple[str, ...]:
        """Return the slot names of a procedure's frame; only `me` if it asks no question."""
        machine = self._emitter.flat.machines.get(key)
        return ("me",) if machine is None else machine.slots

    # ---------------------------------------------------------------- evaluation
    def value(self, name: str, layer: int, st: Any, *arguments: int) -> object:  # noqa: ANN401
        """Return a named value in a state, decoded: a list as its items, text as a string."""
        kind = self.layout.schema.values[name, layer]
        function = value_name(name, layer)
        if kind.family == "bundle":
            parts = self.layout.parts(function)
            return tuple(self.call(each, st, *arguments) for each in parts)
        return self.shown(kind, self.call(function, st, *arguments))

    def shown(self, kind: Type, number: int) -> object:
        """Return the list or string that a number encodes, or the number itself."""
        if kind.family == "list":
            return self._emitter.flat.lists[number]
        if kind.family == "text" and number >= 0:
            return self.texts[number]
        return number

    def call(self, function: str, st: Any, *arguments: int) -> int:  # noqa: ANN401
        """Return the result of calling a function in the flat form."""
        return int(self.names[function_name(function)](st, *arguments))

    def guard(self, key: str, st: Any, me: int, *arguments: int) -> bool:  # noqa: ANN401
        """Return whether a procedure can be carried out."""
        is_guarded = key in self.layout.schema.guarded
        return not is_guarded or bool(self.call(f"can:{key}", st, me, *arguments))

    # ---------------------------------------------------------------- play
    def start(self, st: Any) -> None:  # noqa: ANN401 - the state class is generated
        """Begin the game and run to the first decision."""
        self.push(st, "game", -1, [])
        self.run(st)

    def push(self, st: Any, key: str, me: int, arguments: list[Any]) -> None:  # noqa: ANN401
        """Push a frame for a procedure, or run the procedure at once if it asks no question."""
        if not self.layout.schema.procs[key].decides:
            try:
                self.names[function_name(f"do:{key}")](st, me, *arguments)
            except Finished:
                st.frames.clear()
            return
        slots = len(self.slots(key)) - 1 - len(arguments)
        first = self.block_numbers[f"{key}/0"]
        st.frames.append([first, me, *arguments, *([0] * slots)])

    def instead(self, st: Any, key: str, me: int, *arguments: int) -> None:  # noqa: ANN401
        """Carry out a procedure, if it can be, in place of what the state is at.

        It runs to its end or to its first question.
        """
        st.frames, st.options, st.answers = [], [], []
        if self.guard(key, st, me, *arguments):
            self.push(st, key, me, [*arguments])
        self.run(st)

    def run(self, st: Any) -> None:  # noqa: ANN401
        """Run until a decision is open or the game is over."""
        frames, blocks = st.frames, self.blocks
        try:
            while frames:
                frame = frames[-1]
                if blocks[frame[0]](st, frame):
                    return
        except Finished:
            frames.clear()
        st.over = True
        st.options = []

    def choose(self, st: Any, ask: DecisionPoint, at: int) -> None:  # noqa: ANN401
        """Apply an option of the open decision, which must not be sealed, and run on."""
        frames = st.frames
        frame = frames[-1]
        option = st.options[at]
        if ask.plain:
            frame[ask.slot] = option
            frame[0] = ask.targets[0]
        elif option < 0:
            frame[0] = ask.targets[-1]
        else:
            line = option >> LINE_BITS
            if ask.variables[line]:
                frame[ask.variables[line]] = (option & LINE_MASK) - 1
            if ask.once[line]:
                frame[ask.slot] = [*frame[ask.slot], option]
            frame[0] = ask.targets[line]
        blocks = self.blocks
        try:  # the loop of `run`, inlined: most of a game's time is spent here
            while frames:
                frame = frames[-1]
                if blocks[frame[0]](st, frame):
                    return
        except Finished:
            frames.clear()
        st.over = True
        st.options = []

    def answer(self, st: Any, player: int, at: int) -> None:  # noqa: ANN401
        """Record a player's secret answer; after the last one, reveal all answers and run on."""
        st.answers = answers_of(st)
        st.answers[player] = at
        if -1 in st.answers:
            return
        frame = st.frames[-1]
        ask = self.asks[frame[0]]
        frame[ask.slot] = [
            options[chosen] for options, chosen in zip(st.options, st.answers, strict=True)
        ]
        frame[0] = ask.targets[0]
        st.answers = []
        st.learned += 1
        self.run(st)
