"""The help of every command: short summaries in groups, consistent names, plain lines."""

from __future__ import annotations

import itertools
import re
import shlex
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from damka.cli import app
from damka.cli.help import GROUPS
from tests.cli.inside import DAMKA, damka

ROOT = get_command(app)


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield every command with its words, groups first."""
    yield name, command
    for word, each in getattr(command, "commands", {}).items():
        yield from commands(each, f"{name} {word}")


COMMANDS = dict(commands(ROOT, "damka"))
LEAVES = {name: each for name, each in COMMANDS.items() if not hasattr(each, "commands")}


def options(command: Any) -> Iterator[Any]:
    return (each for each in command.params if each.param_type_name == "option")


def help_of(name: str, home: Path, columns: int = 80) -> str:
    """Return the help of a command on a terminal of this width."""
    completed = subprocess.run(
        [DAMKA, *name.split()[1:], "--help"],
        cwd=home,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home), "COLUMNS": str(columns)},
        capture_output=True,
        text=True,
        check=True,
    )
    return completed.stdout


# Help texts


def test_the_first_lines_describe_the_program_and_its_commands(tmp_path: Path) -> None:
    texts = {
        "": "Play and study draughts (checkers, dama) by the exact rules of any variant.",
        "train": "Train an evaluation by self-play.",
        "bench": "Benchmark the engine and print its signature (node count).",
        "match": "Play a match between two engines or levels and report the Elo difference.",
        "pdn": "FILE may be of any size; - reads standard input. Errors are reported on standard "
        "error,",
        "pdn convert": "Convert a PDN file to standard PDN, another notation, or JSON.",
        "pdn filter": "Select the games that match all the given conditions.",
        "serve": "Health check: /readyz. Metrics: /metrics. API documentation: /api.",
        "admin role": "Set an account's role (member, arbiter, operator).",
    }
    for command, text in texts.items():
        output = damka(*command.split(), "--help", home=tmp_path)
        assert text in " ".join(output.split()), command


def test_options_are_described_in_the_usual_words(tmp_path: Path) -> None:
    texts = {
        "serve": "Database URL (SQLAlchemy). [env: DAMKA_DATABASE_URL] "
        "[default: an SQLite file in your data folder]",
        "train": "Train every rule set that has no weights.",
        "dxp": "Seconds per move in games without a time limit.",
        "match": "Random seed.",
        "analyze": "Search depth in plies (1 to 100).",
        "admin list": "List active bans, including IP addresses.",
        "perft": 'Print JSON. See "JSON output" in the docs.',
    }
    for command, text in texts.items():
        output = damka(*command.split(), "--help", home=tmp_path)
        assert text in " ".join(output.split()), command


def test_the_docs_have_the_page_that_the_help_refers_to() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "json-output.md"
    assert page.read_text("utf-8").startswith("# JSON output\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_begins_with_a_one_line_summary(name: str) -> None:
    first = COMMANDS[name].help.splitlines()[0]
    assert re.match(r"[A-Z][a-z]+,? ", first), "a verb"
    assert first.endswith(".")
    assert len(first) <= 80


@pytest.mark.parametrize("name", LEAVES)
def test_every_option_is_described_in_a_sentence(name: str) -> None:
    for parameter in COMMANDS[name].params:
        text = getattr(parameter, "help", None)
        assert text, parameter.name
        assert text.endswith("."), text
        assert text[0].isupper(), text
        assert "given again" not in text


def test_repeatable_options_are_marked() -> None:
    for command in LEAVES.values():
        for option in options(command):
            assert getattr(option, "multiple", False) == ("repeatable" in option.help), option.name


# Access to the help


@pytest.mark.parametrize("name", ["", "pdn", "pdn check", "rules", "perft"])
def test_h_and_help_show_the_help(name: str, tmp_path: Path) -> None:
    words = name.split()
    output = damka(*words, "--help", home=tmp_path)
    assert damka(*words, "-h", home=tmp_path) == output
    assert damka("help", *words, home=tmp_path) == output
    assert output.startswith("Usage: damka")


def test_help_of_an_unknown_command_suggests_one(tmp_path: Path) -> None:
    output = damka("help", "pdn", "chek", home=tmp_path, status=2)
    assert output.startswith("damka: no such command: 'chek'. Did you mean 'check'?\n")


# Commands


def test_commands_are_in_groups(tmp_path: Path) -> None:
    output = damka(home=tmp_path)
    places = [output.index(f"\n{title}:\n") for title in GROUPS]
    assert places == sorted(places)
    listed = re.findall(r"^  (\w+(?: \w+)?)  +[A-Z]", output, re.MULTILINE)
    visible = {name for name, each in ROOT.commands.items() if not each.hidden}  # type: ignore[attr-defined]
    assert set(listed) == visible
    assert listed[:4] == ["serve", "play", "analyze", "draw"]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in LEAVES])
def test_every_command_has_a_one_line_summary(name: str, tmp_path: Path) -> None:
    """The list fits 80 columns, so a summary has about 60 characters."""
    output = help_of(name, tmp_path)
    for word, each in COMMANDS[name].commands.items():
        if not each.hidden:
            line = re.search(rf"^  {word}  +(\S.*)$", output, re.MULTILINE)
            assert line, word
            assert line[1].endswith("."), line[1]
            assert len(line[1]) <= 64, line[1]
            assert not re.search(r"[:;]", line[1]), "one clause"


# Lines


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("name", ["damka", "damka serve", "damka train", "damka pdn filter"])
def test_no_line_is_longer_than_the_terminal(name: str, columns: int, tmp_path: Path) -> None:
    for line in help_of(name, tmp_path, columns).splitlines():
        assert len(line) < columns, line


@pytest.mark.parametrize("name", COMMANDS)
def test_option_texts_fill_their_lines(name: str) -> None:
    """No line has room for the first word of the next."""
    command = COMMANDS[name]
    with command.make_context(name, [], resilient_parsing=True) as context:
        formatter = context.make_formatter()
        formatter.width = 78
        command.format_help(context, formatter)
    lines = formatter.getvalue().splitlines()
    for line, after in itertools.pairwise(lines):
        continued = after.startswith(" " * 8) and "damka " not in line
        if continued and not line.endswith(":"):
            assert len(line) + 1 + len(after.split()[0]) > 78 or line.startswith("  -"), after


@pytest.mark.parametrize("name", COMMANDS)
def test_metavars_have_one_style_and_switches_none(name: str, tmp_path: Path) -> None:
    output = damka(*name.split()[1:], "--help", home=tmp_path)
    assert not re.search(r"[<{]", output.replace("<14, 29>", "")), "no types, no braces"
    for parameter in COMMANDS[name].params:
        if parameter.name in {"help", "install_completion", "show_completion", "version"}:
            continue
        if getattr(parameter, "is_flag", False):
            assert parameter.metavar is None
            continue
        assert parameter.metavar, parameter.name
        words = re.split(r"[|=:,\[\]]|\.\.\.", parameter.metavar)
        for word in filter(None, words):
            choice = word.islower() and "|" in parameter.metavar
            assert choice or re.fullmatch(r"[A-Z][A-Z0-9]*", word), parameter.metavar


# Examples


@pytest.mark.parametrize("name", LEAVES)
def test_help_ends_with_an_example_whose_options_exist(name: str) -> None:
    lines = [line.strip() for line in COMMANDS[name].help.strip().splitlines()]
    examples = [line.removeprefix("Example:  ") for line in lines if line.startswith("Example:")]
    assert examples
    assert lines[-1].startswith("Example:")
    typed = "damka rules" if name == "damka rules show" else name
    known = {word for parameter in COMMANDS[name].params for word in parameter.opts}
    for example in examples:
        command = example.partition("  # ")[0]
        assert f"{command} ".startswith(f"{typed} ")
        assert {word for word in shlex.split(command) if word.startswith("-")} <= known


@pytest.mark.parametrize("command", ["serve", "play", "rules"])
def test_examples_name_the_program_and_not_its_path(command: str, tmp_path: Path) -> None:
    output = help_of(f"damka {command}", tmp_path)
    assert re.search(rf"^  damka {command}", output, re.MULTILINE)
    assert DAMKA not in output
    assert output.startswith(f"Usage: damka {command} ")


def test_a_long_example_is_one_command_in_several_lines(tmp_path: Path) -> None:
    output = help_of("damka serve", tmp_path)
    joined = re.sub(r" \\\n +", " ", output)
    example = "damka serve --no-browser --allow-host dama.example --trusted-proxy 127.0.0.1"
    assert example not in output
    assert example in joined


# Names of options


def test_common_options_have_the_same_name_everywhere() -> None:
    """Options for parallelism, time per move, output file, and skipping confirmation."""
    former = {"--threads", "--workers", "--concurrency", "--seconds", "--save", "--pdn", "--yes"}
    names = {name for command in LEAVES.values() for each in options(command) for name in each.opts}
    assert not former & names
    with_jobs = {"analyze", "perft", "hub", "dxp", "match", "train"}
    for command, option in [
        *((f"damka {name}", "--jobs") for name in with_jobs),
        *((f"damka {name}", "--time") for name in ("analyze", "dxp", "match")),
        *((f"damka {name}", "--output") for name in ("analyze", "draw", "play", "match", "dxp")),
        *((f"damka pdn {name}", "--output") for name in ("convert", "split", "filter")),
        *((f"damka admin {name}", "--force") for name in ("backup", "restore")),
        ("damka play", "--force"),
        ("damka rules new", "--force"),
        ("damka tablebase build", "--jobs"),
        ("damka tablebase verify", "--jobs"),
    ]:
        assert option in {name for each in options(COMMANDS[command]) for name in each.opts}, (
            command
        )


def test_an_option_name_has_the_same_meaning_everywhere() -> None:
    """An option has the same short name, type and number of values everywhere."""
    kinds_of: dict[str, set[object]] = defaultdict(set)
    for command in LEAVES.values():
        for option in options(command):
            short = tuple(name for name in option.opts if not name.startswith("--"))
            metavar = option.metavar
            if option.opts[0] == "--output" and metavar == "FOLDER":
                metavar = "FILE"  # The output of a command: `pdn split` writes several files.
            kinds_of[max(option.opts, key=len)].add((metavar, option.is_flag))
            assert len(short) <= 1
    assert {name: kinds for name, kinds in kinds_of.items() if len(kinds) > 1} == {}
    for command in ("check", "convert", "split", "filter", "stats"):
        names = {name for each in options(COMMANDS[f"damka pdn {command}"]) for name in each.opts}
        assert "--read-as" in names
        assert ("--rules" in names) == (command == "filter")


def test_switches_have_no_negative_form() -> None:
    for name, command in COMMANDS.items():
        for option in options(command):
            assert not option.secondary_opts, (name, option.opts)


def test_required_options_are_marked(tmp_path: Path) -> None:
    for command in ("admin prune", "pdn split"):
        assert "[required]" in damka(*command.split(), "--help", home=tmp_path)


def test_aliases_of_variables_are_hidden(tmp_path: Path) -> None:
    output = " ".join(damka("serve", "--help", home=tmp_path).split())
    assert "[env: DAMKA_DATABASE_URL]" in output
    assert "DAMKA_DATABASE," not in output
    assert "DAMKA_DATABASE]" not in output
