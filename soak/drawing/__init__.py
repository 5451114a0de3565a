"""Packs from scratch: small games with all constructs of the language in odd combinations.

`pack_of(seed)` draws one. What it draws follows the types (what is declared is known, and what is
in reach is used), so that most of it lints clean; it is as odd as a person would never write it.
"""

from soak.drawing.whole import pack_of

__all__ = ["pack_of"]
