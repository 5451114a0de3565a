"""`coloma rules`: the rulebook of a game, topic by topic."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

from coloma.commands.parameters import ModNames, OptionTexts, PlayerNumber
from coloma.errors import USAGE, CommandError


def rules(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME] [TOPIC]",
            help="A pack, as a folder or a name, and a topic, or a word of the game.",
        ),
    ] = None,
    players: PlayerNumber = None,
    option: OptionTexts = None,
    mod: ModNames = None,
) -> None:
    """Show the rules of a game: the summary, or what it says about a topic.

    All numbers are those of the content, for the players, options and mods that are named.
    """
    from coloma.loading import load_setting
    from coloma.session.answers import SessionStopped, StandardInput
    from coloma.session.leafing import leaf
    from coloma.session.screen import screen_for
    from coloma.topics import contents, find_topic, topic_lines

    pack, topic = _told_apart(words or [])
    chosen = load_setting(pack, mod, option, players)
    book = chosen.pack.rulebook(chosen.seats, chosen.options)
    found = find_topic(book, topic)
    if isinstance(found, str):
        raise CommandError(found, USAGE)
    lines = list(topic_lines(found))
    if not topic:
        lines += ["", "Topics, for `coloma rules TOPIC`:", *contents(book)]
    with suppress(SessionStopped):  # whoever ends the input has read enough
        leaf(lines, screen_for(plain=False), StandardInput())


def _told_apart(words: list[str]) -> tuple[str | None, str]:
    """Return the pack, if the first word is one, and the topic."""
    from coloma.catalogue import pack_folder

    if not words:
        return None, ""
    try:
        pack_folder(words[0])
    except CommandError:
        return None, " ".join(words)
    return words[0], " ".join(words[1:])
