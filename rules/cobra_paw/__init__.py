"""Cobra Paw: what lies where, everything that can happen, and how both are read and written."""
