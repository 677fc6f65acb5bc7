"""Usage errors have one format and suggest corrections; former names still work, with a note."""

from __future__ import annotations

import io
import os
from contextlib import chdir
from pathlib import Path
from unittest import mock

import pytest
from typer.main import get_command

from damka.cli import app
from damka.cli.renamed import _COMMANDS, _OPTIONS, current_options
from tests.cli.inside import damka, run_main


def run(*arguments: str, home: Path, typed: str = "") -> tuple[int, str, str]:
    """Run a command; return its exit status, standard output and standard error."""
    output, errors = io.StringIO(), io.StringIO()
    with chdir(home), mock.patch.dict(os.environ, HOME=str(home), COLUMNS="100", LC_ALL="C"):
        status = run_main(*arguments, typed=typed, output=output, errors=errors)
    return status, output.getvalue(), errors.getvalue()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("perft amercan 3", "unknown rule set 'amercan'. Did you mean 'american' or"),
        ("perft nosuch 3", "unknown rule set 'nosuch'. See `damka rules`."),
        ("rules rusian", "unknown rule set 'rusian'. Did you mean 'russian'"),
        ("rules new x.toml --from rusian", "unknown rule set 'rusian'. Did you mean 'russian'"),
        ("match random random --rules rusian", "unknown rule set 'rusian'"),
        ("pdn check x.pdn --read-as rusian", "unknown rule set 'rusian'"),
        ("anlyze start", "no such command: 'anlyze'. Did you mean 'analyze'?"),
        ("pdn sttas", "no such command: 'sttas'. Did you mean 'stats'?"),
        ("perft american 3 --divid", "no such option: --divid. Did you mean '--divide'?"),
        ("rules --lang xx", "--lang must be one of bg, en, it, sk, not 'xx'."),
        ("rules --json --lang xx", "--lang must be one of bg, en, it, sk, not 'xx'."),
        ("play --side frst", "--side must be one of first, second, random, not 'frst'. Did you"),
        ("pdn convert x.pdn --notation letters", "--notation must be one of numeric, algebraic,"),
        ("admin role Ana king", "ROLE must be one of member, arbiter, operator, not 'king'."),
        ("perft american", "missing argument DEPTH."),
        ("perft americna", "unknown rule set 'americna'. Did you mean 'american' or"),
        ("perft Russian", "missing argument DEPTH."),
        ("pdn split x.pdn", "missing option --output."),
        ("perft american three", "DEPTH must be a whole number."),
        ("perft american 3 --jobs 999", "--jobs must be at most 256."),
        ("match random random --games 1", "--games must be at least 2."),
        ("analyze start --time soon", "--time must be a number."),
        ("analyze start --time", "option '--time' requires an argument."),
        ("perft american 3 4", "got unexpected extra argument"),
        ("match random random --openings balots", "--openings must be random, ballots or a file"),
        ("dxp", "give one of --listen and --connect."),
        ("dxp --connect a:b:c", "--connect: 'a:b:c' is not an address"),
        ("train", "name a rule set or give --all."),
        ("admin ban", "give either the NAME of an account or --address."),
        ("admin ban Ana --until soon", "--until must be a day such as 2026-12-31 or a duration"),
        ("pdn filter x.pdn", "give at least one condition"),
        ("pdn split x.pdn -o folder", "give either --every or --by."),
        ("draw start --light-squares --dark-squares", "give one of --light-squares and --dark-"),
        ("serve --limit conections=5", "--limit: unknown limit 'conections'. Did you mean 'conne"),
        ("serve --house-rules nowhere", "--house-rules: nowhere is not a folder."),
    ],
)
def test_every_usage_error_has_the_same_format(command: str, message: str, tmp_path: Path) -> None:
    status, output, errors = run(*command.split(), home=tmp_path)
    assert (status, output) == (2, "")
    first, *more = errors.splitlines()
    assert first.startswith(f"damka: {message}")
    assert len(first) < 160, "it does not list all valid names"
    assert more[0].startswith("Usage: damka ")
    assert more[-1].startswith("Try `damka")
    assert more[-1].endswith("--help`.")


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("")
    message = "x.toml already exists (use --force to overwrite)."
    assert message in damka("rules", "new", "x.toml", home=tmp_path, status=2)
    (tmp_path / "x.json").write_text("")
    message = "x.json already exists (use --force to overwrite)."
    assert message in damka("play", "--two", "-o", "x.json", home=tmp_path, status=2)
    damka("play", "--two", "-o", "x.json", "--force", typed="quit\n", home=tmp_path)
    assert (tmp_path / "x.json").read_text("utf-8").startswith("{")


@pytest.mark.parametrize(
    ("command", "former", "new"),
    [
        (command, former, new.name)
        for command, renamed in _OPTIONS.items()
        for former, new in renamed.items()
    ],
)
def test_every_former_option_maps_to_an_existing_one(
    command: str, former: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    node = get_command(app)
    for word in command.split():
        node = node.commands[word]  # type: ignore[attr-defined]
    known = {name: each for each in node.params for name in each.opts}
    assert former not in known
    words = current_options(command, [former])
    note = capsys.readouterr().err
    if new:
        assert words == [new]
        assert new in known
        assert note.startswith(f"damka: note: {former} is now {new}")
    else:
        assert words == []
        assert note == f"damka: note: {former} is the default; leave it out\n"


def test_former_options_still_work(tmp_path: Path) -> None:
    status, output, errors = run("perft", "american", "3", "--threads", "1", home=tmp_path)
    assert status == 0
    assert output.startswith("302 leaves")
    assert errors == "damka: note: --threads is now --jobs\n"
    old = ("match", "random", "random", "--rules", "mini-american", "--games", "2")
    status, output, errors = run(
        *old, "--concurrency=1", "--pdn", "x.pdn", "--adjudicate", home=tmp_path
    )
    assert status == 0
    assert "2 games" in output
    assert (tmp_path / "x.pdn").read_text("utf-8").count("[Event ") == 2
    for note in ("--concurrency is now --jobs", "--pdn is now --output", "--adjudicate is the"):
        assert f"damka: note: {note}" in errors
    status, output, errors = run("pdn", "stats", "x.pdn", "-rmini-american", home=tmp_path)
    assert status == 0
    assert "damka: note: -r is now --read-as" in errors
    status, _, errors = run("analyze", "start", "-d", "1", "-s5", home=tmp_path)
    assert (status, errors) == (0, "damka: note: -s is now --time\n")
    command = ("play", "american", "--colour", "lot", "--save", "g.json", "--level", "1")
    status, _, errors = run(*command, home=tmp_path, typed="quit\n")
    assert status == 0
    assert (tmp_path / "g.json").exists()
    assert "--colour is now --side, lot is random" in errors
    status, _, errors = run("draw", "start", "-o", "a.svg", "--print", "--numbers", home=tmp_path)
    assert status == 0
    status, _, _ = run("draw", "start", "-o", "b.svg", "--light-squares", home=tmp_path)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_page_of_diagrams_may_have_dark_squares(tmp_path: Path) -> None:
    (tmp_path / "x.pdn").write_text('[GameType "21"] 1. 11-15 23-19 *', "utf-8")
    page = ("draw", "x.pdn", "--diagram-every", "1")
    damka(*page, "-o", "light.svg", home=tmp_path)
    damka(*page, "-o", "same.svg", "--light-squares", home=tmp_path)
    damka(*page, "-o", "dark.svg", "--dark-squares", home=tmp_path)
    damka(*page, "-o", "former.svg", "--no-print", home=tmp_path)
    light, same, dark, former = (
        (tmp_path / f"{name}.svg").read_bytes() for name in ("light", "same", "dark", "former")
    )
    assert light == same != dark == former


def test_former_options_are_not_replaced_in_arguments() -> None:
    assert current_options("perft", ["american", "--", "--threads"]) == [
        "american",
        "--",
        "--threads",
    ]
    assert current_options("match", ["--sprt", "-5,5"]) == ["--sprt", "-5,5"]
    assert current_options("pdn check", ["-"]) == ["-"]


def test_former_commands_still_work(tmp_path: Path) -> None:
    assert _COMMANDS["admin"] == {"right": "role"}
    output = damka("admin", "right", "--help", home=tmp_path)
    assert "damka: note: the command `admin right` is now `admin role`" in output
    assert "Usage: damka admin role" in output


def test_an_unknown_player_gets_a_suggestion(tmp_path: Path) -> None:
    output = damka("match", "enginee", "random", home=tmp_path, status=2)
    assert output.startswith("damka: unknown player 'enginee'; did you mean engine?")


def test_a_group_without_a_command_shows_the_help(tmp_path: Path) -> None:
    assert damka("pdn", home=tmp_path, status=2).startswith("Usage: damka pdn")
    assert damka(home=tmp_path).startswith("Usage: damka ")
