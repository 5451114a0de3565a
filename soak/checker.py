"""`python -m soak.checker`: how many small changes of the checker its own tests notice.

Mutants are drawn with a seed from all that mutmut's operators can change in `rulesdsl/check` and
`rulesdsl/lower`; against each, `tests/check` and `tests/lower` are run up to the first failure. A
line of JSON is kept for every mutant as soon as it is known, so that a run that was stopped goes
on where it was; lines of other sources are not taken. `--again` tries survivors once more.
`checker_equivalent.toml` names those that change nothing that anybody could see, with the reason.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import attrs

from soak.checker_mutants import Draw, Mutant, key_of
from soak.checker_trial import SURVIVED, Looked, Trial, Trials

ROOT = Path(__file__).parents[1]
FOLDERS = ("rulesdsl/check", "rulesdsl/lower")
TESTS = ("tests/check", "tests/lower")
ENOUGH = 0.9
MAX_SET_ASIDE = 0.05


def run(count: int, seed: int, first: int, end: int, *, kept: Path, again: bool) -> int:
    """Try the mutants from `first` to `end`, print a table, return the exit status."""
    draw = Draw(ROOT, FOLDERS, count, seed)
    of = f"{_digest()} {count} {seed}"
    known = _read(kept, of)
    numbers = range(first, min(end, len(draw)))
    wanted = [each for each in numbers if _is_open(known.get(each), again=again)]
    if wanted:
        with kept.open("a", encoding="utf-8") as file:

            def tell(mutant: Mutant, trial: Trial) -> None:
                said = attrs.asdict(mutant, filter=lambda field, _: field.name != "source")
                known[mutant.number] = line = {"of": of, **said, **attrs.asdict(trial)}
                print(json.dumps(line), file=file, flush=True)

            looked = Looked(kept.with_suffix(".calls"), _digest())
            Trials(ROOT, TESTS, looked).run(map(draw.mutant, wanted), tell)
    return _print([known[each] for each in sorted(known)])


def _digest() -> str:
    """Return what the texts of the checker are known by."""
    found = hashlib.sha256()
    for path in sorted(path for each in FOLDERS for path in (ROOT / each).rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def _read(kept: Path, of: str) -> dict[int, dict[str, Any]]:
    if not kept.exists():
        return {}
    lines = [json.loads(each) for each in kept.read_text("utf-8").splitlines()]
    return {each["number"]: each for each in lines if each["of"] == of}


def _is_open(known: dict[str, Any] | None, *, again: bool) -> bool:
    return known is None or (again and known["verdict"] == SURVIVED)


def _print(found: list[dict[str, Any]]) -> int:
    reasons = tomllib.loads((ROOT / "soak" / "checker_equivalent.toml").read_text("utf-8"))
    survivors = [each for each in found if each["verdict"] == SURVIVED]
    keys = {key_of(**each): each for each in survivors}
    aside = keys.keys() & reasons.keys()
    drawn, left = (Counter(str(each["operator"]) for each in some) for some in (found, survivors))
    print(f"{'change':>32}{'mutants':>9}{'survived':>9}")
    for operator, number in drawn.most_common():
        print(f"{operator:>32}{number:>9}{left[operator]:>9}")
    for key in sorted(keys.keys() - aside):
        print(f"SURVIVED {keys[key]['path']}:{keys[key]['line']}: {key.split(': ', 1)[1]}")
    total = len(found) or 1
    noticed = len(found) - len(survivors)
    print(
        f"{len(found)} mutants, {noticed} noticed, {len(aside)} set aside, {noticed / total:.1%}"
    )
    fine = noticed >= ENOUGH * (total - len(aside)) and len(aside) <= MAX_SET_ASIDE * total
    return 0 if fine else 1


def main() -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m soak.checker", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="so many are drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first to try")
    parser.add_argument("--to", dest="end", type=int, help="the one behind the last to try")
    parser.add_argument("--kept", type=Path, default=Path("checker.jsonl"), help="what is known")
    parser.add_argument("--again", action="store_true", help="try survivors once more")
    given = parser.parse_args()
    end = given.count if given.end is None else given.end
    return run(given.count, given.seed, given.first, end, kept=given.kept, again=given.again)


if __name__ == "__main__":
    sys.exit(main())
