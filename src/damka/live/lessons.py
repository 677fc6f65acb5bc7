"""Lessons as JSON values: a level, its hints, and the verdict on an answer.

Nothing is stored: a request names its level, and an answer has the learner's moves, mistakes and
hints so far. A level is described without its solutions. Squares are the library's numbers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import msgspec
from msgspec import Meta

from damka.live.lines import Square, move_info, move_json, rule_link
from damka.live.problems import Problem
from damka.study import lessons

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from damka.board import Board
    from damka.move import Move
    from damka.refusal import Refusal
    from damka.rules import Rules

__all__ = ["AnswerRequest", "HintRequest", "LevelRequest", "answer", "describe", "hint"]

Clicks = Annotated[list[Square], Meta(min_length=1, max_length=144)]
"""Squares that the learner has chosen: pieces, or the squares of a move."""
LevelId = Annotated[str, Meta(min_length=1, max_length=80)]

_PIECES: Final = ("pieces", "takes", "over", "squares", "where")
"""Arguments of a refusal that are squares of its sentence."""


class LevelRequest(msgspec.Struct, frozen=True):
    """Query of a request about a level."""

    level: LevelId


class HintRequest(msgspec.Struct, frozen=True):
    """Query of a request for a hint: its number, from 1, and the moves played so far.

    The squares of a move are joined by `-`, the moves by `,`.
    """

    level: LevelId
    hint: Annotated[int, Meta(ge=1, le=9)]
    played: Annotated[str, Meta(max_length=200)] = ""


class AnswerRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a level.

    `answer` is a number, the square of a piece to huff, chosen squares, or those of a move: its
    ends, or its whole route. `played` are the right moves of a sequence so far; `mistakes` and
    `hints` are counted by the page.
    """

    level: LevelId
    answer: int | Clicks
    played: Annotated[list[Clicks], Meta(max_length=8)] = []
    mistakes: Annotated[int, Meta(ge=0, le=1000)] = 0
    hints: Annotated[int, Meta(ge=0, le=9)] = 0


def describe(of: Rules, level_id: str, language: str) -> dict[str, Any]:
    """Return a level, without its solutions. Raises Problem for an unknown one.

    `pieces` and `turn` are the position of the question, `before` the pieces before the moves of
    `lead`, which are shown first. `choices` are moves to choose from: all that are possible, and
    others that only look possible. `moves` is the number of answers for full marks.
    """
    course = lessons.course(of)
    level = _level(course, level_id)
    attempt = lessons.Attempt(level)
    levels = course.levels
    at = levels.index(level)
    stage = next(stage for stage in course.stages if stage.id == level.stage)
    return {
        "id": level.id,
        "course": lessons.fingerprint(of),
        "stage": level.stage,
        "title": stage.title(language),
        "number": at + 1,
        "count": len(levels),
        "previous": levels[at - 1].id if at else None,
        "next": levels[at + 1].id if at + 1 < len(levels) else None,
        "rule": level.rule(language),
        "task": level.task(language),
        "goal": {
            "kind": level.goal.kind,
            "asks": level.goal.asks,
            "piece": level.goal.piece,
            "options": list(level.goal.options),
        },
        **_lead(level),
        **_question(attempt),
        "moves": level.moves,
        "hints": len(level.hints(language)),
        "demonstration": level.demonstration,
        "link": rule_link(of, level.topic),
    }


def hint(of: Rules, request: HintRequest, language: str) -> dict[str, Any]:
    """Return a hint for a level and the squares that it is about. Raises Problem."""
    level = _level(lessons.course(of), request.level)
    attempt = _attempt(level, _clicks(request.played))
    hints = level.hints(language, attempt.played)
    if request.hint > len(hints):
        raise Problem(422, "bad_field", where="hint")
    squares: list[int] = []
    if request.hint > 1:
        match level.answer(attempt.played):
            case str(move):
                squares = [*map(int, re.split("[-x]", move)[:2])][: request.hint - 1]
            case int(square):
                squares = [square] if level.goal.kind == "huff" else []
            case chosen:
                squares = [chosen[0]]
    return {"hint": hints[request.hint - 1], "squares": squares, "more": len(hints) - request.hint}


def answer(of: Rules, request: AnswerRequest, language: str) -> dict[str, Any]:
    """Return the verdict on an answer. Raises Problem for one of another kind.

    `frames` are what happens on the board: moves, huffs, and the pieces after each. `squares` are
    those that the sentence is about. `next` is the next question of a sequence.
    """
    level = _level(lessons.course(of), request.level)
    chosen = [request.answer] if isinstance(request.answer, int) else request.answer
    is_square = level.goal.kind != "count"
    if is_square and not all(1 <= square <= of.square_count for square in chosen):
        raise Problem(422, "bad_field", where="answer")
    attempt = _attempt(level, request.played)
    attempt.mistakes, attempt.hints = request.mistakes, request.hints
    board = attempt.board.copy()
    try:
        verdict = attempt.answer(request.answer)
    except TypeError as error:
        raise Problem(422, "bad_field", where="answer") from error
    refusal = verdict.refusal
    found: dict[str, Any] = {
        "id": verdict.id,
        "right": verdict.right,
        "done": verdict.done,
        "stars": verdict.stars,
        "sentence": verdict.sentence(language),
        "frames": _frames(board, verdict),
        "squares": list(verdict.squares) or _squares(refusal, chosen),
        "link": rule_link(of, refusal.topic if refusal else level.topic),
    }
    if verdict.right and not verdict.done:
        found["next"] = _question(attempt)
    return found


def _level(course: lessons.Course, level_id: str) -> lessons.Level:
    level = course.level(level_id)
    if level is None:
        raise Problem(404, "unknown_level", where="level")
    return level


def _attempt(level: lessons.Level, played: Sequence[Sequence[int]]) -> lessons.Attempt:
    """Return an attempt after the right moves of a sequence. Raises Problem for others."""
    attempt = lessons.Attempt(level)
    if played and level.goal.kind != "sequence":
        raise Problem(422, "bad_field", where="played")
    for clicks in played:
        verdict = attempt.answer(clicks)
        if not verdict.right or verdict.done:
            raise Problem(422, "bad_field", where="played")
    return attempt


def _clicks(text: str) -> list[list[int]]:
    """Parse moves in a query. Raises Problem."""
    if not text:
        return []
    if not re.fullmatch(r"[0-9]{1,3}([-,][0-9]{1,3})*", text, re.ASCII):
        raise Problem(422, "bad_field", where="played")
    return [[*map(int, move.split("-"))] for move in text.split(",")]


def _lead(level: lessons.Level) -> dict[str, Any]:
    """Return the moves before the question, and the pieces before them."""
    board, moves = level.opening()
    before, frames = board.pieces, []
    for move in moves:
        frames.append(_move_frame(board, move))
        board.push_unchecked(move)
        frames[-1]["pieces"] = board.pieces
    return {"before": before, "lead": frames}


def _question(attempt: lessons.Attempt) -> dict[str, Any]:
    """Return the position of a question and the moves to choose from."""
    board = attempt.board
    question: dict[str, Any] = {"pieces": board.pieces, "turn": board.turn}
    if attempt.level.goal.kind not in ("move", "sequence", "draw", "win"):
        return question | {"choices": []}
    legal = board.legal_moves
    choices = [move_json(move_info(board, move, legal, routes=True)) for move in legal]
    # A click on a landing of a capture continues it.
    taken = {
        (move["from"], square)
        for move in choices
        for route in move.get("routes", [move["route"]])
        for square in route
    }
    for start, end in attempt.tempting:
        if (start, end) not in taken:
            wrong: Mapping[str, object] = {"hub": f"{start}-{end}", "from": start, "to": end}
            more = {"text": "", "captures": [], "crowns": False, "king": False}
            choices.append({**wrong, **more, "route": [start, end]})
    choices.sort(key=lambda move: (move["from"], move["to"]))
    return question | {"choices": choices}


def _frames(board: Board, verdict: lessons.Verdict) -> list[dict[str, Any]]:
    """Return the moves and huffs on the board after an answer."""
    frames = []
    for event in ((verdict.played,) if verdict.played else ()) + verdict.reply:
        if isinstance(event, int):
            pieces = board.pieces
            pieces = f"{pieces[: event - 1]}.{pieces[event:]}"
            frames.append({"huff": event, "side": board.turn, "pieces": pieces})
            continue
        frames.append(_move_frame(board, event))
        board.push_unchecked(event)
        frames[-1]["pieces"] = board.pieces
    return frames


def _move_frame(board: Board, move: Move) -> dict[str, Any]:
    allowed = (*board.legal_moves, *board.quiet_moves)
    return {"move": move_json(move_info(board, move, allowed))}


def _squares(refusal: Refusal | None, chosen: Sequence[int]) -> list[int]:
    """Return the squares that a refusal is about: by default those chosen."""
    if refusal is None:
        return []
    found: list[int] = []
    for name in _PIECES:
        value = refusal.args.get(name, ())
        found += [value] if isinstance(value, int) else cast("Sequence[int]", value)
    return [*dict.fromkeys(found or chosen)]
