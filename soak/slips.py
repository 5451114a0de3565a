"""Small slips in content: one token or line changed, as a person's mistake would change it."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulesdsl.check.world import World

TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9'-]*|[0-9]+|<>|<=|>=|\.\.|[^\sA-Za-z0-9\"]")
NAME = re.compile(r"[a-z][a-z0-9'-]*")
COMMENT = re.compile(r"#.*")
TRIES = 200

# Words and signs that stand where another of their set could stand as well.
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


@attrs.frozen
class Slip:
    """One change of one file: its class, its line, what was there and what is there now."""

    kind: str
    path: str
    line: int
    before: str
    after: str
    text: str = attrs.field(repr=False)  # the whole file with the slip

    def __str__(self) -> str:
        """Show where it is and what it does."""
        return f"{self.path}:{self.line}: {self.kind}: {self.before!r} -> {self.after!r}"


DELETED = "deleted"
KINDS = (DELETED, "doubled", "swapped", "number", "name", "word", "line")


def families(world: World) -> list[list[str]]:
    """Return the names of a pack in groups whose members could stand for one another."""
    found: list[list[str]] = [
        [*world.places],
        [place.plural for place in world.places.values()],
        [*world.pieces],
        [piece.plural for piece in world.pieces.values()],
        [*world.kinds],
        [kind.plural for kind in world.kinds.values()],
        [*world.tracks, *(track.plural for track in world.tracks.values())],
        [*world.flags],
        [*world.options],
        [*world.values],
        [*world.procs],
        [*world.constants],
        [field for kind in world.kinds.values() for field in kind.fields],
    ]
    found += [[entry.name for entry in kind.entries] for kind in world.kinds.values()]
    return [sorted(set(names)) for names in found if len(set(names)) > 1]


class Slipper:
    """Makes slips in the files of a pack."""

    def __init__(self, files: Mapping[str, str], groups: Sequence[Sequence[str]]) -> None:
        self.files = dict(files)
        self.paths = sorted(files)
        self._tokens = {path: _tokens(text) for path, text in files.items()}
        self._sizes = [len(self._tokens[path]) for path in self.paths]
        self._groups = [[*group] for group in groups] + [[*group] for group in ALIKE]
        self._names = sorted({name for group in groups for name in group})

    def slip(self, kind: str, chance: random.Random) -> Slip:
        """Return a slip of a class."""
        for _ in range(TRIES):
            path = chance.choices(self.paths, self._sizes)[0]
            found = self._change(kind, path, chance)
            if found is None:
                continue
            start, end, new = found
            text = self.files[path]
            if text[start:end] == new:
                continue
            line = text.count("\n", 0, start) + 1
            changed = text[:start] + new + text[end:]
            return Slip(kind, path, line, text[start:end], new, changed)
        if kind == DELETED:
            raise ValueError("there is nothing to delete in this pack")
        return self.slip(DELETED, chance)  # a pack without numbers, say

    def _change(self, kind: str, path: str, chance: random.Random) -> tuple[int, int, str] | None:
        text, tokens = self.files[path], self._tokens[path]
        if kind == "line":
            return _line(text, chance)
        at = chance.randrange(len(tokens))
        start, end = tokens[at]
        word = text[start:end]
        match kind:
            case _ if kind == DELETED:
                return start, end, ""
            case "doubled":
                return start, end, f"{word} {word}"
            case "swapped":
                if at + 1 == len(tokens):
                    return None
                low, high = tokens[at + 1]
                return start, high, text[low:high] + text[end:low] + word
            case "number":
                if not word.isdigit():
                    return None
                return start, end, str(_another_number(int(word), chance))
            case "name":
                if NAME.fullmatch(word) is None or word not in self._names:
                    return None
                groups = [group for group in self._groups if word in group]
                return start, end, chance.choice(chance.choice([*groups, self._names]))
            case _:
                groups = [group for group in self._groups if word in group]
                return (start, end, chance.choice(chance.choice(groups))) if groups else None


def _tokens(text: str) -> list[tuple[int, int]]:
    comments = [found.span() for found in COMMENT.finditer(text)]
    spans = (found.span() for found in TOKEN.finditer(text))
    return [
        (start, end)
        for start, end in spans
        if not any(low <= start < high for low, high in comments)
    ]


def _another_number(number: int, chance: random.Random) -> int:
    return chance.choice(
        [0, 1, 2, max(number - 1, 0), number + 1, number + 2, number * 2, 10, 100]
    )


def _line(text: str, chance: random.Random) -> tuple[int, int, str] | None:
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    if not lines[at].strip() or lines[at].lstrip().startswith("#"):
        return None
    start = sum(map(len, lines[:at]))
    end = start + len(lines[at])
    match chance.randrange(3):
        case 0:
            return start, end, ""
        case 1:
            return start, end, lines[at] * 2
        case _:
            if at + 1 == len(lines):
                return None
            return start, end + len(lines[at + 1]), lines[at + 1] + lines[at]
