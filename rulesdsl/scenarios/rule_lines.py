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
from rulesdsl.scenarios.mutation_run import Fate, MutantResult, MutantTrial
from rulesdsl.scenarios.suite import Suite
from rulesdsl.source.files import read_inside
from rulesdsl.source.span import indent_of

MAX_TRIED = 20  # house
"""Maximum number of mutants tried for a line of a rule."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_WORD = re.compile(r"[\w-]+")
_RANGE = re.compile(r"\b([A-Za-z][\w-]*?-)(\d+) to \1(\d+)\b")


class Standing(StrEnum):
    """Result of breaking the lines of a rule."""

    COVERED = "covered"
    NOT_NOTICED = "broken without a scenario that names it noticing"
    NO_LINE = "without a line that can be broken"
    NO_SCENARIO = "without a scenario"


@attrs.frozen
class RuleStanding:
    """A rule of the checklist, the result of breaking its lines, and mutants not noticed."""

    name: str
    text: str
    standing: Standing
    unnoticed: tuple[Mutant, ...] = ()


@attrs.frozen
class RuleTrials:
    """Trials that break the lines of a rule, judged by the scenarios that name the rule."""

    texts: Mapping[str, str]
    lines: Mapping[str, Sequence[MutantTrial]]
    """Rules without a scenario are missing."""

    @property
    def trials(self) -> list[MutantTrial]:
        """All trials; rules on one line may share them."""
        return list(dict.fromkeys(trial for trials in self.lines.values() for trial in trials))

    def standings(
        self, results: Iterable[tuple[MutantTrial, MutantResult]]
    ) -> Iterator[RuleStanding]:
        """Yield every rule with its standing, given the result of each trial.

        A rule is covered if breaking any of its lines is noticed, but for those that lint refuses.
        """
        by_trial = dict(results)
        for name, text in self.texts.items():
            mine = [by_trial[trial] for trial in self.lines.get(name, ())]
            survivors = tuple(result.mutant for result in mine if result.fate is Fate.SURVIVED)
            if name not in self.lines:
                yield RuleStanding(name, text, Standing.NO_SCENARIO)
            elif all(result.fate is Fate.REFUSED for result in mine):
                yield RuleStanding(name, text, Standing.NO_LINE)
            elif survivors:
                yield RuleStanding(name, text, Standing.NOT_NOTICED, survivors)
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
    trials: dict[str, list[MutantTrial]] = {name: [] for name in texts if name in naming}
    for path, mutants in by_path.items():
        content = read_inside(suite.pack.folder, suite.pack.folder / path, MAX_BYTES)
        for name, lines in _carriers(content.decode("utf-8-sig").split("\n"), trials):
            if any(mutant.line in lines for mutant in mutants):
                trials[name].append(_trial(mutants, lines, frozenset(naming[name])))
    return RuleTrials(texts, trials)


def _trial(mutants: Iterable[Mutant], lines: range, scenarios: frozenset[str]) -> MutantTrial:
    """Return a trial that removes the first of some lines, or else changes one of them."""
    first = [mutant for mutant in mutants if mutant.line == lines[0]]
    removals = [mutant for mutant in first if mutant.way in RULE_WAYS]
    others = [mutant for mutant in first if mutant.way not in RULE_WAYS]
    below = [mutant for mutant in mutants if mutant.line in lines[1:]]
    below.sort(key=lambda mutant: mutant.way not in RULE_WAYS)
    tried = (*removals, *others, *below)[:MAX_TRIED]
    return MutantTrial(tried, scenarios, decisive=min(len(removals), MAX_TRIED))


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
            yield from ((name, block) for name in dict.fromkeys(named))


def _ids(comment: str) -> Iterator[str]:
    yield from _WORD.findall(comment)
    for stem, first, last in _RANGE.findall(comment):
        yield from (f"{stem}{at:0{len(first)}}" for at in range(int(first), int(last) + 1))


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
