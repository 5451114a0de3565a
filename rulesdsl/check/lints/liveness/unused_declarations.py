"""W601: unused declarations, found from the uses in the typed tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.call_graph import reached
from rulesdsl.check.symbols.panels import fields_of
from rulesdsl.check.symbols.symbol_table import FlagInfo, MemoryInfo, SymbolTable, TrackInfo
from rulesdsl.check.typed.program import Checked
from rulesdsl.check.typed.traits import TRAITS
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.facts import Unused
from rulesdsl.source.span import Span

SHOWN = ("pieces", "places", "tracks_read", "values", "flags_read")  # uses of items of panels
Uses = set[tuple[str, Any]]
"""Pairs of a kind of use and a name, as in the node traits."""
LEAVE_OUT = "Use it, or remove it."
Found = tuple[Span, str, str, bool]  # span, message, advice, and whether it can be removed


def unused_declarations(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report declarations that nothing in the pack uses."""
    uses, world = gather(checked), checked.program.world
    every = (
        _procedures(checked),
        _values(checked),
        _things(world, uses),
        _changed("tracks_changed", "tracks_read", world.tracks, _TRACKS, uses),
        _changed("flags_marked", "flags_read", world.flags, _FLAGS, uses),
        _fields(world, uses),
        _settings(world, uses),
    )
    for span, message, help_text, removable in (found for some in every for found in some):
        facts = Unused() if removable else None
        findings.report("W601", span, message, help_text or LEAVE_OUT, facts=facts)


def _procedures(checked: Checked) -> Iterator[Found]:
    program, calls = checked.program, checked.calls
    starts = ["game", *program.effects.values(), *program.previewing()]
    alive = reached(starts, lambda key: (callee for callee, _ in calls.get(key, ())))
    dead = [key for key in program.procs if key not in alive]
    called_by_dead = {callee for key in dead for callee, _ in calls[key] if callee != key}
    for key, proc in program.world.procedures.items():
        if key not in alive and key not in called_by_dead:
            what, several = (
                "verb" if proc.verb else "step",
                len(program.world.procs[proc.name]) > 1,
            )
            how = " with these arguments" if several else ""
            message = f"The {what} `{proc.name}` is never called{how}."
            yield proc.span, message, "Call it, or remove it.", not several


def _values(checked: Checked) -> Iterator[Found]:
    program = checked.program
    asked_by: dict[str, set[str]] = {}
    for (name, _), value in program.values.items():
        asked_by.setdefault(name, set()).update(_values_in(value.body))
    used = {line.name for line in program.world.scores}
    for root in program.roots():
        used |= _values_in(root)
    used |= {shown.name.text for panel in program.world.panels for shown in panel.shown}
    dead = asked_by.keys() - reached(used, lambda name: asked_by.get(name, ()))
    asked_by_dead = {asked for name in dead for asked in asked_by[name] if asked != name}
    for info in program.world.values.values():
        if info.name in dead and info.name not in asked_by_dead:
            yield info.span, f"Nothing uses the value `{info.name}`.", "", True


def _values_in(root: ty.Node) -> frozenset[str]:
    return frozenset(node.name for node in ty.walk(root) if isinstance(node, ty.CallValue))


def _things(world: SymbolTable, uses: Uses) -> Iterator[Found]:
    for piece in world.pieces.values():
        if ("pieces", piece.name) not in uses:
            yield piece.span, f"Nothing moves, counts or shows the {piece.plural}.", "", False
    for place in world.places.values():
        if uses.isdisjoint({("places", place.name), ("kinds", place.name)}):
            yield place.span, f"Nothing uses the place `{place.name}`.", "", True
    for kind in world.kinds.values():
        if kind.role == "kind" and ("kinds", kind.name) not in uses:
            yield kind.span, f"Nothing uses the {kind.plural}.", "", True


# The message and advice for a track or flag that is only changed, only read, or neither.
_TRACKS = {
    (True, False): (
        "`{}` is raised or lowered, but nothing reads it.",
        "Show it in a panel, let something depend on it, or remove it.",
    ),
    (False, True): (
        "Nothing ever raises or lowers `{}`.",
        "Raise it somewhere, or use a plain number instead.",
    ),
    (False, False): ("Nothing uses the track `{}`.", ""),
}
_MEMORIES = {
    (True, False): (
        "`{}` is set, but nothing reads it.",
        "Let something depend on it, or remove it.",
    ),
    (False, True): ("Nothing ever sets `{}`.", "Set it somewhere, or remove what reads it."),
    (False, False): ("Nothing uses the memory `{}`.", ""),
}
_FLAGS = {
    (True, False): ("`{}` is marked, but nothing checks it.", ""),
    (False, True): (
        "`{}` is checked, but nothing ever marks it.",
        "Mark it somewhere, or remove the checks.",
    ),
    (False, False): ("Nothing uses the flag `{}`.", ""),
}


def _changed(
    changed: str,
    read: str,
    symbols: Mapping[str, TrackInfo | FlagInfo],
    messages: Mapping[tuple[bool, bool], tuple[str, str]],
    uses: Uses,
) -> Iterator[Found]:
    for name, info in symbols.items():
        how = (changed, name) in uses, (read, name) in uses
        if how in messages:
            message, help_text = (_MEMORIES if isinstance(info, MemoryInfo) else messages)[how]
            yield info.span, message.format(name), help_text, not any(how)


def _fields(world: SymbolTable, uses: Uses) -> Iterator[Found]:
    for kind in world.kinds.values():
        for field in kind.fields.values():
            if field.type == "text" or ("fields", (kind.name, field.name)) in uses:
                continue
            done = field.type in {"effect", "automatic"}
            what = "carries out" if done else "reads"
            help_text = (
                f"Carry it out, as in `do {field.name} of ...`, or remove it." if done else ""
            )
            message = f"Nothing {what} the `{field.name}` of {kind.plural}."
            yield field.span, message, help_text, False


def _settings(world: SymbolTable, uses: Uses) -> Iterator[Found]:
    for option in world.options.values():
        if ("options", option.name) not in uses:
            yield option.span, f"The option `{option.name}` changes nothing.", "", True
    for number in world.constants.values():
        if not number.used:
            yield number.span, f"Nothing uses the number `{number.name}`.", "", True


# -------------------------------------------------------------------- uses
def gather(checked: Checked) -> Uses:
    """Collect the uses in all procedures, values, fields and declarations of a program."""
    values = (value.body for value in checked.program.values.values())
    return {
        *(use for root in (*checked.program.roots(), *values) for use in uses_of(root)),
        *_of_declarations(checked.program.world),
        *_of_prices(checked.program.world),
    }


def uses_of(root: ty.Node) -> Iterator[tuple[str, Any]]:
    """Yield the uses in a tree."""
    for node in ty.walk(root):
        yield from TRAITS[type(node)].uses(node)
        if isinstance(node, ty.ValueNode | ty.DomainNode):
            found = node.type if isinstance(node, ty.ValueNode) else node.element
            if found.of:
                yield "kinds", found.of
            if found.family == "piece":
                yield "pieces", found.of


def _of_declarations(world: SymbolTable) -> Iterator[tuple[str, Any]]:
    for marked in (world.places, world.tracks, world.flags):
        yield from (("kinds", dim) for each in marked.values() for dim in each.dims)
    for kind in world.kinds.values():
        for field in kind.fields.values():
            yield "kinds", field.per
            yield "kinds", world.singular(field.type)
    for proc in world.procedures.values():
        yield from (("kinds", param.type.of) for param in proc.params)
    for panel in world.panels:
        yield from (("fields", each) for each in fields_of(world, panel))
        yield "kinds", None if panel.per is None else panel.per.text
    for shown in (each for panel in world.panels for each in panel.shown):
        yield from ((sort, world.singular(shown.name.text)) for sort in SHOWN)
        if shown.place is not None:
            yield "places", world.singular(shown.place.text)


def _of_prices(world: SymbolTable) -> Iterator[tuple[str, Any]]:
    for entry in (each for kind in world.kinds.values() for each in kind.entries):
        for value in entry.values.values():
            if isinstance(value, dict):
                yield from (("pieces", world.singular(noun)) for noun in value)
