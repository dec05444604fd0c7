"""The base of every error that comes from looking."""


class VisionError(Exception):
    """Something about a picture, a camera or the reader is not as it must be; the text is a sentence for a person."""
