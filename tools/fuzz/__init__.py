"""A coverage-guided fuzzer of everything that reads outside input: `python -m tools.fuzz --help`.

The targets in Python need atheris, which `make setup` installs; the target `kernel`, which reads PDN
in C++ under sanitizers, needs clang with libFuzzer. Nothing else needs either.
"""
