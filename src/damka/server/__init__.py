"""The server: pages, HTTP API and live games over WebSocket."""
