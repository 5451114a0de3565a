"""Codes of findings, and the pages that explain them."""

from __future__ import annotations

import re
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.diagnostics import TABLE, Severity

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


MEANING, FAILING, FIXED = "What it means", "Example that triggers it", "How to fix it"

_PAGES = files("rulesdsl.source") / "pages"
_SECTION = re.compile(rf"^## ({MEANING}|{FAILING}|{FIXED})$", re.MULTILINE)
_BLOCK = re.compile(r"^```\w+ +(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@attrs.frozen(slots=False)
class Code:
    """Code of a finding, with the page that explains it.

    `page`, `failing` and `fixed` read the page, and raise `FileNotFoundError` if it is missing.
    """

    code: str
    name: str
    severity: Severity
    title: str

    @property
    def has_page(self) -> bool:
        """True if the page exists."""
        return self._file.is_file()

    @property
    def path(self) -> Path | None:
        """The path of the page, or None if it is not a file on disk."""
        file = self._file
        return file if isinstance(file, Path) and file.is_file() else None

    @cached_property
    def page(self) -> str:
        """The page as Markdown, with the severity and the title below its heading."""
        text = self._file.read_text(encoding="utf-8")
        heading, _, body = text.partition("\n")
        return f"{heading.rstrip()}\n\n{self.severity}: {self.title}\n\n{body.strip()}\n"

    @cached_property
    def failing(self) -> dict[str, str]:
        """The example that triggers the code, as a complete pack: text by path."""
        return _stock() | _blocks(self.page, FAILING)

    @cached_property
    def fixed(self) -> dict[str, str]:
        """The same pack after the fix."""
        return self.failing | _blocks(self.page, FIXED)

    @property
    def _file(self) -> Traversable:
        return _PAGES / f"{self.code}-{self.name}.md"


CODES: dict[str, Code] = {
    code: Code(code, name, Severity(severity), title)
    for code, (name, severity, title) in TABLE.items()
}


def find_code(word: str) -> Code | None:
    """Find a code by its number or name, ignoring case; return None if there is none."""
    if word.upper() in CODES:
        return CODES[word.upper()]
    return next((code for code in CODES.values() if code.name == word.lower()), None)


def _blocks(page: str, section: str) -> dict[str, str]:
    """Return the files, as text by path, in the fenced blocks in a section of a page."""
    parts = _SECTION.split(page)
    by_title = dict(zip(parts[1::2], parts[2::2], strict=True))
    return dict(_BLOCK.findall(by_title.get(section, "")))


@cache
def _stock() -> dict[str, str]:
    return {
        each.name: each.read_text(encoding="utf-8")
        for each in (_PAGES / "_little").iterdir()
        if each.name.endswith((".toml", ".rules"))
    }
