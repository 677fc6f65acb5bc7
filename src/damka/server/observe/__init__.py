"""Monitoring of a server: its metrics for Prometheus and its access log."""

from damka.server.observe.access_log import AccessLog
from damka.server.observe.metrics import Metrics
from damka.server.observe.middleware import ObserveMiddleware

__all__ = ["AccessLog", "Metrics", "ObserveMiddleware"]
