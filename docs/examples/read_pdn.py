"""Read the games of a PDN file and count their results."""

from collections import Counter
from pathlib import Path

from damka import pdn

results: Counter[str] = Counter()
for game in pdn.read(Path(__file__).with_name("games.pdn")):
    results[game.result] += 1
    plies = sum(1 for node in game.mainline())
    print(game.headers["White"], game.headers["Black"], game.rules.name, plies)
print(dict(results))
