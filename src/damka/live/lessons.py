"""Lessons as JSON values: a level, its hints, and the verdict on an answer.

Nothing is stored: a request names its level, and an answer has the learner's moves, mistakes and
hints so far. A level is described without its solutions. Squares are the library's numbers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import msgspec
from msgspec import Meta

from damka import locales
from damka.board import Board
from damka.errors import RulesError
from damka.live.lesson_links import lesson_path
from damka.live.lines import Square, move_info, move_json, rule_link
from damka.live.problems import Problem
from damka.live.state import rule_number
from damka.notation import labels
from damka.refusal import explain
from damka.study import lessons

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from damka.move import Move
    from damka.refusal import Refusal
    from damka.rules import Rules

__all__ = ["AnswerRequest", "HintRequest", "LevelRequest", "answer", "describe", "hint"]

Clicks = Annotated[list[Square], Meta(min_length=1, max_length=144)]
"""Squares that the learner has chosen: pieces, or the squares of a move."""
LevelId = Annotated[str, Meta(min_length=1, max_length=80)]

_PIECES: Final = ("pieces", "takes", "over", "squares", "square", "where")
"""Arguments of a refusal that are squares of its sentence."""
_MAX_ROUTE: Final = 40
"""Largest number of squares of a move."""
_MAX_BEGUN: Final = 12
"""Largest number of unfinished captures after which wrong moves are offered."""
_NO_CAPTURE: Final = frozenset(
    {
        *("not_diagonal", "not_on_a_line", "line_not_moved_on", "line_not_captured_on"),
        *("way_blocked", "man_one_square", "king_one_square", "man_backwards"),
        *("target_occupied", "must_capture", "king_turn"),
    }
)
"""Refusals of a leg that captures nothing."""


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
    others that only look possible. `count` is the number of levels with the guided game, `moves`
    that of answers for full marks.
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
        "count": len(levels) + 1,
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
        "link": _rule_link(of, level.topic),
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
    kind = level.goal.kind
    is_move = kind not in ("count", "huff", "select", "land")
    if is_move and len(chosen) > _MAX_ROUTE:
        raise Problem(422, "bad_field", where="answer")
    is_square = kind != "count"
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
    sentence = verdict.sentence(language)
    if verdict.id == "refused" and refusal is not None:
        name = labels(of).name
        unfinished = _unfinished(board, refusal, chosen)
        if unfinished is not None:
            refusal, sentence = unfinished, unfinished.sentence(language, name)
        elif _is_out_of_reach(board, refusal, chosen):
            far = {"start": name(chosen[0]), "square": name(chosen[1])}
            sentence = locales.translate(language, "learn.level.far", **far)
    found: dict[str, Any] = {
        "id": verdict.id,
        "right": verdict.right,
        "done": verdict.done,
        "stars": verdict.stars,
        "sentence": sentence,
        "frames": _frames(board, verdict),
        "squares": list(verdict.squares) or _squares(refusal, chosen),
        "link": _rule_link(of, refusal.topic if refusal else level.topic),
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
    routes = {tuple(r) for move in choices for r in move.get("routes", [move["route"]])}
    # A click on a landing of a capture continues it.
    taken = {(route[0], square) for route in routes for square in route}
    wrong = [ends for ends in attempt.tempting if ends not in taken] + _detours(board, routes)
    for route in wrong:
        ends = {"hub": "-".join(map(str, route)), "from": route[0], "to": route[-1]}
        more = {"text": "", "captures": [], "crowns": False, "king": False}
        choices.append({**ends, **more, "route": [*route]})
    choices.sort(key=lambda move: (move["from"], move["to"]))
    return question | {"choices": choices}


def _detours(board: Board, routes: Collection[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return routes that look possible after the first jumps of a capture, and are not."""
    of = board.rules
    try:
        relaxed = of.replace(obligation="free", precedence=(), man_capture="all")
    except RulesError:
        return []
    taken = {(route[0], square) for route in routes for square in route}
    found: list[tuple[int, ...]] = []
    begun = sorted({route[:n] for route in routes for n in range(2, len(route))})
    for route in begun[:_MAX_BEGUN]:
        pieces = [*board.pieces]
        pieces[route[-1] - 1], pieces[route[0] - 1] = pieces[route[0] - 1], "."
        there = Board(relaxed).with_pieces("".join(pieces), board.turn)
        squares = {move.route[1] for move in there.legal_moves if move.start == route[-1]}
        found += [(*route, end) for end in sorted(squares) if (route[0], end) not in taken]
    return found


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


def _unfinished(board: Board, refusal: Refusal, chosen: Sequence[int]) -> Refusal | None:
    """Return the refusal of a move that leaves a capture after its first jumps."""
    if len(chosen) < 3 or refusal.code not in _NO_CAPTURE:
        return None
    found = explain(board, "x".join(map(str, chosen[:-1])))
    return found if found is not None and found.code == "must_continue" else None


def _is_out_of_reach(board: Board, refusal: Refusal, chosen: Sequence[int]) -> bool:
    """Whether a piece is moved onto one that it cannot take."""
    if refusal.code != "target_occupied" or refusal.args["kind"] != "opponents":
        return False
    start, square = chosen[0], chosen[-1]
    return len(chosen) == 2 and not any(
        square in move.captures for move in board.legal_moves if move.start == start
    )


def _rule_link(of: Rules, topic: str) -> dict[str, Any] | None:
    """Return the link to the rulebook paragraph on a topic; for house rules on their own page."""
    number = rule_number(of, topic)
    link = lesson_path(of).partition("?r=")[2]
    if number is None or not link:
        return rule_link(of, topic)
    return {"number": number, "url": f"/box?r={link}#p-{topic}"}


def _squares(refusal: Refusal | None, chosen: Sequence[int]) -> list[int]:
    """Return the squares that a refusal is about: by default those chosen."""
    if refusal is None:
        return []
    found: list[int] = []
    for name in _PIECES:
        value = refusal.args.get(name, ())
        found += [value] if isinstance(value, int) else cast("Sequence[int]", value)
    return [*dict.fromkeys(found or chosen)]
