"""Benchmarks, next to other programs: `python -m bench --help`. Results are in RESULTS.md."""
