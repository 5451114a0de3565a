import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import rulesdsl
from coloma.guides import TOPIC_WIDTH, topic_lines
from rulesdsl import Pack, Rulebook
from rulesdsl.packs.overlay import read_layers
from rulesdsl.scenarios.coverage import covered_rules
from some import some

Options = tuple[tuple[str, bool | int | str], ...]

CONTENT = Path(__file__).parents[2] / "content"
SUTTERS_MILL = CONTENT / "sutters_mill"
GAMES = [CONTENT, SUTTERS_MILL]
MODS = [CONTENT / "mods" / name for name in ("deluxe", "variants")]
PACKS = [*GAMES, *MODS]
LONG = 7  # values of an option
CLASSICS = sorted(each.parent for each in (CONTENT / "classics").glob("*/pack.toml"))
SCREENS = 3
LINES_OF_SCREEN = 24

BY_HAND = re.compile(r"[0-9]+|\b(?:two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE)
NUMBERED = re.compile(r"^[0-9]+\. ")  # the steps of a list
IN_BRACES = re.compile(r"\{[^{}]*\}")
LITERAL = re.compile(r"\{[0-9][^{}]*\}")
VALUE = re.compile(r"(?<== )([0-9]{1,3})\b")
OPTION = re.compile(r"(?<=: )([0-9]+)(?= in [0-9]+\.\.)")
AMOUNT = re.compile(r"(?:(?<=gain )|(?<=draw )|(?<=bury )|(?<=score )|(?<=pay )|(?<=/ ))[0-9]+\b")
KEPT_FILES = ("pack.toml", "rules_covered.toml")
SLOT = re.compile(r"\{(?!if |each |end\})([^{}]+)\}")
LOOPS = re.compile(r"^(?:\{each [^{}]*\})*")
NO_NUMBERS = re.compile(r"players|all .*|position of \w+")  # how many there are, in which order
ONE_OF_MANY = re.compile(r"\b1 (?!is\b)[A-Za-z-]+s\b")
PROSE = ("text of c",)  # a sentence of the content; `lint` compares it with the effect

WORDS_NOT_NUMBERS = {
    "91-two-players.md": {"Two": 1, "two": 1}  # what the game for two is called
}


def _game(path: Path) -> str:
    return path.name


def _pages(game: Path) -> list[Path]:
    return sorted((game / "rulebook").glob("*.md"))


@cache
def _pack(game: Path) -> Pack:
    return rulesdsl.load(game, MODS if game == CONTENT else [])


@cache
def _book(game: Path, players: int, options: Options = ()) -> Rulebook:
    return _pack(game).rulebook(players, dict(options))


def _books(game: Path) -> Iterator[Rulebook]:
    """Yield the rulebook for every number of players and every value of every option.

    For a long range, only its two ends are used.
    """
    values = {each.name: each.values for each in _pack(game).options}
    told = {
        name: each if len(each) < LONG else (each[0], each[-1]) for name, each in values.items()
    }
    least, most = _pack(game).players
    counts = range(least, most + 1)
    yield from (_book(game, players) for players in counts)
    for at in range(LONG):
        chosen = tuple((name, each[at % len(each)]) for name, each in told.items())
        yield _book(game, counts[at % len(counts)], chosen)


@pytest.mark.parametrize("game", GAMES, ids=_game)
def test_a_topic_takes_three_screens_at_most(game: Path) -> None:
    for book in _books(game):
        for topic in book.topics:
            lines = list(topic_lines(topic))
            assert len(lines) < SCREENS * LINES_OF_SCREEN - SCREENS, topic.name
            assert max(map(len, lines)) <= TOPIC_WIDTH, topic.name


@pytest.mark.parametrize("game", CLASSICS, ids=_game)
def test_the_rulebook_of_a_classic_takes_three_screens_in_all(game: Path) -> None:
    topics = rulesdsl.load(game).rulebook(2).topics
    lines = [line for topic in topics for line in topic_lines(topic)]
    assert 0 < len(lines) <= SCREENS * (LINES_OF_SCREEN - 2)
    assert max(map(len, lines)) <= TOPIC_WIDTH


@pytest.mark.parametrize("game", GAMES, ids=_game)
def test_one_thing_is_not_told_as_several(game: Path) -> None:
    texts = {" ".join(topic.lines) for book in _books(game) for topic in book.topics}
    assert {found for text in texts for found in ONE_OF_MANY.findall(text)} == set()


@pytest.mark.parametrize("game", GAMES, ids=_game)
def test_no_number_is_written_by_hand(game: Path) -> None:
    found: dict[str, dict[str, int]] = {}
    for path in _pages(game):
        text = re.sub(r"<!--.*?-->", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not LITERAL.search(text), path
        for line in text.splitlines():
            for word in BY_HAND.findall(IN_BRACES.sub("", NUMBERED.sub("", line))):
                counts = found.setdefault(path.name, {})
                counts[word] = counts.get(word, 0) + 1
    allowed = WORDS_NOT_NUMBERS if game == CONTENT else {}
    assert found == allowed


@pytest.mark.parametrize("game", PACKS, ids=_game)
def test_every_rule_that_a_player_needs_is_told(game: Path) -> None:
    home = CONTENT if game.parent.name == "mods" else game
    layers = read_layers(home, [] if game == home else [game])
    found = some(covered_rules(layers.at(None if game == home else game), ()))
    assert found.untold == {}
    assert found.findings == ()


@pytest.mark.parametrize("game", GAMES, ids=_game)
def test_every_number_of_the_rulebook_changes_with_the_content(game: Path, tmp_path: Path) -> None:
    before = _values(_copy(game, tmp_path / "before"))
    changed = _copy(game, tmp_path / "after")
    for path in [*changed.rglob("*.rules"), *changed.rglob("*.toml")]:
        if path.name not in KEPT_FILES:
            path.write_text(_raised(path.read_text(encoding="utf-8")), encoding="utf-8")
    after = _values(changed)
    assert len(before) > 20
    pairs = zip(before, after, strict=True)
    assert [each for each, now in pairs if each == now] == []


def _copy(game: Path, to: Path) -> Path:
    left_out = shutil.ignore_patterns("scenarios", "lessons", "mods", "sutters_mill")
    shutil.copytree(game, to, ignore=left_out)
    for path in _pages(to):
        lines = ["# Values"]
        for line in path.read_text(encoding="utf-8").splitlines():
            loops = some(LOOPS.match(line))
            rest = line[loops.end() :]
            lines += [f"{loops[0]}{words} is {{{words}}}" for words in SLOT.findall(rest)]
        path.write_text("\n".join(lines), encoding="utf-8")
    return to


def _values(game: Path) -> list[str]:
    pack = rulesdsl.load(game, cache=False)
    titles = {each.title for kind in pack.program.world.kinds.values() for each in kind.entries}
    found = []
    for topic in pack.rulebook().topics:
        for line in topic.lines[1:]:
            words, _, said = line.partition(" is ")
            numbered = any(map(str.isdigit, said)) and words not in PROSE
            if said in titles and not said.isdigit():
                continue
            if numbered and not NO_NUMBERS.fullmatch(words):
                found.append(line)
    return found


def _raised(text: str) -> str:
    for numbers in (VALUE, OPTION, AMOUNT):
        text = numbers.sub(lambda found: str(int(found[0]) + 1), text)
    return text


@pytest.mark.parametrize("game", GAMES, ids=_game)
def test_every_topic_that_the_texts_name_is_there(game: Path) -> None:
    book = rulesdsl.load(game).rulebook()
    texts = [*_pages(game), *sorted((game / "lessons").glob("*.toml"))]
    named = {
        name
        for path in texts
        for name in re.findall(r"`rules ([a-z -]+)`", path.read_text(encoding="utf-8"))
    }
    titled = {name for topic in book.topics for name in (topic.name, topic.title.casefold())}
    assert {name for name in named - titled if not book.explaining(name)} == set()


@pytest.mark.parametrize("game", [CONTENT, CONTENT / "sutters_mill"], ids=_game)
def test_every_value_of_an_option_is_told_in_words(game: Path) -> None:
    pack = rulesdsl.load(game)
    (page,) = (topic for topic in pack.rulebook().topics if topic.name == "options")
    lacking = []
    for option in pack.options:
        values = [
            ("no", "yes")[value] if isinstance(value, bool) else value
            for value in option.values
            if isinstance(value, bool | str)
        ]
        said = page.about(option.name)
        lacking += [f"{option.name}={value}" for value in values if f"`{value}`: " not in said]
        lacking += [] if said else [option.name]
    assert lacking == []


def _told() -> Iterator[tuple[str, list[str]]]:
    text = (Path(__file__).parent / "told.txt").read_text(encoding="utf-8")
    for part in re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).strip().split("\n\n"):
        setting, *facts = part.strip().splitlines()
        yield setting, facts


@pytest.mark.parametrize(("setting", "facts"), [*_told()])
def test_a_page_says_what_holds_in_a_setting(setting: str, facts: list[str]) -> None:
    game, players, *options, name = setting.split()
    chosen = tuple(
        (option, _value(word)) for option, _, word in (each.partition("=") for each in options)
    )
    book = _book(next(each for each in GAMES if each.name == game), int(players), chosen)
    topic = next(each for each in book.topics if each.name == name)
    text = " ".join(" ".join(topic.lines).replace("**", "").split())
    assert [fact for fact in facts if (fact[2:] in text) != (fact[0] == "+")] == []


def _value(word: str) -> bool | int | str:
    return {"on": True, "off": False}.get(word, int(word) if word.isdigit() else word)
