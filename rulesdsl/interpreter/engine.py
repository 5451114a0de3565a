"""Driver of the compiled code: runs blocks up to the next decision, and applies choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.interpreter.decision_points import LINE_MASK
from rulesdsl.interpreter.python.expressions import function_name
from rulesdsl.interpreter.python.runtime import Finished
from rulesdsl.lower.flat import LINE_BITS

if TYPE_CHECKING:
    from rulesdsl.interpreter.compile import Engine
    from rulesdsl.interpreter.decision_points import DecisionPoint


def start(engine: Engine, st: Any) -> None:  # noqa: ANN401 - the state class is made at run time
    """Begin the game and run to the first decision."""
    push(engine, st, "game", -1, [])
    run(engine, st)


def push(engine: Engine, st: Any, key: str, me: int, arguments: list[Any]) -> None:  # noqa: ANN401
    """Put a procedure on the stack, or carry it out at once where nobody decides in it."""
    if not engine.layout.schema.procs[key].decides:
        try:
            engine.names[function_name(f"do:{key}")](st, me, *arguments)
        except Finished:
            st.frames.clear()
        return
    slots = len(engine.slots(key)) - 1 - len(arguments)
    first = engine.block_numbers[f"{key}/0"]
    st.frames.append([first, me, *arguments, *([0] * slots)])


def run(engine: Engine, st: Any) -> None:  # noqa: ANN401
    """Run until a decision is open or the game is over."""
    frames, blocks = st.frames, engine.blocks
    try:
        while frames:
            frame = frames[-1]
            if blocks[frame[0]](st, frame):
                return
    except Finished:
        frames.clear()
    st.over = True
    st.options = []


def choose(engine: Engine, st: Any, ask: DecisionPoint, at: int) -> None:  # noqa: ANN401
    """Apply an option of the open, not sealed, decision and run on."""
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
    blocks = engine.blocks
    try:  # the loop of `run`, inlined: most of a game's time is spent here
        while frames:
            frame = frames[-1]
            if blocks[frame[0]](st, frame):
                return
    except Finished:
        frames.clear()
    st.over = True
    st.options = []


def answer(engine: Engine, st: Any, player: int, at: int) -> None:  # noqa: ANN401
    """Record a player's secret answer; after the last one, reveal all and run on."""
    if not st.answers:
        st.answers = [-1] * engine.layout.players
    st.answers[player] = at
    if -1 in st.answers:
        return
    frame = st.frames[-1]
    ask = engine.asks[frame[0]]
    frame[ask.slot] = [
        options[chosen] for options, chosen in zip(st.options, st.answers, strict=True)
    ]
    frame[0] = ask.targets[0]
    st.answers = []
    st.learned += 1
    run(engine, st)
