"""Lines of moves from a position: the positions on the way, and the moves that are possible then.

A line is a start position and the keys of its moves (`key_of`). A huff precedes the key of its
move as `(23)`, and may also be the last item of a line, before its move. A line may continue after
a draw by the rules.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from damka import locales
from damka.board import Board
from damka.errors import FenError, PositionTooComplexError
from damka.live import messages
from damka.live.allowed import Played, reasons, squares
from damka.live.live_game import key_of
from damka.live.positions import PositionProblem, fen_fault
from damka.live.problems import Problem
from damka.live.replay import MAX_MOVES
from damka.live.state import MAX_ROUTES, rule_number, rule_text, rules_path
from damka.notation import fen as fens
from damka.notation import labels, text
from damka.refusal import labelled
from damka.result import variant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from damka.move import Move
    from damka.rules import Rules, Side

__all__ = [
    "MAX_KEY",
    "MAX_LINE",
    "Key",
    "LineRequest",
    "Square",
    "Turn",
    "board_at",
    "describe",
    "key_of",
    "key_with_huff",
    "move_info",
    "move_json",
    "playable",
    "rule_link",
    "turn_of",
]

MAX_LINE: Final = 1000
"""Maximum number of plies of a line."""
MAX_KEY: Final = 400

Key = Annotated[str, Meta(min_length=1, max_length=MAX_KEY)]
Square = Annotated[int, Meta(ge=1, le=144)]
_HUFF: Final = re.compile(r"\(([0-9]{1,3})\)(.*)", re.ASCII)


class LineRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Request about a line.

    `fen` is its start position, with the library's numbers; None is the start of the game. The
    response has the positions after `after` plies and more. `attempt` are clicked squares, or
    `typed` a typed move, that fit no possible move: the response explains why. With `why` it
    explains why the last move is possible.
    """

    moves: Annotated[list[Key], Meta(max_length=MAX_LINE)] = []
    fen: Annotated[str, Meta(max_length=fens.MAX_LENGTH)] | None = None
    after: Annotated[int, Meta(ge=0, le=MAX_LINE)] = 0
    attempt: Annotated[tuple[Square, ...], Meta(max_length=40)] | None = None
    typed: Annotated[str, Meta(max_length=80)] | None = None
    why: bool = False


class Turn(NamedTuple):
    """A key on a board: the huff before the move, the move, and the moves possible with it."""

    huff: int | None
    move: Move | None
    """None for a huff without its move."""
    allowed: tuple[Move, ...]


def key_with_huff(key: str, huff: int | None) -> str:
    """Return the key of a move with the huff before it."""
    return key if huff is None else f"({huff}){key}"


def board_at(of: Rules, fen: str | None) -> Board:
    """Return a board at the start of a line. Raises Problem for an invalid position."""
    try:
        return Board(of, fen)
    except FenError as error:
        raise PositionProblem("fen", fen_fault(of, fen or "", error)) from error


def turn_of(board: Board, key: str) -> Turn:
    """Resolve a key on a board, which it huffs on; the caller plays the move.

    Raises Problem for a key that fits no possible move.
    """
    huff, match = None, _HUFF.fullmatch(key)
    if match is not None:
        huff, key = int(match[1]), match[2].strip()
        if huff not in board.offences or board.pending_huff is not None or _is_won(board):
            raise Problem(422, "bad_line", where="moves")
        board.huff(huff)
        if not key:
            return Turn(huff, None, ())
    allowed = (*(lists := playable(board))[0], *lists[1])
    move = next((each for each in allowed if key_of(each, allowed) == key), None)
    if move is None:
        raise Problem(422, "bad_line", where="moves")
    return Turn(huff, move, allowed)


def playable(board: Board) -> tuple[list[Move], list[Move]]:
    """Return the legal moves, and the quiet ones that miss a capture at the risk of a huff.

    Moves are possible after a draw by the rules, too. Raises Problem for too many of them.
    """
    if _is_won(board):
        return [], []
    try:
        legal = board.legal_moves
    except PositionTooComplexError as error:
        raise Problem(422, "too_complex", where="moves") from error
    misses = board.rules.obligation == "huff" and any(move.is_capture for move in legal)
    return legal, board.quiet_moves if misses else []


def describe(of: Rules, request: LineRequest, language: str) -> dict[str, Any]:
    """Return the positions of a line and the moves that are possible then, as JSON values.

    `positions` are those after `after` plies and more: `ply`, `pieces`, `turn`, and the move
    before it with `key`, `text`, `from`, `to`, `captures`, `crowns`, `king`, `route` and, where
    they apply, `huff` (a square) and `offence`. `legal` and `offences` are the possible moves as
    in the live protocol, `must` and `huffable` squares, `huffed` the square of a huff whose move
    is due. `status` is a sentence, `spoken` also describes the last move, `result` is the end by
    the rules, `counters` are those of the draw rules. `refusal` and `why` are explanations on
    request: `sentence`, and `rule` with `number` and `url`. Raises Problem.
    """
    board = board_at(of, request.fen)
    positions = [{"ply": 0, **_position(board)}]
    spoken = ""
    played: list[tuple[Played | None, int | None]] = []
    for ply, key in enumerate(request.moves, start=1):
        huff, move, allowed = turn_of(board, key)
        played.append((move and Played(board.pieces, board.turn, move), huff))
        if move is None:
            if ply < len(request.moves):
                raise Problem(422, "bad_line", where="moves")
            break
        info = msgspec.to_builtins(move_info(board, move, allowed))
        del info["hub"]
        if ply == len(request.moves):
            spoken = _spoken(board, move, language)
        board.push_unchecked(move)
        positions.append({"ply": ply, **_position(board), "key": key, **info})
        if huff is not None:
            positions[-1] |= {"huff": huff, "text": f"({labels(of).name(huff)}) {info['text']}"}
        if board.offences:
            positions[-1]["offence"] = True
    legal, offences = playable(board)
    every = (*legal, *offences)
    if len(every) > MAX_MOVES:
        raise Problem(422, "too_complex", where="moves")
    must = [] if of.obligation == "free" else sorted({m.start for m in legal if m.captures})
    status = _status(board, must, language)
    answer: dict[str, Any] = {
        "positions": positions[request.after :],
        "fen": board.fen,
        "pieces": board.pieces,
        "turn": board.turn,
        "legal": [move_json(move_info(board, move, every, routes=True)) for move in legal],
        "offences": [move_json(move_info(board, move, every, routes=True)) for move in offences],
        "must": must,
        "huffable": [] if _is_won(board) or board.pending_huff else [*board.offences],
        "status": status,
        "spoken": f"{spoken} {status}".strip(),
        "result": _result(board, language),
        "counters": _counters(board, language),
    }
    if board.pending_huff is not None:
        answer["huffed"] = board.pending_huff
    if request.attempt is not None or request.typed is not None:
        answer["refusal"] = _refusal(board, request.attempt or (), request.typed, language)
    if request.why:
        answer["why"] = _why(of, played, language)
    return answer


def move_info(
    board: Board, move: Move, allowed: Sequence[Move], *, routes: bool = False
) -> messages.MoveInfo:
    """Return a move of a position as in the live protocol; `allowed` are the possible moves."""
    listed = board.routes(move, limit=MAX_ROUTES) if routes else ()
    return messages.MoveInfo(
        hub=key_of(move, allowed),
        text=text.write(board, move, allowed),
        start=move.start,
        end=move.end,
        captures=move.captures,
        crowns=move.crowns,
        king=move.is_king,
        route=move.route,
        routes=tuple(map(tuple, listed)) if len(listed) > 1 else msgspec.UNSET,
    )


def _why(
    of: Rules, played: Sequence[tuple[Played | None, int | None]], language: str
) -> dict[str, Any] | None:
    """Return why the last move of a line is possible; None without a move."""
    if not played:
        return None
    now, huff = played[-1]
    found = reasons(of, now, huff, played[-2][0] if len(played) > 1 else None)
    if not found:
        return None
    sentence = " ".join(reason.sentence(of, language) for reason in found)
    rule = rule_link(of, found[0].topic)
    return {"sentence": sentence, "rule": rule, "squares": list(squares(found))}


def rule_link(of: Rules, topic: str) -> dict[str, Any] | None:
    """Return the link to the rulebook paragraph on a topic; house rules have no page."""
    number, path = rule_number(of, topic), rules_path(of)
    return (
        None if number is None or path is None else {"number": number, "url": f"{path}#p-{topic}"}
    )


def move_json(info: messages.MoveInfo) -> dict[str, Any]:
    """Return a move as JSON values."""
    wire: dict[str, Any] = msgspec.to_builtins(info)
    return wire


def _position(board: Board) -> dict[str, Any]:
    return {"pieces": board.pieces, "turn": board.turn}


def _is_won(board: Board) -> bool:
    result = board.result
    return result is not None and result.winner is not None


def _result(board: Board, language: str) -> dict[str, Any] | None:
    result = board.result
    if result is None:
        return None
    sentence = result.sentence(board.rules, language)
    return {"winner": result.winner, "reason": result.reason, "sentence": sentence}


def _status(board: Board, must: Sequence[int], language: str) -> str:
    """Return the result or the side to move, and what it must or may do."""
    sentences = []
    result = board.result
    if result is not None:
        sentences.append(result.sentence(board.rules, language))
        if result.winner is not None:
            return sentences[0]
    side = _side(board.rules, board.turn, language)
    sentences.append(locales.translate(language, "game.status.turn", side=side))
    if board.offences and board.pending_huff is None:
        squares = _names(board.rules, board.offences, language, "list.or")
        key = "game.status.huffable"
        sentences.append(locales.translate(language, key, side=side, squares=squares))
    if len(must) > 1:
        squares = _names(board.rules, must, language, "list.or")
        sentences.append(locales.translate(language, "game.status.must_many", squares=squares))
    elif must:
        kind = "king" if (board.piece_at(must[0]) or "").isupper() else "man"
        square = labels(board.rules).name(must[0])
        sentences.append(locales.translate(language, f"game.status.must_{kind}", square=square))
    return " ".join(sentences)


def _spoken(board: Board, move: Move, language: str) -> str:
    """Return the sentence about a move of the side to move."""
    name = labels(board.rules).name
    values = {
        "side": _side(board.rules, board.turn, language),
        "start": name(move.start),
        "end": name(move.end),
    }
    if move.captures:
        values["squares"] = _names(board.rules, move.captures, language, "list.and")
    kind = "capture" if move.captures else "quiet"
    sentence = locales.translate(language, f"game.say.{kind}", **values)
    if move.crowns:
        sentence += " " + locales.translate(language, "game.say.crowned", end=values["end"])
    return sentence


def _names(of: Rules, squares: Iterable[int], language: str, joined: str) -> str:
    on = labels(of)
    return locales.listing(
        language, [on.name(each) for each in sorted(squares, key=on.order)], joined
    )


def _side(of: Rules, side: Side, language: str) -> str:
    return locales.colour(language, of.colours[0 if side == "W" else 1], "side")


def _counters(board: Board, language: str) -> list[dict[str, Any]]:
    """Return the counters of the draw rules that are above zero, in plies."""
    listed = []
    for kind, n, limit in board.counters if board.result is None else ():
        by_each = kind == "material" or (
            kind in ("no_progress", "move_limit") and board.rules.moves_by == "each"
        )
        count, end = (n // 2, limit // 2) if by_each else (n, limit)
        if count > (1 if kind == "repetition" else 0):
            key = f"game.counter.{variant(board.rules, kind)}"
            sentence = locales.plural(language, key, end - count)
            listed.append({"kind": kind, "n": count, "limit": end, "sentence": sentence})
    return listed


def _refusal(
    board: Board, clicks: Sequence[int], typed: str | None, language: str
) -> dict[str, Any] | None:
    """Return why clicks or a typed move cannot be played; None if they can."""
    attempt = clicks if typed is None else labels(board.rules).read(typed)
    refusal = board.why_not(attempt)
    if refusal is None:
        return None
    in_labels = labelled(refusal, board.rules, typed)
    sentence = in_labels.sentence(language, labels(board.rules).name)
    return {
        "code": refusal.code,
        "sentence": sentence,
        "rule": rule_link(board.rules, refusal.topic),
        "more": rule_text(board.rules, refusal.topic, language, after=sentence),
    }
