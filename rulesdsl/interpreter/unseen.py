"""What a question says of pieces that those who are asked do not see, and which it shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.interpreter.knowledge.frames import slots_of
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.setting import Setting


def shown(
    setting: Setting,
    st: Any,  # noqa: ANN401
    ask: Ask,
    options: Iterable[int],
    player: int,
) -> list[tuple[str, int]]:
    """Return the pieces, by kind, that the options of a question show to a player (from 0).

    They are those that lie where the player does not see them: somebody who searches a deck
    looks at what they choose from.
    """
    found: list[tuple[str, int]] = []
    for option in options if ask.hidden or ask.sealed else ():
        domain = ask.domain(option)
        kind = "" if domain is None else domain.element.of
        if domain is None or domain.element.family != "piece" or kind not in setting.views.printed:
            continue
        piece = ask.thing(option)
        if not _sees(setting, st, player, kind, piece):
            found.append((kind, piece))
    return found


def shown_now(game: Game, player: int) -> list[tuple[str, int]]:
    """Return the pieces, by kind, that a player (from 0) is shown by what they are asked now."""
    st = game.state
    if st.over:
        return []
    ask = game.setting.engine.asks[st.frames[-1][0]]
    if not ask.sealed and game.decisions[0].player != player + 1:
        return []
    options = st.options[player] if ask.sealed else st.options
    return shown(game.setting, st, ask, options, player)


def answers_now(game: Game) -> dict[int, str]:
    """Return what players (from 1) chose in secret, by its id, as long as it is not carried out.

    All know it as soon as all have answered, but for pieces that others do not see.
    """
    found = dict[int, str]()
    for frame in game.state.frames:
        for block, answers, turn in slots_of(game.setting, frame[0]).sealed:
            ask = game.setting.engine.asks[block]
            for player in range(frame[turn] - 1, game.players):
                named, _ = game.setting.labels.option(ask, frame[answers][player], None)
                found[player + 1] = named
    return found


def unseen(setting: Setting, st: Any, ask: Ask, player: int) -> Iterator[int]:  # noqa: ANN401
    """Yield which numbers in the words of a question are of pieces hidden from a player (from 0).

    What is known of a value in general, the words say themselves (`hidden_from_actor`).
    """
    words = ask.end.prompt
    if words is None or not any(words.faces):
        return
    frame, at = ask.filled(st.frames[-1], player), 0
    for value, seen, faces in zip(words.values, words.seen, words.faces, strict=True):
        wide = len(setting.labels.world.bundle_nouns) if value.type.family == "bundle" else 1
        pieces = ((each.type.of, int(frame[ask.slots[each.name]])) for each in faces)
        if seen == "nobody" and not all(_knows(setting, st, player, *each) for each in pieces):
            yield from range(at, at + wide)
        at += wide


def _knows(setting: Setting, st: Any, player: int, kind: str, piece: int) -> bool:  # noqa: ANN401
    """Whether a player sees a piece where it lies, or has looked at it there."""
    if piece < 0:
        return True
    seen = _sees(setting, st, player, kind, piece)
    return seen or _has_looked(setting, st, player, kind, piece)


def _sees(setting: Setting, st: Any, player: int, kind: str, piece: int) -> bool:  # noqa: ANN401
    return setting.views.eyes[kind][cells_of(st, f"w:{kind}")[piece]] in {None, player + 1}


def _has_looked(setting: Setting, st: Any, player: int, kind: str, piece: int) -> bool:  # noqa: ANN401
    """Whether a player has looked at a piece since it came to where it lies; the log says it."""
    events = setting.engine.events
    for number, _, actor, *values in reversed(st.log):
        if number == CHOICE:
            if actor == player and (kind, piece) in values[-1]:
                return True
            continue
        event = events[number]
        if event.subject != kind:
            continue
        if event.kind == "peek" and actor == player and piece in values[0]:
            return True
        if event.kind == "piece" and values[0] == piece:
            return False
        if event.kind == "shuffle" and piece in values[1]:
            return False
    return False
