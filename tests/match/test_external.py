"""External players: Hub and DXP engines, and commits of the repository."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from damka import Game
from damka.engine import Decision, SearchLimits
from damka.engine.dxp import MARK, GameRequest
from damka.engine.dxp.message import parse
from damka.errors import MatchError
from damka.match import MatchGame, MatchSettings, checkouts, create, run
from damka.match.play import close
from damka.rules import load
from tests.engine.dxp.hosts import RESIGNS, damka_at, engine_at, scripted

DAMKA = Path(sys.executable).parent / "damka"
RULES = load("mini-american")


def test_a_hub_engine_plays_a_match() -> None:
    settings = MatchSettings(
        f"hub:{DAMKA} hub {RULES.name}", "random", RULES, SearchLimits(nodes=500)
    )
    games: list[MatchGame] = []
    score = run(settings, games=4, on_game=lambda game, _: games.append(game))
    assert score.points > 0.7
    assert {game.termination for game in games} <= {"normal", "adjudication"}
    assert min(game.seconds[0] for game in games) > 0


def test_the_reported_score_of_an_engine_is_used() -> None:
    player = create(f"hub:{DAMKA} hub {RULES.name}", SearchLimits(nodes=500), RULES)
    try:
        answer = player.choose(Game(RULES, "W:WK18:B3"), None)
    finally:
        player.close()
    assert answer.score is not None
    assert answer.score > 0


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("hub:", "expected hub:COMMAND"),
        ("hub:/no/such/program", "/no/such/program"),
        ("dxp", "expected dxp:HOST:PORT"),
        ("dxp:127.0.0.1:1", "127.0.0.1"),
        ("commit", "expected commit:HASH"),
        ("commit:no-such-commit", "git rev-parse no-such-commit"),
        ("commit:--help", "git rev-parse --help"),
    ],
)
def test_a_missing_engine_is_reported(spec: str, message: str) -> None:
    with pytest.raises(MatchError, match=re.escape(message)):
        create(spec, SearchLimits(nodes=10))


class TestDxp:
    def test_an_engine_plays_a_match(self) -> None:
        rules = load("dama64")
        with engine_at(damka_at("dama64")) as address:
            settings = MatchSettings(f"dxp:{address}", "random", rules, SearchLimits(seconds=1))
            games: list[MatchGame] = []
            try:
                score = run(settings, games=2, on_game=lambda game, _: games.append(game))
            finally:
                close()
        assert score.points == 1
        assert {game.termination for game in games} == {"normal"}

    def test_an_engine_receives_the_time_limit_of_the_match(self) -> None:
        messages: list[bytes] = []
        with engine_at(scripted(*RESIGNS, received=messages)) as address:
            player = create(f"dxp:{address}", SearchLimits(seconds=3), load("russian"))
            try:
                assert player.choose(Game("russian")) == Decision(resign=True)
            finally:
                player.close()
        request = parse(messages[0].removesuffix(MARK).decode("ascii"), 32)
        assert isinstance(request, GameRequest)
        assert request.minutes == 3

    def test_an_engine_that_resigns_loses_and_plays_the_next_game(self) -> None:
        with engine_at(scripted(*4 * RESIGNS)) as address:
            settings = MatchSettings(
                f"dxp:{address}", "random", load("russian"), SearchLimits(seconds=1)
            )
            games: list[MatchGame] = []
            try:
                score = run(settings, games=4, on_game=lambda game, _: games.append(game))
            finally:
                close()
        assert (score.games, score.points) == (4, 0)
        assert {game.termination for game in games} == {"normal"}
        assert {game.reason for game in games} == {"resignation"}


class TestCommit:
    @pytest.fixture
    def repository(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """Return a repository of two commits; `make build` of the first installs this program."""
        home = tmp_path / "repository"
        home.mkdir()

        def git(*arguments: str) -> None:
            who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
            subprocess.run(["git", *who, *arguments], cwd=home, check=True, capture_output=True)

        git("init", "-q")
        (home / "damka").write_text(f'#!/bin/sh\nexec {DAMKA} "$@"\n')
        (home / "damka").chmod(0o755)
        (home / "Makefile").write_text(
            "build:\n\techo built >>../built\n\tmkdir -p .venv/bin\n\tcp damka .venv/bin\n"
        )
        git("add", ".")
        git("commit", "-qm", "good")
        (home / "Makefile").write_text("build:\n\t@echo no compiler; exit 3\n")
        git("commit", "-qam", "bad")
        monkeypatch.setattr(checkouts, "_ROOT", home)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        return tmp_path

    def test_a_commit_is_built_once_and_plays(self, repository: Path) -> None:
        settings = MatchSettings("commit:HEAD^", "random", RULES, SearchLimits(nodes=500))
        assert run(settings, games=2).points > 0.5
        assert checkouts.executable_of("HEAD^").exists()
        built = repository / "cache" / "damka" / "commits" / "built"
        assert built.read_text() == "built\n"

    def test_the_output_of_a_failed_build_is_shown(
        self, repository: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        del repository
        # As under `make test`, whose own messages must not appear in the build's output.
        monkeypatch.setenv("MAKELEVEL", "1")
        with pytest.raises(MatchError, match=r"cannot be built in .*\n.*no compiler"):
            create("commit:HEAD", SearchLimits(nodes=10))

    def test_older_commits_do_not_play_house_rules(self) -> None:
        with pytest.raises(MatchError, match="only shipped rule sets"):
            create("commit:HEAD", SearchLimits(nodes=10), RULES.replace(name="mine"))
