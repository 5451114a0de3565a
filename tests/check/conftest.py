"""Of what these tests check, most is the same: each text is parsed once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kept import files_read_once


@pytest.fixture(autouse=True, scope="session")
def _each_text_is_parsed_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        files_read_once(patch)
        yield
