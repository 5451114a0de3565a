"""Packs: from a folder on disk to rules and tables in which every value has a source location.

A game with mods is a stack of overlays: each mod lies over the packs loaded before it, and a value
is that of the topmost layer that sets it. Values are not interpreted here; that is the task of
`check`. Errors are findings, and reading continues, so that one run reports all of them.

    folder.py           which files a folder has; nothing outside of it is ever opened
    toml_file.py        one TOML file: its values, and in `toml_spans.py` where each of them is
    shapes.py           what a value can be; `place.py`: where it is, and what is wrong with it
    manifest_fields.py  the fields of a `pack.toml`, and its reader, which yields a `Manifest`
    pack_source.py      one pack as it was read
    find.py             which packs there are, and in which order mods are loaded
    layers.py           a game with its mods; `merge.py` lays one table over another
    wording.py          what is said of all that can be wrong with packs

A TOML file is described by a list of fields. A `Field` is a key with a line of documentation and a
`Shape`: validation, error message, JSON schema, conversion. Readers of manifests, scenarios and
tables use these lists, and so does `schema`, so editors show exactly what readers accept.

    manifest   Manifest(id="hats", kind=PackKind.MOD, requires=(PackRef("coins", >=1.1), ...), ...)
    path       ("joker", "price", "coins"): the path of a value; steps into lists are numbers
    table      MergedTable(data={"joker": {"price": {"coins": 2}}}); span(path) is file and line

This layer imports `source` and, for bounds of numbers, `syntax`. Start at `overlay.layer`, then
`Layered.get`, `PackSource.toml`, `parse_toml`.
"""

from __future__ import annotations

from rulesdsl.packs.manifest import ENGINE_VERSION

__all__ = ["ENGINE_VERSION"]
