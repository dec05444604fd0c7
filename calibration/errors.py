"""What can be wrong with a calibration that is asked for or stored."""


class CalibrationError(Exception):
    """Something about a calibration is not as it must be; the text is a sentence for a person."""


class UnsuitableCalibration(CalibrationError, ValueError):
    """The calibration is of another camera, or of pictures of another shape."""


class BadFile(CalibrationError, ValueError):
    """A stored calibration cannot be used as it stands; the text names the file and, where it can, the line."""
