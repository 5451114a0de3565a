"""Versions of packs and of the engine, and what a manifest asks of them: `>=0.2, <1`."""

from __future__ import annotations

import re

import attrs

VERSION = r"[0-9]{1,6}(\.[0-9]{1,6}){0,2}"
_VERSION = re.compile(VERSION)
_FROM, _BELOW = rf">= *{VERSION}", rf"< *{VERSION}"
RANGE = rf" *({_FROM} *(, *{_BELOW} *)?|{_BELOW} *(, *{_FROM} *)?)"
_RANGE = re.compile(RANGE)
_BOUND = re.compile(rf"(>=|<) *({VERSION})")


@attrs.frozen(order=True)
class Version:
    """Up to three numbers; those that are left out are 0."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


@attrs.frozen
class VersionRange:
    """The versions from `least` on and, if there is such a bound, before `below`."""

    least: Version | None = None
    below: Version | None = None

    def __contains__(self, version: Version) -> bool:
        return (self.least is None or self.least <= version) and (
            self.below is None or version < self.below
        )

    def __str__(self) -> str:
        bounds = [f">={self.least}"] if self.least else []
        return ", ".join([*bounds, f"<{self.below}"] if self.below else bounds)


ANY_VERSION = VersionRange()


def parse_version(text: str) -> Version | None:
    """Return the version that `1`, `1.2` or `1.2.3` names; `None` for anything else."""
    if not _VERSION.fullmatch(text):
        return None
    numbers = [int(part) for part in text.split(".")]
    major, minor, patch = numbers + [0] * (3 - len(numbers))
    return Version(major, minor, patch)


def parse_range(text: str) -> VersionRange | None:
    """Return what `>=1.2`, `<2` or `>=1.2, <2` allows; `None` for anything else."""
    if not _RANGE.fullmatch(text):
        return None
    bounds = {sign: parse_version(version) for sign, version, _ in _BOUND.findall(text)}
    return VersionRange(bounds.get(">="), bounds.get("<"))


ENGINE_VERSION = "0.1.0"
"""The version of the language and of what plays it; content files rely on it."""
