"""Cameras, and pictures of splats."""

import ctypes
import math
from collections import namedtuple
from itertools import islice

from hipsplat import _library
from hipsplat._device import Device, default_device
from hipsplat._errors import ArgumentError
from hipsplat._splats import as_splats

# A pinhole camera that looks along +z, x right, y down: cam_from_world [3,4] or [4,4], rows of [R|t]; the rest in px,
# where the centre of the top-left pixel is (0.5, 0.5).
Camera = namedtuple("Camera", "cam_from_world fx fy cx cy")

# rgb [H,W,3], not clamped; alpha [H,W]; depth [H,W] along the camera's axis, or None. Of a list of cameras [C,H,W,...].
Pictures = namedtuple("Pictures", "rgb alpha depth")

_LARGEST_SIDE = 16384  # px, of the library


def _unit(v):
    length = math.sqrt(sum(x * x for x in v))
    if not 0 < length < math.inf:
        raise ArgumentError("look_at() is not given a direction: eye and target coincide, or look along up")
    return [x / length for x in v]


def _cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def look_at(eye, target, up=(0, -1, 0), fov_y_deg=50.0, width=640, height=480):
    """The camera at `eye` that sees `target` in the middle. up: which way is up in the world; -y by COLMAP's habit."""
    eye, target = _library.reals("eye", eye, 3), _library.reals("target", target, 3)
    width, height = _library.real("width", width), _library.real("height", height)
    fov_y_deg = _library.real("fov_y_deg", fov_y_deg)
    if not 0 < fov_y_deg < 180:
        raise ArgumentError(f"fov_y_deg is {fov_y_deg}; it lies between 0 and 180")
    forward = _unit([t - e for t, e in zip(target, eye)])
    right = _unit(_cross(forward, _library.reals("up", up, 3)))
    down = _cross(forward, right)
    rows = [[*axis, -sum(a * e for a, e in zip(axis, eye))] for axis in (right, down, forward)]
    focal = height / 2 / math.tan(math.radians(fov_y_deg) / 2)
    return Camera(rows, focal, focal, width / 2, height / 2)


def _numbers(camera):
    try:
        camera = Camera(*camera)
        rows = [[float(x) for x in islice(row, 5)] for row in islice(camera.cam_from_world, 3)]
        rest = [float(x) for x in camera[1:]]
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        raise ArgumentError(f"a camera is (cam_from_world, fx, fy, cx, cy): {error}") from None
    if len(rows) != 3 or any(len(row) != 4 for row in rows):
        raise ArgumentError("cam_from_world of a camera is not of the shape [3,4] or [4,4]")
    return _library.CameraNumbers((ctypes.c_double * 12)(*(x for row in rows for x in row)), *rest)


def render(splats, cameras, width, height, background=(0, 0, 0), max_sh_degree=3, antialias=None, depth=False,
           device=None, low_pass=None):
    """Pictures of Splats (or a dict of arrays) from a Camera or a list of them.

    background: red, green, blue, 0 to 1. antialias: opacity compensation of the low pass; None: as the splats say.
    low_pass: px^2, added to the variances on the screen; None: as the splats say.
    depth: whether it is wanted as well. device: a Device; None: the best that works here. Splats that were loaded are
    copied to the device once.
    """
    one = isinstance(cameras, Camera)
    try:
        cameras = [cameras] if one else list(cameras)
    except TypeError:
        raise ArgumentError(f"cameras are a Camera or a list of them, not {type(cameras).__name__}") from None
    if device is not None and not isinstance(device, Device):
        raise ArgumentError(f"device is a hipsplat.Device or None, not {type(device).__name__}")
    given, _kept = as_splats(splats)._arrays()
    settings = _library.RenderSettings()
    _library.library.hs_render_defaults(ctypes.byref(settings))
    settings.width, settings.height = _library.whole("width", width), _library.whole("height", height)
    settings.max_sh_degree = _library.whole("max_sh_degree", max_sh_degree)
    settings.antialias = -1 if antialias is None else bool(antialias)
    if low_pass is not None:
        settings.low_pass = _library.real("low_pass", low_pass)
    settings.background[:] = _library.reals("background", background, 3)
    if not (1 <= settings.width <= _LARGEST_SIDE and 1 <= settings.height <= _LARGEST_SIDE):
        raise ArgumentError(f"a picture of {settings.width}x{settings.height} px is not possible; sides are 1 to "
                            f"{_LARGEST_SIDE}")
    numbers = (_library.CameraNumbers * len(cameras))(*(_numbers(camera) for camera in cameras))
    shape = (len(cameras), settings.height, settings.width)
    rgb, alpha = _library.empty_floats((*shape, 3)), _library.empty_floats(shape)
    deep = _library.empty_floats(shape) if depth else None
    _library.call("hs_render", (device or default_device()).handle(), ctypes.byref(given), numbers, len(cameras),
                  ctypes.byref(settings), rgb.ctypes.data, alpha.ctypes.data, deep.ctypes.data if depth else None)
    drawn = Pictures(rgb, alpha, deep)
    return Pictures(*(None if picture is None else picture[0] for picture in drawn)) if one else drawn
