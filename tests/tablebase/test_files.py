"""Table files: folders, resumed builds, damage, and the command."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from damka import Board, tablebase
from damka.engine import Engine
from damka.errors import TablebaseError
from damka.rules import load
from damka.tablebase import BuildStep, Tablebases, find, folder_of, verify
from tests.cli.inside import DAMKA, damka

pytestmark = pytest.mark.native

SMALL = load("mini-american")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DAMKA_TABLEBASES", str(tmp_path))
    return tmp_path


@pytest.fixture
def built(tmp_path: Path) -> Path:
    tablebase.build(SMALL, 3, tmp_path)
    return tmp_path


def damage(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 0x40
    path.write_bytes(content)


class TestFolder:
    def test_the_environment_names_the_folder(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("DAMKA_TABLEBASES", str(tmp_path))
        assert folder_of(SMALL).parent == tmp_path
        monkeypatch.delenv("DAMKA_TABLEBASES")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
        assert tablebase.default_folder().is_relative_to(tmp_path / "data")

    def test_rule_sets_with_the_same_endings_share_a_folder(self) -> None:
        def place(name: str) -> Path:
            return folder_of(load(name), Path("x"))

        assert place("brazilian") == place("philippine")
        assert place("international") == place("dama100")
        assert place("international") != place("antidraughts")
        assert len({place(name) for name in ("frisian", "killer", "russian", "pool", "czech")}) == 5

    def test_an_empty_folder_has_no_tables(self, tmp_path: Path) -> None:
        tables = Tablebases(SMALL, tmp_path / "nowhere")
        assert (len(tables), tables.pieces) == (0, 0)
        assert tables.get_wdl(Board(SMALL, "W:W16:BK1")) is None
        assert find(SMALL, tmp_path / "nowhere") is None


class TestBuilding:
    def test_an_interrupted_build_is_resumed(self, tmp_path: Path) -> None:
        class InterruptedBuildError(Exception):
            pass

        def interrupt(step: BuildStep) -> None:
            if step.number == 6:
                raise InterruptedBuildError

        with pytest.raises(InterruptedBuildError):
            tablebase.build(SMALL, 3, tmp_path, on_step=interrupt)
        there = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.dtb")}
        assert len(there) == 5
        rest = tablebase.build(SMALL, 3, tmp_path)
        assert len(rest) == len(tablebase.materials(SMALL, 3)) - 5
        assert all(path.stat().st_mtime_ns == before for path, before in there.items())
        assert tablebase.build(SMALL, 3, tmp_path) == []

    @pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills as POSIX does")
    def test_a_killed_build_keeps_complete_tables(self, tmp_path: Path) -> None:
        program = subprocess.Popen(
            [DAMKA, "tablebase", "build", "american", "--jobs", "1"],
            env={**os.environ, "DAMKA_TABLEBASES": str(tmp_path)},
            stdout=subprocess.DEVNULL,
        )
        # All tables of two pieces and some of three; the rest would take seconds.
        while len(list(tmp_path.rglob("*.dtb"))) < 6 and program.poll() is None:
            time.sleep(0.01)
        program.kill()
        program.wait()
        before = sorted(path.name for path in tmp_path.rglob("*.dtb"))
        assert 6 <= len(before) < len(tablebase.materials(load("american"), 4))
        rules = load("american")
        built = tablebase.build(rules, 3, tmp_path, jobs=2)
        assert not {f"{material}.dtb" for material in built} & set(before)
        with Tablebases(rules, tmp_path) as tables:
            # One table of four pieces may have been built; it must be complete too.
            assert all(not verdict.faults for verdict in verify(tables, sample=2000))

    def test_several_threads_build_the_same_files(self, built: Path, tmp_path: Path) -> None:
        tablebase.build(SMALL, 3, tmp_path / "again", jobs=4)
        for path in (tmp_path / "again").rglob("*.dtb"):
            assert path.read_bytes() == (folder_of(SMALL, built) / path.name).read_bytes()

    def test_too_many_positions_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(TablebaseError, match="positions exceed the limit of a table"):
            tablebase.build(load("canadian"), 6, tmp_path)

    def test_a_folder_that_cannot_be_written_is_reported(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(TablebaseError, match="file"):
            tablebase.build(SMALL, 2, tmp_path / "file")


class TestDamage:
    def test_verify_checks_every_value(self, built: Path) -> None:
        with Tablebases(SMALL, built) as tables:
            verdicts = list(verify(tables))
        assert [v.material for v in verdicts] == list(tablebase.materials(SMALL, 3))
        assert all(v.checked == v.positions and not v.faults for v in verdicts)

    def test_verify_checks_a_sample(self, built: Path) -> None:
        with Tablebases(SMALL, built) as tables:
            verdicts = {v.material: v for v in verify(tables, sample=200)}
        assert not any(v.faults for v in verdicts.values())
        assert 200 < verdicts["KMvK"].checked < 900 < verdicts["KMvK"].positions

    def test_a_damaged_header_is_refused(self, built: Path) -> None:
        path = folder_of(SMALL, built) / "KKvK.dtb"
        damage(path, 60)
        with pytest.raises(TablebaseError, match=r"KKvK\.dtb: damaged"):
            Tablebases(SMALL, built)
        assert find(SMALL, built) is None

    @pytest.mark.parametrize(
        ("content", "fault"),
        [(b"", "not "), (b"no table", "not "), (b"DAMKATB\n", "incomplete: ")],
    )
    def test_a_file_that_is_not_a_table_is_refused(
        self, content: bytes, fault: str, built: Path
    ) -> None:
        (folder_of(SMALL, built) / "KKvK.dtb").write_bytes(content)
        with pytest.raises(TablebaseError, match=rf"KKvK\.dtb: {fault}"):
            Tablebases(SMALL, built)

    def test_damaged_values_are_detected_and_rebuilt(self, built: Path) -> None:
        path = folder_of(SMALL, built) / "KKvK.dtb"
        whole = path.read_bytes()
        damage(path, len(whole) - 60)
        with Tablebases(SMALL, built) as tables:
            faults = {v.material: v.faults for v in verify(tables) if v.faults}
            assert any("wrong checksum" in fault for fault in faults["KKvK"])
            assert any("block" in fault for fault in faults["KKvK"])
            wrong = 0
            for square in range(1, 17):
                board = Board(SMALL, f"W:WK{square}:BK17,K18")
                try:
                    tables.get_wdl(board)
                except TablebaseError:
                    wrong += 1
            assert wrong
        assert tablebase.build(SMALL, 3, built) == ["KKvK"]
        assert path.read_bytes() == whole

    def test_a_file_truncated_while_open_is_damaged(self, built: Path) -> None:
        """Another program may truncate the file; reading it then must not kill the process."""
        path = folder_of(SMALL, built) / "KKvK.dtb"
        engine = Engine(1, tablebases=built)
        engine.search(Board(SMALL, "W:WK1:BK17,K18"), depth=2)
        with Tablebases(SMALL, built) as tables:
            os.truncate(path, 600)
            assert engine.search(Board(SMALL, "W:WK2:BK16,K18"), depth=4).move is not None
            wrong = 0
            for square in range(1, 17):
                try:
                    tables.get_wdl(Board(SMALL, f"W:WK{square}:BK17,K18"))
                except TablebaseError:
                    wrong += 1
            assert wrong
            faults = {v.material: v.faults for v in verify(tables) if v.faults}
            assert any("incomplete" in fault for fault in faults["KKvK"])
        assert tablebase.build(SMALL, 3, built) == ["KKvK"]

    def test_tables_of_other_rules_are_refused(self, built: Path) -> None:
        other = folder_of(load("mini-international"), built)
        folder_of(SMALL, built).rename(other)
        with pytest.raises(TablebaseError, match="a table for other rules"):
            Tablebases("mini-international", built)


class TestCommand:
    def test_build_verify_info_probe(self, folder: Path) -> None:
        build = ("tablebase", "build", "mini-american", "--pieces", "3")
        assert damka(*build, home=folder).startswith("9 tables built, 9 in total, ")
        assert damka(*build, home=folder).startswith("0 tables built, 9 in total, ")
        output = damka("tablebase", "verify", "mini-american", home=folder)
        assert output.endswith("checked: nothing wrong\n")
        output = damka("tablebase", "info", "mini-american", home=folder)
        assert "9 tables in " in output
        assert "KKvM" in output
        output = damka("tablebase", "probe", "mini-american", "W:W5:B3", home=folder)
        first, *moves = output.splitlines()
        assert first.endswith(("a draw", "plies"))
        assert len(moves) == len(Board(SMALL, "W:W5:B3").legal_moves)

    def test_verify_reports_damage(self, folder: Path, built: Path) -> None:
        path = folder_of(SMALL, built) / "KvK.dtb"
        damage(path, path.stat().st_size - 20)
        output = damka("tablebase", "verify", "mini-american", home=folder, status=1)
        assert "KvK: " in output
        assert not output.endswith("nothing wrong\n")

    def test_missing_tables_are_reported(self, folder: Path) -> None:
        verify = ("tablebase", "verify", "american")
        assert "no endgame tablebases in" in damka(*verify, home=folder, status=2)
        probe = ("tablebase", "probe", "american", "W:WK18:BK1")
        output = damka(*probe, home=folder, status=2)
        assert output.startswith("damka: no endgame tablebase of KvK in ")
