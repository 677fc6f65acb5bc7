"""Servers, visitors and games for the pictures."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, Self

from tests.server.accounts.support import ROOMY, fast_password_hashes, register
from tests.server.events.support import act, create_event, event_data, join, wait_for
from tests.server.finished import Past
from tests.server.lobby.support import Guests
from tests.server.online import play
from tests.server.support import Browser as Visitor
from tests.server.support import Live, Server, serving

from tools.screenshots import games

NAMES: Final = ("Ana", "Bruno", "Цветана", "Dina", "Emil", "Žofia", "Gino", "Hana")
BLITZ: Final = {"kind": "fischer", "seconds": 300, "increment": 3}
DAYS: Final = {"kind": "days", "seconds": 86_400 * 3, "increment": 0}
LEVEL: Final = 4


class Scene:
    """Two servers with their visitors: a club with games and events, and an empty one.

    Games and events are created when a picture first needs them, always in the same way.
    `wrap` puts an ASGI app around that of each server.
    """

    def __init__(self, wrap: Callable[[Any], Any] | None = None) -> None:
        self._open = ExitStack()
        self._wrap = wrap

    def __enter__(self) -> Self:
        self._open.enter_context(fast_password_hashes())
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @cached_property
    def club(self) -> Server:
        """Server with members, challenges and events."""
        return self._server()

    @cached_property
    def empty(self) -> Server:
        """Server without visitors and games."""
        return self._server()

    def _server(self) -> Server:
        folder = Path(self._open.enter_context(tempfile.TemporaryDirectory()))
        return self._open.enter_context(serving(folder, limits=ROOMY, wrap=self._wrap))

    def visitor(self, server: Server | None = None) -> Visitor:
        """Return a visitor without cookies."""
        return self._open.enter_context(Visitor((server or self.club).url))

    @cached_property
    def guest(self) -> Visitor:
        """A guest without games."""
        return self.visitor()

    @cached_property
    def player(self) -> Visitor:
        """A guest with three running games: against the computer, a friend, at this screen."""
        player = self.visitor()
        self.online_game(player, games.OPENING)
        player.load_game(games.played("dama100", "32-28 19-23 28x19 14x23"))
        player.load_game(
            games.played("american", games.DRAWN, unplayed=73),
            opponent="computer",
            level=LEVEL,
            side="B",
        )
        return player

    @cached_property
    def regular(self) -> Visitor:
        """A guest with running games, one of them named, and results against three levels."""
        regular = self.visitor()
        self.online_game(regular, games.OPENING)
        game = regular.load_game(games.played("dama100", "32-28 19-23 28x19 14x23"))
        title = {"title": "Sunday game with grandfather, second round"}
        regular.post(f"/api/games/{game}/listing", title).raise_for_status()
        past = Past(self.club, regular)
        for number in range(14):
            rules = ("dama64", "american", "dama100")[number % 3]
            past.add(1 + number % 3, ("W", "B", None)[number % 5 % 3], rules, minute=number)
        return regular

    def online_game(
        self, player: Visitor, moves: str = "", **options: Any
    ) -> tuple[str, Live, Live]:
        """Start a game of a player against a guest; return its id and both connections."""
        guest = self.visitor()
        options = {"opponent": "invite", "names": ["Ana", ""], "clock": None, **options}
        game = player.new_game(**options)
        guest.post(f"/api/games/{game}/join", {"name": "Bruno"}).raise_for_status()
        mine, theirs = player.live(game), guest.live(game)
        mine.state()
        theirs.state()
        play(mine, theirs, " ".join(games.messages("dama64", moves)))
        return game, mine, theirs

    @cached_property
    def member(self) -> Visitor:
        """A member with ratings and finished games; opponents are members, too."""
        member = self.visitor()
        register(member, "Petra")
        rivals = [self.visitor() for _ in range(2)]
        for rival, name in zip(rivals, ("Lorenzo", "Konstantina"), strict=True):
            register(rival, name)
        for number in range(6):
            rival = rivals[number % 2]
            rules = ("dama64", "american", "dama64")[number % 3]
            game = member.new_game(rules=rules, opponent="invite", clock=BLITZ, rated=True)
            rival.post(f"/api/games/{game}/join", {}).raise_for_status()
            sides = member.live(game), rival.live(game)
            for side in sides:
                side.state()
            random_moves(*sides, plies=6, seed=number)
            sides[number % 3 == 1].send("resign")
            for side in sides:
                side.state(lambda state: state["result"] is not None)
                side.close()
        return member

    @cached_property
    def study(self) -> str:
        """Id of the member's latest study: two chapters; there is an older one, too."""
        chapters = [
            {"title": title, "pdn": pdn}
            for title, pdn in (("Ana – Bruno", games.COMMENTED), ("Endgame", games.ENDGAME))
        ]
        for title in ("Shots in the opening", "Lessons with grandfather"):
            answer = self.member.post("/api/studies", {"title": title, "chapters": chapters})
            answer.raise_for_status()
        study: str = answer.json()["id"]
        return study

    @cached_property
    def newcomer(self) -> Visitor:
        """A member without games, called Ilona."""
        newcomer = self.visitor()
        register(newcomer, "Ilona")
        return newcomer

    @cached_property
    def challenges(self) -> int:
        """Number of open challenges in the club's lobby."""
        challengers = [self.visitor() for _ in range(3)]
        register(challengers[0], "Wolfeschlegelstein")
        for challenger, options in zip(
            challengers,
            (
                {"rules": "american-3move", "clock": DAYS, "rated": False},
                {"rules": "dama64", "clock": BLITZ, "colour": "second"},
                {"rules": "mini-international", "clock": BLITZ},
            ),
            strict=True,
        ):
            challenger.post("/api/lobby", options).raise_for_status()
            # A challenge expires unless its page is open.
            Guests(self.club, self._open).watch(challenger)
        return len(challengers)

    @cached_property
    def event(self) -> str:
        """Path of a running event in its first round; an ended and a coming one are listed, too."""
        arbiter = self.visitor()
        coming = create_event(arbiter, self.club, name="Spring cup", rules="dama100", rounds=5)
        with self.visitor() as guest:
            join(guest, coming, "Ana")
        ended = create_event(arbiter, self.club, name="Autumn cup", play="hand", rounds=1)
        for name in NAMES[:2]:
            act(arbiter, ended, "add", name=name)
        for action in ("start", "pair", "begin"):
            act(arbiter, ended, action)
        act(arbiter, ended, "settle", round=1, board=1, before="", after="1-0")
        event = create_event(arbiter, self.club, name="Club evening", clock="none", rounds=3)
        players = {name: self.visitor() for name in NAMES[:6]}
        for name, player in players.items():
            join(player, event, name)
        for action in ("start", "pair", "begin"):
            act(arbiter, event, action)
        boards: dict[str, list[Visitor]] = {}
        for player in players.values():
            me = wait_for(partial(event_data, player, event), lambda data: data["me"]["game"])["me"]
            boards.setdefault(me["game"], []).append(player)
        for number, (path, opponents) in enumerate(sorted(boards.items())):
            sides = [player.live(path.rpartition("/")[2]) for player in opponents]
            for side in sides:
                side.state()
            random_moves(*sides, plies=10, seed=number)
        return event


def random_moves(first: Live, second: Live, *, plies: int, seed: int) -> None:
    """Play random moves, the same for the same seed."""
    choice = random.Random(seed)
    for _ in range(plies):
        legal = (first if first.current["turn"] in first.current["you"] else second).current
        if not legal["legal"]:
            break
        play(first, second, choice.choice(legal["legal"])["hub"])
