"""What tests of sessions and desks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulesdsl.check.resolve import program
from rulesdsl.check.resolve.procedures import resolve_proc

if TYPE_CHECKING:
    from rulesdsl.check.resolve.bodies import Bodies
    from rulesdsl.check.world import ProcInfo


@pytest.fixture
def resolved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the procedures that are resolved from now on."""
    found: list[str] = []

    def noted(bodies: Bodies, proc: ProcInfo) -> None:
        found.append(proc.name)
        resolve_proc(bodies, proc)

    monkeypatch.setattr(program, "resolve_proc", noted)
    return found
