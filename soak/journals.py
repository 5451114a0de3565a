"""`python -m soak journals`: test that corrupted journals are either refused or playable.

Each number is a case: the journal of a game between bots is changed in one to three places and
resumed. A refusal must be an error of one line; an accepted journal must be playable to the
end.
"""

from __future__ import annotations

import random
import tempfile
import tomllib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cattrs
import tomli_w

import rulesdsl
from coloma import loading
from coloma.output import CommandError
from coloma.session.start import resume
from rulesdsl.table.errors import JournalError
from rulesdsl.table.journal import (
    By,
    End,
    JournalChoice,
    JournalHeader,
    JournalWriter,
    Undo,
    read_journal,
)
from soak.games import a_setting
from soak.packs import folders_of
from soak.saves import OF_DATA, played_on
from soak.sitting import Case, Outcome, Sitting

MAX_CHOICES = 60
ODD_TEXTS = (
    *("9" * 5_000, f"0x{'f' * 5_000}", "[" * 3_000 + "]" * 3_000, "1e999", "nan", "1979-05-27"),
    *('"\\u0000"', '"""', "'", "\x00", "\x1b[31m", "\u2028", "\ud7ff", "[[choice]]", "[[undo]]"),
    *(".".join(["a"] * 2_000) + " = 1", "[[a]]", "[a]", "=", "\\", "#", "player = 1", "\n\n"),
)


def run(pack: str, count: int, seed: int, jobs: int) -> int:
    """Run the cases; return the exit status."""
    numbers = range(seed, seed + count)
    once = lru_cache(maxsize=8)(loading.load_pack)
    with (
        tempfile.TemporaryDirectory(prefix="journals-") as place,
        folders_of(pack) as folder,
        patch.object(loading, "load_pack", once),  # shared by all cases
        patch.object(JournalWriter, "sync"),  # slow, and of no use here
    ):
        one_of = lambda number: one(folder(number), Path(place), number)  # noqa: E731
        return Sitting(f"journals {pack}", numbers, one_of).run(jobs)


def one(path: str, folder: Path, number: int) -> Case:
    """Corrupt and resume one journal."""
    chance = random.Random(number)
    text = a_journal(path, chance)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        change: Callable[[str, random.Random], str] = chance.choice(CHANGES)
        text = change(text, chance)
    return tried(folder / f"{number}.toml", text, chance)


def tried(file: Path, text: str, chance: random.Random) -> Case:
    """Resume a journal and play the game to its end; return the outcome."""
    file.write_bytes(text.encode("utf-8", errors="surrogateescape"))
    with_current = chance.random() < 1 / 2
    try:
        read_journal(file)
        table = resume(file, with_current=with_current).table
    except (CommandError, JournalError) as error:
        if "\n" in str(error):
            return Case(Outcome.FAILED, f"several lines: {str(error)[:500]!r}", text)
        return Case(Outcome.REFUSED, str(error)[:500])
    except Exception as error:  # noqa: BLE001 - any exception is a failure
        return Case(Outcome.FAILED, repr(error)[:500], text)
    try:
        if table.journal:
            table.journal.close()
        played_on(table.game, chance)
    except Exception as error:  # noqa: BLE001 - as above
        return Case(Outcome.FAILED, f"accepted, then {error!r}"[:500], text)
    return Case(Outcome.PLAYED, "")


def a_journal(path: str, chance: random.Random) -> str:
    """Return the journal of a random game, as a session would write it."""
    folder = Path(path)
    pack = loading.load_pack(folder)
    players = chance.randint(*_rules(path).players)
    chosen = a_setting(_rules(path), players, random.Random(chance.randrange(6)))
    seed = chance.randrange(2**31)
    header = JournalHeader(
        game=pack.id,
        version=pack.version,
        pack=str(folder.resolve()),
        digest=pack.digest,
        players=players,
        bots=("random",) * chance.randint(0, players),
        seed=seed,
        names=("Ann",) if chance.random() < 1 / 2 else (),
        options=chosen.options,
        files=dict(pack.files),
    )
    tables = [tomli_w.dumps(cattrs.unstructure(header))]
    game = pack.new_game(players, seed, chosen.options)
    choices = 0
    while (decision := game.decision) and choices < chance.random() * MAX_CHOICES:
        index = chance.randrange(decision.count)
        by = chance.choice((By.PERSON, By.BOT))
        choice = JournalChoice(decision.player, decision.options[index].id, by)
        game.choose(index, player=decision.player)
        choices += 1
        tables.append(f"\n[[choice]]\n{tomli_w.dumps(cattrs.unstructure(choice))}")
    if choices and chance.random() < 1 / 4:
        undo = Undo(choices, chance.randint(1, choices))
        tables.append(f"\n[[undo]]\n{tomli_w.dumps(cattrs.unstructure(undo))}")
    if game.over:
        tables.append(f"\n[[end]]\n{tomli_w.dumps(cattrs.unstructure(End('Ann wins.')))}")
    return "".join(tables)


@lru_cache(maxsize=8)
def _rules(path: str) -> rulesdsl.Pack:
    return rulesdsl.load(path)


# -------------------------------------------------------------------- changes
def _other_data(text: str, chance: random.Random) -> str:
    change: Callable[[Any, random.Random], str] = chance.choice(OF_DATA)
    try:
        data = tomllib.loads(text)
        change(data, chance)
        return tomli_w.dumps(data)
    except (TypeError, ValueError, RecursionError):
        return text


def _odd_text(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(ODD_TEXTS) + text[at + chance.choice((0, 0, 1, 5)) :]


def _odd_value_text(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    name, sign, _ = lines[at].partition(" = ")
    lines[at] = f"{name} = {chance.choice(ODD_TEXTS)}" if sign else lines[at]
    return "\n".join(lines)


def _lines(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(one, lines[other])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:
            lines[one:one] = lines[min(one, other) : max(one, other)]
    return "\n".join(lines)


def _cut(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text) + 1)]


def _other_sign(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chr(chance.choice((*range(128), 0x9B, 0x202E, 0xDC80))) + text[at + 1 :]


CHANGES = (
    *(_other_data, _other_data, _other_data, _odd_text),
    *(_odd_value_text, _lines, _cut, _other_sign),
)
