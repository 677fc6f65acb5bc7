"""Operations of the public API, by method and path: scopes of tokens, bodies, responses.

A route below `/api/` that is not in this table accepts no tokens, and a test fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from damka.live import requests
from damka.live.pdn_files import MEDIA_TYPE as PDN
from damka.server.chat.requests import Post
from damka.server.events import messages as events
from damka.server.game_session import GameMessage
from damka.server.lobby.requests import NewChallenge, Seeking
from damka.server.openapi import answers
from damka.server.openapi.operation import ANY_SCOPE, Content, Operation
from damka.server.programs import messages as lines
from damka.server.programs.acts import SHORTCUTS

__all__ = ["OPERATIONS", "scope_of"]

JSON_LINES: Final = "application/x-ndjson"
_PAGES: Final = "Made for the page, and for people: tokens are not taken."


def _acts(summary: str, description: str, body: Content) -> Operation:
    """Return an operation that acts in a running game."""
    return Operation(
        summary=summary,
        description=description,
        tag="playing",
        scope="play",
        open=True,
        body=(body,),
        answers={200: (Content(lines.Acted),)},
        problems=(400, 403, 404, 409, 422),
    )


OPERATIONS: Final[Mapping[tuple[str, str], Operation]] = {
    ("GET", "/livez"): Operation(
        summary="Is the process alive?",
        tag="server",
        open=True,
        answers={200: (Content(answers.Health),)},
    ),
    ("GET", "/readyz"): Operation(
        summary="Can games be played?",
        description="As `/healthz`, and there is room for more live connections.",
        tag="server",
        open=True,
        answers={200: (Content(answers.Health),)},
        problems=(503,),
    ),
    ("GET", "/healthz"): Operation(
        summary="Can games be kept?",
        description="A row was just written to the database.",
        tag="server",
        open=True,
        answers={200: (Content(answers.Health),)},
        problems=(503,),
    ),
    ("GET", "/metrics"): Operation(
        summary="Metrics for Prometheus",
        description="To programs on the same machine alone.",
        tag="server",
        open=True,
        answers={200: (Content(media_type="text/plain"),)},
        problems=(403,),
    ),
    ("GET", "/api/events"): Operation(
        summary="List the events",
        description="Those that run or come, then the latest that are over.",
        tag="events",
        scope=ANY_SCOPE,
        open=True,
        answers={200: (Content(list[events.ListedEvent]),)},
    ),
    ("GET", "/api/events/{event_id}"): Operation(
        summary="How does an event stand?",
        description="A player is told which game is to be played.",
        tag="events",
        scope=ANY_SCOPE,
        open=True,
        query=events.EventQuery,
        answers={200: (Content(events.EventAnswer),)},
        problems=(404,),
    ),
    ("GET", "/api/rules"): Operation(
        summary="List the rule sets",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        answers={200: (Content(list[answers.RuleSet]),)},
    ),
    ("GET", "/api/box"): Operation(
        summary="What do the answers of a rule sheet mean?",
        description="Made for the page *My box*: pieces of that page, which may change.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        answers={200: (Content(dict),)},
        problems=(404, 422, 429),
    ),
    ("POST", "/api/games"): Operation(
        summary="Begin a game",
        description='Against the computer, or with `"opponent": "invite"` a game with an open '
        "seat, which somebody else takes. Its code is in the `invitation` of the live state.",
        tag="games",
        scope="challenge",
        open=True,
        body=(
            Content(
                requests.NewGame,
                example={
                    "rules": "dama64",
                    "opponent": "invite",
                    "colour": "lot",
                    "clock": {"kind": "fischer", "seconds": 300, "increment": 3},
                },
            ),
        ),
        answers={201: (Content(answers.GameMade),)},
        problems=(400, 403, 404, 413, 422),
    ),
    ("POST", "/api/games/load"): Operation(
        summary="Go on with a game from a file",
        description="A game file, or PDN. Of a file with several games the list is given, unless "
        "`game` says which. With `rules`, the name of the rule set that was chosen, a game that "
        "names none is read by it; for one that names others `read_as` decides, or a choice is "
        "given. With `partial` a game that is wrong is loaded up to the fault. `after` and `find` "
        "ask for a list: of the games after a number, of those with some words.",
        tag="games",
        scope="challenge",
        open=True,
        query=requests.LoadOptions,
        body=(Content(dict), Content(media_type=PDN)),
        answers={200: (Content(answers.ListedGames),), 201: (Content(answers.GameMade),)},
        problems=(400, 403, 404, 413, 422),
    ),
    ("POST", "/api/games/{game_id}/rematch"): Operation(
        summary="Ask for a rematch, or accept it",
        description="Against the computer it begins at once. Between two players the first to "
        "ask has offered it (202), and the other one accepts (201).",
        tag="games",
        scope="challenge",
        open=True,
        answers={201: (Content(answers.GameMade),), 202: (Content(answers.Offered),)},
        problems=(403, 404, 409),
    ),
    ("GET", "/api/games/{game_id}/file"): Operation(
        summary="The game as a game file",
        description="`damka.Game.from_json` reads it, with everything that has happened.",
        tag="games",
        scope="read",
        open=True,
        answers={200: (Content(dict),)},
        problems=(404, 422),
    ),
    ("GET", "/api/games/{game_id}/pdn"): Operation(
        summary="The game in Portable Draughts Notation",
        tag="games",
        scope="read",
        open=True,
        answers={200: (Content(media_type=PDN),)},
        problems=(404, 422),
    ),
    ("POST", "/api/games/{game_id}/join"): Operation(
        summary="Take the open seat of a game",
        description="Of two that ask at once, one has it.",
        tag="games",
        scope="challenge",
        open=True,
        body=(Content(requests.Join, example={"name": "Kati"}),),
        answers={200: (Content(answers.Told),)},
        problems=(400, 403, 404, 409, 422),
    ),
    ("POST", "/api/games/{game_id}/computer"): Operation(
        summary="Let the computer take the open seat of your game",
        tag="games",
        scope="challenge",
        open=True,
        body=(Content(requests.SeatComputer, example={"level": 3}),),
        answers={200: (Content(answers.Told),)},
        problems=(400, 403, 404, 409, 422),
    ),
    ("POST", "/api/games/{game_id}/invite"): Operation(
        summary="Free one side of a game at one screen",
        tag="games",
        scope="challenge",
        open=True,
        body=(Content(requests.Invite, example={"side": "B"}),),
        answers={200: (Content(answers.Told),)},
        problems=(400, 403, 404, 409, 422),
    ),
    ("POST", "/api/games/{game_id}/cancel"): Operation(
        summary="Invite nobody any more",
        tag="games",
        scope="challenge",
        open=True,
        answers={200: (Content(answers.Told),)},
        problems=(403, 404, 409),
    ),
    ("GET", "/api/account"): Operation(
        summary="For whom is the token?",
        tag="account",
        scope=ANY_SCOPE,
        answers={200: (Content(answers.AccountAnswer),)},
    ),
    ("GET", "/api/account/games"): Operation(
        summary="List your games that are not over",
        tag="account",
        scope="read",
        answers={200: (Content(list[lines.Summary]),)},
    ),
    ("POST", "/api/account/bot"): Operation(
        summary="Make the account a bot",
        description="There is no way back. Seats that a bot takes say so.",
        tag="account",
        scope="bot",
        answers={200: (Content(answers.BotAnswer),)},
        problems=(403,),
    ),
    ("GET", "/api/stream/events"): Operation(
        summary="Read what concerns you, as it happens",
        description="JSON lines: first your running games, then challenges, games that begin and "
        "games that are over, with result and reason. An empty line comes every seven seconds.",
        tag="streams",
        scope="read",
        answers={200: (Content(lines.EventLine, JSON_LINES),)},
        problems=(429,),
    ),
    ("GET", "/api/games/{game_id}/stream"): Operation(
        summary="Read a game, as it goes on",
        description="JSON lines: the game, then each state, until it is over or the "
        "server is restarted. "
        "While a player reads it, the player counts as present.",
        tag="streams",
        scope="read",
        open=True,
        answers={200: (Content(lines.StreamLine, JSON_LINES),)},
        problems=(404, 429),
    ),
    ("GET", "/api/games/{game_id}"): Operation(
        summary="How does a game stand?",
        tag="games",
        scope="read",
        open=True,
        answers={200: (Content(lines.GameLine),)},
        problems=(404,),
    ),
    ("GET", "/api/invitations/{code}"): Operation(
        summary="What does a code invite to?",
        tag="games",
        scope="challenge",
        open=True,
        answers={200: (Content(answers.InvitationAnswer),)},
        problems=(404, 429),
    ),
    ("POST", "/api/games/{game_id}/offer/{name}"): Operation(
        summary="Offer the open seat of your game to a member",
        description="The member's programs read a `challenge`; a join accepts it.",
        tag="games",
        scope="challenge",
        answers={202: (Content(answers.Offered),)},
        problems=(403, 404, 409),
    ),
    ("POST", "/api/games/{game_id}/decline"): Operation(
        summary="Decline a game that was offered to you",
        tag="games",
        scope="challenge",
        answers={200: (Content(answers.DeclinedAnswer),)},
        problems=(404, 409),
    ),
    ("POST", "/api/games/{game_id}/act"): _acts(
        "Send a message of the live protocol",
        "One of those that change a game, as a page sends them on its live connection.",
        Content(GameMessage, example={"t": "move", "ply": 0, "move": "22-18"}),
    ),
    **{
        ("POST", f"/api/games/{{game_id}}/{name}"): _acts(
            each.summary,
            each.description,
            Content(each.body, example=dict(each.example), optional=each.optional),
        )
        for name, each in SHORTCUTS.items()
    },
    ("POST", "/api/analysis"): Operation(
        summary="What does the engine think of a position?",
        description="Never while you play a game between people with these rules, unless you are "
        "a bot; and never about the position of a running game between others.",
        tag="analysis",
        scope="analysis",
        body=(
            Content(
                lines.AnalysisRequest,
                example={"rules": "dama64", "moves": ["22-18"], "seconds": 0.5, "lines": 2},
            ),
        ),
        answers={200: (Content(lines.AnalysisAnswer),)},
        problems=(400, 403, 404, 413, 422, 503),
    ),
    ("GET", "/api/tablebase"): Operation(
        summary="What do the endgame tables say of a position?",
        description="Of positions of shipped rule sets for which the server has tables.",
        tag="analysis",
        scope="analysis",
        query=lines.TableQuery,
        answers={200: (Content(lines.TableAnswer),)},
        problems=(403, 404, 422, 503),
    ),
    ("GET", "/api/members/{name}/games"): Operation(
        summary="The games of a member, as one file",
        description="Written game by game: any number of games. Of others those that the profile "
        "shows, of your own all that are over.",
        tag="games",
        scope="read",
        open=True,
        query=lines.ExportQuery,
        answers={200: (Content(media_type=PDN), Content(lines.GameRecord, JSON_LINES))},
        problems=(404, 422, 429),
    ),
    ("GET", "/api/lobby"): Operation(
        summary="List the open challenges",
        tag="games",
        scope="challenge",
        open=True,
        answers={200: (Content(list[lines.OpenChallenge]),)},
    ),
    ("POST", "/api/lobby"): Operation(
        summary="Make a challenge that anybody may accept",
        description="It is open as long as you read `/api/stream/events` or have the lobby open.",
        tag="games",
        scope="challenge",
        open=True,
        body=(Content(NewChallenge, example={"rules": "dama64", "rated": False}),),
        answers={201: (Content(answers.Seek),)},
        problems=(400, 403, 404, 409, 422, 429),
    ),
    ("POST", "/api/lobby/pool"): Operation(
        summary="Wait until an opponent is found",
        description="As long as you read `/api/stream/events` or have the lobby open.",
        tag="games",
        scope="challenge",
        open=True,
        body=(
            Content(
                Seeking,
                example={
                    "rules": "dama64",
                    "clock": {"kind": "fischer", "seconds": 180, "increment": 2},
                },
            ),
        ),
        answers={201: (Content(answers.Seek),)},
        problems=(400, 403, 404, 409, 422, 429),
    ),
    ("POST", "/api/lobby/{seek_id}/accept"): Operation(
        summary="Accept a challenge: the game begins",
        tag="games",
        scope="challenge",
        open=True,
        answers={200: (Content(answers.Accepted),)},
        problems=(403, 409),
    ),
    ("POST", "/api/lobby/{seek_id}/cancel"): Operation(
        summary="Take your challenge back, or wait no more",
        tag="games",
        scope="challenge",
        open=True,
        answers={200: (Content(answers.Seek),)},
        problems=(409,),
    ),
    ("GET", "/api/games/{game_id}/chat"): Operation(
        summary="What was said at a game",
        description=_PAGES,
        tag="games",
        open=True,
        answers={200: (Content(dict),)},
        problems=(404, 409),
    ),
    ("POST", "/api/games/{game_id}/chat"): Operation(
        summary="Say something at a game",
        description=_PAGES,
        tag="games",
        open=True,
        body=(Content(Post, example={"room": "players", "preset": "hello"}),),
        answers={201: (Content(dict),)},
        problems=(400, 403, 404, 409, 422, 429),
    ),
    ("GET", "/api/games/{game_id}/person"): Operation(
        summary="Who is the opponent, or who has written?",
        description=_PAGES,
        tag="games",
        open=True,
        answers={200: (Content(dict),)},
        problems=(404, 422),
    ),
    ("POST", "/api/games/{game_id}/person/block"): Operation(
        summary="Block somebody",
        description=_PAGES,
        tag="games",
        body=(Content(dict, example={"on": True}),),
        answers={200: (Content(dict),)},
        problems=(400, 401, 403, 404, 422),
    ),
    ("POST", "/api/games/{game_id}/person/report"): Operation(
        summary="Report a game",
        description=_PAGES,
        tag="games",
        body=(Content(dict, example={"reason": "stalling"}),),
        answers={201: (Content(dict),)},
        problems=(400, 401, 403, 404, 409, 422),
    ),
    ("GET", "/api/events/{event_id}/games"): Operation(
        summary="The games of an event, as one file",
        description="Those that are over, by round and board, written game by game.",
        tag="events",
        scope="read",
        open=True,
        query=lines.EventExportQuery,
        answers={200: (Content(media_type=PDN), Content(lines.GameRecord, JSON_LINES))},
        problems=(404, 422, 429),
    ),
}


_DESCRIPTIONS: Final = frozenset({"/openapi.json", "/asyncapi.json", "/api", "/api/live"})


def scope_of(method: str, path: str) -> tuple[bool, str | None]:
    """Return whether a route accepts tokens, and the scope that they need: None for any."""
    if path in _DESCRIPTIONS:
        return True, None
    operation = OPERATIONS.get(("GET" if method == "HEAD" else method, path))
    if operation is None or operation.scope is None:
        return False, None
    return True, None if operation.scope == ANY_SCOPE else operation.scope
