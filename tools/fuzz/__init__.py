"""A coverage-guided fuzzer of everything that reads outside input: `python -m tools.fuzz --help`.

The targets in Python need `pip install atheris`; the target `kernel`, which reads PDN in C++ under
sanitizers, needs clang with libFuzzer. Nothing else needs either.
"""
