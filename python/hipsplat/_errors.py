"""What goes wrong: one class a kind, each also the class of Python's that one would expect."""

import builtins


class Error(RuntimeError):
    """A failure of hipsplat, with its sentence."""


class ArgumentError(Error, ValueError):
    """What the caller gave is wrong."""


class FileError(Error, OSError):
    """A file is missing, broken, of no known format, or cannot be written."""


class DeviceError(Error):
    """No such device here, or it failed."""


class MemoryError(Error, builtins.MemoryError):  # noqa: A001
    """There is not enough memory."""


class UnsupportedError(Error, NotImplementedError):
    """Allowed, but not possible yet."""


OF_STATUS = {1: ArgumentError, 2: FileError, 3: DeviceError, 4: MemoryError, 5: UnsupportedError}
