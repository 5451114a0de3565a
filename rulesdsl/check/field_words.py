"""The fields of kinds as words of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.types import a_or_an
from rulesdsl.check.words import Word, above, cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.world import FieldInfo, KindInfo, World
    from rulesdsl.packs.layers import Layered

_DONE = {"effect", "automatic"}
_SOME_NUMBER = "2"


def field_words(layers: Layered, world: World) -> Iterator[Word]:
    """Yield the fields of all kinds, each with how a rule asks for it."""
    for kind in world.kinds.values():
        for field in kind.fields.values():
            yield _word(kind, field, layers, world)


def _word(kind: KindInfo, field: FieldInfo, layers: Layered, world: World) -> Word:
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
    """Return how the field of something is written in a rule; its name is a letter of its kind."""
    letter = kind.name.rpartition(".")[2][0]
    key = per.entries[0].name if per and per.entries else _SOME_NUMBER
    do = "do " if field.type in _DONE else ""
    at = f" at {key}" if field.per else ""
    return f"{do}{field.name} of {letter}{at}, where {letter} is {a_or_an(kind.name)}"
