"""`coloma new KIND NAME --mod PATH`: one more entry of a table, and a scenario about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from coloma.errors import USAGE, CommandError
from coloma.files import read_text
from coloma.scaffold.drafts import copy_of, write_files
from coloma.scaffold.entry_text import entry_text, inline
from coloma.scaffold.kinds import find_kind
from coloma.scaffold.model import Model, choose_model
from coloma.scaffold.names import check_name, check_word, title_of
from coloma.scaffold.options import options_for
from coloma.scaffold.probing import Found, Probe, home_of, try_probes, with_gifts
from coloma.scaffold.schemas import has_schemas, with_schemas
from coloma.scaffold.trials import Trial
from coloma.selection import Selection, select
from rulesdsl.check.read import check_pack
from rulesdsl.check.vocabulary import collect_vocabulary
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source.diagnostic import LintError

if TYPE_CHECKING:
    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.world import World
    from rulesdsl.packs.layers import Layered

_THIS = "this-one"


@attrs.frozen
class _Place:
    """A pack that is added to, the packs that it is loaded with, and what they declare."""

    folder: Path
    selection: Selection
    layers: Layered
    checked: Checked
    trial: Trial

    def named(self, name: str) -> str:
        """Return a name as the pack declares it: in a mod, with the mod's id before it."""
        mods = {each.folder.resolve(): each.id for each in self.layers.mods}
        mod = mods.get(self.folder.resolve())
        return f"{mod}.{name}" if mod else name


def new_entry(
    word: str, name: str, folder: Path, *, bare: bool = False
) -> tuple[list[Path], list[str]]:
    """Add an entry to a table of a mod or game, and a scenario; return the files.

    Returned too are the options under which the game turns to such things.
    A bare entry has no effects; those that every entry has are `nothing`.
    Nothing is changed where anything is wrong.
    """
    if not (folder / MANIFEST).is_file():
        raise CommandError(f"{folder} is not a pack: it has no file {MANIFEST}", USAGE)
    place = _read(folder, select(str(folder), ()))
    world = place.checked.program.world
    kind = find_kind(world, word)
    words = collect_vocabulary(place.layers, world)
    check_name(name)
    plain, name = name, place.named(name)
    check_word(name, words, world)
    model = choose_model(kind, place.layers, place.checked)
    declared = next((each for each in words.words if each.name == kind.name and each.fields), None)
    table, scenarios = model.file, f"scenarios/{plain}.toml"
    if (folder / scenarios).exists():  # of the mod itself, or of another kind
        scenarios = f"scenarios/{kind.name}-{plain}.toml"
    if (folder / scenarios).exists():
        raise CommandError(f"{folder / scenarios} already exists: nothing was written")
    entry = entry_text(name, model, world, declared, bare=bare)
    files = {table: _appended(folder, table, entry)}
    with copy_of(folder) as draft:
        write_files(draft, files)
        aside = _moved(place.selection, folder, draft)
        probes = [] if bare else list(_probes(name, model, world))
        best = _best(try_probes(draft, aside, probes, world)) or _best(
            try_probes(draft, aside, with_gifts(probes, world), world)
        )
        files[scenarios] = _scenarios(name, model, best, _presence(name, model, world))
        write_files(draft, files)
        if has_schemas(folder):
            files = with_schemas(draft, aside, files)
            write_files(draft, files)
        attrs.evolve(place.trial, draft=draft, selection=aside, only=scenarios).check()
        write_files(folder, files)
    return [folder / each for each in files], options_for(kind.name, place.checked)


def _read(folder: Path, selection: Selection) -> _Place:
    layers, checked, report = check_pack(selection.game, selection.mods)
    if layers is None or checked is None or report.errors:
        raise LintError(report.diagnostics, report.sources)
    trial = Trial(folder, folder, selection, report.diagnostics)
    return _Place(folder, selection, layers, checked, trial)


def _moved(selection: Selection, folder: Path, draft: Path) -> Selection:
    """Return the packs with the draft in the place of the folder."""
    if selection.game.resolve() == folder.resolve():
        return Selection(draft, selection.mods)
    mods = tuple(draft if each.resolve() == folder.resolve() else each for each in selection.mods)
    return Selection(selection.game, mods)


def _appended(folder: Path, path: str, entry: str) -> str:
    before = read_text(folder / path, folder) if (folder / path).exists() else ""
    return f"{before.rstrip()}\n\n{entry}" if before.strip() else entry


# -------------------------------------------------------------------- scenarios
def _probes(name: str, model: Model, world: World) -> Iterator[Probe]:
    """Yield what a new entry can do, each of its effects by itself."""
    of = name
    around = ""
    kind = model.kind
    if kind.role == "piece":
        home = home_of(kind.name, world, "my {}")
        around = f"for each {kind.name} {_THIS} in {home} where {_THIS} = {name}: "
        of = _THIS
    for field, key in model.entry.effects:
        at = f" at {key}" if key else ""
        yield Probe(f"for p1: {around}do {field} of {of}{at}")


def _best(found: Iterable[Found]) -> Found | None:
    return next((each for each in found if each.changes), None)


def _presence(name: str, model: Model, world: World) -> list[str]:
    """Return conditions that say that a new entry is there, and what it is like."""
    kind = model.kind
    if kind.role == "piece":
        return [f"{name} in {home_of(kind.name, world, '{} of p1')} = 1"]
    numbers = [
        f"{field.name} of {name} = {value}"
        for field in kind.fields.values()
        if type(value := model.fields.get(field.name)) is int
    ]
    return numbers or [f"position of {name} >= 1"]


def _scenarios(name: str, model: Model, best: Found | None, presence: list[str]) -> str:
    title = title_of(name)
    lines = [
        f"# What must hold for {title}. Change it together with {model.file}.",
        "# given: what is done before; play: what is tried; do: the answers, by player and id;",
        "# expect: what holds then.",
        "",
        "[[scenario]]",
        f"name = {inline(f'{title} is there')}",
        'given = ["nothing"]',
        f"expect = {inline(presence)}",
    ]
    if best is not None:
        lines += ["", "[[scenario]]", f"name = {inline(f'What {title} does')}"]
        lines.append(f"given = {inline([best.probe.given])}")
        lines.append(f"play = {inline(best.probe.play)}")
        if best.answers:
            lines.append(f"do = {inline(list(best.answers))}")
        holds = [f"{words} = {number}" for words, number in best.changes.items()]
        lines.append(f"expect = {inline(holds)}")
    return "\n".join(lines) + "\n"
