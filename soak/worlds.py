"""Another world that looks the same to one player: what it is made of, and how it goes on.

Hidden pieces change places, and every local of a half-done effect that holds one goes with them;
the open question is asked again there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.check import typed as ty
from rulesdsl.interpreter.asks import LINE_MASK
from rulesdsl.lower import form as fm
from rulesdsl.lower.flat import LINE_BITS
from soak.playing import state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import rulesdsl
    from rulesdsl.check.types import Type
    from rulesdsl.interpreter.asks import Ask

Swaps = dict[str, dict[int, int]]  # kind of pieces -> piece -> the one in its place
Changed = "Callable[[Any], Any]"


def swap_frames(game: rulesdsl.Game, swaps: Swaps) -> None:
    """Put into the frames of a game the pieces that lie where those that they hold have lain."""
    engine = game.setting.engine
    for frame in state_of(game).frames:
        machine = engine.form.machines[engine.block_names[frame[0]].rsplit("/", 1)[0]]
        held = dict(_held(machine, game.setting.labels.program.procs[machine.key].params, swaps))
        for at, slot in enumerate(engine.flat.machines[machine.key].slots, start=1):
            if slot in held:
                frame[at] = held[slot](frame[at])


def _held(  # noqa: C901 - one case for each thing that binds
    machine: fm.Machine, params: tuple[ty.Local, ...], swaps: Swaps
) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield for each slot that may hold pieces how its value changes."""
    for param in params:
        yield param.name, _one(param.type, swaps)
    for block in machine.blocks:
        for step in block.steps:
            if isinstance(step, ty.SetLocal):
                yield step.name, _one(step.value.type, swaps)
            elif isinstance(step, ty.Snapshot):
                yield step.name, _each(_one(step.domain.element, swaps))
        match block.end:
            case fm.AskSecret(answers=name, domain=domain):
                yield name, _each(_one(domain.element, swaps))
            case fm.Ask(lines=lines, spent=spent):
                if spent is not None:
                    yield spent, _each(_taken(lines, swaps))
                for line in lines:
                    if line.variable is not None and line.domain is not None:
                        yield line.variable, _one(line.domain.element, swaps)
            case _:
                pass


def _one(kind: Type, swaps: Swaps) -> Callable[[Any], Any]:
    mapped: Mapping[int, int] = swaps.get(kind.of, {}) if kind.family == "piece" else {}
    return lambda value: mapped.get(value, value) if isinstance(value, int) else value


def _each(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda values: [change(each) for each in values] if isinstance(values, list) else values


def _taken(lines: tuple[ty.Line, ...], swaps: Swaps) -> Callable[[Any], Any]:
    def change(option: int) -> int:
        domain = lines[option >> LINE_BITS].domain if option >= 0 else None
        if domain is None:
            return option
        thing = _one(domain.element, swaps)((option & LINE_MASK) - 1)
        return (option >> LINE_BITS << LINE_BITS) + int(thing) + 1

    return change


def ask_again(game: rulesdsl.Game) -> bool:
    """Ask the open question again; false where nothing is asked, or nothing can be answered."""
    engine, st = game.setting.engine, state_of(game)
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


def carried(
    game: rulesdsl.Game, other: rulesdsl.Game, player: int, index: int, swaps: Swaps, *, same: bool
) -> int | None:
    """Return which option of another world is the same to who looks on; None where none is.

    Of what is chosen in secret, that is the piece that lies there in its place.
    """
    if same:
        return index
    ask = game.setting.engine.asks[state_of(game).frames[-1][0]]
    here = _options(game, player)[index]
    secret = ask.sealed or ask.secret(here)
    wanted = carried_raw(ask, here, swaps) if secret else here
    there = _options(other, player)
    return there.index(wanted) if wanted in there else None


def _options(game: rulesdsl.Game, player: int) -> list[int]:
    st = state_of(game)
    sealed = game.setting.engine.asks[st.frames[-1][0]].sealed
    return list(st.options[player - 1] if sealed else st.options)


def chosen_from(ask: Ask, option: int) -> ty.Domain | None:
    """Return where the thing that an option names is chosen from."""
    found = None if ask.sealed else ask.domain(option)
    return found and found.unfiltered


def carried_raw(ask: Ask, option: int, swaps: Swaps) -> int:
    """Return an option with the pieces that lie there in the place of those that it names."""
    if ask.plain:
        domain = ask.domain(option)
        return option if domain is None else int(_one(domain.element, swaps)(option))
    assert isinstance(ask.end, fm.Ask)
    return int(_taken(ask.end.lines, swaps)(option))
