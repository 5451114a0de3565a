"""Names of the flat form as identifiers of WebAssembly's text."""

from __future__ import annotations

import re

import attrs

_OTHER = re.compile(r"[^0-9A-Za-z_.:/%~@!+-]")


@attrs.define
class Ids:
    """Gives every name of one scope an identifier of its own that can be recognised."""

    prefix: str = ""
    _known: dict[str, str] = attrs.Factory(dict)
    _taken: set[str] = attrs.Factory(set)

    def __getitem__(self, name: str) -> str:
        """Return the identifier of a name."""
        if name not in self._known:
            made = base = f"${self.prefix}{_OTHER.sub('_', name)}"
            number = 1
            while made in self._taken:
                number += 1
                made = f"{base}_{number}"
            self._taken.add(made)
            self._known[name] = made
        return self._known[name]
