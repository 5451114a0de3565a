"""Players that think, none of which looks at what it may not know.

A bot that is `trained` does not look ahead: it has learned by self-play how good options are on
average.  `training` plays games against itself and moves the weight of each option to where those
who chose it did better; `weights` writes them down as TOML that a person can read, one file beside
the content of a game.  Start with `training.train`.
"""
