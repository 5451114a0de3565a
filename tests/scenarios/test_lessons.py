from __future__ import annotations

from pathlib import Path

from rulesdsl.scenarios.lessons import Classroom, Course, load_lessons
from scenarios.small_pack import write_pack

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
    wanted = course.wanted(0)
    assert wanted is not None
    assert (wanted.player, wanted.option, course.hint(0)) == (1, "stall:baker", "Go to the baker.")
    assert (course.over(1), course.over(2), course.wanted(2)) == (False, True, None)


def test_the_game_of_a_lesson_is_over_where_its_play_ends(tmp_path: Path) -> None:
    game = begun(tmp_path).game
    game.choose("stall:baker")
    game.choose("stall:beggar")
    assert game.over
    assert game.result is not None
    assert game.result.scores == (4, 4)


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
