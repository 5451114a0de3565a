"""Which scenarios a change of the content can touch: those that came to depend on what changed.

A scenario is carried out the same way each time. So as long as every part of the content that its
run depended on is the same, it comes to the same. A `Record` says on which parts each one
depended, and what they were. Such a record is kept on disk, beside the cached packs; it is of no
use to another version of this package.

What a run depends on is noted, not guessed: flattening and running ask the tables of a program,
and those of a scenario note what is asked for (`rulesdsl.lower.parts`). The words of its own texts
count too, since they are looked up again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower.parts import REST, name_part
from rulesdsl.scenarios.fingerprints import fingerprint
from rulesdsl.source import cache

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.scenarios.scenario import Scenario


@attrs.frozen
class Passed:
    """A scenario that passed: its fingerprint, and the parts that it depended on."""

    scenario: str
    parts: frozenset[str]


@attrs.frozen
class Record:
    """The scenarios that passed, by name, and the parts of the content that they passed with.

    `lessons` is the digest of the packs whose lessons went well, empty where none did.
    """

    parts: dict[str, str] = attrs.Factory(dict)
    passed: dict[str, Passed] = attrs.Factory(dict)
    lessons: str = ""

    def touched(
        self, scenarios: Iterable[Scenario], parts: Mapping[str, str]
    ) -> tuple[Scenario, ...]:
        """Return the scenarios that may come to something else with the parts of now."""
        both = {*self.parts, *parts}
        changed = {each for each in both if self.parts.get(each, "") != parts.get(each, "")}
        return tuple(each for each in scenarios if self._is_touched(each, changed))

    def _is_touched(self, scenario: Scenario, changed: set[str]) -> bool:
        passed = self.passed.get(scenario.name)
        if passed is None or passed.scenario != fingerprint(scenario):
            return True
        return not changed.isdisjoint(passed.parts)

    def without(self, scenarios: Iterable[Scenario]) -> dict[str, Passed]:
        """Return what passed, but for some scenarios."""
        names = {each.name for each in scenarios}
        return {name: each for name, each in self.passed.items() if name not in names}


def passed(scenario: Scenario, asked: Iterable[str]) -> Passed:
    """Return that a scenario passed, given what its run asked for."""
    return Passed(fingerprint(scenario), frozenset({REST, *asked, *named_in(scenario)}))


def named_in(scenario: Scenario) -> set[str]:
    """Return the parts that are what the words of a scenario mean."""
    texts = [each.text for each in (*scenario.given, *scenario.expect)]
    texts += [scenario.play.text] if scenario.play else []
    texts += [scenario.after.text] if scenario.after else []
    signs = str.maketrans(dict.fromkeys(':,()=<>+*"{}/', " "))
    return {name_part(word) for text in texts for word in text.translate(signs).split()}


def read_record(layers: Layered, pack: PackSource) -> Record | None:
    """Return what is recorded of the scenarios of a pack, None where nothing is."""
    match cache.read_kept(_key(layers, pack)):
        case [dict(parts), dict(every), str(lessons)]:
            names = [*parts]
            return Record(
                parts,
                {
                    name: Passed(scenario, frozenset(names[int(at)] for at in numbers.split()))
                    for name, (scenario, numbers) in every.items()
                },
                lessons,
            )
        case _:
            return None


def write_record(layers: Layered, pack: PackSource, record: Record) -> None:
    """Keep a record of the scenarios of a pack."""
    asked = {part for each in record.passed.values() for part in each.parts}
    parts = {part: record.parts.get(part, "") for part in sorted({*asked, *record.parts})}
    numbers = {part: at for at, part in enumerate(parts)}
    every = {  # a row for each number would take most of the time
        name: (each.scenario, " ".join(str(numbers[part]) for part in sorted(each.parts)))
        for name, each in record.passed.items()
    }
    cache.write_kept(_key(layers, pack), (parts, every, record.lessons))


def _key(layers: Layered, pack: PackSource) -> str:
    folders = [pack.folder, *(each.folder for each in layers.packs)]
    return "\0".join(["scenarios", *(str(each.resolve()) for each in folders)])
