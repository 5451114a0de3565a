"""All schemas of a pack, as texts by the paths of their files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.read import check_pack
from rulesdsl.packs.folder import MANIFEST, MAX_BYTES
from rulesdsl.packs.manifest_fields import manifest_fields
from rulesdsl.packs.shapes import table_of
from rulesdsl.scenarios.coverage import CHECKLIST
from rulesdsl.schema.lines import (
    BEGINNING,
    LESSON_SCHEMA,
    SCENARIO_SCHEMA,
    schema_line,
    schema_path,
)
from rulesdsl.schema.parts import document
from rulesdsl.schema.scenarios import checklist_schema, lesson_schema, scenario_schema
from rulesdsl.schema.tables import TableSchemas
from rulesdsl.source.diagnostic import LintError
from rulesdsl.source.files import read_inside

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rulesdsl.check.world import World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.packs.shapes import Json


@attrs.frozen
class Schemas:
    """The schemas of a pack. `unmarked` are its TOML files that name none, with their lines."""

    folder: Path
    texts: dict[str, str] = attrs.field(repr=False)
    unmarked: dict[str, str]


def schemas_of(
    path: str | Path, mods: Sequence[str | Path] = (), *, of: str | Path | None = None
) -> Schemas:
    """Return the schemas of a game's TOML files, or of those of a mod in the folder `of`.

    There is one for every file that the pack has; all scenarios share theirs. Raises LintError
    where the content has errors.
    """
    layers, checked, report = check_pack(path, mods)
    if layers is None or checked is None or report.errors:
        raise LintError(report.errors, report.sources)
    pack = layers.at(of)
    schemas = _schemas(layers, pack, checked.program.world)
    texts = {
        name: json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
        for name, schema in schemas.items()
        if schema is not None
    }
    return Schemas(pack.folder, texts, _unmarked(pack, texts))


def _schemas(layers: Layered, pack: PackSource, world: World) -> dict[str, Json | None]:
    name = pack.manifest.name
    tables = TableSchemas(layers, pack, world)
    manifest = table_of(manifest_fields(pack.manifest.kind))
    found: dict[str, Json | None] = {
        schema_path(MANIFEST): document(f"{MANIFEST} of {name}", manifest, {})
    }
    for path in pack.toml_paths():
        is_checklist = path == CHECKLIST
        schema = checklist_schema(name) if is_checklist else tables.schema(path)
        found[schema_path(path)] = schema
    if pack.scenario_files():
        found[SCENARIO_SCHEMA] = scenario_schema(name, layers.players, world)
    if pack.lesson_files():
        found[LESSON_SCHEMA] = lesson_schema(name, layers.players, world)
    return found


def _unmarked(pack: PackSource, texts: dict[str, str]) -> dict[str, str]:
    """Return the files that have a schema and do not say so in their first lines."""
    beside = (*pack.scenario_files(), *pack.lesson_files())
    paths = [MANIFEST, *pack.toml_paths()]
    paths += [each.relative_to(pack.folder).as_posix() for each in beside]
    return {
        path: schema_line(path)
        for path in paths
        if schema_path(path) in texts and not _is_marked(pack.folder, path)
    }


def _is_marked(folder: Path, path: str) -> bool:
    """Whether a comment before everything else names a schema; of what is unreadable none can."""
    try:
        text = read_inside(folder, folder / path, MAX_BYTES).decode("utf-8-sig", errors="replace")
    except OSError:
        return True
    for line in text.splitlines():
        if line.startswith(BEGINNING):
            return True
        if line.strip() and not line.startswith("#"):
            return False
    return False
