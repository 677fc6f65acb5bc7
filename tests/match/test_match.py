"""Complete matches: pairs with swapped colours, files, continuation, forfeits."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from damka import Game, Move, pdn
from damka.engine import WIN, SearchLimits
from damka.errors import MatchError
from damka.match import AdjudicationRules, MatchGame, MatchSettings, Sprt, create, run, store
from damka.notation import labels
from damka.rules import load, names
from damka.tablebase import build

SMALL = MatchSettings("level:5", "random", load("mini-american"), SearchLimits())


def games_of(settings: MatchSettings, games: int, **options: object) -> list[MatchGame]:
    played: list[MatchGame] = []
    run(settings, games=games, on_game=lambda game, _: played.append(game), **options)  # type: ignore[arg-type]
    return played


class TestGames:
    def test_every_opening_is_played_with_both_colours(self) -> None:
        played = games_of(SMALL, 8)
        assert [game.number for game in played] == list(range(8))
        for one, other in zip(played[::2], played[1::2], strict=True):
            assert one.opening == other.opening
            assert '[White "random"]\n[Black "level:5"]' in one.pdn  # Black starts
            assert '[White "level:5"]\n[Black "random"]' in other.pdn
        assert len({game.opening for game in played}) == 4

    def test_the_same_seed_yields_the_same_games(self) -> None:
        def outcomes(seed: int) -> list[tuple[str, int, float]]:
            return [
                (game.opening, game.plies, game.points)
                for game in games_of(replace(SMALL, seed=seed), 6)
            ]

        assert outcomes(1) == outcomes(1) != outcomes(2)

    def test_several_processes_play_the_same_games(self) -> None:
        sequential = {game.number: (game.plies, game.points) for game in games_of(SMALL, 6)}
        parallel = games_of(SMALL, 6, concurrency=2)
        assert {game.number: (game.plies, game.points) for game in parallel} == sequential

    def test_a_sequential_test_ends_the_match(self) -> None:
        test = Sprt(0, 100)
        score = run(SMALL, games=400, sprt=test)
        assert score.games < 100
        assert test.verdict(score.pairs) is True

    @pytest.mark.parametrize("name", names())
    def test_records_of_every_rule_set_can_be_read(self, name: str) -> None:
        settings = MatchSettings(
            "level:2",
            "oneply",
            load(name),
            SearchLimits(),
            adjudication=AdjudicationRules(plies=60),
        )
        for game in games_of(settings, 2):
            again = replayed(game)
            [read] = pdn.read(game.pdn)
            assert read.rules == settings.rules
            assert [node.move for node in read.mainline()] == [ply.move for ply in again.history]


@pytest.mark.parametrize("name", ["international", "american", "dama64"])
def test_the_first_levels_beat_random_moves_but_not_always(name: str) -> None:
    """A beginner must be able to win. The games are reproducible."""
    one, two = (
        run(MatchSettings(level, "random", load(name), SearchLimits()), games=40).points
        for level in ("level:1", "level:2")
    )
    assert 0.5 <= one <= 0.8
    assert two >= 0.8


def replayed(game: MatchGame) -> Game:
    """Replay a record that is parsed without the library."""
    head, _, moves = game.pdn.partition("\n\n")
    tags = dict(re.findall(r'\[(\w+) "(.*)"\]', head))
    kind, first, width, height, notation, inverted = tags["GameType"].split(",")
    rules = next(
        rules
        for rules in map(load, names())
        if tags["Event"].startswith(f"{rules.title_in('en')}:")
    )
    assert (rules.game_type, rules.first) == (int(kind), first)
    assert (rules.width, rules.height, rules.notation) == (int(width), int(height), notation)
    assert int(inverted) == (rules.squares == "dark" and rules.dark_corner == "right")
    again = Game(rules)
    # A huff is written as a comment, followed by the position without the piece.
    moves = re.sub(r'/FEN "[^"]*"/|\b[0-9]+\.+(?=\s)', "", moves)
    words = moves.replace("{[%huff ", "{").replace("]}", "}").split()
    huff = ""
    for word in words[:-1]:
        if word.startswith("{"):
            huff = f"({labels(rules).read(word[1:-1])}) "
        else:
            again.play(huff + labels(rules).read(word))
            huff = ""
    assert len(again.history) == int(tags["PlyCount"])
    assert words[-1] == tags["Result"]
    if tags["Termination"] == "normal":
        assert again.result is not None
        assert again.result.reason == tags["Reason"]
        won = {"1-0": "W", "2-0": "W", "0-1": "B", "0-2": "B"}
        assert again.result.winner == won.get(tags["Result"])
    else:
        assert again.result is None
    return again


def children_of(process: int) -> list[int]:
    """Return the child processes of a process, where the system lists them."""
    children = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in children.read_text().split()] if children.exists() else []


def test_a_missing_game_of_a_pair_gets_the_opening_of_the_other() -> None:
    earlier = replace(games_of(SMALL, 2)[1], opening="4-7")
    (played,) = games_of(SMALL, 2, earlier=[earlier])
    assert (played.number, played.opening) == (0, "4-7")


class TestFile:
    def test_records_round_trip(self, tmp_path: Path) -> None:
        played = games_of(SMALL, 4)
        file = tmp_path / "match.pdn"
        file.write_text("".join(game.pdn for game in played), "utf-8")
        read = store.read(file, str(SMALL))
        assert [replace(game, seconds=(0, 0), pdn="") for game in played] == [
            replace(game, seconds=(0, 0)) for game in read
        ]

    def test_an_incomplete_record_is_cut_off(self, tmp_path: Path) -> None:
        one, other = (game.pdn.encode() for game in games_of(SMALL, 2))
        file = tmp_path / "match.pdn"
        for end in range(0, len(other), 7):
            file.write_bytes(one + other[:end])
            assert [game.number for game in store.read(file, str(SMALL))] == [0]
            assert file.read_bytes() == one

    def test_a_file_of_another_match_is_refused_and_not_changed(self, tmp_path: Path) -> None:
        file = tmp_path / "match.pdn"
        file.write_text("".join(game.pdn for game in games_of(SMALL, 2)), "utf-8")
        before = file.read_bytes()
        with pytest.raises(MatchError, match="belongs to another match"):
            store.read(file, str(replace(SMALL, seed=1)))
        file.with_name("no.pdn").write_text("not PDN\n")
        with pytest.raises(MatchError, match="not a match file"):
            store.read(file.with_name("no.pdn"), str(SMALL))
        assert file.read_bytes() == before

    def test_a_killed_match_continues(self, tmp_path: Path) -> None:
        command = (
            *(str(Path(sys.executable).parent / "damka"), "match", "level:5", "oneply"),
            *("--rules", "mini-american", "--games", "30", "--output", "match.pdn"),
        )
        file = tmp_path / "match.pdn"
        with subprocess.Popen(
            (*command, "--jobs", "2"),
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as match:
            until = time.monotonic() + 60
            while not (file.exists() and file.read_bytes().count(b"[Event") > 4):
                assert time.monotonic() < until
                assert match.poll() is None
                time.sleep(0.002)
            children = children_of(match.pid)
            match.kill()
        while children:
            assert time.monotonic() < until
            children = [child for child in children if Path(f"/proc/{child}").exists()]
        before = file.read_bytes()
        completed = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=100
        )
        assert re.search(r"continuing after \d+ games", completed.stderr)
        assert "30 games: " in completed.stdout
        assert file.read_bytes().startswith(before[: before.rfind(b"[Event")])
        settings = replace(
            SMALL,
            second="oneply",
            limits=SearchLimits(seconds=0.2),
            adjudication=AdjudicationRules(),
        )
        read = {game.number: game for game in store.read(file, str(settings))}
        whole = games_of(settings, 30)
        assert [replace(read[game.number], seconds=(0, 0)) for game in whole] == [
            replace(game, seconds=(0, 0), pdn="") for game in whole
        ]


def faulty(game: Game) -> Move:
    """Play an illegal move."""
    del game
    return Move(1, 32)


def broken(game: Game) -> Move:
    """Raise an error."""
    del game
    raise RuntimeError("out of order")


def first_one(game: Game) -> Move:
    """Play the first move."""
    return game.legal_moves[0]


class TestPlayers:
    @pytest.mark.parametrize(
        ("spec", "message"),
        [
            ("tea", "unknown player 'tea'"),
            ("level:11", "expected level:1 to level:10"),
            ("level", "expected level:1 to level:10"),
            ("engine", "needs a limit"),
            ("engine:nodes", "expected nodes=VALUE"),
            ("engine:nodes=many", "nodes: expected a number, not 'many'"),
            ("engine:nodes=5,tablebases=/no/such", "no such folder: '/no/such'"),
            ("engine:nodes=5,tea=3", "unknown option 'tea'"),
            ("engine:depth=0", "depth: 1 to 100"),
            ("random:3", "no options"),
            ("python:no_such_module:player", "no_such_module"),
            ("python:damka", "expected python:module:function"),
            ("python:damka.match.store:missing", "missing"),
        ],
    )
    def test_an_invalid_player_is_reported(self, spec: str, message: str) -> None:
        with pytest.raises(MatchError, match=re.escape(message)):
            create(spec)

    @pytest.mark.parametrize("name", ["faulty", "broken"])
    def test_three_consecutive_forfeits_end_the_match(self, name: str) -> None:
        settings = replace(SMALL, first=f"python:{__name__}:{name}")
        played: list[MatchGame] = []
        with pytest.raises(MatchError, match="3 consecutive games were forfeited: python"):
            run(settings, games=20, on_game=lambda game, _: played.append(game))
        assert [(game.points, game.termination) for game in played] == [(0, "forfeit")] * 3

    def test_a_function_plays(self) -> None:
        settings = replace(SMALL, second=f"python:{__name__}:first_one")
        assert {game.termination for game in games_of(settings, 4)} == {"normal"}

    def test_endgame_tables_are_used_unless_turned_off(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        build(SMALL.rules, 3, tmp_path)
        monkeypatch.setenv("DAMKA_TABLEBASES", str(tmp_path))

        def finds_win(spec: str) -> bool:
            """Return whether a shallow search finds a win many plies away."""
            answer = create(spec).choose(Game(SMALL.rules, "W:WK15,K17:BK1"), None)
            assert answer.score is not None
            return answer.score > WIN - 100

        assert finds_win("engine:depth=1")
        assert not finds_win("engine:depth=1,tablebases=none")

    def test_limits_of_a_player_override_those_of_the_match(self) -> None:
        player = create("engine:nodes=3000,hash_mb=2", SearchLimits(nodes=10))
        started = time.perf_counter()
        player.begin(1)
        player.choose(Game("american"), None)
        assert time.perf_counter() - started < 5


@pytest.mark.parametrize(("games", "concurrency"), [(0, 1), (3, 1), (2, 0)])
def test_numbers_out_of_range_are_refused(games: int, concurrency: int) -> None:
    with pytest.raises(MatchError, match=r"expected|1 or more"):
        run(SMALL, games=games, concurrency=concurrency)
