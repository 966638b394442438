"""3D Gaussian splats: read, write, draw, train and convert them, on AMD and NVIDIA GPUs and on the processor.

    import hipsplat
    splats = hipsplat.load("garden.ply")
    camera = hipsplat.look_at((0, 0, -3), (0, 0, 0), fov_y_deg=50, width=640, height=480)
    rgb = hipsplat.render(splats, camera, 640, 480).rgb      # [480,640,3], 0 to 1

Neither numpy nor torch is imported before a function needs it. Errors are hipsplat.Error, with a sentence. The pages
of the documentation are docs/python.md and, for what is beneath, docs/library.md.
"""

from hipsplat._device import Backend, Device, backend
from hipsplat._errors import ArgumentError, DeviceError, Error, FileError, MemoryError, UnsupportedError
from hipsplat._jobs import align, convert, evaluate, film, mesh, render_views
from hipsplat._library import version as _version
from hipsplat._render import Camera, Pictures, look_at, render
from hipsplat._splats import SaveReport, Splats, knn_distances, load, save
from hipsplat._train import Training, train

__version__ = _version()
__all__ = [
    "ArgumentError", "Backend", "Camera", "Device", "DeviceError", "Error", "FileError", "MemoryError", "Pictures",
    "SaveReport", "Splats", "Training", "UnsupportedError", "__version__", "align", "backend", "convert", "evaluate",
    "film", "knn_distances", "load", "look_at", "mesh", "render", "render_views", "save", "train",
]
