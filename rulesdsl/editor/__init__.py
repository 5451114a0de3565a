"""Checking while somebody types: a session of the checker for one game with its mods.

A session reads the files of its packs through an overlay: what an editor has open counts, saved or
not, and a file that has not changed on the disk is not read again. After every edit `check` gives
what `coloma lint` would find if everything were saved.

    session.py   a game, its mods, edits, and their check: start here
    overlay.py   open files over those of the disk

It may import everything below it, and only the commands import it.
"""

from __future__ import annotations

from rulesdsl.editor.session import Session, State

__all__ = ["Session", "State"]
