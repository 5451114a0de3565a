"""The way from what a command was given to a pack, and to a game or a setting of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

import rulesdsl
from coloma.errors import USAGE, CommandError
from coloma.selection import Selection, select
from rulesdsl import OptionValue, Pack
from rulesdsl.interpreter.setting import Setting
from rulesdsl.source.span import SourceFile
from rulesdsl.source.suggest import did_you_mean


@attrs.frozen
class Chosen:
    """A pack with options and seats, as a command was asked for them, and the setting of these."""

    selection: Selection
    pack: Pack
    options: dict[str, OptionValue]
    seats: int
    setting: Setting


def load_pack(path: Path, mods: Sequence[Path] = ()) -> Pack:
    """Read and check a pack; `LintError` if it cannot be played."""
    return rulesdsl.load(path, mods)


def load_setting(
    pack: str | None,
    mods: Sequence[str] | None,
    options: Sequence[str] | None,
    players: int | None,
) -> Chosen:
    """Load what the words of a command line name; `CommandError` for what cannot be played."""
    selection = select(pack, mods or ())
    loaded = load_pack(selection.game, selection.mods)
    chosen = parse_options(loaded, options or ())
    seats = usual_players(loaded) if players is None else players
    try:
        setting = loaded.setting(seats, chosen, log=False)
    except ValueError as error:
        raise CommandError(str(error)) from None
    return Chosen(selection, loaded, chosen, seats, setting)


def usual_players(pack: Pack) -> int:
    """Return how many play where nobody says: two, or as near to it as the game goes."""
    least, most = pack.players
    return min(max(2, least), most)


def sources_of(path: Path, mods: Sequence[Path] = ()) -> Mapping[str, SourceFile]:
    """Return the texts of a pack by the paths under which they are shown."""
    return rulesdsl.lint(path, mods).sources


def parse_options(pack: Pack, texts: Sequence[str]) -> dict[str, OptionValue]:
    """Read `name=value` texts; `CommandError` for what the pack does not have."""
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
