"""What all tests need of the process that they run in."""

from __future__ import annotations

import signal

# Started in the background of a script, a process ignores Ctrl-C, and so does all that it starts;
# the tests that press it would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
