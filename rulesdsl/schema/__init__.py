"""JSON Schema for the TOML files of a pack, so that an editor helps while they are written.

The technique is a second reading of one description. Readers and schemas go through the same
lists of `Field` and `Shape` (`rulesdsl/packs/shapes.py`): a reader asks a shape what a value
stands for, this folder asks it for its schema. No bound, pattern or word is said again here.

What the declarations of a game bring is filled in: for each kind its entries, its fields and
their defaults, for a scenario the options and the steps. So each file of a pack has a schema of
its own, beside the game in the folder `schema`, and names it in its first line:

    cards.toml              #:schema ./schema/cards.json
    scenarios/end.toml      #:schema ../schema/scenarios/scenarios.json, one for all scenarios
    lessons/first.toml      #:schema ../schema/lessons/lessons.json, one for all lessons

    writing.py    all schemas of a pack as texts: start at `schemas_of`
    tables.py     of tables: entries of kinds, new ones and those that a mod changes; named numbers
    scenarios.py  of scenarios, lessons, and of the checklist of rules
    parts.py      of whole documents, with the definitions that they use
    lines.py      where a schema lies, and the line that tells an editor

The schemas say `draft-07` and use no keyword that means anything else in draft 4: all TOML
plugins of editors (taplo, Even Better TOML, tombi) understand that. They may be kinder than the
checker where no schema can tell, such as a name that is in another file, and never stricter.

It may import everything below it but the interpreter, and only the commands import it.
"""

from __future__ import annotations

from rulesdsl.schema.lines import FOLDER, schema_line
from rulesdsl.schema.writing import Schemas, schemas_of

__all__ = ["FOLDER", "Schemas", "schema_line", "schemas_of"]
