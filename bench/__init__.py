"""Benchmarks, beside other programs: `make bench`. Results are kept in RESULTS.md."""
