"""The same as the pipsight command: python -m pipsight."""

from pipsight.cli import main

main()
