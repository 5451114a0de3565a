"""JSON Schema for the TOML files of a pack, so that an editor helps while they are written.

The schemas say `draft-07` and use no keyword that means anything else in draft 4: all TOML
plugins of editors (taplo, Even Better TOML, tombi) understand that.
"""

from __future__ import annotations

from rulesdsl.schema.lines import FOLDER, schema_line
from rulesdsl.schema.writing import Schemas, schemas_of

__all__ = ["FOLDER", "Schemas", "schema_line", "schemas_of"]
