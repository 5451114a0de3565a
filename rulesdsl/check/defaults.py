"""What the fields of entries hold where an entry says nothing about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.tables.rule_entries import field_constant
from rulesdsl.source.facts import Lacking

if TYPE_CHECKING:
    from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo, World
    from rulesdsl.source.diagnostic import Findings

NEEDED = {"number", "yes-no", "bundle"}


def fill_defaults(world: World, findings: Findings) -> None:
    """Fill absent fields with their defaults; report those that have none."""
    for kind in world.kinds.values():
        if kind.name in world.broken:
            continue
        fields = [(each, _default(each, world, findings)) for each in kind.fields.values()]
        nowhere = [field for field, default in fields if default is None and _nowhere(field, kind)]
        for field in nowhere:
            findings.report(
                "E006",
                field.span,
                f"None of the {kind.plural} says what its `{field.name}` is.",
                "Set it in each of them, or give the field a default.",
            )
        fields = [each for each in fields if each[0] not in nowhere]
        for found in kind.entries:
            missing = [
                said
                for field, default in fields
                for key in _keys(field, world)
                if _is_missing(found, field, key, default)
                for said in [(f"{field.name}.{key}" if key else field.name, field.type)]
            ]
            if missing:
                _report(found, missing, findings)


def _nowhere(field: FieldInfo, kind: KindInfo) -> bool:
    """Whether several entries all lack a field."""
    said = (field.name in each.spans or field.name in each.wrong for each in kind.entries)
    return field.type in NEEDED and len(kind.entries) > 1 and not any(said)


def _default(field: FieldInfo, world: World, findings: Findings) -> object | None:
    if field.default is None:
        return "" if field.type == "text" else None
    found = field_constant(field.default, field, world)
    if found is None:
        findings.report(
            "E005",
            field.default.span,
            f"`{field.name}` is declared as {field.type}; this is something else.",
            "Write a default of the field's type.",
        )
        return 0
    return found


def _keys(field: FieldInfo, world: World) -> list[str | None]:
    if field.per is not None and field.per in world.kinds:
        return [each.name for each in world.kinds[field.per].entries]
    return [None]


def _is_missing(
    found: EntryInfo, field: FieldInfo, key: str | None, default: object | None
) -> bool:
    """Fill a field where it is absent; tell whether it is missing."""
    if (field.name, key) in found.values:
        return False
    if default is not None:
        found.values[field.name, key] = default
        return False
    written = field.name if key is None else f"{field.name}/{key}"
    known = written in found.spans or field.name in found.wrong
    return field.type in NEEDED and not known


def _report(found: EntryInfo, missing: list[tuple[str, str]], findings: Findings) -> None:
    shown = [f"`{name}`" for name, _ in missing]
    names = " and ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown)
    findings.report(
        "E006",
        found.span,
        f"`{found.name}` lacks {names}.",
        "Set them, or give the fields defaults in their declaration."
        if missing[1:]
        else "Set it, or give the field a default in its declaration.",
        facts=Lacking(tuple(missing)),
    )
