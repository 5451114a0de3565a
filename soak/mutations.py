"""`python -m soak mutations`: content with a slip is refused by the checker, or plays.

What lints clean cannot fail: every slip that passes is played, with every player count, and with
every piece accounted for.
"""

from __future__ import annotations

import random
import signal
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

import rulesdsl
from rulesdsl.check.read import check_pack
from rulesdsl.interpreter.loading import pack_of
from rulesdsl.lower.lowering import lower
from rulesdsl.scenarios.mutation.names import families
from soak.playing import TooLong, Watcher
from soak.playouts import compare
from soak.settings import a_setting
from soak.slips import KINDS, Slipper

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FrameType

GAMES = 20
MAX_COUNTS = 4
MAX_SECONDS = 60
LEFT_OUT = ("scenarios/", "rules_covered.toml")

REFUSED, PLAYED, FAILED = "refused", "played", "failed"


@attrs.frozen
class Outcome:
    """What became of one slip."""

    slip: str
    kind: str
    verdict: str
    details: str = ""


def run(path: str, count: int, seed: int, jobs: int) -> int:
    """Try so many slips, print a table, return the exit status."""
    files = files_of(Path(path))
    began = time.perf_counter()
    numbers = [(path, files, seed, number) for number in range(count)]
    found: list[Outcome] = []
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_prepare) as pool:
        for outcome in pool.map(try_slip, numbers, chunksize=8):
            found.append(outcome)
            if outcome.verdict == FAILED:
                print(f"FAILED {outcome.slip}\n{outcome.details}", flush=True)
    return _print(found, time.perf_counter() - began)


def files_of(folder: Path) -> dict[str, str]:
    """Return the content of a pack without what is no rule; packs within it are their own."""
    inner = {each.parent for each in folder.rglob("pack.toml")} - {folder}
    found: dict[str, str] = {}
    for path in sorted([*folder.rglob("*.rules"), *folder.rglob("*.toml")]):
        name = path.relative_to(folder).as_posix()
        if not inner & {*path.parents} and not name.startswith(LEFT_OUT):
            found[name] = path.read_text("utf-8")
    return found


def _prepare() -> None:
    signal.signal(signal.SIGALRM, _too_slow)


def _too_slow(_: int, __: FrameType | None) -> None:
    raise TooLong(f"more than {MAX_SECONDS} seconds")


def try_slip(given: tuple[str, Mapping[str, str], int, int]) -> Outcome:
    """Make one slip in a pack (its folder, its files, the seed, the slip's number) and try it."""
    path, files, seed, number = given
    chance = random.Random(f"{seed} {number}")
    slipper = _slipper(path, files)
    slip = slipper.slip(KINDS[number % len(KINDS)], chance)
    slipped = slipper.slipped(slip)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**files, slip.path: slipped}.items():
            to = Path(folder, name)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(text, "utf-8")
        signal.alarm(MAX_SECONDS)
        try:
            verdict, details = _lint_and_play(folder, chance), ""
        except Exception:  # noqa: BLE001 - whatever goes wrong is what is looked for
            verdict, details = FAILED, traceback.format_exc(limit=-8)
        finally:
            signal.alarm(0)
    return Outcome(
        f"{slip} (slip {number})", slip.way, verdict, _with_line(details, slipped, slip.line)
    )


_SLIPPERS: dict[str, Slipper] = {}


def _slipper(path: str, files: Mapping[str, str]) -> Slipper:
    if path not in _SLIPPERS:
        _, checked, _ = check_pack(path)
        groups = families(checked.program.world) if checked is not None else []
        _SLIPPERS[path] = Slipper(files, groups)
    return _SLIPPERS[path]


def _lint_and_play(folder: str, chance: random.Random) -> str:
    layers, checked, report = check_pack(folder)
    if report.errors:
        return REFUSED
    if layers is None or checked is None:
        raise AssertionError("neither findings nor a checked pack")
    play(pack_of(layers, checked.program, lower(checked)), GAMES, chance)
    return PLAYED


def play(pack: rulesdsl.Pack, games: int, chance: random.Random) -> None:
    """Play random games of a pack with several player counts and options; raise what they do.

    The last setting is played as a playout too.
    """
    least, most = pack.players
    counts = [*range(least, most + 1)]
    if len(counts) > MAX_COUNTS:
        counts = sorted({least, most, *chance.sample(counts, MAX_COUNTS - 2)})
    watcher = Watcher(pack)
    for at, players in enumerate(counts):
        chosen = a_setting(pack, players, chance)
        log = at == 0
        for number in range(-(-games // len(counts))):
            seed = chance.getrandbits(32)
            try:
                watcher.play(chosen, seed, log=log, words=log and number == 0)
            except Exception as error:
                error.add_note(f"{chosen} --seed {seed}")
                raise
    compare(pack, chosen.players, chosen.options, seed, 1)


def _with_line(details: str, text: str, line: int) -> str:
    if not details:
        return ""
    lines = text.splitlines()[max(line - 2, 0) : line + 1]
    return "\n".join([*(f"    | {each}" for each in lines), details])


def _print(found: list[Outcome], wall: float) -> int:
    counts = Counter((each.kind, each.verdict) for each in found)
    verdicts = (REFUSED, PLAYED, FAILED)
    print(f"{'slip':>10}" + "".join(f"{verdict:>10}" for verdict in verdicts))
    for kind in KINDS:
        print(f"{kind:>10}" + "".join(f"{counts[kind, verdict]:>10}" for verdict in verdicts))
    all_of = Counter(each.verdict for each in found)
    print(f"{'all':>10}" + "".join(f"{all_of[verdict]:>10}" for verdict in verdicts))
    print(f"{len(found)} slips, {wall:.0f} s")
    return 1 if all_of[FAILED] else 0
