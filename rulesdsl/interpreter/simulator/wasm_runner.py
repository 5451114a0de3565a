"""One instance of a compiled module: its memory, and the calls into it."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.runtime import MASK
from rulesdsl.interpreter.simulator.chance import NEVER
from rulesdsl.interpreter.simulator.crossing import read_state, who_is_asked, write_state
from rulesdsl.lower.fold import signed

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.interpreter.simulator.map import Cells, Map


class WasmRunner:
    """Plays games in a module; the position is what is in its memory."""

    def __init__(self, setting: Setting, *, asking: bool = False) -> None:
        self._compiled = compiled = setting.asking_module if asking else setting.module
        self._setting = setting
        self._map: Map = compiled.map
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
        self._count = 0
        self._seed = 0

    # ---------------------------------------------------------------- the position
    @property
    def game(self) -> Game:
        """The position as a game of its own."""
        state = read_state(self._memory, self._map, self._setting.engine)
        return Game(self._setting, state, self._seed)

    @game.setter
    def game(self, game: Game) -> None:
        self._seed = game.seed
        write_state(self._memory, self._map, game.setting.engine, game.state)

    @property
    def asked(self) -> tuple[int, int] | None:
        """Who chooses, from 0, and among how many options; None where the game is over."""
        return who_is_asked(self._memory, self._map)

    def begin(self, seed: int) -> None:
        """Begin the game of a seed, and run to the first decision."""
        self._seed = seed
        self._compiled.called(self._store, self._begin, signed(seed & MASK))

    def choose(self, choices: Sequence[int]) -> int:
        """Carry out choices; return how many were too many, -1 where one was not offered."""
        cells = self._map.choices
        for at in range(0, len(choices), cells.size):
            part = choices[at : at + cells.size]
            cells.put(self._memory, part)
            left = self._compiled.called(self._store, self._choose, len(part))
            if left:
                return left if left < 0 else left + len(choices) - at - len(part)
        return 0

    def save(self) -> bytes:
        """Return the position as a copy of memory."""
        start = self._map.position.address
        return bytes(self._memory[start : start + self._used()])

    def _used(self) -> int:
        """Return how many bytes of the position are in use: the options come last."""
        end = self._map.options.address
        if not self._map.over.read(self._memory):
            counts = self._map.offered
            many = counts.read(self._memory) if counts.size == 1 else self._map.options.size
            end += many * self._map.options.width
        return end - self._map.position.address

    def restore(self, position: bytes) -> None:
        """Go on from a position that was saved; ValueError for anything else."""
        self._put(position, self._map.position)

    def _put(self, position: bytes, into: Cells) -> None:
        known = self._map.position
        if not self._map.options.address - known.address <= len(position) <= known.size:
            raise ValueError("this is not a position of this game")
        self._memory[into.address : into.address + len(position)] = position

    # ---------------------------------------------------------------- games by chance
    def play(
        self, run: int, first: int, count: int, position: bytes | None, most: int = NEVER
    ) -> None:
        """Play games of a run from a number on, from the beginning or from a position."""
        size = 0 if position is None else len(position)
        if position is not None and position is not self._root:
            self._put(position, self._map.root)
            self._root = position
        given = (signed(run & MASK), first, count, size, most)
        self._compiled.called(self._store, self._play, *given)
        self._count = count

    def results(self, into: dict[str, array[int]]) -> None:
        """Add the results of the games that were played last."""
        for section in self._map.sections:
            start = section.cells.address
            end = start + 8 * self._count * section.width
            into[section.name].frombytes(self._memory[start:end])

    # ---------------------------------------------------------------- options, one by one
    def weigh(self, weights: Sequence[int]) -> None:
        """Let options come as often as their weights say, by number and seat; begin to count."""
        self._map.weights.put(self._memory, weights)
        self.count()

    def count(self) -> None:
        """Begin to count what is offered and chosen."""
        for cell in self._noted():
            self._offered[cell] = self._chosen[cell] = 0
        self._map.many_noted.put(self._memory, [0])

    @property
    def counted(self) -> dict[int, tuple[int, int]]:
        """How often what was offered was offered, and chosen, by number and seat."""
        offered, chosen = self._offered, self._chosen
        return {cell: (offered[cell], chosen[cell]) for cell in sorted(self._noted())}

    def _noted(self) -> list[int]:
        return self._map.noted.unpack(self._memory, self._map.many_noted.read(self._memory))

    def _longs(self, cells: Cells) -> memoryview:
        return self._memory[cells.address : cells.end].cast("q")
