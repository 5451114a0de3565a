"""Catalogue of packs, found by name or path, and selections of a game with mods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from coloma.files import read_text
from coloma.output import CommandError, say
from rulesdsl.packs import find
from rulesdsl.packs.folder import MANIFEST, is_nearly
from rulesdsl.packs.toml_document import read_toml
from rulesdsl.source.diagnostics import did_you_mean
from rulesdsl.source.files import reason

_PACKAGE = Path(__file__).parent


def bundled_content() -> Path:
    """Return the content folder: inside the wheel, or at the root of a checkout."""
    installed = _PACKAGE / "content"
    return installed if installed.is_dir() else _PACKAGE.parents[1] / "content"


@attrs.frozen
class PackSummary:
    """Summary of a pack from its manifest, which may be invalid."""

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
        """True for a mod, False for a game."""
        return self.kind == "mod"


def pack_of(file: Path) -> Path | None:
    """Return the folder of the pack that contains a file, or None."""
    return next((each for each in file.absolute().parents if (each / MANIFEST).is_file()), None)


def compatible(mods: Iterable[PackSummary]) -> list[PackSummary]:
    """Return mods that can be loaded together: a mod is left out if an earlier one excludes it."""
    chosen: list[PackSummary] = []
    for each in mods:
        if not any(each.id in other.excludes or other.id in each.excludes for other in chosen):
            chosen.append(each)
    return chosen


def packs_below(folder: Path) -> list[PackSummary]:
    """Return the packs in and below a folder, except in hidden folders."""
    return [introduce(each) for each in find.packs_below(folder) if (each / MANIFEST).is_file()]


def packs_at(folder: Path) -> list[PackSummary]:
    """Return the packs to check, test or format for a folder.

    For a pack, these are the pack itself and the mods for it in its subfolders, without other
    games and their mods; for any other folder, all packs in it.
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


def packs_meant(wanted: str | None) -> list[PackSummary]:
    """Return the packs at a path, or those of the bundled pack with this name."""
    path = None if wanted is None else Path(wanted)
    try:
        return packs_at(pack_folder(wanted))
    except CommandError:
        found = packs_at(path) if path is not None and path.is_dir() else []
        if not found:
            raise
        return found


def bundled_packs() -> list[PackSummary]:
    """Return the bundled packs."""
    return packs_below(bundled_folder())


def groups(packs: Iterable[PackSummary]) -> dict[str, list[PackSummary]]:
    """Return the games among packs, keyed by the title of their group.

    A group is a folder of the bundled content that is not itself a pack. Games without a group
    come first, under an empty title.
    """
    home = bundled_folder().resolve()
    found: dict[str, list[PackSummary]] = {"": []}
    for each in packs:
        if not each.is_mod:
            around = each.folder.resolve().parent
            ours = around.is_relative_to(home) and not (around / MANIFEST).is_file()
            title = around.name.replace("_", " ").capitalize() if ours else ""
            found.setdefault(title, []).append(each)
    return found


def bundled_folder() -> Path:
    """Return the folder of the bundled packs, as shown in messages.

    Inside a checkout, even an installed command uses the checkout's folder, so that edits take
    effect.
    """
    whole, here = bundled_content(), Path.cwd()
    for checkout in (here, here / whole.name):
        if (checkout / MANIFEST).is_file() and introduce(checkout).id == introduce(whole).id:
            whole = checkout
    return whole.relative_to(here) if whole.is_relative_to(here) else whole


def usual_folder() -> Path:
    """Return the default: the working folder if it is a pack, else the bundled pack's folder.

    Raises CommandError if the games were left out of this installation.
    """
    if Path(MANIFEST).is_file():
        return Path()
    if not (bundled_content() / MANIFEST).is_file():
        raise CommandError("this installation has no games: name the folder of a pack (--pack)")
    return bundled_folder()


def games_at_hand() -> list[PackSummary]:
    """Return the games to offer: the default one, those in this folder, and the bundled ones.

    The default may be a mod, which stands for its game with the mod.
    """
    around = [Path(), *sorted(each.parent for each in Path().glob(f"*/{MANIFEST}"))]
    own = [introduce(each) for each in around if (each / MANIFEST).is_file()]
    others = [each for each in (*own, *bundled_packs()) if not each.is_mod]
    found = {each.folder.resolve(): each for each in (introduce(usual_folder()), *others)}
    return list(found.values())


def note_of(folder: Path) -> str | None:
    """Return a note on the use of a default pack; None if it is the installed one."""
    whole = folder.resolve()
    if whole.is_relative_to(bundled_content().resolve()):
        return None
    place = "this folder" if whole == Path.cwd() else str(folder)
    return f"coloma: using the pack in {place}"


def pack_folder(wanted: str | None) -> Path:
    """Return the folder for `--pack` or `--mod`: a path, or the name of a bundled pack."""
    if wanted is None:
        return usual_folder()
    path = Path(wanted)
    try:
        if path.name == MANIFEST and path.is_file():
            return path.parent
        if (path / MANIFEST).is_file():
            return path
    except OSError as error:  # for example a name that is too long for a file
        raise CommandError(f"cannot look for the pack {wanted}: {reason(error)}") from None
    known = {each.id: each.folder for each in bundled_packs()}
    if wanted in known:
        return known[wanted]
    if path.exists():
        raise CommandError(f"{wanted} is not a pack: it has no file {MANIFEST}{nearly(path)}")
    help_text = did_you_mean(wanted, known) or f"bundled packs: {', '.join(sorted(known))}"
    raise CommandError(f"there is no pack {wanted} ({help_text})")


def nearly(folder: Path) -> str:
    """Return a hint if a file in a folder is named almost like a manifest, otherwise ""."""
    names = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
    found = next((each for each in names if is_nearly(each, MANIFEST)), None)
    return f" (rename {found} to {MANIFEST})" if found else ""


def name_for_later(folder: Path) -> str:
    """Return a name for a pack that `pack_folder` accepts in any working folder."""
    home = bundled_content().resolve()
    whole = folder.resolve()
    return introduce(whole).id if whole.is_relative_to(home) else str(whole)


def introduce(folder: Path) -> PackSummary:
    """Summarize a manifest; missing or invalid fields are left empty."""
    try:
        data = read_toml(read_text(folder / MANIFEST, folder))
    except (CommandError, ValueError):
        return PackSummary(folder, folder.name)
    texts = {key: value for key, value in data.items() if isinstance(value, str)}
    return PackSummary(
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
    texts = value if isinstance(value, list) else []
    return (each.split()[0] for each in texts if isinstance(each, str) and each.strip())


def _players(value: object) -> tuple[int, int] | None:
    table = value if isinstance(value, dict) else {}
    least, most = table.get("least"), table.get("most")
    return (least, most) if isinstance(least, int) and isinstance(most, int) else None


@attrs.frozen
class Selection:
    """Game and the mods applied to it; the engine determines their order."""

    game: Path
    mods: tuple[Path, ...] = ()

    def with_mods(self, more: Iterable[Path]) -> Selection:
        """Return the same game with further mods, each folder once."""
        folders = {each.resolve(): each for each in (*self.mods, *more)}
        return Selection(self.game, tuple(folders.values()))


def select(pack: str | None, mods: Sequence[str]) -> Selection:
    """Return the game and mods denoted by paths or by names of bundled packs.

    If `pack` is a mod, its game is loaded with the mod and the mods it requires. The use of a
    default pack that is not installed is noted on stderr.
    """
    chosen = introduce(pack_folder(pack))
    by_path = pack is not None and (Path(pack) / MANIFEST).is_file()
    if not by_path and (note := note_of(chosen.folder)):
        say(note, err=True)
    return _loaded_for(chosen).with_mods(map(pack_folder, mods))


def select_each(wanted: str | None, mods: Sequence[str]) -> dict[Path, Selection]:
    """Return the packs denoted by a path or a name, each with the selection to load for it.

    If mods are named, there is only one pack, with these mods applied.
    """
    if mods:
        return {pack_folder(wanted): select(wanted, mods)}
    if wanted is None and (note := note_of(usual_folder())):
        say(note, err=True)
    first, *below = packs_meant(wanted)
    packs = [first, *(each for each in below if each.kind)]  # invalid ones are left to lint
    return {each.folder: _loaded_for(each, packs) for each in packs}


def _loaded_for(pack: PackSummary, beside: Sequence[PackSummary] = ()) -> Selection:
    """Return the selection for a game, or for a mod with its game and the mods it requires."""
    if not pack.is_mod:
        return Selection(pack.folder)
    known = [*packs_around(pack.folder), *beside]
    home = home_of(pack, known)
    if home is None:
        raise CommandError(homeless(pack, known))
    return home.with_mods([pack.folder])


def home_of(mod: PackSummary, packs: Iterable[PackSummary]) -> Selection | None:
    """Return the game of a mod, with the mods that it requires; None if the game is unknown.

    If two packs have the same id, the last one counts. Raises CommandError if two neighbours have
    the id of a required mod.
    """
    packs = [*packs]
    by_id = {pack.id: pack for pack in packs}
    game = by_id.get(mod.for_game)
    if game is None or game.is_mod:
        return None
    required = [by_id[name] for name in _required(mod, by_id)]
    for needed in required:
        beside = {pack.folder for pack in packs if pack.id == needed.id} - {needed.folder}
        for twin in sorted(path for path in beside if path.parent == needed.folder.parent):
            raise CommandError(
                f"{mod.folder} requires {needed.id}, and both {twin} and {needed.folder} have that"
                f" id: change the id in the {MANIFEST} of one of them, or move it elsewhere"
            )
    return Selection(game.folder, tuple(needed.folder for needed in required))


def homeless(mod: PackSummary, known: Iterable[PackSummary]) -> str:
    """Return the error message for a mod whose game is not found."""
    if not mod.for_game:
        return f"{mod.folder} is a mod, but its {MANIFEST} does not name its game (for_game)"
    games = {each.id for each in known if not each.is_mod}
    near = did_you_mean(mod.for_game, games)
    return (
        f"{mod.folder} is a mod for {mod.for_game}: there is no such game among the"
        f" bundled packs, next to the mod or in a folder above it{f' ({near})' if near else ''}"
    )


def packs_around(path: Path, named: Iterable[PackSummary] = ()) -> list[PackSummary]:
    """Return the packs that a mod at a path can refer to, the nearest last.

    They are the bundled packs, those `named` together with it, those in enclosing packs, and those
    in sibling folders.
    """
    above = path.absolute().parents
    around = [each for each in reversed(above) if (each / MANIFEST).is_file()]
    beside = [each.parent for each in above[0].glob(f"*/{MANIFEST}")] if above else []
    return [
        *bundled_packs(),
        *named,
        *(pack for each in around for pack in packs_below(each)),
        *map(introduce, sorted(beside)),
    ]


def _required(mod: PackSummary, known: Mapping[str, PackSummary]) -> list[str]:
    needed: list[str] = []
    left = list(mod.requires)
    while left:
        each = left.pop()
        if each in known and known[each].is_mod and each not in needed and each != mod.id:
            needed.append(each)
            left += known[each].requires
    return sorted(needed)
