"""`coloma packs`: the packs that we ship."""

from __future__ import annotations

import typer


def packs() -> None:
    """List the bundled packs: games for --pack, mods for --mod."""
    from coloma.catalogue import bundled_packs

    found = bundled_packs()
    widest = max((len(each.id) for each in found), default=0)
    for each in found:
        kind = f"mod for {each.for_game}" if each.is_mod else "game"
        players = f", {_range(*each.players)} players" if each.players else ""
        typer.echo(f"{each.id:<{widest}}  {each.name} {each.version} ({kind}{players})")
        if each.about:
            typer.echo(f"{'':<{widest}}  {each.about}")


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"
