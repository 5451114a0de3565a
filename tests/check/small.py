"""Snippets of rules added to a small game, and files of snippets with facts about them.

A file consists of chunks: a snippet, then lines with `=> ` that state what follows from it. A
snippet that begins with a declaration keyword contains rules, one that begins with a bracket
contains entries of `cards.toml`, and any other is the body of a verb. If the snippet has errors,
their codes and positions follow; in files about findings, the complete findings.
"""

import atexit
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from unittest.mock import patch

import attrs

from packs_on_the_fly import BOX, CARDS, MANIFEST
from rulesdsl.check.frontend import check_pack
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.typed.program import Checked
from rulesdsl.source.diagnostics import Diagnostic, Severity
from rulesdsl.source.language import Language

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
    """A snippet and the facts or findings expected for it."""

    lines: str
    answer: str

    def __str__(self) -> str:
        return re.sub(r"\s+", " ", self.lines)

    def derived(self, derive: Derive | None, *, rich: bool = False) -> str:
        """Return a fact about the verb, or the findings if `derive` is None."""
        found, errors = check(self.lines, RICH_FILES if rich else FILES)
        if derive is None:
            return "\n".join(map(_whole, errors)) or "fine"
        if errors:
            return "\n".join(map(_brief, errors))
        assert found is not None
        return derive(found, VERB)

    def lints(self) -> str:
        """Return the warnings about a snippet in a place where the game executes it."""
        done = self.lines if _DECLARES.match(self.lines) else _under("after act:", self.lines)
        found = _checked(done, RICH_FILES)[1]
        return "\n".join(map(_whole, found)) or "fine"


def check(lines: str, box: Mapping[str, str]) -> tuple[Checked | None, list[Diagnostic]]:
    """Return the checked program of a game with a snippet, and the errors in it.

    A snippet may tell what is hidden, and have options that are alike, as in language 0.1.
    """
    with patch.object(SymbolTable, "language", lambda *_: Language.V0_1):
        checked, found = _checked(lines, box)
    return checked, [each for each in found if each.severity is Severity.ERROR]


@cache
def _folder(_: frozenset[str]) -> Path:
    """Return a folder for all packs with the same file names; unchanged files stay cached."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    return Path(folder)


def _checked(lines: str, box: Mapping[str, str]) -> tuple[Checked | None, list[Diagnostic]]:
    """Return a checked program and the findings in the snippet.

    Lines of a table are numbered from the first added one.
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
    """Return a snippet as rules: unchanged, or as the body of a verb."""
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
    for part in re.split(r"\n\n+", path.read_text("utf-8").strip("\n")):
        lines = part.splitlines()
        given = [each for each in lines if not each.startswith((ANSWER, "# "))]
        answer = [each.removeprefix(ANSWER) for each in lines if each.startswith(ANSWER)]
        if given:
            yield Chunk("\n".join(given), "\n".join(answer))


def cases(folder: Path, names: Iterable[str]) -> list[tuple[str, Chunk]]:
    """Return the chunks in files, each with the name of its file."""
    return [(name, chunk) for name in names for chunk in chunks(folder / f"{name}.txt")]


def answer(
    path: Path, chunk: Chunk, derive: Derive | None, *, rich: bool = False, update: bool
) -> str:
    """Return the facts about a chunk; if `update`, rewrite its file and return the old ones."""
    if update:
        _rewrite(path, derive, rich=rich)
        return chunk.answer
    return chunk.lints() if path.stem == LINTS else chunk.derived(derive, rich=rich)


@cache
def _rewrite(path: Path, derive: Derive | None, *, rich: bool) -> None:
    parts = []
    for part in re.split(r"\n\n+", path.read_text("utf-8").strip("\n")):
        kept = [each for each in part.splitlines() if not each.startswith(ANSWER)]
        given = "\n".join(each for each in kept if not each.startswith("# "))
        if given:
            found = answer(path, Chunk(given, ""), derive, rich=rich, update=False)
            kept += [f"{ANSWER}{line}" for line in found.splitlines()]
        parts.append("\n".join(kept))
    path.write_text("\n\n".join(parts) + "\n", "utf-8")
