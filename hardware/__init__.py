"""Lights, sounds and buttons at the end of a serial port; everything works without them too."""
