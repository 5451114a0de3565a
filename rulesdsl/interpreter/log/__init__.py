"""The log: what happened, in words, each viewer reading what they may know.

Compiled code notes raw entries: numbers of events and their values.  `reader` makes a `LogLine`
of each, a clause in parts (who, verb, objects, amounts) with its rule lines; `changes` knows the
words for what moves or changes.  `story` reads many lines as people tell them: one sentence for
each act, its costs and gains folded in, under the parts of the game.  Start with `lines`.
"""

from __future__ import annotations

from rulesdsl.interpreter.log.lines import Amount, Clause, LogLine
from rulesdsl.interpreter.log.reader import CHOICE, LogReader
from rulesdsl.interpreter.log.story import StoryLine, story

__all__ = ["CHOICE", "Amount", "Clause", "LogLine", "LogReader", "StoryLine", "story"]
