from collections import Counter
from pathlib import Path

import pytest

from soak.drawing.whole import pack_of
from soak.judging import Judge, write_pack
from soak.sitting import Outcome
from soak.touched import CONSTRUCTS, ROOT, touched


def test_a_pack_is_drawn_again_from_its_number() -> None:
    assert pack_of(7) == pack_of(7)
    assert pack_of(7) != pack_of(8)


def test_drawn_packs_play_or_are_refused(tmp_path: Path) -> None:
    cases = [Judge().judge(write_pack(tmp_path, pack_of(seed)), seed) for seed in range(12)]
    outcomes = Counter(each.outcome for each in cases)
    assert outcomes[Outcome.FAILED] == 0
    assert outcomes[Outcome.PLAYED] > outcomes[Outcome.REFUSED]


FILES = {
    "rulesdsl/grammar.lark": 'jump: "jump" lookup  // over something\n',
    "rulesdsl/other.lark": "// jump\n",
    "rulesdsl/syntax/statements.py": "class Jump:\n    pass\n",
    "rulesdsl/check/steps.py": 'def step():\n    """Return a Jump."""  # or a Jump\n',
    "rulesdsl/check/possible.py": "found = st.Jump()\n",
    "rulesdsl/pages/W001-no-jump.md": "It is about something else.\n",
    "rulesdsl/README.md": "A jump, a Jump.\n",
    "cli/coloma/session.py": "said = 'jump'\n",
    "cli/coloma/jumper.py": "jumpers = 1\n",
    "tests/test_it.py": "Jump()\n",
}


def test_the_files_whose_code_names_a_construct_are_touched(tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")

    assert touched(tmp_path, r"\b[Jj]ump\b") == [
        "rulesdsl/check/possible.py",
        "rulesdsl/grammar.lark",
        "rulesdsl/pages/W001-no-jump.md",
        "rulesdsl/syntax/statements.py",
        "cli/coloma/session.py",
        "tests/test_it.py",
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_each_construct_is_found_where_it_is_read(construct: str) -> None:
    found = touched(ROOT, CONSTRUCTS[construct])
    assert {"rulesdsl/grammar.lark", "rulesdsl/check/lints/__init__.py"} & {*found}
