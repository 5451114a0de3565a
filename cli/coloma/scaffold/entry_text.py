"""Text of a new table entry, modelled on an existing entry."""

from __future__ import annotations

import json
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import attrs

from coloma.output import USAGE, CommandError, abridged
from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.declare import BUILT_IN
from rulesdsl.check.symbols.words import TEXT
from rulesdsl.packs.manifest import NO_FILE
from rulesdsl.source.diagnostics import Findings, did_you_mean
from rulesdsl.source.english import or_list, plural_of
from rulesdsl.source.render import escaped
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.parser import parse_formula

if TYPE_CHECKING:
    from rulesdsl import Vocabulary, Word
    from rulesdsl.check.symbols.symbol_table import EntryInfo, FieldInfo, KindInfo, SymbolTable
    from rulesdsl.check.typed.program import Checked
    from rulesdsl.packs.overlay import Layered

_ABOUT_ITSELF = {"name", "id", "copies", "source", "sources"}


@attrs.frozen
class Model:
    """Existing entry to copy; `sectioned` means that its table groups entries by kind."""

    kind: KindInfo
    entry: EntryInfo
    fields: Mapping[str, object]
    sectioned: bool
    file: str


def choose_model(kind: KindInfo, layers: Layered, checked: Checked) -> Model:
    """Return a typical entry of a kind.

    Entries with an effect that is always possible are preferred, then those with the most frequent
    set of fields, then short ones.
    """
    models = [each for each in _models(kind, layers) if each.fields or not kind.fields]
    if not models:
        raise CommandError(f"{kind.table} has no {kind.name} to copy")
    alike = Counter(frozenset(each.fields) for each in models)

    def rank(model: Model) -> tuple[bool, int, int, int]:
        free = _free_effects(model, checked)
        length = len(str(model.fields))
        return (free > 0, alike[frozenset(model.fields)], free, -length)

    return max(models, key=rank)


def _models(kind: KindInfo, layers: Layered) -> list[Model]:
    table = layers.get(kind.table or "", kind.table_span)
    found: list[Model] = []
    for entry in kind.entries:
        inside = tuple(entry.name.split("."))  # a mod's entries are in the table of its id
        for above in ((kind.name,), ()):
            raw = None if table is None else _at(table.data, (*above, *inside))
            if isinstance(raw, dict):
                fields = {key: each for key, each in raw.items() if key not in _ABOUT_ITSELF}
                found.append(Model(kind, entry, fields, bool(above), kind.table or ""))
                break
    return found


def _at(data: object, path: tuple[str, ...]) -> object:
    for step in path:
        data = data.get(step) if isinstance(data, dict) else None
    return data


def _free_effects(model: Model, checked: Checked) -> int:
    program, index = checked.program, model.kind.index[model.entry.name]
    return sum(
        program.guards.get(proc, ty.YES) == ty.YES and bool(program.procs[proc].block.steps)
        for (kind, _, entry, _), proc in program.effects.items()
        if kind == model.kind.name and entry == index
    )


def find_kind(world: SymbolTable, word: str) -> KindInfo:
    """Return the kind that a word names; raise `CommandError` if none that has a table matches."""
    known = [kind for kind in world.kinds.values() if kind.table is not None]
    by_name = [kind for kind in known if word in (kind.name, kind.plural)]
    found = by_name or [kind for kind in known if word in _calls(kind)]
    game = world.manifest.name
    if len(found) > 1:
        raise CommandError(
            f"`{word}` can mean {or_list(_titled(found))}: use one of these words", USAGE
        )
    if found:
        return found[0]
    calls = {each for kind in known for each in (kind.name, *_calls(kind))}
    advice = did_you_mean(word, calls)
    if not known:
        raise CommandError(f"{game} has no tables to extend", USAGE)
    raise CommandError(
        f"{game} has no kind {word}"
        + (f" ({advice})" if advice else "")
        + f"\nkinds of new entries: {', '.join(_titled(known))}",
        USAGE,
    )


def _calls(kind: KindInfo) -> set[str]:
    title = kind.title.lower()
    stem = PurePosixPath(kind.table or "").stem
    singulars = (stem[:-1], stem[:-2], stem[:-3] + "y")
    words = {title, *title.split(), stem}
    return words | {word for word in singulars if plural_of(word) == stem}


def _titled(kinds: Iterable[KindInfo]) -> list[str]:
    return [f"{kind.name} ({kind.title})" for kind in kinds]


_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_OTHER_SIGNS = re.compile(r"[^a-z0-9]+")
MAX_LETTERS = 40


def check_name(name: str) -> None:
    """Raise `CommandError`, with a suggestion if possible, for an invalid name."""
    if not _NAME.fullmatch(name):
        better = _OTHER_SIGNS.sub("-", name.lower()).strip("-")
        advice = f", such as `{better}`" if _NAME.fullmatch(better) else ""
        raise CommandError(
            f"`{name}` is not a valid name: use a-z and 0-9, with hyphens between words{advice}",
            USAGE,
        )
    if re.fullmatch(NO_FILE, name):
        raise CommandError(f"`{name}` is not a valid name on Windows", USAGE)
    if len(name) > MAX_LETTERS:
        raise CommandError(f"`{name}` is too long: at most {MAX_LETTERS} characters", USAGE)


def check_word(name: str, words: Vocabulary, world: SymbolTable) -> None:
    """Raise `CommandError` if a name already has a meaning in the language or the game."""
    found = parse_formula(name, "", Findings())
    if name in BUILT_IN or not (isinstance(found, ex.Name) and found.name == name):
        raise CommandError(f"`{name}` is a word of the language: choose another name", USAGE)
    taken = next((each for each in words.words if name in (each.name, each.plural)), None)
    meaning = ""
    if taken is not None:
        meaning = f"{taken.sort} {taken.name} at {taken.span.file}:{taken.span.line}"
    elif name in world.owners:
        meaning = f"{world.owners[name][0]} {name}"
    if meaning:
        raise CommandError(f"`{name}` is taken ({meaning}): choose another name", USAGE)


def title_of(name: str) -> str:
    """Return a title for a name: without the id of the mod, and with each word capitalized."""
    return " ".join(word.capitalize() for word in name.rpartition(".")[2].split("-"))


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_MOST_LISTED = 12
_WIDTH = 99
_NOTHING = "nothing"
_EFFECTS = {"effect", "automatic"}
_WORDS = {
    "number": "a whole number",
    "yes-no": "true or false",
    "text": "text for players",
    "bundle": "a price, such as { NOUN = 2 }",
    "effect": "an effect: a line of rules in quotation marks, or a list of them",
    "automatic": "an effect without a choice",
    "formula": "a value that is computed whenever it is used",
}


def entry_text(
    name: str, model: Model, world: SymbolTable, declared: Word | None, *, bare: bool = False
) -> str:
    """Return the TOML table of a new entry, with the values of its model.

    A bare entry has no effects; a comment explains how a hook can add one.
    """
    kind = model.kind
    header = f"{kind.name}.{name}" if model.sectioned else name
    lines = _way_to_hook(name, kind.name, world) if bare else []
    lines += [
        f"# {kind.title} `{name}`, copied from `{model.entry.name}`: change its values.",
        f"[{header}]",
        f"name = {inline(title_of(name))}",
    ]
    if model.entry.copies > 1:
        lines.append("copies = 1  # number of copies")
    remarks = _remarks(declared)
    for field in kind.fields.values():
        value = model.fields.get(field.name)
        if bare and field.type in _EFFECTS:
            value = _no_effects(field, model)
        elif field.name == TEXT and field.type == "text" and value is not None:
            value = f"Describe {title_of(name)} here."  # instead of the model's description
        lines += _field(field, value, world, remarks.get(field.name, ""))
    lines.append('source = "house"  # the source of its numbers: rulebook, derived or house')
    return "\n".join(lines) + "\n"


def _no_effects(field: FieldInfo, model: Model) -> object:
    """Return the value of an effect field for an entry without effects; None omits the field."""
    held = [
        {key for name, key in each.effects if name == field.name} for each in model.kind.entries
    ]
    always = sorted(set.intersection(*held), key=str)
    if always == [None]:
        return _NOTHING
    return dict.fromkeys(always, _NOTHING) if always else None


def _way_to_hook(name: str, kind: str, world: SymbolTable) -> list[str]:
    places = (each for each in world.places.values() if kind in each.holds and each.dims)
    place = next((each.name for each in places if each.dims[0] in {"player", "seat"}), None)
    when = f"any {name} in my {place}" if place else "..."
    return [
        "# Write its effects as hooks in a rules file, such as more.rules:",
        f"#   after VERB when {when}: ...",
        "# See `coloma vocabulary verbs` and `coloma vocabulary steps` for names to hook.",
    ]


def _field(field: FieldInfo, value: object, world: SymbolTable, remark: str) -> Iterator[str]:
    about = f"# {field.name}: {_type(field, world)}"
    if remark:
        about += f". {remark[0].upper()}{remark[1:]}"
    if field.default is not None:
        about += f" (without it: {_default(field.default)})"
    yield from textwrap.wrap(about, _WIDTH, subsequent_indent="#   ", break_on_hyphens=False)
    if value is None:
        return
    if field.per not in (None, "number") and isinstance(value, dict):
        for key, each in value.items():
            yield f"{field.name}.{_key(key)} = {inline(each)}"
    else:
        yield f"{field.name} = {inline(value)}"


def _type(field: FieldInfo, world: SymbolTable) -> str:
    if field.type == "number" and field.per == "number":
        return "a chart of numbers, such as { 2 = 5, 4 = 7 }: 5 for 2, 7 for 4"
    words = _WORDS.get(field.type) or _names(field.type, world)
    if field.per is not None:
        keys = abridged([each.name for each in world.kinds[field.per].entries], _MOST_LISTED)
        may_lack = field.type in {"effect", "automatic", "formula"}
        words += f"; {'optional' if may_lack else 'one'} for each {field.per}: {keys}"
    return words


def _names(kind: str, world: SymbolTable) -> str:
    single = world.singular(kind)
    entries = [each.name for each in world.kinds[single].entries]
    names = abridged(entries, _MOST_LISTED)
    return f"a list of {names}" if single != kind else f"one of {names}"


def _default(value: ex.Expr) -> str:
    match value:
        case ex.Number():
            return str(value.value)
        case ex.Switch():
            return "true" if value.on else "false"
        case ex.Name():
            return value.name
        case _:
            return "as declared"


def _remarks(declared: Word | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in declared.fields if declared else ():
        code, sign, remark = line.partition("#")
        if sign:
            found[code.partition(":")[0].strip()] = " ".join(remark.split())
    return found


def inline(value: object) -> str:
    """Return a value as TOML on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return escaped(json.dumps(value, ensure_ascii=False))
        case dict():
            inside = ", ".join(f"{_key(key)} = {inline(each)}" for key, each in value.items())
            return f"{{ {inside} }}"
        case list():
            return f"[{', '.join(map(inline, value))}]"
        case _:
            return str(value)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else escaped(json.dumps(key, ensure_ascii=False))
