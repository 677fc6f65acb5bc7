"""A Hub engine with one fault: `python faulty.py FAULT`. Without fault it plays its best: badly.

It knows no rules: it plays the moves it is given in the environment variable MOVES.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
MOVES = iter(os.environ.get("MOVES", "").split())


def say(text: str) -> None:
    print(text, flush=True)


def for_ever() -> None:
    while True:
        time.sleep(60)


def hub() -> None:
    if FAULT == "silent":
        return
    if FAULT == "garbage":
        say("Welcome to DRAUGHTS 3000! Type HELP for help.\x00\x07")
        say('id name="open')
        return
    if FAULT == "flood":
        while True:
            say("info hello=1")
    if FAULT == "huge":
        while True:
            sys.stdout.write("x" * 10_000)
    if FAULT == "dead":
        sys.exit("cannot find my book")
    child = ""
    if FAULT == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        heir = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        child = str(heir.pid)
    say(f'id name="Faulty {FAULT}" version={child or 1}')
    if FAULT == "one game":
        say('param name=variant value=killer type=enum values="killer bt"')
    else:
        say('param name=variant value=dama64 type=enum values="normal dama64"')
    say("param name=book value=true type=bool")
    say("wait")


def think() -> None:
    if FAULT == "dies":
        os._exit(3)
    if FAULT == "closes":
        os.close(1)
        for_ever()
    if FAULT == "complains":
        say('error message="out of memory"')
    elif FAULT == "chatters":
        while True:
            say("info depth=1 score=0.01")
    elif FAULT == "illegal":
        say("done move=1-32")
    elif FAULT == "nonsense":
        say("done move=e2e4")
    elif FAULT == "nothing":
        say("done")
    elif FAULT == "bytes":
        sys.stdout.buffer.write(
            b"\xff\xfe\x80 \xc3\n" * 5 + b"info depth=x score=nan nodes=1e999\n"
        )
        say(f"done move={next(MOVES)}")
    elif FAULT not in ("slow", "late", "mute"):
        say("info depth=3 score=0.25 nodes=12 time=0.001 pv=22-18")
        say(f"done move={next(MOVES)} ponder=1-2")


def main() -> None:
    searching = False
    for text in sys.stdin:
        command = text.split()[0] if text.split() else ""
        if FAULT == "mute" and searching:
            continue
        if command == "hub":
            hub()
        elif command == "init":
            say("some chatter that means nothing")
            say("ready")
        elif command == "go":
            searching = True
            think()
        elif command == "ping":
            say("pong")
        elif command == "stop" and FAULT == "late":
            say(f"done move={next(MOVES)}")
        elif command == "quit" and FAULT != "stubborn":
            return
    if FAULT == "stubborn":
        for_ever()


if __name__ == "__main__":
    main()
