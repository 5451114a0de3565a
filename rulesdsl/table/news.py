"""Positions up to which viewers have read the log."""

from __future__ import annotations

from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.log import StoryLine

EVERYBODY = 0
"""Viewer who sees only public information."""

_RECALLED = 20  # house: lines of the log that a resumed game repeats


class News:
    """Positions up to which the viewers have read the log.

    In a new game, the set-up is unread; in a resumed one, only the end of the log. Lines are those
    of the story, or in `brief`.
    """

    def __init__(self, game: Game, *, resumed: bool, brief: bool = False) -> None:
        self._brief = brief
        self._told: dict[int, int] = {}
        self._old = 0
        if resumed:
            recalled = max(0, game.log_length - _RECALLED)
            lines = game.story(EVERYBODY, brief=brief)
            beginnings = (line.first for line in lines if line.first >= recalled)
            self._old = next(beginnings, game.log_length)

    def fresh_lines(self, game: Game, viewer: int) -> list[StoryLine]:
        """Return the unread lines, and mark them as read.

        Lines about an unfinished action of the player to move are left for later, because its cost
        is not known until it is finished.
        """
        start = self.read_up_to(viewer)
        lines = list(game.story(viewer, start, brief=self._brief))
        self._told[viewer] = game.log_length
        mover = None if game.decision is None else game.decision.player
        going_on = [at for at, line in enumerate(lines) if line.goes_on and line.actor == mover]
        if going_on:
            first = going_on[0]
            while first and lines[first - 1].level == "part":  # leave its heading as well
                first -= 1
            self._told[viewer] = start + lines[first].first
            del lines[first:]
        return lines

    def read_up_to(self, viewer: int) -> int:
        """Return the number of log lines that the viewer has read, in this or earlier sessions."""
        return self._told.get(viewer, self._old)

    def go_back(self, game: Game) -> None:
        """Move the read positions back to the end of the log after an undo."""
        length = game.log_length
        self._old = min(self._old, length)
        self._told = {viewer: min(told, length) for viewer, told in self._told.items()}
