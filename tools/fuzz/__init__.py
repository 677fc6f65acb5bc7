"""Coverage-guided fuzzing of all parsers of outside input: `python -m tools.fuzz --help`.

The Python targets need atheris, which `make setup` installs. The target `kernel` reads PDN in C++
under sanitizers and needs clang with libFuzzer.
"""
