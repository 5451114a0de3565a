"""Packs that are mutated: the shipped ones with their mods, and small ones from all over."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.read import check_pack
from soak.judging import mods_in, write_pack
from soak.mutating import Mutator, Phrase
from soak.mutations import files_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulesdsl.check.program import Program
    from rulesdsl.check.world import World
    from rulesdsl.source.span import Span

ROOT = Path(__file__).parents[1]
SHIPPED = ("content", "content/sutters_mill")
MODS = ("content/mods/deluxe", "content/mods/variants")
SMALL = (
    "rulesdsl/source/pages/_little",
    *(f"content/classics/{each}" for each in ("breakthrough", "four_in_a_row", "tic_tac_toe")),
)
BLOCK = re.compile(r"```(rules|toml) ([\w./-]+)\n(.*?)```", re.DOTALL)
WITH = re.compile(r"<!-- with\n(.*?)-->", re.DOTALL)


@attrs.define(slots=False)
class Original:
    """A pack that lints clean, and what can be exchanged in it."""

    name: str
    files: dict[str, str]

    @cached_property
    def mutator(self) -> Mutator:
        """What makes mutants of it."""
        with tempfile.TemporaryDirectory() as folder:
            path = write_pack(Path(folder), self.files)
            _, checked, report = check_pack(path, mods_in(path))
            if checked is None or report.errors:
                raise ValueError(f"{self.name} does not lint clean")
            lines = {name: text.splitlines() for name, text in self.files.items()}
            phrases = [
                Phrase(name, span.line, span.column, span.end_column, kind)
                for node in nodes(checked.program)
                for name, span, kind in _placed(node, path)
                if name in lines
            ]
        return Mutator(self.files, sorted(set(phrases)), names_of(checked.program.world))


def names_of(world: World) -> frozenset[str]:
    """Return the words that mean the same anywhere in a pack."""
    groups: list[Iterable[str]] = [
        world.kinds,
        world.pieces,
        world.places,
        world.tracks,
        world.flags,
        world.options,
        world.values,
        world.procs,
        world.constants,
        world.plurals,
        world.owners,
        world.rivals,
        *(kind.fields for kind in world.kinds.values()),
    ]
    return frozenset(name for group in groups for name in group)


def nodes(program: Program) -> Iterator[ty.Node]:
    """Yield every node of a checked program."""
    roots: list[ty.Node] = [proc.block for proc in program.procs.values()]
    roots += [value.body for value in program.values.values()]
    roots += [*program.formulas.values(), *(value for _, value in program.ranking)]
    for root in roots:
        yield from ty.walk(root)


def _placed(node: ty.Node, folder: Path) -> Iterator[tuple[str, Span, str]]:
    """Yield where a value is that is written on one line, and of which type it is."""
    span = node.span
    if not isinstance(node, ty.Value) or not span.file or span.line != span.end_line:
        return
    if span.end_column > span.column:
        name = Path(span.file).relative_to(folder).as_posix()
        yield name, span, f"{node.type.family}:{node.type.of}"


@attrs.define(slots=False)
class Mutants:
    """Mutants by their numbers: odd ones of large packs, even ones of small packs."""

    paths: Sequence[Path] = ()

    @property
    def name(self) -> str:
        """What a sitting is called."""
        return " ".join(["mutants", *(path.as_posix() for path in self.paths)])

    @cached_property
    def groups(self) -> list[list[Original]]:
        """Small packs and shipped ones, or the given ones."""
        if self.paths:
            return [[Original(path.as_posix(), files_of(path)) for path in self.paths]]
        return [small_packs(), shipped_packs()]

    def read(self) -> None:
        """Read all packs, before workers are forked."""
        for group in self.groups:
            for original in group:
                assert original.mutator.phrases

    def files(self, seed: int) -> dict[str, str]:
        """Return the files of a mutant."""
        chance = random.Random(f"mutant {seed}")
        group = self.groups[seed % len(self.groups)]
        return chance.choice(group).mutator.mutant(chance)


def shipped_packs() -> list[Original]:
    """Return the shipped games, alone and with the mods that are shipped."""
    found = [Original(name, files_of(ROOT / name)) for name in SHIPPED]
    modded = dict(found[0].files)
    for mod in MODS:
        for name, text in files_of(ROOT / mod).items():
            modded[f"mods/{Path(mod).name}/{name}"] = text
    return [*found, Original("content with its mods", modded)]


def small_packs() -> list[Original]:
    """Return small packs: three classics, of the pages, of the reference, a game just begun."""
    found = [Original(path.name, files_of(path)) for path in (ROOT / each for each in SMALL)]
    return [*found, *reference_packs(), begun_game()]


def reference_packs() -> list[Original]:
    """Return the little game of the reference, and with each of its examples laid over it."""
    first, *sections = re.split(r"\n###? ", (ROOT / "rulesdsl/README.md").read_text("utf-8"))
    sections = [first, *sections]
    at = next(number for number, text in enumerate(sections) if "```toml pack.toml" in text)
    base = {name: text for _, name, text in BLOCK.findall(sections[at])}
    found = [Original("reference", base)]
    for number, text in enumerate(sections[at + 1 :]):
        blocks = {name: text for _, name, text in BLOCK.findall(text)}
        own = {
            name: text
            for name, text in blocks.items()
            if name[:9] not in {"scenarios", "mods/hats"}
        }
        if own:
            more = {"with.rules": "\n".join(WITH.findall(text)) + "\n"}
            original = Original(f"reference {number}", {**base, **own, **more})
            if _is_clean(original):
                found.append(original)
    return found


def _is_clean(original: Original) -> bool:
    try:
        return bool(original.mutator)
    except ValueError:
        return False


def begun_game() -> Original:
    """Return the game that `coloma new game` writes."""
    with tempfile.TemporaryDirectory() as folder:
        asked = [sys.executable, "-m", "coloma", "new", "game", "begun"]
        subprocess.run(asked, cwd=folder, capture_output=True, check=True)  # noqa: S603
        return Original("begun", files_of(next(Path(folder).glob("*"))))
