"""Dialogue and lessons before a game: the first screen, and the questions after `Choose`."""
