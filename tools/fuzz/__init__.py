"""A fuzzer, guided by coverage, of all that reads what comes from outside.

`python -m tools.fuzz --seconds 60` feeds every target with bytes for a minute each; `--help` lists
the targets. Those in Python need `pip install atheris`; the target `kernel`, which reads PDN in C++
under sanitizers, needs clang with libFuzzer. Neither is needed for anything else.
"""
