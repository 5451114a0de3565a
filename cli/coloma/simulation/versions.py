"""The two contents of a comparison: folders, commits, or one with and without something."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from coloma.errors import USAGE, CommandError
from coloma.loading import Chosen, load_setting, usual_players

if TYPE_CHECKING:
    from rulesdsl.figures.uses import Item
    from rulesdsl.interpreter.printed import Printed


@attrs.frozen
class Wanted:
    """What was asked for: one content or two, and what the second one has besides."""

    packs: tuple[str, ...]
    mods: tuple[str, ...]
    options: tuple[str, ...]
    more_mods: tuple[str, ...]
    more_options: tuple[str, ...]
    players: int | None


@attrs.frozen
class Version:
    """One of the two contents, and what it is called."""

    name: str
    chosen: Chosen


def two_versions(wanted: Wanted, stack: ExitStack) -> tuple[Version, Version]:
    """Load both; what comes from a commit is there until the stack is closed.

    CommandError where there is nothing to compare, or what there is cannot be compared.
    """
    more = bool(wanted.more_mods or wanted.more_options)
    if len(wanted.packs) < 2 and not more:  # noqa: PLR2004 - A and B
        raise CommandError(
            "two contents are compared: name both, or say what the second one has besides"
            " (--with-mod, --with-option)",
            USAGE,
        )
    one = wanted.packs[0] if wanted.packs else None
    two = wanted.packs[1] if len(wanted.packs) > 1 else one
    before = _version(one, wanted.mods, wanted.options, wanted.players, stack)
    players = before.chosen.seats
    mods = (*wanted.mods, *wanted.more_mods)
    replaced = {each.partition("=")[0] for each in wanted.more_options}
    kept = [each for each in wanted.options if each.partition("=")[0] not in replaced]
    after = _version(two, mods, (*kept, *wanted.more_options), players, stack)
    first, second = before.chosen.pack, after.chosen.pack
    if first.id != second.id:
        raise CommandError(f"{first.name} and {second.name} are two games: none is a change")
    return before, after


def _version(
    pack: str | None,
    mods: Sequence[str],
    options: Sequence[str],
    players: int | None,
    stack: ExitStack,
) -> Version:
    folder = pack
    if pack is not None and ":" in pack and not Path(pack).exists():
        folder = str(_of_commit(pack, stack))
    chosen = load_setting(folder, mods, options, players)
    if players is None:
        assert chosen.seats == usual_players(chosen.pack)
    named = pack or chosen.pack.name
    besides = [*(f"mod {each}" for each in mods), *options]
    return Version(f"{named} with {', '.join(besides)}" if besides else named, chosen)


def _of_commit(text: str, stack: ExitStack) -> Path:
    """Return a folder with the files of `COMMIT:FOLDER`; CommandError where git has none."""
    if text.startswith("-"):  # git would take it for an option, such as one that writes a file
        raise CommandError(f"{text} is no folder of a commit: those do not begin with -", USAGE)
    asked = ["git", "archive", "--format=tar", text]
    try:
        found = subprocess.run(asked, capture_output=True, check=False)  # noqa: S603
    except FileNotFoundError:
        raise CommandError(
            f"{text} is a folder of a commit, and git, which knows those, is not installed"
        ) from None
    if found.returncode:
        said = found.stderr.decode(errors="replace").strip().splitlines()
        raise CommandError(f"git has no folder {text}: {said[-1] if said else 'it says nothing'}")
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="coloma-")))
    with tarfile.open(fileobj=io.BytesIO(found.stdout)) as archive:
        plain = [each for each in archive if each.isfile() or each.isdir()]  # links lead anywhere
        safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # since Python 3.11.4
        archive.extractall(folder, plain, **safe)  # type: ignore[arg-type]  # noqa: S202 - by git
    return folder


def changes(before: Version, after: Version) -> dict[Item, list[str]]:
    """Return the entries that are not printed alike, each with what is another in words."""
    one, two = (
        {each.id: each for each in version.chosen.setting.printed} for version in (before, after)
    )
    found: dict[Item, list[str]] = {}
    for name in sorted(one.keys() | two.keys()):
        if said := _changes(one.get(name), two.get(name)):
            found[name.partition(":")[0], name] = said
    return found


def _changes(before: Printed | None, after: Printed | None) -> list[str]:
    if before is None:
        return ["new"]
    if after is None:
        return ["gone"]
    one, two = ({"title": each.title, **dict(each.rows)} for each in (before, after))
    return [
        f"{label}: {one.get(label, 'nothing')} becomes {two.get(label, 'nothing')}"
        for label in {**one, **two}
        if one.get(label) != two.get(label)
    ]
