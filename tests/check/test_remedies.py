"""Tests of remedies: advice is applied to a small card, which then lints clean and is played.

A case in `remedies.txt` is `=== WORDING`, a broken turn of `rich_pack`, `>>>`, and the turn after
the advice. Rules below `--- rules` are added; `--- PATH +` appends to a file, and `<<< OLD => NEW`
changes the box. `> ID` is chosen where it is offered, else the first option. Written by
`pytest -n 0 --update-golden tests/check/test_remedies.py` are the finding (`! `), and what was
played (`=> `): the options of each question, then the log.
"""

import re
from pathlib import Path

import attrs
import pytest

import rulesdsl
from check.small import RICH_FILES
from check.stock import write
from rulesdsl.check.analysis import wording as of_analyses
from rulesdsl.check.resolve import wording as of_resolver
from rulesdsl.check.symbols import wording as of_symbols
from rulesdsl.source.diagnostics import Wording

TABLE = Path(__file__).parent / "remedies.txt"
CODES = {"E202", "E205", "E301", "E304", "E305", "E401", "E406"}
IDLE = {"W602", "W603", "W604", "W611", "W614"}  # something that does nothing, or not what it says
WORDINGS = {
    name: wording
    for module in (of_analyses, of_symbols, of_resolver)
    for name, wording in vars(module).items()
    if isinstance(wording, Wording) and wording.code in CODES
}
# without advice of their own; or hidden by E201 (`calm of me`), or of a rulebook, not of a card
WITHOUT_ADVICE = {name for name, wording in WORDINGS.items() if not wording.advice}
WITHOUT_ADVICE |= {"NO_THINGS", "OF_WHOM"}


@attrs.frozen
class Case:
    name: str
    broken: tuple[str, ...]
    remedied: tuple[str, ...]

    def text(self, finding: str, played: list[str]) -> str:
        lines = [f"=== {self.name}", *self.broken, f"! {finding}", ">>>", *self.remedied]
        return "\n".join([*lines, *(f"=> {line}" for line in played)]) + "\n"


def _cases() -> list[tuple[str, Case]]:
    cases = []
    for text in re.split(r"\n(?==== )", TABLE.read_text("utf-8")):
        lines = text.rstrip("\n").split("\n")
        kept = [line for line in lines[1:] if not line.startswith(("! ", "=> "))]
        at = kept.index(">>>")
        name = lines[0].removeprefix("=== ")
        cases.append((text.rstrip("\n"), Case(name, tuple(kept[:at]), tuple(kept[at + 1 :]))))
    return cases


CASES = _cases()


@pytest.mark.parametrize(("text", "case"), CASES, ids=[case.name for _, case in CASES])
def test_a_remedy_lints_clean_and_plays(
    text: str, case: Case, tmp_path: Path, update_golden: bool
) -> None:
    found = rulesdsl.lint(_written(tmp_path / "broken", case.broken))
    (error,) = {(each.code, each.message, each.help) for each in found.errors}
    wording = WORDINGS[case.name.split()[0]]
    assert error[0] == wording.code
    assert re.fullmatch(_pattern(wording.message), error[1], re.IGNORECASE)
    assert not wording.advice or re.match(_pattern(wording.advice), error[2])

    folder = _written(tmp_path / "remedied", case.remedied)
    after = rulesdsl.lint(folder)
    assert [each for each in after.diagnostics if each.code[0] == "E" or each.code in IDLE] == []
    chosen = [line.removeprefix("> ") for line in case.remedied if line.startswith("> ")]
    now = case.text(
        f"{error[0]} {error[1]} {error[2]}".replace("\n", " / "), _played(folder, chosen)
    )
    if update_golden:
        whole = TABLE.read_text("utf-8")
        assert whole.count(text) == 1
        TABLE.write_text(whole.replace(text, now.rstrip("\n")), "utf-8")
    else:
        assert text + "\n" == now


def test_every_advice_has_a_case() -> None:
    played = {case.name.split()[0] for _, case in CASES}
    assert WORDINGS.keys() - WITHOUT_ADVICE - played == set()


def _pattern(template: str) -> str:
    parts = re.split(r"\{[^{}]*\}", template)
    return ".*".join(map(re.escape, parts))


def _written(folder: Path, lines: tuple[str, ...]) -> Path:
    files, path, act = dict(RICH_FILES), "", []
    for line in lines:
        if line.startswith("--- "):
            path = "box.rules" if line == "--- rules" else line[4:].removesuffix(" +")
            files[path] = files.get(path, "") if line.endswith((" +", "rules")) else ""
        elif line.startswith("<<< "):
            old, new = line[4:].split(" => ")
            assert old in files["box.rules"], old
            files["box.rules"] = files["box.rules"].replace(old, new)
        elif path and not line.startswith("> "):
            files[path] += f"{line}\n"
        elif not line.startswith("> "):
            act.append(f"    {line}\n")
    turn = "verb act: raise my fame by 1\n"
    assert turn in files["box.rules"]
    body = "".join(act) or "    raise my fame by 1\n"
    files["box.rules"] = files["box.rules"].replace(turn, f"verb act:\n{body}")
    write(folder, files)
    return folder


def _played(folder: Path, chosen: list[str]) -> list[str]:
    """Return the options of each question, and the log, of a game for two."""
    game = rulesdsl.load(folder, cache=False).new_game(2, seed=1)
    lines = []
    while decision := game.decision:
        offered = [option.id for option in decision.options]
        pick = chosen.pop(0) if chosen and chosen[0] in offered else offered[0]
        lines.append(f"{decision.player}: {' '.join(offered)} > {pick}")
        game.choose(pick)
    assert not chosen, chosen
    return [*lines, *(each.text for each in game.log if each.text and not each.quiet)]
