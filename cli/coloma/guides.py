"""The pages that people read in the terminal: the language, the guides, and those of a pack."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

import attrs

from coloma.bundled import bundled_content
from coloma.files import read_text

_HEADING = re.compile(r"(#+) +(.+)")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_HIDDEN = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_NO_PROSE = ("```", "#", "|", "- ", " ")
WIDTH = 88
_README = "README.md"
_GAME = "game.md"


@attrs.frozen
class Page:
    """A page of Markdown, and the word that it is asked for by."""

    name: str
    text: str = attrs.field(repr=False)

    @property
    def title(self) -> str:
        """Its first heading."""
        found = _HEADING.search(self.text)
        return found[2] if found else self.name

    def sections(self) -> Iterator[Page]:
        """Yield the parts below its headings but the first, smaller headings included."""
        lines = self.text.splitlines()
        heads = list(_heads(lines))
        for number, (start, depth, title) in enumerate(heads[1:], 1):
            later = (at for at, other, _ in heads[number + 1 :] if other <= depth)
            yield Page(title.lower(), "\n".join(lines[start : next(later, None)]) + "\n")


def shipped_pages() -> list[Page]:
    """Return the pages about the language and the command, and the tutorial."""
    language = (files("rulesdsl") / _README).read_text(encoding="utf-8")
    guides = sorted((files("coloma") / "guide").iterdir(), key=lambda each: each.name)
    return [
        Page("language", language),
        Page("tutorial", read_text(bundled_content() / _README)),
        *(
            Page(each.name.removesuffix(".md"), each.read_text(encoding="utf-8"))
            for each in guides
            if each.name.endswith(".md")
        ),
    ]


def pack_pages(folder: Path) -> list[Page]:
    """Return the pages that lie in a pack's folder; without a game.md its README is `game`."""
    found = {each.name: each for each in sorted(folder.glob("*.md"))}
    readme = found.pop(_README, None)
    game = found.pop(_GAME, readme)
    pages = [Page(each.stem, read_text(each, folder)) for each in found.values()]
    return pages if game is None else [Page("game", read_text(game, folder)), *pages]


def find_page(word: str, pages: Iterable[Page]) -> Page | None:
    """Return the page of that name, else the section with that heading or with it in one."""
    listed = list(pages)
    inside = [section for page in listed for section in page.sections()]
    for each in (*listed, *inside):
        if each.name == word.lower():
            return each
    return next((each for each in inside if word.lower() in each.name), None)


def headings_of(word: str, pages: Iterable[Page]) -> list[str]:
    """Return the headings that the index of the language gives for a word, none if none."""
    entry = re.compile(rf"(?m)^- `{re.escape(word.lower())}`: (.+)$")
    found = (entry.search(page.text) for page in pages if page.name == "language")
    return next(([*_LINK.findall(each[1])] for each in found if each), [])


def as_plain_text(page: str) -> Iterator[str]:
    """Yield the lines of a page without its Markdown: examples are indented below their file."""
    prose: list[str] = []
    in_example = False
    for line in _HIDDEN.sub("", page).splitlines():
        if not in_example and line and not line.startswith(_NO_PROSE):
            prose.append(_LINK.sub(r"\1", line))
            continue
        yield from _folded(prose)
        prose.clear()
        if line.startswith("```"):
            in_example = not in_example
            if in_example and len(line.split()) > 1:
                yield f"  {line.split(maxsplit=1)[1]}:"
        elif in_example:
            yield f"    {line}".rstrip()
        else:
            yield _LINK.sub(r"\1", line.lstrip("#").strip() if line.startswith("#") else line)
    yield from _folded(prose)


def _folded(prose: list[str]) -> list[str]:
    return textwrap.wrap(" ".join(prose), WIDTH, break_on_hyphens=False)


def _heads(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    in_example = False
    for number, line in enumerate(lines):
        in_example ^= line.startswith("```")
        found = None if in_example else _HEADING.fullmatch(line)
        if found:
            yield number, len(found[1]), found[2]
