"""Load on a running server: `python -m bench.load --help`."""
