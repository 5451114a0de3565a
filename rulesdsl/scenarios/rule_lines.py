"""Coverage by breaking: rules whose line, if broken, fails a scenario that names the rule."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

import attrs

from rulesdsl.packs.folder import MAX_BYTES
from rulesdsl.scenarios.coverage import covered_rules
from rulesdsl.scenarios.mutation import RULE_WAYS, Mutant, all_mutants
from rulesdsl.scenarios.mutation_run import Fate, MutantResult, Trial
from rulesdsl.scenarios.suite import Suite
from rulesdsl.source.files import read_inside
from rulesdsl.source.span import indent_of

MAX_TRIED = 6  # house
"""Maximum number of mutants tried for a rule."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_IDS = re.compile(r"\b([A-Za-z][\w-]*?-)(\d+)\b(?: to \1(\d+)\b)?")


class Standing(StrEnum):
    """Result of breaking the lines of a rule."""

    COVERED = "covered"
    NOT_NOTICED = "broken without a scenario that names it noticing"
    NO_LINE = "without a line that can be broken"
    NO_SCENARIO = "without a scenario"


@attrs.frozen
class RuleStanding:
    """A rule of the checklist, the result of breaking its lines, and the mutants tried."""

    name: str
    text: str
    standing: Standing
    tried: tuple[Mutant, ...] = ()


@attrs.frozen
class RuleTrials:
    """The mutants of the lines of each rule, to be tried with the scenarios that name the rule."""

    texts: Mapping[str, str]
    mutants: Mapping[str, tuple[Mutant, ...]]
    scenarios: Mapping[str, frozenset[str]]

    @property
    def trials(self) -> list[Trial]:
        """The mutants of each rule with the scenarios to run; rules on one line may share them."""
        rules = (each for each in self.texts if each in self.mutants and each in self.scenarios)
        return list(dict.fromkeys((self.mutants[each], self.scenarios[each]) for each in rules))

    def standings(self, results: Iterable[tuple[Trial, MutantResult]]) -> Iterator[RuleStanding]:
        """Yield every rule with its standing, given the result of each trial."""
        fates = {trial: result.fate for trial, result in results}
        for name, text in self.texts.items():
            tried = self.mutants.get(name, ())
            if name not in self.scenarios:
                yield RuleStanding(name, text, Standing.NO_SCENARIO)
                continue
            fate = fates.get((tried, self.scenarios[name]), Fate.REFUSED)
            if fate is Fate.REFUSED:
                yield RuleStanding(name, text, Standing.NO_LINE)
            elif fate is Fate.SURVIVED:
                yield RuleStanding(name, text, Standing.NOT_NOTICED, tried)
            else:
                yield RuleStanding(name, text, Standing.COVERED)


def rule_trials(suite: Suite) -> RuleTrials | None:
    """Return the trials for the rules in a suite's checklist; None if it has no checklist."""
    scenarios = [each.scenario for each in suite.scenarios]
    coverage = covered_rules(suite.pack, scenarios)
    if coverage is None:
        return None
    texts = {name: text for name, text in coverage.ids.items() if name not in coverage.exempt}
    naming: dict[str, set[str]] = defaultdict(set)
    for scenario in scenarios:
        for note in scenario.covers:
            naming[note.text].add(scenario.name)
    by_path: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in all_mutants(suite.layers, suite.pack, suite.checked.program.world):
        by_path[mutant.path].append(mutant)
    found: dict[str, list[Mutant]] = defaultdict(list)
    for path, mutants in by_path.items():
        content = read_inside(suite.pack.folder, suite.pack.folder / path, MAX_BYTES)
        for name, lines in _carriers(content.decode("utf-8-sig").split("\n"), texts):
            found[name] += _of_lines(mutants, lines)
    return RuleTrials(
        texts,
        {name: tuple(dict.fromkeys(each))[:MAX_TRIED] for name, each in found.items() if each},
        {name: frozenset(each) for name, each in naming.items()},
    )


def _of_lines(mutants: Iterable[Mutant], lines: range) -> list[Mutant]:
    """Return the mutants of some lines; those of the first line that remove a rule come first."""
    mine = [each for each in mutants if each.line in lines]
    return sorted(mine, key=lambda each: (each.line != lines[0], each.way not in RULE_WAYS))


def _carriers(lines: Sequence[str], ids: Collection[str]) -> Iterator[tuple[str, range]]:
    """Yield each id in a comment with its lines: one line, and those indented below it.

    A comment on a line of its own belongs to the next line that is not a comment.
    """
    for at, line in enumerate(lines):
        bare = _STRING.sub("", line)
        comment = bare.partition("#")[2]
        named = [each for each in _ids(comment) if each in ids]
        if named:
            block = _block(lines, at)
            yield from ((name, block) for name in named)


def _ids(comment: str) -> Iterator[str]:
    for stem, first, last in _IDS.findall(comment):
        for number in range(int(first), int(last or first) + 1):
            yield f"{stem}{number:0{len(first)}}"


def _block(lines: Sequence[str], at: int) -> range:
    begin = next((n for n in range(at, len(lines)) if _code(lines[n])), at)
    indent = indent_of(lines[begin])
    table = lines[begin].startswith("[")
    end = begin + 1
    while end < len(lines) and _code(lines[end]):
        if not (table and not lines[end].startswith("[")) and indent_of(lines[end]) <= indent:
            break
        end += 1
    return range(begin + 1, end + 1)


def _code(line: str) -> str:
    return _STRING.sub("text", line).partition("#")[0].strip()
