"""Studies of accounts: permissions, links, limits, conflicts, export and deletion."""

from __future__ import annotations

import dataclasses
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from damka import pdn, rules
from damka.live import studies
from damka.live.problems import Problem
from damka.server.accounts import members
from damka.server.store import Store, begin
from damka.server.store import studies as rows
from damka.server.store.study_models import StudyChapterRow, StudyRow
from tests.server.accounts.support import PASSWORD, ROOMY, form, register
from tests.server.support import Browser, Server, serving

GAME = '[Result "*"]\n[GameType "21,B,8,8,N1,0"]\n\n1. 11-15 23-19 (1... 22-18 {sharp}) 2. 8-11 *\n'
DAMA = '[Result "*"]\n[GameType "0,W,8,8,N2,0"]\n[Variant "dama64"]\n\n1. 22-18 *\n'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    limits = dataclasses.replace(ROOMY, studies_per_account=3, study_bytes=2**20)
    with serving(tmp_path_factory.mktemp("studies"), limits=limits) as server:
        yield server


@pytest.fixture
def owner(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        register(browser)
        yield browser


@pytest.fixture
def other(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        register(browser)
        yield browser


@pytest.fixture
def guest(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser


def create(browser: Browser, title: str = "Shots", *texts: str) -> Any:
    chapters = [{"title": f"C{i}", "pdn": text} for i, text in enumerate(texts or (GAME,))]
    answer = browser.post("/api/studies", {"title": title, "chapters": chapters})
    assert answer.status_code == 201, answer.text
    return answer.json()


def change(browser: Browser, path: str, **changes: object) -> Any:
    return browser.post(f"/api/studies/{path}", changes)


def get(browser: Browser, study: str) -> Any:
    return browser.http.get(f"/api/studies/{study}")


def share(browser: Browser, study: str) -> str:
    link: str = change(browser, f"{study}/share", shared=True).json()["share"]
    return link


def test_a_study_is_created_changed_and_listed(owner: Browser) -> None:
    study = create(owner, "  My   shots ", GAME, DAMA)
    assert (study["title"], study["share"], study["own"]) == ("My shots", None, True)
    assert [each["query"] for each in study["chapters"]] == ["base=american", "base=dama64"]
    first, second = [each["id"] for each in study["chapters"]]
    text = get(owner, study["id"]).json()["chapters"][0]["pdn"]
    assert text == GAME
    change(owner, study["id"], title="Openings")
    change(owner, study["id"], order=[second, first])
    change(owner, f"{study['id']}/chapters/{first}", title="The first")
    change(owner, f"{study['id']}/chapters", chapters=[{"pdn": DAMA}], at=1)
    chapters = get(owner, study["id"]).json()["chapters"]
    assert [each.get("title", "") for each in chapters] == ["C1", "", "The first"]
    change(owner, f"{study['id']}/chapters/{second}", removed=True)
    [listed] = owner.http.get("/api/studies").json()
    assert (listed["title"], listed["chapters"], listed["shared"]) == ("Openings", 2, False)
    assert listed["games"] == ["base=dama64", "base=american"]


def test_a_removed_study_can_be_restored(owner: Browser) -> None:
    study = create(owner)
    link = share(owner, study["id"])
    assert change(owner, study["id"], removed=True).status_code == 200
    assert owner.http.get("/api/studies").json() == []
    assert get(owner, study["id"]).status_code == 404
    assert get(owner, link).status_code == 404
    refused = change(owner, f"{study['id']}/chapters", chapters=[{"pdn": GAME}])
    assert refused.status_code == 404
    assert change(owner, study["id"], removed=False).status_code == 200
    assert get(owner, study["id"]).json()["title"] == "Shots"
    # Its old link stays dead.
    assert get(owner, link).status_code == 404


def test_only_the_owner_reads_and_changes_a_private_study(
    owner: Browser, other: Browser, guest: Browser
) -> None:
    study = create(owner)
    path, chapter = study["id"], study["chapters"][0]["id"]
    unknown = get(other, "x" * 22)
    assert unknown.status_code == 404
    for stranger in (other, guest):
        for answer in (get(stranger, path), stranger.http.get(f"/api/studies/{path}/pdn")):
            assert (answer.status_code, answer.json()) == (404, unknown.json())
        page = stranger.http.get(f"/study/{path}", headers={"accept": "text/html"})
        assert page.status_code == 404
    changes: list[tuple[str, dict[str, Any]]] = [
        (path, {"title": "Mine"}),
        (path, {"removed": True}),
        (f"{path}/share", {"shared": True}),
        (f"{path}/chapters", {"chapters": [{"pdn": GAME}]}),
        (f"{path}/chapters/{chapter}", {"pdn": DAMA, "revision": 0}),
        (f"{path}/chapters/{chapter}", {"removed": True}),
    ]
    for where, body in changes:
        assert change(other, where, **body).status_code == 404
        assert change(guest, where, **body).status_code == 401
    assert get(owner, path).json()["chapters"][0]["pdn"] == GAME


def test_readers_of_a_link_read_until_sharing_ends(
    owner: Browser, other: Browser, guest: Browser
) -> None:
    study = create(owner)
    path, chapter = study["id"], study["chapters"][0]["id"]
    link = share(owner, path)
    assert len(link) == 22
    assert share(owner, path) == link
    for reader in (other, guest):
        shown = get(reader, link).json()
        assert (shown["own"], shown["share"], shown["id"]) == (False, None, link)
        assert path not in json.dumps(shown)
        assert reader.http.get(f"/api/studies/{link}/pdn").text.endswith(GAME)
    refused: list[tuple[str, dict[str, Any]]] = [
        (link, {"title": "Mine"}),
        (f"{link}/share", {"shared": False}),
        (f"{link}/chapters/{chapter}", {"title": "Mine"}),
    ]
    for where, body in refused:
        assert change(other, where, **body).status_code == 404
    page = guest.http.get(f"/study/{link}", headers={"accept": "text/html"})
    assert page.status_code == 200
    assert path not in page.text
    change(owner, f"{path}/share", shared=False)
    unknown = get(guest, "x" * 22)
    gone = get(guest, link)
    assert (gone.status_code, gone.json()) == (unknown.status_code, unknown.json())
    assert guest.http.get(f"/study/{link}").status_code == 404
    assert share(owner, path) not in {link, path}
    assert get(guest, link).status_code == 404


def test_a_text_replaces_only_the_revision_that_was_edited(owner: Browser) -> None:
    study = create(owner)
    where = f"{study['id']}/chapters/{study['chapters'][0]['id']}"
    first = change(owner, where, pdn=DAMA, revision=0)
    assert first.json()["chapters"][0]["revision"] == 1
    late = change(owner, where, pdn=GAME, revision=0)
    assert (late.status_code, late.json()["error"]) == (409, "study_changed")
    assert change(owner, where, pdn=GAME).status_code == 409
    chapter = get(owner, study["id"]).json()["chapters"][0]
    assert (chapter["pdn"], chapter["query"]) == (DAMA, "base=dama64")
    outdated = change(owner, study["id"], order=["abcdefgh"])
    assert (outdated.status_code, outdated.json()["error"]) == (409, "study_changed")
    broken = change(owner, study["id"], order=[f"{study['chapters'][0]['id']}\n"])
    assert (broken.status_code, broken.json()["error"]) == (422, "bad_field")


def test_a_chapter_has_no_character_that_a_database_refuses(owner: Browser) -> None:
    study = create(owner, "Zero", GAME.replace("sharp", "sh\0arp"))
    assert get(owner, study["id"]).json()["chapters"][0]["pdn"] == GAME


def test_limits_are_refused_with_a_reason(owner: Browser) -> None:
    study = create(owner)
    where = f"{study['id']}/chapters"

    def error(answer: Any) -> str:
        code: str = answer.json()["error"]
        return code

    assert error(change(owner, f"{where}/{study['chapters'][0]['id']}", removed=True)) == (
        "last_chapter"
    )
    assert error(change(owner, f"{where}/abcdefgh", title="x")) == "unknown_chapter"
    assert error(change(owner, study["id"], title="  ")) == "study_untitled"
    assert error(change(owner, study["id"], title="x" * 101)) == "title_long"
    assert error(change(owner, where, chapters=[{"pdn": "1. 11-16 11-15 *"}])) == "bad_chapter"
    assert error(change(owner, where, chapters=[{"pdn": GAME + "\n" + GAME}])) == "bad_chapter"
    assert error(change(owner, where, chapters=[{"pdn": GAME}] * 64)) == "chapters_full"
    large = GAME.replace("sharp", "x" * 390_000)
    assert change(owner, where, chapters=[{"pdn": large}]).status_code == 201
    assert change(owner, where, chapters=[{"pdn": large}]).status_code == 201
    assert error(change(owner, where, chapters=[{"pdn": large}])) == "studies_space"
    wide = GAME.replace("sharp", "ш" * 210_000)
    assert error(change(owner, where, chapters=[{"pdn": wide}])) == "chapter_large"
    change(owner, study["id"], removed=True)
    for _ in range(3):
        create(owner)
    full = owner.post("/api/studies", {"title": "x", "chapters": [{"pdn": GAME}]})
    assert (full.status_code, error(full)) == (409, "studies_full")
    assert "3" in full.json()["message"]
    # The removed study made room for the others.
    assert change(owner, study["id"], removed=False).status_code == 404


def test_the_rate_of_changes_is_limited(tmp_path: Path) -> None:
    limits = dataclasses.replace(ROOMY, study_burst=2, study_rate=0.001)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        register(browser, "Hasty")
        study = create(browser)
        assert change(browser, study["id"], title="A").status_code == 200
        assert change(browser, study["id"], title="B").status_code == 429


def test_a_text_becomes_chapters(guest: Browser) -> None:
    def read(text: str, query: str = "base=dama64") -> Any:
        headers = {"content-type": "application/x-draughts-pdn"}
        return guest.http.post(f"/api/studies/read?{query}", content=text.encode(), headers=headers)

    named = GAME.replace("[Result", '[White "Ana"]\n[Black "?"]\n[Result', 1)
    faulty = '[GameType "20"]\n1. 32-28 32-28 *'
    answer = read(f"{named}\n{DAMA}\n1. 22-18 *\n\n{faulty}").json()
    assert [each["query"] for each in answer["chapters"]] == [
        "base=american",
        "base=dama64",
        "base=dama64",
        "base=international",
    ]
    assert answer["chapters"][0]["title"] == "Ana – ?"
    assert answer["faulty"] == 1
    assert "32-28 *" in answer["chapters"][3]["pdn"]
    [empty] = read("", "base=frisian").json()["chapters"]
    assert empty["query"] == "base=frisian"
    [position] = read("W:W22:B5").json()["chapters"]
    assert '[FEN "W:W22:B5"]' in position["pdn"]
    many = read(f"{DAMA}\n" * 70).json()
    assert (len(many["chapters"]), many["more"]) == (64, True)
    wrong = read("nothing")
    assert (wrong.status_code, wrong.json()["error"]) == (422, "bad_file")
    assert read("", "base=nothing").status_code == 404


def test_house_rules_travel_with_the_text(owner: Browser) -> None:
    house = rules.load("dama64").replace(name="mine", title={"en": "Mine"}, king_landing="any")
    text = pdn.format(pdn.PdnGame(house))
    study = create(owner, "House", text)
    assert study["chapters"][0]["query"].startswith("r=")
    page = owner.http.get(f"/study/{study['id']}", headers={"accept": "text/html"})
    assert page.status_code == 200


comments = st.text(alphabet='ab é{}[]%"\\\n;', max_size=40)


@given(title=st.text(max_size=60), chapter=st.text(max_size=60), comment=comments)
def test_an_export_that_is_read_again_is_the_same_study(
    title: str, chapter: str, comment: str
) -> None:
    game = pdn.PdnGame("russian", headers={"White": "Ana"})
    game.add_variation("c3-d4", comment=comment).nags.add(1)
    game.add_variation("a3-b4").add_variation("f6-e5")
    name = studies.chapter_title(title)
    label = studies.chapter_title(chapter)
    # The first reading normalises the text as the page's own chapters are.
    [first] = studies.read_chapters(pdn.format(game).encode(), rules.load("dama64")).chapters
    file = studies.file_text(name, [(label, first.pdn), ("", first.pdn)])
    again = studies.read_chapters(file.encode(), rules.load("dama64"))
    assert again.title == name
    assert again.chapters[0].title == (label or "Ana – ?")
    assert [each.pdn for each in again.chapters] == [first.pdn] * 2
    assert studies.checked(studies.NewChapter(first.pdn)).rules.name == "russian"


def test_an_account_takes_its_studies_along_and_away(server: Server) -> None:
    with server.browser() as owner:
        name = register(owner)
        study = create(owner, "Shots", GAME, DAMA)
        link = share(owner, study["id"])
        exported = form(owner, "/account/export")
        with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
            [entry] = json.loads(archive.read("account.json"))["studies"]
            assert entry["title"] == "Shots"
            text = archive.read(entry["file"]).decode()
        assert text == owner.http.get(f"/api/studies/{study['id']}/pdn").text
        form(owner, "/account/close", name=name, old=PASSWORD)
        with begin(server.app.state.damka.store.engine) as connection:
            for column in (StudyRow.id, StudyChapterRow.study_id):
                query = select(column).where(column == study["id"])
                assert connection.execute(query).first() is None
        assert get(owner, link).status_code == 404


def test_the_store_keeps_studies_apart(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    keep_apart(store)
    store.close()


def keep_apart(store: Store) -> None:
    """Exercise the database's functions; PostgreSQL runs the same."""
    text = rows.Content("A", GAME, "base=american", "American checkers")
    with store.transaction() as connection:
        one, two = (members.create(connection, name, None) for name in ("Ana", "Bea"))
        mine = rows.create(connection, one, "Mine", [text, text])
        hers = rows.create(connection, two, "Hers", [text])
        assert rows.usage(connection, one) == rows.Usage(1, 2 * len(GAME))
        assert rows.find(connection, two, mine) is None
        assert rows.own(connection, one, mine)
        assert not rows.own(connection, one, hers)
        link = rows.share(connection, mine, shared=True)
        assert link is not None
        found = rows.find(connection, None, link)
        assert found is not None
        chapter = found.chapters[1].id
        values = {"pdn": DAMA, "size": len(DAMA), "query": "base=dama64", "game": "dama64"}
        assert rows.change_chapter(connection, mine, chapter, values, 0)
        assert not rows.change_chapter(connection, mine, chapter, values, 0)
        assert rows.add_chapters(connection, mine, [text], 0)
        study = rows.find(connection, one, mine)
        assert study is not None
        assert [each.query for each in study.chapters][1:] == ["base=american", "base=dama64"]
        rows.set_removed(connection, mine, removed=True)
        assert [each.title for each in rows.list_studies(connection, one)] == []
        assert rows.purge(connection, one) == 0
        assert rows.purge(connection, one, at_once=True) == 1
        rows.delete_all(connection, two)
        assert rows.list_studies(connection, two) == []


@pytest.mark.parametrize("title", ["", " \u202e ", "x" * 101])
def test_bad_titles_are_refused(title: str) -> None:
    with pytest.raises(Problem):
        studies.study_title(title)
