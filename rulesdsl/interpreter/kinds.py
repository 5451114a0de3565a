"""What a kept program consists of: the classes that rows of it may be made into."""

from __future__ import annotations

from rulesdsl.check import program, typed, types, world
from rulesdsl.interpreter.simulator import map as memory
from rulesdsl.lower import flat, flattened
from rulesdsl.packs import manifest, versions
from rulesdsl.source import span
from rulesdsl.source.rows import kinds_of
from rulesdsl.syntax import declarations, expressions, node, statements

PROGRAM = kinds_of(
    *(program, types, world, typed, manifest, versions, span, memory),
    *(flattened, flat.expressions, flat.statements, flat.program),
    *(declarations, expressions, node, statements),
    also=(manifest.PackKind,),
)
