"""`coloma new game` and `coloma new mod`: small packs that can be played and pass the lint."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from coloma.output import USAGE, CommandError
from coloma.packs import Selection, bundled_packs, packs_around, select
from coloma.scaffold.drafts import (
    Probe,
    ProbeResult,
    Trial,
    new_folder,
    try_probes,
    write_files,
)
from coloma.scaffold.entry_text import check_name, inline, title_of
from rulesdsl.check.frontend import check_pack
from rulesdsl.check.symbols.vocabulary import Vocabulary, Word, collect_vocabulary
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.packs.manifest import ENGINE_VERSION
from rulesdsl.source.diagnostics import LintError
from rulesdsl.source.language import NEWEST

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from rulesdsl.check.symbols.symbol_table import SymbolTable


def _check_new(name: str) -> None:
    check_name(name)
    if name in {each.id for each in bundled_packs()}:
        raise CommandError(f"there is already a pack {name}: choose another name", USAGE)


_ABOUT_LINE = re.compile(r"^about = .*$", re.MULTILINE)
_BARE = """\
# The course of a game, in order. The language: coloma explain language
step game: nothing
"""


def new_game(target: Path, *, bare: bool = False) -> list[Path]:
    """Write a game into a new folder, and name it after the folder; return its files.

    A bare game has only an empty step.
    """
    name = target.name
    _check_new(name)
    template = files("coloma.scaffold") / "game"
    written = {path: _named(path, text, name) for path, text in _files(template, "")}
    if bare:
        about = 'about = "One line that tells players what this game is."'
        manifest = _ABOUT_LINE.sub(about, written[MANIFEST])
        written = {MANIFEST: manifest, "game.rules": _BARE}
    with new_folder(target) as draft:
        write_files(draft, written)
        Trial(draft, target, Selection(draft), bare=bare).check()
    return [target / each for each in written]


def _files(folder: Traversable, above: str) -> Iterator[tuple[str, str]]:
    for each in sorted(folder.iterdir(), key=lambda one: one.name):
        if each.is_dir():
            yield from _files(each, f"{above}{each.name}/")
        else:
            yield f"{above}{each.name}", each.read_text(encoding="utf-8")


def _named(path: str, text: str, name: str) -> str:
    if path == MANIFEST:
        text = text.replace('id = "template"', f'id = "{name}"')
        text = text.replace('name = "Template"', f'name = "{title_of(name)}"')
    return text.replace("FOLDER", name)


_MOST_PROBES = 12


def new_mod(target: Path, game: str | None, *, bare: bool = False) -> list[Path]:
    """Write a mod for a game into a new folder, and name it after the folder; return its files.

    A bare mod has no rules.
    """
    name = target.name
    _check_new(name)
    selection = select(game, ())
    if selection.mods:
        folder = game or "the pack in this folder"
        raise CommandError(f"a mod needs a game, but {folder} is a mod itself: --pack GAME", USAGE)
    game_folder = selection.game.resolve()
    if game_folder not in {each.folder.resolve() for each in packs_around(target)}:
        raise CommandError(
            f"a mod must be next to its game: change to {game_folder.parent} first", USAGE
        )
    layers, checked, report = check_pack(selection.game)
    if layers is None or checked is None or report.errors:
        raise LintError(report.diagnostics, report.sources)
    world = checked.program.world
    words = collect_vocabulary(layers, world)
    taken = next((each for each in words.words if each.name == name), None)
    if taken is not None:
        said = f"{taken.sort} {name} at {taken.span.file}:{taken.span.line}"
        raise CommandError(f"`{name}` is a word in the game ({said}): choose another name", USAGE)
    with new_folder(target) as draft:
        write_files(draft, {"pack.toml": _manifest(name, world)})
        with_draft = Selection(selection.game, (draft,))
        files = {"pack.toml": _manifest(name, world)}
        if not bare:
            hook, found = _hook(words, draft, with_draft, world)
            files[f"{name}.toml"] = _numbers(name)
            files[f"{name}.rules"] = _rules(name, hook, shown=bool(world.panels))
            files[f"scenarios/{name}.toml"] = _scenarios(name, hook, found)
        write_files(draft, files)
        Trial(draft, target, with_draft, report.diagnostics, bare=bare).check()
    return [target / each for each in files]


def _hook(
    words: Vocabulary, draft: Path, selection: Selection, world: SymbolTable
) -> tuple[Word, ProbeResult | None]:
    """Return a word to hook: the most used verb that is possible at the start of a game.

    Verbs that change something are preferred. If there is no such verb, return the step `game`.
    """
    free = {
        name
        for name, overloads in world.procs.items()
        if any(proc.verb and not proc.params for proc in overloads)
    }
    verbs = [each for each in words.words if each.sort == "verb" and each.name in free]
    verbs.sort(key=lambda word: -sum(1 for _ in words.uses(word)))
    verbs = verbs[:_MOST_PROBES]
    probes = [Probe(f"for p1: {each.name}") for each in verbs]
    first = next(try_probes(draft, selection, probes, world), None)
    if first is not None:
        return verbs[probes.index(first.probe)], first
    return next(each for each in words.words if each.sort == "step" and each.name == "game"), None


# -------------------------------------------------------------------- its files
def _manifest(name: str, world: SymbolTable) -> str:
    game = world.manifest
    return f"""\
# A mod: it changes the game, whose own files stay unchanged.
#   coloma lint {name}          shows errors, and how to fix them
#   coloma test {name}          runs its scenarios
#   coloma play --pack {name}   plays its game with it; more mods: --mod FOLDER
# For more about mods: coloma explain mods. For the words of the game: coloma vocabulary.
id = "{name}"
name = "{title_of(name)}"
version = "0.1.0"
engine = ">={ENGINE_VERSION.rpartition(".")[0]}"
language = "{NEWEST}"
kind = "mod"
for_game = "{game.id}"
about = "One line that tells players what this mod does."
"""


def _numbers(name: str) -> str:
    return f"""\
# The numbers of this mod, each in one place. To change a table of the game, add a file of the same
# name that contains only the changes.
source = "house"

[{name}]
points = 1
"""


def _rules(name: str, hook: Word, *, shown: bool) -> str:
    title = title_of(name)
    counted, acts = f"{name}.count", hook.sort == "verb"
    done = f"raise my {counted} by 1" if acts else f"for each seat: raise my {counted} by 1"
    panel = f'panel "{title}" per seat: {counted}\n' if shown else ""  # a game may have none
    return f"""\
# A small change to begin with: a player who does `{hook.name}` gets points for it.
# To see its rules: coloma vocabulary {hook.name}
# Names in a mod begin with its id and a dot, which avoids name clashes.
source "house"
constants from "{name}.toml"

# Without this option, the game is unchanged. To switch it on: --option {name}.on=on
option {name}.on "{title}": off

# A track for each seat, and the hook that raises it. Other hooks run `before` or `instead of` a
# verb or step.
track {counted} "{title}" per seat
{panel}{"after" if acts else "before"} {hook.name} when {name}.on: {done}

# An extra line of the final scoring.
score {name}.score "{title}": {name}.points * my {counted}
"""


def _scenarios(name: str, hook: Word, found: ProbeResult | None) -> str:
    play = "game" if found is None else found.probe.play
    after = "" if found else "over = false\n"  # the game has only begun
    do = f"do = {inline(list(found.answers))}\n" if found and found.answers else ""
    return f"""\
# Small positions with their outcomes. play: the rule to run; do: the answers, by player and id;
# expect: the conditions that must hold afterwards.
# A question that stays open must be expected: offered, or open = ["p1"].

[[scenario]]
name = {inline(f"With the option, {hook.name} counts")}
options = {{ "{name}.on" = true }}
play = "{play}"
{do}{after}expect = ["{name}.count of p1 = 1", "{name}.score of p1 = {name}.points"]

[[scenario]]
name = {inline(f"Without it, {hook.name} is unchanged")}
play = "{play}"
{do}{after}expect = ["{name}.count of p1 = 0"]
"""
