import multiprocessing
from pathlib import Path

import pytest

from cli.mods_on_disk import write_mod
from packs_on_the_fly import BOX, CARDS, written
from rulesdsl.scenarios import load_suite, run_scenarios
from rulesdsl.scenarios.coverage import Coverage, covered_rules
from rulesdsl.scenarios.lessons import Classroom, Course, load_lessons
from rulesdsl.scenarios.mutation import Mutant, all_mutants, choose_mutants
from rulesdsl.scenarios.mutation_run import Fate, MutantResult, MutantTrial, break_pack
from rulesdsl.scenarios.suite import Suite
from scenarios.small_pack import CHECKLIST, scenario, write_pack
from some import some


def test_the_scenarios_of_the_game_or_of_a_mod_run_on_both(tmp_path: Path) -> None:
    dealt = scenario(name="game", after="deal", expect=["coins in heap = 7"])
    game = write_pack(tmp_path / "game", dealt)
    text = scenario(name="mod", after="deal", expect=["coins in heap = 9"])
    numbers = 'source = "house"\nstart-coins = 0\n'
    mod = write_mod(
        tmp_path / "poor", files={"numbers.toml": numbers, "scenarios/poor.toml": text}
    )

    def ran(mods: list[Path], of: Path | None = None) -> list[tuple[str, bool]]:
        report = run_scenarios(game, mods, of=of)
        return [(each.scenario.name, each.passed) for each in report.results]

    assert ran([]) == [("game", True)]
    assert ran([mod]) == [("game", False)]
    assert ran([mod], of=mod) == [("mod", True)]


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("any cards in hand of p1", ""),
        ("not no cards in hand of p1", ""),
        ("cards in hand of p1 > 0", ""),
        ("(any cards in hand of p1) = (any coins in heap)", ""),
        ("any cards in hand of p2", "cards in hand of p2: 0"),
        ("(any cards in hand of p2) = (any coins in heap)", "coins in heap: 10"),
        ("ways of ant = ways of bee", "ways of ant: One, Three"),
    ],
)
def test_failures_tell_the_values_found(expected: str, found: str, tmp_path: Path) -> None:
    box = BOX.replace("    use: effect\n", "    use: effect\n    ways: stalls\n")
    folder = written(tmp_path, "raise note by 1", box=box)
    cards = CARDS.replace("worth = 1", 'worth = 1\nways = ["one", "three"]')
    (folder / "cards.toml").write_text(cards)
    (folder / "scenarios").mkdir()
    scenario = f"""
    [[scenario]]
    name = "Some cards"
    given = ["for p1: move up to 2 cards from deck into my hand"]
    play = ""
    expect = ["{expected}"]
    """
    (folder / "scenarios" / "some.toml").write_text(scenario)

    report = run_scenarios(folder)

    assert not report.findings
    details = [each for result in report.results for f in result.failures for each in f.details]
    assert details == [] if not found else ("found", found) in details, details


def coverage(pack: Path) -> Coverage:
    suite = load_suite(pack)
    return some(covered_rules(suite.pack, [each.scenario for each in suite.scenarios]))


def test_rules_without_a_scenario_are_missing_unless_they_are_exempt(tmp_path: Path) -> None:
    found = coverage(write_pack(tmp_path, scenario(name="a", covers=["A-1", "A-4"], over=False)))
    assert found.missing == {"A-2": "The baker pays back"}
    assert found.exempt == {"A-3": "nothing to compute"}
    assert found.summary == "2 of 3 rules covered, 1 exempt"
    assert not found.findings


def test_a_rule_that_the_checklist_lacks_is_a_mistake(tmp_path: Path) -> None:
    found = coverage(write_pack(tmp_path, scenario(name="a", covers=["A-1", "A-9"], over=False)))
    (finding,) = found.findings
    assert (finding.code, finding.span.line, finding.span.column) == ("E201", 3, 18)


def test_an_exempt_rule_that_the_checklist_lacks_is_a_mistake(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, rules_covered__toml=CHECKLIST + 'A-7 = "why not"\n')
    (finding,) = coverage(pack).findings
    assert finding.code == "E201"
    assert finding.span.file.endswith("rules_covered.toml")


def test_a_pack_without_a_checklist_has_no_coverage(tmp_path: Path) -> None:
    pack = write_pack(tmp_path)
    (pack / "rules_covered.toml").unlink()
    assert covered_rules(load_suite(pack).pack, ()) is None


def test_rules_that_no_page_tells_are_untold_unless_nobody_needs_them(tmp_path: Path) -> None:
    checklist = CHECKLIST + '[untold]\nA-4 = "nobody asks"\n'
    pack = write_pack(tmp_path, rules_covered__toml=checklist)
    assert coverage(pack).untold == {}  # there is no rulebook

    (pack / "rulebook").mkdir()
    page = "<!-- tells: A-1, A-9 -->\n# Coins\n"
    (pack / "rulebook/coins.md").write_text(page, encoding="utf-8")
    found = coverage(pack)
    assert list(found.untold) == ["A-2", "A-3"]
    (finding,) = found.findings
    assert (finding.code, finding.span.line, finding.span.column) == ("E201", 1, 18)


DEALS = scenario(name="deals", after="deal", expect=["coins in purse of p1 = 1"])
BAKES = scenario(
    name="bakes",
    given=["for p1: take 1 coins"],
    play="for p1: visit",
    do=["p1 stall:baker"],
    expect=["coins in purse of p1 = 2"],
)


def mutants_of(pack: Path) -> list[Mutant]:
    suite = load_suite(pack)
    return all_mutants(suite.layers, suite.pack, suite.checked.program.world)


def broken(pack: Path, mutant: Mutant) -> str:
    text = (pack / mutant.path).read_text(encoding="utf-8")
    return mutant.apply(text).splitlines()[mutant.line - 1].strip()


def results(pack: Path, number: int, seed: int, jobs: int = 1) -> list[MutantResult]:
    def choose(suite: Suite) -> list[MutantTrial]:
        return [MutantTrial((each,)) for each in choose_mutants(suite, number, seed)]

    return list(break_pack(pack, [], choose).results(jobs))


def test_the_ways_to_break_a_pack(tmp_path: Path) -> None:
    pack = write_pack(tmp_path)
    lines = {broken(pack, each) for each in mutants_of(pack)}

    assert {
        "start-coins = 2",
        "price = 0",
        'wares = "move up to 3 coins from heap into my purse"',
        'wares = "move 2 coins from heap into my purse"',
        'wares = "nothing"',
        "if not (rich): for each player: take 1 coins",
        "let s = a stall where price of it < coins in my purse",
        "let s = a stall",
        "nothing",
        "move up to n coins from my purse into heap",
        "verb take n coins: move n coins from heap into my purse",
        "win with least score",
        'option rich "Everybody begins with a coin": on',
    } <= lines


def test_what_nobody_plays_is_left_alone(tmp_path: Path) -> None:
    changed = {each.path for each in mutants_of(write_pack(tmp_path))}
    assert changed == {"coins.rules", "numbers.toml", "stalls.toml"}


def test_the_same_seed_chooses_the_same_mutants(tmp_path: Path) -> None:
    suite = load_suite(write_pack(tmp_path))
    one, same, other = (choose_mutants(suite, 10, seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert len(one) == 10


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, MutantResult]:
    pack = write_pack(tmp_path_factory.mktemp("pack"), DEALS, BAKES)
    return {broken(pack, each.mutant): each for each in results(pack, 400, 1)}


def test_a_change_is_noticed_by_a_scenario_about_it(verdicts: dict[str, MutantResult]) -> None:
    found = verdicts["start-coins = 2"]
    assert (found.fate, found.by) == (Fate.NOTICED, "deals")


def test_a_change_that_no_scenario_is_about_survives(verdicts: dict[str, MutantResult]) -> None:
    found = verdicts["win with least score"]
    assert found.fate is Fate.SURVIVED
    assert "another word: most -> least" in str(found.mutant)


def test_a_change_that_lint_refuses_is_told_apart(verdicts: dict[str, MutantResult]) -> None:
    refused = [each for each in verdicts.values() if each.fate is Fate.REFUSED]
    assert refused
    assert not [each for each in verdicts.values() if each.fate is Fate.CRASHED]


def test_the_pack_itself_stays_as_it_is(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, DEALS)
    before = {each: each.read_bytes() for each in pack.rglob("*") if each.is_file()}
    results(pack, 5, 1)
    assert {each: each.read_bytes() for each in pack.rglob("*") if each.is_file()} == before


def test_more_processes_come_to_the_same(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, DEALS)
    one, two = (
        [(each.mutant, each.fate) for each in results(pack, 8, 3, jobs)] for jobs in (1, 2)
    )
    assert one == two
    assert not multiprocessing.active_children()


def test_scenarios_that_fail_anyway_are_no_measure(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, scenario(name="wrong", expect=["coins in heap = 1"]))
    with pytest.raises(ValueError, match="fix these first"):
        results(pack, 1, 1)


LESSON = """
[[lesson]]
name = "Shopping"
given = ["for each player: take 3 coins"]
play = "for each player: visit"

[[lesson.step]]
say = "You have {(coins in purse of p1) coins}."

[[lesson.step]]
say = "The {baker} wants {price of baker}."
do = ["p1 stall:baker", "p2 stall:beggar"]
hint = "Go to the baker."

[[lesson.step]]
say = "Now it is {(coins in my purse) coins}."
"""


def classroom(folder: Path, text: str) -> Classroom:
    pack = write_pack(folder)
    (pack / "lessons").mkdir()
    (pack / "lessons/first.toml").write_text(text, encoding="utf-8")
    return load_lessons(pack)


def begun(folder: Path, text: str = LESSON) -> Course:
    room = classroom(folder, text)
    course = room.begin(room.lessons[0])
    assert isinstance(course, Course)
    return course


def test_a_lesson_says_what_holds_at_its_moment(tmp_path: Path) -> None:
    course = begun(tmp_path)
    game = course.game
    assert list(course.said(0, game)) == ["You have 3 Coins.", "The Baker wants 1."]
    game.choose("stall:baker", player=1)
    assert list(course.said(1, game)) == []
    game.choose("stall:beggar", player=2)
    assert list(course.said(2, game)) == ["Now it is 4 Coins."]


def test_a_lesson_knows_which_choice_is_wanted_and_helps_with_it(tmp_path: Path) -> None:
    course = begun(tmp_path)
    wanted = some(course.wanted(0))
    assert (wanted.player, wanted.option, course.hint(0)) == (1, "stall:baker", "Go to the baker.")
    assert (course.over(1), course.over(2), course.wanted(2)) == (False, True, None)


def test_the_game_of_a_lesson_is_over_where_its_play_ends(tmp_path: Path) -> None:
    game = begun(tmp_path).game
    game.choose("stall:baker")
    game.choose("stall:beggar")
    assert game.over
    assert some(game.result).scores == (4, 4)


def test_how_the_position_came_about_is_not_in_the_log(tmp_path: Path) -> None:
    game = begun(tmp_path).game
    assert game.log == ()
    game.choose("stall:baker")
    assert game.log != ()


def test_without_play_a_lesson_is_the_whole_game(tmp_path: Path) -> None:
    text = LESSON.replace(
        'given = ["for each player: take 3 coins"]\nplay = "for each player: visit"', ""
    )
    assert list(begun(tmp_path, text).said(0, begun(tmp_path / "b", text).game)) == [
        "You have 1 Coin.",
        "The Baker wants 1.",
    ]
