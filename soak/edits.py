"""`python -m soak edits`: while somebody types, a session finds what a cold lint finds.

Each sequence is five edits of a game with its mods: of letters, words, lines, strings and names of
files, and some that take one back. After each edit the findings of a session that goes on from
check to check are compared with those of a check that knows nothing. At the end all is saved, and
linted from the disk.
"""

from __future__ import annotations

import random
import re
import shutil
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

import rulesdsl
from rulesdsl.check.read import check_pack
from rulesdsl.editor import Session
from rulesdsl.editor.overlay import Overlay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulesdsl import Report

EDITS = 5  # of a sequence
SEQUENCES = 10  # of a session, so that it has a past
READ = (".rules", ".toml", ".md")
NOT_READ = {"scenarios", "lessons", "bots", "schema"}  # folders that no lint reads
LETTERS = "abcdeghinorstuy-0123456789 \"'=:,.#[]{}()\n"
_WORD = re.compile(r"[A-Za-z][\w'-]*|\d+")
_STRING = re.compile(r'"[^"\n]{2,}"')


@attrs.frozen
class Target:
    """A game with mods, below the folder of the shipped content."""

    game: str
    mods: tuple[str, ...] = ()


TARGETS = (
    Target(".", ("mods/deluxe", "mods/variants")),
    Target("sutters_mill"),
    Target(".", ("mods/deluxe",)),
    Target("sutters_mill"),
)


class Typist:
    """Somebody who edits the files of a game: some are open and not saved, others on the disk."""

    def __init__(self, root: Path, target: Target, chance: random.Random) -> None:
        self.root = root
        self.chance = chance
        self.game = root / target.game
        self.mods = [root / each for each in target.mods]
        self.session = Session(self.game, self.mods)
        self.open: dict[Path, str] = {}
        self.past: list[tuple[Path, str]] = []

    def files(self) -> list[Path]:
        """Return the files that a lint reads, but for those of packs that are not edited."""
        found: set[Path] = set(self.open)
        for folder in (self.game, *self.mods):
            inner = {each.parent for each in folder.rglob("pack.toml")} - {folder}
            for path in folder.rglob("*"):
                inside = path.relative_to(folder).parts[:-1]
                if path.suffix in READ and not inner & {*path.parents}:
                    found |= {path} if NOT_READ.isdisjoint(inside) else set()
        return sorted(found)

    def text(self, path: Path) -> str:
        """Return what a file says at the moment."""
        return self.open[path] if path in self.open else path.read_text(encoding="utf-8")

    def edit(self) -> str:
        """Make one edit; return what it was."""
        ways: dict[Callable[[], str], int] = {
            self._letter: 8, self._word: 6, self._line: 4, self._string: 4,
            self._undo: 4, self._close: 1, self._save: 1, self._rename: 1, self._number: 2,
        }  # fmt: skip
        (way,) = self.chance.choices(list(ways), list(ways.values()))
        return f"{way.__name__[1:]} {way()}"

    def findings(self) -> tuple[Report, Report]:
        """Return what the session finds, and what a check finds that knows nothing."""
        overlay = Overlay()
        for path, text in self.open.items():
            overlay.put(path, text)
        return self.session.check().report, check_pack(self.game, self.mods, overlay)[2]

    def saved(self) -> tuple[Report, Report]:
        """Save everything; return what the session finds, and what is found on the disk."""
        for path, text in self.open.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
            self.session.edit(path, None)
        self.open.clear()
        return self.session.check().report, rulesdsl.lint(self.game, self.mods)

    # ---------------------------------------------------------------- ways
    def _put(self, path: Path, text: str) -> str:
        self.past.append((path, self.text(path)))
        self.open[path] = text
        self.session.edit(path, text)
        return path.relative_to(self.root).as_posix()

    def _some(self) -> tuple[Path, str]:
        """Return a file, long ones more often."""
        files = self.files()
        sizes = [len(self.text(each)) + 1 for each in files]
        (path,) = self.chance.choices(files, sizes)
        return path, self.text(path)

    def _letter(self) -> str:
        path, text = self._some()
        at = self.chance.randrange(len(text) + 1)
        new = self.chance.choice(["", self.chance.choice(LETTERS), self.chance.choice(LETTERS)])
        gone = at + self.chance.choice([0, 1])
        return self._put(path, text[:at] + new + text[gone:])

    def _replace(self, pattern: re.Pattern[str], new: Callable[[list[str]], str]) -> str:
        path, text = self._some()
        found = list(pattern.finditer(text))
        if not found:
            return self._put(path, text + "\n# end\n")
        old = self.chance.choice(found)
        word = new([each[0] for each in found])
        return self._put(path, text[: old.start()] + word + text[old.end() :])

    def _word(self) -> str:
        return self._replace(_WORD, self.chance.choice)

    def _number(self) -> str:
        return self._replace(re.compile(r"\d+"), lambda _: str(self.chance.randrange(12)))

    def _string(self) -> str:
        """Change a string: another one, or one that is broken."""
        return self._replace(
            _STRING,
            lambda every: self.chance.choice(
                [self.chance.choice(every), '"', "''", '"x {y}"', '"win 1 fame"']
            ),
        )

    def _line(self) -> str:
        path, text = self._some()
        lines = text.split("\n")
        at = self.chance.randrange(len(lines))
        match self.chance.randrange(4):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, self.chance.choice(lines))
            case 2:
                lines.insert(at, "")
            case _:
                lines[at] = self.chance.choice(["    ", " ", "#"]) + lines[at]
        return self._put(path, "\n".join(lines))

    def _undo(self) -> str:
        if not self.past:
            return self._letter()
        path, text = self.past.pop()
        self.open[path] = text
        self.session.edit(path, text)
        return path.relative_to(self.root).as_posix()

    def _close(self) -> str:
        """Close a file without saving it."""
        if not self.open:
            return self._letter()
        path = self.chance.choice(sorted(self.open))
        del self.open[path]
        self.past = [each for each in self.past if each[0] != path]
        self.session.edit(path, None)
        return path.relative_to(self.root).as_posix()

    def _save(self) -> str:
        if not self.open:
            return self._letter()
        path = self.chance.choice(sorted(self.open))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.open[path], encoding="utf-8", newline="")
        return path.relative_to(self.root).as_posix()

    def _rename(self) -> str:
        files = [each for each in self.files() if each.exists()]
        path = self.chance.choice(files)
        new = path.with_name(f"{self.chance.choice('abz')}{path.name}")
        text = self.open.pop(path, None)
        self.past = [each for each in self.past if each[0] != path]
        path.rename(new)
        self.session.edit(path, None)
        if text is not None:
            self.open[new] = text
            self.session.edit(new, text)
        return f"{path.relative_to(self.root)} to {new.name}"


def _restored(copy: Path, content: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(content, copy)


def try_session(job: tuple[Path, int, int]) -> list[str]:
    """Try the sequences of a session; return what did not hold, at most one thing."""
    content, number, sequences = job
    target = TARGETS[number % len(TARGETS)]
    chance = random.Random(f"edits {number}")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "content"
        _restored(copy, content)
        typist = Typist(copy, target, chance)
        for sequence in range(sequences):
            steps: list[str] = []
            for different in _differences(typist, steps):
                told = "\n  ".join([*steps, different])
                return [f"session {number}, sequence {sequence}, {target}:\n  {told}"]
            _restored(copy, content)
            typist.past.clear()
    return []


def _differences(typist: Typist, steps: list[str]) -> Iterator[str]:
    for _ in range(EDITS):
        steps.append(typist.edit())
        yield from _compared(*typist.findings())
    steps.append("save all")
    yield from _compared(*typist.saved())


def _compared(kept: Report, cold: Report) -> Iterator[str]:
    if kept.diagnostics != cold.diagnostics:
        more = [each for each in kept.diagnostics if each not in cold.diagnostics]
        less = [each for each in cold.diagnostics if each not in kept.diagnostics]
        yield f"only the session finds {more}, only the cold check finds {less}"
    elif kept.sources != cold.sources:
        yield "the texts are not the same"


def run(pack: str, count: int, seed: int, jobs: int) -> int:
    """Try so many sequences; return the exit status."""
    began = time.perf_counter()
    sessions = -(-count // SEQUENCES)
    content = Path(pack).absolute()
    numbers = [(content, seed * 1_000_000 + number, SEQUENCES) for number in range(sessions)]
    failed = 0
    with ProcessPoolExecutor(jobs) as pool:
        for at, found in enumerate(pool.map(try_session, numbers), start=1):
            failed += len(found)
            for each in found:
                print(f"FAILED {each}", flush=True)
            if at % 10 == 0:
                print(f"{at * SEQUENCES} sequences, {failed} failed", flush=True)
    spent = time.perf_counter() - began
    print(f"{sessions * SEQUENCES} sequences of {EDITS} edits in {spent:.0f} s, {failed} failed")
    return 1 if failed else 0
