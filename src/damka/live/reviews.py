"""Reviews of games as JSON, both ways.

A page whose device does the searches sends the game and all evaluations so far, and receives the
review by these evaluations and the next searches: `steps`. Nothing is stored between two requests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from damka import rules as rule_sets
from damka.errors import DamkaError, FenError, PositionTooComplexError
from damka.game import Game
from damka.live import requests
from damka.live.evaluations import Evaluation, Key, keys, move_of, read_evaluation
from damka.live.live_game import key_of
from damka.live.problems import Problem
from damka.notation import fen
from damka.study.review import Judge, Request, Reviewer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.board import Board
    from damka.rules import Rules, Side
    from damka.study.review import Moment, Review, Verdict

__all__ = [
    "MAX_NODES",
    "MAX_PLIES",
    "Evaluated",
    "GameMoves",
    "JudgeRequest",
    "StepsRequest",
    "game_moves",
    "game_of",
    "judge",
    "moment_json",
    "receive",
    "request_json",
    "review_json",
    "steps",
    "verdict_json",
]

MAX_PLIES: Final = 600
"""Maximum number of plies of a game that is reviewed."""
MAX_NODES: Final = 5_000_000
"""Maximum number of nodes of a request."""
_SEARCHES: Final = 6
"""Maximum number of searches of a ply, over all stages of a review."""

Square = Annotated[int, Meta(ge=1, le=144)]
Nodes = Annotated[int, Meta(ge=1, le=MAX_NODES)]


class GameMoves(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game by its rules, start and moves.

    A move is a key; "(23) 32-28" huffs the piece on 23 first. `fen` has the library's numbers.
    """

    rules: Annotated[str, Meta(max_length=64)] | dict[str, Any]
    moves: Annotated[tuple[Key, ...], Meta(max_length=MAX_PLIES)]
    fen: Annotated[str, Meta(max_length=fen.MAX_LENGTH)] | None = None
    obligation: Literal["forced", "huff"] | None = None


class SearchRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A search that `steps` or `judge` requested."""

    ply: Annotated[int, Meta(ge=0, le=MAX_PLIES)]
    nodes: Nodes
    lines: Annotated[int, Meta(ge=1, le=5)] = 1
    huff: Square | None = None
    moves: Annotated[tuple[Key, ...], Meta(min_length=1, max_length=500)] | None = None


class Evaluated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request, and its result."""

    request: SearchRequest
    evaluation: Evaluation


class StepsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game, and the evaluations so far."""

    game: GameMoves
    evaluations: Annotated[list[Evaluated], Meta(max_length=_SEARCHES * MAX_PLIES)] = []
    nodes: Annotated[int, Meta(ge=1_000, le=MAX_NODES)] = 200_000
    reader: Literal["W", "B"] | None = None
    """The side that the sentences address as "you"; None for the side that moved."""


class JudgeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move that is tried instead of move number `ply` + 1 of a game."""

    game: GameMoves
    ply: Annotated[int, Meta(ge=0, le=MAX_PLIES)]
    move: Key
    best: Key | None = None
    """The best move, if it is known."""
    evaluations: Annotated[list[Evaluated], Meta(max_length=4)] = []
    nodes: Annotated[int, Meta(ge=1_000, le=MAX_NODES)] = 200_000


def steps(request: StepsRequest, language: str) -> dict[str, Any]:
    """Return the review by the evaluations so far, and the next searches. Raises Problem."""
    reviewer = Reviewer(game_of(request.game), request.nodes)
    receive(reviewer, request.evaluations)
    review = review_json(reviewer, reviewer.review(), language, request.reader)
    return review | {"next": [request_json(reviewer, each) for each in reviewer.requests()]}


def receive(reviewer: Reviewer, evaluations: Sequence[Evaluated]) -> None:
    """Let a reviewer take evaluations. Raises Problem for one that does not fit the game."""
    for number, evaluated in enumerate(evaluations):
        wanted = evaluated.request
        where = f"evaluations[{number}]"
        if wanted.ply > reviewer.timeline.count:
            raise Problem(422, "bad_field", where=f"{where}.request.ply")
        if wanted.huff is not None and wanted.huff not in reviewer.timeline.offences(wanted.ply):
            raise Problem(422, "bad_field", where=f"{where}.request.huff")
        board = reviewer.timeline.board(wanted.ply, wanted.huff)
        try:
            analysis = read_evaluation(board, evaluated.evaluation)
        except Problem as problem:
            inner = f"{where}.evaluation.{problem.where}"
            raise Problem(problem.status, problem.code, where=inner) from problem
        moves = None
        if wanted.moves is not None:
            found = [move_of(board, key) for key in wanted.moves]
            moves = tuple(move for move in found if move is not None)
        reviewer.receive(
            Request(wanted.ply, wanted.nodes, wanted.lines, moves, wanted.huff), analysis
        )


def judge(request: JudgeRequest) -> dict[str, Any]:
    """Return the verdict on a retried move, or the next search for it. Raises Problem."""
    game = game_of(request.game)
    if request.ply > game.ply_count:
        raise Problem(422, "bad_field", where="ply")
    reviewer = Reviewer(game, request.nodes)
    board = reviewer.timeline.board(request.ply)
    move = move_of(board, request.move)
    if move is None:
        raise Problem(422, "bad_field", where="move")
    best = None if request.best is None else move_of(board, request.best)
    judgement = Judge(board, move, best, nodes=request.nodes, ply=request.ply)
    for evaluated in request.evaluations:
        wanted = judgement.next()
        if wanted is None:
            break
        judgement.receive(wanted, read_evaluation(board, evaluated.evaluation))
    wanted = judgement.next()
    if wanted is not None:
        return {"verdict": None, "next": request_json(reviewer, wanted)}
    return {"verdict": verdict_json(board, judgement.verdict()), "next": None}


def verdict_json(board: Board, verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON values."""
    return {
        "right": verdict.is_right,
        "lost": verdict.chance_lost,
        "best": keys(board, [verdict.best])[0],
        "line": keys(board, verdict.line[:12]),
    }


def review_json(
    reviewer: Reviewer, review: Review, language: str, reader: Side | None = None
) -> dict[str, Any]:
    """Return a review as JSON values."""
    return {
        "moments": [moment_json(reviewer, each, language, reader) for each in review.moments],
        "accuracy": dict(review.accuracy),
        "graph": [round(value, 4) for value in review.graph],
        "complete": review.is_complete,
    }


def moment_json(
    reviewer: Reviewer, moment: Moment, language: str, reader: Side | None = None
) -> dict[str, Any]:
    """Return a moment as JSON values; `positions` are those of the line, for small boards."""
    n = moment.ply - 1
    board = reviewer.timeline.board(n, moment.huff)
    played = reviewer.timeline.board(n, _huff(reviewer, n))
    after = board.copy()
    positions: list[dict[str, Any]] = [{"pieces": after.pieces, "from": None, "to": None}]
    for move in moment.line:
        after.push_unchecked(move)
        positions.append({"pieces": after.pieces, "from": move.start, "to": move.end})
    return {
        "ply": moment.ply,
        "side": moment.side,
        "kind": moment.kind,
        "mistake": moment.is_mistake,
        "move": key_of(moment.move, played.legal_moves),
        "best": keys(board, [moment.best])[0],
        "huff": moment.huff,
        "lost": moment.chance_lost,
        "line": keys(board, moment.line),
        "reply": keys(played, moment.reply),
        "sentence": moment.sentence(language, reader),
        "positions": positions,
    }


def _huff(reviewer: Reviewer, n: int) -> int | None:
    return reviewer.timeline.played_huff(n)


def request_json(reviewer: Reviewer, request: Request) -> dict[str, Any]:
    """Return a request as JSON values."""
    board = reviewer.timeline.board(request.ply, request.huff)
    moves = request.moves
    return {
        "ply": request.ply,
        "nodes": request.nodes,
        "lines": request.lines,
        "huff": request.huff,
        "moves": None if moves is None else [keys(board, [move])[0] for move in moves],
    }


def game_moves(game: Game, rules: str | None = None) -> dict[str, Any]:
    """Return a game as JSON values that `GameMoves` reads; `rules` is the name of shipped rules."""
    board = game.board.root()
    moves = []
    for ply in game.history:
        if ply.huff is not None:
            board.huff(ply.huff)
        key = key_of(ply.move, board.legal_moves if ply.move.crowns else ())
        moves.append(key if ply.huff is None else f"({ply.huff}) {key}")
        board.push_unchecked(ply.move)
    return {
        "rules": game.rules.to_dict() if rules is None else rules,
        "fen": game.start_fen,
        "moves": moves,
        "obligation": None if rules is None else _chosen(game, rules),
    }


def _chosen(game: Game, name: str) -> str | None:
    """Return the obligation of a game if it is not that of its rule set."""
    obligation = game.rules.obligation
    return None if obligation == rule_sets.load(name).obligation else obligation


def game_of(moves: GameMoves) -> Game:
    """Return the game. Raises Problem for rules, a position or a move that cannot be used."""
    rules: Rules = requests.rules_of(moves.rules, moves.obligation)
    try:
        game = Game(rules, moves.fen)
    except FenError as error:
        raise Problem(422, "bad_field", where="game.fen", detail=str(error)[:300]) from error
    except PositionTooComplexError as error:
        raise Problem(422, "too_complex", where="game.fen") from error
    for number, text in enumerate(moves.moves):
        try:
            _play(game, text)
        except (DamkaError, ValueError) as error:
            where = f"game.moves[{number}]"
            raise Problem(422, "bad_field", where=where, detail=str(error)[:300]) from error
    return game


def _play(game: Game, text: str) -> None:
    huff, separator, key = text.removeprefix("(").partition(")")
    if separator:
        game.huff(int(huff))
        key = key.strip()
    else:
        key = text
    if game.result is not None:
        raise ValueError("the game is over")
    playable = (*game.legal_moves, *game.offence_moves)
    move = next((move for move in playable if key_of(move, playable) == key), None)
    if move is None:
        raise ValueError(f"no move {key[:40]}")
    game.play(move)
