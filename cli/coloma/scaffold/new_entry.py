"""`coloma new KIND NAME --mod PATH`: a table entry and a scenario for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs

from coloma.files import read_text
from coloma.output import USAGE, CommandError
from coloma.packs import Selection, select
from coloma.scaffold.drafts import (
    Probe,
    ProbeResult,
    Trial,
    copy_of,
    home_of,
    try_probes,
    with_gifts,
    write_files,
)
from coloma.scaffold.entry_text import (
    Model,
    check_name,
    check_word,
    choose_model,
    entry_text,
    find_kind,
    inline,
    title_of,
)
from rulesdsl.check import typed as ty
from rulesdsl.check.frontend import check_pack
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.symbols.vocabulary import collect_vocabulary
from rulesdsl.check.typed.program import Checked, Program
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import LintError


def options_for(kind: str, checked: Checked) -> list[str]:
    """Return `NAME=VALUE` for each option that is off by default and enables rules about a kind.

    Rules below an `if` or `when` that tests the option are examined, and the rules they call.
    """
    program = checked.program
    found: dict[str, None] = {}
    for proc in program.procs.values():
        for step in ty.walk(proc.block):
            for condition, block in step.branches if isinstance(step, ty.Branching) else ():
                asked = {
                    each.option for each in ty.walk(condition) if isinstance(each, ty.SettingValue)
                }
                if asked and _speaks_of(kind, block, program):
                    found |= dict.fromkeys(sorted(asked))
    return [
        f"{option.name}={'|'.join(option.names[1:]) or 'on'}"
        for option in map(program.world.options.__getitem__, found)
        if option.default == 0 and (option.switch or option.names[:1] == ("off",))
    ]


def _speaks_of(kind: str, block: ty.Block, program: Program) -> bool:
    called = (each.proc for each in ty.walk(block) if isinstance(each, ty.Run))
    blocks = [block, *(program.procs[key].block for key in called)]
    return any(_is_about(kind, node) for each in blocks for node in ty.walk(each))


def _is_about(kind: str, node: ty.Typed) -> bool:
    types = (getattr(node, "type", None), getattr(node, "element", None))
    return kind in {getattr(each, "of", None) for each in types}


_THIS = "this-one"


@attrs.frozen
class _Place:
    """Pack to extend, with its selection, its checked program, and the check of a draft."""

    folder: Path
    selection: Selection
    layers: Layered
    checked: Checked
    trial: Trial

    def named(self, name: str) -> str:
        """Return the full name of a new entry: in a mod, it begins with the mod's id."""
        mods = {each.folder.resolve(): each.id for each in self.layers.mods}
        mod = mods.get(self.folder.resolve())
        return f"{mod}.{name}" if mod else name


def new_entry(
    word: str, name: str, folder: Path, *, bare: bool = False
) -> tuple[list[Path], list[str]]:
    """Add an entry to a table of a mod or game, and a scenario for it.

    Return the files, and the options that enable rules about the entry. A bare entry has no
    effects; where every entry has an effect, that of a bare entry is `nothing`. On an error,
    nothing is changed.
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
    if (folder / scenarios).exists():  # for the mod itself, or for an entry of another kind
        scenarios = f"scenarios/{kind.name}-{plain}.toml"
    if (folder / scenarios).exists():
        raise CommandError(f"{folder / scenarios} already exists: nothing was written")
    entry = entry_text(name, model, world, declared, bare=bare)
    before = read_text(folder / table, folder).rstrip() if (folder / table).exists() else ""
    files = {table: f"{before}\n\n{entry}" if before else entry}
    with copy_of(folder) as draft:
        write_files(draft, files)
        aside = _moved(place.selection, folder, draft)
        probes = [] if bare else list(_probes(name, model, world))
        best = _best(try_probes(draft, aside, probes, world)) or _best(
            try_probes(draft, aside, with_gifts(probes, world), world)
        )
        files[scenarios] = _scenarios(name, model, best, _presence(name, model, world))
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
    if selection.game.resolve() == folder.resolve():
        return Selection(draft, selection.mods)
    mods = tuple(draft if each.resolve() == folder.resolve() else each for each in selection.mods)
    return Selection(selection.game, mods)


# -------------------------------------------------------------------- scenarios
def _probes(name: str, model: Model, world: SymbolTable) -> Iterator[Probe]:
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


def _best(found: Iterable[ProbeResult]) -> ProbeResult | None:
    return next((each for each in found if each.changes), None)


def _presence(name: str, model: Model, world: SymbolTable) -> list[str]:
    kind = model.kind
    if kind.role == "piece":
        return [f"{name} in {home_of(kind.name, world, '{} of p1')} = 1"]
    numbers = [
        f"{field.name} of {name} = {value}"
        for field in kind.fields.values()
        if type(value := model.fields.get(field.name)) is int
    ]
    return numbers or [f"position of {name} >= 1"]


def _scenarios(name: str, model: Model, best: ProbeResult | None, presence: list[str]) -> str:
    title = title_of(name)
    lines = [
        f"# Requirements for {title}. Change them together with {model.file}.",
        "# given: the preparation; play: the rule to run; do: the answers, by player and id;",
        "# expect: the conditions that must hold afterwards.",
        "",
        "[[scenario]]",
        f"name = {inline(f'{title} exists')}",
        'given = ["nothing"]',
        f"expect = {inline(presence)}",
    ]
    if best is not None:
        lines += ["", "[[scenario]]", f"name = {inline(f'{title} has its effect')}"]
        lines.append(f"given = {inline([best.probe.given])}")
        lines.append(f"play = {inline(best.probe.play)}")
        if best.answers:
            lines.append(f"do = {inline(list(best.answers))}")
        holds = [f"{words} = {number}" for words, number in best.changes.items()]
        lines.append(f"expect = {inline(holds)}")
    return "\n".join(lines) + "\n"
