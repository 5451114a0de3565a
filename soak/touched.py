"""`python -m soak.touched [CONSTRUCT]`: count the files that mention constructs of the language.

A construct is one of the table below, recognized by a regular expression for its node, its
grammar rule, and names used for it alone; or such an expression itself, as `'[Ss]hift'`. A file
mentions it if its path or its code matches; comments, docstrings and guides do not count.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
FOLDERS = ("rulesdsl", "cli", "soak", "tests", "editors")
CONSTRUCTS = {
    "shuffle": r"\bShuffle(Cells)?\b|(?<!chance\.)\b_?shuffled?\b",
    "repeat ... until": r"\bUntil\b|(?<!--)\b_?until\b(?!_|': self\.conclusion)",
    "may up to N times": r"\bMayRepeat\b|\bmay_times\b",
    "menu": r"[Mm]enu|MENU",
    "1 gem after here": r"\bBeside\b|\bRing\b|\b_ring\b|'beside'|-> beside\b",
    "verdict": r"[Vv]erdict(?!': \[\*self\.conclusion)",  # not the key of a comparison's answer
    "a lint: same-title": r"same[-_]title|W607",
}
COMMENTS = {
    ".lark": re.compile(r"//.*"),
    ".wat": re.compile(r";;.*"),
    ".toml": re.compile(r"#.*"),
}


def main() -> int:
    """Print the number of files and their paths for each construct, or for the one requested."""
    for construct in sys.argv[1:2] or CONSTRUCTS:
        names = CONSTRUCTS.get(construct, construct)
        paths = touched(ROOT, names)
        folders = Counter("/".join(Path(path).parts[:2]).partition(".")[0] for path in paths)
        summary = ", ".join(f"{folder} {number}" for folder, number in folders.items())
        print(f"{construct}: {len(paths)} files ({summary})")
        for path in paths:
            print(f"    {path}")
    return 0


def touched(root: Path, names: str) -> list[str]:
    """Return the paths of the files whose path or code matches a pattern."""
    pattern = re.compile(names)
    return [path for path, code in _files(root) if pattern.search(f"{path}\n{code}")]


def _files(root: Path) -> Iterator[tuple[str, str]]:
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.*")):
            if path.suffix in {".py", ".md", ".txt", *COMMENTS}:
                yield path.relative_to(root).as_posix(), _code(path)


def _code(path: Path) -> str:
    if path.suffix == ".md":
        return ""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return _undocumented(text)
    return COMMENTS[path.suffix].sub("", text) if path.suffix in COMMENTS else text


def _undocumented(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(...)
    return ast.unparse(tree)


if __name__ == "__main__":
    sys.exit(main())
