from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdsl.packs import ENGINE_VERSION
from rulesdsl.packs.manifest import Version, parse_range, parse_version

NUMBERS = st.integers(0, 30)
VERSIONS = st.builds(Version, NUMBERS, NUMBERS, NUMBERS)


def test_the_engine_has_a_version() -> None:
    assert parse_version(ENGINE_VERSION)


@pytest.mark.parametrize(
    ("text", "version"),
    [("1", Version(1, 0, 0)), ("0.2", Version(0, 2, 0)), ("10.0.3", Version(10, 0, 3))],
)
def test_numbers_that_are_left_out_are_zero(text: str, version: Version) -> None:
    assert parse_version(text) == version


@pytest.mark.parametrize("text", ["", "1.", "1.2.3.4", "v1", "1.0-beta", "-1", "٣", "9" * 5000])
def test_what_is_no_version(text: str) -> None:
    assert parse_version(text) is None


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        (">=0.2", "0.2", "0.1.9"),
        ("<2", "1.99.99", "2.0"),
        (">=1.2, <2", "1.10", "1.1.9"),
        (">= 1.2,<2", "1.2", "2"),
    ],
)
def test_a_range_has_its_bounds(text: str, inside: str, outside: str) -> None:
    allowed = parse_range(text)
    good, bad = parse_version(inside), parse_version(outside)

    assert allowed
    assert good
    assert bad
    assert good in allowed
    assert bad not in allowed


@pytest.mark.parametrize("text", ["", "1.2", "=1", ">1", ">=1 <2", ">=1,", ">=1, >=2", "<", ">=x"])
def test_what_says_no_range(text: str) -> None:
    assert parse_range(text) is None


@given(VERSIONS, VERSIONS, VERSIONS)
def test_a_range_can_be_written_and_read_again(
    least: Version, below: Version, other: Version
) -> None:
    allowed = parse_range(f">={least}, <{below}")

    assert allowed
    assert parse_range(str(allowed)) == allowed
    assert (other in allowed) == (least <= other < below)
    assert parse_version(str(other)) == other
