"""Each word of the shipped rules: what the parser reads it as, and how VS Code colours it.

The golden file `vscode/test/scopes.txt` lists which scopes each sort of word has, keywords one by
one, and the effects in TOML files.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from rulesdsl.syntax.lexer import LexemeKind, lexemes, parse, spelled

HERE = Path(__file__).resolve().parent
EXTENSION = HERE / "vscode"
CONTENT = HERE.parent / "content"
GOLDEN = EXTENSION / "test" / "scopes.txt"
GRAMMARS = {
    "source.coloma": EXTENSION / "syntaxes" / "rules.tmLanguage.json",
    "source.coloma.in.toml": EXTENSION / "syntaxes" / "effects.tmLanguage.json",
    "source.toml": EXTENSION / "test" / "toml.tmLanguage.json",
}
COLOURS = {
    "keyword": ("keyword", "storage", "constant.language", "variable.language"),
    "name": ("entity.name", "variable"),
    "number": ("constant.numeric",),
    "text": ("string.quoted", "punctuation.definition.string"),
    "comment": ("comment.line",),
    "sign": ("keyword.operator", "punctuation"),
}
"""How the scope of each sort of word begins."""
_SORTS = {"NAME": "name", "NUMBER": "number", "STRING": "text"}
Token = tuple[int, int, int, list[str]]


@attrs.frozen
class Read:
    """A word as the parser reads it: line and columns from 0."""

    sort: str
    word: str
    line: int
    start: int
    end: int


def check_scopes(*, update: bool = False) -> int:
    """Compare all shipped rules; return the exit status. Without node nothing is compared."""
    reason = _missing()
    if reason:
        print(f"skipped: {reason}")
        return 0
    rules = sorted(CONTENT.rglob("*.rules"))
    tables = sorted(CONTENT.rglob("*.toml"))
    coloured = _coloured(rules, tables)
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for path in rules:
        text = path.read_text(encoding="utf-8")
        for read in words_read(text):
            scopes = _scopes_at(coloured[str(path)], read)
            counts[_line(read, scopes)] += 1
            if not _is_right(read, scopes):
                where = f"{path.relative_to(CONTENT.parent)}:{read.line + 1}:{read.start + 1}"
                wrong.append(f"{where}: {read.sort} `{read.word}` is {scopes or 'not coloured'}")
    for path in tables:
        for each in coloured[str(path)]:
            if "meta.embedded.inline.coloma" in each[3]:
                counts[f"in TOML: {each[3][-1]}"] += 1
    listed = "".join(f"{line}\n" for line in sorted(counts))
    if update:
        GOLDEN.write_text(listed, encoding="utf-8", newline="\n")
    stale = not GOLDEN.exists() or GOLDEN.read_text(encoding="utf-8") != listed
    print("\n".join(wrong[:50]))
    print(f"{counts.total()} words, {len(wrong)} without their scope")
    if stale:
        print(f"{GOLDEN.name} is stale: python -m editors scopes --update-golden")
    return int(bool(wrong) or stale)


def words_read(text: str) -> Iterator[Read]:
    """Yield every word of a file of rules, and its comments."""
    for token in parse(text, "file", every_word=True).scan_values(lambda _: True):
        line, start = (token.line or 1) - 1, (token.column or 1) - 1
        if token.type in {"TEXT_BEGIN", "TEXT_BETWEEN", "TEXT_END"}:
            yield Read("text", str(token), line, start, start + len(token))
        elif token.type != "_NL" and token.strip():
            yield Read(_sort(token.type), str(token), line, start, start + len(token))
    starts = [0]
    for each in text.split("\n"):
        starts.append(starts[-1] + len(each) + 1)
    for found in lexemes(text):
        if found.sort is LexemeKind.COMMENT:
            line = sum(start <= found.start for start in starts) - 1
            start = found.start - starts[line]
            yield Read("comment", "#", line, start, start + len(found.text))


def _sort(terminal: str) -> str:
    if terminal in _SORTS:
        return _SORTS[terminal]
    return "keyword" if spelled()[terminal].replace(" ", "").isalpha() else "sign"


def _line(read: Read, scopes: tuple[str, ...]) -> str:
    shown = f" {' '.join(read.word.split())}" if read.sort in {"keyword", "sign"} else ""
    return f"{read.sort}{shown}: {' '.join(scopes)}"


def _scopes_at(tokens: list[Token], read: Read) -> tuple[str, ...]:
    """Return the innermost scopes of a stretch, each once."""
    found = [
        (scopes or [""])[-1]
        for line, start, end, scopes in tokens
        if line == read.line and start < read.end and end > read.start
    ]
    return tuple(dict.fromkeys(found))


def _is_right(read: Read, scopes: tuple[str, ...]) -> bool:
    return bool(scopes) and all(
        scope.startswith(COLOURS[read.sort]) or (read.sort == "text" and "interpolation" in scope)
        for scope in scopes
    )


def _coloured(rules: list[Path], tables: list[Path]) -> dict[str, list[Token]]:
    files = [
        {"path": str(path), "text": path.read_text(encoding="utf-8"), "scope": scope}
        for paths, scope in ((rules, "source.coloma"), (tables, "source.toml"))
        for path in paths
    ]
    asked = {"grammars": {scope: str(path) for scope, path in GRAMMARS.items()}, "files": files}
    ran = subprocess.run(  # noqa: S603 - our own script
        [shutil.which("node") or "node", str(EXTENSION / "test" / "scopes.mjs")],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def _missing() -> str:
    """Return why nothing can be compared."""
    if shutil.which("node") is None:
        return "there is no node"
    if not (EXTENSION / "node_modules" / "vscode-textmate").exists():
        return "the packages are missing: npm ci --prefix editors/vscode"
    return ""
