"""Vocabulary of a game, in the order shown by editors and lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.symbols.declare import plural_of
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.english import a_or_an
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.parser import parse_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.symbols.symbol_table import EntryInfo, FieldInfo, KindInfo, SymbolTable
    from rulesdsl.packs.overlay import Layered
    from rulesdsl.source.span import SourceFile, Span


_RULE = "----"  # in section headings, which describe no declaration
_COMMENT = re.compile(r"""^((?:[^"#]|"[^"]*")*)(#.*)$""")


@attrs.frozen
class Word:
    """Entry of the vocabulary: a declaration and its notation.

    `said` is its header; `about` are the comments beside and above it; `text` is the whole source.
    `fields` are the field lines of a kind.

    For a field, `keys` are the entries that index it, `example` shows its use in a rule, and
    `said_by` are the entries that define it.
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
    """Return the comment lines directly above a line, joined."""
    found: list[str] = []
    while source.line(line - 1).startswith("#") and _RULE not in source.line(line - 1):
        line -= 1
        found.insert(0, _words_of(source.line(line)))
    return " ".join(found)


def cut(line: str) -> tuple[str, str]:
    """Split a line into code and the text of its comment."""
    found = _COMMENT.match(line)
    return (found[1].rstrip(), _words_of(found[2])) if found else (line.rstrip(), "")


def _words_of(comment: str) -> str:
    return " ".join(comment.lstrip("# ").split())


_DONE = {"effect", "automatic"}
_SOME_NUMBER = "2"


def field_words(layers: Layered, world: SymbolTable) -> Iterator[Word]:
    """Yield the fields of all kinds."""
    for kind in world.kinds.values():
        for field in kind.fields.values():
            yield _field_word(kind, field, layers, world)


def _field_word(kind: KindInfo, field: FieldInfo, layers: Layered, world: SymbolTable) -> Word:
    source = layers.sources[field.span.file]
    line, beside = cut(source.line(field.span.line).strip())
    about = " ".join(each for each in (above(source, field.span.line), beside) if each)
    per = world.kinds.get(field.per or "")
    said_by = tuple(each.name for each in kind.entries if field.name in each.spans)
    return Word(
        "field",
        field.name,
        field.name,
        f"{field.name} of {kind.name}{line.removeprefix(field.name)}",
        about,
        field.span,
        source.line(field.span.line).strip(),
        of=kind.name,
        keys=tuple(each.name for each in per.entries) if per else (),
        example=_example(kind, field, per),
        said_by=said_by,
    )


def _example(kind: KindInfo, field: FieldInfo, per: KindInfo | None) -> str:
    """Return an example of a field's use; the subject is the first letter of its kind."""
    letter = kind.name.rpartition(".")[2][0]
    key = per.entries[0].name if per and per.entries else _SOME_NUMBER
    do = "do " if field.type in _DONE else ""
    at = f" at {key}" if field.per else ""
    return f"{do}{field.name} of {letter}{at}, where {letter} is {a_or_an(kind.name)}"


_QUOTED = re.compile(r'"[^"]*"')


@attrs.frozen
class Vocabulary:
    """Words of a game and its mods, in the order of the rules, then of the tables.

    `folders` are the folders of the packs as displayed, the game's first.
    """

    title: str
    folders: tuple[str, ...]
    words: tuple[Word, ...]
    _layers: Layered = attrs.field(repr=False)

    def uses(self, word: Word) -> Iterator[WordUse]:
        """Yield the lines that use a word, outside its declaration."""
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
    """Return the part of a line that can read a field, without definitions of the field."""
    said = cut(line)[0]
    if path.endswith(".toml"):
        return " ".join(_QUOTED.findall(said))
    return re.sub(rf"^ +{re.escape(field.name)}(:| =)", "", said)


def _content(layers: Layered) -> Iterator[tuple[str, SourceFile]]:
    """Yield the source texts of the game, without manifests and unread tables."""
    aside = {(pack.id, path) for pack, path in layers.unread()}
    for pack in layers.packs:
        shown = {
            f"{pack.folder.as_posix()}/{path}" for pack_id, path in aside if pack_id == pack.id
        }
        shown.add(pack.manifest_file.source.path)
        yield from ((path, each) for path, each in pack.sources.items() if path not in shown)


# -------------------------------------------------------------------- rules
def _in_rules(source: SourceFile) -> Iterator[Word]:
    for decl in parse_file(source.text, source.path, Findings()).file.declarations:
        match decl:
            case de.KindDecl() | de.PieceDecl() | de.PlaceDecl() | de.TrackDecl():
                yield _thing(decl, source)
            case de.FlagDecl() | de.OptionDecl() | de.RivalDecl() | de.ValueDecl():
                yield _word(_sort(decl), decl.name.text, decl.span, source)
            case de.ScoreDecl():
                yield _word("score", decl.name.text, decl.span, source)
            case de.ProcedureDecl(header=header):
                sort = "verb" if decl.verb else "step"
                yield _word(sort, header.name.text, decl.span, source)
            case de.HookDecl(header=header) | de.TextHookDecl(header=header):
                yield _word("hook", header.name.text, decl.span, source)
            case de.ValueHookDecl():
                yield _word("hook", decl.name.text, decl.span, source)
            case de.EntryDecl():
                yield _word("entry", decl.name.text, decl.span, source, of=decl.kind.text)
            case (
                de.ConstantsDecl()
                | de.PanelDecl()
                | de.SourceDecl()
                | de.WinDecl()
                | de.VerdictDecl()
            ):
                pass  # without a name


def _sort(decl: de.FlagDecl | de.OptionDecl | de.RivalDecl | de.ValueDecl) -> str:
    sorts = {de.FlagDecl: "flag", de.OptionDecl: "option", de.RivalDecl: "rival"}
    return sorts.get(type(decl), "value")


def _thing(
    decl: de.KindDecl | de.PieceDecl | de.PlaceDecl | de.TrackDecl, source: SourceFile
) -> Word:
    sorts = {de.KindDecl: "kind", de.PieceDecl: "piece", de.PlaceDecl: "place"}
    names = decl.names
    plural = names.plural.text if names.plural else plural_of(names.singular.text)
    fields = () if isinstance(decl, de.TrackDecl) else decl.fields
    lines = tuple(source.line(each.span.line).strip() for each in fields)
    word = _word(sorts.get(type(decl), "track"), names.singular.text, decl.span, source)
    return attrs.evolve(word, plural=plural, fields=lines)


def _word(sort: str, name: str, span: Span, source: SourceFile, *, of: str = "") -> Word:
    lines = [source.line(number) for number in range(span.line, span.end_line + 1)]
    head, beside = cut(lines[0])
    over = above(source, span.line)
    return Word(
        sort,
        name,
        name,
        _head(head.strip(), lines),
        " ".join(each for each in (over, beside) if each),
        span,
        "\n".join(line.rstrip() for line in lines),
        of=of,
    )


def _head(line: str, lines: list[str]) -> str:
    """Return the first line of a declaration without its body."""
    if line.endswith(":"):
        return line[:-1]
    first, colon, rest = line.partition(": ")
    has_body = line.split(" ", 1)[0] in {
        "verb",
        "step",
        "value",
        "score",
        "before",
        "after",
        "instead",
    }
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
    about = " ".join(each for each in (above(source, first), cut(lines[0])[1]) if each)
    said = f'{entry.kind} {entry.name} "{entry.title}"'
    text = "\n".join(lines)
    return Word("entry", entry.name, entry.name, said, about, entry.span, text, of=entry.kind)


def _numbers(layers: Layered, world: SymbolTable) -> Iterator[Word]:
    for number in world.constants.values():
        name, span = number.name, number.span
        line = layers.sources[span.file].line(span.line)
        said, about = cut(line.strip())
        yield Word("number", name, name, said, about, span, line.rstrip())
