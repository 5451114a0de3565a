"""Slips in content, way by way: a token, sign or line changed, as by a person's mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.scenarios.mutation.mutant import Mutant, Mutation, TextFile
from rulesdsl.syntax.lexemes import Lexeme, Sort, lexemes

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Mapping, Sequence

TRIES = 200

# Words and signs that are where another of their set could be as well.
ALIKE: tuple[tuple[str, ...], ...] = (
    ("=", "<>", "<=", ">=", "<", ">"),
    ("+", "-", "*", "/"),
    ("any", "no", "all", "a", "the"),
    ("most", "least"),
    ("and", "or"),
    ("before", "after"),
    ("raise", "lower"),
    ("mark", "clear"),
    ("from", "into", "in", "of", "at"),
    ("top", "bottom"),
    ("me", "it"),
    ("seat", "player"),
    ("owner", "nobody"),
    ("on", "off"),
    ("number", "yes-no", "text", "effect", "formula"),
    ("if", "where", "when"),
)
NO_NUMBERS = ("-1", "1.5", "1000", "9" * 30, "x")
LETTERS = tuple("aeiotz")
SIGNS = tuple('":,.()[]{}=<>+*/#@%\t\u00e9')
MARGINS = ("    ", " ", "  ", " " * 8)


Change = tuple[int, int, "Sequence[str]"]  # a stretch of a text, and what may be there instead
Groups = dict[str, list["Sequence[str]"]]  # by name, the groups of names that it is in


class Slipper:
    """Makes slips in the files of a pack; `groups` are names that could stand for each other."""

    def __init__(self, files: Mapping[str, str], groups: Sequence[Sequence[str]]) -> None:
        self.files = {path: TextFile(path, path, files[path]) for path in sorted(files)}
        every = sorted({name for group in groups for name in group})
        self._names = _by_name([*groups, every])
        self._words = _by_name([*groups, *ALIKE])
        self._mutations: dict[tuple[str, str], list[Mutation]] = {}

    def slip(self, way: str, chance: random.Random) -> Mutant:
        """Return a slip of a way, or of another where there is none in these files."""
        sizes = [len(file.text) for file in self.files.values()]
        for _ in range(TRIES):
            [path] = chance.choices([*self.files], sizes)
            mutations = self._mutations_of(way, path)
            if mutations:
                mutation = chance.choice(mutations)
                slip = mutation.mutant(chance.choice(mutation.news))
                if slip.new != slip.old:
                    return slip
        if way == DELETED:
            raise ValueError("there is nothing to delete in this pack")
        return self.slip(DELETED, chance)  # a pack without numbers, say

    def slipped(self, slip: Mutant) -> str:
        """Return the whole file with a slip."""
        return slip.apply(self.files[slip.path].text)

    def _mutations_of(self, way: str, path: str) -> list[Mutation]:
        if (way, path) not in self._mutations:
            file = self.files[path]
            found = self._changes(way, file.text)
            self._mutations[way, path] = [Mutation(file, *change, way) for change in found]
        return self._mutations[way, path]

    def _changes(self, way: str, text: str) -> Iterator[Change]:
        match way:
            case "name":
                return _exchanged(self._names, text)
            case "word":
                return _exchanged(self._words, text)
            case _:
                return WAYS[way](text)


def _by_name(groups: Sequence[Sequence[str]]) -> Groups:
    found: Groups = {}
    for group in groups:
        for name in group:
            found.setdefault(name, []).append(group)
    return found


# -------------------------------------------------------------------- tokens
def _tokens(text: str, offset: int = 0) -> Iterator[Lexeme]:
    """Yield words, signs and the ends of lines; what is in a text, and each part of a name."""
    for each in lexemes(text):
        if each.is_code or (each.sort is Sort.BLANK and "\n" in each.text):
            yield attrs.evolve(each, start=offset + each.start)
        if each.sort is Sort.TEXT:
            yield from _tokens(each.text[1:-1], offset + each.start + 1)
        elif each.sort is Sort.NAME and "." in each.text:
            at = each.text.index(".")
            yield Lexeme(Sort.NAME, each.text[:at], offset + each.start)
            yield Lexeme(Sort.NAME, each.text[at + 1 :], offset + each.start + at + 1)


def _deleted(text: str) -> Iterator[Change]:
    return ((each.start, each.end, ("",)) for each in _tokens(text))


def _doubled(text: str) -> Iterator[Change]:
    return ((each.start, each.end, (f"{each.text} {each.text}",)) for each in _tokens(text))


def _swapped(text: str) -> Iterator[Change]:
    tokens = [*_tokens(text)]
    for at, one in enumerate(tokens):
        two = next((each for each in tokens[at + 1 :] if each.start >= one.end), None)
        if two is not None:
            yield one.start, two.end, (two.text + text[one.end : two.start] + one.text,)


def _number(text: str) -> Iterator[Change]:
    for each in _tokens(text):
        if each.sort is Sort.NUMBER:
            number = int(each.text)
            near = max(number - 1, 0), number + 1, number + 2, number * 2
            yield each.start, each.end, tuple(map(str, (0, 1, 2, *near, 7, 10, 100)))


def _no_number(text: str) -> Iterator[Change]:
    numbers = (each for each in _tokens(text) if each.sort is Sort.NUMBER)
    return ((each.start, each.end, NO_NUMBERS) for each in numbers)


def _exchanged(groups: Groups, text: str) -> Iterator[Change]:
    for each in _tokens(text):
        for group in groups.get(each.text, ()):
            yield each.start, each.end, group


# -------------------------------------------------------------------- letters and signs
def _misspelt(text: str) -> Iterator[Change]:
    names = (each for each in _tokens(text) if each.sort is Sort.NAME)
    return ((at, at + 1, LETTERS) for each in names for at in range(each.start, each.end))


def _sign(text: str) -> Iterator[Change]:
    return ((at, at + width, SIGNS) for at in range(len(text)) for width in (0, 1))


# -------------------------------------------------------------------- lines
def _line(text: str) -> Iterator[Change]:
    lines = text.splitlines(keepends=True)
    start = 0
    for line, after in zip(lines, (*lines[1:], ""), strict=True):
        end = start + len(line)
        if line.strip() and not line.lstrip().startswith("#"):
            yield start, end, ("", line * 2)
            yield start, end + len(after), (after + line,)
        start = end


def _margin(text: str) -> Iterator[Change]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, start, MARGINS
        if line.startswith(MARGINS[0]):
            yield start, start + len(MARGINS[0]), ("",)
        start += len(line)


DELETED = "deleted"
WAYS: Mapping[str, Callable[[str], Iterator[Change]]] = {
    DELETED: _deleted,
    "doubled": _doubled,
    "swapped": _swapped,
    "number": _number,
    "no number": _no_number,
    "misspelt": _misspelt,
    "sign": _sign,
    "line": _line,
    "margin": _margin,
}
KINDS = (DELETED, "doubled", "swapped", "number", "name", "word", "line")
