"""A new entry of a table as text: every field with what it may hold, and a value to begin with."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from coloma.scaffold.names import title_of
from rulesdsl.interpreter.printed import TEXT
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from coloma.scaffold.model import Model
    from rulesdsl import Word
    from rulesdsl.check.world import FieldInfo, World

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_MOST_LISTED = 12
_WIDTH = 99
_NOTHING = "nothing"
_EFFECTS = {"effect", "automatic"}
_WORDS = {
    "number": "a whole number",
    "yes-no": "true or false",
    "text": "a text that is only read",
    "bundle": "a price, such as { NOUN = 2 }",
    "effect": "what is done: a text in the language, or a list of them",
    "automatic": "what is done, without a choice in it",
    "formula": "a value that is worked out each time",
}


def entry_text(
    name: str, model: Model, world: World, declared: Word | None, *, bare: bool = False
) -> str:
    """Return the table of a new entry, with the values of the one that it is made after.

    A bare one has no effects; a comment says how a hook does something for it.
    """
    kind = model.kind
    header = f"{kind.name}.{name}" if model.sectioned else name
    lines = _way_to_hook(name, kind.name, world) if bare else []
    lines += [
        f"# {kind.title} `{name}`, made after `{model.entry.name}`: change what it says.",
        f"[{header}]",
        f"name = {inline(title_of(name))}",
    ]
    if model.entry.copies > 1:
        lines.append("copies = 1  # how many of it there are")
    remarks = _remarks(declared)
    for field in kind.fields.values():
        value = model.fields.get(field.name)
        if bare and field.type in _EFFECTS:
            value = _no_effects(field, model)
        elif field.name == TEXT and field.type == "text" and value is not None:
            value = f"Say here what {title_of(name)} does."  # not what the model does
        lines += _field(field, value, world, remarks.get(field.name, ""))
    lines.append('source = "house"  # where its numbers come from: rulebook, derived or house')
    return "\n".join(lines) + "\n"


def _no_effects(field: FieldInfo, model: Model) -> object:
    """Return what a bare entry says: where every entry has an effect, rules may count on it."""
    held = [
        {key for name, key in each.effects if name == field.name} for each in model.kind.entries
    ]
    always = sorted(set.intersection(*held), key=str)
    if always == [None]:
        return _NOTHING
    return dict.fromkeys(always, _NOTHING) if always else None


def _way_to_hook(name: str, kind: str, world: World) -> list[str]:
    """Return how a rule begins that is only for those who have a thing, as comments."""
    places = (each for each in world.places.values() if kind in each.holds and each.dims)
    place = next((each.name for each in places if each.dims[0] in {"player", "seat"}), None)
    when = f"any {name} in my {place}" if place else "..."
    return [
        "# What it does is in a file of rules, such as more.rules: a hook on what happens.",
        f"#   after VERB when {when}: ...",
        "# `coloma vocabulary verbs` and `coloma vocabulary steps` list what can be hooked on.",
    ]


def _field(field: FieldInfo, value: object, world: World, remark: str) -> Iterator[str]:
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


def _type(field: FieldInfo, world: World) -> str:
    if field.type == "number" and field.per == "number":
        return "numbers at numbers, such as { 2 = 5, 4 = 7 }"
    words = _WORDS.get(field.type) or _names(field.type, world)
    if field.per is not None:
        keys = _listed([each.name for each in world.kinds[field.per].entries])
        may_lack = field.type in {"effect", "automatic", "formula"}
        words += f"; for {'any' if may_lack else 'each'} {field.per} of {keys}"
    return words


def _names(kind: str, world: World) -> str:
    single = world.singular(kind)
    entries = [each.name for each in world.kinds[single].entries]
    return f"a list of {_listed(entries)}" if single != kind else f"one of {_listed(entries)}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_LISTED])
    return f"{shown} ..." if len(names) > _MOST_LISTED else shown


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
    """Return the comments beside the fields where they are declared."""
    found: dict[str, str] = {}
    for line in declared.fields if declared else ():
        code, sign, remark = line.partition("#")
        if sign:
            found[code.partition(":")[0].strip()] = " ".join(remark.split())
    return found


def inline(value: object) -> str:
    """Return a value as TOML in one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case dict():
            inside = ", ".join(f"{_key(key)} = {inline(each)}" for key, each in value.items())
            return f"{{ {inside} }}"
        case list():
            return f"[{', '.join(map(inline, value))}]"
        case _:
            return str(value)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
