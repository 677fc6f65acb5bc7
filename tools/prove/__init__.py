"""The kernel proved by the executable specification: see `python -m tools.prove -h`."""
