"""`python -m soak scratch` and `mutants`: test that packs are either refused or playable.

Packs from scratch come from `drawing`. Mutants are clean packs with one to three of the changes
that `coloma test --mutants` makes: odd numbers change the games in `content` with their mods; even
ones change the small packs and the examples in the reference.
"""

from __future__ import annotations

import os
import random
import re
import tempfile
from contextlib import contextmanager
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.frontend import check_pack
from rulesdsl.packs.find import packs_below
from rulesdsl.scenarios.mutation import all_mutants
from soak.drawing.whole import pack_of
from soak.judging import Judge, mods_in, write_pack
from soak.language import uses_of
from soak.shrinking import keep_small
from soak.sitting import ROOT, Case, Outcome, Sitting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulesdsl.scenarios.mutation import Mutant

SMALL = ("content/classics/*", "rulesdsl/source/pages/_little")
LEFT_OUT = ("scenarios/", "rules_covered.toml")
BLOCK = re.compile(r"```(?:rules|toml) ([\w./-]+)\n(.*?)```", re.DOTALL)
WITH = re.compile(r"<!-- with\n(.*?)-->", re.DOTALL)
IN_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a place
CASES = 25  # cases per pack from scratch
APART = 1_000  # distance of the seeds of packs; a clean pack is found within it

Files = dict[str, str]


# -------------------------------------------------------------------- commands
def scratch(seeds: range, out: Path | None, jobs: int) -> int:
    """Judge random packs and print the results; return the exit status."""
    return _judged("scratch", pack_of, seeds, out, jobs)


def mutants(pack: list[str], seeds: range, out: Path | None, jobs: int) -> int:
    """Judge mutants of packs, by default of all shipped ones; return the exit status."""
    made = Mutants([Path(each) for each in pack])
    made.read()
    return _judged(" ".join(["mutants", *pack]), made.files, seeds, out, jobs)


def _judged(
    name: str,
    make: Callable[[int], Files],
    seeds: range,
    out: Path | None,
    jobs: int,
) -> int:
    out = out or Path(tempfile.mkdtemp(), "results.jsonl")
    reproductions = out.with_suffix(".failures")

    def one(seed: int) -> Case:
        files = make(seed)
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            case = Judge().judge(write_pack(Path(folder), files), seed)
        counted = name == "scratch" and case.outcome is Outcome.PLAYED
        return attrs.evolve(case, details=uses_of(files)) if counted else case

    def keep(seed: int, case: Case) -> None:
        keep_small(reproductions, make(seed), seed, case)

    status = Sitting(name, seeds, one, out, keep).run(jobs)
    print(f"results in {out}, small packs that fail in {reproductions}")
    return status


def judge(folder: Path, seeds: range) -> int:
    """Judge one pack with several seeds and print the results; return the exit status."""
    cases = {seed: Judge().judge(folder, seed) for seed in seeds}
    failed = [each for each in cases.values() if each.outcome is Outcome.FAILED]
    for seed, case in cases.items():
        print(f"seed {seed}: {case.outcome} {case.about}")
    print(failed[0].details if failed else "")
    return 1 if failed else 0


# -------------------------------------------------------------------- packs for other soaks
@contextmanager
def folders_of(pack: str) -> Iterator[Callable[[int], str]]:
    """Yield a function that returns the pack folder for a case; `scratch` generates packs."""
    if pack != "scratch":
        yield lambda _: pack
        return
    with tempfile.TemporaryDirectory(prefix="packs-") as folder:

        @cache
        def made(at: int) -> str:
            return clean_pack(Path(folder, f"{os.getpid()}-{at}"), at * APART)

        yield lambda number: made(number // CASES)


def clean_pack(folder: Path, seed: int) -> str:
    """Write the first random pack without errors, starting from a seed; return its folder."""
    for each in count(seed):
        write_pack(folder, pack_of(each))
        if not check_pack(folder)[2].errors:
            break
    return f"{folder}"


# -------------------------------------------------------------------- mutants
@attrs.define(slots=False)
class Original:
    """Pack without errors, and its possible mutations."""

    name: str
    files: Files

    @cached_property
    def mutations(self) -> list[list[tuple[str, Mutant]]]:
        """Possible mutations by kind, each with the path of its file."""
        with tempfile.TemporaryDirectory() as place:
            folder = write_pack(Path(place), self.files)
            layers, checked, report = check_pack(folder, mods_in(folder))
            if layers is None or checked is None or report.errors:
                raise ValueError(f"{self.name} does not lint clean")
            ways: dict[str, list[tuple[str, Mutant]]] = {}
            for pack in (layers.game, *layers.mods):
                for each in all_mutants(layers, pack, checked.program.world):
                    path = (pack.folder / each.path).relative_to(folder).as_posix()
                    ways.setdefault(each.way, []).append((path, each))
        return list(ways.values())

    def mutant(self, chance: random.Random) -> Files:
        """Return the files of the pack after one to three mutations that do not overlap."""
        files, last = dict(self.files), dict[str, int]()
        number = chance.choice((1, 1, 2, 3))
        chosen = [chance.choice(chance.choice(self.mutations)) for _ in range(number)]
        for path, each in sorted(chosen, key=lambda pair: -pair[1].start):
            if each.end <= last.get(path, each.end):
                files[path] = each.apply(files[path])
                last[path] = each.start
        return files


@attrs.define(slots=False)
class Mutants:
    """Numbered mutants: odd numbers stand for mutants of large packs, even ones of small packs."""

    paths: list[Path]

    @cached_property
    def groups(self) -> list[list[Original]]:
        """Two groups, the small and the large packs; or one group of the given packs."""
        if self.paths:
            return [[_original(path) for path in self.paths]]
        games = (each for each in packs_below(ROOT / "content") if "mods" not in each.parts)
        return [small_packs(), [*map(_original, games)]]

    def read(self) -> None:
        """Read all packs, so that the workers forked later share them."""
        for group in self.groups:
            for each in group:
                assert each.mutations

    def files(self, seed: int) -> Files:
        """Return the files of the mutant with the given number."""
        chance = random.Random(f"mutant {seed}")
        return chance.choice(self.groups[seed % len(self.groups)]).mutant(chance)


def _original(folder: Path) -> Original:
    files = files_of(folder)
    for manifest in sorted(folder.glob("mods/*/pack.toml")):
        mod = manifest.parent
        files |= {f"mods/{mod.name}/{name}": text for name, text in files_of(mod).items()}
    return Original(folder.as_posix(), files)


def files_of(folder: Path) -> Files:
    """Return the rules and tables of a pack, without those of packs in its subfolders."""
    inner = {each.parent for each in folder.rglob("pack.toml")} - {folder}
    found: Files = {}
    for path in sorted([*folder.rglob("*.rules"), *folder.rglob("*.toml")]):
        name = path.relative_to(folder).as_posix()
        if not inner & {*path.parents} and not name.startswith(LEFT_OUT):
            found[name] = path.read_text("utf-8")
    return found


def small_packs() -> list[Original]:
    """Return the classics, the packs on the pages about codes, and the reference's examples."""
    manifests = [each for pattern in SMALL for each in ROOT.glob(f"{pattern}/pack.toml")]
    return [*(_original(each.parent) for each in sorted(manifests)), *reference_packs()]


def reference_packs() -> list[Original]:
    """Return the game in the reference, alone and with each of the examples."""
    first, *sections = re.split(r"\n###? ", (ROOT / "rulesdsl/README.md").read_text("utf-8"))
    sections = [first, *sections]
    at = next(number for number, text in enumerate(sections) if "```toml pack.toml" in text)
    base = dict(BLOCK.findall(sections[at]))
    found = [Original("reference", base)]
    for number, text in enumerate(sections[at + 1 :]):
        own = {name: each for name, each in BLOCK.findall(text) if "/" not in name}
        if own:
            more = {"with.rules": "\n".join(WITH.findall(text)) + "\n"}
            original = Original(f"reference {number}", {**base, **own, **more})
            try:
                assert original.mutations
            except ValueError:
                continue  # this is an example of an error
            found.append(original)
    return found
