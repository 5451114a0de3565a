"""`coloma sources`: the numbers that do not come from the rulebook."""

from __future__ import annotations

from coloma.commands.parameters import ModNames, PackPath
from coloma.output import say


def sources(
    path: PackPath = None,
    mod: ModNames = None,
) -> None:
    """List every number that is not the rulebook's, grouped by where it comes from."""
    import rulesdsl
    from coloma.selection import select

    selection = select(path, mod or ())
    found = rulesdsl.sources(selection.game, selection.mods)
    for source in sorted({each.source for each in found}):
        lines = [each for each in found if each.source == source]
        say(f"{source or 'no source'}: {len(lines)}")
        widest = max(len(each.name) for each in lines)
        for each in sorted(lines, key=lambda each: each.span):
            place = f"{each.span.file}:{each.span.line}"
            say(f"  {each.name:<{widest}}  {each.value}  {place}")
