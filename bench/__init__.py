"""Benchmarks and comparisons: `python -m bench --help`. Results are in RESULTS.md."""
