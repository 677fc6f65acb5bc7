"""Swiss pairings next to those of py4swiss, on random tournaments.

`python -m tools.compare_pairings 5000` pairs that many tournaments, with late entries, byes,
forfeits and withdrawals, by `damka.tournament` and by py4swiss, an independent program that follows
the edition of the rules until January 2026. Where they differ, `judge` says which of the two
pairings the rules of 2026 prefer, and by which criterion.
"""
