"""`coloma test`: whether a pack does what its scenarios say, and whether they say enough."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import FirstOnly, ModNames, PackPath, number
from coloma.errors import FINDINGS, USAGE, CommandError
from coloma.output import say
from rulesdsl.source.ranges import JOBS, MUTANTS, SEED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from coloma.selection import Selection
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
    first: FirstOnly = False,  # noqa: FBT002 - a flag of the command line
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
    """Run the scenarios and lessons of a pack and of the mods for it that are below.

    Those of a mod are run on its game. With --mod they are those of the pack alone, with the mods
    laid over it; --coverage and --mutants are about one pack as well. A folder that is no pack
    stands for every pack below it. What failed last comes first.

    The exit status is 0 if all is well, 1 for a scenario that fails, a rule that none is about
    or a mutant that none notices, 2 for a wrong call.
    """
    from coloma.catalogue import pack_folder
    from coloma.selection import select, select_each
    from rulesdsl.scenarios.sharing import Processes

    _refuse_together(only, files, seed, coverage=coverage, mutants=mutants, first=first)
    if coverage or mutants:
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
            if coverage:
                good = _coverage(pack, report) and good
            if mutants and report.ok and report.results:
                good = _mutants(task, mutants, seed or 0, jobs, files or ()) and good
            if first and not good:
                break
    if only is not None and not some:
        raise CommandError(f"no scenario has {only} in its name, file or rules", USAGE)
    raise typer.Exit(0 if good else FINDINGS)


def _task(
    folder: Path, selection: Selection, only: str | None, *, first: bool
) -> tuple[PackSource, Task]:
    """Return a pack as read from disk, and its scenarios and lessons to run."""
    from rulesdsl.packs.layers import read_layers
    from rulesdsl.scenarios.sharing import Task

    pack = read_layers(selection.game, selection.mods).at(folder)
    lessons = only is None and bool(pack.lesson_files())
    task = Task(selection.game, selection.mods, folder, only, lessons=lessons, first=first)
    return pack, task


def _tell(ran: Ran, folder: Path, mods: Sequence[str]) -> bool:
    """Say what came of scenarios and lessons; return whether all is well."""
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
    first: bool,
) -> None:
    """Refuse options that do not go together."""
    if only is not None and (coverage or mutants):
        raise typer.BadParameter(
            "it cannot be used with --coverage or --mutants", param_hint="--only"
        )
    if first and coverage:
        raise typer.BadParameter("it cannot be used with --coverage", param_hint="--first")
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
