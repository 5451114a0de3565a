"""Games as plain data: every cell, the random numbers, and half-done effects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cattrs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rulesdsl.interpreter.compile import Engine

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
        self._numbers = {name: at for at, name in enumerate(engine.block_names)}

    def data(self, st: Any) -> dict[str, Any]:  # noqa: ANN401 - the class is made at run time
        """Return a state as plain data; blocks are named, so that the file can be read."""
        found = self._write(st)
        found["frames"] = [
            [self.engine.block_names[frame[0]], *(_plain(each) for each in frame[1:])]
            for frame in st.frames
        ]
        return dict(found)

    def state(self, data: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Return the state of plain data; ValueError where it cannot be one."""
        fields = dict(data)
        try:
            frames = fields.pop("frames")
            st = self.engine.states.new(int(fields["rng"]))
            for name, value in fields.items():
                self._put(st, name, value)
            st.frames = [self._frame(frame) for frame in frames]
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            message = f"this is not a saved game of this pack ({error})"
            raise ValueError(message) from None
        return st

    def _put(self, st: Any, name: str, value: object) -> None:  # noqa: ANN401
        if name in TRANSIENT or name.startswith("_"):
            raise KeyError(name)
        before = getattr(st, name)
        if not _alike(before, value) and name != "answers":
            message = f"`{name}` has another shape"
            raise TypeError(message)
        setattr(st, name, _plain(value))

    def _frame(self, frame: list[Any]) -> list[Any]:
        number = self._numbers[frame[0]]
        key = frame[0].rsplit("/", 1)[0]
        machine = self.engine.form.machines[key]
        if len(frame) != len(machine.slots) + 2:
            message = f"a frame of `{key}` has another length"
            raise TypeError(message)
        return [number, *(_plain(each) for each in frame[1:])]


def _plain(value: object) -> Any:  # noqa: ANN401
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, bool | int):
        return value
    message = f"{value!r} is no number"
    raise TypeError(message)


def _alike(before: object, value: object) -> bool:
    if isinstance(before, list):
        if not isinstance(value, list) or len(before) != len(value):
            return False
        inner = [each for each in before if isinstance(each, list)]
        if inner:
            return all(
                isinstance(each, list) and all(isinstance(one, int) for one in each)
                for each in value
            )
        return all(isinstance(each, int) for each in value)
    return isinstance(value, int)
