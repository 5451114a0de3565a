"""Judge of packs: each must be refused with findings, or be playable without a fault.

A pack without errors is compiled and played, choice by choice and in playouts. Games are copied
and saved on the way, pieces are counted, and views are compared with those of scrambled positions.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import signal
import time
import traceback
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

import rulesdsl
from rulesdsl.check.analysis.secrecy.information_flow import annotate
from rulesdsl.check.frontend import check_pack
from rulesdsl.interpreter.pack import pack_of
from rulesdsl.source.diagnostics import Findings
from rulesdsl.syntax.lexer import lexemes
from rulesdsl.syntax.parser import parse_file
from rulesdsl.syntax.printer import LineBudget, lines
from soak.games import Chosen, NotAccounted, a_setting, accounts_of, look_at, state_of
from soak.playouts import Different, compare
from soak.sitting import Case, Outcome
from soak.views import compare as compare_views

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import FrameType

    from rulesdsl.source.diagnostics import Report

MAX_LINT = 5.0  # CPU seconds
MAX_SECONDS = 20.0  # CPU seconds for each pack
MAX_DECISIONS = 150  # after which a game is abandoned
WORLDS = 3  # sampled in each position
MARKS = (0, 1, 3, 7, 14, 25)  # decisions at which a game is copied and saved
MAX_NUMBER = 2**63
NO_WORLD = "a player for whom no world was found"
NUMBERS = re.compile(r"-?\d+")
_SWITCH = re.compile(r"(?<![\w-])set ((?:(?! to )[^:,\n])+) to (on|off)\b")
_MARKED = {"on": "mark", "off": "clear"}


class Fault(AssertionError):  # noqa: N818 - the name describes the failure
    """Violation of a guarantee; the message begins with its class."""


class Hung(BaseException):
    """Timeout; a BaseException, so that the engine does not catch it."""


@attrs.define
class Judge:
    """Judge of packs; `phase` names the current check."""

    phase: str = "lint"
    seconds: float = MAX_SECONDS
    most_games: int = 2
    worlds_missing: bool = False  # no world was found somewhere: a documented limit, so no fault

    def judge(self, folder: Path, seed: int) -> Case:
        """Check, compile and play the pack in a folder."""
        self.phase = "lint"
        try:
            with self._limit():
                return self._judge(folder, random.Random(f"judge {seed}"))
        except Hung:
            return Case(Outcome.FAILED, f"hung: {self.phase}", traceback.format_exc(limit=-12))
        except Exception as error:  # noqa: BLE001 - any exception is a failure
            return Case(Outcome.FAILED, self.class_of(error), traceback.format_exc(limit=-8))

    def class_of(self, error: Exception) -> str:
        """Return the class of a failure: the exception, and the function that raised it."""
        if isinstance(error, Fault):
            return str(error.args[0])
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = self.phase
        if "rulesdsl" in f"{Path(last.filename).parent}":
            where = f"{Path(last.filename).name}:{last.name}"
        elif isinstance(error, NotAccounted):
            where = "pieces are not accounted for"
        elif isinstance(error, AssertionError):
            where = " ".join(NUMBERS.sub("0", str(error)).split(":")[:2])[:60]
        return f"{type(error).__name__} {where} ({self.phase})"

    @contextmanager
    def _limit(self) -> Iterator[None]:
        signal.signal(signal.SIGPROF, _too_slow)
        signal.setitimer(signal.ITIMER_PROF, self.seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _judge(self, folder: Path, chance: random.Random) -> Case:
        began = time.process_time()
        layers, checked, report = check_pack(folder, mods_in(folder))
        if time.process_time() - began > MAX_LINT:
            raise Fault("slow lint")
        errors = report.errors
        if chance.random() < (1 / 20 if errors else 1 / 4):
            check_again(folder, report)
        if errors:
            return Case(Outcome.REFUSED, " ".join(sorted({each.code for each in errors})))
        if layers is None or checked is None:
            raise Fault("neither findings nor a checked pack")
        self.phase = "syntax"
        for path in folder.rglob("*.rules"):
            check_print(path.read_text("utf-8"), f"{path}")
        self.phase = "compile"
        pack = pack_of(layers, annotate(checked))
        self._play(pack, chance)
        return Case(Outcome.PLAYED, NO_WORLD if self.worlds_missing else "")

    def _play(self, pack: rulesdsl.Pack, chance: random.Random) -> None:
        least, most = pack.players
        counts = chance.sample(range(least, most + 1), min(most - least + 1, self.most_games))
        for number, players in enumerate(counts):
            chosen = a_setting(pack, players, chance)
            if not number:
                self._play_watched(pack, chosen, chance)
            if number or len(counts) == 1:
                self.phase = "playouts"
                check_playouts(pack, chosen, chance)

    def _play_watched(self, pack: rulesdsl.Pack, chosen: Chosen, chance: random.Random) -> None:
        seed = chance.getrandbits(32)
        self.phase = "set-up"
        game = pack.new_game(chosen.players, seed, chosen.options, log=True)
        check = accounts_of(game).check
        choices: list[tuple[int, int]] = []
        copies: list[tuple[int, rulesdsl.Game, str]] = []
        been: set[str] = set()
        while decision := game.decision:
            at = len(choices)
            if at >= MAX_DECISIONS:
                break
            self.phase = "play"
            check(state_of(game))
            data = game.position_data()
            check_position(data["state"], been)
            if at in MARKS:
                copies.append((at, game.clone(), json.dumps(data)))
                self.phase = "views"
                look_at(game)
                compare_views(pack, game, chance)
                self.phase = "worlds"
                self.worlds_missing |= not check_worlds(game, chance)
                self.phase = "play"
            if not decision.count:
                raise Fault("nothing to choose")
            decision = chance.choice(game.decisions)
            choices.append((decision.player, chance.randrange(decision.count)))
            game.choose(choices[-1][1], choices[-1][0])
        self.phase = "end"
        check(state_of(game))
        check_position(game.position_data()["state"], been)
        look_at(game)
        compare_views(pack, game, chance)
        if game.over and game.result is None:
            raise Fault("over without a result")
        self.phase = "copies"
        check_copies(pack, game, copies, choices)


def _too_slow(_: int, __: FrameType | None) -> None:
    raise Hung


def mods_in(folder: Path) -> list[Path]:
    """Return the mods in a game's folder, sorted by name."""
    return sorted(path.parent for path in folder.glob("mods/*/pack.toml"))


def check_again(folder: Path, report: Report) -> None:
    """Check that a second lint of the same files gives the same findings."""
    again = check_pack(folder, mods_in(folder))[2]
    if again.diagnostics != report.diagnostics:
        raise Fault("lint says something else the second time")


@lru_cache(256)  # most files of a mutant are those of its original
def check_print(text: str, path: str) -> None:
    """Check that the syntax tree contains every significant word of the rules."""
    file = parse_file(text, path, Findings()).file
    said = signs(_SWITCH.sub(lambda match: f"{_MARKED[match[2]]} {match[1]}", text))
    printed = signs(
        "\n".join(line for each in file.declarations for line in lines(each, LineBudget()))
    )
    if sorted(said) != sorted(printed):
        lost = [word for word in said if said.count(word) != printed.count(word)]
        raise Fault("read as something else", f"{lost[:5]}")


def signs(text: str) -> list[str]:
    """Return the words and signs of rules, except brackets and articles."""
    code = (re.sub(r"[ ()]+", "", each.text) for each in lexemes(text) if each.is_code)
    return [sign for sign in code if sign not in {"a", "an", "", ":"}]


def check_playouts(pack: rulesdsl.Pack, chosen: Chosen, chance: random.Random) -> None:
    """Check that WebAssembly and sessions play the same games."""
    try:
        compare(pack, chosen.players, chosen.options, chance.getrandbits(32), 2)
    except Different as error:
        raise Fault("playout differs", f"{chosen}: {error}") from None


def view_without_log(game: rulesdsl.Game, player: int) -> dict[str, object]:
    """Return a player's view without what only a log tells: who has answered, what was shown."""
    board = game.setting.views.of(game.state, player).data()
    return {**game.view(player), "board": board, "open": None}


def check_worlds(game: rulesdsl.Game, chance: random.Random) -> bool:
    """Check that sampled worlds contain all pieces, and look the same to the player.

    Return false if none was found that fits what the player knows.
    """
    player = chance.randint(1, game.players)
    try:
        redraws = game.redraws(player)
        worlds = [redraws.draw(chance.getrandbits(63)) for _ in range(WORLDS)]
    except rulesdsl.NoWorld:
        return False
    for world in worlds:
        accounts_of(world).check(state_of(world))
        if view_without_log(world, player) != view_without_log(game, player):
            raise Fault("another world")
    return True


def check_position(state: Mapping[str, object], been: set[str]) -> None:
    """Check that numbers fit in 64 bits, and that no position recurs.

    The state counts the iterations of loops, so a game can never return to an earlier position.
    """
    position = json.dumps({k: v for k, v in state.items() if k not in {"rng", "learned"}})
    if any(not -MAX_NUMBER <= int(each) < MAX_NUMBER for each in NUMBERS.findall(position)):
        raise Fault("a number beyond 64 bits")
    if position in been:
        raise Fault("goes in circles")
    been.add(position)


def check_copies(
    pack: rulesdsl.Pack,
    game: rulesdsl.Game,
    copies: list[tuple[int, rulesdsl.Game, str]],
    choices: list[tuple[int, int]],
) -> None:
    """Check that clones and saves of a game reach the same end."""
    final = json.dumps(game.position_data())
    for at, clone, save in copies:
        other = pack.game_from_data(json.loads(save))
        for name, copy in (("clone", clone), ("save", other)):
            for player, index in choices[at:]:
                copy.choose(index, player)
            if json.dumps(copy.position_data()) != final:
                raise Fault(f"a {name} plays on otherwise", f"from decision {at}")


def write_pack(folder: Path, files: Mapping[str, str]) -> Path:
    """Empty a folder, and write the files of a pack into it."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        to = folder / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, "utf-8")
    return folder
