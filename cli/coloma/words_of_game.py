"""The words of a game as text: the list of all, and one of them with its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from coloma.errors import USAGE, CommandError
from rulesdsl import Vocabulary, Word
from rulesdsl.source.suggest import did_you_mean

SORTS = {
    "verb": ("verbs", "what a player or seat does; a mod can act before, after, instead of it"),
    "step": ("steps", "what the game does; a mod can act before, after, instead of it"),
    "value": ("values", "phrases with a name; `instead of value` changes one"),
    "option": ("options", "what a table agrees on before it plays"),
    "kind": ("kinds", "sets of things, with the fields of their entries"),
    "piece": ("pieces", "what is in the box; those with fields are cards or the like"),
    "place": ("places", "where pieces lie; those with fields are things themselves"),
    "field": ("fields", "what entries hold; a mod's table or rules can change it"),
    "track": ("tracks", "numbers that go up and down"),
    "flag": ("flags", "marks, on or off"),
    "number": ("numbers", "numbers with a name; a mod can set another one"),
    "rival": ("rivals", "seats that never decide"),
    "score": ("scores", "the lines of the final scoring"),
    "entry": ("entries", "what is in the tables"),
    "hook": ("hooks", "what is done before, after or instead of something already"),
}
_IN_SHORT = {"field", "entry"}  # only their names, where all sorts are listed
_PLURALS = {plural: sort for sort, (plural, _) in SORTS.items()}
MAX_USES = 12


def listed(words: Vocabulary, only: str | None = None) -> Iterator[str]:
    """Yield the lines of the list: all sorts, or one of them."""
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


def sort_named(name: str) -> str | None:
    """Return the sort that a word such as `verbs` names."""
    return _PLURALS.get(name)


def told(words: Vocabulary, name: str) -> Iterator[str]:
    """Yield everything about a word: how it is declared, and where it is used.

    Without such a word it is a list of those that speak of it.
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
    yield f"written: {word.example}"
    if word.keys:
        yield f"at: {', '.join(word.keys)}"
    yield f"entries that say it: {', '.join(word.said_by) or 'none'}"


def _called(words: Vocabulary, name: str) -> list[Word]:
    """Return the words of a name; what a mod brings is found without the id of the mod too."""
    whole = [each for each in words.words if name in (each.name, each.plural)]
    return whole + [each for each in words.words if each.name.endswith(f".{name}")]


def _speaking_of(words: Vocabulary, name: str) -> Iterator[str]:
    wanted = name.lower()
    found = [
        each for each in words.words if wanted in each.said.lower() or wanted in each.about.lower()
    ]
    if not found:
        known = {word for each in words.words for word in (each.name, each.plural)}
        advice = did_you_mean(wanted, [*known, *_PLURALS]) or "`coloma vocabulary` lists them all"
        raise CommandError(f"{words.title} has no word {name} ({advice})", USAGE)
    yield f"No word is called {name}; these mention it:"
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
        yield f"  and in {len(used) - MAX_USES} lines more"


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
    """Return a place by its path inside its pack; that of a mod begins with its folder."""
    path = PurePosixPath(file)
    for folder in reversed(words.folders):
        if path.is_relative_to(folder):
            inside = path.relative_to(folder)
            mod = "" if folder == words.folders[0] else f"{PurePosixPath(folder).name}/"
            return f"{mod}{inside}:{line}"
    return f"{file}:{line}"
