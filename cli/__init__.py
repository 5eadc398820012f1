"""The command line: rule files and matches for people at a terminal."""
