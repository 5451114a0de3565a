from __future__ import annotations

import inspect

import pytest

from cli.fake import FakeDecision, FakeGame, FakePack
from rulesdsl import Decision, Game, Pack


@pytest.mark.parametrize(
    ("fake", "real"), [(FakePack, Pack), (FakeGame, Game), (FakeDecision, Decision)]
)
def test_the_fake_has_the_interface_of_the_real_one(fake: type, real: type) -> None:
    public = {name: each for name, each in vars(fake).items() if not name.startswith("_")}
    methods = {name for name, each in public.items() if inspect.isfunction(each)}
    properties = {name for name, each in public.items() if isinstance(each, property)}

    for name in methods:
        assert _parameters(fake, name) == _parameters(real, name), name
    assert properties <= set(dir(real))
    assert not any(callable(getattr(real, name)) for name in properties)


def _parameters(of: type, method: str) -> list[tuple[str, object, object]]:
    found = inspect.signature(getattr(of, method)).parameters.values()
    return [(each.name, each.kind, each.default) for each in found]
