"""What random games look like from outside, a line for each: run as a script, over any checkout.

Nothing but the public interface is used, so that one commit can be held against another.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys

import rulesdsl


def main() -> None:
    """Play the games that a line of JSON after another asks for; print a digest of each."""
    packs: dict[str, rulesdsl.Pack] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        key = json.dumps([asked["pack"], asked["mods"]])
        if key not in packs:
            packs[key] = rulesdsl.load(asked["pack"], asked["mods"])
        print(traced(packs[key], asked["players"], asked["options"], asked["seed"]), flush=True)


def traced(
    pack: rulesdsl.Pack, players: int, options: dict[str, bool | int | str], seed: int
) -> str:
    """Return a digest of all that is offered, chosen and logged in a game, and of its end."""
    chance = random.Random(seed)
    game = pack.new_game(players=players, seed=seed, options=options, log=True)
    seen = hashlib.sha256()
    while game.decision is not None:
        for each in game.decisions:
            seen.update(repr((each.player, each.prompt)).encode())
            offered = [(option.id, option.label) for option in each.options]
            seen.update(repr((offered, each.sealed, each.hidden)).encode())
        chosen = chance.choice(game.decisions)
        game.choose(chance.randrange(chosen.count), player=chosen.player)
    for line in game.log:
        seen.update(repr((line.actor, line.text, line.hidden_text, line.learned)).encode())
    seen.update(repr((game.result, game.view(1)["board"])).encode())
    return seen.hexdigest()[:24]


if __name__ == "__main__":
    main()
