"""Tests of rules, from text to the outcome of playing them.

A file of `outcomes/` consists of chunks, separated by empty lines:

    # a name, or any other comment
    the turn of each player
    ---
    more rules
    --- cards.toml
    another file of the pack
    @ players 2             a setting, see `Chunk`
    > two three             options to choose, one after another
    => fame: 2 3            a fact, see `FACTS`, and its value

`pytest -n 0 --update-golden tests/interpreter/test_outcomes.py` rewrites the values of facts.
"""

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest

import rulesdsl
from packs_on_the_fly import BOX, SEEDS, box_with_game, carried_on, rows_of, written
from soak.playouts import compare
from some import some

EVERY = 4  # chunks of which one is played in lockstep, which takes as long as all the rest
FOLDER = Path(__file__).parent / "outcomes"
FACT = re.compile(r"=> ([^:]+): (.*)")


@attrs.frozen
class Chunk:
    """Rules, choices and settings.

    The settings are `players`, `seed`, `viewer`, `game LINE` (executed before the turns),
    `box OLD => NEW` and `open` (a question is still open after all choices).
    """

    lines: tuple[str, ...]

    def __str__(self) -> str:
        return self.lines[0].removeprefix("# ")

    def starting(self, mark: str) -> list[str]:
        """Return the lines that begin with a mark, with the mark removed."""
        return [each.removeprefix(mark) for each in self.lines if each.startswith(mark)]

    def setting(self, name: str, default: int | None) -> int | None:
        found = self.starting(f"@ {name} ")
        return int(found[0]) if found else default

    @property
    def facts(self) -> list[str]:
        """The names of the expected facts."""
        found = (FACT.fullmatch(each) for each in self.lines)
        return list(dict.fromkeys(each[1] for each in found if each))

    def files(self) -> dict[str, str]:
        """Return the turn as `act`, further rules as `more`, and other files under their names."""
        found: dict[str, list[str]] = {"act": [], "more": []}
        name = "act"
        for each in self.lines:
            if each.startswith("---"):
                name = each[4:] or "more"
                found[name] = []
            elif not each.startswith(("# ", "@ ", "> ", "=> ")):
                found[name].append(each)
        return {name: "\n".join(lines) + "\n" for name, lines in found.items()}

    def write(self, folder: Path) -> Path:
        game = self.starting("@ game ")
        box = box_with_game(*game) if game else BOX
        for each in self.starting("@ box "):
            old, _, new = each.replace("\\n", "\n").partition(" => ")
            assert old in box, old
            box = box.replace(old, new)
        files = self.files()
        written(folder, files.pop("act"), files.pop("more"), box=box)
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
        return folder


@attrs.define
class Run:
    """A pack played with the choices of a chunk, or its errors."""

    chunk: Chunk
    errors: rulesdsl.LintError | None = None
    games: list[rulesdsl.Game] = attrs.field(factory=list)
    asked: list[list[str]] = attrs.field(factory=list)

    @property
    def game(self) -> rulesdsl.Game:
        if self.errors is not None:
            raise self.errors
        return self.games[0]

    @property
    def state(self) -> dict[str, list[int]]:
        return dict(self.game.position_data()["state"])

    @property
    def decision(self) -> rulesdsl.Decision:
        return some(self.game.decision)

    @property
    def result(self) -> rulesdsl.Result:
        return some(self.game.result)

    @property
    def viewer(self) -> int | None:
        return self.chunk.setting("viewer", None)

    def rows(self, seat: int | None) -> dict[str, str]:
        """Return a seat's rows on the board that the viewer sees."""
        panels = (each for each in self.game.board(self.viewer) if each.seat == seat)
        shown = (each for each in panels if isinstance(each.body, rulesdsl.Rows))
        return dict(row for panel in shown for row in rows_of(panel))

    def log(self) -> list[str]:
        """Return the log for the viewer, or the whole log if there is no viewer."""
        if self.viewer is None:
            return [each.text for each in self.game.log if not each.quiet]
        return [text for each in self.game.log if (text := each.seen_text(self.viewer))]


def played(chunk: Chunk, folder: Path, *, lockstep: bool = True) -> Run:
    """Play with the choices of a chunk; in lockstep, both back ends must agree on the end."""
    chunk.write(folder)
    players, seed = chunk.setting("players", 1), chunk.setting("seed", 1)
    assert players is not None
    assert seed is not None
    try:
        pack = rulesdsl.load(folder, cache=False)
    except rulesdsl.LintError as error:
        return Run(chunk, error)
    game = pack.new_game(players, seed)
    choices = [each for line in chunk.starting("> ") for each in line.split()]
    if "@ open" in chunk.lines:
        for each in choices:
            game.choose(each)
        return Run(chunk, games=[game])
    if lockstep:
        compare(pack, players, {}, seed, SEEDS)
    done = carried_on(game, choices)
    return Run(chunk, games=[done.game], asked=done.asked)


def _why(run: Run, option: str) -> list[str]:
    actions = (each for each in run.game.actions if option in {each.id, each.former_id})
    reason = run.game.why_not(next(actions), 1)
    return [f"offered: {reason.text}" if reason.offered else reason.text]


def _grown(run: Run, option: str) -> list[str]:
    before = run.game.learned
    run.game.choose(option)
    return [str(run.game.learned - before)]


def _errors(run: Run) -> tuple[rulesdsl.Diagnostic, ...]:
    return run.errors.diagnostics if run.errors else ()


def _row(run: Run, words: str) -> list[str]:
    title, _, seat = words.partition(" of ")
    return [run.rows(int(seat) if seat else None)[title]]


def _view(run: Run, kind: str) -> list[str]:
    board: Any = run.game.view(run.viewer or 1)["board"]
    return [str(board[kind])]


def _verdict(found: rulesdsl.Verdict | None) -> str:
    return f"{found.word} {found.text}" if found else "none"


FACTS: dict[str, Callable[[Run, str], list[str]]] = {
    "codes": lambda run, _: [" ".join(each.code for each in _errors(run)) or "-"],
    "errors": lambda run, _: [f"{each.code} {each.message}" for each in _errors(run)],
    "fame": lambda run, _: [" ".join(map(str, run.state["t_fame"]))],
    "note": lambda run, _: [str(run.state["t_note"])],
    "state": lambda run, name: [str(run.state[name])],
    "asked": lambda run, _: [" ".join(each) for each in run.asked],
    "labels": lambda run, _: [each.label for each in run.decision.options],
    "prompt": lambda run, _: [run.decision.prompt],
    "row": _row,
    "view": _view,
    "log": lambda run, _: run.log(),
    "story": lambda run, _: [each.text for each in run.game.story(run.viewer or 0)],
    "brief": lambda run, _: [each.text for each in run.game.story(run.viewer or 0, brief=True)],
    "learned": lambda run, _: [str(run.game.learned)],
    "learned by": _grown,
    "score": lambda run, _: [str(each) for each in run.result.scores],
    "verdicts": lambda run, _: [*map(_verdict, run.result.verdicts)],
    "why": _why,
}


def _found(chunk: Chunk, folder: Path, *, lockstep: bool = True) -> dict[str, list[str]]:
    run = played(chunk, folder, lockstep=lockstep)
    found = {}
    for fact in chunk.facts:
        name = next(each for each in sorted(FACTS, reverse=True) if fact.startswith(each))
        found[fact] = FACTS[name](run, fact.removeprefix(name).strip()) or ["-"]
    return found


def _chunks(path: Path) -> Iterator[Chunk]:
    for part in re.split(r"\n\n+", path.read_text("utf-8").strip("\n")):
        yield Chunk(tuple(part.split("\n")))


FILES = sorted(FOLDER.iterdir())
ALL = [(path, chunk) for path in FILES for chunk in _chunks(path)]


@cache
def _rewritten(path: Path) -> dict[Chunk, rulesdsl.LintError]:
    """Rewrite a file, except chunks that fail the lint; return the errors of those chunks."""
    folder = Path(tempfile.mkdtemp())
    parts, failed = [], {}
    for at, chunk in enumerate(_chunks(path)):
        kept = [each for each in chunk.lines if not each.startswith("=> ")]
        try:
            facts = _found(chunk, folder / str(at))
            kept += [f"=> {fact}: {line}" for fact, lines in facts.items() for line in lines]
        except rulesdsl.LintError as error:
            kept, failed[chunk] = [*chunk.lines], error
        parts.append("\n".join(kept))
    shutil.rmtree(folder)
    path.write_text("\n\n".join(parts) + "\n", "utf-8")
    return failed


@pytest.mark.parametrize(
    ("path", "chunk"), ALL, ids=[f"{path.stem}: {chunk}" for path, chunk in ALL]
)
def test_what_comes_of_rules(
    path: Path, chunk: Chunk, tmp_path: Path, update_golden: bool
) -> None:
    if update_golden:
        if chunk in (failed := _rewritten(path)):
            raise failed[chunk]
        return
    expected: dict[str, list[str]] = {}
    for found in filter(None, map(FACT.fullmatch, chunk.lines)):
        expected.setdefault(found[1], []).append(found[2])
    assert expected
    assert _found(chunk, tmp_path, lockstep=ALL.index((path, chunk)) % EVERY == 0) == expected


@pytest.mark.nightly
@pytest.mark.parametrize("chunk", [chunk for _, chunk in ALL], ids=str)
def test_both_back_ends_play_it(chunk: Chunk, tmp_path: Path) -> None:
    played(chunk, tmp_path)
