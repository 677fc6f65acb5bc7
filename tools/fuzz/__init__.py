"""A coverage-guided fuzzer of everything that reads outside input: `python -m tools.fuzz --help`.

The targets in Python need atheris, which `make setup` installs. The target `kernel` reads PDN in
C++ under sanitizers and needs clang with libFuzzer.
"""
