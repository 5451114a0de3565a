"""What is half done, in another world: its locals, and the open question asked again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.check import typed as ty
from rulesdsl.interpreter.asks import LINE_MASK
from rulesdsl.lower.flat import LINE_BITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rulesdsl.check.types import Type
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.knowledge.hidden_tracks import Swaps


Held = tuple[int, int, "Callable[[Any], Any]"]
"""A slot that may hold pieces: its frame, where it is in it, and how its value changes."""


def swap_frames(game: Game, swaps: Swaps) -> None:
    """Put into the frames of a game the pieces that lie where those that they hold have lain."""
    change_frames(game, held_in(game, swaps))


def held_in(game: Game, swaps: Swaps) -> list[Held]:
    """Return the slots of the frames that may hold pieces; their changes read `swaps`."""
    engine, found = game.setting.engine, list[Held]()
    for number, frame in enumerate(game.state.frames):
        key = engine.block_names[frame[0]].rsplit("/", 1)[0]
        machine = engine.machine(key)
        asked = [each for each in engine.asks.values() if each.proc == key and not each.plain]
        lines = {each.slot: each.end.lines for each in asked if isinstance(each.end, ty.Decide)}
        for at, slot in enumerate(machine.holds, start=1):
            if at in lines:
                found.append((number, at, _each(taken(lines[at], swaps))))
            elif slot.kind.family == "piece":
                change = swapped(slot.kind, swaps)
                found.append((number, at, _each(change) if slot.many else change))
    return found


def change_frames(game: Game, held: Iterable[Held]) -> None:
    """Change the values of slots."""
    frames = game.state.frames
    for number, at, change in held:
        frames[number][at] = change(frames[number][at])


def swapped(kind: Type, swaps: Swaps) -> Callable[[Any], Any]:
    """Return what changes a value of a type."""
    mapped: Mapping[int, int] = swaps.get(kind.of, {}) if kind.family == "piece" else {}
    return lambda value: mapped.get(value, value) if isinstance(value, int) else value


def _each(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda values: [change(each) for each in values] if isinstance(values, list) else values


def taken(lines: tuple[ty.Line, ...], swaps: Swaps) -> Callable[[Any], Any]:
    """Return what changes options of lines."""

    def change(option: int) -> int:
        domain = lines[option >> LINE_BITS].domain if option >= 0 else None
        if domain is None:
            return option
        thing = swapped(domain.element, swaps)((option & LINE_MASK) - 1)
        return (option >> LINE_BITS << LINE_BITS) + int(thing) + 1

    return change


def ask_again(game: Game) -> bool:
    """Ask the open question again; false where nothing is asked, or nothing can be answered."""
    engine, st = game.setting.engine, game.state
    frame, depth = st.frames[-1], len(st.frames)
    number = frame[0]
    asked = engine.blocks[number](st, frame)
    if not asked or len(st.frames) != depth or frame[0] != number:
        return False
    sealed = engine.asks[number].sealed
    if sealed and st.answers:
        st.answers = [
            min(each, len(raw) - 1) for each, raw in zip(st.answers, st.options, strict=True)
        ]
    return all(st.options) if sealed else bool(st.options)
