"""Bots: players that use only the information that is available to their seat."""

# A bot (`bot.Bot`) gets a position and returns an option. `kinds.KINDS` lists the kinds:
#
# - `random` and `trained` (`bot.ByWeight`): no lookahead. `trained` bots choose by option weights
#   learned by self-play (`training`), which may depend on the player's holdings. `weights` stores
#   them as readable TOML, one file beside the content of a game.
# - `quick` (`quick`): flat Monte Carlo. `Worlds` samples positions consistent with the player's
#   information and plays them out in the simulator; `Judge` turns results into values.
#   Sealed answers are drawn from a mixed strategy (`mixing`), by `strong` bots as well.
# - `strong` (`strong`): information-set Monte Carlo tree search in such worlds.
#
# `thought.Thought` limits a decision: iterations, which are reproducible on any machine, or
# seconds. People may edit the file of weights, or write one; mods share the file of the game.
#
# `kinds.table` plays games among bots, with all statistics of the simulator. A new kind consists
# of a class with `choose`, and an entry in `KINDS`.
