"""Measurements, next to other programs: `make bench`. Results are kept in RESULTS.md."""
