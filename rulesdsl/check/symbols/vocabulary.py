"""Vocabulary of a game, in the order in which editors and lists show it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from rulesdsl.check.symbols.names import DONE, declared_word
from rulesdsl.check.symbols.symbol_table import EntryInfo, FieldInfo, KindInfo, SymbolTable
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.english import a_or_an, plural_of
from rulesdsl.source.span import SourceFile, Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.parser import parse_file

_RULE = "----"  # marks a section heading, which does not describe a declaration
_COMMENT = re.compile(r"""^((?:[^"#]|"(?:[^"\\]|\\.)*")*)(#.*)$""")


@attrs.frozen
class Word:
    """Entry in the vocabulary: a declaration and its notation.

    `said` is its header; `about` has the comments above it and on its line; `text` is its whole
    source. `fields` has the lines of a kind's fields.

    For a field, `keys` are the entries that index it, `example` shows its use in a rule, and
    `said_by` are the entries that set it.
    """

    sort: str
    name: str
    plural: str
    said: str
    about: str
    span: Span
    text: str
    fields: tuple[str, ...] = ()
    of: str = ""  # kind of an entry or field
    keys: tuple[str, ...] = ()
    example: str = ""
    said_by: tuple[str, ...] = ()


@attrs.frozen
class WordUse:
    """Line that uses a word."""

    file: str
    line: int
    text: str


def above(source: SourceFile, line: int) -> str:
    """Return the text of the comment lines directly above a line."""
    found: list[str] = []
    while source.line(line - 1).startswith("#") and _RULE not in source.line(line - 1):
        line -= 1
        found.insert(0, _words_of(source.line(line)))
    return " ".join(found)


def cut(line: str) -> tuple[str, str]:
    """Split a line into its code and the text of its comment."""
    found = _COMMENT.match(line)
    return (found[1].rstrip(), _words_of(found[2])) if found else (line.rstrip(), "")


def _words_of(comment: str) -> str:
    return " ".join(comment.lstrip("# ").split())


_SOME_NUMBER = "2"


def field_words(layers: Layered, world: SymbolTable) -> Iterator[Word]:
    """Yield the vocabulary entries for all fields."""
    for kind in world.kinds.values():
        for field in kind.fields.values():
            yield _field_word(kind, field, layers, world)


def _field_word(kind: KindInfo, field: FieldInfo, layers: Layered, world: SymbolTable) -> Word:
    source = layers.sources[field.span.file]
    line, beside = cut(source.line(field.span.line).strip())
    per = world.kinds.get(field.per or "")
    said_by = tuple(each.name for each in kind.entries if field.name in each.spans)
    return Word(
        "field",
        field.name,
        field.name,
        f"{field.name} of {kind.name}{line.removeprefix(field.name)}",
        _joined(above(source, field.span.line), beside),
        field.span,
        source.line(field.span.line).strip(),
        of=kind.name,
        keys=tuple(each.name for each in per.entries) if per else (),
        example=_example(kind, field, per),
        said_by=said_by,
    )


def _example(kind: KindInfo, field: FieldInfo, per: KindInfo | None) -> str:
    """Return an example of a field's use, with the first letter of its kind as the subject."""
    letter = kind.name.rpartition(".")[2][0]
    key = per.entries[0].name if per and per.entries else _SOME_NUMBER
    do = "do " if field.type in DONE else ""
    at = f" at {key}" if field.per else ""
    return f"{do}{field.name} of {letter}{at}, where {letter} is {a_or_an(kind.name)}"


_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


@attrs.frozen
class Vocabulary:
    """Words of a game and its mods: first those in rules, then those in tables.

    `folders` are the packs' folders as displayed, the game's first.
    """

    title: str
    folders: tuple[str, ...]
    words: tuple[Word, ...]
    _layers: Layered = attrs.field(repr=False)

    def uses(self, word: Word) -> Iterator[WordUse]:
        """Yield the lines that use a word, except those in its declaration."""
        wanted = "|".join(re.escape(each) for each in (word.name, word.plural))
        pattern = re.compile(rf"(?<![\w'-])(?<!\w\.)(?:{wanted})(?![\w'-])")
        own = range(word.span.line, word.span.line + word.text.count("\n") + 1)
        for path, source in _content(self._layers):
            for number, line in enumerate(source.lines, 1):
                is_own = path == word.span.file and number in own
                asked = _asking(word, path, line) if word.sort == "field" else cut(line)[0]
                if not is_own and pattern.search(asked):
                    yield WordUse(path, number, line.strip())


def collect_vocabulary(layers: Layered, world: SymbolTable) -> Vocabulary:
    """Collect the words of a game and its mods."""
    found = [word for source in layers.rules for word in _in_rules(source)]
    manifest = layers.game.manifest
    return Vocabulary(
        f"{manifest.name} {manifest.version}",
        tuple(pack.folder.as_posix() for pack in layers.packs),
        (*found, *field_words(layers, world), *_entries(layers, world), *_numbers(layers, world)),
        layers,
    )


def _asking(field: Word, path: str, line: str) -> str:
    """Return the part of a line in which a field can be used: all but its own definition."""
    said = cut(line)[0]
    if path.endswith(".toml"):
        return " ".join(_QUOTED.findall(said))
    return re.sub(rf"^ +{re.escape(field.name)}(:| =)", "", said)


def _content(layers: Layered) -> Iterator[tuple[str, SourceFile]]:
    """Yield the source text of all packs, except manifests and unread tables."""
    for pack in layers.packs:
        unread = [path for path in pack.toml_paths() if path not in layers.asked]
        aside = {f"{pack.folder.as_posix()}/{path}" for path in unread}
        aside.add(pack.manifest_file.source.path)
        yield from ((path, each) for path, each in pack.sources.items() if path not in aside)


# -------------------------------------------------------------------- rules
_SORTS: dict[type, str] = {
    de.KindDecl: "kind",
    de.PieceDecl: "piece",
    de.PlaceDecl: "place",
    de.TrackDecl: "track",
    de.FlagDecl: "flag",
    de.MemoryDecl: "memory",
    de.OptionDecl: "option",
    de.RivalDecl: "rival",
    de.ValueDecl: "value",
    de.ScoreDecl: "score",
    de.HookDecl: "hook",
    de.TextHookDecl: "hook",
    de.ValueHookDecl: "hook",
    de.EntryDecl: "entry",
}


def _in_rules(source: SourceFile) -> Iterator[Word]:
    parsed = parse_file(source.text, source.path, Findings(), source.language)
    for decl in parsed.file.declarations:
        word, sort = declared_word(decl), _SORTS.get(type(decl), "")
        if isinstance(decl, de.ProcedureDecl):
            sort = "verb" if decl.verb else "step"
        if word is None or not sort:
            continue  # a declaration without a name
        lines = [source.line(number) for number in range(decl.span.line, decl.span.end_line + 1)]
        head, beside = cut(lines[0])
        fields, names = getattr(decl, "fields", ()), getattr(decl, "names", None)
        plural = word.text
        if isinstance(names, de.Names):
            plural = names.plural.text if names.plural else plural_of(word.text)
        yield Word(
            sort,
            word.text,
            plural,
            _head(head.strip(), lines),
            _joined(above(source, decl.span.line), beside),
            decl.span,
            "\n".join(line.rstrip() for line in lines),
            tuple(source.line(each.span.line).strip() for each in fields) if names else (),
            of=decl.kind.text if isinstance(decl, de.EntryDecl) else "",
        )


def _joined(*comments: str) -> str:
    return " ".join(each for each in comments if each)


_WITH_BODY = {"verb", "step", "value", "score", "before", "after", "instead"}


def _head(line: str, lines: list[str]) -> str:
    if line.endswith(":"):
        return line[:-1]
    first, colon, rest = line.partition(": ")
    has_body = line.split(" ", 1)[0] in _WITH_BODY
    return first if colon and rest and has_body and len(lines) == 1 else line


# -------------------------------------------------------------------- tables
def _entries(layers: Layered, world: SymbolTable) -> Iterator[Word]:
    for kind in world.kinds.values():
        if kind.table is None:
            continue
        for entry in kind.entries:
            source = layers.sources.get(entry.span.file)
            if source is not None and source.path.endswith(".toml"):
                yield _entry(entry, source)


def _entry(entry: EntryInfo, source: SourceFile) -> Word:
    first = entry.span.line
    last = first
    if source.line(first).startswith("["):
        while last < len(source.lines) and not source.line(last + 1).startswith("["):
            last += 1
        while source.line(last).startswith("#") or not source.line(last).strip():
            last -= 1
    lines = [source.line(number).rstrip() for number in range(first, last + 1)]
    about = _joined(above(source, first), cut(lines[0])[1])
    said = f'{entry.kind} {entry.name} "{entry.title}"'
    text = "\n".join(lines)
    return Word("entry", entry.name, entry.name, said, about, entry.span, text, of=entry.kind)


def _numbers(layers: Layered, world: SymbolTable) -> Iterator[Word]:
    for number in world.constants.values():
        name, span = number.name, number.span
        line = layers.sources[span.file].line(span.line)
        said, about = cut(line.strip())
        yield Word("number", name, name, said, about, span, line.rstrip())
