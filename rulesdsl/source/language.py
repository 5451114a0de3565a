"""Versions of the language."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """A version of the language that a pack may be written in; a later one is greater."""

    V0_1 = "0.1"
    V0_2 = "0.2"


NEWEST = max(Language)
