"""All mutants of a pack that mostly make sense, and a choice of them."""

from __future__ import annotations

import operator
import random
from functools import partial
from typing import TYPE_CHECKING

from rulesdsl.packs.folder import MAX_BYTES
from rulesdsl.scenarios.mutation.mutant import Mutant, Mutation, TextFile
from rulesdsl.scenarios.mutation.names import alike
from rulesdsl.scenarios.mutation.rules import ANOTHER_NOUN, RuleBreaker
from rulesdsl.scenarios.mutation.tables import TableBreaker
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.files import read_inside
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.parser import parse_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulesdsl.check.world import World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.syntax.declarations import Decl

MAX_SWAPS = 3
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
    every = list(all_mutations(layers, pack, world))
    known = {each.file.path for each in every}
    for file in files:
        if file not in known:
            advice = did_you_mean(file, known) or f"there are {', '.join(sorted(known))}"
            message = f"there is nothing to break in {file} ({advice})"
            raise ValueError(message)
    wanted = [each for each in every if not files or each.file.path in files]
    found = list(dict.fromkeys(_fewer_swaps(wanted, chance)))
    chance.shuffle(found)
    return sorted(found[:number], key=lambda each: (each.shown, each.start, each.new))


def all_mutations(layers: Layered, pack: PackSource, world: World) -> Iterator[Mutation]:
    """Yield every mutation that is known in the pack; text that nobody reads is left alone."""
    swaps = alike(world)
    unread = {(each.id, path) for each, path in layers.unread()}
    for path in sorted(pack.files):
        if path.endswith(".rules"):
            yield from _in_rules(_text_file(pack, path), swaps)
    for path in pack.toml_paths():
        table = None if (pack.id, path) in unread else pack.toml(path, world.start)
        if table is not None:
            yield from TableBreaker(_text_file(pack, path), table, world, swaps).mutations()


def _text_file(pack: PackSource, path: str) -> TextFile:
    text = read_inside(pack.folder, pack.folder / path, MAX_BYTES).decode("utf-8-sig")
    return TextFile(path, (pack.folder / path).as_posix(), text)


def _in_rules(file: TextFile, swaps: dict[str, tuple[str, ...]]) -> Iterator[Mutation]:
    breaker = RuleBreaker(file, swaps)
    declarations = parse_file(file.text, file.shown, Findings()).file.declarations
    yield from breaker.tree(declarations)
    for declaration in declarations:
        if not isinstance(declaration, de.PanelDecl | de.SourceDecl | de.ConstantsDecl):
            yield from _words(file, breaker, declaration)


def _words(file: TextFile, breaker: RuleBreaker, declaration: Decl) -> Iterator[Mutation]:
    span = declaration.span
    start = file.offset(span.line, 1)
    end = file.offset(span.end_line, span.end_column)
    at = start
    for line in file.text[start:end].splitlines(keepends=True):
        offset = partial(operator.add, at)
        yield from breaker.words(line, offset, header=at == start)
        at += len(line)


def _fewer_swaps(mutations: Sequence[Mutation], chance: random.Random) -> Iterator[Mutant]:
    """Yield the mutants, but few of the many other nouns that one word could be swapped for."""
    for each in mutations:
        if each.way != ANOTHER_NOUN:
            yield from each.mutants()
    for each in mutations:
        if each.way == ANOTHER_NOUN:
            few = chance.sample(each.news, min(MAX_SWAPS, len(each.news)))
            yield from map(each.mutant, few)
