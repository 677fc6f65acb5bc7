"""Load on a running server: `python -m bench.load`, or some of its scenarios.

Everything is over loopback, on the machine that serves. The generator is one light process beside
the server; what it costs is measured and told.
"""
