"""Every operation of the public API, by method and path: scopes of tokens, bodies, answers.

A route below `/api/` that is not in this table takes no tokens, and a test fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from damka.live import requests
from damka.live.pdn_files import MEDIA_TYPE as PDN
from damka.server.openapi import answers
from damka.server.openapi.operation import ANY_SCOPE, Content, Operation

__all__ = ["OPERATIONS", "scope_of"]

_GAME: Final = "The game's id is the last part of its address."

OPERATIONS: Final[Mapping[tuple[str, str], Operation]] = {
    ("GET", "/livez"): Operation(
        summary="Is the process alive?",
        tag="server",
        open=True,
        answers={200: (Content(answers.Health),)},
    ),
    ("GET", "/readyz"): Operation(
        summary="Can games be played?",
        description="A row was just written to the database.",
        tag="server",
        open=True,
        answers={200: (Content(answers.Health),)},
        problems=(503,),
    ),
    ("GET", "/healthz"): Operation(
        summary="The same as `/readyz`",
        tag="server",
        open=True,
        answers={200: (Content(answers.Health),)},
        problems=(503,),
    ),
    ("GET", "/api/rules"): Operation(
        summary="List the rule sets",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        answers={200: (Content(list[answers.RuleSet]),)},
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
        "`game` says which.",
        tag="games",
        scope="challenge",
        open=True,
        query=requests.LoadOptions,
        body=(Content(dict), Content(media_type=PDN)),
        answers={200: (Content(answers.ListedGames),), 201: (Content(answers.GameMade),)},
        problems=(400, 403, 413, 422),
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
}


def scope_of(method: str, path: str) -> tuple[bool, str | None]:
    """Tell whether tokens are taken for a route, and which scope they need: None for any."""
    operation = OPERATIONS.get(("GET" if method == "HEAD" else method, path))
    if operation is None or operation.scope is None:
        return False, None
    return True, None if operation.scope == ANY_SCOPE else operation.scope
