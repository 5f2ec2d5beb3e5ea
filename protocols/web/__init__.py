"""Rikiki's pages in the browser, and a first page that shows what the daemon offers."""
