"""Renders tables with exact ground truth, trains the reader on them and exports it: for developers, not installed."""
