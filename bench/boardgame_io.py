"""The small games on boardgame.io, in a Node child process that measures its own CPU time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import attrs

from bench.timing import Elsewhere

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bench.small_games import SmallGame

DRIVER: Final = Path(__file__).parent / "node" / "driver.js"
PATIENCE: Final = 60.0  # seconds for one answer
_SEED: Final = 1
# `require` searches the working folder, its parents and NODE_PATH, which `import` ignores.
_WHERE: Final = "require.resolve('boardgame.io/internal')"


class ChildError(Exception):
    """Missing or invalid answer from the child process."""


@attrs.frozen
class Installed:
    """Paths of Node, and of the library to load."""

    node: str
    library: str


def find() -> Installed | str:
    """Find Node and the package, or return a string that names the missing part."""
    node = shutil.which("node")
    if node is None:
        return "no node on the path"
    try:
        answer = subprocess.run(  # noqa: S603 - node itself, with our arguments
            [node, "-p", _WHERE], capture_output=True, text=True, check=True, timeout=PATIENCE
        )
    except subprocess.SubprocessError:
        return "node finds no package boardgame.io; bench/README.md says how to install it"
    return Installed(node, answer.stdout.strip())


@contextmanager
def playing(installed: Installed, game: SmallGame) -> Iterator[Elsewhere]:
    """Provide a small game, played by a child process, as work whose units are plies."""
    command = [installed.node, f"--random-seed={_SEED}", str(DRIVER), installed.library, game.stem]
    with child(command) as work:
        yield work


@contextmanager
def child(command: Sequence[str], patience: float = PATIENCE) -> Iterator[Elsewhere]:
    """Start a process that speaks the protocol of `node/driver.js`, and end it afterwards."""
    process = subprocess.Popen(  # noqa: S603 - as above
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,  # stderr stays visible
        text=True,
        env=os.environ | {"NODE_ENV": "production"},  # without checks for game authors
    )
    assert process.stdin is not None
    assert process.stdout is not None
    line = _Line(process.stdin, process.stdout, process.kill, patience)
    try:
        line.expect_ready()
        yield Elsewhere(line.play)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        with suppress(BrokenPipeError):  # an unread request may be left
            process.stdin.close()


@attrs.frozen
class _Line:
    """Connection to a child process, which is killed if it does not answer in time."""

    ask: IO[str]
    hear: IO[str]
    kill: Callable[[], None]
    patience: float

    def expect_ready(self) -> None:
        """Wait until the child is warm."""
        if (said := self._answer("")) != "ready":
            raise ChildError(f"the child is not ready; it answered {said!r}")

    def play(self, games: int) -> tuple[int, float]:
        """Request a number of games; return their plies and the child's CPU seconds."""
        match self._answer(f"{games}\n"):
            case {"plies": int(plies), "seconds": float() | int() as seconds}:
                return plies, seconds
            case other:
                raise ChildError(f"the child answered {other!r}")

    def _answer(self, question: str) -> object:
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self.kill()

        watch = threading.Timer(self.patience, give_up)
        watch.start()
        try:
            self.ask.write(question)
            self.ask.flush()
            said = self.hear.readline()
        except BrokenPipeError:
            said = ""
        finally:
            watch.cancel()
        if late.is_set():
            raise ChildError(f"the child gave no answer within {self.patience:g} seconds")
        if not said:
            raise ChildError("the child ended too soon; see its stderr")
        try:
            return json.loads(said)
        except ValueError:
            return said
