"""Packs: from a folder on disk to rules and tables in which every value knows its place.

The technique is a stack of overlays. A game is the first layer, each mod lies over those that
come before it, and a value is what the topmost layer says that says anything. Nothing is
interpreted here: what a table means is for `check` to say. A mistake is a finding, and reading
goes on, so that one run reports all of them.

    folder.py           which files a folder has; nothing outside of it is ever opened
    toml_file.py        one TOML file: its values, and in `toml_spans.py` where each of them is
    shapes.py           what a value can be; `place.py`: where it is, and what is wrong with it
    manifest_fields.py  the fields of a `pack.toml`, and its reader, which yields a `Manifest`
    pack_source.py      one pack as it was read
    find.py             which packs there are, and in which order mods are loaded
    layers.py           a game with its mods; `merge.py` lays one table over another
    wording.py          what is said of all that can be wrong with packs

The description of a TOML file is a list of fields. A `Field` is a key with a line of
documentation and a `Shape`: which values fit, what to say where one does not, its JSON schema,
and what the program makes of it. The readers of manifests, scenarios and tables go through such
lists, and so does `schema`, which writes them down for editors: what one accepts, the other shows.

    manifest   Manifest(id="hats", kind=PackKind.MOD, requires=(PackRef("coins", >=1.1), ...), ...)
    path       ("joker", "price", "coins"), the way to a value; in a list, numbers are steps
    table      MergedTable(data={"joker": {"price": {"coins": 2}}}); span(path) is file and line

It may import `source` and, for bounds of numbers, `syntax`. Start at `layers.layer` and read
towards the files: `Layered.get`, `PackSource.toml`, `parse_toml`.
"""

from __future__ import annotations

from rulesdsl.packs.versions import ENGINE_VERSION

__all__ = ["ENGINE_VERSION"]
