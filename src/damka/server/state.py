"""From a table to the message that shows it: a pure function of table, seat and language."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

import msgspec

from damka import Rules, rulebook, rules
from damka.errors import Explanation
from damka.move import Move
from damka.notation import labels
from damka.notation import text as notation
from damka.refusal import labelled
from damka.rules import SIDES, Side, other
from damka.server import messages
from damka.server.messages import State
from damka.server.table import Table, key_of
from damka.server.words import Speaker

__all__ = ["move_info", "refusal", "rules_url", "state"]

MAX_ROUTES = 64
"""So many routes of one move are shown; more than a player can tell apart."""


def state(
    table: Table,
    you: tuple[Side, ...],
    language: str,
    *,
    thinking: bool = False,
    paused: bool = False,
) -> State:
    """Return what who plays the sides `you` sees of the table, in `language`.

    `thinking` tells that the computer is choosing its move, `paused` that it cannot.
    """
    game = table.game
    speaker = Speaker(table, you, language, paused=paused)
    sentence, topic = speaker.status()
    huffing = speaker.huff_asks()
    over = table.result is not None
    legal = () if over else tuple(game.legal_moves)
    offences = () if over else tuple(game.offence_moves)
    playable = (*legal, *offences)
    to_move = not over and game.turn in you
    return State(
        version=table.seq,
        id=table.id,
        language=language,
        ply=table.ply,
        turn=game.turn,
        pieces=game.board.pieces,
        start=table.start,
        legal=tuple(move_info(table, move, playable, routes=True) for move in legal),
        offences=tuple(move_info(table, move, playable, routes=True) for move in offences),
        must=table.must,
        huffable=() if over else tuple(game.offences),
        warn=messages.Warn(table.must, speaker.warning()) if offences and to_move else None,
        history=_history(table),
        taken=_taken(table),
        counters=tuple(
            messages.Counter(kind, n, limit, speaker.counter(kind, n, limit))
            for kind, n, limit in table.counters
        ),
        result=_result(table, speaker),
        players={side: _player(table, side, speaker) for side in table.seats},
        you=you,
        draw_offer=game.draw_offer,
        draw_asks=speaker.asks("draw", game.draw_offer),
        undo_offer=table.undo_offer,
        undo_asks=speaker.asks("undo", table.undo_offer),
        thinking=thinking,
        can=_can(table, you),
        status=messages.Status(sentence, speaker.news(), rule_link(table, topic)),
        huff_asks=None
        if huffing is None
        else messages.Status(huffing, "", rule_link(table, "huffing")),
        announce=speaker.announcement(),
        lot=None if table.lot is None else messages.Lot(drawn=True, you=table.lot),
        next=None if table.next_id is None else messages.NextGame(f"/game/{table.next_id}"),
    )


def move_info(
    table: Table, move: Move, playable: Iterable[Move], *, routes: bool = False
) -> messages.MoveInfo:
    """Return a move of the position on the board, as the page gets it."""
    board, playable = table.game.board, tuple(playable)
    info = _plain(move, key_of(move, playable), notation.write(board, move, playable))
    if not routes:
        return info
    ways = board.routes(move, limit=MAX_ROUTES)
    if len(ways) == 1:
        return info
    shown: messages.MoveInfo = msgspec.structs.replace(info, routes=tuple(map(tuple, ways)))
    return shown


def refusal(
    table: Table, why: Explanation, clicks: Sequence[int], language: str, typed: str | None = None
) -> messages.RefusalMessage:
    """Return the answer to a move that cannot be played: `clicks`, or `typed` in labels."""
    told = labelled(why, table.rules, typed)
    return messages.RefusalMessage(
        code=why.code,
        args=dict(told.args),
        sentence=told.sentence(language, labels(table.rules).name),
        clicks=tuple(clicks),
        must=table.must,
        topic=why.topic,
        rule=rule_link(table, why.topic),
    )


def rules_url(table: Table) -> str:
    """Return the page with the table's rules: shared by all games, or its own for a house box."""
    name = table.rules.name
    if name in rules.names() and _alike(rules.load(name), table.rules):
        return f"/rules/{name}?game={table.id}"
    return f"/game/{table.id}/rules"


def _alike(one: Rules, other: Rules) -> bool:
    """Say whether two rule sets have one rule book: equal ones may be written differently."""
    return one == other and labels(one).names == labels(other).names


def rule_link(table: Table, topic: str | None) -> messages.RuleLink | None:
    """Return the paragraph on a topic, when the rules of the table have one."""
    if topic is None:
        return None
    number = _number(table.rules, topic)
    return None if number is None else messages.RuleLink(number, f"{rules_url(table)}#p-{topic}")


@functools.lru_cache(maxsize=1024)
def _number(of: Rules, topic: str) -> int | None:
    return rulebook.number(of, topic)


def _history(table: Table) -> tuple[messages.HistoryEntry, ...]:
    shown = labels(table.rules).shown
    return tuple(
        messages.HistoryEntry(
            side=ply.side,
            move=_plain(ply.move, ply.move.hub(), text),
            text=text,
            pieces=ply.pieces,
            huff=ply.huff,
            offence=ply.offence,
        )
        for ply in table.game.history
        for text in (shown(ply.text),)
    )


def _plain(move: Move, key: str, text: str) -> messages.MoveInfo:
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


def _taken(table: Table) -> dict[Side, int]:
    """Count what each side has taken: what the other had at the start and has no more."""
    start, now = table.start.upper(), table.game.board.pieces.upper()
    return {side: start.count(other(side)) - now.count(other(side)) for side in SIDES}


def _result(table: Table, speaker: Speaker) -> messages.ResultInfo | None:
    if table.result is None:
        return None
    winner, reason = table.result
    rule = rule_link(table, speaker.result_topic(reason))
    return messages.ResultInfo(
        winner=winner,
        reason=reason,
        sentence=speaker.result(winner, reason),
        outcome=speaker.outcome(winner),
        cause=speaker.cause(winner, reason),
        rule=rule,
    )


def _player(table: Table, side: Side, speaker: Speaker) -> messages.Player:
    seat = table.seats[side]
    detail, level = "", seat.level
    if side == table.computer and table.engine is not None:
        detail, level = table.engine, None
    elif level is not None:
        detail = speaker.say("name.level", level=level)
    return messages.Player(seat.kind, level, speaker.name(side), detail)


def _can(table: Table, you: tuple[Side, ...]) -> messages.Can:
    playing = bool(you) and table.result is None
    turn = table.game.turn
    return messages.Can(
        undo=table.may(lambda: table.undo(you)),
        draw=table.may(lambda: table.draw(you)),
        resign=playing,
        hint=playing and turn in you,
        rematch=bool(you) and table.result is not None,
        huff=playing and turn in you and bool(table.game.offences),
        answer_draw=table.may(lambda: table.answer_draw(you, ok=False)),
        answer_undo=table.may(lambda: table.answer_undo(you, ok=False)),
    )
