"""The files in deploy/: the systemd unit, and nginx in front of two processes."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from damka.server import PortError
from damka.server.serving import listen
from tests.server.cluster.fleet import TAKEOVER, reconnect
from tests.server.online import create_invitation, join, play, ply_reached
from tests.server.support import Browser
from tests.services import Broker, Program, ServerProcess, free_port

DEPLOY = Path(__file__).parents[3] / "deploy"


def unit() -> dict[str, str]:
    lines = (DEPLOY / "damka@.service").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if re.match(r"[A-Za-z]+=", line))


def environment() -> dict[str, str]:
    lines = (DEPLOY / "damka.env").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def start_process(port: int, url: str, broker: str) -> ServerProcess:
    """Start a process with the unit's command and environment variables."""
    variables = environment() | {"DAMKA_HOST": "127.0.0.1"}
    assert variables.keys() == {"DAMKA_HOST", "DAMKA_DATABASE_URL", "DAMKA_BROKER_URL"}
    line = unit()["ExecStart"].replace("%i", str(port)).replace("${DAMKA_HOST}", "127.0.0.1")
    program, *arguments = shlex.split(line)
    assert program == "/opt/damka/bin/damka"
    return ServerProcess(url, broker, arguments=arguments)


class Nginx(Program):
    """nginx with the configuration in deploy/, on other ports and without encryption."""

    def __init__(self, ports: list[int]) -> None:
        super().__init__("nginx")
        self.port = free_port()
        running_site = (DEPLOY / "nginx.conf").read_text("utf-8")
        for old, new in zip(("8077", "8078"), ports, strict=True):
            assert f"127.0.0.1:{old}" in running_site
            running_site = running_site.replace(f"127.0.0.1:{old}", f"127.0.0.1:{new}")
        running_site = re.sub(r".*ssl_certificate.*\n", "", running_site)
        running_site = running_site.replace("listen 443 ssl;", f"listen 127.0.0.1:{self.port};")
        paths = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "\n".join(f"{name}_temp_path {self.folder}/{name};" for name in paths)
        (self.folder / "nginx.conf").write_text(
            f"daemon off; pid {self.folder}/pid; error_log stderr;\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{temporary}\n{running_site}\n}}\n"
        )
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        configuration = self.folder / "nginx.conf"
        self.begin(program, "-p", self.folder, "-c", configuration, answers=self._answers)

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True


@contextmanager
def running_site(url: str, broker: str) -> Iterator[tuple[str, list[ServerProcess]]]:
    ports = [free_port(), free_port()]
    nodes = [start_process(port, url, broker) for port in ports]
    nginx: Nginx | None = None
    try:
        nginx = Nginx(ports)
        assert [node.url for node in nodes] == [f"http://127.0.0.1:{port}" for port in ports]
        yield f"http://127.0.0.1:{nginx.port}", nodes
    finally:
        if nginx is not None:
            nginx.close()
        for node in nodes:
            node.close()


def require_refused(process: ServerProcess) -> None:
    """Check that a process without a broker cannot use the database of the others."""
    code, errors = process.wait(120)
    process.close()
    assert code == 2
    assert "another server is using it" in errors
    assert "DAMKA_BROKER_URL" in errors
    assert "Traceback" not in errors


def test_a_game_through_nginx_survives_a_killed_process(url: str, broker: Broker) -> None:
    with (
        running_site(url, broker.url) as (address, nodes),
        Browser(address) as ana,
        Browser(address) as petra,
    ):
        game = create_invitation(ana)
        first = ana.live(game)
        first.state()
        join(petra, game)
        second = petra.live(game)
        second.state()
        play(first, second, "22-18 11-15")
        pdn = [ana.http.get(f"/api/games/{game}/pdn").text for _ in range(4)]
        assert len(set(pdn)) == 1
        require_refused(ServerProcess(url))
        killed_at = time.monotonic()
        nodes[0].end(signal.SIGKILL)
        # Both pages reconnect, whichever process was killed.
        first, state = reconnect(ana, game, killed_at + TAKEOVER)
        second, _ = reconnect(petra, game, killed_at + TAKEOVER)
        assert state["ply"] == 2
        first.play("18x11x15")
        second.state(ply_reached(3))
        for _ in range(4):
            assert ana.http.get(f"/api/games/{game}/pdn").status_code == 200


def test_a_port_in_use_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(PortError, match="another program uses it"):
            listen("127.0.0.1", port, exactly=True)


def test_the_compose_file_sets_the_environment_variables() -> None:
    compose: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    services = compose["services"]
    assert services["damka"]["environment"].keys() - {"DAMKA_PROXY"} == environment().keys()
    assert services["damka"]["deploy"]["replicas"] == 2
    proxy = services["nginx"]["networks"]["default"]["ipv4_address"]
    assert proxy == services["damka"]["environment"]["DAMKA_PROXY"]
    image = (DEPLOY / "Dockerfile").read_text("utf-8")
    for name in ("DAMKA_PEER_HOST", "DAMKA_HOST", "DAMKA_PROXY"):
        assert name in image
    # The configurations are the same, except for the addresses of the processes.
    location, compose_location = (
        re.search(r"location / \{.*?\}", (DEPLOY / name).read_text("utf-8"), re.DOTALL)
        for name in ("nginx.conf", "nginx-compose.conf")
    )
    assert location is not None
    assert compose_location is not None
    assert [line for line in location[0].splitlines() if "#" not in line] == compose_location[
        0
    ].splitlines()
