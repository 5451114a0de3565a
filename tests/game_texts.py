"""The little games of `games/`, as texts."""

from __future__ import annotations

from pathlib import Path

GAMES = Path(__file__).parent / "games"


def texts(game: str) -> dict[str, str]:
    folder = GAMES / game
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    return {each.relative_to(folder).as_posix(): each.read_text("utf-8") for each in files}
