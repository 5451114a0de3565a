"""A few lines of rules, put to a box and checked; files of lines and facts.

Such a file consists of chunks: some lines, and behind them, after `=> `, what follows from them.
The lines are the body of a verb, or rules where they begin with a word that declares something, or
entries of `cards.toml` where they begin with a bracket.
Where they have errors, the codes and places of these are what follows; whole findings where they
are what a file is about.
"""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import attrs

from packs_on_the_fly import BOX, CARDS, MANIFEST
from rulesdsl.check.frontend import check_pack
from rulesdsl.check.typed.program import Checked
from rulesdsl.source.diagnostics import Diagnostic, Severity

VERB = "try"
RICH = Path(__file__).parent / "rich_pack"  # a thing of every sort
ACT = "verb act: raise my fame by 1\n"
ANSWER = "=> "
LINTS = "lints"  # a file of warnings, which wait until there are no errors
_DECLARES = re.compile(
    r"(verb|step|add to|track|flag|place|stack|piece|kind|value|score|before|after|instead|rival"
    r"|option|constants|win|verdict|panel|town|card|season|fox) "
)
FILES = {"pack.toml": MANIFEST, "cards.toml": CARDS, "box.rules": BOX + ACT}
RICH_FILES = {each.name: each.read_text("utf-8") for each in RICH.iterdir()}
Derive = Callable[[Checked, str], str]


@attrs.frozen
class Chunk:
    """Some lines of a file, and what is said to follow from them."""

    lines: str
    answer: str

    def __str__(self) -> str:
        return re.sub(r"\s+", " ", self.lines)

    def derived(self, derive: Derive | None, *, rich: bool = False) -> str:
        """Return what follows of the verb; None where it is the findings themselves."""
        found, errors = check(self.lines, RICH_FILES if rich else FILES)
        if derive is None:
            return "\n".join(map(_whole, errors)) or "fine"
        if errors:
            return "\n".join(map(_brief, errors))
        assert found is not None
        return derive(found, VERB)

    def lints(self) -> str:
        """Return the warnings about the lines, which are carried out in the game."""
        done = self.lines if _DECLARES.match(self.lines) else _under("after act:", self.lines)
        found = _checked(done, RICH_FILES)[1]
        return "\n".join(map(_whole, found)) or "fine"


def check(lines: str, box: Mapping[str, str]) -> tuple[Checked | None, list[Diagnostic]]:
    """Return the checked program of a box with more lines, and the errors in it."""
    checked, found = _checked(lines, box)
    return checked, [each for each in found if each.severity is Severity.ERROR]


@cache
def _folder(_: frozenset[str]) -> Path:
    """Return the folder of all packs with files of these names: what stays is parsed once."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    return Path(folder)


def _checked(lines: str, box: Mapping[str, str]) -> tuple[Checked | None, list[Diagnostic]]:
    """Return a checked program, and what is found in the lines that are put to the box.

    Lines of a table are counted from the first that is added.
    """
    files = {**box, "more.rules": ""}
    before = 0
    if lines.startswith("["):
        file = "cards.toml"
        before = files[file].count("\n")
        files[file] += f"{lines}\n"
    else:
        file = "more.rules"
        files[file] = rules_of(lines)
    folder = _folder(frozenset(files))
    for name, content in files.items():
        (folder / name).write_text(content, "utf-8")
    _, checked, report = check_pack(folder)
    shifted = [_shifted(each, before) for each in report.diagnostics]
    mine = [
        each
        for each in shifted
        if report.errors or (each.span.file.endswith(file) and each.span.line > 0)
    ]
    return checked, mine


def _shifted(found: Diagnostic, before: int) -> Diagnostic:
    if not found.span.file.endswith("cards.toml"):
        return found
    line = found.span.line - before
    return attrs.evolve(found, span=attrs.evolve(found.span, line=line, end_line=line))


def rules_of(lines: str) -> str:
    """Return rules: lines as they are, or as the body of a verb."""
    return f"{lines}\n" if _DECLARES.match(lines) else _under(f"verb {VERB}:", lines)


def _under(head: str, lines: str) -> str:
    indented = "\n".join(f"    {line}" for line in lines.splitlines())
    return f"{head}\n{indented}\n"


def _brief(found: Diagnostic) -> str:
    return f"{found.code} {found.span.line}:{found.span.column}"


def _whole(found: Diagnostic) -> str:
    others = "".join(f" [{each.span.line}: {each.message}]" for each in found.related)
    return f"{_brief(found)} {found.message} {found.help}".rstrip() + others


def chunks(path: Path) -> Iterator[Chunk]:
    """Yield the chunks of a file."""
    for part in re.split(r"\n\n+", path.read_text("utf-8").strip("\n")):
        lines = part.splitlines()
        given = [each for each in lines if not each.startswith((ANSWER, "# "))]
        answer = [each.removeprefix(ANSWER) for each in lines if each.startswith(ANSWER)]
        if given:
            yield Chunk("\n".join(given), "\n".join(answer))


def rewrite(path: Path, derive: Derive | None, *, rich: bool = False) -> None:
    """Write what follows now into a file; comments stay."""
    parts = []
    for part in re.split(r"\n\n+", path.read_text("utf-8").strip("\n")):
        kept = [each for each in part.splitlines() if not each.startswith(ANSWER)]
        given = "\n".join(each for each in kept if not each.startswith("# "))
        if given:
            chunk = Chunk(given, "")
            answer = chunk.lints() if path.stem == LINTS else chunk.derived(derive, rich=rich)
            kept += [f"{ANSWER}{line}" for line in answer.splitlines()]
        parts.append("\n".join(kept))
    path.write_text("\n\n".join(parts) + "\n", "utf-8")
