"""The log as text, redacted for each viewer.

Compiled code appends raw entries: event numbers and values. `reader.LogReader` turns each into a
`LogLine`, a clause in parts (subject, verb, objects, amounts) with its rule lines; `sentences`
holds the wording of changes. `story.story` condenses lines to one sentence for each act, costs and
gains included, under headings for the parts of the game.
"""

from __future__ import annotations

from rulesdsl.interpreter.log.knowers import CHOICE, Entry
from rulesdsl.interpreter.log.reader import LogReader
from rulesdsl.interpreter.log.sentences import Amount, Clause, LogLine
from rulesdsl.interpreter.log.story import StoryLine, story

__all__ = ["CHOICE", "Amount", "Clause", "Entry", "LogLine", "LogReader", "StoryLine", "story"]
