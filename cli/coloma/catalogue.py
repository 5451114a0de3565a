"""Which packs there are: those that we ship by their names, any other by its path."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import attrs

from coloma.bundled import bundled_content
from coloma.errors import CommandError
from coloma.files import read_text
from rulesdsl.packs import find
from rulesdsl.packs.folder import MANIFEST, is_nearly
from rulesdsl.packs.toml_file import read_toml
from rulesdsl.source.files import reason
from rulesdsl.source.suggest import did_you_mean


@attrs.frozen
class Listed:
    """A pack as its manifest introduces it, without judging whether it is sound."""

    folder: Path
    id: str
    name: str = ""
    version: str = ""
    about: str = ""
    kind: str = ""
    for_game: str = ""
    requires: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    players: tuple[int, int] | None = None

    @property
    def is_mod(self) -> bool:
        """Whether it changes a game instead of being one."""
        return self.kind == "mod"


def packs_below(folder: Path) -> list[Listed]:
    """Return the packs in a folder and below it; those in hidden folders are left out."""
    return [introduce(each) for each in find.packs_below(folder) if (each / MANIFEST).is_file()]


def packs_at(folder: Path) -> list[Listed]:
    """Return the packs that a folder stands for where it is checked, tested or formatted.

    A pack is meant with the mods for it that are below, but without other games and what belongs
    to those. A folder that is no pack stands for every pack below it.
    """
    found = packs_below(folder)
    if not (folder / MANIFEST).is_file():
        return found
    own, *below = found
    games = [each for each in below if each.kind == "game"]
    others = {each.id for each in games} - {own.for_game if own.is_mod else own.id}
    return [own] + [
        each
        for each in below
        if each.for_game not in others
        and not any(each.folder.is_relative_to(game.folder) for game in games)
    ]


def packs_meant(wanted: str | None) -> list[Listed]:
    """Return the packs that a path, or the name of a pack that we ship, stands for."""
    path = None if wanted is None else Path(wanted)
    try:
        return packs_at(pack_folder(wanted))
    except CommandError:
        found = packs_at(path) if path is not None and path.is_dir() else []
        if not found:
            raise
        return found


def bundled_packs() -> list[Listed]:
    """Return the packs that we ship."""
    return packs_below(bundled_folder())


def groups(packs: Iterable[Listed]) -> dict[str, list[Listed]]:
    """Return the games among some packs by the group that they are shipped in.

    A group is a folder of the bundled content that is no pack itself. Games that are in none, or
    not ours, come first, under no title.
    """
    home = bundled_folder().resolve()
    found: dict[str, list[Listed]] = {"": []}
    for each in packs:
        if not each.is_mod:
            around = each.folder.resolve().parent
            ours = around.is_relative_to(home) and not (around / MANIFEST).is_file()
            title = around.name.replace("_", " ").capitalize() if ours else ""
            found.setdefault(title, []).append(each)
    return found


def bundled_folder() -> Path:
    """Return where they are, by the path that is shown with everything said about them.

    In a checkout they are its own, also for a command that was installed from it: what is edited
    is what is played.
    """
    whole, here = bundled_content(), Path.cwd()
    for checkout in (here, here / whole.name):
        if (checkout / MANIFEST).is_file() and introduce(checkout).id == introduce(whole).id:
            whole = checkout
    return whole.relative_to(here) if whole.is_relative_to(here) else whole


def usual_folder() -> Path:
    """Return the pack that is meant where none is named: that of the working folder, else ours."""
    return Path() if Path(MANIFEST).is_file() else bundled_folder()


def note_of(folder: Path) -> str | None:
    """Return what to say of a pack that was not named; None for an installed one."""
    whole = folder.resolve()
    if whole.is_relative_to(bundled_content().resolve()):
        return None
    place = "this folder" if whole == Path.cwd() else str(folder)
    return f"coloma: using the pack in {place}"


def pack_folder(wanted: str | None) -> Path:
    """Return the folder for `--pack` or `--mod`: a path, or the name of a pack that we ship."""
    if wanted is None:
        return usual_folder()
    path = Path(wanted)
    try:
        if path.name == MANIFEST and path.is_file():
            return path.parent
        if (path / MANIFEST).is_file():
            return path
    except OSError as error:  # such as a name that is too long: no file can be called so
        raise CommandError(f"cannot look for the pack {wanted}: {reason(error)}") from None
    known = {each.id: each.folder for each in bundled_packs()}
    if wanted in known:
        return known[wanted]
    if path.exists():
        raise CommandError(f"{wanted} is not a pack: it has no file {MANIFEST}{nearly(path)}")
    help_text = did_you_mean(wanted, known) or f"bundled packs: {', '.join(sorted(known))}"
    raise CommandError(f"there is no pack {wanted} ({help_text})")


def nearly(folder: Path) -> str:
    """Return what to say of a file in a folder that is a manifest but for its name, if any."""
    names = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
    found = next((each for each in names if is_nearly(each, MANIFEST)), None)
    return f" ({found} is none: rename it to {MANIFEST})" if found else ""


def name_for_later(folder: Path) -> str:
    """Return what `pack_folder` finds the pack by from any working folder."""
    home = bundled_content().resolve()
    whole = folder.resolve()
    return introduce(whole).id if whole.is_relative_to(home) else str(whole)


def introduce(folder: Path) -> Listed:
    """Read what a manifest says; anything that is missing or wrong is left empty."""
    try:
        data = read_toml(read_text(folder / MANIFEST, folder))
    except (CommandError, ValueError):
        return Listed(folder, folder.name)
    texts = {key: value for key, value in data.items() if isinstance(value, str)}
    return Listed(
        folder,
        texts.get("id", folder.name),
        name=texts.get("name", ""),
        version=texts.get("version", ""),
        about=" ".join(texts.get("about", "").split()),
        kind=texts.get("kind", ""),
        for_game=texts.get("for_game", ""),
        requires=tuple(_ids(data.get("requires"))),
        excludes=tuple(_ids(data.get("excludes"))),
        players=_players(data.get("players")),
    )


def _ids(value: object) -> Iterable[str]:
    """Return the ids of a list of requirements such as `red-deck >=1.2`."""
    texts = value if isinstance(value, list) else []
    return (each.split()[0] for each in texts if isinstance(each, str) and each.strip())


def _players(value: object) -> tuple[int, int] | None:
    table = value if isinstance(value, dict) else {}
    least, most = table.get("least"), table.get("most")
    return (least, most) if isinstance(least, int) and isinstance(most, int) else None
