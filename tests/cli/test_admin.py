"""`damka admin` with the database of a running or a stopped server."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from damka.server.accounts import members
from damka.server.store import Store
from damka.server.store.account_models import SessionRow
from damka.server.store.models import GameRow
from tests.cli.inside import DAMKA, damka
from tests.server.accounts.support import (
    ROOMY,
    form,
    is_member,
    log_in,
    new_name,
    register,
    store_of,
)
from tests.server.support import Browser, Server, serving

OLD = Path(__file__).parents[1] / "data" / "database" / "games.sqlite3"
GAME = {"rules": "dama64", "opponent": "computer"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the server shared by most of these tests."""
    return tmp_path_factory.mktemp("admin")


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Server]:
    with serving(home, limits=ROOMY) as server:
        yield server


@pytest.fixture
def browser(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser


def admin(home: Path, *arguments: str, status: int = 0, typed: str = "") -> str:
    url = f"sqlite:///{home / 'games.sqlite3'}"
    return damka("admin", *arguments, "--database", url, home=home, status=status, typed=typed)


def test_accounts_are_listed(browser: Browser, home: Path) -> None:
    name = register(browser)
    browser.new_game()
    printed = admin(home, "list")
    assert re.search(rf"{name} +member +{datetime.now(UTC):%Y-%m-%d}", printed)
    assert name not in admin(home, "list", "nobody")
    [entry] = json.loads(admin(home, "list", "--json", name[2:].upper()))
    assert (entry["name"], entry["games"], entry["banned"]) == (name, 1, False)


def test_an_operator_code_allows_creating_an_event(browser: Browser, home: Path) -> None:
    code = re.search(r"([B-Z2-9]{5}-){2}[B-Z2-9]{4}", admin(home, "code"))
    assert code
    fields = {"name": "Evening", "arbiter": "Rossi", "rules": "dama64"}
    assert form(browser, "/events", **fields, code="BBBB-BBBB").status_code == 403
    assert form(browser, "/events", **fields, code=code[0]).status_code == 303


def test_a_command_preserves_the_write_ahead_log_of_a_running_server(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    url = f"sqlite:///{database}"
    command = [DAMKA, "admin", "list", "--database", url]
    with serving(tmp_path) as server, server.browser() as browser:
        browser.new_game()
        time.sleep(1.5)  # The server checks its file once a second.
        subprocess.run(command, check=True, capture_output=True)
        assert database.with_name("games.sqlite3-wal").exists()
        game = browser.new_game()
        assert browser.live(game).state()["id"] == game
    assert game in {row[0] for row in sqlite3.connect(database).execute("SELECT id FROM games")}


def test_a_role_takes_effect_immediately(browser: Browser, home: Path) -> None:
    name = register(browser)
    assert browser.http.get("/reports").status_code == 403
    assert admin(home, "role", name.lower(), "arbiter") == f"{name} is now arbiter\n"
    assert browser.http.get("/reports").status_code == 200
    assert "member → arbiter" in browser.http.get("/reports").text
    admin(home, "role", name, "member")
    assert browser.http.get("/reports").status_code == 403
    assert "there is no account" in admin(home, "role", "Nobody", "arbiter", status=2)
    admin(home, "role", name, "king", status=2)


def test_a_ban_applies_immediately_until_lifted(browser: Browser, home: Path) -> None:
    name = register(browser)
    until = datetime.now(UTC) + timedelta(days=7)
    printed = admin(home, "ban", name, "--until", "7d")
    assert printed.startswith(f"{name} is banned until {until:%Y-%m-%d}")
    answer = browser.post("/api/games", GAME)
    assert answer.json()["message"].startswith(f"You are banned from playing until {until:%Y}")
    assert name in admin(home, "list", "--banned")
    assert "banned" in admin(home, "list")
    assert admin(home, "unban", name) == f"{name} is no longer banned\n"
    assert browser.post("/api/games", GAME).status_code == 201
    assert "is not banned" in admin(home, "unban", name, status=2)


def test_an_address_is_banned_permanently(browser: Browser, home: Path) -> None:
    assert admin(home, "ban", "--address", "127.0.0.1") == "127.0.0.1 is banned permanently\n"
    assert browser.post("/api/games", GAME).status_code == 403
    [entry] = json.loads(admin(home, "list", "--banned", "--json"))
    assert (entry["whom"], entry["until"]) == ("127.0.0.1", None)
    admin(home, "unban", "--address", "127.0.0.1")
    assert browser.post("/api/games", GAME).status_code == 201


@pytest.mark.parametrize(
    "arguments",
    [
        ("ban",),
        ("ban", "Petra", "--address", "10.0.0.5"),
        ("ban", "--address", "dama.example"),
        ("ban", "--address", "10.0.0.5", "--until", "tomorrow"),
        ("ban", "--address", "10.0.0.5", "--until", "2020-01-01"),
        ("ban", "--address", "10.0.0.5", "--until", "99999w"),
        ("unban",),
        ("prune", "--older-than", "0"),
        ("restore", "nothing.sqlite3", "--force"),
        ("restore", "nothing.sqlite3"),
        ("reset", "Nobody"),
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("server")
def test_invalid_arguments_are_refused(home: Path, arguments: tuple[str, ...]) -> None:
    assert admin(home, *arguments, status=2)


def test_a_reset_link_sets_a_new_password(server: Server, browser: Browser, home: Path) -> None:
    name = register(browser)
    printed = admin(home, "reset", name, "--url", "https://dama.example/")
    path = re.search(r"^https://dama\.example(/account/reset/\S+)$", printed, re.MULTILINE)
    assert path is not None
    with server.browser() as other:
        assert form(other, path[1], password="once upon a time").status_code == 303
        assert is_member(other)
    assert not is_member(browser)
    assert log_in(browser, name, "once upon a time").status_code == 303


def test_a_backup_of_a_busy_server_is_complete_and_can_be_restored(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    home = tmp_path / "a"
    with serving(home, limits=ROOMY) as server, server.browser() as browser:
        name = register(browser)
        game = browser.new_game()
        stop = threading.Event()

        def play() -> None:
            with server.browser() as busy:
                while not stop.is_set():
                    busy.new_game()

        player = threading.Thread(target=play)
        player.start()
        try:
            for number in range(5):
                assert "bytes" in admin(home, "backup", f"copy{number}.sqlite3")
        finally:
            stop.set()
            player.join()
        copy = home / "copy4.sqlite3"
        assert "use --force to overwrite" in admin(home, "backup", "copy4.sqlite3", status=2)
        admin(home, "backup", "copy3.sqlite3", "--force")
        assert "stop the server first" in admin(home, "restore", str(copy), "--force", status=2)
        later = browser.new_game()
    if sys.platform != "win32":
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with sqlite3.connect(copy) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    old_database = re.search(r"is in (\S+)", admin(home, "restore", str(copy), "--force"))
    assert old_database is not None
    with serving(home, limits=ROOMY) as server, server.browser() as browser:
        assert log_in(browser, name).status_code == 303
        assert browser.http.get(f"/game/{game}").status_code == 200
        assert browser.http.get(f"/game/{later}").status_code == 404
    with sqlite3.connect(old_database[1]) as connection:
        query = "SELECT count(*) FROM games WHERE id = ?"
        assert connection.execute(query, (later,)).fetchone() == (1,)


def test_a_backup_of_an_earlier_version_is_restored(tmp_path: Path) -> None:
    admin(tmp_path, "restore", str(OLD), "--force")
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    assert store.count() > 0
    store.close()


def test_a_command_migrates_a_database_of_an_earlier_version(tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path)
    assert "name" in admin(tmp_path, "list")
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    with store.transaction() as connection:
        members.create(connection, new_name(), None)
    store.close()


def test_restoring_an_invalid_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database")
    for name, version in (("newer", "9999"), ("older", "0009")):
        shutil.copy(OLD, tmp_path / f"{name}.sqlite3")
        with sqlite3.connect(tmp_path / f"{name}.sqlite3") as connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", [version])
    other = tmp_path / "other.sqlite3"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE games (id)")
    damaged = tmp_path / "damaged.sqlite3"
    damaged.write_bytes(OLD.read_bytes()[:-8192])
    for file, message in (
        ("text", "not a database"),
        ("newer.sqlite3", "newer than this program"),
        ("older.sqlite3", "commit b68d508"),
        ("other.sqlite3", "not a Damka database"),
        ("damaged.sqlite3", "damaged"),
    ):
        printed = admin(tmp_path, "restore", file, "--force", status=2)
        assert message in printed or "malformed" in printed
        assert not (tmp_path / "games.sqlite3").exists()


def test_restoring_asks_for_confirmation(tmp_path: Path) -> None:
    assert "aborted" in admin(tmp_path, "restore", str(OLD), status=1, typed="n\n")
    assert not (tmp_path / "games.sqlite3").exists()


def test_commands_do_not_create_a_missing_database(tmp_path: Path) -> None:
    assert "no database at" in admin(tmp_path, "list", status=2)
    assert "no database at" in admin(tmp_path, "backup", "copy.sqlite3", status=2)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_database_suggests_the_option(tmp_path: Path) -> None:
    for command in (("list",), ("backup", "copy.sqlite3")):
        output = " ".join(damka("admin", *command, home=tmp_path, status=2).split())
        assert "no database at" in output
        assert "--database or DAMKA_DATABASE_URL" in output


def test_pruning_deletes_unplayed_games(tmp_path: Path) -> None:
    with serving(tmp_path, limits=ROOMY) as server, server.browser() as browser:
        name = register(browser)
        unplayed, played, loaded = browser.new_game(), browser.new_game(), browser.new_game()
        named = browser.new_game(names=["Ana", "Bo"])
        live = browser.live(played)
        live.state()
        live.play(live.current["legal"][0]["hub"])
        file = browser.http.get(f"/api/games/{played}/file").text
        loaded = browser.load_game(file)
        live.close()
        assert admin(tmp_path, "prune", "--older-than", "30").startswith(
            "deleted: 0 unplayed games"
        )
        long_ago = datetime.now(UTC) - timedelta(days=31)
        young = browser.new_game()
        with store_of(server).transaction() as connection:
            connection.execute(update(GameRow).where(GameRow.id != young).values(created=long_ago))
            connection.execute(update(SessionRow).values(seen=long_ago))
        printed = admin(tmp_path, "prune", "--older-than", "30")
        assert re.match(r"deleted: 3 unplayed games, 1 sessions, 0 links", printed), printed
        for game, status in (
            (unplayed, 404),
            (played, 200),
            (loaded, 200),
            (young, 200),
            (named, 404),
        ):
            assert browser.http.get(f"/game/{game}").status_code == status, game
        assert not is_member(browser)
        assert log_in(browser, name).status_code == 303


def test_postgresql_backups_refer_to_its_own_tools(tmp_path: Path) -> None:
    url = "postgresql+psycopg://someone:secret@db.example/damka"
    for tool, *command in (
        ("pg_dump", "backup", "copy"),
        ("pg_restore", "restore", "c", "--force"),
    ):
        printed = damka("admin", *command, "--database", url, home=tmp_path, status=2)
        assert tool in printed
        assert "secret" not in printed
