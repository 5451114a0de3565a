"""Running again what a change of the content touches, and recording what passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.read import check_layers
from rulesdsl.lower.lowering import lower
from rulesdsl.packs.folder import MAX_BYTES
from rulesdsl.packs.layers import read_layers
from rulesdsl.scenarios.changed import Record, read_record, write_record
from rulesdsl.scenarios.fingerprints import fingerprint, fingerprints
from rulesdsl.scenarios.reading import count_scenarios, read_scenarios
from rulesdsl.scenarios.report import ScenarioReport
from rulesdsl.scenarios.sharing import Ran, Task, run_shared, usual_jobs
from rulesdsl.source.diagnostic import Findings, LintError
from rulesdsl.source.files import read_inside

if TYPE_CHECKING:
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.pack_source import PackSource


@attrs.frozen
class Rerun:
    """What came of the scenarios that were run, and how many there are.

    `recorded` says whether it was known what had passed; without that, all were run.
    """

    ran: Ran
    every: int
    recorded: bool


def run_all(task: Task, jobs: int | None = None) -> Ran:
    """Run all scenarios and record what passed; LintError where the content has errors."""
    layers = read_layers(task.path, task.mods)
    pack = layers.at(task.of)
    number = sum(map(count_scenarios, pack.scenarios(Findings())))
    ran = run_shared(task, jobs or usual_jobs(number))
    write_record(layers, pack, attrs.evolve(ran.record, lessons=_taught(ran, layers, pack)))
    return ran


def run_touched(task: Task, jobs: int | None = None) -> Rerun:
    """Run the scenarios that may come to something else than when they last passed.

    Those are run that depended on a part of the content that has changed, those that have changed
    themselves, and those that did not pass; all, where nothing is recorded. Lessons are run where
    any file has changed. Raises LintError where the content has errors.
    """
    layers = read_layers(task.path, task.mods)
    pack = layers.at(task.of)
    findings = Findings()
    files = pack.scenarios(findings)
    scenarios = read_scenarios(files, layers.players, findings)
    record = read_record(layers, pack)
    if record is None:
        return Rerun(run_all(task, jobs), len(scenarios), recorded=False)
    parts = parts_of(layers)
    touched = record.touched(scenarios, parts)
    taught = record.lessons == lessons_digest(layers, pack)
    task = attrs.evolve(
        task, names=frozenset(each.name for each in touched), lessons=task.lessons and not taught
    )
    if touched or task.lessons:
        ran = run_shared(task, jobs or usual_jobs(len(touched)))
    else:
        lost = sum(map(count_scenarios, files)) - len(scenarios)
        ran = Ran(ScenarioReport((), findings.sorted(), lost, pack.sources), None, Record(parts))
    lessons = record.lessons if taught else _taught(ran, layers, pack)
    passed = record.without(touched) | ran.record.passed
    write_record(layers, pack, Record(parts, passed, lessons))
    return Rerun(ran, len(scenarios), recorded=True)


def parts_of(layers: Layered) -> dict[str, str]:
    """Return the fingerprints of all parts of some packs; LintError for content with errors."""
    findings = Findings()
    checked = check_layers(layers, findings)
    if findings.has_errors or layers.findings.has_errors:
        raise LintError((*layers.findings.sorted(), *findings.sorted()), layers.sources)
    return fingerprints(checked.program, lower(checked))


def lessons_digest(layers: Layered, pack: PackSource) -> str:
    """Return what changes with every file that lessons can depend on."""
    lessons = [read_inside(pack.folder, each, MAX_BYTES) for each in pack.lesson_files()]
    return fingerprint((layers.digest, lessons))


def _taught(ran: Ran, layers: Layered, pack: PackSource) -> str:
    return lessons_digest(layers, pack) if ran.lessons is not None and ran.lessons.ok else ""
