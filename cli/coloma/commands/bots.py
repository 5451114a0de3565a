"""`coloma bots`: the kinds of bots that there are."""

from __future__ import annotations

from coloma.output import say


def bots() -> None:
    """List the bots that play, weakest first."""
    from coloma.bots import USUAL
    from rulesdsl.bots.kinds import KINDS

    widest = max(map(len, KINDS))
    for name, kind in KINDS.items():
        say(f"{name:<{widest}}  {kind.about}")
    say()
    say(f"coloma play --bots 2             two {USUAL} ones, in the last seats")
    say("coloma play --bots random,quick  one of each, in the last two seats")
    say("coloma simulate --bots quick,3xtrained --games 20")
