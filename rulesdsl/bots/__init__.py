"""Players that think, none of which looks at what it may not know.

A bot (`bot.Bot`) gets a position and returns an option.  `kinds` lists them:

- `by_weight`: no look ahead.  `random` ones, and `trained` ones, which have learned by playing how
  good options are, on average and where one has so much of something (`learned`).  `training`
  plays games and moves the weight of each option to where those who chose it did better;
  `weights` writes them down as TOML that a person can read, one file beside the content of a game.
- `quick`: flat Monte Carlo.  `worlds` draws positions that the player cannot tell from the real
  one, and plays them out in the simulator; `judge` tells what their ends are worth.
- `strong`: information-set Monte Carlo tree search in such worlds.

`thought` is how much those think: iterations, which are the same on any machine, or seconds.  What
content may tell bots is in the file of weights: a person can write some, or change those that were
learned, and a mod's game has those of the game that it changes.

`table` seats bots, and plays games among them with all that a simulator tells.  A new kind is a
module with a class and a line in `kinds.KINDS`.
"""
