"""Players that think, none of which looks at what it may not know.

A bot (`bot.Bot`) gets a position and returns an option.  `kinds` lists them:

- `by_weight`: no look ahead.  `random` ones, and `trained` ones, which have learned by self-play
  how good options are on average.  `training` plays games against itself and moves the weight of
  each option to where those who chose it did better; `weights` writes them down as TOML that a
  person can read, one file beside the content of a game.
- `quick`: flat Monte Carlo.  `worlds` draws positions that the player cannot tell from the real
  one, and plays them out in the simulator; `judge` tells what their ends are worth.

`table` seats bots, and plays games among them with all that a simulator tells.  A new kind is a
module with a class and a line in `kinds.KINDS`.
"""
