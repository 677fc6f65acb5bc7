"""Player ids of an event in files for federations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from damka.tournament import Bye, Pairing, Round, Tournament

if TYPE_CHECKING:
    from damka.server.events.values import EventState

__all__ = ["with_fmjd_ids"]


def with_fmjd_ids(state: EventState, tournament: Tournament) -> Tournament:
    """Replace the ids of the players by their FMJD ids.

    A player without one gets "n" and the pairing number, as when reading a TRF. Files leave that id
    out: other programs would mistake the event's own number for a federation's.
    """
    fmjd = {each.id: each.fmjd for each in state.entrants}
    ids = {
        each.id: fmjd.get(each.id) or f"n{number}"
        for number, each in enumerate(tournament.players, 1)
    }

    def player(name: str) -> str:
        return ids[name]

    return replace(
        tournament,
        players=tuple(replace(each, id=player(each.id)) for each in tournament.players),
        withdrawn=tuple(map(player, tournament.withdrawn)),
        requested_byes=tuple(
            replace(each, player=player(each.player)) for each in tournament.requested_byes
        ),
        forbidden=tuple((player(one), player(other)) for one, other in tournament.forbidden),
        rounds=tuple(
            Round(
                tuple(Pairing(player(p.white), player(p.black), p.outcomes) for p in each.pairings),
                tuple(Bye(player(bye.player), bye.kind) for bye in each.byes),
                each.remarks,
            )
            for each in tournament.rounds
        ),
    )
