"""The wording of all findings about packs: their folders, files, manifests, and mods together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.source.diagnostics import similar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulesdsl.source.diagnostics import Said

_RENAME = "Rename it: letters, digits, hyphens, dots."
_SPECIAL = "This is a special space, as other programs write it. Type a plain one."


# ---------------------------------------------------------------- folders and files
def no_pack(folder: str, manifest: str) -> Said:
    """Describe a folder without a manifest."""
    return f"`{folder}` is not a pack.", f"A pack is a folder with a file `{manifest}` in it."


def no_folder(folder: str) -> Said:
    """Describe a folder that is not there."""
    return f"There is no folder `{folder}`.", ""


def too_many_files(files: int, folders: int) -> Said:
    """Describe a folder with more in it than a pack may have."""
    return (
        f"This pack has more than {files} files or {folders} folders.",
        "Give the pack a folder of its own, with nothing else in it.",
    )


def too_large_pack(mebibytes: int) -> Said:
    """Describe a pack that is too large as a whole."""
    return f"This pack is larger than {mebibytes} MiB in total.", ""


def unreadable_file(why: str) -> Said:
    """Describe a file that the system refuses."""
    return f"This file cannot be read: {why}.", ""


def unreadable_folder(why: str) -> Said:
    """Describe a folder that the system refuses."""
    return f"This folder cannot be read: {why}.", ""


def linked_folder() -> Said:
    """Describe a folder that is a link."""
    return (
        "This folder is a link to another one, and is not read.",
        "Put the files themselves into the pack.",
    )


def old_line_ends() -> Said:
    """Describe a file whose lines end with a carriage return alone."""
    return (
        "The lines of this file end as they did on old Macs.",
        "Save it with other line ends in your editor: LF, or CRLF.",
    )


def other_encoding() -> Said:
    """Describe a file in another encoding."""
    return "This file is not UTF-8.", "Save it as UTF-8 in your editor."


def unfit_name(why: str) -> Said:
    """Describe a name that a file of a pack cannot have."""
    return f"The name of this file {why}.", _RENAME


def unread_name(meant: str) -> Said:
    """Describe a name that is nearly one of content."""
    return (
        "This file is not read: its name does not end as it should.",
        f"Rename it to `{meant}`.",
    )


def copied_file(original: str, *, altered: bool) -> Said:
    """Describe a copy of rules beside them."""
    return (
        f"This is {'an altered copy' if altered else 'a copy'} of `{original}`.",
        "Remove one of the two: together they declare everything twice.",
    )


def table_outside(path: str) -> Said:
    """Describe a path to a table that leads out of the pack."""
    return (
        f"`{path}` leads out of the pack.",
        "A path is relative to the folder of the pack, with `/` between its parts.",
    )


def no_table(path: str, written: str, existing: Sequence[str]) -> Said:
    """Describe a table that is used and is not there."""
    listed = f"There are {', '.join(f'`{each}`' for each in existing[:8])}." if existing else ""
    return f"There is no table `{path}`.", similar(written, existing) or listed


# ---------------------------------------------------------------- TOML
def not_toml(why: str, advice: str) -> Said:
    """Describe a text that is no TOML."""
    return f"This is not TOML: {why[:1].lower()}{why[1:]}.", advice


def special_space() -> Said:
    """Describe a special space in a table."""
    return "This is not TOML: there is a blank that is none.", _SPECIAL


def table_twice(name: str) -> Said:
    """Describe the second table of a name."""
    return (
        f"This is not TOML: `{name}` is there twice.",
        "Give one of them another name, or put what they say together.",
    )


# ---------------------------------------------------------------- manifests
def other_engine(wanted: object, engine: str) -> Said:
    """Describe a pack for other versions of the engine."""
    return (
        f"This pack is for the engine {wanted}, but this is {engine}.",
        "Take another version of the pack or of the engine.",
    )


def unprintable() -> Said:
    """Describe a text that would disturb a terminal."""
    return "This text has characters in it that cannot be printed.", ""


def too_long(letters: int) -> Said:
    """Describe a text that is too long."""
    return f"This text is longer than {letters} letters.", ""


def several_lines(name: object) -> Said:
    """Describe a text of several lines where one is wanted."""
    return f"`{name}` must be one line of text.", ""


def names_itself(key: object) -> Said:
    """Describe a pack that requires or excludes itself."""
    return f"A pack cannot name itself in `{key}`.", ""


def too_few_players(least: int, most: int) -> Said:
    """Describe a least number of players that cannot be."""
    return f"{least} players cannot play.", f"A game has 1 to {most} players."


def too_many_players(said: int, least: int, most: int) -> Said:
    """Describe a largest number of players that cannot be."""
    return (
        f"The largest number of players cannot be {said}.",
        f"Write a number from {least} to {most}.",
    )


# ---------------------------------------------------------------- mods together
def game_as_mod(pack: str) -> Said:
    """Describe a game in the place of a mod."""
    return (
        f"`{pack}` is a game, not a mod.",
        'Only a pack of `kind = "mod"` can be laid over a game.',
    )


def other_game(meant: str, game: str) -> Said:
    """Describe a mod for another game."""
    return (
        f"This mod is for the game `{meant}`, not for `{game}`.",
        similar(meant, [game]) or f"Lay it over `{meant}`.",
    )


def same_id(pack: str) -> Said:
    """Describe the second pack of an id."""
    return (
        f"There is another pack with the id `{pack}`.",
        "Load only one of them, or give one another id.",
    )


def missing_mod(mod: str, wanted: object, name: str, loaded: Iterable[str]) -> Said:
    """Describe a mod that is required and not loaded."""
    return (
        f"`{mod}` requires `{wanted}`, which is not loaded.",
        similar(name, loaded) or f"Load `{name}` as well.",
    )


def other_version(mod: str, wanted: object, version: object) -> Said:
    """Describe a mod that is required in another version."""
    return (
        f"`{mod}` requires `{wanted}`, but this is {version}.",
        "Take another version of one of the two.",
    )


def excluded(pack: str, other: str) -> Said:
    """Describe packs that do not go together."""
    return f"`{pack}` cannot be played together with `{other}`.", "Load only one of the two."


def circle_of_mods(mods: Iterable[str]) -> Said:
    """Describe mods of which each comes after another."""
    listed = ", ".join(f"`{each}`" for each in mods)
    return (
        f"These mods each want to be loaded after another of them: {listed}.",
        "Remove one of these lines.",
    )


def precedence(mod: str, first: str) -> str:
    """Return how one of two mods that are at odds is heard."""
    return f'To give `{mod}` precedence, add to its pack.toml: after = ["{first}"]'


def players_at_odds(first: str, second: str) -> Said:
    """Describe mods that set different numbers of players."""
    return (
        f"These mods each change how many play: `{first}`, `{second}`.",
        precedence(second, first),
    )


def values_at_odds(name: str, mods: Sequence[str]) -> Said:
    """Describe mods that set one value."""
    listed = ", ".join(f"`{each}`" for each in mods)
    return f"These mods each change `{name}`: {listed}.", precedence(mods[-1], mods[0])


def same_thing(name: str, own: str, mod: str, first: str) -> Said:
    """Describe mods that bring things of one name."""
    return (
        f"`{first}` and `{mod}` each bring `{name}`.",
        (
            f"Put the id of the mod before it: [{own}]. If `{mod}` should change that of "
            f'`{first}`, add to its pack.toml: after = ["{first}"]'
        ),
    )
