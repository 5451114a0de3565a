"""Ids of options and questions do not depend on any text of a pack."""

import codecs
import random
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import written
from rulesdsl.syntax.lexer import LexemeKind, lexemes

CONTENT = Path(__file__).parents[2] / "content"
PACKS = [CONTENT, CONTENT / "sutters_mill", CONTENT / "classics" / "gin_rummy"]
NO_TEXTS = {"from", "source"}  # what follows names a file or a source
TITLE = re.compile(r'^(name = )"([^"]*)"', re.MULTILINE)
PLAIN = re.compile(r"\{[^}]*\}|[^{}]+")


def reworded(text: str) -> str:
    """Replace all letters of a text but those of its values."""
    return PLAIN.sub(lambda part: part[0] if part[0][0] == "{" else rotated(part[0]), text)


def rotated(text: str) -> str:
    return codecs.encode(text, "rot13")


def in_other_words(rules: str) -> Iterator[str]:
    before = ""
    for each in lexemes(rules):
        is_text = each.sort is LexemeKind.TEXT and before not in NO_TEXTS
        yield reworded(each.text) if is_text else each.text
        before = each.text if each.is_code else before


def ids_of(folder: Path, seed: int) -> list[tuple[str, ...]]:
    game = rulesdsl.load(folder, cache=False).new_game(2, seed)
    chance, found = random.Random(seed), list[tuple[str, ...]]()
    while (decision := game.decision) is not None and len(found) < 150:
        found.append((decision.id, *(option.id for option in decision.options)))
        game.choose(chance.randrange(decision.count), player=decision.player)
    return found


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_other_texts_change_no_id(pack: Path, tmp_path: Path) -> None:
    copy = tmp_path / pack.name
    unneeded = shutil.ignore_patterns("mods", "classics", "sutters_mill", "rulebook", "lessons")
    shutil.copytree(pack, copy, ignore=unneeded)
    for path in copy.rglob("*.rules"):
        path.write_text("".join(in_other_words(path.read_text("utf-8"))), "utf-8")
    for path in copy.glob("*.toml"):
        text = path.read_text("utf-8")
        if path.name != "pack.toml":
            path.write_text(
                TITLE.sub(lambda title: f'{title[1]}"{rotated(title[2])}"', text), "utf-8"
            )
    assert [ids_of(copy, seed) for seed in range(3)] == [ids_of(pack, seed) for seed in range(3)]


ALIKE = """\
choose one "What?":
    "One": raise my fame by 1
    "The other": raise my fame by 1
"""


def options_of_0_1(pack: Path) -> Sequence[rulesdsl.Option]:
    """Return the options of the first question of a pack, read as one of language 0.1."""
    manifest = (pack / "pack.toml").read_text().replace('language = "0.2"\n', "")
    (pack / "pack.toml").write_text(manifest)
    decision = rulesdsl.load(pack, cache=False).new_game(1, 1).decision
    assert decision is not None
    return decision.options


def test_options_that_begin_alike_are_told_apart(tmp_path: Path) -> None:
    pack = written(tmp_path / "new", ALIKE)
    (finding,) = rulesdsl.lint(pack).errors
    assert finding.code == "E203"
    assert "begins with `raise my fame by 1` as well" in finding.message

    options = options_of_0_1(pack)
    assert [each.id for each in options] == ["raise-my-fame-by-1", "raise-my-fame-by-1-2"]
    assert [each.former_id for each in options] == ["one", "the-other"]


NUMBERED = """\
choose one "What?":
    "A point": raise my fame by 1
    "A point": raise my fame by 1
"""


def test_former_ids_are_numbered_like_the_present_ones(tmp_path: Path) -> None:
    pack = written(tmp_path / "new", NUMBERED)
    options = options_of_0_1(pack)
    assert [each.former_id for each in options] == ["a-point", "a-point-2"]
