"""States of sessions as positions of a module, and back.

A session keeps a pile as a list and a frame as a list; a module has links and one frame for each
machine.  The core is what both have of the board.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.emit_values import field_name
from rulesdsl.interpreter.runtime import MASK
from rulesdsl.interpreter.simulator.map import COUNT, NO_LINK, Cells
from rulesdsl.interpreter.state import cells_of
from rulesdsl.lower.fold import signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulesdsl.interpreter.compile import Engine
    from rulesdsl.interpreter.simulator.map import Map, Piles, Waiting, Words


def core_of(
    arrays: Mapping[str, Cells],
    sets: Mapping[str, Words],
    piles: Mapping[str, Piles],
    st: object,
    base: object = None,
) -> Iterator[tuple[Cells, Sequence[int]]]:
    """Yield the cells of the core with the numbers that a state of a session has there.

    Those arrays that are `sets` follow from others.  What is as in a `base` is left out.
    """
    for name, cells in arrays.items():
        words = sets.get(name)
        of = name if words is None else words.of
        value = cells_of(st, of)
        if base is not None and value == cells_of(base, of):
            continue
        numbers = [value] if isinstance(value, int) else value
        yield cells, numbers if words is None else words.computed(cells.size, numbers)
    for piece, links in piles.items():
        lying = cells_of(st, f"l:{piece}")
        if base is None or lying != cells_of(base, f"l:{piece}"):
            yield from _linked(links, lying)


def _linked(piles: Piles, lying: list[list[int]]) -> Iterator[tuple[Cells, list[int]]]:
    """Yield the links of piles."""
    following, before = [NO_LINK] * piles.next.size, [NO_LINK] * piles.previous.size
    for pile in lying:
        for below, above in pairwise(pile):
            following[below], before[above] = above, below
    yield piles.next, following
    yield piles.previous, before
    yield piles.bottom, [pile[0] if pile else NO_LINK for pile in lying]
    yield piles.top, [pile[-1] if pile else NO_LINK for pile in lying]
    yield piles.count, [len(pile) for pile in lying]


def _lying(piles: Piles, memory: memoryview) -> list[list[int]]:
    """Return the piles of a kind of pieces, each from the bottom."""
    following = piles.next.unpack(memory)
    found: list[list[int]] = []
    for first in piles.bottom.unpack(memory):
        pile: list[int] = []
        at = first
        while at != NO_LINK:
            pile.append(at)
            at = following[at]
        found.append(pile)
    return found


# -------------------------------------------------------------------- in
def write_state(
    memory: memoryview,
    known: Map,
    engine: Engine,
    st: Any,  # noqa: ANN401
    base: Any = None,  # noqa: ANN401
) -> None:
    """Write a state of a session into a memory, which may hold another one of it, the base."""
    for cells, numbers in core_of(known.arrays, known.sets, known.piles, st, base):
        cells.put(memory, numbers)
    known.rng.put(memory, [signed(st.rng)])
    known.over.put(memory, [int(st.over)])
    known.answers.put(memory, st.answers or [-1] * known.answers.size)
    if base is not None and st.frames == base.frames and st.options == base.options:
        return
    machines = {name: number for number, name in enumerate(known.machines)}
    nodes = {(each.machine, each.block): -1 - at for at, each in enumerate(known.decisions)}
    stack: list[int] = []
    for at, frame in enumerate(reversed(st.frames)):
        name, _, told = engine.block_names[frame[0]].rpartition("/")
        waiting, block = known.machines[name], int(told)
        node = nodes[name, block] if at == 0 else block
        if node not in waiting.places:
            continue  # it only leaves: a module has no frame of it
        stack += [machines[name], waiting.places.index(node)]
        for (slot, cells), value in zip(waiting.slots.items(), frame[1:], strict=True):
            if slot in waiting.lists:
                items = value if isinstance(value, list) else []
                waiting.lists[slot].put(memory, items)
                attrs.evolve(cells, width=COUNT).put(memory, [len(items)])
            else:
                cells.put(memory, [int(value)])
    known.stack.put(memory, stack)
    known.depth.put(memory, [len(stack) // 2])
    if not st.over:
        lists = st.options if st.options and isinstance(st.options[0], list) else [st.options]
        known.offered.put(memory, [len(each) for each in lists])
        for at, each in enumerate(lists):
            known.options_of(at).put(memory, each)


# -------------------------------------------------------------------- out
def read_state(memory: memoryview, known: Map, engine: Engine) -> Any:  # noqa: ANN401
    """Return the state of a session that a memory holds; its log is empty."""
    st = engine.states.new(known.rng.read(memory) & MASK)
    for name, cells in known.arrays.items():
        if name in known.sets:
            continue
        numbers = cells.unpack(memory)
        single = isinstance(cells_of(st, name), int)
        setattr(st, field_name(name), numbers[0] if single else numbers)
    for piece, piles in known.piles.items():
        setattr(st, field_name(f"l:{piece}"), _lying(piles, memory))
    st.over = bool(known.over.read(memory))
    if st.over:
        return st
    sealed = False
    for at in range(known.depth.read(memory)):
        name, waiting, block = _frame(memory, known, at)
        if block < 0:
            decision = known.decisions[-1 - block]
            block, sealed = decision.block, decision.sealed
        number = engine.block_numbers[f"{name}/{block}"]
        st.frames.insert(0, [number, *(_slot(memory, waiting, each) for each in waiting.slots)])
    counts = enumerate(known.offered.unpack(memory))
    found = [known.options_of(at).unpack(memory, count) for at, count in counts]
    st.options = found if sealed else found[0]
    answers = known.answers.unpack(memory)
    st.answers = answers if sealed and any(each >= 0 for each in answers) else []
    return st


def _frame(memory: memoryview, known: Map, at: int) -> tuple[str, Waiting, int]:
    """Return of a frame, 0 is the topmost, the machine and the block or decision it waits in."""
    name = [*known.machines][known.stack.read(memory, 2 * at)]
    waiting = known.machines[name]
    return name, waiting, waiting.places[known.stack.read(memory, 2 * at + 1)]


def _slot(memory: memoryview, waiting: Waiting, slot: str) -> object:
    cells = waiting.slots[slot]
    if slot not in waiting.lists:
        return cells.read(memory)
    return waiting.lists[slot].unpack(memory, attrs.evolve(cells, width=COUNT).read(memory))
