"""libhipsplat.so.0 by ctypes: the structs and functions of include/hipsplat.h that this package uses."""

import builtins
import ctypes
import itertools
import math
import operator
import os
from ctypes import POINTER, c_char, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint64, c_void_p

from hipsplat._errors import OF_STATUS, ArgumentError, Error, MemoryError

FOLDER = os.path.dirname(os.path.abspath(__file__))
FLOATS = c_void_p  # const float*: addresses of arrays


class Struct(ctypes.Structure):
    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(self), **fields)


class DeviceInfo(Struct):
    _fields_ = [("struct_size", c_size_t), ("backend", c_char * 16), ("index", c_int32), ("usable", c_int32),
                ("name", c_char * 128), ("reason", c_char * 512), ("memory_bytes", c_uint64), ("proof", c_char * 128)]


class DeviceOptions(Struct):
    _fields_ = [("struct_size", c_size_t), ("backend", c_char_p), ("index", c_int32), ("threads", c_int32)]


class SplatArrays(Struct):
    _fields_ = [("struct_size", c_size_t), ("count", c_uint64), ("sh_degree", c_int32), ("antialiased", c_int32),
                ("means", FLOATS), ("quats", FLOATS), ("log_scales", FLOATS), ("logit_opacities", FLOATS),
                ("sh", FLOATS), ("up", c_double * 3), ("origin", c_double * 3), ("metres_per_unit", c_double),
                ("epsg", c_int32), ("flat", c_int32), ("identity", c_uint64), ("low_pass", c_double)]


class FileInfo(Struct):
    _fields_ = [("struct_size", c_size_t), ("format", c_char_p), ("producer", c_char_p), ("warnings", c_char_p),
                ("invalid_rows", c_uint64)]


class SaveOptions(Struct):
    _fields_ = [("struct_size", c_size_t), ("spz_version", c_int32), ("threads", c_int32)]


class SaveReport(Struct):
    _fields_ = [("struct_size", c_size_t), ("written", c_uint64), ("dropped", c_uint64), ("adjusted", c_uint64),
                ("sh_degree", c_int32), ("unused", c_int32), ("losses", c_char * 512)]


class CameraNumbers(ctypes.Structure):
    _fields_ = [("cam_from_world", c_double * 12), ("fx", c_double), ("fy", c_double), ("cx", c_double),
                ("cy", c_double)]


class RenderSettings(Struct):
    _fields_ = [("struct_size", c_size_t), ("width", c_int32), ("height", c_int32), ("max_sh_degree", c_int32),
                ("antialias", c_int32), ("background", c_float * 3), ("low_pass", c_float)]


STAGE = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)
STEP = ctypes.CFUNCTYPE(None, c_void_p, c_uint64, c_uint64)
PROGRESS = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_char_p, c_double)
PREDICTED = ctypes.CFUNCTYPE(None, c_void_p, c_uint64, c_double)
RESULT = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
LOG = ctypes.CFUNCTYPE(None, c_void_p, c_int32, c_char_p)
PREVIEW = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_int32, c_int32, c_int32)


class JobCallbacks(Struct):
    _fields_ = [("struct_size", c_size_t), ("user", c_void_p), ("stage", STAGE), ("step", STEP), ("reading", STEP),
                ("progress", PROGRESS), ("predicted", PREDICTED), ("result", RESULT), ("log", LOG),
                ("preview", PREVIEW), ("progress_seconds", c_double), ("preview_seconds", c_double),
                ("preview_view", c_int32), ("unused", c_int32)]


# Name, and types of the arguments; those that return a status. Calls run without the interpreter's lock.
CALLS = {
    "hs_device_open": [POINTER(DeviceOptions), POINTER(c_void_p)],
    "hs_device_describe": [c_void_p, POINTER(DeviceInfo)],
    "hs_load": [c_char_p, POINTER(c_void_p)],
    "hs_file_splats": [c_void_p, POINTER(SplatArrays)],
    "hs_file_describe": [c_void_p, POINTER(FileInfo)],
    "hs_save": [c_char_p, POINTER(SplatArrays), POINTER(SaveOptions), POINTER(SaveReport)],
    "hs_render": [c_void_p, POINTER(SplatArrays), POINTER(CameraNumbers), c_int32, POINTER(RenderSettings), FLOATS,
                  FLOATS, FLOATS],
    "hs_job_new": [c_char_p, c_char_p, POINTER(c_void_p)],
    "hs_job_run": [c_void_p, POINTER(JobCallbacks)],
    "hs_knn_mean_squared_distances": [FLOATS, c_uint64, c_int32, c_int32, FLOATS],
}


def _open():
    """The library that HIPSPLAT_LIBRARY names, else the package's, else the system's."""
    inside = os.path.join(FOLDER, "lib", "libhipsplat.so.0")
    name = os.environ.get("HIPSPLAT_LIBRARY") or (inside if os.path.exists(inside) else "libhipsplat.so.0")
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(f"the library of hipsplat cannot be loaded: {error}; install the wheel, or name it by "
                          "HIPSPLAT_LIBRARY") from None
    for call in ("hs_version", "hs_error"):
        getattr(library, call).restype = c_char_p
    for call in ("hs_device_close", "hs_file_free", "hs_job_cancel", "hs_job_free"):
        getattr(library, call).argtypes = [c_void_p]
        getattr(library, call).restype = None
    library.hs_render_defaults.argtypes = [POINTER(RenderSettings)]
    library.hs_render_defaults.restype = None
    return library


library = _open()


def declare(call, *types):
    """A function that returns a status, and the types of its arguments."""
    getattr(library, call).argtypes = types
    getattr(library, call).restype = c_int32


for _call, _types in CALLS.items():
    declare(_call, *_types)


def version():
    return library.hs_version().decode()


def call(name, *arguments):
    """Calls a function; a status that is not OK becomes an exception."""
    status = getattr(library, name)(*arguments)
    if status != 0:
        raise failure(status)


def failure(status):
    """The exception of this thread's last failure."""
    return OF_STATUS.get(status, Error)(library.hs_error().decode(errors="replace"))


def whole(name, value, least=-(1 << 31), most=(1 << 31) - 1):
    """A whole number from least to most, Python's, numpy's or torch's: ctypes cuts off what is beyond 32 bits."""
    try:
        number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)
    except (TypeError, ValueError, RuntimeError):
        raise ArgumentError(f"{name} is {value!r}, but should be a whole number") from None
    if not least <= number <= most:
        raise ArgumentError(f"{name} is {number}; it is {least} to {most}")
    return number


def real(name, value):
    """A finite number."""
    try:
        number = float("nothing" if isinstance(value, (str, bytes)) else value)
    except (TypeError, ValueError, OverflowError, RuntimeError):
        raise ArgumentError(f"{name} is {value!r}, but should be a number") from None
    if not math.isfinite(number):
        raise ArgumentError(f"{name} is {number}, but should be finite")
    return number


def reals(name, values, count):
    """A list of `count` finite numbers."""
    return [real(f"{name}[{i}]", value) for i, value in enumerate(listed(name, values, count))]


def listed(name, values, count):
    """A list of `count` values."""
    try:
        found = list(itertools.islice(values, count + 1))  # not all that there are: that may be no end of them
    except TypeError:
        raise ArgumentError(f"{name} is {values!r}, but should be {count} numbers") from None
    if len(found) != count:
        raise ArgumentError(f"{name} has {len(found)} values, but should have {count}" if len(found) < count else
                            f"{name} has more than {count} values")
    return found


def path_bytes(path):
    """A path as the library takes it: its strings end at the first zero byte."""
    try:
        name = os.fsencode(path)
    except TypeError:
        raise ArgumentError(f"a path is text, not {type(path).__name__}") from None
    if b"\0" in name:
        raise ArgumentError(f"the path {path!r} has a zero byte in it")
    return name


def float_array(values, shape, name):
    """A contiguous float32 array of this shape, where None stands for any length; the values' own where it is one."""
    import numpy

    try:
        array = numpy.asarray(values)
        if array.dtype.kind not in "biufO":
            raise TypeError(f"they are of the type {array.dtype}")
    except (TypeError, ValueError, RuntimeError) as error:
        raise ArgumentError(f"{name} is no array of numbers: {error}") from None
    fits = array.ndim == len(shape) and all(want in (None, have) for want, have in zip(shape, array.shape))
    if not fits:
        wanted = ",".join("N" if size is None else str(size) for size in shape)
        raise ArgumentError(f"{name} has the shape {list(array.shape)}, and [{wanted}] is wanted")
    if array.shape[0] >= 1 << 31:
        raise ArgumentError(f"{name} has {array.shape[0]} rows; at most {(1 << 31) - 1} are possible")
    try:
        return numpy.require(array, numpy.float32, ["C_CONTIGUOUS", "ALIGNED"])
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"{name} is no array of numbers: {error}") from None
    except builtins.MemoryError:
        raise MemoryError(f"there is no memory for a copy of {name}, {list(array.shape)}") from None


def empty_floats(shape):
    """An array for the library to write, not filled."""
    import numpy

    try:
        return numpy.empty(shape, numpy.float32)
    except (ValueError, builtins.MemoryError):
        raise MemoryError(f"there is no memory for an array of {list(shape)}") from None
