"""The chart of a training run shows its measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from damka.training.files import read_json, write_json
from damka.training.plot import Curve, picture
from damka.training.report import write_report
from damka.training.score import MatchScore
from tests.training.tiny_run import RULES

if TYPE_CHECKING:
    from pathlib import Path

PATTERNS = [[0.69, 0.68], [0.62, 0.64], [0.60, 0.63]]
NETWORK = [[0.595, 0.625], [0.59, 0.62]]
WON = [1, 1, 1, 0, 0, 0, 1, -1] * 5
LOST = [-each for each in WON]


def read(svg: str) -> dict[str, list[ElementTree.Element]]:
    """Return the elements of a picture, by name."""
    found: dict[str, list[ElementTree.Element]] = {}
    for element in ElementTree.fromstring(svg):  # noqa: S314  our own
        found.setdefault(element.tag.partition("}")[2], []).append(element)
    return found


def heights(line: ElementTree.Element) -> list[float]:
    """Return the vertical positions of a line's points."""
    return [float(point.partition(",")[2]) for point in line.attrib["points"].split()]


@pytest.fixture
def drawn(tmp_path: Path) -> dict[str, list[ElementTree.Element]]:
    """The picture of a run of three generations, the second without a network."""
    for number, net in ((1, {"net": NETWORK}), (2, {}), (10, {"net": NETWORK})):
        folder = tmp_path / f"generation-{number}"
        folder.mkdir()
        write_json(folder / "losses.json", {"positions": 9, "losses": PATTERNS} | net)
        write_json(folder / "gate-00000.json", {"results": LOST if number == 2 else WON})
    write_report(tmp_path, RULES)
    return read((tmp_path / "report.svg").read_text("utf-8"))


def test_every_fit_has_its_curves(drawn: dict[str, list[ElementTree.Element]]) -> None:
    lines = drawn["polyline"]
    fits = (PATTERNS, NETWORK, PATTERNS, PATTERNS, NETWORK)
    expected = [[pair[which] for pair in losses] for losses in fits for which in (0, 1)]
    assert [len(heights(line)) for line in lines] == [len(losses) for losses in expected]
    losses = [loss for each in expected for loss in each]
    points = list(zip(losses, [y for line in lines for y in heights(line)], strict=True))
    low, high = min(points), max(points)
    for loss, y in points:
        share = (loss - low[0]) / (high[0] - low[0])
        assert y == pytest.approx(low[1] + share * (high[1] - low[1]), abs=0.1)
    assert low[1] > high[1] + 100  # y increases downwards
    dashed = ["stroke-dasharray" in line.attrib for line in lines]
    assert dashed == [False, True] * len(fits)


def test_every_curve_is_in_the_legend(drawn: dict[str, list[ElementTree.Element]]) -> None:
    names = (
        "generation-1",
        "generation-1, network",
        "generation-2",
        "generation-10",
        "generation-10, network",
    )
    strokes = [line.attrib["stroke"] for line in drawn["polyline"][::2]]
    assert strokes == [line.attrib["stroke"] for line in drawn["polyline"][1::2]]
    assert len(set(strokes)) == len(names)
    for name, stroke in zip(names, strokes, strict=True):
        text = next(each for each in drawn["text"] if each.text == name)
        (line,) = (each for each in drawn["line"] if each.attrib["stroke"] == stroke)
        assert float(line.attrib["x2"]) < float(text.attrib["x"])
        assert float(line.attrib["y1"]) == pytest.approx(float(text.attrib["y"]), abs=5)


def test_every_match_has_its_bar(drawn: dict[str, list[ElementTree.Element]]) -> None:
    texts = [each.text for each in drawn["text"]]
    assert texts.count("generation-2") == 2  # in the legend and below its match
    won, lost, again = (float(dot.attrib["cy"]) for dot in drawn["circle"])
    assert won == again < lost
    zero = next(each for each in drawn["text"] if each.text == "0")
    assert won < float(zero.attrib["y"]) - 4 < lost
    bars = [line for line in drawn["line"] if line.attrib["stroke"] == "#333"]
    for bar, dot in zip(bars, drawn["circle"], strict=True):
        low, middle, high = bar.attrib["y1"], dot.attrib["cy"], bar.attrib["y2"]
        assert float(low) > float(middle) > float(high)
        assert bar.attrib["x1"] == bar.attrib["x2"] == dot.attrib["cx"]


def test_the_picture_fits_any_legend() -> None:
    curves = [Curve(f"generation-{n}", [(0.7, 0.7), (0.6, 0.6)]) for n in range(1, 101)]
    svg = picture("many", curves, [])
    bottom = float(svg.partition('viewBox="0 0 ')[2].partition('"')[0].split()[1])
    where = {(each.attrib["x"], each.attrib["y"]) for each in read(svg)["text"]}
    assert len(where) == len(read(svg)["text"])
    assert all(float(y) < bottom for _, y in where)


def test_the_report_has_the_match_scores(tmp_path: Path) -> None:
    (tmp_path / "trial-0").mkdir()
    write_json(tmp_path / "trial-0" / "nodes-00000.json", {"results": WON})
    write_report(tmp_path, RULES)
    score = MatchScore()
    score.add(WON)
    assert read_json(tmp_path / "report.json") == [{"stage": "trial: nodes", **score.figures()}]
