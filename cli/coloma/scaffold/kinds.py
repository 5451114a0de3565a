"""Which kind of things is meant: by its name, a word of its title, or the name of its table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from coloma.errors import USAGE, CommandError
from rulesdsl.check.declare.names import plural_of
from rulesdsl.source.suggest import did_you_mean

if TYPE_CHECKING:
    from rulesdsl.check.world import KindInfo, World


def kinds_with_tables(world: World) -> list[KindInfo]:
    """Return the kinds whose entries are in a table: those that can have one more."""
    return [kind for kind in world.kinds.values() if kind.table is not None]


def find_kind(world: World, word: str) -> KindInfo:
    """Return the kind that a word means; `CommandError` with the list of all for any other."""
    known = kinds_with_tables(world)
    by_name = [kind for kind in known if word in (kind.name, kind.plural)]
    found = by_name or [kind for kind in known if word in _calls(kind)]
    game = world.manifest.name
    if len(found) > 1:
        raise CommandError(f"`{word}` can mean {_listed(found)}: use one of these words", USAGE)
    if found:
        return found[0]
    calls = {each for kind in known for each in (kind.name, *_calls(kind))}
    advice = did_you_mean(word, calls)
    if not known:
        raise CommandError(f"{game} has no tables to add something to", USAGE)
    raise CommandError(
        f"{game} has no kind of things called {word}"
        + (f" ({advice})" if advice else "")
        + f"\nnew things can be: {_listed(known)}",
        USAGE,
    )


def _calls(kind: KindInfo) -> set[str]:
    """Return the other words for a kind."""
    title = kind.title.lower()
    stem = PurePosixPath(kind.table or "").stem
    words = {title, *title.split(), stem}
    return words | {word for word in _cuts(stem) if plural_of(word) == stem}


def _cuts(stem: str) -> Iterable[str]:
    return (stem[:-1], stem[:-2], stem[:-3] + "y")


def _listed(kinds: Iterable[KindInfo]) -> str:
    return ", ".join(f"{kind.name} ({kind.title})" for kind in kinds)
