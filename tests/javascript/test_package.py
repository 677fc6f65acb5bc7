"""The npm package: types, files, size and data."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tools.js_package import build, data, sizes

from damka import Board
from damka.engine.weights import shipped
from tests.javascript.support import HERE, PACKAGE, ROOT, built

OPTIONS = {
    "target": "es2022",
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["es2022", "dom", "dom.iterable"],
    "types": [],
    "strict": True,
    "noEmit": True,
    "noUnusedLocals": True,
    "exactOptionalPropertyTypes": True,
    "skipLibCheck": False,
    "allowJs": True,
    "checkJs": True,
}


def run(*command: str, cwd: Path) -> str:
    completed = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, check=False, timeout=300
    )
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return completed.stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project folder with the package linked into node_modules."""
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "damka").symlink_to(built())
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    return tmp_path


@pytest.mark.parametrize("resolution", ["bundler", "nodenext"])
def test_the_types_pass_strict_checks(project: Path, resolution: str) -> None:
    """Check a TypeScript page and the example, including the declarations."""
    shutil.copy(HERE / "consumer.ts", project)
    shutil.copy(PACKAGE / "example" / "example.js", project)
    module = "nodenext" if resolution == "nodenext" else "esnext"
    options = {**OPTIONS, "module": module, "moduleResolution": resolution}
    config = {"compilerOptions": options, "files": ["consumer.ts", "example.js"]}
    (project / "tsconfig.json").write_text(json.dumps(config), "utf-8")
    run(str(ROOT / "node_modules/.bin/tsc"), "-p", ".", cwd=project)


def test_the_package_is_imported_by_name(project: Path) -> None:
    script = (
        'import { Board, loadRules } from "damka";'
        'const board = new Board(await loadRules("dama64"));'
        "console.log(board.push(board.legalMoves[0]).text, board.search({depth: 3}).move.text)"
    )
    (project / "page.mjs").write_text(script, "utf-8")
    first, second = run("node", "page.mjs", cwd=project).split()
    board = Board("dama64")
    assert first == board.text(board.push(board.legal_moves[0]))
    assert second in {board.text(move) for move in board.legal_moves}


def test_npm_packs_all_files(tmp_path: Path) -> None:
    output = run(
        "npm", "pack", "--json", "--pack-destination", str(tmp_path), str(built()), cwd=ROOT
    )
    [packed] = json.loads(output)
    assert packed["name"] == "damka"
    files = {each["path"] for each in packed["files"]}
    needed = {"index.js", "index.d.ts", "element/element.js", "element/element.d.ts"}
    needed |= {"search_worker.js", "damka.wasm", "damka-simd.wasm", "LICENSE", "README.md"}
    needed |= {f"weights/{name}" for name, _ in shipped.index()}
    needed |= {"example/index.html", "example/example.js", "example/example.css"}
    assert needed <= files
    whole = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*") if path.is_file()}
    assert files == whole


def test_the_package_is_within_its_size_limit() -> None:
    _, largest = sizes.report(built())
    assert largest <= sizes.MOST == 350_000


def test_the_build_is_up_to_date() -> None:
    """If this fails, run `make js`."""
    assert data.module() == (build.MODULES / "rules_data.js").read_text("utf-8")
    for path in (ROOT / "js").glob("*.js"):
        assert path.read_text("utf-8") == (build.MODULES / path.name).read_text("utf-8"), path.name
    assert f"export const STYLE = {json.dumps(build.style())};\n" == (
        build.MODULES / "element" / "style.js"
    ).read_text("utf-8")
    for variant in ("damka.wasm", "damka-simd.wasm"):
        assert (PACKAGE / variant).read_bytes() == (ROOT / "build/wasm" / variant).read_bytes()


def test_the_weights_match_the_library() -> None:
    for name, _ in shipped.index():
        assert (PACKAGE / "weights" / name).read_bytes() == (shipped.folder() / name).read_bytes()


def test_the_guides_first_examples_use_one_notation_each(project: Path) -> None:
    """The first uses only numbers, the second only algebraic notation."""
    guide = (ROOT / "docs" / "build" / "javascript.md").read_text("utf-8")
    numbers, letters = re.findall(r"```javascript\n(.*?)```", guide, re.DOTALL)[:2]
    for block, own, other in (
        (numbers, r"\d+[-x]\d+", r"\b[a-h]\d\b"),
        (letters, r"[a-h]\d[-:][a-h]\d", r"\d[-x]\d"),
    ):
        (project / "page.mjs").write_text(block, "utf-8")
        output = run("node", "page.mjs", cwd=project)
        for text in (block, output):
            assert re.search(own, text)
            assert not re.search(other, text)
        commented = re.findall(r'// (?:\["|")(.+?)[",…]', block)
        assert commented
        assert all(first in output for first in commented)
