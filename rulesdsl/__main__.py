"""Lets `python -m rulesdsl` stand for the `rulesdsl` command."""

from rulesdsl.cli.app import main

main()
