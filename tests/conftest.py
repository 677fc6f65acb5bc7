"""Settings and fixtures of the test process."""

from __future__ import annotations

import os
import signal

# Several tests run at once. With more threads than free cores, a matrix product takes fourteen
# times as long as with one thread. NumPy reads this variable on import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import HealthCheck, settings
from tools import bridge

if os.environ.get("DAMKA_CORE") == "bridge":
    bridge.install()

# A process that a script starts in the background ignores Ctrl-C, and so do its children; a test
# that sends it would wait forever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine must not make a test fail.
settings.register_profile(
    "damka", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
# `make prove`: tests.strategies.examples() multiplies by 50.
settings.register_profile("prove", settings.get_profile("damka"), max_examples=5000)
settings.load_profile("damka")
