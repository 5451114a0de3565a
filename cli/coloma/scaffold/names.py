"""What new things may be called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from coloma.errors import USAGE, CommandError
from rulesdsl.check.declare.names import BUILT_IN
from rulesdsl.packs.manifest_fields import NO_FILE
from rulesdsl.source.diagnostic import Findings
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.parser import parse_formula

if TYPE_CHECKING:
    from rulesdsl import Vocabulary
    from rulesdsl.check.world import World

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_OTHER_SIGNS = re.compile(r"[^a-z0-9]+")
MAX_LETTERS = 40


def check_name(name: str) -> None:
    """Refuse what cannot name anything; `CommandError` says how it could be written."""
    if not _NAME.fullmatch(name):
        better = _OTHER_SIGNS.sub("-", name.lower()).strip("-")
        advice = f", such as `{better}`" if _NAME.fullmatch(better) else ""
        raise CommandError(
            f"`{name}` cannot be a name: small letters and digits, with hyphens inside{advice}",
            USAGE,
        )
    if re.fullmatch(NO_FILE, name):
        raise CommandError(f"`{name}` cannot be a name: Windows has no such files", USAGE)
    if len(name) > MAX_LETTERS:
        raise CommandError(f"`{name}` is too long: at most {MAX_LETTERS} letters", USAGE)


def check_word(name: str, words: Vocabulary, world: World) -> None:
    """Refuse a name that means something already, in the language or in the game."""
    found = parse_formula(name, "", Findings())
    if name in BUILT_IN or not (isinstance(found, ex.Name) and found.name == name):
        raise CommandError(
            f"`{name}` is a word of the language itself: choose another name", USAGE
        )
    taken = next((each for each in words.words if name in (each.name, each.plural)), None)
    if taken is not None:
        place = f"{taken.span.file}:{taken.span.line}"
        said = f"{taken.sort} {taken.name} at {place}"
        raise CommandError(f"`{name}` is taken ({said}): choose another name", USAGE)
    if name in world.owners:
        said = f"{world.owners[name][0]} {name}"
        raise CommandError(f"`{name}` is taken ({said}): choose another name", USAGE)


def title_of(name: str) -> str:
    """Return what players read: the name without the id of its mod, each word with a capital."""
    return " ".join(word.capitalize() for word in name.rpartition(".")[2].split("-"))
