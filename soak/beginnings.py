"""Random lines at the questions before a game, and a judge of the settings that come of them.

A setting is the one in brackets if the last line at its question is empty; otherwise the line
names it, by its number on the screen, by its id, or by words that begin words of it, in order.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import attrs

import rulesdsl
from coloma import loading
from coloma.packs import PackSummary, introduce
from coloma.session.answers import NO_PROMPT, Prompt, SessionCommand, SessionStopped
from coloma.session.before.asking import Asking
from coloma.session.screen import Screen
from coloma.session.start import Wish
from rulesdsl import Pack

WORD = re.compile(r"\w+")
SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789 .:-?!'"
_WORDS = ("back", "back", "choose", "another", "games", "rules x", "y", "n", "?")
_MOST_LINES = 60  # for one dialogue
_ENTERS = 0.3  # house: share of empty lines
_LETTERS = {"y": "on", "yes": "on", "n": "off", "no": "off"}


@cache
def _load(folder: Path, mods: Sequence[Path] = ()) -> Pack:
    return rulesdsl.load(folder, mods)


@attrs.frozen
class _Answer:
    """Line that was typed last at a question, and what was printed above the question."""

    question: str
    line: str
    printed: str

    @property
    def text(self) -> str:
        """The line, or the answer in brackets for an empty one."""
        return self.line or self.question.rpartition("[")[2].rpartition("]")[0]

    @property
    def number(self) -> str:
        """The text of a number, with or without a dot."""
        return self.text.removesuffix(".")

    @property
    def meaning(self) -> str:
        """The text, or the label of a number in the menu that was printed last."""
        labels = dict(re.findall(r"^  (\d+)\. (.*)$", self.printed, re.MULTILINE))
        return str(labels.get(self.number, self.text))


@attrs.define
class Beginner:
    """Source of lines for one dialogue, and judge of the settings that come of it."""

    chance: random.Random
    typed: int = 0
    wrong: list[str] = attrs.Factory(list)
    is_terminal: bool = True
    _out: StringIO = attrs.Factory(StringIO)
    _above: str = ""  # what was printed before the open question
    _read: int = 0  # length of the output so far
    _last: tuple[str, str] = ("", "")  # a question and the line that was typed there
    _answers: list[_Answer] = attrs.Factory(list)

    def begin(self) -> bool:
        """Answer the questions; return whether a game would begin."""
        try:
            with redirect_stdout(self._out), patch.object(loading, "load_pack", _load):
                wish = Asking(Screen(plain=True), self).wish()
        except SessionStopped:
            return False
        if not isinstance(wish, Wish):  # a lesson
            return False
        self._pass("none")
        self.wrong += self._misread(wish)
        return True

    def next_line(self, prompt: Prompt = NO_PROMPT) -> str:
        """Return a random line."""
        if self.typed >= _MOST_LINES:
            raise SessionStopped("Enough.")
        self._pass(prompt.text)
        self._read = len(self._out.getvalue())
        self.typed += 1
        line = "" if self.chance.random() < _ENTERS else self._line(prompt.completions(""))
        if line.casefold() in {SessionCommand.QUIT, "q", "exit"}:
            line = ""
        self._last = (prompt.text, line.strip())
        return line

    def refuse(self, advice: str) -> str:
        """Return the advice."""
        return advice

    def _line(self, offered: Sequence[str]) -> str:
        chance, line = self.chance, self.chance.choice(offered)
        match chance.randrange(5):
            case 0:
                return "".join(chance.choices(SIGNS, k=chance.randint(0, 6)))
            case 1:
                return str(chance.choice([*SessionCommand, *_WORDS]))
            case 2:
                return f"{chance.randint(-1, len(offered))}{chance.choice(['', '.'])}"
            case 3:
                return line
            case _:
                word: str = chance.choice(WORD.findall(line) or ["?"])
                return word[: chance.randint(1, len(word))]

    def _pass(self, question: str) -> None:
        """Keep the last line if it was an answer, so that another question has come."""
        before, line = self._last
        if before == question:
            return
        if line.casefold() == "back":
            del self._answers[-1:]
        elif before:
            self._answers.append(_Answer(before, line, self._above))
        self._above = self._out.getvalue()[self._read :]

    def _asked_of(self, game: PackSummary) -> Sequence[_Answer]:
        """Return the answers from the last first screen on, and the one that led to it."""
        screen = f"{game.name}: what now?"
        last = max(at for at, each in enumerate(self._answers) if each.question.startswith(screen))
        before = self._answers[max(last - 1, 0)].question.startswith("Which game")
        return self._answers[last - before :]

    @property
    def _chose(self) -> bool:
        return any(
            each.question.startswith(("How many", "Name", "Change")) for each in self._answers
        )

    def _misread(self, wish: Wish) -> Iterator[str]:
        """Yield the settings that no line has named."""
        folder = Path(wish.pack or "")
        game = introduce(folder)
        options = {option.title: option.name for option in _load(folder).options}
        names, values = iter(wish.names), dict(text.split("=", 1) for text in wish.options)
        typed = {answer.question.partition("? ")[0]: answer for answer in self._asked_of(game)}
        for question, answer in typed.items():
            meaning = answer.meaning
            title = next((title for title in options if question.startswith(f"{title}: ")), "")
            if title:
                value = values.pop(options[title])
                word = _LETTERS.get(meaning.casefold(), meaning)
                fits = answer.number == value or begins_words(word, value)
            elif question.startswith("Which game"):
                label = f"{game.name} {game.version}"
                fits = meaning.casefold() == game.id or begins_words(meaning, label)
            elif question.endswith("what now"):
                way = "Choose" if self._chose else "Play alone"
                fits = begins_words(meaning.partition(":")[0], way)
            elif question.startswith("Name of"):
                fits = answer.text == next(names)
            elif question.startswith("Change"):
                fits = meaning.startswith("0") or begins_words(meaning, "start the game")
            elif question.startswith("Easy"):
                fits = begins_words(meaning, wish.bots[0])
            else:
                number = wish.players if "players" in question else len(wish.bots)
                fits = answer.number == str(number)
            if not fits:
                yield f"{question}? `{answer.line}` gave {wish}"
        if values or [*names]:
            yield f"nothing was typed for {values} of {wish}"


def begins_words(line: str, label: str) -> bool:
    """Return whether the words of a line begin words of a label, in their order."""
    labels = [*WORD.findall(label.casefold())]
    for word in WORD.findall(line.casefold()):
        at = next((at for at, other in enumerate(labels) if other.startswith(word)), None)
        if at is None:
            return False
        labels = labels[at + 1 :]
    return bool(WORD.search(line))
