"""`python -m soak answers`: test that a typed line chooses nothing that it does not name.

Random short lines are typed at the questions before a game (`beginnings.py`), and at a terminal of
one or two people, at every kind of question. Each choice is compared with the lines before it by
rules written here: a line names an option by the number on the screen, by its id, or by words that
begin words of its label, in their order. A final choice that is named by a part of its words needs
a second line.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import attrs

import rulesdsl
from coloma.session.answers import NO_PROMPT, Prompt, SessionCommand, SessionStopped, numbered
from coloma.session.line_session import LineSession
from coloma.session.log_view import RuleLines
from coloma.session.screen import Screen
from rulesdsl import Decision, Option, Rulebook
from rulesdsl.bots.bot import ByWeight, all_alike
from rulesdsl.table.seating import Seating
from rulesdsl.table.table import GameTable
from soak.beginnings import SIGNS, WORD, Beginner, begins_words

_QUIET = frozenset({SessionCommand.SAVE, SessionCommand.HINT, SessionCommand.QUIT})
_MOST_LINES = 400  # for one game
_BEFORE_GAMES = 0.25  # house: share of lines that are typed before games


def run(pack: str, count: int, seed: int, mods: Sequence[str] = ()) -> int:
    """Type lines into sessions and print the results; return the exit status."""
    loaded, chance = rulesdsl.load(Path(pack), [*map(Path, mods)]), random.Random(seed)
    typed, settings, choices, wrong = 0, 0, 0, list[str]()
    while typed < count * _BEFORE_GAMES:
        beginner = Beginner(chance)
        if beginner.begin():
            settings += 1
        typed, wrong = typed + beginner.typed, wrong + beginner.wrong
    while typed < count:
        typist = _Typist(loaded, chance)
        typist.play()
        typed, choices = typed + typist.typed, choices + typist.choices
        wrong += typist.wrong
    print(
        f"{typed} lines, {settings} games set up, {choices} choices",
        *wrong[:20],
        f"{len(wrong)} wrong",
        sep="\n",
    )
    return 1 if wrong else 0


@attrs.define
class _Typist:
    """Source of lines for one game, and judge of what they do."""

    pack: rulesdsl.Pack
    chance: random.Random
    typed: int = 0
    choices: int = 0
    wrong: list[str] = attrs.Factory(list)
    is_terminal: bool = True
    _lines: list[str] = attrs.Factory(list)  # since the last choice
    _table: GameTable | None = None

    def play(self) -> None:
        """Play a game with one or two people, and random bots on the other seats."""
        least, most = self.pack.players
        players = self.chance.randint(max(least, min(2, most)), min(most, 3))
        game = self.pack.new_game(players, self.chance.getrandbits(30))
        people = self.chance.randint(1, min(2, players))
        seating = Seating.with_last(players, ["random"] * (players - people))
        table = GameTable(game, seating, None, lambda _: ByWeight(all_alike))
        self._table, choose = table, table.choose

        def judged(decision: Decision, index: int) -> None:
            self.choices += 1
            self._judge(table, decision, index)
            self._lines.clear()
            choose(decision, index)

        table.choose = judged  # type: ignore[method-assign] # observe each choice
        empty = Rulebook(())
        rules = RuleLines(dict, lambda: empty)
        session = LineSession(table, Screen(plain=True), self, rules, lambda: empty)
        try:
            with redirect_stdout(StringIO()):
                session.play()
        except SessionStopped:
            pass

    def _judge(self, table: GameTable, decision: Decision, index: int) -> None:
        option, lines = decision.options[index], self._lines
        namings = [line for line in lines if _names(line, decision, index)]
        if not namings:
            self.wrong.append(f"{lines[-3:]} chose `{option.label}`")
            return
        is_final = table.final_options(decision)[index]
        whole = any(_is_exact(line, decision, index) for line in lines)
        agreed = sum(line.casefold() in {"y", "yes"} for line in lines) + len(namings)
        if is_final and not whole and agreed < 2:  # noqa: PLR2004 - the answer and its confirmation
            self.wrong.append(f"{lines[-3:]} chose `{option.label}` for good")

    def next_line(self, prompt: Prompt = NO_PROMPT) -> str:  # noqa: ARG002 - not shown
        """Return a random line."""
        if self.typed >= _MOST_LINES:
            raise SessionStopped("Enough.")
        self.typed += 1
        line = self._line()
        while line.partition(" ")[0] in _QUIET:
            line = self._line()
        self._lines.append(" ".join(line.split()))
        return line

    def refuse(self, advice: str) -> str:
        """Return the advice."""
        return advice

    def _line(self) -> str:
        assert self._table is not None
        decision, chance = self._table.game.decision, self.chance
        options = decision.options if decision else ()
        kind = chance.random()
        if not options or kind < 0.1:  # noqa: PLR2004 - house: shares of kinds of lines
            return "".join(chance.choices(SIGNS, k=chance.randint(0, 6)))
        if kind < 0.2:  # noqa: PLR2004
            return str(chance.choice([*SessionCommand, "y", "n", "exit", "?"]))
        option = chance.choice(options)
        if kind < 0.4:  # noqa: PLR2004
            return f"{chance.randint(-1, len(options) + 3)}{chance.choice(['', '.'])}"
        if kind < 0.5:  # noqa: PLR2004
            names = (option.id, option.id.rpartition(":")[2], option.label)
            return str(chance.choice(names))
        return " ".join(self._parts_of(option))

    def _parts_of(self, option: Option) -> Iterator[str]:
        words = WORD.findall(option.label) or ["?"]
        for word in self.chance.sample(words, self.chance.randint(1, min(3, len(words)))):
            yield word[: self.chance.randint(1, len(word))]


def _names(line: str, decision: Decision, index: int) -> bool:
    option = decision.options[index]
    if _is_exact(line, decision, index):
        return True
    return begins_words(line, option.label) or _is_start_of_two(line, option)


def _is_start_of_two(line: str, option: Option) -> bool:
    """Return whether a line begins or ends with a whole word of the label, as in `e2e4`."""
    small = line.casefold()
    words = [word for word in WORD.findall(option.label.casefold()) if len(word) > 1]
    return any(small.startswith(word) or small.endswith(word) for word in words)


def _is_exact(line: str, decision: Decision, index: int) -> bool:
    option, small = decision.options[index], line.casefold()
    digits = re.sub(r"^[\w-]+ (?=\d)", "", small).removesuffix(".")
    if digits.isdecimal() and int(digits) == numbered(decision.options)[index].number:
        return True
    short = {"y": "yes", "n": "no"}.get(small, small)
    label = option.label.casefold()
    thing = re.split(r": | \(", label)[0] if option.about else label
    return short in {option.id.casefold(), label, thing}
