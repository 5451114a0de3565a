"""The rules behind what happened, behind what is asked, and behind what is not offered."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from coloma.session.news import folded, told
from coloma.session.screen import shown
from coloma.session.words import menu
from rulesdsl import Action, Decision, Game
from rulesdsl.source.span import SourceFile, Span

_NOT = "not"
_MOST_RULES = 8  # behind one line of the log
_MOST_LISTED = 8
_MOST_QUESTIONS = 3  # in which one and the same option may be offered


class RuleLines:
    """The texts of the content, read when somebody first asks for a reason."""

    def __init__(self, read_sources: Callable[[], Mapping[str, SourceFile]]) -> None:
        self._read_sources = read_sources

    def reasons(self, game: Game, decision: Decision, viewer: int, asked: str) -> Iterator[str]:
        """Answer `why`: of the question, of a line of the log (`why 2`), of `why not WORDS`."""
        word, _, words = asked.partition(" ")
        if word.casefold() == _NOT:
            yield from self._why_not(game, decision, viewer, words.strip())
        elif asked.isdecimal() and len(asked) <= 6 and int(asked):  # noqa: PLR2004 - of a log
            yield from self._behind(game, viewer, int(asked))
        elif asked:
            yield "Type why, why 2 for the last line of the log but one, or why not WORDS."
        else:
            yield f"{decision.prompt}"
            yield from map(self._quoted, decision.rules)

    def _behind(self, game: Game, viewer: int, back: int) -> Iterator[str]:
        """Yield a line of the story, the last or an earlier one, and the rules behind it."""
        lines = game.story(viewer)
        if back > len(lines):
            yield f"The log has no more than {len(lines)} lines."
            return
        line = lines[-back]
        yield from told([line])
        last = line.first if line.level == "part" else line.last
        changes = game.log[line.first : last + 1]
        rules = dict.fromkeys(e for each in changes if each.seen(viewer) for e in each.rules)
        quoted = [*folded(map(self._quoted, rules))]
        yield from quoted[:_MOST_RULES]
        if len(quoted) > _MOST_RULES:
            yield f"  and {len(quoted) - _MOST_RULES} more"
        if not quoted:
            yield "  No rule brought that about: it was chosen."

    def _why_not(self, game: Game, decision: Decision, viewer: int, words: str) -> Iterator[str]:
        """Yield why an option is not offered; of several, a list."""
        for line in menu(decision.options):
            if words == str(line.number):
                yield f"{line.label} is offered: type {line.number}."
                return
        found = named(game.actions, decision, words)
        if not words or not found:
            near = "Say which option: why not, and a word of it."
            yield f"This game has no option that is called `{words}`." if words else near
            return
        several = list(dict.fromkeys((each.label, each.id) for each in found))
        if len(several) > 1:
            yield f"`{words}` can be:"
            yield from (
                f"  {shown(label)} (why not {name})" for label, name in several[:_MOST_LISTED]
            )
            if len(several) > _MOST_LISTED:
                yield f"  and {len(several) - _MOST_LISTED} more"
            return
        for each in found[:_MOST_QUESTIONS]:
            reason = game.why_not(each, viewer)
            yield f"{shown(each.label)}: {shown(reason.text)}"
            yield self._quoted(reason.rule)

    def _quoted(self, place: Span) -> str:
        source = self._sources.get(place.file)
        text = shown(source.line(place.line)) if source else ""
        return f"  {self._below_the_game(place.file)}:{place.line}: {text}".rstrip(": ")

    def _below_the_game(self, file: str) -> str:
        """Return a path as it is inside the game: where that lies helps nobody who plays it."""
        whole, folders = Path(file).absolute(), (Path(each).parent for each in self._sources)
        try:
            around = os.path.commonpath([each.absolute() for each in folders])
        except ValueError:  # there are none, or a mod is on another drive than its game
            return file
        return whole.relative_to(around).as_posix() if whole.is_relative_to(around) else file

    @cached_property
    def _sources(self) -> Mapping[str, SourceFile]:
        return self._read_sources()


def named(actions: Sequence[Action], decision: Decision, words: str) -> list[Action]:
    """Return the options of a game that words name: those of the open question first of all.

    An option that is called exactly so comes before those that only have the word in them.
    """
    wanted = words.casefold()
    open_now = [each for each in actions if each.asked_in == decision.number]
    for where in (open_now, actions):
        exact = [each for each in where if wanted in (each.id.casefold(), each.label.casefold())]
        if exact:
            return exact
    for where in (open_now, actions):
        parts = [
            each for each in where if wanted and wanted in f"{each.id} {each.label}".casefold()
        ]
        if parts:
            return parts
    return []
