"""Operations of the public API, by method and path: scopes of tokens, bodies, responses.

A route below `/api/` that is not in this table accepts no tokens, and a test fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from damka.live import lessons, pasted, requests, studies
from damka.live.lines import LineRequest
from damka.live.own_games import Listing
from damka.live.pdn_files import MEDIA_TYPE as PDN
from damka.live.reviews import JudgeRequest, StepsRequest
from damka.live.saving import SVG
from damka.live.trees import Tree
from damka.server.analysis import messages as analysis
from damka.server.chat.requests import Post
from damka.server.events import messages as events
from damka.server.game_session import GameMessage
from damka.server.lobby.requests import NewChallenge, Seeking
from damka.server.openapi import responses
from damka.server.openapi.operation import ANY_SCOPE, Content, Operation
from damka.server.programs import messages as lines
from damka.server.programs.shortcuts import SHORTCUTS

__all__ = ["OPERATIONS", "scope_of"]

JSON_LINES: Final = "application/x-ndjson"
_PAGES: Final = "For the page only: tokens are not accepted."


def _game_action(summary: str, description: str, body: Content) -> Operation:
    """Return an operation that acts in a running game."""
    return Operation(
        summary=summary,
        description=description,
        tag="playing",
        scope="play",
        open=True,
        body=(body,),
        responses={200: (Content(lines.ActionResult),)},
        problems=(400, 403, 404, 409, 422),
    )


OPERATIONS: Final[Mapping[tuple[str, str], Operation]] = {
    ("GET", "/livez"): Operation(
        summary="Liveness check",
        tag="server",
        open=True,
        responses={200: (Content(responses.Health),)},
    ),
    ("GET", "/readyz"): Operation(
        summary="Readiness check",
        description="Like `/healthz`, and also checks for room for more live connections.",
        tag="server",
        open=True,
        responses={200: (Content(responses.Health),)},
        problems=(503,),
    ),
    ("GET", "/healthz"): Operation(
        summary="Health check",
        description="Checks that the server can write to its database.",
        tag="server",
        open=True,
        responses={200: (Content(responses.Health),)},
        problems=(503,),
    ),
    ("GET", "/metrics"): Operation(
        summary="Prometheus metrics",
        description="Served to programs on the same machine only.",
        tag="server",
        open=True,
        responses={200: (Content(media_type="text/plain"),)},
        problems=(403,),
    ),
    ("GET", "/api/events"): Operation(
        summary="List tournaments",
        description="Running and upcoming tournaments, then the latest finished ones.",
        tag="events",
        scope=ANY_SCOPE,
        open=True,
        responses={200: (Content(list[events.ListedEvent]),)},
    ),
    ("GET", "/api/events/{event_id}"): Operation(
        summary="Get a tournament",
        description="For a player, the response includes the current game.",
        tag="events",
        scope=ANY_SCOPE,
        open=True,
        query=events.EventQuery,
        responses={200: (Content(events.EventAnswer),)},
        problems=(404,),
    ),
    ("GET", "/api/rules"): Operation(
        summary="List rule sets",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        responses={200: (Content(list[responses.RuleSet]),)},
    ),
    ("GET", "/api/box"): Operation(
        summary="Preview house rules",
        description="For the page *My house rules*: parts of that page, whose format may change.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        responses={200: (Content(dict),)},
        problems=(404, 422, 429),
    ),
    ("GET", "/api/position"): Operation(
        summary="Check a position",
        description="Whether a game by the rule set `base` can start from the position `fen`: a "
        "`problem` with its `squares`, and a sentence about it.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        responses={200: (Content(responses.PositionAnswer),)},
        problems=(400, 404, 422, 429),
    ),
    ("POST", "/api/position"): Operation(
        summary="Read a position",
        description="The body is PDN with a game or a FEN, or a game file. The response has the "
        "last position of the game as `fen`, the first as `start`, the number of `plies`, and the "
        "page's `path`. A text of several games, or of other rules than the rule set `base`, gets "
        "the response of `/api/games/load`.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        query=pasted.ReadOptions,
        body=(Content(dict), Content(media_type=PDN)),
        responses={200: (Content(dict),)},
        problems=(400, 403, 404, 413, 422),
    ),
    ("POST", "/api/line"): Operation(
        summary="Describe a line of moves",
        description="The positions after the moves of a line from a position, by the rule set "
        "`base`, and the moves that are possible then, with a sentence about the last position. A "
        "move is the `hub` of a possible move; `(23)` before it huffs the piece on 23. For clicked "
        "squares or a typed move that are not possible, the response explains why.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        body=(Content(LineRequest, example={"moves": ["22-18", "11-15"]}),),
        responses={200: (Content(responses.LineAnswer),)},
        problems=(400, 403, 404, 413, 422),
    ),
    ("GET", "/api/lesson"): Operation(
        summary="Get a level of a course",
        description="A level of the lessons for the rule set `base`: the rule, the task, the "
        "position and the moves to choose from, without the solutions.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        query=lessons.LevelRequest,
        responses={200: (Content(responses.LessonLevel),)},
        problems=(400, 404, 422, 429),
    ),
    ("GET", "/api/lesson/hint"): Operation(
        summary="Get a hint for a level",
        description="A hint for a level of the lessons for the rule set `base`, and the squares "
        "that it is about. `hint` is its number, from 1; `played` are the moves of a sequence so "
        "far, such as `27-23`.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        query=lessons.HintRequest,
        responses={200: (Content(responses.LessonHint),)},
        problems=(400, 404, 422, 429),
    ),
    ("POST", "/api/lesson/answer"): Operation(
        summary="Answer a level of a course",
        description="The verdict on an answer: a number, chosen squares, or the squares of a "
        "move. `frames` are what happens on the board then. Nothing is stored.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        body=(
            Content(lessons.AnswerRequest, example={"level": "capture.jump", "answer": [14, 5]}),
        ),
        responses={200: (Content(responses.LessonVerdict),)},
        problems=(400, 403, 404, 413, 422),
    ),
    ("POST", "/api/tree"): Operation(
        summary="Read a game with variations",
        description="The body is PDN with a game or a FEN, or a game file. The response has the "
        "game as a `tree` of nodes with their variations, comments, glyphs and marks, and the "
        "page's `path`. A text of several games, or of other rules than the rule set `base`, gets "
        "the response of `/api/games/load`.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        query=pasted.ReadOptions,
        body=(Content(dict), Content(media_type=PDN)),
        responses={200: (Content(dict),)},
        problems=(400, 403, 404, 413, 422),
    ),
    ("POST", "/api/tree/pdn"): Operation(
        summary="Write a game with variations as PDN",
        description="The body is a tree of nodes. The `key` of a move is its `hub`, after a huff "
        "`(23)` and the `hub`.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        body=(Content(Tree, example={"nodes": [{"children": [1]}, {"key": "22-18"}]}),),
        responses={200: (Content(responses.TreePdn),)},
        problems=(400, 403, 404, 413, 422),
    ),
    ("GET", "/api/games/{game_id}/tree"): Operation(
        summary="Get a game as a tree",
        description="As `/api/tree` returns it. Rated games and tournament games only once they "
        "are over.",
        tag="games",
        scope="read",
        open=True,
        responses={200: (Content(dict),)},
        problems=(404, 409, 422, 429),
    ),
    ("POST", "/api/review/steps"): Operation(
        summary="Review a game by own searches",
        description="The review of a game by the evaluations so far, and the searches to do "
        "`next`: send their evaluations, with all earlier ones, in the next request, until there "
        "are none. Nothing is stored.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        body=(
            Content(
                StepsRequest,
                example={"game": {"rules": "american", "moves": ["11-15", "22-18"]}},
            ),
        ),
        responses={200: (Content(dict),)},
        problems=(400, 403, 404, 413, 422),
    ),
    ("POST", "/api/review/judge"): Operation(
        summary="Judge a move by own searches",
        description="Whether a move is about as good as the best one, in place of move number "
        "`ply` + 1 of a game. The response has the `verdict`, or the `next` search: send its "
        "evaluation, with the earlier ones, in the next request.",
        tag="rules",
        scope=ANY_SCOPE,
        open=True,
        body=(
            Content(
                JudgeRequest,
                example={
                    "game": {"rules": "american", "moves": ["11-15"]},
                    "ply": 0,
                    "move": "11-16",
                },
            ),
        ),
        responses={200: (Content(dict),)},
        problems=(400, 403, 404, 413, 422),
    ),
    ("POST", "/api/games"): Operation(
        summary="Start a game",
        description='Against the computer, or with `"opponent": "invite"` a game with an open seat '
        "for an opponent. The invitation code is in the `invitation` of the live state.",
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
        responses={201: (Content(responses.CreatedGame),)},
        problems=(400, 403, 404, 413, 422),
    ),
    ("POST", "/api/games/load"): Operation(
        summary="Load a game from a file",
        description="The body is a game file or PDN. For a file with several games the response "
        "is a list, unless `game` selects one. A game that names no rules is read by the rule "
        "set in `rules`. If it names other rules, `read_as` selects between them; without it the "
        "response asks for a choice. With `partial` a game with an error is loaded up to the "
        "error. `after` and `find` request a list: the games after a number, or those whose tags "
        "match.",
        tag="games",
        scope="challenge",
        open=True,
        query=requests.LoadOptions,
        body=(Content(dict), Content(media_type=PDN)),
        responses={200: (Content(responses.ListedGames),), 201: (Content(responses.CreatedGame),)},
        problems=(400, 403, 404, 413, 422),
    ),
    ("POST", "/api/games/{game_id}/rematch"): Operation(
        summary="Offer or accept a rematch",
        description="Against the computer the rematch starts immediately. Between two players the "
        "first request is an offer (202) and the opponent's request accepts it (201). With a "
        "`level` it starts another game against the computer at that level.",
        tag="games",
        scope="challenge",
        open=True,
        body=(Content(requests.RematchOptions, optional=True),),
        responses={201: (Content(responses.CreatedGame),), 202: (Content(responses.OfferAnswer),)},
        problems=(400, 403, 404, 409, 422),
    ),
    ("GET", "/api/games/{game_id}/file"): Operation(
        summary="Get the game file",
        description="The complete game, as read by `damka.Game.from_json`.",
        tag="games",
        scope="read",
        open=True,
        responses={200: (Content(dict),)},
        problems=(404, 422),
    ),
    ("GET", "/api/games/{game_id}/pdn"): Operation(
        summary="Get the game as PDN",
        tag="games",
        scope="read",
        open=True,
        responses={200: (Content(media_type=PDN),)},
        problems=(404, 422),
    ),
    ("GET", "/api/games/{game_id}/picture.svg"): Operation(
        summary="Get a picture of the position",
        tag="games",
        scope="read",
        open=True,
        query=requests.PictureOptions,
        responses={200: (Content(media_type=SVG),)},
        problems=(404, 422, 429),
    ),
    ("GET", "/api/games/{game_id}/picture.png"): Operation(
        summary="Get a picture of the position as PNG",
        description="404 if the server is installed without the `pictures` extra.",
        tag="games",
        scope="read",
        open=True,
        query=requests.PictureOptions,
        responses={200: (Content(media_type="image/png"),)},
        problems=(404, 422, 429),
    ),
    ("GET", "/api/games/{game_id}/replay.svg"): Operation(
        summary="Get the game as an animated picture",
        tag="games",
        scope="read",
        open=True,
        query=requests.PictureOptions,
        responses={200: (Content(media_type=SVG),)},
        problems=(404, 422, 429),
    ),
    ("POST", "/api/games/{game_id}/join"): Operation(
        summary="Join a game",
        description="Takes the open seat. If two requests compete, the first one wins.",
        tag="games",
        scope="challenge",
        open=True,
        body=(Content(requests.Join, example={"name": "Kati"}),),
        responses={200: (Content(responses.GameLink),)},
        problems=(400, 403, 404, 409, 422),
    ),
    ("POST", "/api/games/{game_id}/computer"): Operation(
        summary="Seat the computer in your game",
        tag="games",
        scope="challenge",
        open=True,
        body=(Content(requests.SeatComputer, example={"level": 3}),),
        responses={200: (Content(responses.GameLink),)},
        problems=(400, 403, 404, 409, 422),
    ),
    ("POST", "/api/games/{game_id}/invite"): Operation(
        summary="Open a side of a game on one screen to another device",
        tag="games",
        scope="challenge",
        open=True,
        body=(Content(requests.Invite, example={"side": "B"}),),
        responses={200: (Content(responses.GameLink),)},
        problems=(400, 403, 404, 409, 422),
    ),
    ("POST", "/api/games/{game_id}/cancel"): Operation(
        summary="Cancel the invitation",
        tag="games",
        scope="challenge",
        open=True,
        responses={200: (Content(responses.GameLink),)},
        problems=(403, 404, 409),
    ),
    ("GET", "/api/account"): Operation(
        summary="Get the account of the token",
        tag="account",
        scope=ANY_SCOPE,
        responses={200: (Content(responses.AccountAnswer),)},
    ),
    ("GET", "/api/account/games"): Operation(
        summary="List your games in progress",
        tag="account",
        scope="read",
        responses={200: (Content(list[lines.Summary]),)},
    ),
    ("POST", "/api/account/bot"): Operation(
        summary="Turn the account into a bot account",
        description="This cannot be undone. Games show that a bot plays.",
        tag="account",
        scope="bot",
        responses={200: (Content(responses.BotAnswer),)},
        problems=(403,),
    ),
    ("GET", "/api/stream/events"): Operation(
        summary="Stream your events",
        description="JSON lines: first your games in progress, then challenges, started games and "
        "finished games with result and reason. An empty line is sent every seven seconds.",
        tag="streams",
        scope="read",
        responses={200: (Content(lines.EventLine, JSON_LINES),)},
        problems=(429,),
    ),
    ("GET", "/api/games/{game_id}/stream"): Operation(
        summary="Stream a game",
        description="JSON lines: the game, then each state, until the game is over or the server "
        "restarts. A player counts as present while reading the stream.",
        tag="streams",
        scope="read",
        open=True,
        responses={200: (Content(lines.StreamLine, JSON_LINES),)},
        problems=(404, 429),
    ),
    ("GET", "/api/games/{game_id}"): Operation(
        summary="Get a game",
        tag="games",
        scope="read",
        open=True,
        responses={200: (Content(lines.GameLine),)},
        problems=(404,),
    ),
    ("GET", "/api/invitations/{code}"): Operation(
        summary="Get an invitation",
        tag="games",
        scope="challenge",
        open=True,
        responses={200: (Content(responses.InvitationAnswer),)},
        problems=(404, 429),
    ),
    ("POST", "/api/games/{game_id}/offer/{name}"): Operation(
        summary="Offer the open seat of your game to a member",
        description="The member's programs receive a `challenge`; joining accepts it.",
        tag="games",
        scope="challenge",
        responses={202: (Content(responses.OfferAnswer),)},
        problems=(403, 404, 409),
    ),
    ("POST", "/api/games/{game_id}/decline"): Operation(
        summary="Decline a game offered to you",
        tag="games",
        scope="challenge",
        responses={200: (Content(responses.DeclineAnswer),)},
        problems=(404, 409),
    ),
    ("POST", "/api/games/{game_id}/act"): _game_action(
        "Send a message of the live protocol",
        "A message that acts in a game, as a page sends it on its live connection.",
        Content(GameMessage, example={"t": "move", "ply": 0, "move": "22-18"}),
    ),
    **{
        ("POST", f"/api/games/{{game_id}}/{name}"): _game_action(
            each.summary,
            each.description,
            Content(each.body, example=dict(each.example), optional=each.optional),
        )
        for name, each in SHORTCUTS.items()
    },
    ("POST", "/api/analysis"): Operation(
        summary="Analyse a position",
        description="Not available while you play another person by these rules, unless you are a "
        "bot, nor for the position of a running game between others. With `stream` the response "
        "has a line after every depth, and the search ends with the connection. Each account and "
        "each address has a budget of positions per day.",
        tag="analysis",
        scope="analysis",
        open=True,
        query=analysis.RulesQuery,
        body=(
            Content(
                lines.AnalysisRequest,
                example={"rules": "dama64", "moves": ["22-18"], "seconds": 0.5, "lines": 2},
            ),
        ),
        responses={
            200: (Content(lines.AnalysisAnswer), Content(analysis.AnalysisStreamLine, JSON_LINES))
        },
        problems=(400, 403, 404, 413, 422, 429, 503),
    ),
    ("POST", "/api/review"): Operation(
        summary="Review a game",
        description="A finished game of this server, or the moves of another one. Each line with "
        "the review so far replaces the one before.",
        tag="analysis",
        scope="analysis",
        open=True,
        body=(
            Content(
                analysis.ReviewRequest,
                example={"game": {"rules": "dama64", "moves": ["22-18", "11-15"]}, "nodes": 1000},
            ),
        ),
        responses={200: (Content(analysis.ReviewStreamLine, JSON_LINES),)},
        problems=(400, 403, 404, 409, 413, 422, 429, 503),
    ),
    ("GET", "/api/tablebase"): Operation(
        summary="Look up a position in the endgame tablebases",
        description="For shipped rule sets, where the server has tables.",
        tag="analysis",
        scope="analysis",
        query=lines.TableQuery,
        responses={200: (Content(lines.TableAnswer),)},
        problems=(403, 404, 422, 503),
    ),
    ("GET", "/api/members/{name}/games"): Operation(
        summary="Export the games of a member",
        description="Streamed game by game, without a limit: your own finished games, or those "
        "that the member's profile shows.",
        tag="games",
        scope="read",
        open=True,
        query=lines.ExportQuery,
        responses={200: (Content(media_type=PDN), Content(lines.GameRecord, JSON_LINES))},
        problems=(404, 422, 429),
    ),
    ("GET", "/api/lobby"): Operation(
        summary="List open challenges",
        tag="games",
        scope="challenge",
        open=True,
        responses={200: (Content(list[lines.OpenChallenge]),)},
    ),
    ("POST", "/api/lobby"): Operation(
        summary="Create an open challenge",
        description="It stays open while you read `/api/stream/events` or have the lobby open.",
        tag="games",
        scope="challenge",
        open=True,
        body=(Content(NewChallenge, example={"rules": "dama64", "rated": False}),),
        responses={201: (Content(responses.Seek),)},
        problems=(400, 403, 404, 409, 422, 429),
    ),
    ("POST", "/api/lobby/pool"): Operation(
        summary="Find an opponent",
        description="The search lasts while you read `/api/stream/events` or have the lobby open.",
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
        responses={201: (Content(responses.Seek),)},
        problems=(400, 403, 404, 409, 422, 429),
    ),
    ("POST", "/api/lobby/{seek_id}/accept"): Operation(
        summary="Accept a challenge",
        tag="games",
        scope="challenge",
        open=True,
        responses={200: (Content(responses.AcceptedChallenge),)},
        problems=(403, 409),
    ),
    ("POST", "/api/lobby/{seek_id}/cancel"): Operation(
        summary="Cancel your challenge or leave the pool",
        tag="games",
        scope="challenge",
        open=True,
        responses={200: (Content(responses.Seek),)},
        problems=(409,),
    ),
    ("POST", "/api/games/{game_id}/listing"): Operation(
        summary="Rename or remove a game in your list",
        description=_PAGES,
        tag="games",
        open=True,
        body=(Content(Listing, example={"title": "My first win"}),),
        responses={200: (Content(Listing),)},
        problems=(400, 403, 404, 409, 413, 422, 429),
    ),
    ("GET", "/api/studies"): Operation(
        summary="List your studies",
        tag="studies",
        scope="read",
        responses={200: (Content(list[studies.ListedStudy]),)},
        problems=(401,),
    ),
    ("POST", "/api/studies"): Operation(
        summary="Create a study",
        description=_PAGES,
        tag="studies",
        body=(
            Content(
                studies.NewStudy,
                example={
                    "title": "Shots",
                    "chapters": [{"title": "A shot", "pdn": '[GameType "21"] 1. 11-15 *'}],
                },
            ),
        ),
        responses={201: (Content(studies.Study),)},
        problems=(400, 401, 403, 409, 413, 422, 429),
    ),
    ("POST", "/api/studies/read"): Operation(
        summary="Read a text as chapters",
        description="The body is PDN, or a position (FEN); a blank body is a game without moves. "
        "Games that name no rules are read by `base`. Nothing is stored.",
        tag="studies",
        open=True,
        query=studies.ReadOptions,
        body=(Content(media_type=PDN),),
        responses={200: (Content(studies.ReadChapters),)},
        problems=(400, 403, 404, 413, 422, 429),
    ),
    ("GET", "/api/studies/{study_id}"): Operation(
        summary="Get a study",
        description="Yours, or by the id of its link one that is shared with you.",
        tag="studies",
        scope="read",
        open=True,
        responses={200: (Content(studies.Study),)},
        problems=(404, 429),
    ),
    ("GET", "/api/studies/{study_id}/pdn"): Operation(
        summary="Export a study",
        description="Yours, or by the id of its link one that is shared with you. The tags "
        "`StudyName` and `ChapterName` have the titles.",
        tag="studies",
        scope="read",
        open=True,
        query=studies.ChapterOptions,
        responses={200: (Content(media_type=PDN),)},
        problems=(404, 429),
    ),
    ("POST", "/api/studies/{study_id}"): Operation(
        summary="Rename or remove a study, or reorder its chapters",
        description=f"A removed study can be restored for a day. {_PAGES}",
        tag="studies",
        body=(Content(studies.StudyChange, example={"title": "Shots"}),),
        responses={200: (Content(studies.Study),)},
        problems=(400, 401, 403, 404, 409, 413, 422, 429),
    ),
    ("POST", "/api/studies/{study_id}/share"): Operation(
        summary="Share a study by a link, or end the sharing",
        description=f"A new sharing has a new link. {_PAGES}",
        tag="studies",
        body=(Content(studies.Sharing, example={"shared": True}),),
        responses={200: (Content(studies.Study),)},
        problems=(400, 401, 403, 404, 422, 429),
    ),
    ("POST", "/api/studies/{study_id}/chapters"): Operation(
        summary="Add chapters to a study",
        description=_PAGES,
        tag="studies",
        body=(
            Content(studies.AddedChapters, example={"chapters": [{"pdn": '[GameType "21"] *'}]}),
        ),
        responses={201: (Content(studies.Study),)},
        problems=(400, 401, 403, 404, 409, 413, 422, 429),
    ),
    ("POST", "/api/studies/{study_id}/chapters/{chapter_id}"): Operation(
        summary="Change or delete a chapter",
        description="A new text replaces the text with the given `revision`; if that has changed "
        f"meanwhile, the response is 409. {_PAGES}",
        tag="studies",
        body=(Content(studies.ChapterChange, example={"title": "A shot"}),),
        responses={200: (Content(studies.Study),)},
        problems=(400, 401, 403, 404, 409, 413, 422, 429),
    ),
    ("GET", "/api/games/{game_id}/chat"): Operation(
        summary="Get the chat of a game",
        description=_PAGES,
        tag="games",
        open=True,
        responses={200: (Content(dict),)},
        problems=(404, 409),
    ),
    ("POST", "/api/games/{game_id}/chat"): Operation(
        summary="Send a chat message",
        description=_PAGES,
        tag="games",
        open=True,
        body=(Content(Post, example={"room": "players", "preset": "hello"}),),
        responses={201: (Content(dict),)},
        problems=(400, 403, 404, 409, 422, 429),
    ),
    ("GET", "/api/games/{game_id}/person"): Operation(
        summary="Get the opponent or the sender of a message",
        description=_PAGES,
        tag="games",
        open=True,
        responses={200: (Content(dict),)},
        problems=(404, 422),
    ),
    ("POST", "/api/games/{game_id}/person/block"): Operation(
        summary="Block a player",
        description=_PAGES,
        tag="games",
        body=(Content(dict, example={"on": True}),),
        responses={200: (Content(dict),)},
        problems=(400, 401, 403, 404, 422),
    ),
    ("POST", "/api/games/{game_id}/person/report"): Operation(
        summary="Report a game",
        description=_PAGES,
        tag="games",
        body=(Content(dict, example={"reason": "stalling"}),),
        responses={201: (Content(dict),)},
        problems=(400, 401, 403, 404, 409, 422),
    ),
    ("GET", "/api/events/{event_id}/games"): Operation(
        summary="Export the games of a tournament",
        description="Finished games by round and board, streamed game by game.",
        tag="events",
        scope="read",
        open=True,
        query=lines.EventExportQuery,
        responses={200: (Content(media_type=PDN), Content(lines.GameRecord, JSON_LINES))},
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
