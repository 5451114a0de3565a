"""Names that are misspelt where they are declared, and right wherever they are used."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.declare.names import plural_of
from rulesdsl.source.facts import UnknownName
from rulesdsl.source.fix import Edit, Fix
from rulesdsl.syntax.grammar import is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.naming import Mention
    from rulesdsl.check.world import World
    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.span import Span

ENOUGH_USES = 2  # of a name: two times the same slip is less likely than one where it is declared


def with_renamings(
    found: Iterable[Diagnostic], world: World, mentions: Iterable[Mention]
) -> Iterator[Diagnostic]:
    """Yield findings; those about unknown names first offer to rename what is near and unused.

    That is what nothing refers to, where its title says the unknown name, or where that is used
    more than once. Whether it helps is for whoever makes the fix to find out.
    """
    pairs = [(each, _pair(each, world)) for each in found]
    uses = Counter[tuple[str, str] | None]()
    for each, pair in pairs:
        uses[pair] += 1 + each.more
    declared = dict(_declared(world))
    used = {each.thing.name for each in mentions}
    for each, pair in pairs:
        if pair is None or pair[1] not in declared or (pair[1] in used and not is_word(pair[1])):
            yield each
            continue
        name, near = pair
        span, title = declared[near]
        fixes = each.fixes
        if is_word(near):  # it may well be what is meant
            fixes = tuple(attrs.evolve(fix, safe=False) for fix in fixes)
        elif uses[pair] >= ENOUGH_USES or _slug(title) == name:
            edit = Edit(span, name, near)
            fixes = (Fix(f"Call it `{name}` where it is declared", (edit,), safe=True), *fixes)
        elif _slug(title) != near:  # any of the two may be right
            fixes = tuple(attrs.evolve(fix, safe=False) for fix in fixes)
        yield attrs.evolve(each, fixes=fixes)


def _pair(finding: Diagnostic, world: World) -> tuple[str, str] | None:
    """Return the unknown name of a finding and the one that is nearest, in the singular."""
    facts = finding.facts
    if not isinstance(facts, UnknownName) or not facts.near:
        return None
    name, near = facts.name, facts.near[0]
    if near in world.plurals:
        near = world.plurals[near]
        singular = name.removesuffix("s")
        return (singular, near) if plural_of(singular) == name else None
    return name, near


def _declared(world: World) -> Iterator[tuple[str, tuple[Span, str]]]:
    """Yield names with the place where they are declared and their titles."""
    titled = (world.kinds, world.pieces, world.places, world.tracks, world.options, world.rivals)
    for table in titled:
        for name, info in table.items():
            yield name, (info.span, info.title)
    for untitled in (world.flags, world.values):
        for name, plain in untitled.items():
            yield name, (plain.span, "")
    for name, overloads in world.procs.items():
        if len(overloads) == 1:
            yield name, (overloads[0].span, "")
    for kind in world.kinds.values():
        for name, field in kind.fields.items():
            yield name, (field.span, "")


def _slug(title: str) -> str:
    return "-".join(title.lower().split())
