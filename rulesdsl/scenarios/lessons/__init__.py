"""Lessons: positions that are played step by step, with words for somebody who learns the game.

A lesson begins as a scenario does, and shares its fields; then it goes on in steps: what is said,
what is chosen then, and a hint for whoever chooses something else. So a lesson is read, woven into
the program and started by what does that for scenarios.

    lesson.py     what a lesson says, and its fields; reading.py reads it
    course.py     a lesson that is played: what is said when, and which choice is wanted
    classroom.py  all lessons of a pack, and whether they can be played as they say

Start at `classroom.load_lessons`.
"""

from __future__ import annotations

from rulesdsl.scenarios.lessons.classroom import Classroom, load_lessons
from rulesdsl.scenarios.lessons.course import Course

__all__ = ["Classroom", "Course", "load_lessons"]
