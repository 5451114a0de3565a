"""What the log says of a choice, with what was offered and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.interpreter.asked_words import effect_named, label_words, words
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.unseen import shown

if TYPE_CHECKING:
    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.setting import Setting


def choices(
    setting: Setting,
    st: Any,  # noqa: ANN401 - the state class is made at run time
    ask: Ask,
    player: int,
    at: int,
) -> list[tuple[Any, ...]]:
    """Return the entries of a choice that is not carried out yet; `player` is from 0.

    Answers in secret are told once they are all there: before that they are nobody's business.
    """
    if ask.sealed:
        return _answers(setting, st, ask, player, at)
    raw = st.options[at]
    label = effect_named(setting, st, ask, raw, player), label_words(setting, st, ask, raw, player)
    offered = shown(setting, st, ask, st.options, player)
    said = (raw, *label, words(setting, st, ask, 0, player), offered)
    return [(CHOICE, st.learned, player, st.frames[-1][0], *said)]


def _answers(
    setting: Setting,
    st: Any,  # noqa: ANN401 - the state class is made at run time
    ask: Ask,
    player: int,
    at: int,
) -> list[tuple[Any, ...]]:
    answers = list(st.answers or [-1] * setting.layout.players)
    answers[player] = at
    if -1 in answers:
        return []
    found: list[tuple[Any, ...]] = []
    for each, (raw, chosen) in enumerate(zip(st.options, answers, strict=True)):
        option, offered = raw[chosen], shown(setting, st, ask, raw, each)
        said = label_words(setting, st, ask, option, each), words(setting, st, ask, 0, each)
        found.append((CHOICE, st.learned, each, st.frames[-1][0], option, None, *said, offered))
    return found
