"""Handlers of a page's messages in a live game: each returns a log entry or a reply to the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.engine import BEYOND
from damka.live import messages
from damka.live.allowed import Played, reasons, squares
from damka.live.problems import Refused
from damka.live.state import move_info, refusal, rule_link
from damka.notation import labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.game import Decision
    from damka.live.events import Event
    from damka.live.live_game import LiveGame
    from damka.live.seating import Sides

__all__ = ["Action", "allowed", "answer", "event", "explain", "hint"]

_OnlineAction = messages.Abort | messages.GiveTime | messages.Rematch | messages.RematchAnswer
Action = (
    messages.MoveRequest
    | messages.Huff
    | messages.Undo
    | messages.UndoAnswer
    | messages.Draw
    | messages.DrawAnswer
    | messages.Resign
    | _OnlineAction
)
"""The messages that change a game."""


def event(live: LiveGame, you: Sides, message: Action) -> Event:
    """Return the log entry that a message from a player of the sides `you` produces.

    Raises as the methods of `LiveGame` do.
    """
    match message:
        case messages.MoveRequest(ply, move, version, side):
            return live.move(you, ply, move, version, side)
        case messages.Huff(ply, square, version, side):
            return live.huff(you, ply, square, version, side)
        case messages.Undo(side):
            return live.undo(you, side)
        case messages.UndoAnswer(ok, side):
            return live.answer_undo(you, ok, side)
        case messages.Draw(side):
            return live.draw(you, side)
        case messages.DrawAnswer(ok, side):
            return live.answer_draw(you, ok, side)
        case messages.Resign(side):
            return live.resign(you, side)
        case _:
            return _online_event(live, you, message)


def _online_event(live: LiveGame, you: Sides, message: _OnlineAction) -> Event:
    match message:
        case messages.Abort(side):
            return live.abort(you, side)
        case messages.GiveTime(side):
            return live.give_time(you, side)
        case messages.Rematch():
            return live.offer_rematch(you)
        case messages.RematchAnswer(ok):
            if ok:
                raise Refused("bad_message")
            return live.decline_rematch(you)


def explain(
    live: LiveGame, clicks: Sequence[int], text: str | None, language: str
) -> messages.RefusalMessage:
    """Explain why clicks or a typed text are not a legal move; code "none" if they are one."""
    attempt = clicks if text is None else labels(live.rules).read(text)
    explanation = live.game.why_not(attempt)
    if explanation is None:
        return messages.RefusalMessage("none", {}, "", tuple(clicks), live.must, "", None, None)
    return refusal(live, explanation, clicks, language, text)


def answer(
    live: LiveGame, question: messages.Why | messages.WhyAllowed, language: str
) -> messages.RefusalMessage | messages.AllowedMessage:
    """Answer a question about the rules; raises as `allowed` does."""
    if isinstance(question, messages.WhyAllowed):
        return allowed(live, question.ply, language)
    return explain(live, question.clicks, question.text, language)


def allowed(live: LiveGame, ply: int, language: str) -> messages.AllowedMessage:
    """Explain why the rules allowed the move that led to `ply`, and the huff before it.

    Raises Refused for a ply that was not played.
    """
    history = live.game.history
    if not 1 <= ply <= len(history):
        raise Refused("stale")
    now, huff = _played(live, ply), history[ply - 1].huff
    found = reasons(live.rules, now, huff, None if huff is None else _played(live, ply - 1))
    return messages.AllowedMessage(
        ply=ply,
        sentence=" ".join(reason.sentence(live.rules, language) for reason in found),
        rule=rule_link(live, found[0].topic),
        route=now.move.route,
        squares=squares(found),
    )


def _played(live: LiveGame, ply: int) -> Played:
    history = live.game.history
    now, pieces = history[ply - 1], history[ply - 2].pieces if ply > 1 else live.start
    if now.huff is not None:
        pieces = f"{pieces[: now.huff - 1]}.{pieces[now.huff :]}"
    return Played(pieces, now.side, now.move)


def hint(live: LiveGame, decision: Decision) -> messages.HintAnswer:
    """Return a decision about the current position as a hint."""
    move = decision.move
    # The move after a huff belongs to another board: its hint follows once the huff is played.
    info = (
        None
        if move is None or decision.huff is not None
        else move_info(live, move, live.playable(), routes=True)
    )
    score = decision.score or 0
    return messages.HintAnswer(info, decision.huff, score, score > BEYOND, live.ply)
