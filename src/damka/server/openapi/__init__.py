"""Descriptions of the public API: OpenAPI for requests, AsyncAPI for live connections."""

from damka.server.openapi.operations import OPERATIONS, scope_of

__all__ = ["OPERATIONS", "scope_of"]
