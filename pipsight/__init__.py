"""The physical table companion for dominoes: a photograph goes in, a verdict comes out."""

__version__ = "0.1.0"
