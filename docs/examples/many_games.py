"""Play thousands of random games at once."""

import numpy as np

import damka

games = damka.Boards("american", 1024)
rng = np.random.default_rng(1)
mask = games.legal_mask()  # a view: step updates it
wins = draws = 0
for _ in range(200):
    actions = (rng.random(mask.shape, dtype=np.float32) * mask).argmax(axis=1)
    rewards, ended = games.step(actions)
    wins += int((rewards != 0).sum())
    draws += int((ended & (rewards == 0)).sum())
print(f"{wins + draws} games ended, {draws} of them drawn")
