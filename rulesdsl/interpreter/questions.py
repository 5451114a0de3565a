"""Ids of questions: words from content that stay the same from game to game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.interpreter.labels import slug

if TYPE_CHECKING:
    from rulesdsl.interpreter.labels import Labels


def question_ids(labels: Labels) -> dict[int, str]:
    """Return the id of each question, by its number: what asks, and the words around its values.

    `juggle:which-ball` is asked by `juggle`.  Of those that are the same word for word, the
    second one is `juggle:which-ball-2`.
    """
    found: dict[int, str] = {}
    times: dict[str, int] = {}
    for number, ask in labels.engine.asks.items():
        words = "" if ask.end.prompt is None else slug(" ".join(ask.end.prompt.said))
        name = f"{ask.proc.partition('/')[0]}:{words}"
        times[name] = times.get(name, 0) + 1
        found[number] = name if times[name] == 1 else f"{name}-{times[name]}"
    return found
