"""What the fuzzer begins with: good inputs of each kind, and words that it may put in."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Final

from damka import Board, Game, box, rules, tournament
from damka.tournament import trf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["WORDS", "seeds"]

FILES: Final = Path(__file__).parents[2] / "tests" / "data" / "pdn"

WORDS: Final = (
    *('[White \\"a\\"]', '[FEN \\"', '[Result \\"4-6\\"]', '[GameType \\"20\\"]', '/FEN \\"'),
    *("32-28", "19-23", "28x19", "14x23", "c3-d4", "d6-c5", "a3b4", "3228", "1/2-1/2", "<19>"),
    *("$1", "{[%clk 0:01:02]}", "[%huff 23]", "\\xc3\\x97", "\\xd0\\xb0", "\\xc2\\xbd", "..."),
    *(
        "W:W31-50:B1-20",
        ":BK",
        "base = \\x22dama64\\x22",
        "set-param name=",
        "pos pos=W",
        "go think",
    ),
)

_TEXTS: Final = (
    '[White "a"]\n[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 {b} (2... 13x24 $1) 1-1\n',
    '[GameType "25"][FEN "W:Wc3,d4:Bf6"] 1. d4-e5 f6:d4 2. c3:e5 1-0 /FEN "W:Wa1:Bh8"/ *',
    "1. 11-15 23-19 2. 8-11 22-17 4-6",
)
_LINES: Final = (
    "hub\ninit\nset-param name=variant value=frisian\nnew-game\nlevel depth=3\ngo think\nping\n",
    "pos pos=W" + "b" * 20 + "e" * 10 + "w" * 20 + ' moves="32-28 19-23 28x19x23"\ngo ponder\n',
    "id name=x version=1\nparam name=a value=1 type=int min=0 max=3\nwait\nready\n"
    'info depth=3 score=0.12 nodes=12 time=0.1 nps=1.0 pv="32-28 19-23"\ndone move=32-28\n',
)
_MESSAGES: Final = (
    "R01" + "them".ljust(32) + "W010075A\0M0001322800\0CHello\0B012W\0E00\0",
    "R01"
    + "them".ljust(32)
    + "Z000000BW"
    + "z" * 20
    + "e" * 10
    + "w" * 20
    + "\0M0005192300\0E31\0",
)
_FRAMES: Final = (
    b'{"t":"move","ply":3,"move":"32-28","side":"W"}',
    b'{"t":"why","clicks":[1,2,3]}',
    b'{"t":"undo_answer","ok":true}',
)


def seeds(target: str) -> Iterator[bytes]:
    """Yield inputs for a target."""
    yield from _SEEDS.get(target, _frames)()


def _pdn() -> Iterator[bytes]:
    yield from (b"\x0f" + text.encode() for text in _TEXTS)
    for path in sorted(FILES.rglob("*.pdn")):
        yield b"\x0f" + path.read_bytes()[:4000]


def _fen() -> Iterator[bytes]:
    for number, name in enumerate(("international", "russian", "american")):
        yield bytes([number]) + Board(name).fen.encode()
    yield b"\x81W:Wa1,Kc3:Bf6,Kh8"
    yield b"\x00?:WK1,31-35:B1,KK2."


def _move() -> Iterator[bytes]:
    yield from (bytes([n]) + b"32-28" for n in (0, 11, 22))
    yield from (b"\x01c3-d4", b"\x04(23) 32-28", b"\x0228x19x10 <23, 14>", b"\x003228")


def _rules() -> Iterator[bytes]:
    for name in ("dama64", "italian", "thai"):
        yield (Path(rules.__file__).parent / "sets" / f"{name}.toml").read_bytes()
    yield b'base = "american"\nname = "mine"\nking_range = "flying"\n'


def _game() -> Iterator[bytes]:
    for name, moves in (("dama64", "22-18 9-13"), ("dama100", "32-28 19-23")):
        game = Game(name, players={"W": "Ana"})
        for move in moves.split():
            game.play(move)
        game.offer_draw("W")
        yield game.to_json().encode()


def _link() -> Iterator[bytes]:
    for name in ("dama64", "american"):
        link = box.encode(rules.load(name).replace(name="mine", rows=2))
        yield link.encode()
        packed = urlsafe_b64decode(link + "=" * (-len(link) % 4))
        yield zlib.decompress(packed, wbits=-15)


def _event() -> tournament.Tournament:
    """Return a tournament with a game, a forfeit and a bye."""
    event = tournament.Tournament(name="Open", length=3, site="Assen")
    event = event.enter(*(tournament.Player(f"{n}", f"P{n}", 1500 - n) for n in range(1, 6)))
    event = event.add(tournament.pair(event)).forbid("1", "2").request_bye("3", 2)
    event = event.record(1, 1, tournament.Outcome.WHITE)
    return event.record(1, 2, tournament.Outcome.BLACK_BY_FORFEIT)


def _frames() -> Iterator[bytes]:
    yield from _FRAMES


_SEEDS: Final[dict[str, Callable[[], Iterator[bytes]]]] = {
    **dict.fromkeys(("kernel", "pdn", "pdn-game"), _pdn),
    "fen": _fen,
    "move": _move,
    "rules": _rules,
    "game": _game,
    "hub": lambda: (b"\x00" + line.encode() for line in _LINES),
    "dxp": lambda: (b"\x00" + message.encode() for message in _MESSAGES),
    "link": _link,
    "tournament": lambda: iter((tournament.dump(_event()),)),
    "trf": lambda: iter((trf.export(_event()).encode(),)),
}
