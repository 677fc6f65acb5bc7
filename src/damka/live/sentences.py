"""Sentences about a game: side to move, events, result.

All sentences are in the viewer's language and from the viewer's point of view. A sentence begins
with the side's name where it has one, so that each language needs only one form of the name.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

from damka import locales
from damka.live.events import (
    DrawDeclined,
    DrawOffered,
    DrawWithdrawn,
    EngineLost,
    Huffed,
    InvitationExpired,
    Joined,
    Moved,
    RematchDeclined,
    SideFreed,
    TimeGiven,
    UndoDeclined,
    Undone,
    UndoOffered,
    UndoWithdrawn,
)
from damka.live.live_game import LiveGame
from damka.notation import labels
from damka.result import drawn_after, variant
from damka.rules import Side, other

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from damka.game import Opening
    from damka.live.guided import Occurrence

__all__ = ["Paused", "Sentences"]

Paused = Literal["too_complex", "failed"]
"""Reason why the computer does not move."""

_RULES_LOSSES: Final = {"no_pieces", "no_moves"}
_LOSS_REASONS: Final = {*_RULES_LOSSES, "resignation", "time", "abandonment"}
_DECIDED_REASONS: Final = {*_LOSS_REASONS, "breakthrough"}


_NEWS: Final = (
    *(DrawDeclined, DrawWithdrawn, UndoDeclined, UndoWithdrawn),
    *(Huffed, Joined, TimeGiven),
)
"""Log entries whose effect the board does not show."""

_POSITION_CHANGES: Final = (Moved, Huffed, Undone)


class Sentences:
    """Sentences about `live` in `language` for a viewer who plays the sides `you`.

    `paused` is the reason why the computer cannot move: the position is too complex, or its search
    failed.
    """

    def __init__(
        self, live: LiveGame, you: tuple[Side, ...], language: str, *, paused: Paused | None = None
    ) -> None:
        self._live = live
        self._you = you
        self.language = language
        self._paused = paused
        on = labels(live.rules)
        self._name, self._order = on.name, on.order

    def say(self, key: str, /, **values: object) -> str:
        """Return a sentence about the game by its key."""
        return locales.translate(self.language, f"game.{key}", **values)

    def side(self, side: Side) -> str:
        """Return the side's colour in the form that begins a sentence."""
        name = self._live.rules.colours[0 if side == "W" else 1]
        return locales.colour(self.language, name, "side")

    def opening(self, drawn: Opening) -> str:
        """Return the sentence about the opening drawn by lot."""
        key = "opening_named" if drawn.name else "opening"
        return self.say(key, n=drawn.number, name=drawn.name)

    # The line under the board

    def status(self) -> tuple[str, str | None]:
        """Return the status line, and the rulebook topic that it refers to."""
        sentence, topic = self._current_state
        return " ".join(part for part in (self.news(), sentence) if part), topic

    def news(self) -> str:
        """Return the latest event if the board does not show it: a reply to an offer, a huff."""
        live = self._live
        if live.result is not None:
            return self._latest_event() if isinstance(live.last, RematchDeclined) else ""
        if isinstance(live.last, _NEWS):
            return self._latest_event()
        if live.engine_lost is not None and 0 <= live.ply - live.engine_lost <= 1:
            # Kept after the next move so that the viewer does not miss it.
            return self._engine_lost()
        past = live.game.history
        if isinstance(live.last, Moved) and past and past[-1].huff is not None:
            return self._huff(live.last.side, past[-1].huff, before=len(past) - 1)
        return ""

    @cached_property
    def _current_state(self) -> tuple[str, str | None]:
        live = self._live
        if live.result is not None:
            return self.result(*live.result), self.result_topic(live.result[1])
        turn = live.game.turn
        if live.open_side is not None:
            return self.say("status.waiting"), None
        if turn == live.computer:
            if self._paused == "failed":
                return locales.translate(self.language, "server.error.search_failed"), None
            return self.say("status.too_complex" if self._paused else "status.thinking"), None
        huffable = live.game.offences if turn not in self._you else ()
        must = live.must
        is_own_turn = self._you == (turn,)
        sentences = [self._guide_move()] if is_own_turn else []
        sentences.append(self.say("status.your_turn") if is_own_turn else self._turn(turn))
        if huffable:
            sentences.append(
                self.say(
                    "status.huffable", side=self.side(turn), squares=self._squares_with_or(huffable)
                )
            )
        if must:
            sentences.append(
                self._about_pieces("status.you_must" if is_own_turn else "status.must", must, turn)
            )
        return " ".join(filter(None, sentences)), "obligation" if must else None

    def _turn(self, side: Side) -> str:
        """Return the side to move; on two devices by the player's name, if known."""
        name = self._live.game.players.get(side) if self._live.online else None
        if name:
            return self.say("status.turn_named", name=name)
        return self.say("status.turn", side=self.side(side))

    def huff_question(self) -> str | None:
        """Return the question whether to huff, if this viewer may huff a piece."""
        live = self._live
        if live.result is not None or live.game.turn not in self._you or not live.game.offences:
            return None
        return self._about_pieces("status.huff", live.game.offences, other(live.game.turn))

    def warning(self) -> str:
        """Return the question before a quiet move that misses a capture."""
        return self._about_pieces("warn", self._live.must, self._live.game.turn)

    # The guide

    def congratulation(self) -> str:
        """Return the guide's last words after a guided game, with the rules that occurred.

        "" while it is running, and after a resignation.
        """
        live = self._live
        if live.guided is None or live.result is None or live.result[1] == "resignation":
            return ""
        names = [self._rule_name(notice.stage) for _, notice in live.guided.occurrences]
        winner = live.result[0]
        ending = "drawn" if winner is None else "lost" if winner == live.computer else "won"
        return self._learn(f"end.{ending}", rules=locales.listing(self.language, names))

    def notice(self, occurrence: Occurrence) -> str:
        """Return the sentence about a new rule, after one about the guide's own move."""
        live = self._live
        sentence = self._new_rule(occurrence)
        at = [] if live.guided is None else live.guided.occurrences
        first = next((each for each in at if each.ply == live.ply), None)
        before = self._guide_move() if occurrence is first else ""
        return f"{before} {sentence}".strip()

    def _new_rule(self, occurrence: Occurrence) -> str:
        """Return the sentence about a new rule; the first also mentions a smaller board."""
        sentence = occurrence.notice.sentence(self.language)
        live = self._live
        if live.guided is None or occurrence.ply:
            return sentence
        of, full = live.rules, live.guided.rules
        if (of.width, of.height) == (full.width, full.height):
            return sentence
        sizes = {"size": f"{of.width}×{of.height}", "full": f"{full.width}×{full.height}"}
        return f"{self._learn('small', **sizes)} {sentence}"

    def _guide_move(self) -> str:
        """Describe the guide's latest move: its captures and a new king."""
        live = self._live
        if live.guided is None or not live.game.history:
            return ""
        last = live.game.history[-1]
        if last.side != live.computer or last.move is None:
            return ""
        n = len(last.move.captures)
        took = locales.plural(self.language, "learn.game.took", n) if n else ""
        crowned = self._learn("crowned") if last.move.crowns else ""
        return f"{took} {crowned}".strip()

    def _rule_name(self, stage: str) -> str:
        is_free = stage == "must" and self._live.rules.obligation == "free"
        return self._learn(f"rule.{stage}{'.free' if is_free else ''}")

    def _learn(self, key: str, /, **values: object) -> str:
        return locales.translate(self.language, f"learn.game.{key}", **values)

    # Events

    def announcement(self) -> str:
        """Return the latest event and the side to move, for screen readers."""
        current = self.huff_question() or self._current_state[0]
        drawn = self._live.game.opening if self._live.last is None else None
        opening = "" if drawn is None else f"{self.opening(drawn)}."
        return " ".join(
            part
            for part in (
                opening,
                self._latest_event(),
                current,
                *self._notices(),
                self.congratulation(),
            )
            if part
        )

    def _notices(self) -> list[str]:
        """Return the guide's notices for the learner, once for each new position."""
        live = self._live
        is_new = live.last is None or isinstance(live.last, _POSITION_CHANGES)
        if live.guided is None or live.result is not None or not self._you or not is_new:
            return []
        return [self._new_rule(each) for each in live.guided.occurrences if each.ply == live.ply]

    def _latest_event(self) -> str:
        match self._live.last:
            case Moved(side):
                return self._move(side)
            case Huffed(side, square):
                return self._huff(side, square, before=self._live.ply)
            case Undone(side):
                return self.say("say.undo", side=self.side(side))
            case UndoOffered(side):
                return self._offer("undo", side)
            case DrawOffered(side):
                return self._offer("draw", side)
            case EngineLost():
                return self._engine_lost()
            case _:
                return self._answer() or self._online_event()

    def _offer(self, kind: str, side: Side) -> str:
        """Return an offer for this viewer: a question only if the viewer may answer."""
        if self._you == (side,):
            return self.say(f"say.{kind}_offered")
        if self._live.online and not self._you:
            return self.say(f"say.{kind}_offer", side=self.side(side))
        return self.say(f"ask.{kind}", side=self.side(side))

    def _answer(self) -> str:
        match self._live.last:
            case UndoDeclined(side):
                return self.say("say.undo_decline", side=self.side(side))
            case UndoWithdrawn(side):
                return self.say("say.undo_withdraw", side=self.side(side))
            case DrawDeclined(side):
                return self.say("say.draw_decline", side=self.side(side))
            case DrawWithdrawn(side):
                return self.say("say.draw_withdraw", side=self.side(side))
            case _:
                return ""

    def _online_event(self) -> str:
        """Return an event of a game on two devices; the result covers the others."""
        match self._live.last:
            case Joined(side, name, level):
                return self._join(side, name, level)
            case TimeGiven(side, seconds):
                return self.say("say.give_time", side=self.side(side), n=seconds)
            case SideFreed(side):
                return self.say("say.free", side=self.side(side))
            case RematchDeclined(side):
                return self.say("say.rematch_decline", side=self.side(side))
            case _:
                return ""

    def _join(self, side: Side, name: str, level: int | None) -> str:
        if level is not None:
            return self.say("say.join_computer", side=self.side(side), level=level)
        if side in self._you:
            return ""
        if name:
            return self.say("say.join_named", side=self.side(side), name=name)
        return self.say("say.join", side=self.side(side))

    def _engine_lost(self) -> str:
        computer = self._live.computer
        engine = self._live.seats[computer].engine if computer else None
        return self.say("say.engine_lost", engine=engine or "")

    def _huff(self, side: Side, square: int, before: int) -> str:
        """Return the sentence about a huff; `before` is the number of plies before it."""
        live = self._live
        pieces = live.game.history[before - 1].pieces if before else live.start
        kind = "king" if pieces[square - 1].isupper() else "man"
        whose = ""
        if len(self._you) == 1:
            whose = "own_" if self._you[0] == side else "your_"
        return self.say(f"say.huff_{whose}{kind}", side=self.side(side), square=self._name(square))

    def _move(self, side: Side) -> str:
        move = self._live.game.history[-1].move
        start, end = self._name(move.start), self._name(move.end)
        if move.captures:
            squares = locales.listing(self.language, self._names(move.captures))
            sentence = self.say("say.capture", side=self.side(side), start=start, squares=squares)
        else:
            sentence = self.say("say.quiet", side=self.side(side), start=start, end=end)
        if move.crowns:
            sentence += " " + self.say("say.crowned", end=end)
        return sentence

    # Result

    def result(self, winner: Side | None, reason: str) -> str:
        """Return the winner and the reason, to a player of one side in the second person."""
        cause = self.cause(winner, reason)
        if reason == "aborted":
            return cause
        if winner is None:
            return self._end("draw", cause=cause[:1].lower() + cause[1:])
        if len(self._you) == 1 and reason in _DECIDED_REASONS:
            won = "won" if winner in self._you else "lost"
            losing = "losing_" if self._winner_is_subject(reason) else ""
            return self._end(f"{won}.{losing}{reason}")
        return f"{self.outcome(winner)} {cause}"

    def _end(self, key: str, /, **values: object) -> str:
        return locales.translate(self.language, f"end.{key}", **values)

    def _winner_is_subject(self, reason: str) -> bool:
        """Whether the winner, as in the losing game, is the side without pieces or moves."""
        return self._live.rules.objective == "losing" and reason in _RULES_LOSSES

    @staticmethod
    def result_topic(reason: str) -> str | None:
        """Return the rulebook topic of the rule that ended the game, if a rule did."""
        topics: dict[str, str | None] = {
            "no_pieces": "goal",
            "breakthrough": "goal",
            "material": "material_draws",
            **dict.fromkeys(("resignation", "aborted")),
            **dict.fromkeys(("time", "time_draw", "abandonment", "abandonment_draw")),
        }
        return topics.get(reason, reason)

    def outcome(self, winner: Side | None, reason: str = "") -> str:
        """Return the sentence about the winner, by the player's name if it is known."""
        if reason == "aborted":
            return self.say("result.no_result")
        if winner is None:
            return self.say("result.draw")
        if len(self._you) == 1:
            return self.say("result.you_win" if winner in self._you else "result.you_lose")
        name = self._live.game.players.get(winner)
        if name and self._live.seats[winner].kind == "person":
            return self._end("name_wins", name=name)
        return self.say("result.wins", side=self.side(winner))

    def cause(self, winner: Side | None, reason: str) -> str:
        """Return the reason, with the rule that ended the game in words."""
        if reason in _LOSS_REASONS and winner is not None:
            subject = winner if self._winner_is_subject(reason) else other(winner)
            return self.say(f"result.{reason}", side=self.side(subject))
        if reason == "breakthrough" and winner is not None:
            return self.say("result.breakthrough", side=self.side(winner))
        if (counted := drawn_after(self._live.rules, reason)) is not None:
            return locales.plural(self.language, f"game.result.{counted[0]}", counted[1])
        if isinstance(self._live.last, InvitationExpired):
            return self.say("result.expired")
        if reason == "aborted" and self._live.in_event:
            return self.say("result.aborted_event")
        return self.say(f"result.{reason}")

    # Players

    def name(self, side: Side) -> str:
        """Return the name of a side's player."""
        seat = self._live.seats[side]
        if self._live.guided is not None and seat.kind == "computer":
            return self._learn("guide")
        if seat.kind == "computer":
            return self.say("name.computer")
        if self._live.online:
            if seat.is_open:
                return self.say("name.open")
            name = self._live.game.players.get(side)
            unnamed = self.say("name.you" if side in self._you else "name.person")
            return name or (unnamed if self._you else self.say(f"name.player{seat.player}"))
        if self._live.computer is None:
            return self._live.game.players.get(side) or self.say(f"name.player{seat.player}")
        return self.say("name.you" if side in self._you else "name.person")

    # Offers and counters

    def offer_question(self, key: str, offerer: Side | None) -> str | None:
        """Return the question to this viewer about the other side's offer, if there is one."""
        if offerer is None or other(offerer) not in self._you:
            return None
        return self.say(f"ask.{key}", side=self.side(offerer))

    def counter(self, kind: str, n: int, limit: int) -> str:
        """Return the sentence about a draw counter: how much is left until the draw."""
        key = f"game.counter.{variant(self._live.rules, kind)}"
        return locales.plural(self.language, key, limit - n)

    def _about_pieces(self, key: str, squares: Sequence[int], side: Side) -> str:
        """Return the sentence about one man, one king, or several pieces of `side`."""
        if len(squares) > 1:
            return self.say(f"{key}_many", squares=self._squares_with_or(squares))
        is_king = self._live.game.board.piece_at(squares[0]) == side
        kind = "king" if is_king else "man"
        return self.say(f"{key}_{kind}", square=self._name(squares[0]))

    def _squares_with_or(self, squares: Sequence[int]) -> str:
        return locales.listing(self.language, self._names(squares), "list.or")

    def _names(self, squares: Iterable[int]) -> list[str]:
        """Return the labels of the squares, in the order of the board's labels."""
        return [self._name(square) for square in sorted(squares, key=self._order)]
