"""Benchmarks in comparison with other programs: `python -m bench --help`. Results are in
RESULTS.md.
"""
