"""All small ways to break a pack, and a choice of them."""

from __future__ import annotations

import operator
import random
from functools import partial
from typing import TYPE_CHECKING

from rulesdsl.packs.folder import MOST_BYTES
from rulesdsl.scenarios.breaking_rules import RuleBreaker
from rulesdsl.scenarios.breaking_tables import TableBreaker
from rulesdsl.scenarios.mutant import Mutant, TextFile
from rulesdsl.scenarios.swaps import alike
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.files import read_inside
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.parser import parse_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulesdsl.check.world import World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.syntax.declarations import Decl

MOST_SWAPS = 3
"""How many other nouns one word is swapped for at the most."""


def choose_mutants(
    layers: Layered,
    pack: PackSource,
    world: World,
    number: int,
    seed: int,
    files: Sequence[str] = (),
) -> list[Mutant]:
    """Return so many mutants of one of the packs, the same for the same seed.

    With `files`, paths within the pack, nothing else is broken. Raises ValueError for a file that
    nothing can be broken in.
    """
    chance = random.Random(seed)  # noqa: S311 - it chooses tests
    every = list(all_mutants(layers, pack, world))
    known = {each.path for each in every}
    for file in files:
        if file not in known:
            advice = did_you_mean(file, known) or f"there are {', '.join(sorted(known))}"
            message = f"there is nothing to break in {file} ({advice})"
            raise ValueError(message)
    wanted = (each for each in every if not files or each.path in files)
    found = list(dict.fromkeys(_fewer_swaps(wanted, chance)))
    chance.shuffle(found)
    return sorted(found[:number], key=lambda each: (each.shown, each.start, each.new))


def all_mutants(layers: Layered, pack: PackSource, world: World) -> Iterator[Mutant]:
    """Yield every way that is known to break the pack; text that nobody reads is left alone."""
    swaps = alike(world)
    unread = {(each.id, path) for each, path in layers.unread()}
    for path in sorted(pack.files):
        if path.endswith(".rules"):
            yield from _in_rules(_text_file(pack, path), swaps)
    for path in pack.toml_paths():
        table = None if (pack.id, path) in unread else pack.toml(path, world.start)
        if table is not None:
            yield from TableBreaker(_text_file(pack, path), table, world, swaps).mutants()


def _text_file(pack: PackSource, path: str) -> TextFile:
    text = read_inside(pack.folder, pack.folder / path, MOST_BYTES).decode("utf-8-sig")
    return TextFile(path, (pack.folder / path).as_posix(), text)


def _in_rules(file: TextFile, swaps: dict[str, tuple[str, ...]]) -> Iterator[Mutant]:
    breaker = RuleBreaker(file, swaps)
    declarations = parse_file(file.text, file.shown, Findings()).file.declarations
    yield from breaker.tree(declarations)
    for declaration in declarations:
        if not isinstance(declaration, de.PanelDecl | de.SourceDecl | de.ConstantsDecl):
            yield from _words(file, breaker, declaration)


def _words(file: TextFile, breaker: RuleBreaker, declaration: Decl) -> Iterator[Mutant]:
    span = declaration.span
    start = file.offset(span.line, 1)
    end = file.offset(span.end_line, span.end_column)
    at = start
    for line in file.text[start:end].splitlines(keepends=True):
        offset = partial(operator.add, at)
        yield from breaker.words(line, offset, header=at == start)
        at += len(line)


def _fewer_swaps(mutants: Iterable[Mutant], chance: random.Random) -> Iterator[Mutant]:
    """Leave few of the many other nouns that one word could be swapped for."""
    swapped: dict[tuple[str, int], list[Mutant]] = {}
    for each in mutants:
        if each.way == "another noun":
            swapped.setdefault((each.shown, each.start), []).append(each)
        else:
            yield each
    for others in swapped.values():
        yield from chance.sample(others, min(MOST_SWAPS, len(others)))
