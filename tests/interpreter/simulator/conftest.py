import builtins
from collections.abc import Callable
from typing import Any

import pytest

import rulesdsl
from interpreter.simulator.bidding import BID, InPython
from packs_on_the_fly import loaded


@pytest.fixture(scope="module")
def bidding(tmp_path_factory: pytest.TempPathFactory) -> rulesdsl.Pack:
    return loaded(tmp_path_factory.mktemp("bidding"), "repeat 3 times:\n    if able: bid", BID)


@pytest.fixture
def in_python(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    real = builtins.__import__

    def simulator(
        pack: rulesdsl.Pack, players: int, error: type[Exception] = ImportError
    ) -> rulesdsl.Simulator:
        def without(name: str, *rest: Any, **more: Any) -> Any:  # noqa: ANN401 - as the real one
            if name == "wasmtime":
                raise error(name)
            return real(name, *rest, **more)

        with monkeypatch.context() as patch:
            patch.setattr(builtins, "__import__", without)
            with pytest.warns(RuntimeWarning, match="games run in Python"):
                return pack.simulator(players)

    return simulator


@pytest.fixture
def both(bidding: rulesdsl.Pack, in_python: InPython) -> list[rulesdsl.Simulator]:
    return [bidding.simulator(2), in_python(bidding, 2)]
