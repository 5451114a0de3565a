import json
import re
from pathlib import Path

import pytest

import rulesdsl
from cli.conftest import Run
from coloma.packs import bundled_content, bundled_packs, groups
from rulesdsl.scenarios.lessons import load_lessons

BOTS_ONLY = ("play", "--players", "3", "--bots", "3xrandom", "--plain")
WITH_BOT = ("play", "--players", "2", "--bots", "1xrandom", "--seed", "8")
ONES = ["1"] * 600
PACKS = [
    pytest.param(each.folder.name, marks=[pytest.mark.nightly] if at == 0 else [])
    for at, each in enumerate(groups(bundled_packs())[""])
]


@pytest.fixture(params=PACKS)
def named(request: pytest.FixtureRequest) -> tuple[str, str]:
    return "--pack", str(request.param)


def test_a_seed_determines_the_game_of_bots(run: Run, named: tuple[str, str]) -> None:
    one, again, other = (run(*BOTS_ONLY, *named, "--seed", seed) for seed in ("1", "1", "2"))
    assert one.status == 0
    assert "Final scoring" in one.lines
    assert one.out == again.out
    assert one.out.replace("seed 1", "") != other.out.replace("seed 2", "")


def test_the_whole_set_up_is_told_before_the_first_question(run: Run, tmp_path: Path) -> None:
    lines = "".join(f'    say "Line {number}"\n' for number in range(1, 31))
    (tmp_path / "pack.toml").write_text(
        'id = "tell"\nname = "Tell"\nversion = "1.0.0"\nkind = "game"\n'
        "players = { least = 1, most = 2 }\n"
    )
    (tmp_path / "tell.rules").write_text(
        'source "house"\ntrack gold per player\n'
        f"step game:\n{lines}    for each player:\n        may: raise my gold by 1\n"
        'score wealth "Gold": my gold\nwin with most score\n'
    )
    told = run("play", "--pack", str(tmp_path), "--players", "1", "--plain", typed=["1"]).lines
    printed = [line for line in told if line.startswith("Line ")]
    assert " ".join(printed) == " ".join(f"Line {number}." for number in range(1, 31))
    assert max(map(len, printed)) < 80


def test_every_entry_of_a_game_can_be_read_by_its_id(run: Run, named: tuple[str, str]) -> None:
    folder = next(each.folder for each in bundled_packs() if each.folder.name == named[1])
    printed = rulesdsl.load(folder).new_game(2).printed
    ran = run(*WITH_BOT, *named, "--plain", typed=[f"read {each.id}" for each in printed])
    read = ran.out.split("\n> ")[1:]

    assert len(read) == len(printed) > 20
    for each, told in zip(printed, read, strict=True):
        title, *lines = told.splitlines()[1 : 2 + len(each.rows)]
        assert title == f"{each.title} ({each.kind})"
        assert lines == [f"  {label}: {said}" for label, said in each.rows]
        assert lines, each.id


def test_who_chooses_a_character_reads_what_it_does(run: Run) -> None:
    options = ("--mod", "deluxe", "--option", "characters=chosen")
    world = rulesdsl.load(bundled_content(), [bundled_content() / "mods" / "deluxe"]).new_game(2)
    texts = {
        each.title: dict(each.rows)["Text"]
        for each in world.printed
        if each.id.startswith("character:")
    }
    out = run(*WITH_BOT, *options, "--plain", typed=ONES[:9]).out
    question = out.partition("Which Character?\n")[2].partition("\n(")[0].splitlines()
    offered = [line.partition(". ")[2] for line in question]

    assert len(texts) == 11
    assert len(offered) in (10, 11)
    assert set(offered) <= {f"{title}: {text}" for title, text in texts.items()}


def test_replay_tells_the_whole_game(run: Run, named: tuple[str, str], tmp_path: Path) -> None:
    journal = tmp_path / "kept.toml"
    played = run(*BOTS_ONLY, *named, "--seed", "5", "--journal", str(journal))
    told = run("replay", str(journal))
    assert told.status == 0
    assert told.ending == played.ending


def test_why_quotes_lines_of_the_rules(run: Run, named: tuple[str, str]) -> None:
    folder = next(each.folder for each in bundled_packs() if each.folder.name == named[1])
    ran = run(*WITH_BOT, *named, "--plain", typed=["1", "1", "why", "why --source"])
    quoted = re.findall(r"^  (\S+\.rules):(\d+): (.+)$", ran.out, re.MULTILINE)
    assert quoted
    assert re.search(r"type `rules [a-z-]+`\.$", ran.out, re.MULTILINE)
    for name, line, text in quoted:
        assert text in " ".join((folder / name).read_text().splitlines()[int(line) - 1].split())


def test_a_program_plays_to_the_end(run: Run, named: tuple[str, str]) -> None:
    ran = run(*WITH_BOT, *named, "--json", typed=["0"] * 600)
    assert json.loads(ran.lines[-1])["result"]["seats"]


def test_the_last_answer_of_a_bot_is_taken_back_at_the_end(run: Run) -> None:
    game = ("--pack", "tic_tac_toe", "--players", "2", "--bots", "1xrandom", "--seed", "5")
    ran = run("play", *game, "--plain", typed=["2", "3", "2", "undo", "1"])
    assert ran.out.count("Player 1 has lost") == 2
    assert ran.out.count("Taken back: ") == 1
    assert "None of these can be undone" not in ran.out


def test_alone_against_a_rival(run: Run) -> None:
    ran = run("play", "--solo", "--bots", "1xrandom", "--seed", "1", "--plain")
    same = run("play", "--players", "1", "--bots", "1xrandom", "--seed", "1", "--plain")
    harder = run(
        *("play", "--solo", "--bots", "1xrandom", "--seed", "1", "--plain"),
        *("--option", "gold-rush=on"),
    )

    assert ran.status == 0
    assert ran.out == same.out != harder.out
    assert re.search(r"^Shade: place \d, \d+ points \(.*\)$", ran.out, re.MULTILINE)
    assert re.search(r"^(Won|Drawn|Lost): \S.*\.$", ran.ending, re.MULTILINE)


def test_alone_one_reads_before_the_choice_where_the_rival_may_go(run: Run) -> None:
    typed = ["1", "1", "1", "1", "read shade", "board shade goes", "3", "board shade goes"]
    out = run("play", "--solo", "--seed", "4", "--plain", typed=typed).out
    news, _, question = out.partition("Where does your Pioneer go?")
    assert "Heads would send Shade to 3 Build: a Hotel and VP; Boom: VP." in news
    assert "Tails would send Shade to 2 River and Bridge: a River" in news
    assert "Buster stays away from both Sites." in news
    assert "All choose secretly" not in out
    read, _, after = question.partition("> 3\n")
    assert "Then the Coin is tossed. Heads sends Shade to the Site of the left card" in read
    assert "Heads: 3 Build" in read
    assert "Coin: Untossed\n" in read
    assert "Coin: Heads" in after


def test_the_verdict_in_json(run: Run) -> None:
    ran = run("play", "--solo", "--bots", "1xrandom", "--seed", "1", "--json")
    result = json.loads(ran.lines[-1])["result"]
    (verdict,) = result["verdicts"]
    assert verdict["word"] == ("won" if result["places"] == [1, 2] else "lost")
    assert verdict["text"]


def test_two_sit_down_where_nobody_says_how_many(run: Run) -> None:
    ran = run("play", "--bots", "2xrandom", "--seed", "1", "--plain")
    assert "2 players" in ran.lines[0]
    assert "Shade" not in ran.out


CONTENT = Path(__file__).parents[2] / "content"


def answers_of(game: Path) -> list[str]:
    (ready,) = load_lessons(game).lessons
    picks = (pick.option for _, pick in ready.lesson.picks if pick.player == 1)
    return ["1" if option == "0" else option for option in picks]


@pytest.mark.parametrize(
    "game",
    [pytest.param(CONTENT, marks=pytest.mark.nightly), CONTENT / "sutters_mill"],
    ids=["coloma", "sutters_mill"],
)
def test_a_lesson_is_played_by_its_answers_and_runs_on_into_its_game(run: Run, game: Path) -> None:
    steps = len(load_lessons(game).lessons[0].lesson.steps)
    ran = run("learn", str(game), "--plain", typed=[*answers_of(game), "1", "undo"])
    assert ran.status == 0
    assert "That works too" not in ran.out
    titles = re.findall(r"^Lesson, step (\d+) of (\d+)$", ran.out, re.MULTILINE)
    assert [*dict.fromkeys(titles)] == [(str(step), str(steps)) for step in range(1, steps + 1)]
    game_itself = ran.out.partition("\nFrom here on you play: the lesson is over")[2]
    assert "\n> 1\n" in game_itself
    assert "Resume with: coloma play --resume" in game_itself


def test_another_answer_in_a_lesson_gets_a_remark_and_if_repeated_leaves_it(run: Run) -> None:
    right = answers_of(CONTENT / "sutters_mill")
    ran = run("learn", "sutters_mill", "--plain", typed=["yes", *right[:1], "gold", "gold", "1"])
    remark = "That works too. The step was: Choose No: whoever tears down cannot build any more."
    other = "That works too. The step was: Choose to operate in the city."
    assert [each in ran.out for each in (remark, other)] == [True, True]
    assert ran.out.count("Nothing has happened yet; the same answer again plays it") == 2
    assert "tears down" not in ran.out.partition(remark)[2].partition("> no")[0][200:]
    lesson, _, game = ran.out.partition("\nFrom here on you play")
    assert "Lesson, step 2 of 18" in lesson
    assert "Lesson, step" not in game
    assert "\n> 1\n" in game


@pytest.mark.nightly
def test_what_to_do_is_said_below_the_question(run: Run) -> None:
    lines = run("learn", "coloma", typed=["quit"]).lines
    question = next(at for at, line in enumerate(lines) if line.startswith("  6. Foundry"))
    assert question < next(at for at, line in enumerate(lines) if line.startswith("Welcome"))


def test_a_lesson_that_is_not_there_is_refused(run: Run) -> None:
    ran = run("learn", "sutters_mill", "--lesson", "2")
    assert (ran.status, "it has 1: The first turns" in ran.err) == (2, True)


MOD = 'id = "guide"\nname = "Guide"\nkind = "mod"\nfor_game = "sutters_mill"\nversion = "1.0.0"\n'
LESSON = """\
[[lesson]]
name = "A second look"
players = 2
step = [{ say = "Only in the mod.", do = [] }]
"""


def test_lessons_of_mods_follow_those_of_the_game(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lessons").mkdir()
    (tmp_path / "pack.toml").write_text(MOD)
    (tmp_path / "lessons" / "second.toml").write_text(LESSON)

    second = run("learn", str(tmp_path), "--lesson", "2", "--plain")
    assert second.lines[0] == "Lessons, for --lesson N: 1. The first turns; 2. A second look."
    assert "Only in the mod." in second.lines
    assert (
        "it has 2: The first turns; A second look"
        in run("learn", "sutters_mill", "--mod", str(tmp_path), "--lesson", "3").err
    )


TWO_BOTS = ("--players", "3", "--bots", "2xrandom", "--plain")


def _answered(run: Run, *options: str, seed: int) -> list[str]:
    return run("play", *TWO_BOTS, "--seed", str(seed), *options, typed=["1"] * 40).lines


def test_what_is_not_offered_is_said_with_its_reason(run: Run) -> None:
    told = [
        line
        for seed in (1, 2)
        for line in _answered(run, "--teach", seed=seed)
        if line.startswith("Not now: ")
    ]

    assert any("is Bust: its Boom section is closed." in line for line in told)
    assert all(line.startswith("Not now: Boom") for line in told if "Boom section" in line)


def test_without_it_questions_stay_short(run: Run) -> None:
    assert not [line for line in _answered(run, seed=1) if line.startswith("Not now")]


GAME = ("--pack", "content/sutters_mill", "--players", "2", "--bots", "1", "--seed", "1")
SURE = "Are you sure? `2` means `Yes`. Type y to choose it."
GONE = "Player 1 begins to tear down"


@pytest.fixture
def _keyboard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coloma.session.answers.StandardInput.is_terminal", True)


@pytest.mark.usefixtures("_keyboard")
@pytest.mark.parametrize(
    ("typed", "asked", "is_done"),
    [
        (["2"], 1, False),
        (["2", "2"], 1, True),
        (["2", "y"], 1, True),
        (["2", "1"], 1, False),
        (["1"], 0, False),
        (["2", "yes"], 1, True),  # the same, in another word
    ],
)
def test_a_keyboard_asks_again(run: Run, typed: list[str], asked: int, is_done: bool) -> None:
    ran = run("play", *GAME, "--plain", typed=typed)
    assert ran.out.count("Are you sure?") == asked
    assert (SURE in ran.out) is (asked > 0)
    assert ("Dig for gold" in ran.out) is (typed != ["2"])
    assert (GONE in ran.out) is is_done


@pytest.mark.usefixtures("_keyboard")
def test_something_else_in_between_asks_again(run: Run) -> None:
    ran = run("play", *GAME, "--plain", typed=["2", "undo", "2"])
    assert ran.out.count(SURE) >= 1
    assert GONE not in ran.out


def test_a_pipe_is_taken_at_its_word(run: Run) -> None:
    ran = run("play", *GAME, "--plain", typed=["2"])
    assert "Are you sure?" not in ran.out
    assert "Dig for gold" in ran.out


def test_a_program_asks_for_the_scene(run: Run) -> None:
    ran = run(
        *("play", "--pack", "tic_tac_toe", "--players", "2", "--json"),
        typed=["scene", "0", "quit"],
    )
    scene = json.loads(next(line for line in ran.lines if line.startswith('{"scene"')))["scene"]
    refs = {cell["ref"] for cell in scene["cells"]}
    assert len(scene["options"]) == 9
    assert all({*option["refs"]} & refs for option in scene["options"])


@pytest.mark.parametrize(("pack", "is_covered"), [("tic_tac_toe", False), ("goofspiel", True)])
def test_nobody_looks_away_where_nothing_is_secret(run: Run, pack: str, is_covered: bool) -> None:
    ran = run("play", "--pack", pack, "--players", "2", "--plain", typed=["1", "1", "1"])
    assert ("Pass the keyboard" in ran.out) == is_covered
    assert "Player 2: " in ran.out


def test_why_not_says_what_leads_to_a_later_choice(run: Run) -> None:
    typed = ["1"] * 4 + ["why not pitch a camp"]
    ran = run("play", "--players", "4", "--bots", "3xrandom", "--seed", "12", typed=typed)
    steps = "`5 Settle and Defend`, then `Common: send Dudes to the Shootout, pitch Camps`"
    assert f"Pitch a Camp: It is offered after {steps}." in " ".join(ran.out.split())
