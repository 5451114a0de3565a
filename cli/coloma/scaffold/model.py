"""The entry of a game that a new one is made after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from coloma.errors import CommandError
from rulesdsl.check import typed as ty

if TYPE_CHECKING:
    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.world import EntryInfo, KindInfo
    from rulesdsl.packs.layers import Layered

_ABOUT_ITSELF = {"name", "id", "copies", "source", "sources"}


@attrs.frozen
class Model:
    """An entry as its table has it; `sectioned` where it is below the name of its kind."""

    kind: KindInfo
    entry: EntryInfo
    fields: Mapping[str, object]
    sectioned: bool
    file: str


def choose_model(kind: KindInfo, layers: Layered, checked: Checked) -> Model:
    """Return the entry of a kind that shows best what one is like.

    One that does something which can always be done, with the fields that most have, and short.
    """
    models = [each for each in _models(kind, layers) if each.fields or not kind.fields]
    if not models:
        raise CommandError(f"no {kind.name} is in {kind.table}, to copy for a new one")
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
        inside = tuple(entry.name.split("."))  # what a mod brings is below its id
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
    """Return how many of its effects do something that can be done in every position."""
    program, index = checked.program, model.kind.index[model.entry.name]
    return sum(
        program.guards.get(proc, ty.YES) == ty.YES and bool(program.procs[proc].block.steps)
        for (kind, _, entry, _), proc in program.effects.items()
        if kind == model.kind.name and entry == index
    )
