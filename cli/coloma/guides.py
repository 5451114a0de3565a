"""Text for the terminal: guides, rulebook topics, and a game's vocabulary."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path, PurePosixPath

import attrs

from coloma.files import read_text
from coloma.output import USAGE, CommandError
from coloma.packs import bundled_content
from coloma.session.screen import shown
from rulesdsl import Rulebook, Topic, Vocabulary, Word
from rulesdsl.interpreter.display.rulebook import unmarked
from rulesdsl.source.diagnostics import closest, did_you_mean
from rulesdsl.source.render import visible

_HEADING = re.compile(r"(#+) +(.+)")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_HIDDEN = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_ITEM = re.compile(r"(- +|[0-9]+\. +)")
_FENCE = "```"
_NO_PROSE = (_FENCE, "#", "|")
WIDTH, TOPIC_WIDTH = 88, 76
_README = "README.md"
_GAME = "game.md"


@attrs.frozen
class GuidePage:
    """Page of Markdown, and its name in `coloma explain`."""

    name: str
    text: str = attrs.field(repr=False)

    @property
    def title(self) -> str:
        """The first heading."""
        found = _HEADING.search(self.text)
        return found[2] if found else self.name

    def sections(self) -> Iterator[GuidePage]:
        """Yield a section for each heading but the first; sections include their subsections."""
        lines = self.text.splitlines()
        heads = list(_heads(lines))
        for number, (start, depth, title) in enumerate(heads[1:], 1):
            later = (at for at, other, _ in heads[number + 1 :] if other <= depth)
            yield GuidePage(title.lower(), "\n".join(lines[start : next(later, None)]) + "\n")


def shipped_pages() -> list[GuidePage]:
    """Return the language reference, the tutorial, and the guides to the command."""
    language = (files("rulesdsl") / _README).read_text(encoding="utf-8")
    guides = sorted((files("coloma") / "guide").iterdir(), key=lambda each: each.name)
    return [
        GuidePage("language", language),
        *_tutorial(bundled_content() / _README),
        *(
            GuidePage(each.name.removesuffix(".md"), each.read_text(encoding="utf-8"))
            for each in guides
            if each.name.endswith(".md")
        ),
    ]


def _tutorial(file: Path) -> list[GuidePage]:
    """Return the tutorial, unless the games were left out of this installation."""
    return [GuidePage("tutorial", read_text(file))] if file.is_file() else []


def pack_pages(folder: Path) -> list[GuidePage]:
    """Return the pages in a pack's folder; `game` is game.md, or the README if that is missing."""
    found = {each.name: each for each in sorted(folder.glob("*.md"))}
    readme = found.pop(_README, None)
    game = found.pop(_GAME, readme)
    pages = [GuidePage(each.stem, read_text(each, folder)) for each in found.values()]
    return pages if game is None else [GuidePage("game", read_text(game, folder)), *pages]


def find_page(word: str, pages: Iterable[GuidePage]) -> GuidePage | None:
    """Return the page or section with this name, or the first section whose name contains it."""
    listed = list(pages)
    inside = [section for page in listed for section in page.sections()]
    for each in (*listed, *inside):
        if each.name == word.lower():
            return each
    return next((each for each in inside if word.lower() in each.name), None)


def headings_of(word: str, pages: Iterable[GuidePage]) -> list[str]:
    """Return the headings listed for a word in the language reference's index."""
    entry = re.compile(rf"(?m)^- `{re.escape(word.lower())}`: (.+)$")
    found = (entry.search(page.text) for page in pages if page.name == "language")
    return next(([*_LINK.findall(each[1])] for each in found if each), [])


def as_plain_text(page: str) -> Iterator[str]:
    """Yield the lines of a page without its Markdown."""
    return _without_markup(_HIDDEN.sub("", page).splitlines(), WIDTH, "    ", underline=False)


def topic_lines(topic: Topic) -> Iterator[str]:
    """Yield the lines of a topic without its Markdown, with headings underlined."""
    return _without_markup(topic.lines, TOPIC_WIDTH, "  ", underline=True)


def _without_markup(
    lines: Iterable[str], cells: int, margin: str, *, underline: bool
) -> Iterator[str]:
    """Fold paragraphs and list items; examples and tables keep their layout."""
    prose: list[str] = []
    in_example = False
    for line in lines:
        is_prose = not in_example and bool(line) and not line.startswith(_NO_PROSE)
        if not is_prose or _ITEM.match(line):
            yield from _folded(prose, cells)
            prose.clear()
        if is_prose:
            prose.append(line)
        elif line.startswith(_FENCE):
            in_example = not in_example
            if in_example and len(line.split()) > 1:
                yield f"  {line.split(maxsplit=1)[1]}:"
        elif in_example:
            yield f"{margin}{visible(line, keep='')}".rstrip()
        elif line.startswith("#"):
            title = shown(_LINK.sub(r"\1", line.lstrip("#")))
            yield title
            if underline:
                yield ("=" if line.startswith("# ") else "-") * len(title)
        else:
            yield _LINK.sub(r"\1", line)
    yield from _folded(prose, cells)


def _folded(prose: list[str], cells: int) -> list[str]:
    text = shown(unmarked(_LINK.sub(r"\1", " ".join(prose))))
    item = _ITEM.match(text)
    hanging = " " * len(item[0]) if item else ""
    return textwrap.wrap(text, cells, subsequent_indent=hanging, break_on_hyphens=False)


def _heads(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    in_example = False
    for number, line in enumerate(lines):
        in_example ^= line.startswith("```")
        found = None if in_example else _HEADING.fullmatch(line)
        if found:
            yield number, len(found[1]), found[2]


def book_pages(book: Rulebook, word: str, command: str) -> list[str] | str:
    """Return the lines of the topic for a word (by default, the first topic), or an error message.

    `command` is what a player types to read a topic.
    """
    if not book.topics:
        return "This game has no rulebook; during a game, `read` explains pieces and places."
    if not word:
        table = ["", f"Topics, for `{command} TOPIC`:", *contents(book)]
        return [*topic_lines(book.topics[0]), *table]
    if topics := book.find(word):
        names = [f"`{command} {shown(topic.name)}`" for topic in topics]
        notes = [] if topics[0] in book.topics else [f"The whole page: {names[0]}."]
        notes += [f"More about {shown(word)}: {', '.join(names[1:])}."] if names[1:] else []
        return [*topic_lines(topics[0]), *([""] if notes else []), *notes]
    words = {name.casefold() for topic in book.topics for name in (topic.name, *topic.words)}
    near = closest(word.casefold(), words)[:3]
    listed = ", ".join(topic.name for topic in book.topics)
    advice = f"Did you mean {' or '.join(near)}?" if near else f"The topics are {listed}."
    return f"The rulebook has nothing about `{word}`. {advice}"


def contents(book: Rulebook) -> Iterator[str]:
    """Yield the lines of the table of contents."""
    widest = max((len(each.name) for each in book.topics), default=0)
    for each in book.topics:
        yield f"  {shown(each.name):<{widest}}  {shown(each.title)}"


SORTS = {
    "verb": (
        "verbs",
        "actions by a player or seat; a mod can add a hook before, after or instead of one",
    ),
    "step": ("steps", "actions of the game; a mod can add a hook before, after or instead of one"),
    "value": ("values", "named expressions; `instead of value` changes one"),
    "option": ("options", "settings that players agree on before a game"),
    "kind": ("kinds", "sets of entries, with their fields"),
    "piece": ("pieces", "the contents of the box; pieces with fields are cards or similar"),
    "place": ("places", "locations of pieces; places with fields are entries too"),
    "field": ("fields", "values of entries; a mod's table or rules can change them"),
    "track": ("tracks", "numbers that go up and down"),
    "flag": ("flags", "switches, on or off"),
    "memory": ("memories", "what is remembered: one thing of a kind, or nothing"),
    "number": ("numbers", "named numbers; a mod can change them"),
    "rival": ("rivals", "seats that make no decisions"),
    "score": ("scores", "the lines in the final scoring"),
    "entry": ("entries", "members of kinds, from tables"),
    "hook": ("hooks", "existing hooks before, after or instead of a verb, step or value"),
}
_IN_SHORT = {"field", "entry"}  # only names are listed, unless this sort is requested
PLURALS = {plural: sort for sort, (plural, _) in SORTS.items()}
MAX_USES = 12


def listed(words: Vocabulary, only: str | None = None) -> Iterator[str]:
    """Yield the words of a game as lines, kind by kind; with `only`, those of one kind."""
    yield f"{words.title}, in {' and '.join(words.folders)}"
    for sort, (plural, about) in SORTS.items():
        found = [each for each in words.words if each.sort == sort]
        if found and only in (sort, None):
            yield ""
            yield f"{plural}: {about}"
            if sort in _IN_SHORT and not only:
                yield from _by_kind(found)
            else:
                yield from _lines(words, found)


def told(words: Vocabulary, name: str) -> Iterator[str]:
    """Yield the declaration and the uses of a word.

    For an unknown word, list the words whose declaration or comment mentions it.
    """
    found = sorted(_called(words, name.lower()), key=lambda each: list(SORTS).index(each.sort))
    if not found:
        yield from _speaking_of(words, name)
        return
    for at, word in enumerate(found):
        if at:
            yield ""
        yield f"{word.sort} at {_place(words, word.span.file, word.span.line)}"
        yield from (f"    {line}".rstrip() for line in word.text.split("\n"))
        yield from _field(word) if word.sort == "field" else _entries(words, word)
    yield from _used(words, found)


def _entries(words: Vocabulary, word: Word) -> Iterator[str]:
    found = [each.name for each in words.words if each.sort == "entry" and each.of == word.name]
    if found and word.sort != "entry":
        yield f"entries: {', '.join(dict.fromkeys(found))}"


def _field(word: Word) -> Iterator[str]:
    yield f"example: {word.example}"
    if word.keys:
        yield f"keys: {', '.join(word.keys)}"
    yield f"entries that set it: {', '.join(word.said_by) or 'none'}"


def _called(words: Vocabulary, name: str) -> list[Word]:
    whole = [each for each in words.words if name in (each.name, each.plural)]
    return whole + [each for each in words.words if each.name.endswith(f".{name}")]


def _speaking_of(words: Vocabulary, name: str) -> Iterator[str]:
    wanted = name.lower()
    found = [
        each for each in words.words if wanted in each.said.lower() or wanted in each.about.lower()
    ]
    if not found:
        known = {word for each in words.words for word in (each.name, each.plural)}
        advice = did_you_mean(wanted, [*known, *PLURALS]) or "`coloma vocabulary` lists them all"
        raise CommandError(f"{words.title} has no word {name} ({advice})", USAGE)
    yield f"There is no word {name}; these lines mention it:"
    yield from _lines(words, found)


def _used(words: Vocabulary, found: Sequence[Word]) -> Iterator[str]:
    used = [
        (_place(words, use.file, use.line), use.text)
        for use in words.uses(found[0])
        if not any(_is_inside(use.file, use.line, word) for word in found)
    ]
    if not used:
        return
    yield ""
    yield "used at"
    yield from _in_columns(used[:MAX_USES])
    if len(used) > MAX_USES:
        yield f"  and {len(used) - MAX_USES} more"


def _is_inside(file: str, line: int, word: Word) -> bool:
    first = word.span.line
    return file == word.span.file and first <= line <= first + word.text.count("\n")


def _lines(words: Vocabulary, found: Iterable[Word]) -> Iterator[str]:
    rows: list[tuple[str, str]] = []
    for word in found:
        about = f"  # {word.about}" if word.about else ""
        rows.append((_place(words, word.span.file, word.span.line), f"{word.said}{about}"))
        rows += [("", f"    {field}") for field in word.fields]
    yield from _in_columns(rows)


def _in_columns(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    widest = max(len(place) for place, _ in rows)
    for place, text in rows:
        yield f"  {place:<{widest}}  {text}"


def _by_kind(found: Iterable[Word]) -> Iterator[str]:
    by_kind: dict[str, list[str]] = {}
    for word in found:
        by_kind.setdefault(word.of, []).append(word.name)
    for kind, names in by_kind.items():
        yield f"  {kind}: {', '.join(names)}"


def _place(words: Vocabulary, file: str, line: int) -> str:
    path = PurePosixPath(file)
    for folder in reversed(words.folders):
        if path.is_relative_to(folder):
            inside = path.relative_to(folder)
            mod = "" if folder == words.folders[0] else f"{PurePosixPath(folder).name}/"
            return f"{mod}{inside}:{line}"
    return f"{file}:{line}"
