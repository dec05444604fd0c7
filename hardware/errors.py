"""What can be wrong with a controller or the way to it; each text is one sentence that says what to do."""

from __future__ import annotations


class HardwareError(Exception):
    """Something about the controller or its port is not as it must be; the text is a sentence for a person."""


class NoController(HardwareError, LookupError):
    """No port leads to a controller."""


class NoSuchPort(HardwareError, FileNotFoundError):
    """The port that was named is not there."""


class BusyPort(HardwareError, BlockingIOError):
    """Another program has the port."""


class NoPermission(HardwareError, PermissionError):
    """This user may not use the port."""


class OtherDevice(HardwareError, ConnectionRefusedError):
    """Whatever is at the port, it is no controller of ours."""


class Silent(OtherDevice):
    """Nothing at the port says anything, not yet or never."""


class OldFirmware(HardwareError, NotImplementedError):
    """The controller's program and this one do not speak the same version of the protocol."""


class Unplugged(HardwareError, ConnectionError):
    """The controller was there and is gone, or it says nothing any more."""


class Refused(HardwareError, ValueError):
    """The controller answers that it cannot do what it was told."""


class BadMessage(HardwareError, ValueError):
    """A message that the protocol cannot carry."""


class BadScheme(HardwareError, ValueError):
    """The settings of lights and sounds cannot be used; the text names the setting."""


class BadFlash(HardwareError, RuntimeError):
    """The controller's program could not be built or written."""
