"""What is said twice: hooks that replace one thing, who wins, verdicts of one title.

Which of them would be lost without a word.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.mentions import calls, mentions
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.facts import LoadAfter

if TYPE_CHECKING:
    from rulesdsl.check.world import HookInfo, ProcInfo, ValueHookInfo, ValueInfo, World
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.declarations import VerdictDecl


@attrs.frozen
class _Replacement:
    """A hook that does not ask the original; `whole` if nothing of that is left."""

    pack: str
    span: Span
    whole: bool


def check_replacements(world: World, findings: Findings) -> None:
    """Report hooks that replace one thing, so that one of them counts for nothing.

    Within a pack that is two that replace it altogether. Of two mods it is enough that one does;
    which of them counts must not depend on their ids. What a mod does to its game is its right.
    """
    for overloads in world.procs.values():
        for proc in overloads:
            _check(proc.name, _of_proc(proc, world), world, findings)
    for value in world.values.values():
        replacements = _of_value(value, world)
        _check(value.name, replacements, world, findings)
        if value.name in world.constants:
            _check_number(value, replacements, world, findings)
    for what, places in world.retold.items():
        for first, second in combinations(places, 2):
            _check_texts(what, first, second, world, findings)


def check_winners(world: World, findings: Findings) -> None:
    """Report a second `win with`: in one pack, and in two mods that are at odds."""
    for first, second in combinations(world.wins, 2):
        counts = second is world.wins[-1]
        if world.pack_of(first.span) == world.pack_of(second.span):
            findings.report(
                "E202",
                second.span,
                "Two lines say who wins.",
                "Remove one. Tie-breaks go into the same line: `then most ...`.",
                [Related(first.span, "the other one")],
            )
        elif counts and first != second:
            _check_odds("`win with`", first.span, second.span, world, findings)


def lay_verdicts(world: World, findings: Findings) -> None:
    """Put verdicts of a mod in the place of those of one title that other packs bring."""
    found: list[VerdictDecl] = []
    for decl in world.verdicts:
        pack = world.pack_of(decl.span)
        old = [
            each for each in found if each.text == decl.text and world.pack_of(each.span) != pack
        ]
        place = found.index(old[0]) if old else len(found)
        found.insert(place, decl)
        found = [each for each in found if not any(each is one for one in old)]
    for last in found:
        for each in world.verdicts:
            if each.text == last.text and each != last:
                what = f"when `{last.text}` is reached"
                _check_odds(what, each.span, last.span, world, findings)
    world.verdicts = found


def _check_texts(what: str, first: Span, second: Span, world: World, findings: Findings) -> None:
    if world.pack_of(first) == world.pack_of(second):
        message, related = f"Two texts replace {what}.", [Related(first, "replaced here first")]
        findings.report("E409", second, message, "Remove one.", related)
    else:
        _check_odds(what, first, second, world, findings)


def _check_odds(what: str, first: Span, second: Span, world: World, findings: Findings) -> None:
    one, other = world.pack_of(first), world.pack_of(second)
    if world.at_odds(one, other):
        findings.report(
            "E506",
            second,
            f"These mods disagree on {what}: `{one}`, `{other}`.",
            f'To give `{other}` precedence, add to its pack.toml: after = ["{one}"]',
            [Related(first, f"said by `{one}` as well")],
            facts=LoadAfter(other, one),
        )


def _check_number(
    value: ValueInfo, replacements: list[_Replacement], world: World, findings: Findings
) -> None:
    """Report mods that replace a number altogether to which another mod gives a value.

    The number is lost then, in whatever order they are loaded.
    """
    setter = world.pack_of(value.span)
    for each in replacements:
        two = setter != each.pack and {setter, each.pack} <= world.mods
        if each.whole and two and setter not in world.after.get(each.pack, ()):
            findings.report(
                "E506",
                each.span,
                f"`{setter}` sets `{value.name}`, and `{each.pack}` replaces it.",
                f"To give `{each.pack}` precedence, add to its pack.toml: "
                f'after = ["{setter}"]\n'
                f"Or use `{value.name}` in what replaces it: that is what `{setter}` says.",
                [Related(value.span, "set here")],
                facts=LoadAfter(each.pack, setter),
            )


def _of_proc(proc: ProcInfo, world: World) -> list[_Replacement]:
    return [
        _replacement(hook, world)
        for hook in proc.hooks
        if hook.time == "instead of" and not calls(hook.body, proc.name)
    ]


def _of_value(value: ValueInfo, world: World) -> list[_Replacement]:
    return [
        _replacement(hook, world)
        for hook in value.hooks
        if value.name not in mentions(hook.formula)
    ]


def _replacement(hook: HookInfo | ValueHookInfo, world: World) -> _Replacement:
    return _Replacement(world.pack_of(hook.span), hook.span, hook.when is None)


def _check(name: str, replacements: list[_Replacement], world: World, findings: Findings) -> None:
    for first, second in combinations(replacements, 2):
        related = [Related(first.span, "replaced here first")]
        if first.pack == second.pack:
            if first.whole and second.whole:
                findings.report(
                    "E409",
                    second.span,
                    f"Two hooks replace `{name}` completely.",
                    "Remove one, or let it call the original by its own name.",
                    related,
                )
        elif (first.whole or second.whole) and world.at_odds(first.pack, second.pack):
            findings.report(
                "E506",
                second.span,
                f"These mods each replace `{name}`: `{first.pack}`, `{second.pack}`.",
                f"To give `{second.pack}` precedence, add to its pack.toml: "
                f'after = ["{first.pack}"]\n'
                "Or let one of them call the original by its own name.",
                related,
                facts=LoadAfter(second.pack, first.pack),
            )
