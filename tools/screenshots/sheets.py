"""Contact sheets: pictures of a state side by side, and an index page with filters."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from tools.screenshots.checks import Finding
from tools.screenshots.looks import Look, Looks
from tools.screenshots.states import State

ROW: Final = 420
"""Height of a picture on a contact sheet, in pixels."""
GAP: Final = 12
CAPTION: Final = 24


def write_sheets(folder: Path, state: State, looks: Looks) -> list[Path]:
    """Write a sheet for each language of a state: a row for each theme; return their paths."""
    sheets = []
    for language in looks.languages:
        rows = [
            [folder / state.name / f"{Look(size, language, theme)}.png" for size in looks.sizes]
            for theme in looks.themes
        ]
        if not all(path.exists() for row in rows for path in row):
            continue
        path = folder / "sheets" / f"{state.name}-{language}.png"
        path.parent.mkdir(exist_ok=True)
        _sheet(rows, f"{state.name}: {state.about} ({language})").save(path)
        sheets.append(path)
    return sheets


def _sheet(rows: Sequence[Sequence[Path]], caption: str) -> Image.Image:
    pictures = [[_thumbnail(path) for path in row] for row in rows]
    width = GAP + max(sum(each.width + GAP for each in row) for row in pictures)
    sheet = Image.new("RGB", (width, CAPTION + GAP + len(rows) * (ROW + GAP)), "#888")
    font = ImageFont.load_default(16)
    ImageDraw.Draw(sheet).text((GAP, 8), caption, fill="#fff", font=font)
    y = CAPTION + GAP
    for row in pictures:
        x = GAP
        for each in row:
            sheet.paste(each, (x, y))
            x += each.width + GAP
        y += ROW + GAP
    return sheet


def _thumbnail(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        return picture.convert("RGB").resize(
            (round(picture.width * ROW / picture.height), ROW), Image.Resampling.LANCZOS
        )


def write_index(
    folder: Path, states: Iterable[State], looks: Looks, findings: Sequence[Finding]
) -> Path:
    """Write index.html with all pictures and their faults; return its path."""
    faults: dict[tuple[str, Look], list[str]] = {}
    for each in findings:
        sentence = f"{each.fault.kind}: {each.fault.element}: {each.fault.detail}"
        faults.setdefault((each.state, each.look), []).append(sentence)
    pictures = [
        {
            "state": state.name,
            "about": state.about,
            "size": look.size,
            "language": look.language,
            "theme": look.theme,
            "path": f"{state.name}/{look}.png",
            "faults": faults.get((state.name, look), []),
        }
        for state in states
        for look in looks
    ]
    data = html.escape(json.dumps(pictures, ensure_ascii=False), quote=False)
    path = folder / "index.html"
    template = (Path(__file__).parent / "index.html").read_text("utf-8")
    path.write_text(template.replace("{pictures}", data), "utf-8")
    return path
