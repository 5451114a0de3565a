"""Texts with values that nobody can know are refused; those that somebody may know are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.small import HEAD if False else None
