"""hs_rasterize() and its backward by ctypes: addresses in, no arrays of anybody's."""

import ctypes
from ctypes import POINTER, c_double, c_int32, c_size_t, c_uint64, c_void_p

from hipsplat import _library

FLOAT32, FLOAT64 = 0, 1


def _addresses(*names):
    return [("struct_size", c_size_t)] + [(name, c_void_p) for name in names]


class Scene(_library.Struct):
    _fields_ = [("struct_size", c_size_t), ("count", c_uint64), ("type", c_int32), ("channels", c_int32),
                ("sh_coefficients", c_int32), ("sh_degree", c_int32), ("colours_by_camera", c_int32),
                ("unused", c_int32)] + _addresses("means", "quats", "scales", "covariances", "opacities", "sh",
                                                  "colours")[1:]


ALLOCATE = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_size_t, c_void_p)
FREE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)


class Allocator(_library.Struct):
    _fields_ = [("struct_size", c_size_t), ("user", c_void_p), ("allocate", ALLOCATE), ("free", FREE)]


class Settings(_library.Struct):
    _fields_ = [("struct_size", c_size_t), ("width", c_int32), ("height", c_int32), ("low_pass", c_double),
                ("near_plane", c_double), ("far_plane", c_double), ("radius_clip", c_double),
                ("scale_modifier", c_double), ("alpha_max", c_double), ("transmittance_stop", c_double),
                ("compensation", c_int32), ("depth", c_int32), ("jacobian_clamp", c_int32), ("footprint", c_int32),
                ("raw_quats", c_int32), ("channels_first", c_int32), ("clamp_sh", c_int32), ("unused", c_int32),
                ("scratch", POINTER(Allocator))]

    def __init__(self, **fields):
        super().__init__()
        _library.library.hs_raster_defaults(ctypes.byref(self))
        for name, value in fields.items():
            setattr(self, name, value)


class Pictures(_library.Struct):
    _fields_ = _addresses("colour", "alpha", "depth", "means2d", "depths", "conics", "compensations", "radii",
                          "touched")


class PictureGradients(_library.Struct):
    _fields_ = _addresses("colour", "alpha", "depth")


class ScreenGradients(_library.Struct):
    _fields_ = _addresses("means2d", "means2d_abs")


class SceneGradients(_library.Struct):
    _fields_ = _addresses("means", "quats", "scales", "covariances", "opacities", "sh", "colours", "cam_from_world",
                          "background")


_library.declare("hs_rasterize", c_void_p, POINTER(Scene), POINTER(_library.CameraNumbers), c_int32, c_void_p,
                 POINTER(Settings), POINTER(Pictures), c_void_p, POINTER(c_void_p))
_library.declare("hs_rasterize_backward_pictures", c_void_p, POINTER(PictureGradients), POINTER(ScreenGradients))
_library.declare("hs_rasterize_backward_scene", c_void_p, c_void_p, POINTER(SceneGradients))
_library.library.hs_raster_defaults.argtypes = [POINTER(Settings)]
_library.library.hs_raster_defaults.restype = None
_library.library.hs_drawn_free.argtypes = [c_void_p]
_library.library.hs_drawn_free.restype = None


class Drawn:
    """What is kept of a call for its backward pass."""

    def __init__(self, device, handle, settings):
        self._device, self._handle, self._settings = device, handle, settings  # which outlive it, with their allocator

    def here(self):
        """Whether this process drew it, and not the one that it was forked from."""
        return not self._device.forked()

    def backward_pictures(self, gradients, screen):
        self._device.handle()
        _library.call("hs_rasterize_backward_pictures", self._handle, ctypes.byref(gradients), ctypes.byref(screen))

    def backward_scene(self, v_means2d, gradients):
        self._device.handle()
        _library.call("hs_rasterize_backward_scene", self._handle, v_means2d, ctypes.byref(gradients))

    def __del__(self):
        if self.here():
            _library.library.hs_drawn_free(self._handle)


def rasterize(device, scene, poses, focals, background, settings, pictures, stream, keep):
    """poses: 12 numbers a camera; focals: (fx, fy, cx, cy). Returns a Drawn, or None unless `keep`."""
    cameras = (_library.CameraNumbers * len(poses))()
    for camera, pose, focal in zip(cameras, poses, focals):
        camera.cam_from_world[:] = pose
        camera.fx, camera.fy, camera.cx, camera.cy = focal
    handle = c_void_p()
    _library.call("hs_rasterize", device.handle(), ctypes.byref(scene), cameras, len(cameras), background,
                  ctypes.byref(settings), ctypes.byref(pictures), stream, ctypes.byref(handle) if keep else None)
    return Drawn(device, handle, settings) if keep else None
