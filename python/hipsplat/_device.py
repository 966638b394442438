"""What draws: devices, and the one that is used where none is named."""

import ctypes
import os
import threading
from collections import namedtuple

from hipsplat import _library
from hipsplat._errors import DeviceError

# device: its name; reason: why it was taken; proof: how its test picture compares with the reference's, drawn in double
# precision; memory_bytes of its own, 0: it works in the host's.
Backend = namedtuple("Backend", "name device reason proof memory_bytes")


class Device:
    """A device that draws: "auto" (the best that works), "cpu", "hip", "cuda" or "reference".

    index: which of the backend's, -1 the best. threads: of the host, 0 one a core. Any thread may use it; calls wait
    for each other. Not to be used in a process that was forked: open another there.
    """

    def __init__(self, backend="auto", index=-1, threads=0):
        self._handle = ctypes.c_void_p()
        self._process = os.getpid()
        options = _library.DeviceOptions(backend=str(backend).encode(), index=_library.whole("index", index),
                                         threads=_library.whole("threads", threads))
        _library.call("hs_device_open", ctypes.byref(options), ctypes.byref(self._handle))

    def info(self):
        """A Backend: which device this is, why, and the proof that it draws."""
        info = _library.DeviceInfo()
        _library.call("hs_device_describe", self.handle(), ctypes.byref(info))
        texts = (value.decode(errors="replace") for value in (info.backend, info.name, info.reason, info.proof))
        return Backend(*texts, info.memory_bytes)

    def handle(self):
        if not self._handle:
            raise DeviceError("the device is closed")
        if self.forked():
            raise DeviceError("the device was opened before this process was forked: open another one here")
        return self._handle

    def forked(self):
        """Whether it was opened before this process was forked, and is of no use here."""
        return self._process != os.getpid()

    def close(self):
        """No call may be running on it."""
        handle, self._handle = self._handle, ctypes.c_void_p()
        if handle and not self.forked():
            _library.library.hs_device_close(handle)

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<hipsplat.Device {self.info().device}>" if self._handle else "<hipsplat.Device, closed>"


_lock = threading.Lock()
_default = None


def _after_fork():  # another thread may have held the lock
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


def default_device():
    global _default
    with _lock:
        if _default is None or _default.forked():
            _default = Device()
        return _default


def backend():
    """A Backend: what draws where no device is named, why, and the proof that it does."""
    return default_device().info()
