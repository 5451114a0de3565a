"""The schema of a `pack.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.packs.manifest import ID, LONGEST_ID, MOST_PLAYERS
from rulesdsl.packs.manifest_fields import MOST_LETTERS
from rulesdsl.packs.versions import VERSION
from rulesdsl.schema.parts import Json, array, described, document, number, table, text, words

if TYPE_CHECKING:
    from rulesdsl.packs.manifest import Manifest

_ANY = r"[^\n]*\S[^\n]*"
_FROM, _BELOW = rf">= *{VERSION}", rf"< *{VERSION}"
_RANGE = rf" *({_FROM} *(, *{_BELOW} *)?|{_BELOW} *(, *{_FROM} *)?)"


def manifest_schema(manifest: Manifest) -> Json:
    """Return the schema of the manifest of a game, or of that of a mod."""
    line = {**text(f"^{_ANY}$"), "maxLength": MOST_LETTERS}
    packs = array(text(rf"^{ID} *({_RANGE})?$"))
    how_many = number(1, MOST_PLAYERS)
    properties = {
        "id": described(_id(), "What other packs, saves and --mod call it."),
        "name": described(line, "What people call it."),
        "version": described(text(f"^{VERSION}$"), "Up to three numbers, such as 1.0.2."),
        "kind": described(words([manifest.kind]), "Whether it is a game, or a mod for one."),
        "engine": described(text(f"^{_RANGE}$"), "The engines that it is for, such as >=0.1, <1."),
        "about": described({**text(), "maxLength": MOST_LETTERS}, "What it is, in a few words."),
        "players": described(
            table({"least": how_many, "most": how_many}, ("least", "most")),
            "How many people can play.",
        ),
        "excludes": described(packs, "Packs that it cannot be played with."),
    }
    required = ["id", "name", "version", "kind"]
    if manifest.is_mod:
        properties |= {
            "for_game": described(_id(), "The id of the game that it changes."),
            "requires": described(packs, "Mods that it needs, and that are loaded before it."),
            "after": described(packs, "Mods that are loaded before it, where they are there."),
        }
        required.append("for_game")
    return document(f"pack.toml of {manifest.name}", table(properties, required), {})


def _id() -> Json:
    return {**text(f"^{ID}$"), "maxLength": LONGEST_ID}
