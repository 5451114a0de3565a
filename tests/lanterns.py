"""A small game that editors are tried on: rules, a table with effects, scenarios, a mod."""

from __future__ import annotations

import shutil
from pathlib import Path

from game_texts import GAMES


def write_lanterns(folder: Path) -> Path:
    return shutil.copytree(GAMES / "lanterns", folder, dirs_exist_ok=True)
