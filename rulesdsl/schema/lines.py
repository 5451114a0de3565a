"""Where the schema of a file lies, and the line that tells an editor."""

from __future__ import annotations

from pathlib import PurePosixPath

from rulesdsl.packs.folder import SCENARIOS

FOLDER = "schema"
"""The folder of a pack that its schemas are in."""

SCENARIO_SCHEMA = f"{SCENARIOS}/scenarios.json"
BEGINNING = "#:schema "


def schema_path(path: str) -> str:
    """Return where the schema of a pack's TOML file lies, relative to the folder of schemas."""
    pure = PurePosixPath(path)
    in_scenarios = pure.parts[0] == SCENARIOS and len(pure.parts) > 1
    return SCENARIO_SCHEMA if in_scenarios else pure.with_suffix(".json").as_posix()


def schema_line(path: str) -> str:
    """Return the first line of a pack's TOML file: `#:schema ./schema/cards.json`.

    `path` is relative to the folder of the pack. The schemas are in its folder `schema`.
    """
    up = "../" * (len(PurePosixPath(path).parts) - 1) or "./"
    return f"{BEGINNING}{up}{FOLDER}/{schema_path(path)}"
