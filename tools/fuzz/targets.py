"""Fuzz targets: functions of bytes that raise only on a fault.

Each handles only the documented errors of the functions that it calls. Its seeds are the fuzzer's
initial inputs, mostly from tests/data.
"""

from __future__ import annotations

import base64
import io
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

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
from tools.fuzz import damage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["TARGETS", "WORDS"]

Reader: TypeAlias = "Callable[[bytes], None]"

WORDS: Final = (
    *('[White \\"a\\"]', '[FEN \\"', '[Result \\"4-6\\"]', '[GameType \\"20\\"]', '/FEN \\"'),
    *("32-28", "19-23", "28x19", "14x23", "c3-d4", "d6-c5", "a3b4", "3228", "1/2-1/2", "<19>"),
    *("$1", "{[%clk 0:01:02]}", "[%huff 23]", "\\xc3\\x97", "\\xd0\\xb0", "\\xc2\\xbd", "..."),
    *("W:W31-50:B1-20", ":BK", "base = \\x22dama64\\x22"),
    *("set-param name=", "pos pos=W", "go think"),
)
"""Words that the fuzzer inserts into inputs."""

_DATA: Final = Path(__file__).parents[2] / "tests" / "data"
_RULE_SETS: Final = tuple(
    rules.load(name)
    for name in (
        *("international", "russian", "american", "italian", "dama100", "turkish", "canadian"),
        *("frisian", "thai", "spantsiretti", "dama64"),
    )
)
_START: Final = "W" + "b" * 20 + "e" * 10 + "w" * 20
_MAX_EXAMINED: Final = 3
"""Number of games in a PDN text to examine move by move; other games are only read."""


@dataclass(frozen=True)
class Target:
    """A target function and its seeds."""

    read: Reader
    seeds: tuple[bytes, ...]
    packages: tuple[str, ...] = ("damka",)
    """Packages whose coverage guides the fuzzer; counting lines of others only costs time."""


TARGETS: Final[dict[str, Target]] = {}


def _target(
    name: str, seeds: Iterable[bytes], packages: tuple[str, ...] = ("damka",)
) -> Callable[[Reader], Reader]:
    """Register a target function."""

    def register(read: Reader) -> Reader:
        TARGETS[name] = Target(read, tuple(seeds), packages)
        return read

    return register


def _split(data: bytes) -> tuple[int, str]:
    """Return the first byte, which selects options, and the remaining bytes as text."""
    return (data[0] if data else 0), data[1:].decode("utf-8", "surrogateescape")


def _round_trip(
    rules_given: Any,
    parse: Callable[[Any], Any],
    write: Callable[[Any], Any],
    error: type[Exception],
) -> Any:
    """Read, write and read again; return the value, or None for an invalid input."""
    try:
        value = parse(rules_given)
    except error:
        return None
    assert parse(write(value)) == value
    return value


_PDN = (
    b"\x0f" + path.read_bytes()[:4000]
    for path in (*sorted(_DATA.glob("pdn/*.pdn")), _DATA / "07100e5" / "match.pdn")
)


_DAMAGES = (bytes((32, *(number * step % 256 for number in range(1, 9)))) for step in range(1, 60))


_PDN_PACKAGES: Final = ("damka.pdn", "damka.notation")


@_target("pdn", (*_PDN, *_DAMAGES), _PDN_PACKAGES)
def _read_pdn(data: bytes) -> None:
    """Read a file of games with given or detected rules; write it and read it again.

    Alternatively, damage one token of a valid file, and check that no move is lost silently.
    """
    options = data[0] if data else 0
    if options & 32:
        _damage(data[1:])
        return
    rules_given = None if options % 16 >= len(_RULE_SETS) else _RULE_SETS[options % 16]
    strict = bool(options & 16)
    try:
        for number, game in enumerate(pdn.read(io.BytesIO(data[1:]), rules_given, strict=strict)):
            if number < _MAX_EXAMINED:
                _examine(game)
    except PdnError:
        if not strict:
            raise


def _damage(data: bytes) -> None:
    """Damage a token as selected by the bytes."""
    numbers = iter(data)

    def choose(below: int) -> int:
        high, low = next(numbers, 0), next(numbers, 0)
        return (high << 8 | low) % below

    samples = damage.samples()
    damage.check(damage.damage_token(samples[choose(len(samples))], choose))


def _examine(game: pdn.PdnGame) -> None:
    nodes = [*game.mainline()]
    assert len(nodes) == game.move_count
    for node in nodes[:20]:
        assert node.clock is None or node.clock >= 0
        assert len(node.marks) <= len(node.comment)
    try:
        written = pdn.format(game)
    except PdnError:
        return  # a position that is too complex
    [reread] = pdn.read(written, game.rules)
    assert pdn.format(reread) == written, written
    assert [node.move for node in reread.mainline()] == [node.move for node in game.mainline()]


@_target("pdn-game", TARGETS["pdn"].seeds, ("damka.game", *_PDN_PACKAGES))
def _read_pdn_game(data: bytes) -> None:
    """Create a game from the first one in a PDN text; write it and read it again."""
    options, text = _split(data)
    rules_given = None if options % 16 >= len(_RULE_SETS) else _RULE_SETS[options % 16]
    try:
        game = Game.from_pdn(text, rules_given)
        written = game.pdn()
    except PdnError:
        return
    assert Game.from_pdn(written, game.rules).moves == game.moves, written


_FEN = (
    bytes([number]) + json.loads(line)["fen"].encode()
    for number, kind in enumerate(_RULE_SETS)
    for path in _DATA.glob(f"positions/{kind.name}.jsonl")
    for line in path.read_text("utf-8").splitlines()[:3]
)


_FRISIAN = (
    b"\x07W:WK5,30:B1,2:H0:F1:+0+3K5",
    b"\x07W:WG22,K5:B1,P11:H1:F2:+1K5+0",
    b'\x00[FEN "W:W31-50:B1-20"]',
)


@_target("fen", (*_FEN, b"\x81W:Wa1,Kc3:Bf6,Kh8", b"\x00?:WK1,31-35:B1,KK2.", *_FRISIAN))
def _read_fen(data: bytes) -> None:
    """Read a position; write it and read it again."""
    options, text = _split(data)
    kind = _RULE_SETS[options % len(_RULE_SETS)]
    try:
        position = fen.read(kind, text, labels=options >= 128)
    except FenError:
        return
    pieces, turn, streaks, *_ = position
    for by_labels in (False, True):
        written = fen.format(kind, pieces, turn, streaks=streaks, labels=by_labels)
        assert fen.read(kind, written, labels=by_labels)[:3] == (pieces, turn, streaks), written
    board = Board(kind, fen.format(kind, pieces, turn, streaks=streaks))
    assert board.streaks == streaks
    assert Board(kind, board.fen_with(labels=True), labels=True) == board
    try:
        for move in board.legal_moves[:2]:
            assert board.push(board.text(move)) == move
            board.pop()
    except PositionTooComplexError:
        return


_MOVES = (b"\x0032-28", b"\x0b32-28", b"\x1632-28", b"\x01c3-d4", b"\x04(23) 32-28", b"\x003228")


@_target("move", (*_MOVES, b"\x0228x19x10 <23, 14>"))
def _read_move(data: bytes) -> None:
    """Parse a move in a position after some moves; explain its refusal."""
    options, text = _split(data)
    kind = _RULE_SETS[options % len(_RULE_SETS)]
    game = Game(kind)
    for number in range(options // len(_RULE_SETS)):
        if game.result is None:
            game.play(game.legal_moves[number * 7 % len(game.legal_moves)])
    refusal_expected = game.why_not(text)
    try:
        game.play(text)
        assert refusal_expected is None
    except MoveError as error:
        error.refusal.sentence("bg")
    refusal.explain(game.board, labels(kind).read(text))


_OWN_RULES = b'base = "american"\nname = "mine"\nking_range = "flying"\n'
_SETS = (Path(rules.__file__).parent / "sets").glob("*.toml")


@_target("rules", (*(path.read_bytes() for path in sorted(_SETS)), _OWN_RULES))
def _read_rules(data: bytes) -> None:
    """Read a rule file, and create a board with its rules."""
    try:
        read = rules.load(data.decode("utf-8", "surrogateescape") + "\n")
        board = Board(read)
        assert board.perft(1) == len(board.legal_moves)
    except (RulesError, PositionTooComplexError):
        return
    assert rules.from_dict(read.to_dict()) == read


@_target("game", (path.read_bytes() for path in sorted(_DATA.glob("07100e5/games/*.json"))))
def _read_game(data: bytes) -> None:
    """Read a game file; write it and read it again."""
    _round_trip(data, Game.from_json, Game.to_json, GameFileError)


_HUB = (
    "hub\ninit\nset-param name=variant value=frisian\nnew-game\nlevel depth=3\ngo think\nping\n",
    f'pos pos={_START} moves="32-28 19-23 28x19x23"\ngo ponder\n',
    "id name=x version=1\nparam name=a value=1 type=int min=0 max=3\nwait\nready\n"
    'info depth=3 score=0.12 nodes=12 time=0.1 nps=1.0 pv="32-28 19-23"\ndone move=32-28\n',
)


@_target("hub", (b"\x00" + lines.encode() for lines in _HUB))
def _read_hub(data: bytes) -> None:
    """Parse a GUI's lines as an engine, and an engine's lines as a GUI."""
    options, text = _split(data)
    kind = _RULE_SETS[options % len(_RULE_SETS)]
    session, client = HubSession(kind), Client(kind)
    client.greet()
    for line in text.split("\n"):
        session.receive(line)
        if session.searching:
            session.failed(ValueError(line))
        try:
            client.parse(line)
            read = hub_lines.parse(line)
        except HubError:
            continue
        if read is not None and not any('"' in value for value in read.arguments.values()):
            assert hub_lines.parse(hub_lines.write(read.command, **read.arguments)) is not None


_DXP = (
    "R01" + "them".ljust(32) + "W010075A\0M0001322800\0CHello\0B012W\0E00\0",
    "R01" + "them".ljust(32) + "Z000000B" + _START.replace("b", "z") + "\0M0005192300\0E31\0",
)


@_target("dxp", (b"\x00" + sent.encode() for sent in _DXP))
def _read_dxp(data: bytes) -> None:
    """Read a peer's messages as either side of a game."""
    options, text = _split(data)
    kind = _RULE_SETS[options % 2]
    session = DxpSession(kind, "us")
    for each in text.split("\0"):
        session.receive(each)
        if session.state == "ours" and session.game.legal_moves:
            session.play_move(session.game.legal_moves[0], 1.0)
        _round_trip(
            each,
            lambda message: dxp_messages.parse(message, kind.square_count),
            dxp_messages.write,
            DxpError,
        )


def _deflate(data: bytes) -> str:
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(data) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def _inflate(link: str) -> bytes:
    return zlib.decompress(base64.urlsafe_b64decode(link + "=" * (-len(link) % 4)), wbits=-15)


_LINKS: Final = json.loads((_DATA / "07100e5" / "links.json").read_text("utf-8")).values()


@_target("link", (*(link.encode() for link in _LINKS), *map(_inflate, _LINKS)))
def _read_link(data: bytes) -> None:
    """Read a link to house rules, from raw and from compressed bytes."""
    for link in (data.decode("utf-8", "surrogateescape"), _deflate(data[:MAX_JSON])):
        try:
            read = box.decode(link)
        except RulesError:
            continue
        assert box.decode(box.encode(read, box.base_of(link))) == read


_FRAMES = (
    b'{"t":"move","ply":3,"move":"32-28","side":"W"}',
    b'{"t":"why","clicks":[1,2,3]}',
    b'{"t":"undo_answer","ok":true}',
)


@_target("frame", _FRAMES)
def _read_frame(data: bytes) -> None:
    """Read a live message of a page."""
    assert messages.read(data) is None or messages.read(data) == messages.read(data)


def _event() -> tournament.Tournament:
    """Return a tournament with a game, a forfeit and a bye."""
    event = tournament.Tournament(name="Open", length=3, site="Assen")
    event = event.enter(*(tournament.Player(f"{n}", f"P{n}", 1500 - n) for n in range(1, 6)))
    event = event.add(tournament.pair(event)).forbid("1", "2").request_bye("3", 2)
    event = event.record(1, 1, tournament.Outcome.WHITE)
    return event.record(1, 2, tournament.Outcome.BLACK_BY_FORFEIT)


@_target("tournament", (tournament.dump(_event()),))
def _read_tournament(data: bytes) -> None:
    """Read a tournament file; compute its tables, write it and read it again."""
    event = _round_trip(data, tournament.parse, tournament.dump, TournamentError)
    if event is not None:
        tournament.cross_table(event)


@_target("trf", (trf.export(_event()).encode(),))
def _read_trf(data: bytes) -> None:
    """Read a Tournament Report File; compute its tables, write it and read it again."""
    try:
        event = trf.read(data.decode("utf-8", "surrogateescape"))
        tournament.cross_table(event)
        written = trf.export(event)
    except TournamentError:
        return
    assert tournament.scores(trf.read(written)).keys() == tournament.scores(event).keys()
