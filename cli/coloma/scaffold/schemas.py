"""Hints for editors in what is written: schemas, and the lines that lead to them."""

from __future__ import annotations

from pathlib import Path

from coloma.selection import Selection
from rulesdsl.schema import FOLDER, schemas_of


def with_schemas(draft: Path, selection: Selection, files: dict[str, str]) -> dict[str, str]:
    """Return the files of a draft, which has them already, with its schemas.

    Those of them that are TOML say in their first line where the schema is.
    """
    schemas = schemas_of(selection.game, selection.mods, of=draft)
    marked = {
        path: f"{line}\n{files[path]}" for path, line in schemas.unmarked.items() if path in files
    }
    return files | marked | {f"{FOLDER}/{path}": text for path, text in schemas.texts.items()}


def has_schemas(folder: Path) -> bool:
    """Whether a pack keeps schemas."""
    return (folder / FOLDER).is_dir()
