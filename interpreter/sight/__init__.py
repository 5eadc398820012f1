"""Who knows what: knowledge, events, views."""
