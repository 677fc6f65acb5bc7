"""`damka dxp`: play another program over DXP, the DamExchange protocol."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import typer

from damka.cli.options import (
    CONTEMPT_HELP,
    fen_option,
    hash_option,
    jobs_option,
    load_rules,
    output_option,
    rules_argument,
    time_option,
)
from damka.cli.usage import UsageProblem
from damka.rules import Side, other

if TYPE_CHECKING:
    from damka import Game
    from damka.engine import Engine
    from damka.engine.dxp import GameRequest, Service, Session
    from damka.engine.dxp.effects import Effect, Outcome
    from damka.engine.transport import Link
    from damka.rules import Rules

__all__ = ["dxp"]

Colour = Literal["white", "black"]

_TIMEOUT: Final = 3600.0  # the opponent may be a person
_LOCALHOST: Final = "127.0.0.1"
_NAME: Final = "Damka"


def dxp(
    name: str = rules_argument("international"),
    listen: str | None = typer.Option(
        None,
        "--listen",
        metavar="[HOST:]PORT",
        help="Listen here for game requests.",
    ),
    connect: str | None = typer.Option(
        None,
        "--connect",
        metavar="HOST[:PORT]",
        help="Request games from the program listening there.",
    ),
    games: int = typer.Option(
        1,
        "--games",
        min=1,
        max=1000,
        metavar="N",
        help="With --connect: number of games, with alternating colours.",
    ),
    colour: Colour = typer.Option(
        "white",
        "--colour",
        metavar="white|black",
        help="With --connect: our colour in the first game.",
    ),
    minutes: int = typer.Option(
        5,
        "--minutes",
        min=0,
        max=999,
        metavar="N",
        help="With --connect: minutes per side for the game; 0 for no time limit.",
    ),
    moves: int = typer.Option(
        0,
        "--moves",
        min=0,
        max=999,
        metavar="N",
        help="With --connect: moves per side; 0 for no limit.",
    ),
    fen: str | None = fen_option("With --connect: start position."),
    seconds: float = time_option(1.0, "Seconds per move in games without a time limit."),
    once: bool = typer.Option(False, "--once", help="With --listen: stop after one connection."),
    pdn: Path | None = output_option("PDN file to add the games to."),
    hash_mb: int = hash_option(),
    threads: int = jobs_option(),
    contempt: int = typer.Option(2, "--contempt", min=0, max=20, metavar="N", help=CONTEMPT_HELP),
) -> None:
    """Play another program over DXP.

    Many 10×10 programs speak DXP, the DamExchange protocol. One program listens, usually on port
    27531; the other connects and requests games. For rules other than 10×10 draughts both programs
    must be Damka, started with the same rules.

    Example:  damka dxp --listen 27531
    Example:  damka dxp --connect localhost
    """
    from damka.engine import Engine  # noqa: PLC0415
    from damka.tablebase import default_folder  # noqa: PLC0415

    rules = load_rules(name)
    if pdn is not None:
        _check_output(pdn)
    engine = Engine(hash_mb, threads, tablebases=default_folder())
    own_side = _OwnSide(engine, seconds, contempt, _Report(pdn))
    try:
        if listen is not None and connect is None:
            _listen(_parse_address(listen, "--listen"), rules, own_side, once=once)
        elif connect is not None and listen is None:
            first: Side = "W" if colour == "white" else "B"
            terms = _Terms(first, minutes, moves, fen)
            _connect(_parse_address(connect, "--connect"), rules, own_side, terms, games)
        else:
            raise UsageProblem("give one of --listen and --connect.")
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    if own_side.report.unwritten:
        raise typer.Exit(1)


def _check_output(pdn: Path) -> None:
    """Check the output file before the first game. Raises typer.Exit if it cannot be used."""
    try:
        with pdn.open("a+", encoding="utf-8", errors="replace") as file:
            file.seek(0)
            head = file.read(1000).lstrip()
    except OSError as error:
        typer.echo(f"damka: cannot write {pdn}: {error.strerror}", err=True)
        raise typer.Exit(2) from error
    if head and not head.startswith("["):
        typer.echo(f"damka: {pdn} contains no PDN games; choose another file", err=True)
        raise typer.Exit(2)


@dataclass(frozen=True, slots=True)
class _OwnSide:
    """Our side: the engine, its seconds per move without a clock, its contempt and its report."""

    engine: Engine
    seconds: float
    contempt: int
    report: _Report

    def service(self, link: Link, session: Session) -> Service:
        """Return the DXP service of our engine over a link."""
        from damka.engine.dxp import Service  # noqa: PLC0415

        return Service(
            link,
            session,
            self.engine,
            seconds=self.seconds,
            patience=_TIMEOUT,
            contempt=self.contempt,
            on_effect=self.report.report_effect,
        )


@dataclass(frozen=True, slots=True)
class _Terms:
    """The terms of our game requests; `side` is ours in the first game."""

    side: Side
    minutes: int
    moves: int
    fen: str | None

    def request(self, rules: Rules, number: int) -> GameRequest:
        """Return the request for game `number`, from 0: the colours alternate."""
        from damka.engine.dxp import GameRequest, Setup  # noqa: PLC0415
        from damka.notation import fen  # noqa: PLC0415

        follower: Side = "B" if (self.side == "W") == (number % 2 == 0) else "W"
        setup = None if self.fen is None else Setup(*fen.parse(rules, self.fen, labels=True))
        return GameRequest(_NAME, follower, self.minutes, self.moves, setup)


class _Report:
    """Prints events in the terminal and saves the games."""

    def __init__(self, pdn: Path | None) -> None:
        self._pdn: Final = pdn
        self._names: dict[Side, str] = {}
        self._side: Side = "W"
        self._games = 0
        self.unwritten = 0

    def report_effect(self, effect: Effect) -> None:
        """Print an effect if it concerns the user."""
        from damka.engine.dxp import effects  # noqa: PLC0415

        match effect:
            case effects.Started(_, opponent, side):
                self._games += 1
                self._side = side
                own_name, opponent_name = (_NAME, opponent or "unnamed program")
                self._names = (
                    {"W": own_name, "B": opponent_name}
                    if side == "W"
                    else {"W": opponent_name, "B": own_name}
                )
                white, black = self._names["W"], self._names["B"]
                typer.echo(f"game {self._games}: {white} (white) – {black} (black)")
            case effects.Ended(game, outcome):
                self._report_end(game, outcome)
            case effects.Refused(opponent, code):
                reason = {
                    1: "different protocol version",
                    2: "it does not play this game",
                    3: "it does not accept games",
                }
                typer.echo(f"{opponent} declined: {reason[code]}")
            case effects.ChatReceived(text):
                typer.echo(f"chat: {text}")
            case effects.Problem(what):
                typer.echo(f"protocol error: {what}")

    def _report_end(self, game: Game, outcome: Outcome) -> None:
        from damka.match import pdn  # noqa: PLC0415

        outcome_text = {"won": "won", "lost": "lost", "drawn": "drawn", "unknown": "aborted"}[
            outcome
        ]
        if game.result is not None:
            outcome_text += f" ({game.result.reason})"
        elif outcome != "unknown":
            outcome_text += " (agreed by the programs)"
        typer.echo(f"game {self._games}: {outcome_text} after {len(game.moves)} plies")
        if self._pdn is None:
            return
        opponent = other(self._side)
        winner = {"won": self._side, "lost": opponent}.get(outcome)
        text = pdn.record(game, winner=winner, names=self._names, extra={})
        try:
            with self._pdn.open("a", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            self.unwritten += 1
            typer.echo(f"damka: cannot write {self._pdn}: {error.strerror}", err=True)
            typer.echo(text)  # so that the game is not lost


def _listen(endpoint: tuple[str, int], rules: Rules, own_side: _OwnSide, *, once: bool) -> None:
    """Accept clients and play them one after another."""
    from damka.engine.dxp import MARK, MAX_LENGTH, Session  # noqa: PLC0415
    from damka.engine.errors import EngineError  # noqa: PLC0415
    from damka.engine.transport import Connection, Link  # noqa: PLC0415

    try:
        server = socket.create_server(endpoint)
    except OSError as error:
        typer.echo(
            f"damka: cannot listen at {endpoint[0]}:{endpoint[1]}: {error.strerror}", err=True
        )
        raise typer.Exit(2) from error
    with server:
        host, port = server.getsockname()[:2]
        typer.echo(f"Damka plays {rules.name} at {host}:{port} (stop with Ctrl-C)")
        while True:
            sock, (client, *_) = server.accept()
            link = Link(client, Connection(sock), MARK, MAX_LENGTH)
            own_side.engine.clear()
            try:
                own_side.service(link, Session(rules, _NAME)).follow()
            except EngineError as error:
                typer.echo(f"damka: {error}", err=True)
            finally:
                link.close()
            if once:
                return


def _connect(
    endpoint: tuple[str, int], rules: Rules, own_side: _OwnSide, terms: _Terms, games: int
) -> None:
    """Connect and request games."""
    from damka.engine.dxp import MARK, MAX_LENGTH, Refused, Session  # noqa: PLC0415
    from damka.engine.transport import Connection, Link  # noqa: PLC0415

    session = Session(rules, _NAME)
    link = Link(
        f"{endpoint[0]}:{endpoint[1]}", Connection.open(*endpoint, seconds=20), MARK, MAX_LENGTH
    )
    try:
        service = own_side.service(link, session)
        for number in range(games):
            reply = service.request_game(
                terms.request(session.rules, number), last=number + 1 == games
            )
            if isinstance(reply, Refused):
                raise typer.Exit(1)
            own_side.engine.clear()
    finally:
        link.close()


def _parse_address(text: str, option: str) -> tuple[str, int]:
    """Parse a host and a port, either of which may be omitted."""
    from damka.engine.dxp import PORT  # noqa: PLC0415
    from damka.engine.transport import address  # noqa: PLC0415

    if text.isdecimal():
        text = f"{_LOCALHOST}:{text}"
    lacks_port = ":" not in text or text.endswith("]")
    endpoint = address(f"{text}:{PORT}" if lacks_port else text)
    if endpoint is None:
        raise UsageProblem(
            f"{option}: {text!r} is not an address; expected HOST:PORT, HOST or PORT (0 to 65535)."
        )
    return endpoint
