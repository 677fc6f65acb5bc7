"""Tournament Report Files: the exchange format of arbiters' programs.

Fields and order follow TRF16, with JaVaFo's lines `XXR` (rounds), `XXS` (points), `XXC` (first
colour) and `XXP` (forbidden pairs). The FIDE id field holds the player's id if it is numeric, as
FMJD ids are, and is otherwise empty. TRF has no tournaments with two games in a round, which become
two rounds, and no tie-breaks, corrections or future byes.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Final

from damka.errors import TournamentError
from damka.tournament import checks
from damka.tournament.history import Record, history, scores
from damka.tournament.players import Player
from damka.tournament.points import CLASSIC, PointSystem
from damka.tournament.rounds import Bye, ByeKind, Outcome, Pairing, Round
from damka.tournament.standings import standings
from damka.tournament.swiss import board_order
from damka.tournament.tournament import System, Tournament

__all__ = ["MAX_BYTES", "export", "read"]


def __dir__() -> list[str]:
    return __all__


MAX_BYTES: Final = 4 << 20

_NAME: Final = 33
_MAX_POINTS: Final = 99.5
_RESULTS: Final[Mapping[str, tuple[bool, float]]] = {
    "1": (True, 1),
    "W": (True, 1),
    "=": (True, 0.5),
    "D": (True, 0.5),
    "0": (True, 0),
    "L": (True, 0),
    "+": (False, 1),
    "-": (False, 0),
}
"""Result codes of a game: whether it was played, and the share of a win."""


def _library() -> Any:
    try:
        return importlib.import_module("caissify_pairings.trf")
    except ModuleNotFoundError as error:
        raise checks.not_installed(error) from error


def export(tournament: Tournament, *, coming: bool = False) -> str:
    """Export a tournament as TRF, with a line for each player in order of their numbers.

    `coming` adds the byes of the next round, for use with another pairing program. Names are
    truncated to 33 characters. Raises TournamentError for values that do not fit the format: 100
    points or more, or 10,000 players.
    """
    write_trf = _library().write_trf

    records = history(tournament)
    numbers = {player.id: number for number, player in enumerate(tournament.players, 1)}
    ranks = {row.player.id: row.rank for row in standings(tournament)}
    lines = []
    for player in tournament.players:
        own = list(records[player.id])
        if coming and (kind := _next_bye(tournament, player.id)) is not None:
            own.append(Record(len(tournament.rounds) + 1, tournament.points.bye(kind), bye=kind))
        score = sum(record.points for record in own)
        if score > _MAX_POINTS:
            raise TournamentError(
                f"points of {player.id}", score, "less than 100, the limit of TRF"
            )
        lines.append(
            {
                "starting_number": numbers[player.id],
                "name": player.name[:_NAME],
                "sex": player.sex,
                "title": player.title.lower(),
                "rating": player.rating,
                "federation": player.federation,
                "fide_id": player.id if player.has_fmjd_id else None,
                "birth": player.birth.replace("-", "/"),
                "score": score,
                "rank": ranks[player.id],
                "results": {n: _cell(record, numbers) for n, record in enumerate(own, 1)},
            }
        )
    rounds = len(tournament.rounds) * tournament.games
    text: str = write_trf(_header(tournament), lines, rounds + coming)
    planned = f"XXR {tournament.length * tournament.games}"
    text = re.sub(r"^XXR .*$", planned, text, count=1, flags=re.MULTILINE)
    # The library counts all players in this line.
    rated = f"072 {sum(player.rating > 0 for player in tournament.players)}"
    text = re.sub(r"^072 .*$", rated, text, count=1, flags=re.MULTILINE)
    forbidden_lines = [
        f"XXP {numbers[one]} {numbers[other]}" for one, other in tournament.forbidden
    ]
    return "\n".join(line.rstrip() for line in (*text.splitlines(), *forbidden_lines)) + "\n"


def _next_bye(tournament: Tournament, player: str) -> ByeKind | None:
    if player in tournament.withdrawn:
        return ByeKind.ZERO
    number = len(tournament.rounds) + 1
    for bye in tournament.requested_byes:
        if (bye.player, bye.round) == (player, number):
            return bye.kind
    return None


def _header(tournament: Tournament) -> dict[str, Any]:
    points = tournament.points
    points_by_code = {
        "W": points.win,
        "D": points.draw,
        "L": points.loss,
        "FL": 0,
        "ZPB": 0,
        "PAB": points.bye(ByeKind.ALLOCATED),
    }
    return {
        "name": tournament.name,
        "location": tournament.site,
        "federation": tournament.federation,
        "start_date": _day(tournament.begins),
        "end_date": _day(tournament.ends),
        "chief_arbiter": tournament.arbiter,
        "color_method": "white1" if tournament.top_seed_white else "black1",
        "special_rules": " ".join(f"{code}={value:.1f}" for code, value in points_by_code.items()),
    }


def _day(day: date | None) -> str:
    return "" if day is None else day.strftime("%Y/%m/%d")


def _cell(record: Record, numbers: Mapping[str, int]) -> dict[str, Any]:
    if record.bye is not None:
        return {"opponent": None, "result": record.bye.value}
    if record.outcome is None:
        result = ""
    elif record.outcome.played:
        result = "=" if record.outcome.drawn else "1" if record.won else "0"
    else:
        result = "+" if record.won else "-"
    return {
        "opponent": numbers[str(record.opponent)],
        "color": "w" if record.white else "b",
        "result": result,
    }


def read(text: str) -> Tournament:
    """Parse the Swiss tournament of a TRF.

    A player without a numeric FIDE id gets "n" and the starting number as id. Raises
    TournamentError for a text that is not a TRF, exceeds 4 MiB, or is inconsistent.
    """
    library = _library()
    if len(text) > MAX_BYTES:
        raise TournamentError("TRF", len(text), f"at most {MAX_BYTES} characters")
    try:
        parsed = library.parse_trf(text)
    except (library.TRFError, ValueError) as error:
        raise TournamentError("TRF", str(error), "a tournament report file") from error
    header, lines = (
        parsed["tournament"],
        sorted(parsed["players"], key=lambda line: int(line["starting_number"])),
    )
    checks.size("TRF, players", lines, checks.MAX_PLAYERS)
    numbers = [line["starting_number"] for line in lines]
    if numbers != [*range(1, len(lines) + 1)]:
        raise TournamentError("TRF, starting numbers", numbers, "1, 2, 3 and so on")
    count = max((max(line["results"], default=0) for line in lines), default=0)
    length = max(int(header.get("total_rounds") or 0), count, 1)
    checks.integer("TRF, rounds", length, 1, checks.MAX_ROUNDS)
    players = tuple(_player(line) for line in lines)
    read = Tournament(
        name=_plain(header["name"]),
        length=length,
        system=System.SWISS,
        points=_points(header.get("special_rules", "")),
        top_seed_white=header.get("color_method") != "black1",
        site=_plain(header.get("location", "")),
        federation=_plain(header.get("federation", ""))[:3],
        arbiter=_plain(header.get("chief_arbiter", "")),
        begins=_date(header.get("start_date", "")),
        ends=_date(header.get("end_date", "")),
        players=players,
        forbidden=_forbidden(text, players),
        rounds=tuple(_round(number, lines, players) for number in range(1, count + 1)),
    )
    return replace(read, rounds=tuple(_by_board(read, number) for number in range(1, count + 1)))


def _by_board(tournament: Tournament, number: int) -> Round:
    """Return a round with its boards in Swiss order, which TRF does not store."""
    before = scores(tournament, number - 1)
    places = {player.id: place for place, player in enumerate(tournament.players)}
    each = tournament.rounds[number - 1]
    return replace(
        each,
        pairings=tuple(
            sorted(
                each.pairings,
                key=lambda pairing: board_order(
                    (before[pairing.white], places[pairing.white]),
                    (before[pairing.black], places[pairing.black]),
                ),
            )
        ),
    )


def _plain(text: str) -> str:
    """Clean text from the header for a tournament."""
    return "".join(char for char in text if char.isprintable()).strip()[: checks.MAX_TEXT].strip()


def _player(line: Mapping[str, Any]) -> Player:
    number = line["starting_number"]
    birth = re.match(r"\d{4}(?:/\d{2}(?:/\d{2})?)?", line["birth"])
    return Player(
        id=str(line["fide_id"] or f"n{number}"),
        name=_plain(line["name"]) or f"No. {number}",
        rating=min(line["rating"], checks.MAX_RATING),
        title="".join(filter(str.isalpha, line["title"])).upper(),
        federation="".join(filter(str.isalpha, line["federation"])),
        birth=birth[0].replace("/", "-") if birth else "",
        sex=line["sex"].lower() if line["sex"].lower() in {"m", "w"} else "",
    )


def _points(text: str) -> PointSystem:
    """Parse the points of a line `XXS`; 1, ½ and 0 without one."""
    points_by_code: dict[str, float] = {}
    for part in text.split():
        code, _, value = part.partition("=")
        try:
            points_by_code[code] = float(value)
        except ValueError:
            raise TournamentError("TRF, XXS", part, "such as W=2.0") from None
    return PointSystem(
        points_by_code.get("W", points_by_code.get("WW", CLASSIC.win)),
        points_by_code.get("D", points_by_code.get("WD", CLASSIC.draw)),
        points_by_code.get("L", points_by_code.get("WL", CLASSIC.loss)),
        points_by_code.get("PAB"),
    )


def _date(text: str) -> date | None:
    """Parse a date such as YYYY/MM/DD; None for other text."""
    match = re.fullmatch(r"(\d{4})[/.-](\d{2})[/.-](\d{2})", text.strip())
    try:
        return date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None


def _forbidden(text: str, players: tuple[Player, ...]) -> tuple[tuple[str, str], ...]:
    """Return the forbidden pairs from the lines `XXP`, which the library ignores."""
    pairs = []
    for line in re.findall(r"^XXP (.*)$", text, re.MULTILINE):
        numbers = [int(part) for part in line.split() if part.isdecimal() and len(part) < 5]
        if len(numbers) != 2 or not all(1 <= n <= len(players) for n in numbers):
            raise TournamentError("TRF, XXP", line, "two starting numbers")
        pairs.append((players[numbers[0] - 1].id, players[numbers[1] - 1].id))
    return tuple(pairs)


def _round(number: int, lines: list[Mapping[str, Any]], players: tuple[Player, ...]) -> Round:
    pairings, byes = [], []
    for line, player in zip(lines, players, strict=True):
        cell = line["results"].get(number)
        where = f"TRF, round {number}, player {line['starting_number']}"
        if cell is None:
            byes.append(Bye(player.id, ByeKind.ZERO))
        elif cell["opponent"] is None:
            byes.append(Bye(player.id, _bye(cell["result"], where)))
        else:
            other = cell["opponent"]
            if not 1 <= other <= len(lines):
                raise TournamentError(where, other, "the number of an opponent")
            back = lines[other - 1]["results"].get(number) or {}
            if back.get("opponent") != line["starting_number"]:
                raise TournamentError(where, other, "an opponent who was paired with this player")
            if {cell["color"], back["color"]} != {"w", "b"}:
                raise TournamentError(where, cell["color"], "w and b for the two opponents")
            if cell["color"] == "w":
                outcome = _outcome(cell["result"], back["result"], where)
                pairings.append(Pairing(player.id, players[other - 1].id, (outcome,)))
    return Round(tuple(pairings), tuple(byes))


def _bye(result: str, where: str) -> ByeKind:
    kinds = {"+": ByeKind.FULL, "-": ByeKind.ZERO, "=": ByeKind.HALF}
    try:
        return kinds.get(result) or ByeKind(result.upper())
    except ValueError:
        raise TournamentError(where, result, "U, F, H or Z") from None


def _outcome(white: str, black: str, where: str) -> Outcome | None:
    if not white and not black:
        return None
    pair = [_RESULTS.get(sign.upper()) for sign in (white, black)]
    if None not in pair:
        (white_played, white_share), (black_played, black_share) = pair  # type: ignore[misc]
        if white_played and black_played and white_share + black_share == 1:
            return {1: Outcome.WHITE, 0.5: Outcome.DRAW, 0: Outcome.BLACK}[white_share]
        if not white_played and not black_played and white_share + black_share <= 1:
            if white_share == black_share:
                return Outcome.DOUBLE_FORFEIT
            return Outcome.WHITE_BY_FORFEIT if white_share else Outcome.BLACK_BY_FORFEIT
    raise TournamentError(where, f"{white} and {black}", "matching results, such as 1 and 0")
