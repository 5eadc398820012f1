"""Runs a checked program: decisions, chance, events, views and records."""
