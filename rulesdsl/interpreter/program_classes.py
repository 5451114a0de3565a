"""Allow-list of the classes that a cached program may be decoded into."""

from __future__ import annotations

from rulesdsl.check import typed
from rulesdsl.check.symbols import symbol_table, types
from rulesdsl.check.typed import origins, program
from rulesdsl.interpreter.simulator import state_transfer as memory
from rulesdsl.lower import flat, flattened
from rulesdsl.packs import manifest
from rulesdsl.source import language, span
from rulesdsl.source.cache import kinds_of
from rulesdsl.syntax import declarations, expressions, node, statements

PROGRAM = kinds_of(
    *(program, origins, types, symbol_table, typed, manifest, span, memory),
    *(flattened, flat.expressions, flat.statements, flat.program),
    *(declarations, expressions, node, statements),
    also=(manifest.PackKind, language.Language),
)
