"""Unit tests of limits, languages, origins, hosts, cookies and static files."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from starlette.datastructures import Headers
from tools.static_site.build import SHARED

from damka.live import setup
from damka.server import security
from damka.server.compression import Encoding, negotiate
from damka.server.language import choose, preferred
from damka.server.limits import Bucket, Buckets, LiveConnectionCount
from damka.server.settings import LOOPBACK, Settings, default_hosts
from damka.server.static import StaticFiles, minify_script, minify_style


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_allows_its_burst_and_then_its_rate() -> None:
    clock = Clock()
    bucket = Bucket(3, 2.0, clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.now += 0.4
    assert not bucket.take()
    clock.now += 0.2
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now += 1000.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_buckets_are_independent_and_limited_in_number() -> None:
    clock = Clock()
    buckets = Buckets(1, 0.001, 2, clock)
    assert buckets.take("a")
    assert not buckets.take("a")
    assert buckets.take("b")
    assert buckets.take("c"), "a new bucket evicts the oldest"
    assert buckets.take("a")


def test_live_connections_are_limited_in_total_per_address_and_per_game() -> None:
    live_connections = LiveConnectionCount(4, 2, 3)
    assert live_connections.enter("x", "g")
    assert live_connections.enter("x", "g")
    assert not live_connections.enter("x", "h"), "two connections from one address"
    assert live_connections.enter("y", "g")
    assert not live_connections.enter("z", "g"), "three connections to one game"
    assert live_connections.enter("z", "h")
    assert not live_connections.enter("w", "i"), "four connections in total"
    live_connections.leave("x", "g")
    assert live_connections.enter("w", "i")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("bg", "bg"),
        ("it-IT,it;q=0.9,en;q=0.8", "it"),
        ("de-DE,de;q=0.9,sk;q=0.7,en;q=0.5", "sk"),
        ("cs", "sk"),
        ("en;q=0.2, bg;q=0.3", "bg"),
        ("fr", "en"),
        ("it;q=0", "en"),
        ("it;q=nan, bg;q=0.1", "bg"),
        ("it;q=, bg;q=0.1", "bg"),
        ("*", "en"),
        (";;;,,,q=1", "en"),
    ],
)
def test_the_language_of_the_browser(header: str, language: str) -> None:
    assert preferred(header) == language


def test_the_language_of_the_query_overrides_the_cookie_and_the_browser() -> None:
    assert choose("sk", "it", "bg") == "sk"
    assert choose("xx", "it", "bg") == "it"
    assert choose(None, "../it", "bg") == "bg"
    assert choose(None, None, None) == "en"


SETTINGS = Settings(database_url="sqlite://", origins=("https://dama.example",))


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"host": "a:1", "origin": "http://a:1"}, True),
        ({"host": "a:1", "origin": "https://dama.example"}, True),
        ({"host": "a:1", "origin": "https://a:1"}, False),
        ({"host": "a:1", "origin": "http://a:2"}, False),
        ({"host": "a:1", "origin": "http://a:1.evil.example"}, False),
        ({"host": "a:1", "origin": "null"}, False),
        ({"host": "a:1", "origin": ""}, False),
        ({"host": "a:1", "sec-fetch-site": "cross-site"}, False),
        ({"host": "a:1", "sec-fetch-site": "same-site"}, False),
        ({"host": "a:1", "sec-fetch-site": "same-origin"}, True),
        # Neither header: not a browser, so it has no user's cookies.
        ({"host": "a:1"}, True),
    ],
)
def test_only_same_origin_requests_may_change_state(headers: dict[str, str], allowed: bool) -> None:
    assert security.same_origin(Headers(headers), "http", SETTINGS) is allowed


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8077", True),
        ("127.0.0.1", True),
        ("[::1]:8077", True),
        ("evil.example:8077", False),
        ("localhost.evil.example", False),
        ("", False),
        ("[::1", False),
        ("LOCALHOST:1", True),
        ("localhost@evil.example", False),
        ("[::1]@evil.example", False),
    ],
)
def test_on_loopback_only_loopback_names_are_accepted(host: str, known: bool) -> None:
    assert security.known_host(Headers({"host": host}), SETTINGS) is known


def test_on_the_network_any_host_name_is_accepted() -> None:
    assert default_hosts("0.0.0.0") == ("*",)  # noqa: S104
    assert default_hosts("127.0.0.1") == LOOPBACK
    settings = Settings(database_url="", hosts=("*",))
    assert security.known_host(Headers({"host": "anything"}), settings)


def test_ids_and_seats_cannot_be_guessed() -> None:
    games = {setup.new_id() for _ in range(1000)}
    seats = {security.new_seat() for _ in range(1000)}
    assert len(games) == len(seats) == 1000
    assert all(security.is_game_id(game) for game in games)
    assert {len(game) for game in games} == {22}, "128 bits in base 64"
    assert {len(seat) for seat in seats} == {43}, "256 bits in base 64"


def test_a_seat_is_identified_by_its_hash() -> None:
    seat = security.new_seat()
    holder = security.holder_of(seat)
    assert holder == hashlib.sha256(seat.encode()).hexdigest()
    for other in (None, "", "x", seat + "x", seat[:-1] + "é", seat[:-1] + "\n"):
        assert security.holder_of(other) is None


def test_scripts_are_served_without_comments_and_spaces() -> None:
    script = """/**
 * Its behaviour.
 */
import { t } from "./i18n.js"; // why

  const say = /** @type {Say} */ (byId("say  it"));
"""
    assert minify_script(script).split() == [
        'import{t}from"./i18n.js";const',
        'say=(byId("say',
        'it"));',
    ]


def test_minified_scripts_are_the_same_programs(tmp_path: Path) -> None:
    """The TypeScript compiler parses source and served files to the same tree."""
    folder = Path(__file__).parents[2]
    static, site = folder / "src" / "damka" / "web" / "static", folder / "site" / "js"
    pairs = []
    for number, script in enumerate([*static.glob("*.js"), *site.glob("*.js"), *SHARED]):
        served = tmp_path / str(number)
        served.write_text(minify_script(script.read_text("utf-8")))
        pairs.append((str(script), str(served)))
    compare = tmp_path / "compare.mjs"
    compare.write_text(
        f"""
import ts from "{folder}/node_modules/typescript/lib/typescript.js";
import fs from "node:fs";
const tree = (file) => {{
  const out = [];
  const walk = (node) => {{
    out.push(node.kind, node.text, node.rawText);
    ts.forEachChild(node, walk);
  }};
  const {{ TS }} = ts.ScriptKind;
  ts.forEachChild(ts.createSourceFile("a.ts", fs.readFileSync(file, "utf8"), 99, false, TS), walk);
  return JSON.stringify(out);
}};
for (const [written, served] of {json.dumps(pairs)})
  if (tree(written) !== tree(served)) console.log(written);
"""
    )
    completed = subprocess.run(["node", compare], capture_output=True, text=True, check=False)
    assert (completed.stdout, completed.stderr) == ("", "")


def test_style_sheets_are_served_without_comments_and_spaces() -> None:
    sheet = """/* Styles of
 * a test. */
.a > .b, .c :hover { color: red; margin: 0 auto; }
@media (max-width: 9px) {
  .d::before { content: "✓"; }
}
"""
    expected = ".a > .b,.c :hover{color:red;margin:0 auto}@media (max-width:9px){"
    assert minify_style(sheet) == expected + '.d::before{content:"✓"}}'


def test_the_address_of_a_static_file_changes_with_its_content(tmp_path: Path) -> None:
    (tmp_path / "icons").mkdir()
    (tmp_path / "game.js").write_text("1")
    (tmp_path / "icons" / "king.svg").write_text("<svg/>")
    (tmp_path / ".hidden").write_text("")
    first = StaticFiles(tmp_path)
    second = StaticFiles(tmp_path)
    assert first.url("game.js") == second.url("game.js")
    folder = first.url("game.js").removesuffix("game.js")
    assert first.url("icons/king.svg") == folder + "icons/king.svg", (
        "relative links keep the folder"
    )
    (tmp_path / "icons" / "king.svg").write_text("<svg></svg>")
    assert StaticFiles(tmp_path).url("game.js") != first.url("game.js")
    for name in (".hidden", "nothing.js", "../game.js"):
        with pytest.raises(KeyError):
            first.url(name)


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "br"),
        ("br, GZIP;q=0.5", "br"),
        ("deflate, gzip ; q=1", "gzip"),
        ("", None),
        ("BR", "br"),
        ("gzip;q=0", None),
        ("gzip, br;q=0", "gzip"),
        ("gzip; q=0.00, br", "br"),
        ("x-gzip", None),
    ],
)
def test_compression_is_negotiated(header: str, accepted: Encoding | None) -> None:
    assert negotiate({"accept-encoding": header}) == accepted
