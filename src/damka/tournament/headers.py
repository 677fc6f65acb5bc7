"""PDN tags of a tournament's game."""

from __future__ import annotations

from datetime import date

from damka.tournament import checks
from damka.tournament.tournament import Tournament

__all__ = ["headers"]


def headers(
    tournament: Tournament,
    round: int,  # noqa: A002
    board: int,
    *,
    game: int = 1,
    day: date | None = None,
) -> dict[str, str]:
    """Return the tags of a game: the event, the round, the players and their FMJD ids.

    A non-numeric id is not an FMJD id and is omitted. `day` is the date of the game. The result is
    not included, since its text depends on the rules of the game. Raises TournamentError when there
    is no such game.

    >>> from damka.tournament import Player, Tournament, headers, pair
    >>> event = Tournament(name="Open", length=1, site="Assen")
    >>> event = event.enter(Player("10023", "Jansen, J.", 1450), Player("10077", "Sow, A.", 1390))
    >>> event = event.add(pair(event))
    >>> headers(event, 1, 1)["White"], headers(event, 1, 1)["BlackFmjdId"]
    ('Jansen, J.', '10077')
    """
    pairing = tournament.pairing(round, board)
    checks.integer(f"round {round}, board {board}, game", game, 1, tournament.games)
    white, black, _ = list(pairing.games())[game - 1]
    tags = {
        "Event": tournament.name,
        "Site": tournament.site or "?",
        "Date": day.strftime("%Y.%m.%d") if day else "????.??.??",
        "Round": f"{round}.{game}" if tournament.games > 1 else str(round),
        "Board": str(board),
    }
    for side, player in (("White", white), ("Black", black)):
        entry = tournament.player(player)
        tags[side] = entry.name
        if entry.has_fmjd_id:
            tags[f"{side}FmjdId"] = entry.id
        if entry.rating:
            tags[f"{side}Rating"] = str(entry.rating)
        if entry.title:
            tags[f"{side}Title"] = entry.title
    return tags
