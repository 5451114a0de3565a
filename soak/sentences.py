"""`python -m soak sentences`: test that every question and log line is a sentence."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import attrs

import rulesdsl
from rulesdsl.check import typed as ty
from rulesdsl.source.span import NOWHERE

GENERIC = frozenset({"what do you do?", "choose one.", "do this?", "go on?", "what next?", "?"})
_CODE = re.compile(r"->|→|[\w.-]+/:?\w|\{|\}|~|%\d")
_ENDLESS = 3000


@attrs.define
class Found:
    """Counts of questions by origin, and strings that are not sentences."""

    games: int = 0
    questions: Counter[str] = attrs.Factory(Counter)
    lines: int = 0
    wrong: Counter[str] = attrs.Factory(Counter)

    def told(self) -> str:
        """Return a summary in a few lines."""
        every = self.questions.total() or 1
        said = [f"{self.games} games, {every} questions, {self.lines} lines of the log"]
        said += [f"{name}: {100 * n / every:.1f} %" for name, n in self.questions.most_common()]
        said += [f"{count} times: {text}" for text, count in self.wrong.most_common(10)]
        return "\n".join([*said, f"{self.wrong.total()} wrong"])


def run(pack: str, count: int, seed: int) -> int:
    """Read random games and print the results; return the exit status."""
    found = read_games(rulesdsl.load(Path(pack)), count, seed)
    print(found.told())
    return 1 if found.wrong else 0


def read_games(pack: rulesdsl.Pack, games: int, seed: int) -> Found:
    """Check all questions and log lines of random games."""
    found = Found()
    least, most = pack.players
    for number in range(games):
        chance = random.Random(seed + number)
        game = pack.new_game(least + number % (most - least + 1), seed=seed + number)
        for _ in range(_ENDLESS):
            decision = game.decision
            if decision is None:
                break
            _read_question(decision, found)
            game.choose(chance.randrange(decision.count), decision.player)
        raw = {name for name in game.setting.labels.world.procs if "-" in name}
        for viewer in (None, 0, 1):
            for line in (*(e.text for e in game.story(viewer)), *(e.text for e in game.log)):
                found.lines += 1
                if code := _code_in(line, raw):
                    found.wrong[f"`{code}` in {line}"] += 1
        found.games += 1
    return found


def _read_question(decision: rulesdsl.Decision, found: Found) -> None:
    """Classify a question by its origin: its own text, or a verb with its subject."""
    end, said = decision.ask.end, decision.prompt
    words = end.prompt
    heading, _, asked = said.partition(": ")
    if said.lower() in GENERIC or words is None:
        kind = "generic"
    elif words.span != NOWHERE:
        kind = "a text of its own"
    elif asked and heading and not isinstance(end, ty.Secretly):
        kind = "the verb and what it is about"
    else:
        kind = "all at once" if isinstance(end, ty.Secretly) and asked else "generic"
    found.questions[kind] += 1
    if kind == "generic":
        found.wrong[f"question: {said}"] += 1
    for option in decision.options:
        if not option.label.strip() or _code_in(option.label, set()):
            found.wrong[f"option: {option.label} of {said}"] += 1


def _code_in(text: str, names: set[str]) -> str:
    code = _CODE.search(text)
    if code is not None:
        return code[0]
    return next((each for each in re.findall(r"[a-z]+(?:-[a-z0-9]+)+", text) if each in names), "")
