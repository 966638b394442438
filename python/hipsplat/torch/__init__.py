"""Splats and triangles for PyTorch (1.13 or newer), on the CPU, AMD and NVIDIA: no torch ABI, no compiler.

Tensors are drawn where they lie: those of the CPU by all its cores, those of a GPU by its plugin, on torch's current
stream. `hipsplat.backend()` says which device drew. Gradients: once a picture. float32; on the CPU also float64.
"""
from hipsplat.torch._gsplat import (compute_relocation, normalized_quat_to_rotmat, quat_scale_to_covar_preci,
                                    rasterization, spherical_harmonics)
from hipsplat.torch._inria import module_contents as _contents
from hipsplat.torch._points import distCUDA2
from hipsplat.torch._triangles import (RasterizeCudaContext, RasterizeGLContext, interpolate, interpolate_faces, rasterize,
                                       rasterize_faces, rasterize_image)

GaussianRasterizationSettings = _contents("inria")["GaussianRasterizationSettings"]
GaussianRasterizer = _contents("inria")["GaussianRasterizer"]

__all__ = ["GaussianRasterizationSettings", "GaussianRasterizer", "RasterizeCudaContext", "RasterizeGLContext",
           "compute_relocation", "distCUDA2", "interpolate", "interpolate_faces", "normalized_quat_to_rotmat",
           "quat_scale_to_covar_preci", "rasterization", "rasterize", "rasterize_faces", "rasterize_image",
           "spherical_harmonics"]
