"""Quotations from the shipped games on a page: blocks that begin with `# from content/...`.

A block is quoted without comments and may be dedented. An empty line separates two passages.
"""

import re
import textwrap
from pathlib import Path

import attrs

ROOT = Path(__file__).parents[2]
_QUOTE = re.compile(r"^```\w+\n# from (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r'^((?:[^"#]|"(?:[^"\\]|\\.)*")*)#.*$')


@attrs.frozen
class Quote:
    """Lines quoted from a file."""

    path: str
    text: str

    def missing(self) -> list[str]:
        lines = _bare((ROOT / self.path).read_text(encoding="utf-8"))
        passages = [_bare(each) for each in re.split(r"\n\n+", self.text.strip("\n"))]
        return ["\n".join(each) for each in passages if not _stands(each, lines)]


def quotes(page: Path) -> list[Quote]:
    return [Quote(*found) for found in _QUOTE.findall(page.read_text(encoding="utf-8"))]


def _stands(passage: list[str], lines: list[str]) -> bool:
    wanted = textwrap.dedent("\n".join(passage))
    size = len(passage)
    return any(
        textwrap.dedent("\n".join(lines[at : at + size])) == wanted
        for at in range(len(lines) - size + 1)
    )


def _bare(text: str) -> list[str]:
    lines = (_COMMENT.sub(r"\1", line).rstrip() for line in text.splitlines())
    return [line for line in lines if line]
