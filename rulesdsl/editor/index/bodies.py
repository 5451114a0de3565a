"""What the bodies of a game say: resolved once more, with somebody who notes every name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.naming import Mention, Noted
from rulesdsl.check.resolve.bodies import Bodies
from rulesdsl.check.resolve.program import resolve_program
from rulesdsl.source.diagnostic import Findings

if TYPE_CHECKING:
    from rulesdsl.check.world import World


def mentions_in(world: World) -> list[Mention]:
    """Return every name in the bodies of a world with what it refers to."""
    bodies = Bodies(world, Findings(), noted=Noted())
    resolve_program(bodies)
    assert bodies.noted is not None
    return bodies.noted.mentions
