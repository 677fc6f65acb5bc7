"""Faults in the middle of running games: `python -m bench.faults`, or some of its scenarios."""
