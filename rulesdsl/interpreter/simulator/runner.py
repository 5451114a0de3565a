"""What a back end of the simulator can do: `wasm_runner` and `python_runner` are the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rulesdsl.interpreter.simulator.chance import NEVER

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.simulator.holdings import Holding
    from rulesdsl.interpreter.simulator.question import Question
    from rulesdsl.interpreter.simulator.weighing import Weighing


class Runner(Protocol):
    """A back end: it holds one position, and plays games."""

    game: Game
    """The position, as a game of its own."""

    def vary(self, base: Game, position: bytes, game: Game) -> None:
        """Take the position of a game that is much like another one, of which it was saved."""

    @property
    def question(self) -> Question | None:
        """What is asked; None where the game is over."""

    def begin(self, seed: int) -> None:
        """Begin the game of a seed, and run to the first decision."""

    def choose(self, choices: Sequence[int]) -> int:
        """Carry out choices; return how many were too many, -1 where one was not offered."""

    def save(self) -> bytes:
        """Return the position."""

    def restore(self, position: bytes) -> None:
        """Go on from a position that was saved; ValueError for anything else."""

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
        """Play games of a run from a number on, from the beginning or from a position.

        Some choices come first; it is returned what `choose` returns of them.  Each game is
        stopped after `most` decisions.  What was offered and chosen is noted if it is `counting`.
        """

    def results(self, into: dict[str, array[int]]) -> None:
        """Add the results of the games that were played last."""

    def weigh(self, weighing: Weighing) -> None:
        """Let options come as often as their weights say; begin to count."""

    def levels(self, holdings: Sequence[Holding], seat: int) -> tuple[int, ...]:
        """Return how much a seat (from 0) has of some things."""

    def count(self) -> None:
        """Begin to count what is offered and chosen."""

    @property
    def counted(self) -> dict[int, tuple[int, int]]:
        """How often what was offered was offered, and chosen, by number and seat, in order.

        The numbers of all options are those of options as such; those that follow, block by
        block, are those of options where one has so much of a holding: `Weighing.rows`.
        """
