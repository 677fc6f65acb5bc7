"""Load tests of a running server: `python -m bench.load --help`."""
