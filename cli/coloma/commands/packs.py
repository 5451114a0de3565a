"""`coloma packs`: the packs that we ship, or in which order some are loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coloma.commands.parameters import ModNames, PackName
from coloma.output import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from coloma.catalogue import Listed
    from coloma.selection import Selection
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.manifest import Manifest, PackRef

_INDENT = "  "  # before what belongs to a group, or to a game


def packs(mod: ModNames = None, pack: PackName = None) -> None:
    """List the bundled packs by group: games for --pack, and below each the mods for --mod.

    With --pack or --mod, say in which order these are loaded, and why.
    """
    from coloma.selection import select

    if pack is None and not mod:
        _list_bundled()
        return
    for line in _order(select(pack, mod or ())):
        say(line)


def _list_bundled() -> None:
    from coloma.catalogue import bundled_packs, groups

    found = bundled_packs()
    widest = max((len(each.id) for each in found), default=0) + len(_INDENT)
    for title, games in groups(found).items():
        if title:
            say(f"\n{title}")
        for game in games:
            _introduce(game, _INDENT if title else "", widest)
            for mod in found:
                if mod.is_mod and mod.for_game == game.id:
                    _introduce(mod, _INDENT, widest)


def _introduce(pack: Listed, indent: str, widest: int) -> None:
    """Say what a pack is called, what it is and for how many, and what it is about."""
    kind = f"mod for {pack.for_game}" if pack.is_mod else "game"
    players = f", {_range(*pack.players)} players" if pack.players else ""
    say(f"{indent + pack.id:<{widest}}  {pack.name} {pack.version} ({kind}{players})")
    if pack.about:
        say(f"{'':<{widest}}  {pack.about}")


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def _order(selection: Selection) -> Iterator[str]:
    """Yield the packs in the order in which they are loaded; `LintError` if they do not fit."""
    from rulesdsl.packs.layers import read_layers

    layers = read_layers(selection.game, selection.mods)
    widest = max(len(each.id) for each in layers.packs)
    for number, pack in enumerate(layers.packs, start=1):
        manifest = pack.manifest
        yield (
            f"{number}  {pack.id:<{widest}}  {manifest.name} {manifest.version}"
            f"  {_reason(manifest, layers)}"
        )


def _reason(manifest: Manifest, layers: Layered) -> str:
    """Say why a pack is loaded where it is."""
    if not manifest.is_mod:
        return "the game comes first"
    wishes = (("requires", manifest.requires), ("after", manifest.after))
    loaded = {each.id for each in layers.mods}
    said = [f"{word} {_listed(refs, loaded)}" for word, refs in wishes if _listed(refs, loaded)]
    return (
        f"its pack.toml says: {'; '.join(said)}"
        if said
        else "by its id, because it asks for no other order"
    )


def _listed(refs: tuple[PackRef, ...], loaded: set[str]) -> str:
    return ", ".join(str(each) for each in refs if each.id in loaded)
