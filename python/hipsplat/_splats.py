"""Splats in numpy arrays, and the files that they are read from and written to."""

import ctypes
from collections import namedtuple

from hipsplat import _library
from hipsplat._errors import ArgumentError

ARRAYS = ("means", "quats", "log_scales", "logit_opacities", "sh")
FACTS = {"antialiased": False, "flat": False, "up": None, "origin": (0.0, 0.0, 0.0), "epsg": 0,
         "metres_per_unit": 0.0, "low_pass": 0.3}

# losses: what the format does not keep, a sentence each; dropped: splats that are not finite.
SaveReport = namedtuple("SaveReport", "written dropped adjusted sh_degree losses")


class _File:
    """An open file of the library, which owns the arrays that were read."""

    def __init__(self, path):
        self.handle = ctypes.c_void_p()
        _library.call("hs_load", _library.path_bytes(path), ctypes.byref(self.handle))

    def __del__(self):
        if self.handle:
            _library.library.hs_file_free(self.handle)


class Splats:
    """N splats as float32 arrays.

    means [N,3]; quats [N,4] wxyz; log_scales [N,3]; logit_opacities [N]; sh [N,K,3], K = (degree + 1)^2, degree 0 to 3.
    What a file may say beside: antialiased, flat, up (or None), origin, epsg, metres_per_unit, low_pass (px^2); read
    only: format, producer, warnings, invalid_rows. Arrays of a file are read only and not copied: put others in their
    place.
    splats["means"] and dict(splats) work too.
    """

    def __init__(self, means, quats, log_scales, logit_opacities, sh, **facts):
        unknown = set(facts) - set(FACTS)
        if unknown:
            others = ", ".join(FACTS)
            raise ArgumentError(f"splats have no '{sorted(unknown)[0]}'; beside the arrays they have {others}")
        self.means, self.quats, self.log_scales = means, quats, log_scales
        self.logit_opacities, self.sh = logit_opacities, sh
        for name, value in {**FACTS, **facts}.items():
            setattr(self, name, value)
        self.format = self.producer = ""
        self.warnings, self.invalid_rows = [], 0
        self._file, self._identity, self._read = None, 0, ()

    def __len__(self):
        return len(self.means)

    def __getitem__(self, name):
        if name not in ARRAYS:
            raise KeyError(name)
        return getattr(self, name)

    def keys(self):
        return ARRAYS

    def __repr__(self):
        return f"<hipsplat.Splats: {len(self)}{', ' + self.format if self.format else ''}>"

    def _arrays(self):
        """The library's struct, and what has to live as long as it is used."""
        means = _library.float_array(self.means, (None, 3), "means")
        count = len(means)
        kept = [means, _library.float_array(self.quats, (count, 4), "quats"),
                _library.float_array(self.log_scales, (count, 3), "log_scales"),
                _library.float_array(self.logit_opacities, (count,), "logit_opacities"),
                _library.float_array(self.sh, (count, None, 3), "sh")]
        degrees = {1: 0, 4: 1, 9: 2, 16: 3}
        if kept[4].shape[1] not in degrees:
            raise ArgumentError(f"sh has {kept[4].shape[1]} coefficients a splat; 1, 4, 9 and 16 are possible")
        low_pass = _library.real("low_pass", self.low_pass)
        given = _library.SplatArrays(
            count=count, sh_degree=degrees[kept[4].shape[1]], antialiased=bool(self.antialiased),
            flat=bool(self.flat), epsg=_library.whole("epsg", self.epsg),
            metres_per_unit=_library.real("metres_per_unit", self.metres_per_unit),
            low_pass=low_pass if low_pass > 0 else -1)  # 0 is the library's word for the usual one
        for name, array in zip(ARRAYS, kept):
            setattr(given, name, array.ctypes.data)
        given.up[:] = (0, 0, 0) if self.up is None else _library.reals("up", self.up, 3)
        given.origin[:] = _library.reals("origin", self.origin, 3)
        unchanged = self._read and all(getattr(self, name) is read for name, read in zip(ARRAYS, self._read))
        given.identity = self._identity if unchanged else 0
        return given, kept


def _view(address, shape, file):
    """A read-only array at an address; `file` lives as long as it does."""
    import numpy

    count = 1
    for size in shape:
        count *= size
    if count == 0:
        return numpy.zeros(shape, numpy.float32)
    memory = (ctypes.c_float * count).from_address(address)
    memory._file = file
    array = numpy.frombuffer(memory, numpy.float32).reshape(shape)
    array.flags.writeable = False
    return array


def load(path):
    """The Splats of a file of any format that hipsplat reads, recognised by its content."""
    file = _File(path)
    read, info = _library.SplatArrays(), _library.FileInfo()
    _library.call("hs_file_splats", file.handle, ctypes.byref(read))
    _library.call("hs_file_describe", file.handle, ctypes.byref(info))
    shapes = ((3,), (4,), (3,), (), ((read.sh_degree + 1) ** 2, 3))
    arrays = [_view(getattr(read, name), (read.count, *shape), file) for name, shape in zip(ARRAYS, shapes)]
    splats = Splats(*arrays, antialiased=bool(read.antialiased), flat=bool(read.flat), epsg=read.epsg,
                    up=tuple(read.up) if any(read.up) else None, origin=tuple(read.origin),
                    metres_per_unit=read.metres_per_unit, low_pass=max(read.low_pass, 0.0))
    splats.format, splats.producer = info.format.decode(), info.producer.decode(errors="replace")
    splats.warnings, splats.invalid_rows = info.warnings.decode(errors="replace").splitlines(), info.invalid_rows
    splats._file, splats._identity, splats._read = file, read.identity, tuple(arrays)
    return splats


def as_splats(given):
    """Splats, or a mapping of named arrays."""
    if isinstance(given, Splats):
        return given
    try:
        return Splats(**dict(given))
    except (TypeError, ValueError) as error:
        if isinstance(error, ArgumentError):
            raise
        raise ArgumentError(f"splats are hipsplat.Splats, or a dict of {', '.join(ARRAYS)}: {error}") from None


def save(path, splats, spz_version=4, threads=0):
    """Writes Splats, or a dict of arrays, in the format that the name ends in: .ply, .compressed.ply, .splat, .spz,
    .sog or .glb. The file appears whole or not at all. A file of somebody else's that would be replaced beside it
    (index.spz of index.html, NAME.scene.json) is an error. Returns a SaveReport."""
    given, _kept = as_splats(splats)._arrays()
    options = _library.SaveOptions(spz_version=_library.whole("spz_version", spz_version),
                                   threads=_library.whole("threads", threads))
    report = _library.SaveReport()
    _library.call("hs_save", _library.path_bytes(path), ctypes.byref(given), ctypes.byref(options), ctypes.byref(report))
    losses = report.losses.decode(errors="replace").splitlines()
    return SaveReport(report.written, report.dropped, report.adjusted, report.sh_degree, losses)


def knn_distances(points, k=3, threads=0):
    """Mean of the squared distances from every one of [N,3] points to its k nearest others: [N]. Exact."""
    points = _library.float_array(points, (None, 3), "points")
    result = _library.empty_floats((len(points),))
    _library.call("hs_knn_mean_squared_distances", points.ctypes.data, len(points), _library.whole("k", k),
                  _library.whole("threads", threads), result.ctypes.data)
    return result
