"""The tutorial as steps: files to write and commands to type.

A block with a file name is written to that file; in an existing file it replaces the paragraph
that begins with the same words. A `console` block is a terminal: `$` precedes a command, `>` an
answer in a game, and `...` stands for any number of lines.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import attrs

TUTORIAL = Path(__file__).parents[2] / "content" / "README.md"
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LEFT_OUT = "..."


@attrs.frozen
class Written:
    """A block for a file, and the text before it."""

    path: str
    text: str
    told: str

    def carry_out(self, folder: Path) -> bool:
        file = folder / self.path
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            file.write_text(self.text, encoding="utf-8")
            return False
        paragraphs = file.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
        (at,) = [n for n, old in enumerate(paragraphs) if _head(old) == _head(self.text)]
        paragraphs[at] = self.text.rstrip("\n")
        file.write_text("\n\n".join(paragraphs) + "\n", encoding="utf-8")
        return True


@attrs.frozen
class Typed:
    """A command, the answers typed while it runs, and its output."""

    command: tuple[str, ...]
    answers: tuple[str, ...]
    shown: tuple[str, ...]

    def differs(self, out: str) -> str | None:
        lines = [line.rstrip() for line in out.splitlines()]
        at, anywhere = 0, False
        for line in self.shown:
            if line == _LEFT_OUT:
                anywhere = True
                continue
            found = next((n for n in range(at, len(lines)) if lines[n] == line), None)
            if found is None or (found > at and not anywhere):
                return line
            at, anywhere = found + 1, False
        return None if anywhere or at == len(lines) else lines[at]


Step = Written | Typed


def steps(page: Path = TUTORIAL) -> list[Step]:
    found: list[Step] = []
    told_from = 0
    text = page.read_text(encoding="utf-8")
    for block in _BLOCK.finditer(text):
        language, path, body = block.groups()
        if language == "console":
            found.extend(_sessions(body.splitlines()))
        else:
            found.append(Written(path, body, text[told_from : block.start()]))
        told_from = block.end()
    return found


def _sessions(lines: list[str]) -> Iterator[Typed]:
    starts = [n for n, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        shown = tuple(lines[start + 1 : end])
        answers = tuple(line[2:] for line in shown if line.startswith("> "))
        program, *command = shlex.split(lines[start][2:])
        assert program == "coloma"
        yield Typed(tuple(command), answers, shown)


def _head(paragraph: str) -> str:
    return paragraph.splitlines()[0].partition(":")[0]
