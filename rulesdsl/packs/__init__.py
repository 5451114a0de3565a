"""Packs: from a folder on disk to rules and tables in which every value has a source location.

A game with mods is a stack of overlays: each mod lies over the packs loaded before it, and the
topmost layer that sets a value wins. Values are not interpreted here; that is the task of `check`.
Errors are findings, and reading continues, so that one run reports all of them.

    folder.py         the files of a folder; nothing outside it is ever opened
    toml_document.py  one TOML file: its values, their positions, and exact edits to them
    shapes.py         valid values and their schemas; positions and errors of values
    manifest.py       a `pack.toml` as a `Manifest`
    pack_source.py    one pack as read from disk
    find.py           discovery of packs, and the load order of mods
    overlay.py        a game with its mods; the merging of their tables
    wording.py        templates of all messages about packs

TOML files with fixed keys, such as scenarios, are described by a list of fields. A `Field` is a
key with a line of documentation and a `Shape`: validation, error message, JSON schema and
conversion. Readers and `schema` use the same lists, so editors show exactly the keys that readers
accept.

    manifest   Manifest(id="hats", kind=PackKind.MOD, requires=(PackRef("coins", >=1.1), ...), ...)
    path       ("joker", "price", "coins"): the path of a value; steps into lists are numbers
    table      MergedTable(data={"joker": {"price": {"coins": 2}}}); span(path) is file and line

This folder imports `source` and, for the words of the language, `syntax`. Start with
`overlay.layer`, then `Layered.get`, `PackSource.toml` and `parse_toml`.
"""

from __future__ import annotations

from rulesdsl.packs.manifest import ENGINE_VERSION

__all__ = ["ENGINE_VERSION"]
