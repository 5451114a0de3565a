"""Where the schema of a file lies, and the line that tells an editor."""

from __future__ import annotations

from pathlib import PurePosixPath

from rulesdsl.packs.folder import LESSONS, SCENARIOS

FOLDER = "schema"
"""The folder of a pack that its schemas are in."""

SCENARIO_SCHEMA = f"{SCENARIOS}/scenarios.json"
LESSON_SCHEMA = f"{LESSONS}/lessons.json"
_SHARED = {SCENARIOS: SCENARIO_SCHEMA, LESSONS: LESSON_SCHEMA}
BEGINNING = "#:schema "


def schema_path(path: str) -> str:
    """Return where the schema of a pack's TOML file lies, relative to the folder of schemas."""
    pure = PurePosixPath(path)
    shared = _SHARED.get(pure.parts[0]) if len(pure.parts) > 1 else None
    return shared or pure.with_suffix(".json").as_posix()


def schema_line(path: str) -> str:
    """Return the first line of a pack's TOML file: `#:schema ./schema/cards.json`.

    `path` is relative to the folder of the pack. The schemas are in its folder `schema`.
    """
    up = "../" * (len(PurePosixPath(path).parts) - 1) or "./"
    return f"{BEGINNING}{up}{FOLDER}/{schema_path(path)}"
