"""hs_triangles_...() by ctypes: addresses in, no arrays of anybody's."""

from ctypes import POINTER, c_float, c_int32, c_size_t, c_uint64, c_void_p

from hipsplat import _library


class Triangles(_library.Struct):
    _fields_ = [("struct_size", c_size_t), ("count", c_uint64), ("vertices", c_uint64), ("corners", c_void_p),
                ("device", c_void_p), ("stream", c_void_p)]


class Scene(_library.Struct):
    _fields_ = [("struct_size", c_size_t), ("positions", c_void_p), ("ranges", c_void_p), ("pictures", c_int32),
                ("width", c_int32), ("height", c_int32), ("threads", c_int32)]


class Attributes(_library.Struct):
    _fields_ = [("struct_size", c_size_t), ("values", c_void_p), ("rast", c_void_p), ("rast_db", c_void_p),
                ("differentiated", c_void_p), ("differentiated_count", c_int32), ("channels", c_int32),
                ("by_picture", c_int32), ("pictures", c_int32), ("width", c_int32), ("height", c_int32),
                ("threads", c_int32), ("unused", c_int32)]


class Gradients(_library.Struct):
    _fields_ = [("struct_size", c_size_t), ("values", c_void_p), ("rast", c_void_p), ("rast_db", c_void_p)]


class FaceScene(_library.Struct):
    _fields_ = [("struct_size", c_size_t), ("positions", c_void_p), ("depth_prior", c_void_p),
                ("occlusion_truncation", c_float), ("width", c_int32), ("height", c_int32), ("threads", c_int32)]


class FaceValues(_library.Struct):
    _fields_ = [("struct_size", c_size_t), ("values", c_void_p), ("face_numbers", c_void_p), ("shares", c_void_p),
                ("pixels", c_uint64), ("channels", c_int32), ("threads", c_int32)]


for _name, _types in {
        "rasterize": (POINTER(Scene), c_void_p, c_void_p),
        "rasterize_backward": (POINTER(Scene), c_void_p, c_void_p, c_void_p, c_void_p),
        "interpolate": (POINTER(Attributes), c_void_p, c_void_p),
        "interpolate_backward": (POINTER(Attributes), c_void_p, c_void_p, POINTER(Gradients)),
        "rasterize_faces": (POINTER(FaceScene), c_void_p, c_void_p),
        "interpolate_faces": (POINTER(FaceValues), c_void_p)}.items():
    _library.declare("hs_triangles_" + _name, POINTER(Triangles), *_types)


def call(name, *arguments):
    """hs_triangles_<name>(); structs as they are, addresses as numbers or None."""
    _library.call("hs_triangles_" + name, *arguments)
