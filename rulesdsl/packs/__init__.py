"""Packs: manifests, reading `.rules` and `.toml`, layering mods, where each value came from."""

from __future__ import annotations

from rulesdsl.packs.versions import ENGINE_VERSION

__all__ = ["ENGINE_VERSION"]
