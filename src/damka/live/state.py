"""Conversion of a game to its state message: a pure function of game, seat and language."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from damka import Rules, locales, rules
from damka.errors import Explanation
from damka.live import codes, messages
from damka.live.lesson_links import about, lesson_path
from damka.live.live_game import LiveGame, key_of
from damka.live.messages import State
from damka.live.seating import Sides
from damka.live.sentences import Paused, Sentences
from damka.move import Move
from damka.notation import labels
from damka.notation import text as notation
from damka.refusal import labelled
from damka.rules import SIDES, Side, other
from damka.rules.parameters import topics_in_order

__all__ = [
    "Moves",
    "OnlineInfo",
    "history",
    "move_info",
    "moves",
    "refusal",
    "rule_link",
    "rule_number",
    "rule_text",
    "rules_path",
    "rules_url",
    "state",
]

MAX_ROUTES = 64
"""Maximum number of routes of one move that are shown: more than a player can distinguish."""
_MAX_RULE_TEXT: Final = 150
"""Maximum length of several sentences of a rule, in characters."""
_MAX_STATUS: Final = 200
"""Characters that fit into the status line of the smallest page."""
_SELF_EVIDENT: Final = frozenset({"goal", "your_turn"})
"""Topics whose rule says no more than a refusal."""
_RULEBOOK: Final = Path(__file__).parents[1] / "rulebook"
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlineInfo:
    """Server-side data of a game on two devices, at a moment."""

    clock: messages.ClockInfo | None = None
    presence: dict[Side, messages.Presence] | None = None
    watching: int = 0
    claimable: Sides = ()
    """Sides that have been absent for so long that the other may claim."""


class Moves(NamedTuple):
    """Moves of a position, the same for every viewer."""

    legal: tuple[messages.MoveInfo, ...]
    offences: tuple[messages.MoveInfo, ...]


def moves(live: LiveGame) -> Moves:
    """Return the legal moves and the quiet ones playable as offences; none if the game is over."""
    if live.result is not None:
        return Moves((), ())
    legal, offences = tuple(live.game.legal_moves), tuple(live.game.offence_moves)
    playable = (*legal, *offences)
    return Moves(
        tuple(move_info(live, move, playable, routes=True) for move in legal),
        tuple(move_info(live, move, playable, routes=True) for move in offences),
    )


def state(
    live: LiveGame,
    you: tuple[Side, ...],
    language: str,
    *,
    shared: Moves | None = None,
    thinking: bool = False,
    paused: Paused | None = None,
    online_info: OnlineInfo | None = None,
    past: tuple[messages.HistoryEntry, ...] | None = None,
) -> State:
    """Return the state of the game for a viewer who plays the sides `you`, in `language`.

    `shared` are the moves of the position if they have been listed already. `thinking` means that
    the computer is choosing its move, `paused` is the reason why it cannot. `online_info` has the
    data that only the server of a game on two devices knows. `past` replaces the history computed
    from the game.
    """
    game = live.game
    online_info = online_info or OnlineInfo()
    sentences = Sentences(live, you, language, paused=paused)
    sentence, topic = sentences.status()
    over = live.result is not None
    position_moves = moves(live) if shared is None else shared
    to_move = not over and game.turn in you
    return State(
        version=live.seq,
        id=live.id,
        language=language,
        ply=live.ply,
        turn=game.turn,
        pieces=game.board.pieces,
        start=live.start,
        legal=position_moves.legal,
        offences=position_moves.offences,
        must=live.must,
        huffable=() if over else tuple(game.offences),
        warn=messages.Warn(live.must, sentences.warning())
        if position_moves.offences and to_move
        else None,
        history=tuple(history(live)) if past is None else past,
        taken=_captured(live),
        counters=_counters(live, sentences),
        result=_result(live, sentences),
        players={side: _player(live, side, sentences) for side in live.seats},
        you=you,
        draw_offer=game.draw_offer,
        draw_question=sentences.offer_question("draw", game.draw_offer),
        undo_offer=live.undo_offer,
        undo_question=sentences.offer_question("undo", live.undo_offer),
        thinking=thinking,
        can=_can(live, you, online_info),
        status=messages.Status(sentence, sentences.news(), rule_link(live, topic)),
        huff_question=_huff_question(live, sentences),
        announce=sentences.announcement(),
        lot=_lot(live, you),
        next=None if live.next_id is None else messages.NextGame(f"/game/{live.next_id}"),
        online=live.online,
        clock=online_info.clock,
        presence=online_info.presence,
        watching=online_info.watching,
        invitation=_invitation(live, you),
        rematch_offer=live.rematch_offer,
        rematch_question=sentences.offer_question("rematch", live.rematch_offer),
        rated=live.rated,
        no_draw=_no_draw(live, sentences),
        opening=_opening(live, sentences),
        guide=_guide(live, sentences),
        time_used=dict(live.time_used) if over and live.clock is not None else None,
    )


def _lot(live: LiveGame, you: Sides) -> messages.Lot | None:
    """Return the lot as drawn by this viewer; at one screen that of the first player."""
    if live.lot is None:
        return None
    return messages.Lot(drawn=True, you=you[0] if live.online and you else live.lot)


def _guide(live: LiveGame, sentences: Sentences) -> messages.GuideInfo | None:
    guided = live.guided
    if guided is None:
        return None
    return messages.GuideInfo(
        guided.course,
        tuple(
            messages.GuideNotice(
                each.ply,
                sentences.notice(each),
                each.notice.squares,
                lesson_path(guided.rules, each.notice.level.id),
            )
            for each in guided.occurrences
        ),
        sentences.congratulation(),
    )


def _opening(live: LiveGame, sentences: Sentences) -> messages.OpeningInfo | None:
    drawn = live.game.opening
    if drawn is None:
        return None
    return messages.OpeningInfo(drawn.number, drawn.name, sentences.opening(drawn))


def _no_draw(live: LiveGame, sentences: Sentences) -> str | None:
    too_early = live.too_early_for_draw and live.result is None
    return sentences.say("no_draw_before", n=live.no_draw_before) if too_early else None


def _invitation(live: LiveGame, you: Sides) -> messages.Invitation | None:
    """Return the invitation for the inviting player; others must not see the code."""
    side = live.open_side
    if side is None or live.code is None or not you or live.result is not None:
        return None
    return messages.Invitation(
        side, codes.format_code(codes.full_code(live.code, live.id)), live.seat_freed
    )


def _counters(live: LiveGame, sentences: Sentences) -> tuple[messages.Counter, ...]:
    if live.result is not None:
        return ()  # The result names the reason.
    return tuple(
        messages.Counter(kind, n, limit, sentences.counter(kind, n, limit))
        for kind, n, limit in live.counters
    )


def _huff_question(live: LiveGame, sentences: Sentences) -> messages.Status | None:
    question = sentences.huff_question()
    return None if question is None else messages.Status(question, "", rule_link(live, "huffing"))


def move_info(
    live: LiveGame, move: Move, playable: Iterable[Move], *, routes: bool = False
) -> messages.MoveInfo:
    """Return a move of the current position as sent to the page."""
    board, playable = live.game.board, tuple(playable)
    info = _move_info(move, key_of(move, playable), notation.write(board, move, playable))
    if not routes:
        return info
    listed_routes = board.routes(move, limit=MAX_ROUTES)
    if len(listed_routes) == 1:
        return info
    with_routes: messages.MoveInfo = msgspec.structs.replace(
        info, routes=tuple(map(tuple, listed_routes))
    )
    return with_routes


def refusal(
    live: LiveGame,
    explanation: Explanation,
    clicks: Sequence[int],
    language: str,
    typed: str | None = None,
) -> messages.RefusalMessage:
    """Return the reply to a move that cannot be played: `clicks`, or `typed` in labels."""
    labelled_explanation = labelled(explanation, live.rules, typed)
    sentence = labelled_explanation.sentence(language, labels(live.rules).name)
    lesson = about(live.rules if live.guided is None else live.guided.rules, explanation.topic)
    # The link to the lesson takes room, too.
    link = locales.translate(language, "page.guide_show") if lesson else ""
    return messages.RefusalMessage(
        code=explanation.code,
        args=dict(labelled_explanation.args),
        sentence=sentence,
        clicks=tuple(clicks),
        must=live.must,
        topic=explanation.topic,
        rule=rule_link(live, explanation.topic),
        more=rule_text(live.rules, explanation.topic, language, after=f"{sentence} {link}"),
        lesson=lesson,
    )


def rule_text(of: Rules, topic: str, language: str, *, after: str = "") -> str | None:
    """Return the first sentences of the rulebook paragraph on a topic, to follow a refusal.

    None if they would not add anything, or have no room after the sentence `after`.
    """
    if topic in _SELF_EVIDENT or topic not in topics_in_order(of.value_of):
        return None
    # In the browser, `damka.rulebook` arrives after a first game has begun.
    if not _RULEBOOK.is_dir():
        return None
    from damka.rulebook import words  # noqa: PLC0415

    quoted, *others = _SENTENCE_END.split(words.text(of, topic, language))
    room = _MAX_STATUS - len(after)
    for sentence in others:
        if len(quoted) + len(sentence) >= min(room, _MAX_RULE_TEXT):
            break
        quoted = f"{quoted} {sentence}"
    return quoted if len(quoted) <= room else None


def rules_url(live: LiveGame) -> str:
    """Return the URL of the game's rules: a shared page, or the game's own for a house box."""
    path = rules_path(live.rules)
    return f"/game/{live.id}/rules" if path is None else f"{path}?game={live.id}"


def rules_path(of: Rules) -> str | None:
    """Return the address of a shared page of rules; None for house rules."""
    shared = of.name in rules.names() and _same_rule_book(rules.load(of.name), of)
    return f"/rules/{of.name}" if shared else None


def _same_rule_book(one: Rules, other: Rules) -> bool:
    """Return whether two rule sets have the same rule book: equal rules may differ in labels."""
    return one == other and labels(one).names == labels(other).names


def rule_link(live: LiveGame, topic: str | None) -> messages.RuleLink | None:
    """Return a link to the rulebook paragraph on a topic, if there is one."""
    if topic is None:
        return None
    number = rule_number(live.rules, topic)
    return None if number is None else messages.RuleLink(number, f"{rules_url(live)}#p-{topic}")


@functools.lru_cache(maxsize=1024)
def rule_number(of: Rules, topic: str) -> int | None:
    """Return the number of the rulebook paragraph on a topic, None if there is none."""
    # Not `rulebook.number`: in the browser, `damka.rulebook` arrives after a first game has begun.
    topics = topics_in_order(of.value_of)
    return topics.index(topic) + 1 if topic in topics else None


def history(live: LiveGame, start: int = 0) -> Iterator[messages.HistoryEntry]:
    """Return the plies of the game from number `start` on; the first is 0."""
    to_labels = labels(live.rules).shown
    for ply in live.game.history[start:]:
        text = to_labels(ply.text)
        yield messages.HistoryEntry(
            side=ply.side,
            move=_move_info(ply.move, ply.move.hub(), text),
            text=text,
            pieces=ply.pieces,
            huff=ply.huff,
            offence=ply.offence,
        )


def _move_info(move: Move, key: str, text: str) -> messages.MoveInfo:
    return messages.MoveInfo(
        hub=key,
        text=text,
        start=move.start,
        end=move.end,
        captures=move.captures,
        crowns=move.crowns,
        king=move.is_king,
        route=move.route,
    )


def _captured(live: LiveGame) -> dict[Side, int]:
    """Return the number of opponent's pieces that each side has removed."""
    start, now = live.start.upper(), live.game.board.pieces.upper()
    return {side: start.count(other(side)) - now.count(other(side)) for side in SIDES}


def _result(live: LiveGame, sentences: Sentences) -> messages.ResultInfo | None:
    if live.result is None:
        return None
    winner, reason = live.result
    rule = rule_link(live, sentences.result_topic(reason))
    return messages.ResultInfo(
        winner=winner,
        reason=reason,
        sentence=sentences.result(winner, reason),
        rule=rule,
    )


def _player(live: LiveGame, side: Side, sentences: Sentences) -> messages.Player:
    seat = live.seats[side]
    detail, level = "", seat.level
    if side == live.computer and live.engine is not None:
        detail, level = live.engine, None
    elif level is not None:
        detail = sentences.say("name.level", level=level)
    rating = None if seat.rating is None else f"{seat.rating}{'?' if seat.provisional else ''}"
    guest = live.online and seat.kind == "person" and not (seat.is_open or seat.member)
    name = sentences.name(side)
    return messages.Player(seat.kind, level, name, detail, rating, seat.rating_diff, guest)


_NO_ANALYSIS = messages.Can(*[False] * 8)
_NO_ACTIONS = msgspec.structs.replace(_NO_ANALYSIS, analyse=True)


def _can(live: LiveGame, you: tuple[Side, ...], online_info: OnlineInfo) -> messages.Can:
    analyse = live.result is not None or not live.online
    if not you:
        return _NO_ACTIONS if analyse else _NO_ANALYSIS
    playing = live.result is None and live.open_side is None
    turn = live.game.turn
    # Cheap checks come first, because a raised refusal is slow.
    return messages.Can(
        undo=live.may(lambda: live.undo(you)),
        draw=live.may(lambda: live.draw(you)),
        resign=playing,
        hint=playing and turn in you and not live.online,
        rematch=live.result is not None
        and live.open_side is None
        and not live.in_event
        and (not live.online or live.rematch_offer not in you),
        huff=playing and turn in you and bool(live.game.offences),
        answer_draw=live.game.draw_offer is not None
        and live.may(lambda: live.answer_draw(you, ok=True)),
        answer_undo=live.undo_offer is not None
        and live.may(lambda: live.answer_undo(you, ok=True)),
        abort=live.online and live.may(lambda: live.abort(you)),
        give_time=live.clock is not None and live.may(lambda: live.give_time(you)),
        claim=bool(online_info.claimable)
        and live.may(lambda: live.claim(you, False, online_info.claimable)),
        answer_rematch=live.rematch_offer is not None
        and live.may(lambda: live.decline_rematch(you)),
        analyse=analyse,
    )
