"""Lessons: a course for every rule set, made from its parameters.

Its positions are searched for and verified by the reference rules, so that a level never says
what is not so. The same rules have the same course.

>>> import damka
>>> from damka.study import lessons
>>> course = lessons.course(damka.rules.load("dama64"))
>>> level = course.stages[0].levels[0]
>>> level.id, level.goal.kind
('move_lines.diagonal', 'move')
>>> level.rule("en")
'A man moves one square forwards, diagonally.'
"""

from damka.study.lessons.attempt import MAX_STARS, Attempt, Verdict
from damka.study.lessons.course import course, is_known
from damka.study.lessons.fingerprint import fingerprint
from damka.study.lessons.goal import KINDS, Answer, Goal
from damka.study.lessons.guide import Guide, GuideRecord, Notice
from damka.study.lessons.level import STAGES, Course, Level, Stage
from damka.study.lessons.verify import verify

__all__ = [
    "KINDS",
    "MAX_STARS",
    "STAGES",
    "Answer",
    "Attempt",
    "Course",
    "Goal",
    "Guide",
    "GuideRecord",
    "Level",
    "Notice",
    "Stage",
    "Verdict",
    "course",
    "fingerprint",
    "is_known",
    "verify",
]


def __dir__() -> list[str]:
    return __all__
