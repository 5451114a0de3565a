"""Which fixes are looked for, by the code of a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.blame import BREAKS
from rulesdsl.check.quick_fixes.declarations import (
    removed,
    removed_or_renamed,
    removed_unused,
    renamed,
)
from rulesdsl.check.quick_fixes.entries import (
    as_plain_number,
    with_fields,
    with_source,
    within_limits,
)
from rulesdsl.check.quick_fixes.mods import loaded_after, renamed_everywhere
from rulesdsl.check.quick_fixes.place import Place
from rulesdsl.check.quick_fixes.statements import (
    as_the_help_says,
    asked_first,
    for_each_player,
    if_able,
    named_in_text,
    other_arguments,
    players_only,
    removed_effect,
    so_many_times,
    unknown_name,
    written_otherwise,
)
from rulesdsl.source.suggest import Advice
from rulesdsl.syntax.habits import habit_as_name

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from rulesdsl.check.world import World
    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.fix import Fix
    from rulesdsl.source.span import SourceFile

UNKNOWN_NAMES = {"E201", "E204"}

FINDERS: dict[str, Callable[[Place], Iterator[Fix]]] = {
    "E005": as_plain_number,
    "E006": with_fields,
    "E201": unknown_name,
    "E202": removed_or_renamed,
    "E203": as_the_help_says,
    "E204": unknown_name,
    "E205": other_arguments,
    "E206": renamed_everywhere,
    "E301": written_otherwise,
    "E302": asked_first,
    "E304": for_each_player,
    "E401": if_able,
    "E402": so_many_times,
    "E405": players_only,
    "E407": within_limits,
    "E409": removed,
    "E413": renamed,
    "E506": loaded_after,
    "W601": removed_unused,
    "W604": removed_effect,
    "W606": with_source,
    "W610": removed,
    "W613": named_in_text,
}


def at_home(found: Iterable[Diagnostic], packs: Iterable[Container[str]]) -> Iterator[Diagnostic]:
    """Yield findings with the fixes that change nothing but the pack that they are in.

    Whoever writes a mod cannot change the game that it is for.
    """
    packs = list(packs)
    for each in found:
        homes = [pack for pack in packs if each.span.file in pack]
        kept = [
            fix
            for fix in each.fixes
            if all(any(edit.span.file in home for home in homes) for edit in fix.edits)
        ]
        yield each if len(kept) == len(each.fixes) else attrs.evolve(each, fixes=tuple(kept))


def _of_a_mod(finding: Diagnostic) -> bool:
    """Whether a name with a dot was probably meant to be one that a mod declares."""
    advice = finding.facts
    return isinstance(advice, Advice) and any("." in each for each in advice.near)


def offer(
    found: Iterable[Diagnostic], sources: Mapping[str, SourceFile], world: World | None
) -> Iterator[Diagnostic]:
    """Yield findings with the fixes that their text suggests, where they have none yet."""
    for each in found:
        source = sources.get(each.span.file)
        finder = FINDERS.get(each.code)
        if source is None or finder is None or each.message.startswith(BREAKS):
            yield each
            continue
        place = Place(each, source, sources, world)
        habit = habit_as_name(place.line, each.span.column) if each.code in UNKNOWN_NAMES else None
        if habit is not None and not (each.help and (habit.text.isalpha() or _of_a_mod(each))):
            yield attrs.evolve(each, help=habit.habit.says, fixes=tuple(finder(place)))
        else:
            yield attrs.evolve(each, fixes=each.fixes or tuple(finder(place)))
