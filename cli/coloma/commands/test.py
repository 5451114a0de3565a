"""`coloma test` and `coloma watch`: scenarios, run once or after every save."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import (
    ALL_CORES,
    SEED_OPTION,
    FirstOnly,
    ModNames,
    PackPath,
    number,
)
from coloma.output import FINDINGS, USAGE, CommandError, say
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source.ranges import MUTANTS

if TYPE_CHECKING:
    from coloma.packs import Selection
    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.scenarios.mutation_run import MutantResult, MutantTrial
    from rulesdsl.scenarios.parallel import Processes, Ran, Task
    from rulesdsl.scenarios.scenario import ScenarioReport
    from rulesdsl.scenarios.suite import Suite
    from rulesdsl.source.diagnostics import Diagnostic
    from rulesdsl.source.span import SourceFile


def run_tests(
    path: PackPath = None,
    coverage: Annotated[  # noqa: FBT002 - a flag of the command line
        bool, typer.Option("--coverage", help="List the rules without a scenario.")
    ] = False,
    broken: Annotated[  # noqa: FBT002 - a flag of the command line
        bool,
        typer.Option(
            "--broken",
            help="Break every rule in turn; list those whose loss no scenario notices. With"
            " --coverage (or as --coverage=broken), list the rules of the checklist whose line can"
            " be broken while the scenarios that name them pass.",
        ),
    ] = False,
    mutants: Annotated[
        int, number("--mutants", MUTANTS, "Count how many of N mutants the scenarios detect.")
    ] = 0,
    files: Annotated[
        list[str] | None,
        typer.Option(
            "--in",
            metavar="FILE",
            help="With --mutants or --broken: only break this file in the pack.",
        ),
    ] = None,
    seed: Annotated[int | None, SEED_OPTION] = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="TEXT",
            help="Run only scenarios whose name, file or rules contain this text.",
        ),
    ] = None,
    first: FirstOnly = False,  # noqa: FBT002 - a flag of the command line
    jobs: Annotated[int | None, ALL_CORES] = None,
    mod: ModNames = None,
) -> None:
    """Run the scenarios and lessons of a pack.

    Scenarios of mods in the pack's subfolders run too, each with its mod applied. With --mod,
    only the pack's own scenarios run, with the mods applied. With --coverage, --mutants or
    --broken, only a single pack is tested. For a folder that is not a pack, every pack in it is
    tested. Scenarios that failed last time run first.

    The exit status is 0 if everything passes; 1 if a scenario fails, a rule has no scenario
    (--coverage) or a mutant survives (--mutants, --broken); 2 for a usage error.
    """
    from coloma.packs import pack_folder, select, select_each
    from rulesdsl.scenarios.parallel import Processes

    _refuse_together(
        only, files, seed, coverage=coverage, mutants=mutants, broken=broken, first=first
    )
    if coverage or mutants or broken:
        selections = {pack_folder(path): select(path, mod or ())}
    else:
        selections = select_each(path, mod or ())
    good, some = True, False
    with Processes(jobs) as processes:
        for folder, selection in selections.items():
            if len(selections) > 1:
                say(f"{folder}:")
            pack, task = _task(folder, selection, only, first=first)
            ran = processes.run(task)
            good = _tell(ran, folder, mod or ()) and good
            report = ran.scenarios
            some = some or bool(report.results or report.findings)
            if coverage and not broken:
                good = _coverage(pack, report) and good
            elif broken and report.ok and report.results:
                good = _broken(task, jobs, files or (), coverage=coverage) and good
            if mutants and report.ok and report.results:
                good = _mutants(task, mutants, seed or 0, jobs, files or ()) and good
            if first and not good:
                break
    if only is not None and not some:
        raise CommandError(f"no scenario contains {only} in its name, file or rules", USAGE)
    raise typer.Exit(0 if good else FINDINGS)


def _task(
    folder: Path, selection: Selection, only: str | None, *, first: bool
) -> tuple[PackSource, Task]:
    from rulesdsl.packs.overlay import read_layers
    from rulesdsl.scenarios.parallel import Task

    pack = read_layers(selection.game, selection.mods).at(folder)
    lessons = only is None and bool(pack.lesson_files())
    task = Task(selection.game, selection.mods, folder, only, lessons=lessons, first=first)
    return pack, task


def _tell(ran: Ran, folder: Path, mods: Sequence[str]) -> bool:
    from coloma.linting import promise

    report = ran.scenarios
    say(str(report))
    if ran.lessons is not None:
        say(f"lessons: {ran.lessons}")
    about_lessons = ran.lessons.findings if ran.lessons is not None else ()
    if note := promise((*report.findings, *about_lessons), [folder], mods):
        say(note, err=True)
    return report.ok and (ran.lessons is None or ran.lessons.ok)


def _refuse_together(
    only: str | None,
    files: list[str] | None,
    seed: int | None,
    *,
    coverage: bool,
    mutants: int,
    broken: bool,
    first: bool,
) -> None:
    if only is not None and (coverage or mutants or broken):
        raise typer.BadParameter(
            "it cannot be used with --coverage, --mutants or --broken", param_hint="--only"
        )
    if first and coverage:
        raise typer.BadParameter("it cannot be used with --coverage", param_hint="--first")
    if files and not (mutants or (broken and not coverage)):
        raise typer.BadParameter("it requires --mutants or --broken", param_hint="--in")
    if seed is not None and not mutants:
        raise typer.BadParameter("it requires --mutants", param_hint="--seed")


def _mutants(task: Task, number: int, seed: int, jobs: int | None, files: Sequence[str]) -> bool:
    from rulesdsl.scenarios.mutation import choose_mutants
    from rulesdsl.scenarios.mutation_run import MutantTrial

    def choose(suite: Suite) -> list[MutantTrial]:
        return [MutantTrial((mutant,)) for mutant in choose_mutants(suite, number, seed, files)]

    results = [result for _, result in _break(task, jobs, choose)]
    return _report_mutants(results, f"mutants: {len(results)}, seed {seed}")


def _broken(task: Task, jobs: int | None, files: Sequence[str], *, coverage: bool) -> bool:
    from rulesdsl.scenarios.mutation import rule_mutants
    from rulesdsl.scenarios.mutation_run import MutantTrial

    if coverage:
        return _broken_coverage(task, jobs)

    def choose(suite: Suite) -> list[MutantTrial]:
        return [MutantTrial((mutant,)) for mutant in rule_mutants(suite, files)]

    results = [result for _, result in _break(task, jobs, choose)]
    return _report_mutants(results, f"rules broken: {len(results)}")


def _break(
    task: Task, jobs: int | None, choose: Callable[[Suite], Sequence[MutantTrial]]
) -> list[tuple[MutantTrial, MutantResult]]:
    from coloma.simulation.work import progress
    from rulesdsl.scenarios.mutation_run import break_pack

    try:
        breaking = break_pack(task.path, task.mods, choose, of=task.of)
    except ValueError as error:
        raise CommandError(str(error)) from None
    results: list[MutantResult] = []
    with progress(len(breaking.trials), "Breaking") as step:
        for result in breaking.results(jobs or os.cpu_count() or 1):
            results.append(result)
            step(1)
    return [*zip(breaking.trials, results, strict=True)]


def _broken_coverage(task: Task, jobs: int | None) -> bool:
    from rulesdsl.scenarios.coverage import CHECKLIST
    from rulesdsl.scenarios.rule_lines import RuleTrials, Standing, rule_trials

    planned: list[RuleTrials] = []

    def choose(suite: Suite) -> list[MutantTrial]:
        rules = rule_trials(suite)
        if rules is None:
            raise CommandError(f"the pack has no checklist (no file {CHECKLIST})")
        planned.append(rules)
        return rules.trials

    results = _break(task, jobs, choose)
    standings = [*planned[0].standings(results)]
    for standing in Standing:
        if standing is Standing.COVERED:
            continue
        rules = [rule for rule in standings if rule.standing is standing]
        if rules:
            say(f"{standing}: {len(rules)}")
        for rule in rules:
            say(f"  {rule.name}: {rule.text}")
            if standing is Standing.NOT_NOTICED:
                for mutant in rule.unnoticed:
                    say(f"    {mutant}")
    covered = sum(rule.standing is Standing.COVERED for rule in standings)
    say(f"{covered} of {len(standings)} rules covered if their line is broken")
    return covered == len(standings)


def _coverage(pack: PackSource, report: ScenarioReport) -> bool:
    from rulesdsl.scenarios.coverage import CHECKLIST, covered_rules
    from rulesdsl.source.render import render_text as render

    found = covered_rules(pack, (each.scenario for each in report.results))
    if found is None:
        raise CommandError(f"the pack has no checklist (no file {CHECKLIST})")
    if found.findings:
        say(render(found.findings, pack.sources), nl=False)
    for title, rules in (
        ("without a scenario", found.missing),
        ("not in the rulebook", found.untold),
        ("exempt", found.exempt),
    ):
        if rules:
            say(f"{title}: {len(rules)}")
            for name, words in rules.items():
                say(f"  {name}: {words}")
    say(found.summary)
    return not found.findings and not found.missing and not found.untold


def _report_mutants(results: list[MutantResult], title: str) -> bool:
    from rulesdsl.scenarios.mutation_run import Fate

    for result in results:
        if result.fate is Fate.SURVIVED:
            say(f"not noticed: {result.mutant}")
        elif result.fate is Fate.CRASHED:
            say(f"the engine fails on {result.mutant}: {result.by}")
    counts = {fate: sum(each.fate is fate for each in results) for fate in Fate}
    played = len(results) - counts[Fate.REFUSED]
    noticed = counts[Fate.NOTICED] + counts[Fate.ENDLESS]
    share = f" ({100 * noticed / played:.1f} %)" if played else ""
    say(
        f"{title}: {counts[Fate.REFUSED]} refused by lint,"
        f" {noticed} of the other {played} noticed{share}, {counts[Fate.SURVIVED]} not noticed"
    )
    if counts[Fate.ENDLESS]:
        say(f"{counts[Fate.ENDLESS]} of those noticed ran too long")
    if counts[Fate.CRASHED]:
        say(f"{counts[Fate.CRASHED]} made the engine fail")
    return noticed == played


def watch(
    path: PackPath = None,
    mod: ModNames = None,
    first: FirstOnly = False,  # noqa: FBT002 - a flag of the command line
) -> None:
    """Check and test packs whenever one of their files is saved.

    A pack is watched together with the mods in its subfolders. With --mod, only the pack is
    watched, with the named mods applied. In a folder that is not a pack, every pack is watched.
    Scenarios that failed last time run first. Press Ctrl-C to stop.
    """
    from rulesdsl.scenarios.parallel import Processes

    tasks = _tasks(path, mod or (), first=first)
    changes = FileWatcher(list(dict.fromkeys(one for each in tasks for one in _folders(each))))
    try:
        with Processes() as processes:
            _follow(tasks, processes, changes)
    except KeyboardInterrupt:
        say()


def _tasks(path: str | None, mods: Sequence[str], *, first: bool) -> list[Task]:
    from coloma.packs import select_each
    from rulesdsl.scenarios.parallel import Task

    return [
        Task(each.game, each.mods, folder, first=first)
        for folder, each in select_each(path, mods).items()
    ]


def _folders(task: Task) -> tuple[Path, ...]:
    return (task.path, *task.mods)


def _follow(tasks: Sequence[Task], processes: Processes, changes: FileWatcher) -> None:
    from coloma.packs import pack_of

    say(f"watching {', '.join(map(str, changes.folders))} (Ctrl-C to stop)")
    affected = tasks
    while True:
        _look(affected, processes)
        changed = changes.wait()
        say(f"\nchanged: {', '.join(changed)}")
        packs = {pack_of(Path(each)) for each in changed}
        affected = [
            each for each in tasks if packs & {folder.absolute() for folder in _folders(each)}
        ] or tasks


def _look(tasks: Sequence[Task], processes: Processes) -> None:
    from rulesdsl.check.frontend import check_pack
    from rulesdsl.scenarios.scenario import join_reports
    from rulesdsl.source.diagnostics import LintError
    from rulesdsl.source.render import render_text as render

    began = time.perf_counter()
    found: dict[Diagnostic, None] = {}
    sources: dict[str, SourceFile] = {}
    lost = 0
    reports: list[ScenarioReport] = []
    for task in tasks:
        try:
            _, _, report = check_pack(task.path, task.mods)
            if not report.errors:
                reports.append(processes.run(task).scenarios)
        except (LintError, OSError) as error:  # such as a file deleted since the last check
            say(str(error))
            lost += 1
        else:
            found |= dict.fromkeys(report.diagnostics)
            sources |= report.sources
    if found:
        say(render(tuple(found), sources))
    for ran in reports:
        if not ran.ok:
            say(f"{ran.failures}\n")
    number = len(found) + sum(len(each.findings) for each in reports) + lost
    findings = "no findings" if not number else f"{number} finding{'s' if number > 1 else ''}"
    said = join_reports(reports).summary if reports else "no scenarios were run"
    say(f"{findings}; {said} ({time.perf_counter() - began:.1f} s)")


BETWEEN = 0.15  # house: seconds between polls; too short for people to notice
ENDINGS = (".rules", ".toml", ".md")
Stamp = tuple[int, int, int]


class FileWatcher:
    """Poller of packs' files, with their state at the last poll."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(folders)
        self._before = self._stamps()

    def wait(self) -> list[str]:
        """Wait for changes, and return the changed, new and deleted files.

        Return only when the files have stopped changing: "save all" writes one file after the
        other, and some editors delete a file before they write it.
        """
        while not self._changed(self._before, now := self._stamps()):
            time.sleep(BETWEEN)
        earlier = self._before
        while True:
            time.sleep(BETWEEN)
            later = self._stamps()
            if not self._changed(now, later):
                break
            now = later
        self._before = now
        return self._changed(earlier, now) or self.wait()

    def _changed(self, before: dict[str, Stamp], now: dict[str, Stamp]) -> list[str]:
        return sorted(
            each for each in before.keys() | now.keys() if before.get(each) != now.get(each)
        )

    def _stamps(self) -> dict[str, Stamp]:
        found: dict[str, Stamp] = {}
        for folder in self.folders:
            for each in _files(folder):
                try:
                    about = each.stat()
                except OSError:  # deleted meanwhile
                    continue
                found[str(each)] = about.st_mtime_ns, about.st_size, about.st_ino
        return found


def _files(folder: Path) -> Iterator[Path]:
    """Yield the watched files in a pack, except those in packs inside it."""
    for home, below, names in os.walk(folder):  # unreadable and deleted folders are skipped
        inside = [each for each in below if not each.startswith(".")]
        below[:] = [each for each in inside if not Path(home, each, MANIFEST).exists()]
        visible = (each for each in names if not each.startswith("."))
        yield from (Path(home, each) for each in visible if each.endswith(ENDINGS))
