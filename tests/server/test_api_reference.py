"""The API description: complete, valid, and consistent with the server's responses."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from fastapi import FastAPI
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_spec_validator import validate
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from damka.live import messages, studies
from damka.locales import LANGUAGES
from damka.server.live_route import LiveRoute
from damka.server.openapi import OPERATIONS, responses
from damka.server.openapi.document import openapi
from damka.server.openapi.live import CHANNELS, EXAMPLES, asyncapi, kinds
from damka.server.programs import messages as programs
from tests.server.accounts.support import register
from tests.server.events.support import create_event
from tests.server.programs import Program, new_token
from tests.server.support import Browser, Json, Server

UNDESCRIBED = {"/api/live"}
"""Pages below /api."""


@pytest.fixture(scope="module")
def document() -> Json:
    return openapi()


def routes(app: Any) -> Iterator[tuple[str, str]]:
    """Yield every method and path of an application."""
    for route in app.routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from routes(inner)
        elif getattr(route, "methods", None):
            yield from ((method, route.path) for method in route.methods)


def is_public(path: str) -> bool:
    return (
        path.startswith(("/api/", "/livez", "/readyz", "/healthz", "/metrics"))
        and path not in UNDESCRIBED
    )


def test_exactly_the_public_routes_are_described(server: Server) -> None:
    assert isinstance(server.app, FastAPI)
    routes_found = {(m, path) for m, path in routes(server.app) if is_public(path) and m != "HEAD"}
    assert routes_found == set(OPERATIONS)


def test_every_kind_of_live_connection_is_described(server: Server) -> None:
    sockets = {
        str(vars(route)["path"])
        for route in server.app.routes
        if type(route).__name__ in {"APIWebSocketRoute", "WebSocketRoute"}
    }
    described = {each.address.replace("Id}", "_id}") for each in CHANNELS}
    assert sockets | {LiveRoute.path} == described


def test_the_description_is_valid_openapi(document: Json) -> None:
    validate(document)


def test_every_operation_describes_its_input_and_output(document: Json) -> None:
    names = [each["operationId"] for path in document["paths"].values() for each in path.values()]
    assert len(names) == len(set(names))
    for (_, path), operation in OPERATIONS.items():
        assert operation.summary, path
        assert operation.responses, path


def test_every_type_and_message_is_described(document: Json) -> None:
    live = asyncapi("localhost")
    for name, schema in {
        **document["components"]["schemas"],
        **live["components"]["schemas"],
    }.items():
        assert schema.get("description"), name
    assert all(each["summary"] for each in live["components"]["messages"].values())
    for channel in CHANNELS:
        for type_ in (*kinds(channel.sent).values(), *kinds(channel.received).values()):
            assert inspect.getdoc(type_)
            assert f"{channel.name}.{type_.__name__}" in live["components"]["messages"]


@pytest.mark.parametrize("kind", [responses.GameId, programs.GameId, studies.ChapterId])
def test_an_id_has_no_line_break_at_its_end(kind: Any) -> None:
    length = 8 if kind is studies.ChapterId else 22
    assert msgspec.convert("a" * length, kind)
    for wrong in ("a" * length + "\n", "a" * (length - 1) + "\n"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, kind)


def test_references_in_the_live_description_resolve() -> None:
    live = asyncapi("localhost")

    def follow(value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "$ref":
                    target: Any = live
                    for part in inner.removeprefix("#/").split("/"):
                        target = target[part]
                else:
                    follow(inner)
        elif isinstance(value, list):
            for inner in value:
                follow(inner)

    follow(live)
    assert live["asyncapi"] == "3.0.0"


@pytest.mark.parametrize("kind", EXAMPLES)
def test_an_example_is_a_message_of_its_kind(kind: str) -> None:
    message = messages.read(msgspec.json.encode(EXAMPLES[kind]))
    assert type(message) is kinds(messages.ClientMessage)[kind]


def test_example_bodies_are_valid(document: Json) -> None:
    for operation in OPERATIONS.values():
        for body in operation.body:
            if body.example is not msgspec.UNSET:
                msgspec.convert(body.example, body.type)


class SchemaValidator:
    """Validates responses against the description."""

    def __init__(self, document: Json) -> None:
        self.document = document
        resource = DRAFT202012.create_resource(document)
        self.registry = Registry().with_resource("urn:api", resource)
        self.seen: set[tuple[str, str]] = set()

    def check(self, method: str, path: str, answer: Any, value: Any = None) -> None:
        """Check that a response, or one value of it, matches the schema of its path."""
        responses = self.document["paths"][path][method.lower()]["responses"]
        assert str(answer.status_code) in responses, (path, answer.status_code, answer.text)
        response = responses[str(answer.status_code)]
        if "$ref" in response:
            response = self.document["components"]["responses"][response["$ref"].split("/")[-1]]
        kind = answer.headers["content-type"].partition(";")[0]
        assert kind in response["content"], (path, kind)
        schema = self._absolute(response["content"][kind]["schema"])
        if "json" in kind:
            body = answer.json() if value is None else value
            Draft202012Validator(schema, registry=self.registry).validate(body)
        if answer.status_code < 300:
            self.seen.add((method, path))

    def _absolute(self, schema: Any) -> Any:
        text = msgspec.json.encode(schema).decode().replace('"#/', '"urn:api#/')
        return msgspec.json.decode(text)


def test_responses_match_the_description(server: Server, browser: Browser, document: Json) -> None:
    """Request every path once; the final assertion lists paths that were not checked."""
    name = register(browser)
    member, public = Program(server, new_token(browser)), Program(server, None)
    validator = SchemaValidator(document)

    def get(path: str, program: Program = member, **parameters: Any) -> Any:
        response = program.get(path.format(**parameters))
        validator.check("GET", path, response)
        return response

    def post(path: str, body: Any = None, program: Program = member, **parameters: Any) -> Any:
        response = program.post(path.format(**parameters), body)
        validator.check("POST", path, response)
        return response

    for path in (
        "/metrics",
        "/livez",
        "/readyz",
        "/healthz",
        "/api/rules",
        "/api/box",
        "/api/account",
    ):
        get(path)
    invite = {"rules": "dama64", "opponent": "invite", "colour": "first"}
    game = post("/api/games", invite).json()["id"]
    with server.browser() as other:
        opponent_name = register(other)
        opponent = Program(server, new_token(other))
        post("/api/games/{game_id}/offer/{name}", game_id=game, name=opponent_name)
        post("/api/games/{game_id}/decline", program=opponent, game_id=game)
        with member.live(game) as live:
            code = live.state()["invitation"]["code"]
        get("/api/invitations/{code}", program=opponent, code=code)
        post("/api/games/{game_id}/join", program=opponent, game_id=game)
        get("/api/account/games")
        events_path = "/api/stream/events"
        with member.http.stream("GET", events_path) as events:
            line = next(events.iter_lines())
            validator.check("GET", events_path, events, msgspec.json.decode(line))
        post("/api/games/{game_id}/move", {"move": "23-19"}, game_id=game)
        legal = get("/api/games/{game_id}", game_id=game).json()["state"]["legal"]
        post("/api/games/{game_id}/move", {"move": "1-2"}, program=opponent, game_id=game)  # 422
        post("/api/games/{game_id}/act", {"t": "nonsense"}, game_id=game)  # 422
        post("/api/games/{game_id}/huff", {"square": 1}, game_id=game)  # 409
        post("/api/games/{game_id}/claim", game_id=game)  # 409
        post("/api/games/{game_id}/time", game_id=game)  # 409
        move = {"t": "move", "ply": 1, "move": legal[0]}
        post("/api/games/{game_id}/act", move, program=opponent, game_id=game)
        post("/api/games/{game_id}/undo", game_id=game)
        post("/api/games/{game_id}/undo", {"accept": False}, program=opponent, game_id=game)
        post("/api/games/{game_id}/draw", game_id=game)
        post("/api/games/{game_id}/draw", {"accept": True}, program=opponent, game_id=game)
        path = "/api/games/{game_id}/stream"
        with opponent.stream(path.format(game_id=game)) as lines:
            operation = list(lines)
        stream = opponent.get(path.format(game_id=game))
        for each in operation:
            validator.check("GET", path, stream, each)
        post("/api/games/{game_id}/rematch", game_id=game)
        game = post("/api/games/{game_id}/rematch", program=opponent, game_id=game).json()["id"]
        post("/api/games/{game_id}/abort", game_id=game)
        game = post("/api/games", invite).json()["id"]
        post("/api/games/{game_id}/cancel", game_id=game)
        game = post("/api/games", invite).json()["id"]
        post("/api/games/{game_id}/computer", {"level": 1}, game_id=game)
        post("/api/games/{game_id}/resign", game_id=game)
        get("/api/games/{game_id}/pdn", game_id=game)
        for picture in ("picture.svg", "picture.png", "replay.svg"):
            get(f"/api/games/{{game_id}}/{picture}", game_id=game)
        saved = get("/api/games/{game_id}/file", game_id=game).json()
        game = post("/api/games/load", saved).json()["id"]
        post("/api/position", saved)
        post("/api/tree", saved)
        post("/api/tree/pdn", {"nodes": [{"children": [1]}, {"key": "22-18"}]})
        get("/api/games/{game_id}/tree", game_id=game)
        post("/api/line", {"moves": ["22-18", "11-15"], "attempt": [25, 21]})
        for path in (
            "/api/lesson?level=capture.jump",
            "/api/lesson/hint?level=capture.jump&hint=1",
        ):
            response = member.get(path)
            validator.check("GET", path.partition("?")[0], response)
        post("/api/lesson/answer", {"level": "capture.jump", "answer": [14, 5]})
        game_moves = {"rules": "american", "moves": ["11-15", "22-18"]}
        post("/api/review/steps", {"game": game_moves})
        post("/api/review/judge", {"game": game_moves, "ply": 0, "move": "9-13"})
        checked = member.get("/api/position?fen=W:W21:B1")
        validator.check("GET", "/api/position", checked)
        game = post("/api/games", {**invite, "opponent": "person"}).json()["id"]
        post("/api/games/{game_id}/invite", {"side": "B"}, game_id=game)
        seek = post("/api/lobby", {"rules": "dama64"}).json()["id"]
        get("/api/lobby", program=opponent)
        post("/api/lobby/{seek_id}/cancel", seek_id=seek)
        clock = {"kind": "fischer", "seconds": 180, "increment": 2}
        post("/api/lobby/pool", {"rules": "dama64", "clock": clock})
        with member.http.stream("GET", "/api/stream/events"):
            seek = post("/api/lobby", {"rules": "american"}).json()["id"]
            post("/api/lobby/{seek_id}/accept", program=opponent, seek_id=seek)
        post("/api/account/bot")
        get("/api/members/{name}/games", name=name)
        chapters = [{"pdn": '[GameType "21"] 1. 11-15 *'}]
        new_study = {"title": "Shots", "chapters": chapters}
        study = browser.post("/api/studies", new_study).json()["id"]
        get("/api/studies")
        get("/api/studies/{study_id}", study_id=study)
        get("/api/studies/{study_id}/pdn", study_id=study)
        event = create_event(browser, server).rpartition("/")[2]
        get("/api/events")
        get("/api/events/{event_id}", event_id=event)
        get("/api/events/{event_id}/games", event_id=event)
        post("/api/analysis", {"rules": "american", "depth": 2})
        streamed = {"rules": "american", "nodes": 1000, "stream": True}
        reviewed = {"game": {"rules": "dama64", "moves": ["22-18"]}, "nodes": 1000}
        for path, body in (("/api/analysis", streamed), ("/api/review", reviewed)):
            response = member.post(path, body)
            for line in filter(None, response.text.splitlines()):
                validator.check("POST", path, response, msgspec.json.decode(line))
        response = member.get("/api/tablebase", rules="american", fen="W:WK32:BK1")
        validator.check("GET", "/api/tablebase", response)
        # Errors are described, too.
        get("/api/account", program=public)
        post("/api/games", {"rules": "chess"})
    assert name
    assert {
        each
        for each, operation in OPERATIONS.items()
        if operation.scope or operation.tag == "server"
    } == {
        *validator.seen,
        # These returned errors, as described.
        ("POST", "/api/games/{game_id}/huff"),
        ("POST", "/api/games/{game_id}/claim"),
        ("POST", "/api/games/{game_id}/time"),
        ("GET", "/api/tablebase"),
    }


def test_the_live_description_matches_the_messages(browser: Browser) -> None:
    live = asyncapi("localhost")
    registry = Registry().with_resource("urn:api", DRAFT202012.create_resource(live))
    connection = browser.live(browser.new_game(opponent="computer", level=1))
    frames = [connection.state()]
    frames += [connection.request(kind) for kind in ("ping", "hint")]
    frames += [connection.request("why", clicks=[1, 2]), connection.request("nonsense")]
    connection.play(connection.current["legal"][0]["hub"])
    frames.append(connection.request("why_allowed", ply=1))
    returned = browser.live(connection.current["id"], has=connection.current)
    frames.append(json.loads(returned.connection.recv(timeout=10)))
    frames += _between_people(browser)
    schemas = {each["t"]: name for name, each in _by_kind(live).items()}
    for frame in frames:
        reference = {"$ref": f"urn:api#/components/schemas/game.{schemas[frame['t']]}"}
        Draft202012Validator(reference, registry=registry).validate(frame)
    assert {frame["t"] for frame in frames} == set(kinds(messages.ServerMessage))


def _by_kind(live: Json) -> dict[str, Json]:
    names = [each.__name__ for each in kinds(messages.ServerMessage).values()]
    schemas = live["components"]["schemas"]
    return {name: {"t": schemas[f"game.{name}"]["properties"]["t"]["enum"][0]} for name in names}


def _between_people(browser: Browser) -> list[Json]:
    """Return messages that occur only in online games: spectators and chat."""
    game = browser.new_game(opponent="invite")
    with Browser(browser.url, {"origin": browser.url}) as other:
        other.post(f"/api/games/{game}/join", {})
        live = browser.live(game)
        live.state()
        live.send("watchers", on=True)
        spectators = live.receive("watchers")
        chat_response = other.post(
            f"/api/games/{game}/chat", {"room": "players", "preset": "hello"}
        )
        assert chat_response.status_code == 201, chat_response.text
        return [spectators, live.receive("chat")]


@pytest.mark.parametrize("path", ["/api", "/api/live"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_pages_load_nothing_from_other_hosts(browser: Browser, path: str, lang: str) -> None:
    page = browser.http.get(path, params={"lang": lang}).text
    body = page[page.index("<main") :]
    assert "<script" not in body[: body.index("</main>")]
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
    anchors = set(re.findall(r'href="#([^"]+)"', page))
    assert anchors <= set(re.findall(r'id="([^"]+)"', page))


def test_the_description_files_are_served(browser: Browser, document: Json) -> None:
    assert browser.http.get("/openapi.json").json() == msgspec.json.decode(
        msgspec.json.encode(document)
    )
    live = browser.http.get("/asyncapi.json").json()
    assert live["servers"]["this"]["host"] == browser.url.removeprefix("http://")
