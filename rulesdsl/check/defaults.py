"""What the fields of entries hold where an entry says nothing about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.tables import field_constant

if TYPE_CHECKING:
    from rulesdsl.check.world import EntryInfo, FieldInfo, World
    from rulesdsl.source.diagnostic import Findings

NEEDED = {"number", "yes-no", "bundle"}


def fill_defaults(world: World, findings: Findings) -> None:
    """Fill absent fields with their defaults; report those that have none."""
    for kind in world.kinds.values():
        if kind.name in world.broken:
            continue
        for field in kind.fields.values():
            default = _default(field, world, findings)
            if default is None and field.type not in NEEDED:
                continue
            for key in _keys(field, world):
                for found in kind.entries:
                    _fill(found, field, key, default, findings)


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


def _fill(
    found: EntryInfo,
    field: FieldInfo,
    key: str | None,
    default: object | None,
    findings: Findings,
) -> None:
    if (field.name, key) in found.values:
        return
    if default is not None:
        found.values[field.name, key] = default
        return
    said = f"{field.name}.{key}" if key else field.name
    if field.name in found.spans and (key is None or f"{field.name}/{key}" in found.spans):
        return  # it is there, and what is wrong with it was reported
    findings.report(
        "E006",
        found.spans.get(field.name, found.span),
        f"`{found.name}` has no `{said}`.",
        f"Say what it is, or give `{field.name}` a default where it is declared.",
    )
