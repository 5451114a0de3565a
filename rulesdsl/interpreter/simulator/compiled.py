"""Modules, compiled by the `wasmtime` package: a sandbox that sees its own memory only.

A memory with 4 GB of addresses around it needs no tests of bounds, which makes games 20 % faster.
Where a process may not have so many addresses, the tests are compiled in.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.kinds import PROGRAM
from rulesdsl.interpreter.simulator.fuel import TooMuchWork
from rulesdsl.interpreter.simulator.map import Map
from rulesdsl.interpreter.simulator.module import Made, module
from rulesdsl.interpreter.simulator.offers import Offer, offers_of
from rulesdsl.lower.flat import FOR_LABELS
from rulesdsl.lower.passes import OF_MODULES
from rulesdsl.source import cache

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.compile import Engine
    from rulesdsl.interpreter.setting import Setting


@lru_cache(maxsize=2)
def _runtime(*, roomy: bool) -> Any:  # noqa: ANN401 - `wasmtime` is imported where it is used
    """Return the compiler and runtime of this process."""
    import wasmtime  # noqa: PLC0415 - heavy

    config = wasmtime.Config()
    config.parallel_compilation = False
    if not roomy:
        config.memory_reservation = 0
        config.memory_reservation_for_growth = 0
        config.memory_guard_size = 0
    return wasmtime.Engine(config)


@attrs.define
class Compiled:
    """A compiled module, and the map of its memory."""

    map: Map
    spans: dict[str, str]  # the rule lines that functions are of, by their names
    binary: bytes
    roomy: bytes = b""  # what was kept of it compiled, as data of the runtime
    _modules: dict[bool, Any] = attrs.Factory(dict)

    def module(self, *, roomy: bool) -> Any:  # noqa: ANN401 - see above
        """Return the module, compiled for a process that has addresses to spare, or has not."""
        import wasmtime  # noqa: PLC0415 - heavy

        if roomy not in self._modules:
            runtime = _runtime(roomy=roomy)
            kept = self.roomy if roomy else b""
            self._modules[roomy] = _kept(runtime, kept) or wasmtime.Module(runtime, self.binary)
        return self._modules[roomy]

    def instance(self) -> tuple[Any, Any]:
        """Return a new instance: its store, and what it exports."""
        import wasmtime  # noqa: PLC0415 - heavy

        for roomy in (True, False):
            module = self.module(roomy=roomy)
            store = wasmtime.Store(_runtime(roomy=roomy))
            try:
                return store, wasmtime.Instance(store, module, []).exports(store)
            except wasmtime.WasmtimeError:
                if not roomy:
                    raise
        raise AssertionError

    def call(self, store: Any, function: Any) -> None:  # noqa: ANN401 - see above
        """Call a function of an instance; TooMuchWork where it does not come to an end."""
        import wasmtime  # noqa: PLC0415 - heavy

        try:
            function(store)
        except wasmtime.Trap as trap:
            within = (self.spans.get(each.func_name or "") for each in trap.frames)
            where = next(filter(None, within), "the game")
            raise TooMuchWork(
                f"{where}: this takes more steps without a question than rules can"
            ) from None


def _kept(runtime: Any, content: bytes) -> Any:  # noqa: ANN401 - see above
    """Return a module that was kept; None where another runtime, or processor, has made it."""
    import wasmtime  # noqa: PLC0415 - heavy

    try:
        return wasmtime.Module.deserialize(runtime, content) if content else None
    except wasmtime.WasmtimeError:
        return None


def compiled(setting: Setting, *, asking: bool = False) -> Compiled:
    """Return the compiled module of a setting.

    Where it is `asking`, options are counted and weighed.  It is kept beside the checked pack,
    with a hash of it all: a file that was changed is as good as none.
    """
    key = f"{setting.key}\0module {asking}" if setting.key else ""
    match cache.read_kept(key, PROGRAM) if key else None:
        case [Map() as known, dict() as spans, str() as binary, str() as roomy]:
            return Compiled(known, spans, b64decode(binary), b64decode(roomy))
        case _:
            offers = offers_of(setting) if asking else None
            found = assembled(made_of(setting.engine, offers))
    if key:
        roomy = b64encode(bytes(found.module(roomy=True).serialize())).decode()
        kept = (found.map, found.spans, b64encode(found.binary).decode(), roomy)
        cache.write_kept(key, kept, PROGRAM)
    return found


def made_of(engine: Engine, offers: Sequence[Offer] | None = None) -> Made:
    """Return the text of the module of a setting."""
    flat = engine.flat.twin()
    for name in [each for each in flat.functions if each.startswith(FOR_LABELS)]:
        del flat.functions[name]  # nobody reads here
    for improve in OF_MODULES.values():
        improve(flat)
    return module(flat, engine.states, offers)


def assembled(made: Made) -> Compiled:
    """Return the module that a text is of."""
    import wasmtime  # noqa: PLC0415 - heavy

    return Compiled(made.map, made.spans, bytes(wasmtime.wat2wasm(made.text)))
