"""What a question would say of pieces that those who are asked do not see: it must not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.setting import Setting


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
    eyes = setting.views.eyes[kind][cells_of(st, f"w:{kind}")[piece]]
    return eyes in {None, player + 1} or _has_looked(setting, st, player, kind, piece)


def _has_looked(setting: Setting, st: Any, player: int, kind: str, piece: int) -> bool:  # noqa: ANN401
    """Whether a player has looked at a piece since it came to where it lies; the log says it."""
    events = setting.engine.events
    for number, _, actor, *values in reversed(st.log):
        event = None if number == CHOICE else events[number]
        if event is None or event.subject != kind:
            continue
        if event.kind == "peek" and actor == player and piece in values[0]:
            return True
        if event.kind == "piece" and values[0] == piece:
            return False
        if event.kind == "shuffle" and piece in values[1]:
            return False
    return False
