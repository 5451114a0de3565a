"""The log as text, redacted for each viewer.

Compiled code appends raw entries: event numbers and values. `reader.LogReader` turns each into a
`LogLine` (`lines`), a clause in parts (subject, verb, objects, amounts) with its rule lines;
`sentences` holds the wording of changes, and `facts` who knows which pieces these concern.
`story.story` condenses lines to one sentence for each act, costs and gains included, under
headings for parts of the game. `gains` tells what brought the points.
"""

from __future__ import annotations

from rulesdsl.interpreter.log.digest import digest, own_answers
from rulesdsl.interpreter.log.gains import Gain, gains
from rulesdsl.interpreter.log.lines import Amount, Clause, LogLine
from rulesdsl.interpreter.log.reader import LogReader
from rulesdsl.interpreter.log.story import StoryLine, story

__all__ = [
    "Amount",
    "Clause",
    "Gain",
    "LogLine",
    "LogReader",
    "StoryLine",
    "digest",
    "gains",
    "own_answers",
    "story",
]
