"""Runner of games in an instance of a compiled module."""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.python.runtime import MASK
from rulesdsl.interpreter.simulator.action_space import MOST_CELLS, PILES, level_of
from rulesdsl.interpreter.simulator.runner import NEVER, OpenQuestion, QuestionReader
from rulesdsl.interpreter.simulator.state_transfer import number, read_state, write_state
from rulesdsl.lower.flat.walk import signed

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from rulesdsl.interpreter.setting import CompiledSetting
    from rulesdsl.interpreter.simulator.action_space import Holding, Weighing
    from rulesdsl.interpreter.simulator.state_transfer import ArrayRegion, MemoryMap


class WasmRunner:
    """Runner that plays in a module; the position is the content of its memory."""

    def __init__(self, setting: CompiledSetting, *, asking: bool = False) -> None:
        self._compiled = compiled = setting.asking_module if asking else setting.module
        self._setting = setting
        self._map: MemoryMap = compiled.map
        self._store, exports = compiled.instance()
        self._play, self._begin, self._choose = (
            exports[each] for each in ("play", "begin", "choose")
        )
        memory = exports["memory"]
        address = ctypes.addressof(memory.data_ptr(self._store).contents)
        size = memory.data_len(self._store)  # it never grows
        self._memory = memoryview((ctypes.c_ubyte * size).from_address(address)).cast("B")
        self._offered = self._longs(self._map.offered_so_far)
        self._chosen = self._longs(self._map.chosen_so_far)
        self._root: bytes | None = None
        # the cells of holdings, by name and seat
        self._lying: dict[str, tuple[tuple[slice, ...], ...]] = {}
        self._count = 0
        self._seed = 0

    # ---------------------------------------------------------------- the position
    @property
    def game(self) -> Game:
        """The position as an independent game."""
        state = read_state(self._memory, self._map, self._setting.engine)
        return Game(self._setting, state, self._seed)

    @game.setter
    def game(self, game: Game) -> None:
        self._seed = game.seed
        write_state(self._memory, self._map, game.setting.engine, game.state)

    def vary(self, base: Game, position: bytes, game: Game) -> None:
        """Take over the position of a game similar to `base`, which was saved as `position`."""
        self.restore(position)
        write_state(self._memory, self._map, game.setting.engine, game.state, base.state)

    @property
    def question(self) -> OpenQuestion | None:
        """The open question; None if the game is over."""
        return self._reader.read()

    @cached_property
    def _reader(self) -> QuestionReader:
        blocks, decisions = self._setting.engine.block_numbers, self._map.decisions
        every = (blocks[f"{each.machine}/{each.block}"] for each in decisions)
        return QuestionReader(
            self._memory, self._map, [self._setting.labels.offers[each] for each in every]
        )

    def begin(self, seed: int) -> None:
        """Begin a game with a seed, and run to the first decision."""
        self._seed = seed
        self._called(self._begin, signed(seed & MASK))

    def choose(self, choices: Sequence[int]) -> int:
        """Apply choices; return the number left over, or -1 if one of them was illegal."""
        cells = self._map.choices
        for at in range(0, len(choices), cells.size):
            part = choices[at : at + cells.size]
            cells.put(self._memory, part)
            left = self._called(self._choose, len(part))
            if left:
                return left if left < 0 else left + len(choices) - at - len(part)
        return 0

    def _called(self, function: Any, *given: int) -> int:  # noqa: ANN401 - of `wasmtime`
        self._map.given.put(self._memory, given)
        self._compiled.call(self._store, function)
        return self._map.given.read(self._memory)

    def save(self) -> bytes:
        """Return the position as a copy of memory."""
        start = self._map.position.address
        return bytes(self._memory[start : start + self._used()])

    def _used(self) -> int:
        """Return the used bytes of the position; unused room for options comes last."""
        end = self._map.options.address
        if not self._map.over.read(self._memory):
            counts = self._map.offered
            many = counts.read(self._memory) if counts.size == 1 else self._map.options.size
            end += many * self._map.options.width
        return end - self._map.position.address

    def restore(self, position: bytes) -> None:
        """Restore a saved position; raise ValueError if its length is wrong."""
        self._put(position, self._map.position)

    def _put(self, position: bytes, into: ArrayRegion) -> None:
        known = self._map.position
        if not self._map.options.address - known.address <= len(position) <= known.size:
            raise ValueError("this is not a position of this game")
        self._memory[into.address : into.address + len(position)] = position

    # ---------------------------------------------------------------- playouts
    def play(
        self,
        run: int,
        first: int,
        count: int,
        position: bytes | None,
        most: int = NEVER,
        choices: Sequence[int] = (),
        *,
        counting: bool = False,
    ) -> int:
        """Play the games of a run from number `first` on, from the beginning or from a position.

        `choices` are applied first; the result is as for `choose`. Each game stops after `most`
        decisions. If `counting`, offered and chosen options are recorded.
        """
        size = 0 if position is None else len(position)
        if position is not None and position is not self._root:
            self._put(position, self._map.root)
            self._root = position
        if len(choices) > self._map.choices.size:
            raise ValueError(f"`choices` has more than {self._map.choices.size} items")
        self._map.choices.put(self._memory, choices)
        self._count = count
        pending = len(choices)
        return self._called(
            self._play, signed(run & MASK), first, count, size, pending, most, counting
        )

    def results(self, into: dict[str, array[int]]) -> None:
        """Append the results of the last games."""
        for section in self._map.sections:
            start = section.cells.address
            end = start + 8 * self._count * section.width
            into[section.name].frombytes(self._memory[start:end])

    # ---------------------------------------------------------------- counts and weights
    def weigh(self, weighing: Weighing) -> None:
        """Set the option weights and reset the counts."""
        known, memory = self._map.looks, self._memory
        self._map.weights.put(memory, weighing.cells)
        known.factors.put(memory, weighing.factors)
        many, seats = len(weighing.holdings), self._setting.layout.seats
        known.looking.put(memory, [many * each for each in weighing.looking or [False] * seats])
        counts = [self._counts(each) for each in weighing.holdings]
        known.widths.put(memory, [each.width for each in counts])
        addresses = [
            address
            for holding, each in zip(weighing.holdings, counts, strict=True)
            for cells in holding.cells
            for address in _padded([each.slice(at).start for at in cells])
        ]
        known.addresses.put(memory, addresses)
        self.count()

    def _counts(self, holding: Holding) -> ArrayRegion:
        kind, _, piece = holding.array.partition(":")
        return (
            self._map.piles[piece].count
            if f"{kind}:" == PILES
            else self._map.arrays[holding.array]
        )

    def levels(self, holdings: Sequence[Holding], seat: int) -> tuple[int, ...]:
        """Return the levels of a seat's holdings; seats are numbered from 0."""
        memory, found = self._memory, []
        for each in holdings:
            if each.name not in self._lying:
                counts = self._counts(each)
                cells = tuple(tuple(map(counts.slice, some)) for some in each.cells)
                self._lying[each.name] = cells
            where = self._lying[each.name][seat]
            found.append(level_of(sum(number(memory[at]) for at in where)))
        return tuple(found)

    def count(self) -> None:
        """Reset the counts of offered and chosen options."""
        for cell in self._noted():
            self._offered[cell] = self._chosen[cell] = 0
        self._map.many_noted.put(self._memory, [0])

    @property
    def counted(self) -> dict[int, tuple[int, int]]:
        """The counts (offered, chosen) by cell, in order of option number and seat.

        The first block of cells counts all options; each further block counts them at one level of
        one holding, as numbered by `Weighing.rows`.
        """
        offered, chosen = self._offered, self._chosen
        return {cell: (offered[cell], chosen[cell]) for cell in sorted(self._noted())}

    def _noted(self) -> list[int]:
        return self._map.noted.unpack(self._memory, self._map.many_noted.read(self._memory))

    def _longs(self, cells: ArrayRegion) -> memoryview:
        return self._memory[cells.address : cells.end].cast("q")


def _padded(addresses: list[int]) -> list[int]:
    return addresses + [0] * (MOST_CELLS - len(addresses))
