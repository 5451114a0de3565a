"""Games as plain data: every cell, the random numbers, and half-done effects."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import attrs
import cattrs

from rulesdsl.interpreter.emit_values import field_name
from rulesdsl.interpreter.engine import run
from rulesdsl.interpreter.runtime import MASK
from rulesdsl.interpreter.saved import SaveError, listed, number, numbers, table
from rulesdsl.interpreter.stacks import Stacks
from rulesdsl.interpreter.state import Piles
from rulesdsl.lower.fold import MAX_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rulesdsl.interpreter.compile import Engine
    from rulesdsl.interpreter.state import CellField

TRANSIENT = ("options", "log")


class Saver:
    """Turns the states of one setting into plain data and back."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._converter = cattrs.Converter(forbid_extra_keys=True, detailed_validation=False)
        cls = engine.states.cls
        left_out = {name: cattrs.gen.override(omit=True) for name in TRANSIENT}
        self._write: Callable[[Any], dict[str, Any]] = cattrs.gen.make_dict_unstructure_fn(
            cls,
            self._converter,
            **left_out,  # type: ignore[arg-type]
        )
        self._stacks = Stacks(engine)
        self._fields = [each.name for each in attrs.fields(cls) if each.name not in TRANSIENT]
        self._printed = [
            (field_name(f"l:{each.name}"), field_name(f"w:{each.name}"))
            for each in engine.layout.schema.pieces.values()
            if each.style == "printed"
        ]

    def data(self, st: Any) -> dict[str, Any]:  # noqa: ANN401 - the class is made at run time
        """Return a state as plain data; blocks are named, so that the file can be read."""
        found = self._write(st)
        found["frames"] = [
            [self.engine.block_names[frame[0]], *map(_plain, frame[1:])] for frame in st.frames
        ]
        return dict(found)

    def state(self, value: object) -> Any:  # noqa: ANN401
        """Return the state of plain data; SaveError where the game can wait in no such state.

        Every piece is in one cell, what is counted within its bounds, and the decision that is
        open is the one that the stack of half-done procedures leads to.
        """
        data = table("state", value, self._fields)
        checked: dict[str, Any] = {
            cell.name: _cell(cell, data[cell.name]) for cell in self.engine.states.fields
        }
        for piles, places in self._printed:
            _check_printed(checked, piles, places)
        checked["rng"] = number("state.rng", data["rng"], 0, MASK)
        checked["learned"] = number("state.learned", data["learned"], 0, MAX_NUMBER)
        checked["frames"] = self._stacks.read(data["frames"])
        checked["over"] = not checked["frames"]
        if data["over"] is not checked["over"]:
            raise SaveError("state.over", "is true where, and only where, nothing is under way")
        st = self.engine.states.cls(**checked)
        self._open(st, data)
        return st

    def _open(self, st: Any, data: Mapping[str, Any]) -> None:  # noqa: ANN401
        """Open the decision that a state is at, with the answers that there are so far."""
        if not st.over:
            frames = [*map(list, st.frames)]
            try:
                run(self.engine, st)
            except (LookupError, TypeError, ValueError, OverflowError) as error:
                raise SaveError("state", f"leads to nothing to be asked ({error})") from None
            changed = (each for each in self._fields if getattr(st, each) != data[each])
            for name in changed:
                if name not in {"frames", "answers"} or (name == "frames" and st.frames != frames):
                    raise SaveError(
                        f"state.{name}", "is not one at which the game waits for a choice"
                    )
        ask = None if st.over else self.engine.asks[st.frames[-1][0]]
        secret = ask is not None and ask.sealed
        offered = st.options if secret else [st.options] if ask else []
        if not all(offered):
            raise SaveError("state.frames", "leaves somebody nothing to choose")
        answers = listed("state.answers", data["answers"])
        if answers:
            counts = [len(each) for each in offered] if secret else []
            listed("state.answers", answers, len(counts))
            for at, (answer, count) in enumerate(zip(answers, counts, strict=True)):
                number(f"state.answers[{at}]", answer, -1, count - 1)
            if -1 not in answers:
                raise SaveError("state.answers", "has all answers, and nobody is asked any more")
        st.answers = answers


def _plain(value: object) -> object:
    return [*map(_plain, value)] if isinstance(value, list | tuple) else value


def _cell(cell: CellField, value: object) -> object:
    path, begun = f"state.{cell.name}", cell.start
    if not isinstance(begun, list):
        return number(path, value, cell.low, cell.high)
    found = listed(path, value, len(begun))
    if cell.type is Piles:
        if {*map(type, found)} <= {list}:  # all at once, which is faster
            every = [cell.low, *chain.from_iterable(found)]
            if {*map(type, every)} <= {int} and cell.low <= min(every) <= max(every) <= cell.high:
                return [*map(list, found)]
        return [
            numbers(f"{path}[{at}]", each, cell.low, cell.high) for at, each in enumerate(found)
        ]
    absent = cell.absent
    there = [each for at, each in enumerate(found) if at not in absent] if absent else found
    numbers(path, there, cell.low, cell.high)
    if [found[at] for at in absent] != [begun[at] for at in absent]:
        raise SaveError(path, "has pieces of seats that have none")
    for heap in cell.heaps:
        count = sum([found[at] for at in heap])
        if count != sum([begun[at] for at in heap]):
            in_the_box = sum(begun[at] for at in heap)
            raise SaveError(path, f"has {count} pieces where there are {in_the_box} in the box")
    return found


def _check_printed(data: Mapping[str, Any], piles: str, where: str) -> None:
    """Raise SaveError unless every printed piece lies in one pile, the one that it names."""
    found = [-1] * len(data[where])
    for code, pile in enumerate(data[piles]):
        for piece in pile:
            if found[piece] >= 0:
                raise SaveError(f"state.{piles}", f"has piece {piece} twice")
            found[piece] = code
    if found != data[where]:
        raise SaveError(f"state.{where}", f"says other places than `state.{piles}`")
