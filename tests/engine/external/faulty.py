"""A Hub engine with one fault: `python faulty.py FAULT`.
It does not know the rules: it plays the moves in the environment variable MOVES.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
MOVES = iter(os.environ.get("MOVES", "").split())


def send(text: str) -> None:
    print(text, flush=True)


def sleep_forever() -> None:
    while True:
        time.sleep(60)


def hub() -> None:
    if FAULT == "silent":
        return
    if FAULT == "garbage":
        send("Welcome to DRAUGHTS 3000! Type HELP for help.\x00\x07")
        send('id name="open')
        return
    if FAULT == "flood":
        while True:
            send("info hello=1")
    if FAULT == "huge":
        while True:
            sys.stdout.write("x" * 10_000)
    if FAULT == "dead":
        sys.exit("cannot find my book")
    child = ""
    if FAULT == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        child = str(grandchild.pid)
    send(f'id name="Faulty {FAULT}" version={child or 1}')
    if FAULT == "one game":
        send('param name=variant value=killer type=enum values="killer bt"')
    else:
        send('param name=variant value=dama64 type=enum values="normal dama64"')
    send("param name=book value=true type=bool")
    send("wait")


def think() -> None:
    if FAULT == "dies":
        os._exit(3)
    if FAULT == "closes":
        os.close(1)
        sleep_forever()
    if FAULT == "complains":
        send('error message="out of memory"')
    elif FAULT == "chatters":
        while True:
            send("info depth=1 score=0.01")
    elif FAULT == "illegal":
        send("done move=1-32")
    elif FAULT == "nonsense":
        send("done move=e2e4")
    elif FAULT == "nothing":
        send("done")
    elif FAULT == "bytes":
        sys.stdout.buffer.write(
            b"\xff\xfe\x80 \xc3\n" * 5 + b"info depth=x score=nan nodes=1e999\n"
        )
        send(f"done move={next(MOVES)}")
    elif FAULT not in ("slow", "late", "mute"):
        send("info depth=3 score=0.25 nodes=12 time=0.001 pv=22-18")
        send(f"done move={next(MOVES)} ponder=1-2")


def main() -> None:
    searching = False
    for text in sys.stdin:
        command = text.split()[0] if text.split() else ""
        if FAULT == "mute" and searching:
            continue
        if command == "hub":
            hub()
        elif command == "init":
            send("some meaningless chatter")
            send("ready")
        elif command == "go":
            searching = True
            think()
        elif command == "ping":
            send("pong")
        elif command == "stop" and FAULT == "late":
            send(f"done move={next(MOVES)}")
        elif command == "quit" and FAULT != "stubborn":
            return
    if FAULT == "stubborn":
        sleep_forever()


if __name__ == "__main__":
    main()
