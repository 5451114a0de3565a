"""`coloma test`: whether a pack does what its scenarios say, and whether they say enough."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import ModNames, PackPath, number
from coloma.errors import FINDINGS, USAGE, CommandError
from coloma.output import say
from rulesdsl.source.ranges import JOBS, MUTANTS, SEED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.scenarios.breaking import MutantResult
    from rulesdsl.scenarios.report import ScenarioReport
    from rulesdsl.scenarios.sharing import Ran, Task


def run_tests(
    path: PackPath = None,
    coverage: Annotated[  # noqa: FBT002 - a flag of the command line
        bool, typer.Option("--coverage", help="List the rules that no scenario is about.")
    ] = False,
    mutants: Annotated[
        int,
        number(
            "--mutants",
            MUTANTS,
            "Break the pack in N small ways, and count what the scenarios notice.",
        ),
    ] = 0,
    files: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="FILE", help="With --mutants: break this file of the pack."),
    ] = None,
    seed: Annotated[
        int | None,
        number("--seed", SEED, "The same seed gives the same mutants; by default 0."),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="TEXT",
            help="Run only scenarios with this in their name, file or rules.",
        ),
    ] = None,
    changed: Annotated[  # noqa: FBT002 - a flag of the command line
        bool,
        typer.Option(
            "--changed", help="Run only what may have changed since it last passed here."
        ),
    ] = False,
    jobs: Annotated[
        int | None,
        number(
            "--jobs",
            JOBS,
            "How many processes share the work; by default one for each processor.",
        ),
    ] = None,
    mod: ModNames = None,
) -> None:
    """Run the scenarios and lessons of a pack: of a game, with mods laid over it if any are named.

    Those of a mod are run on its game.

    The exit status is 0 if all is well, 1 for a scenario that fails, a rule that none is about
    or a mutant that none notices, 2 for a wrong call.
    """
    from coloma.catalogue import pack_folder
    from coloma.linting import what_fix_does
    from coloma.selection import select
    from rulesdsl.check.read import read_layers
    from rulesdsl.scenarios.reading import count_scenarios
    from rulesdsl.scenarios.sharing import Task
    from rulesdsl.source.diagnostic import Findings

    _refuse_together(only, files, seed, coverage=coverage, mutants=mutants, changed=changed)
    selection = select(path, mod or ())
    folder = pack_folder(path)
    pack = read_layers(selection.game, selection.mods).at(folder)
    if jobs is not None:  # a process that has nothing to run is not worth its start
        jobs = min(jobs, max(1, sum(map(count_scenarios, pack.scenarios(Findings())))))
    lessons = only is None and bool(pack.lesson_files())
    task = Task(selection.game, tuple(selection.mods), folder, only, lessons=lessons)
    ran = _ran(task, jobs, changed=changed)
    report = ran.scenarios
    if only is not None and not report.results and not report.findings:
        raise CommandError(f"no scenario has {only} in its name, file or rules", USAGE)
    if report.results or report.findings or not changed:
        say(str(report))
    good = report.ok
    if ran.lessons is not None:
        say(f"lessons: {ran.lessons}")
        good = ran.lessons.ok and good
    about_lessons = ran.lessons.findings if ran.lessons is not None else ()
    if note := what_fix_does((*report.findings, *about_lessons)):
        say(note, err=True)
    if coverage:
        good = _coverage(pack, report) and good
    if mutants and report.ok and report.results:
        good = _mutants(task, mutants, seed or 0, jobs, files or ()) and good
    raise typer.Exit(0 if good else FINDINGS)


def _refuse_together(
    only: str | None,
    files: list[str] | None,
    seed: int | None,
    *,
    coverage: bool,
    mutants: int,
    changed: bool,
) -> None:
    """Refuse options that do not go together."""
    if only is not None and (coverage or mutants):
        raise typer.BadParameter(
            "it cannot be used with --coverage or --mutants", param_hint="--only"
        )
    if changed and (coverage or mutants or only is not None):
        raise typer.BadParameter(
            "it cannot be used with --only, --coverage or --mutants", param_hint="--changed"
        )
    for hint, value in (("--in", files), ("--seed", seed)):
        if value not in (None, []) and not mutants:
            raise typer.BadParameter(
                "it is about mutants, and goes with --mutants", param_hint=hint
            )


def _mutants(task: Task, number: int, seed: int, jobs: int | None, files: Sequence[str]) -> bool:
    from rulesdsl.scenarios.breaking import break_pack

    jobs = jobs or os.cpu_count() or 1
    try:
        broken = break_pack(task.path, task.mods, number, seed, jobs, files, of=task.of)
        results = list(_with_progress(broken, number))
    except ValueError as error:
        raise CommandError(str(error)) from None
    return _fates(results, seed)


def _ran(task: Task, jobs: int | None, *, changed: bool) -> Ran:
    """Run what is wanted; of what has changed, say how much it is and what it is compared with."""
    from rulesdsl.scenarios.rerun import run_all, run_touched
    from rulesdsl.scenarios.sharing import run_shared

    if task.only is not None:
        return run_shared(task, jobs or 1)
    if not changed:
        return run_all(task, jobs)
    found = run_touched(task, jobs)
    if not found.recorded:
        say("nothing is recorded of an earlier run: all scenarios are run")
    else:
        number = len(found.ran.scenarios.results)
        say(f"{number} of {found.every} scenarios may have changed since they last passed")
    return found.ran


def _coverage(pack: PackSource, report: ScenarioReport) -> bool:
    from rulesdsl.scenarios.coverage import CHECKLIST, covered_rules
    from rulesdsl.source.render_text import render

    found = covered_rules(pack, (each.scenario for each in report.results))
    if found is None:
        raise CommandError(f"there is no checklist: no file {CHECKLIST} in the pack")
    if found.findings:
        say(render(found.findings, pack.sources), nl=False)
    for title, rules in (
        ("without a scenario", found.missing),
        ("not told by the rulebook", found.untold),
        ("exempt", found.exempt),
    ):
        if rules:
            say(f"{title}: {len(rules)}")
            for name, words in rules.items():
                say(f"  {name}: {words}")
    say(found.summary)
    return not found.findings and not found.missing and not found.untold


def _fates(results: list[MutantResult], seed: int) -> bool:
    from rulesdsl.scenarios.breaking import Fate

    for result in results:
        if result.fate is Fate.SURVIVED:
            say(f"nobody notices {result.mutant}")
        elif result.fate is Fate.CRASHED:
            say(f"the engine fails {result.mutant}: {result.by}")
    counts = {fate: sum(each.fate is fate for each in results) for fate in Fate}
    played = len(results) - counts[Fate.REFUSED]
    noticed = counts[Fate.NOTICED] + counts[Fate.ENDLESS]
    say(
        f"{len(results)} mutants, seed {seed}: {counts[Fate.REFUSED]} refused by lint,"
        f" {noticed} of {played} others noticed{_percent(noticed, played)},"
        f" {counts[Fate.SURVIVED]} not"
    )
    if counts[Fate.ENDLESS]:
        say(f"{counts[Fate.ENDLESS]} of those noticed went on for too long")
    if counts[Fate.CRASHED]:
        say(f"{counts[Fate.CRASHED]} made the engine fail")
    return noticed == played


def _percent(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.1f} %)" if whole else ""


def _with_progress(found: Iterator[MutantResult], number: int) -> Iterable[MutantResult]:
    """Collect the results, with a bar where somebody watches."""
    if not sys.stderr.isatty():
        return list(found)
    with typer.progressbar(found, number, "Breaking", file=sys.stderr) as watched:
        return list(watched)
