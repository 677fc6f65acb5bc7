"""What is fuzzed: functions that take bytes and raise nothing, unless something is wrong.

Each lets the errors pass that are documented for what it calls, and no other.
"""

from __future__ import annotations

import base64
import io
import zlib
from typing import TYPE_CHECKING, Final

from damka import Board, Game, box, pdn, refusal, rules, tournament
from damka.box.link import MAX_JSON
from damka.engine.dxp import DxpError
from damka.engine.dxp import Session as DxpSession
from damka.engine.dxp import message as dxp_messages
from damka.engine.hub import HubError
from damka.engine.hub import Session as HubSession
from damka.engine.hub import line as hub_lines
from damka.engine.hub.client import Client
from damka.errors import (
    FenError,
    GameFileError,
    MoveError,
    PdnError,
    PositionTooComplexError,
    RulesError,
    TournamentError,
)
from damka.live import messages
from damka.notation import fen, labels
from damka.tournament import trf

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["TARGETS"]

_KINDS: Final = tuple(
    rules.load(name)
    for name in (
        *("international", "russian", "american", "italian", "dama100", "turkish", "canadian"),
        *("frisian", "thai", "spantsiretti", "dama64"),
    )
)
_MOST: Final = 3
"""Games of a text that are looked at whole: the rest is read alone."""


def _first(data: bytes) -> tuple[int, bytes]:
    """The first byte, which chooses how the others are read, and the others."""
    return (data[0], data[1:]) if data else (0, b"")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def read_pdn(data: bytes) -> None:
    """Read a file of games, by rules that are given or not; write them and read them again."""
    how, data = _first(data)
    given = None if how % 16 >= len(_KINDS) else _KINDS[how % 16]
    try:
        for number, game in enumerate(
            pdn.read(io.BytesIO(data), given, "raise" if how & 16 else "skip")
        ):
            if number < _MOST:
                _look_at(game)
    except PdnError:
        if not how & 16:
            raise


def _look_at(game: pdn.PdnGame) -> None:
    nodes = [*game.mainline()]
    assert len(nodes) == game.move_count
    for node in nodes[:20]:
        assert node.clock is None or node.clock >= 0
        assert len(node.marks) <= len(node.comment)
    try:
        written = pdn.format(game)
    except PdnError:
        return  # a position that is too complex
    [again] = pdn.read(written, game.rules)
    assert pdn.format(again) == written, written
    assert [node.move for node in again.mainline()] == [node.move for node in game.mainline()]


def read_pdn_game(data: bytes) -> None:
    """Make a game of the first one in a text of PDN, write it and read it again."""
    how, data = _first(data)
    given = None if how % 16 >= len(_KINDS) else _KINDS[how % 16]
    try:
        game = Game.from_pdn(_text(data), given)
        written = game.pdn()
    except PdnError:
        return
    assert Game.from_pdn(written, game.rules).moves == game.moves, written


def read_fen(data: bytes) -> None:
    """Read a position; write it and read it again."""
    how, data = _first(data)
    kind, text = _KINDS[how % len(_KINDS)], _text(data)
    try:
        pieces, turn = fen.parse(kind, text, labels=how >= 128)
    except FenError:
        return
    for by_labels in (False, True):
        written = fen.format(kind, pieces, turn, labels=by_labels)
        assert fen.parse(kind, written, labels=by_labels) == (pieces, turn), written
    board = Board(kind, fen.format(kind, pieces, turn))
    try:
        moves = board.legal_moves
        for move in moves[:2]:
            assert board.push(board.text(move)) == move
            board.pop()
    except PositionTooComplexError:
        return


def read_move(data: bytes) -> None:
    """Read the text of a move in a position after some; say why it is refused."""
    how, data = _first(data)
    kind, text = _KINDS[how % len(_KINDS)], _text(data)
    game = Game(kind)
    for number in range(how // len(_KINDS)):
        if game.result is None:
            game.play(game.legal_moves[number * 7 % len(game.legal_moves)])
    why = game.why_not(text)
    try:
        game.play(text)
        assert why is None
    except MoveError as error:
        error.refusal.sentence("bg")
    refusal.explain(game.board, labels(kind).read(text))


def read_rules(data: bytes) -> None:
    """Read a rule file, and make a board by it."""
    try:
        read = rules.load(_text(data) + "\n")
        board = Board(read)
        assert board.perft(1) == len(board.legal_moves)
    except (RulesError, PositionTooComplexError):
        return
    assert rules.from_dict(read.to_dict()) == read


def read_game(data: bytes) -> None:
    """Read a game file; write it and read it again."""
    try:
        game = Game.from_json(data)
        written = game.to_json()
    except GameFileError:
        return
    assert Game.from_json(written) == game


def read_hub(data: bytes) -> None:
    """Read the lines of a GUI as an engine, and of an engine as a GUI."""
    how, data = _first(data)
    kind = _KINDS[how % len(_KINDS)]
    lines = _text(data).split("\n")
    session, client = HubSession(kind), Client(kind)
    client.greet()
    for each in lines:
        session.receive(each)
        if session.searching:
            session.failed(ValueError(each))
        try:
            client.hear(each)
            read = hub_lines.parse(each)
        except HubError:
            continue
        if read is not None and not any('"' in value for value in read.arguments.values()):
            assert hub_lines.parse(hub_lines.write(read.command, **read.arguments)) is not None


def read_dxp(data: bytes) -> None:
    """Read the messages of the other side, which asks for a game or is asked."""
    how, data = _first(data)
    kind = _KINDS[how % 2]
    session = DxpSession(kind, "us")
    for each in _text(data).split("\0"):
        session.receive(each)
        if session.state == "ours" and session.game.legal_moves:
            session.played(session.game.legal_moves[0], 1.0)
        try:
            message = dxp_messages.parse(each, kind.square_count)
        except DxpError:
            continue
        assert dxp_messages.parse(dxp_messages.write(message), kind.square_count) == message


def read_link(data: bytes) -> None:
    """Read the link of a house box: the bytes themselves, and what they are when packed."""
    for link in (_text(data), _packed(data[:MAX_JSON])):
        try:
            read = box.decode(link)
        except RulesError:
            continue
        assert box.decode(box.encode(read, box.base_of(link))) == read


def _packed(data: bytes) -> str:
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(data) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def read_frame(data: bytes) -> None:
    """Read a live message of a page."""
    assert messages.read(data) is None or messages.read(data) == messages.read(data)


def read_tournament(data: bytes) -> None:
    """Read a file of a tournament; look at its tables, write it and read it again."""
    try:
        event = tournament.parse(data)
    except TournamentError:
        return
    tournament.cross_table(event)
    assert tournament.parse(tournament.dump(event)) == event


def read_trf(data: bytes) -> None:
    """Read a Tournament Report File; look at its tables, write it and read it again."""
    try:
        event = trf.read(_text(data))
        tournament.cross_table(event)
        written = trf.export(event)
    except TournamentError:
        return
    assert tournament.scores(trf.read(written)).keys() == tournament.scores(event).keys()


TARGETS: Final[dict[str, Callable[[bytes], None]]] = {
    "pdn": read_pdn,
    "pdn-game": read_pdn_game,
    "fen": read_fen,
    "move": read_move,
    "rules": read_rules,
    "game": read_game,
    "hub": read_hub,
    "dxp": read_dxp,
    "link": read_link,
    "frame": read_frame,
    "tournament": read_tournament,
    "trf": read_trf,
}
"""By name: what a run of the fuzzer may feed."""
