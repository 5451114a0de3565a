"""W601: unused declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.call_graph import reached
from rulesdsl.check.lints.uses import Uses, bodies, gather
from rulesdsl.source.facts import Unused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.program import Checked
    from rulesdsl.packs.overlay import Layered
    from rulesdsl.source.diagnostics import Findings
    from rulesdsl.source.span import Span

LEAVE_OUT = "Use it, or remove it."
Found = tuple["Span", str, str, Unused | None]  # facts for a fix, if it can be removed


def unused(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report declarations that nothing in the pack uses."""
    uses = gather(checked)
    every = (
        _procedures(checked),
        _values(checked),
        _things(checked, uses),
        _tracks(checked, uses),
        _flags(checked, uses),
        _fields(checked, uses),
        _settings(checked, uses),
    )
    for found in every:
        for span, message, help_text, facts in found:
            findings.report("W601", span, message, help_text or LEAVE_OUT, facts=facts)


def _procedures(checked: Checked) -> Iterator[Found]:
    program, calls = checked.program, checked.calls
    starts = ["game", *program.effects.values()]
    alive = reached(starts, lambda key: (callee for callee, _ in calls.get(key, ())))
    dead = [key for key in program.procs if key not in alive]
    called_by_dead = {callee for key in dead for callee, _ in calls[key] if callee != key}
    for overloads in program.world.procs.values():
        for proc in overloads:
            if proc.key not in alive and proc.key not in called_by_dead:
                what = "verb" if proc.verb else "step"
                how = "with these things" if len(overloads) > 1 else ""
                message = f"The {what} `{proc.name}` is never called {how}".rstrip() + "."
                yield proc.span, message, "Call it, or remove it.", None if how else Unused()


def _values(checked: Checked) -> Iterator[Found]:
    program = checked.program
    asked_by: dict[str, set[str]] = {}
    for (name, _), value in program.values.items():
        asked_by.setdefault(name, set()).update(_values_in(value.body))
    used = {line.name for line in program.world.scores}
    for root in bodies(program):
        used |= _values_in(root)
    used |= {shown.name.text for panel in program.world.panels for shown in panel.shown}
    dead = asked_by.keys() - reached(used, lambda name: asked_by.get(name, ()))
    asked_by_dead = {asked for name in dead for asked in asked_by[name] if asked != name}
    for info in program.world.values.values():
        if info.name in dead and info.name not in asked_by_dead:
            yield info.span, f"Nothing uses the value `{info.name}`.", "", Unused()


def _values_in(root: ty.Node) -> frozenset[str]:
    return frozenset(node.name for node in ty.walk(root) if isinstance(node, ty.CallValue))


def _things(checked: Checked, uses: Uses) -> Iterator[Found]:
    world = checked.program.world
    for piece in world.pieces.values():
        if ("pieces", piece.name) not in uses:
            yield piece.span, f"Nothing moves, counts or shows the {piece.plural}.", "", None
    for place in world.places.values():
        if uses.isdisjoint({("places", place.name), ("kinds", place.name)}):
            yield place.span, f"Nothing uses the place `{place.name}`.", "", Unused()
    for kind in world.kinds.values():
        if kind.role == "kind" and ("kinds", kind.name) not in uses:
            yield kind.span, f"Nothing uses the {kind.plural}.", "", Unused()


def _tracks(checked: Checked, uses: Uses) -> Iterator[Found]:
    for track in checked.program.world.tracks.values():
        name = track.name
        changed, read = (("tracks_changed", name) in uses), (("tracks_read", name) in uses)
        if changed and not read:
            help_text = "Show it in a panel, let something depend on it, or remove it."
            yield (
                track.span,
                f"`{name}` is raised or lowered, but nothing looks at it.",
                help_text,
                None,
            )
        elif read and not changed:
            help_text = "Raise it somewhere, or write the number itself."
            yield track.span, f"Nothing ever raises or lowers `{name}`.", help_text, None
        elif not changed:
            yield track.span, f"Nothing uses the track `{name}`.", "", Unused()


def _flags(checked: Checked, uses: Uses) -> Iterator[Found]:
    for flag in checked.program.world.flags.values():
        name = flag.name
        marked, read = (("flags_marked", name) in uses), (("flags_read", name) in uses)
        if marked and not read:
            yield flag.span, f"`{name}` is marked, but nothing checks it.", "", None
        elif read and not marked:
            help_text = "Mark it somewhere, or remove what checks it."
            yield flag.span, f"`{name}` is checked, but nothing ever marks it.", help_text, None
        elif not marked:
            yield flag.span, f"Nothing uses the flag `{name}`.", "", Unused()


def _fields(checked: Checked, uses: Uses) -> Iterator[Found]:
    for kind in checked.program.world.kinds.values():
        for field in kind.fields.values():
            if field.type == "text" or ("fields", (kind.name, field.name)) in uses:
                continue
            done = field.type in {"effect", "automatic"}
            what = "carries out" if done else "looks at"
            help_text = f"For example `do {field.name} of ...`." if done else ""
            yield (
                field.span,
                f"Nothing {what} the `{field.name}` of {kind.plural}.",
                help_text,
                None,
            )


def _settings(checked: Checked, uses: Uses) -> Iterator[Found]:
    world = checked.program.world
    for option in world.options.values():
        if ("options", option.name) not in uses:
            yield option.span, f"The option `{option.name}` changes nothing.", "", Unused()
    for number in world.constants.values():
        if not number.used:
            yield number.span, f"Nothing uses the number `{number.name}`.", "", Unused()
