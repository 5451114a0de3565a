"""Loading of packs with the mods, options and players of a command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

import rulesdsl
from coloma.output import USAGE, CommandError
from coloma.packs import Selection, select
from rulesdsl import OptionValue, Pack
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.source.diagnostics import did_you_mean
from rulesdsl.source.span import SourceFile


@attrs.frozen
class LoadedSelection:
    """Loaded pack with its options, number of players, and compiled setting."""

    selection: Selection
    pack: Pack
    options: dict[str, OptionValue]
    seats: int
    setting: CompiledSetting


def load_pack(path: Path, mods: Sequence[Path] = ()) -> Pack:
    """Load and check a pack for a session; raise `LintError` if it has errors.

    Code that keeps a log is compiled function by function, on the first call: a session starts
    sooner, and its people do not notice that choices take some microseconds more.
    """
    return attrs.evolve(rulesdsl.load(path, mods), on_demand=True)


def load_setting(
    pack: str | None,
    mods: Sequence[str] | None,
    options: Sequence[str] | None,
    players: int | None,
) -> LoadedSelection:
    """Load a pack with mods, options and players; raise `CommandError` if they do not fit."""
    selection = select(pack, mods or ())
    loaded = load_pack(selection.game, selection.mods)
    chosen = parse_options(loaded, options or ())
    seats = usual_players(loaded) if players is None else players
    try:
        setting = loaded.setting(seats, chosen, log=False)
    except ValueError as error:
        raise CommandError(str(error)) from None
    return LoadedSelection(selection, loaded, chosen, seats, setting)


def usual_players(pack: Pack) -> int:
    """Return the default number of players: two, or the nearest number that the pack allows."""
    least, most = pack.players
    return min(max(2, least), most)


def sources_of(path: Path, mods: Sequence[Path] = ()) -> Mapping[str, SourceFile]:
    """Return the source files of a pack, keyed by displayed path."""
    return rulesdsl.lint(path, mods).sources


def parse_options(pack: Pack, texts: Sequence[str]) -> dict[str, OptionValue]:
    """Parse `name=value` strings; raise `CommandError` for an unknown option or value."""
    known = {each.name: each for each in pack.options}
    values: dict[str, OptionValue] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise CommandError(f"--option needs name=value, not {text}", USAGE)
        if name not in known:
            advice = did_you_mean(name, known) or f"options: {', '.join(known) or 'none'}"
            raise CommandError(f"{pack.name} has no option {name} ({advice})")
        if name in values:
            raise CommandError(f"option {name} is given twice", USAGE)
        try:
            values[name] = known[name].parse(value)
        except ValueError as error:
            raise CommandError(str(error)) from None
    return values
