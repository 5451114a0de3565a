"""`coloma new mod NAME`: a mod with an option, a hook, a number and a score of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from coloma.catalogue import bundled_packs
from coloma.errors import USAGE, CommandError
from coloma.scaffold.drafts import new_folder, write_files
from coloma.scaffold.entry_text import inline
from coloma.scaffold.names import check_name, title_of
from coloma.scaffold.probing import Found, Probe, try_probes
from coloma.scaffold.schemas import with_schemas
from coloma.scaffold.trials import Trial
from coloma.selection import Selection, packs_around, select
from rulesdsl.check.read import check_pack
from rulesdsl.check.vocabulary import Vocabulary, collect_vocabulary
from rulesdsl.check.words import Word
from rulesdsl.packs.versions import ENGINE_VERSION
from rulesdsl.source.diagnostic import LintError

if TYPE_CHECKING:
    from rulesdsl.check.world import World

_MOST_PROBES = 12


def new_mod(target: Path, game: str | None, *, bare: bool = False) -> list[Path]:
    """Write a mod for a game into a new folder, which names it; return its files.

    A bare mod says nothing yet.
    """
    name = target.name
    check_name(name)
    for each in bundled_packs():
        if each.id == name:
            raise CommandError(f"there is already a pack {name}: choose another name", USAGE)
    selection = select(game, ())
    if selection.mods:
        folder = game or "the pack in this folder"
        raise CommandError(
            f"a mod is for a game, and {folder} is a mod itself: --pack GAME", USAGE
        )
    _check_found(target, selection.game)
    layers, checked, report = check_pack(selection.game)
    if layers is None or checked is None or report.errors:
        raise LintError(report.diagnostics, report.sources)
    world = checked.program.world
    words = collect_vocabulary(layers, world)
    taken = next((each for each in words.words if each.name == name), None)
    if taken is not None:
        said = f"{taken.sort} {name} at {taken.span.file}:{taken.span.line}"
        raise CommandError(f"`{name}` is a word of the game ({said}): choose another name", USAGE)
    with new_folder(target) as draft:
        write_files(draft, {"pack.toml": _manifest(name, world)})
        with_draft = Selection(selection.game, (draft,))
        files = {"pack.toml": _manifest(name, world)}
        if not bare:
            hook, found = _hook(words, draft, with_draft, world)
            files[f"{name}.toml"] = _numbers(name)
            files[f"{name}.rules"] = _rules(name, hook)
            files[f"scenarios/{name}.toml"] = _scenarios(name, hook, found)
        write_files(draft, files)
        files = with_schemas(draft, with_draft, files)
        write_files(draft, files)
        Trial(draft, target, with_draft, report.diagnostics, bare=bare).check()
    return [target / each for each in files]


def _check_found(target: Path, game: Path) -> None:
    """Refuse a place from which the mod would not find its game."""
    known = {each.folder.resolve() for each in packs_around(target)}
    if game.resolve() not in known:
        home = game.resolve().parent
        raise CommandError(f"a mod must be beside its game to find it: go to {home} first", USAGE)


def _hook(
    words: Vocabulary, draft: Path, selection: Selection, world: World
) -> tuple[Word, Found | None]:
    """Return what the mod hooks on: the verb most in use that can be done at the beginning.

    One with an outcome comes first. Where there is none at all, it is the game itself.
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
def _manifest(name: str, world: World) -> str:
    game = world.manifest
    return f"""\
# A mod: this folder is laid over the game, whose own files stay as they are.
#   coloma lint {name}          says what is wrong, and how to fix it
#   coloma test {name}          runs its scenarios
#   coloma play --pack {name}   plays its game with it; more mods: --mod FOLDER
# How to write mods: coloma explain mods. What the game knows: coloma vocabulary.
id = "{name}"
name = "{title_of(name)}"
version = "0.1.0"
engine = ">={ENGINE_VERSION.rpartition(".")[0]}"
kind = "mod"
for_game = "{game.id}"
about = "One line for those who choose their mods."
"""


def _numbers(name: str) -> str:
    return f"""\
# The numbers of this mod, each once. A table of the game is changed by a file of the same name:
# there, say only what changes.
source = "house"

[{name}]
points = 1
"""


def _rules(name: str, hook: Word) -> str:
    title = title_of(name)
    counted, acts = f"{name}.count", hook.sort == "verb"
    done = f"raise my {counted} by 1" if acts else f"for each seat: raise my {counted} by 1"
    return f"""\
# A small change to begin with: whoever does `{hook.name}` gets points for it.
# Its rules: coloma vocabulary {hook.name}
# What a mod brings begins with the id of the mod and a dot: this avoids name clashes.
source "house"
constants from "{name}.toml"

# Without this option the game is as it was. To switch it on: --option {name}.on=on
option {name}.on "{title}": off

# A number of our own for each seat, and what counts it up. `before` and `instead of` are the
# other ways to hook on a verb, step or value.
track {counted} "{title}" per seat
{"after" if acts else "before"} {hook.name} when {name}.on: {done}

# One more line of the final scoring.
score {name}.score "{title}": {name}.points * my {counted}
"""


def _scenarios(name: str, hook: Word, found: Found | None) -> str:
    play = "game" if found is None else found.probe.play
    after = "" if found else "over = false\n"  # the game has only begun
    do = f"do = {inline(list(found.answers))}\n" if found and found.answers else ""
    return f"""\
# Small positions, and what must follow. play: what is tried; do: the answers, by player and id;
# expect: what holds then.
# A question that stays open needs a word: offered, or open = ["p1"].

[[scenario]]
name = {inline(f"With the option, {hook.name} counts")}
options = {{ "{name}.on" = true }}
play = "{play}"
{do}{after}expect = ["{name}.count of p1 = 1", "{name}.score of p1 = {name}.points"]

[[scenario]]
name = {inline(f"Without it, {hook.name} is what it was")}
play = "{play}"
{do}{after}expect = ["{name}.count of p1 = 0"]
"""
