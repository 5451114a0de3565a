"""What the log says of a choice, with what was offered and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.interpreter.asked_words import AskedWords
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.unseen import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.log.reader import Entry


def choices(words: AskedWords, at: int) -> list[Entry]:
    """Return the entries of a choice that is not carried out yet.

    Answers in secret are told once they are all there: before that they are nobody's business.
    """
    setting, st, ask = words.setting, words.st, words.ask
    if not ask.sealed:
        return [_entry(words, st.options, at)]
    answers = list(st.answers or [-1] * setting.layout.players)
    answers[words.player] = at
    if -1 in answers:
        return []
    return [
        _entry(AskedWords(setting, st, ask, player), raw, chosen)
        for player, (raw, chosen) in enumerate(zip(st.options, answers, strict=True))
    ]


def _entry(words: AskedWords, offered: Sequence[int], at: int) -> Entry:
    st, option = words.st, offered[at]
    said = words.effect(option), words.values_of(option), words.values()
    seen = shown(words.setting, st, words.ask, offered, words.player)
    return (CHOICE, st.learned, words.player, st.frames[-1][0], option, *said, seen)
