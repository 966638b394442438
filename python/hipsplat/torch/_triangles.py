"""Triangles for PyTorch: nvdiffrast's rasterize() and interpolate(), with gradients, and Hunyuan3D's custom_rasterizer.

Float32. Tensors are drawn where they lie: of the CPU by all its cores, of a GPU by its plugin, on torch's stream.
"""
from itertools import islice

import torch

from hipsplat import _library
from hipsplat import _triangles as lib
from hipsplat._errors import ArgumentError
from hipsplat.torch import _draw
from hipsplat.torch._shapes import Shapes


class RasterizeGLContext:
    """nvdiffrast's: nothing is opened, and output_db alone counts."""

    def __init__(self, output_db=True, mode="automatic", device=None):
        self.output_db, self.mode, self.device = bool(output_db), mode, device

    def set_context(self):
        pass

    def release_context(self):
        pass


class RasterizeCudaContext(RasterizeGLContext):
    def __init__(self, device=None):
        super().__init__(device=device)


_LARGEST_SIDE, _MOST_ATTRIBUTES = 65535, 1 << 16  # of hs_triangles_...()


def _size(resolution):
    """(height, width)."""
    sides = _library.listed("resolution", resolution, 2)
    return tuple(_library.whole(name, n, 0, _LARGEST_SIDE) for name, n in zip(("height", "width"), sides))


def _at(tensor):
    return None if tensor is None else tensor.data_ptr()


def _device_of(tensor):
    """What draws; None: the host's cores."""
    return None if tensor.device.type == "cpu" else _draw.device_of(tensor)


def _triangles(tri, vertices):
    device = _device_of(tri)
    return lib.Triangles(count=len(tri), vertices=vertices, corners=_at(tri), device=device and device.handle(),
                         stream=_draw.stream_of(tri))


# ---- nvdiffrast

def _scene(pos, ranges, size):
    return lib.Scene(positions=_at(pos), ranges=_at(ranges), pictures=len(pos if ranges is None else ranges),
                     height=size[0], width=size[1], threads=torch.get_num_threads())


class _Rasterize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, pos, tri, ranges, size, slopes, grad_db):
        if isinstance(ranges, torch.Tensor) and isinstance(pos, torch.Tensor):  # nvdiffrast's are the host's
            ranges = ranges.to(pos.device)
        points, corners, parts = Shapes("rasterize")(
            dict(pos=pos, tri=tri, ranges=ranges), pos="pos" if ranges is None else "pos with ranges")
        shape = (len(points if parts is None else parts), *size)
        rast, rast_db = points.new_empty(*shape, 4), points.new_empty(*shape, 4 if slopes else 0)
        lib.call("rasterize", _triangles(corners, points.shape[-2]), _scene(points, parts, size), _at(rast),
                 _at(rast_db) if slopes else None)
        ctx.save_for_backward(pos, tri, parts, rast)
        ctx.size, ctx.grad_db = size, grad_db and slopes
        ctx.set_materialize_grads(False)
        return rast, rast_db

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, v_rast, v_rast_db):
        pos, tri, ranges, rast = ctx.saved_tensors
        v_rast = torch.zeros_like(rast) if v_rast is None else v_rast
        given = {"pos": pos.detach(), "tri": tri, "ranges": ranges, "rast": rast, "the gradient of rast": v_rast,
                 "the gradient of rast_db": v_rast_db if ctx.grad_db else None}
        shapes = Shapes("rasterize", H=ctx.size[0], W=ctx.size[1])  # again: tensor.data may be another one by now
        pos, tri, ranges, rast, v_rast, v_rast_db = shapes(given, pos="pos" if ranges is None else "pos with ranges")
        v_pos = torch.empty_like(pos)
        lib.call("rasterize_backward", _triangles(tri, pos.shape[-2]), _scene(pos, ranges, ctx.size), _at(rast),
                 _at(v_rast), _at(v_rast_db), _at(v_pos))
        return v_pos, None, None, None, None, None


def rasterize(glctx, pos, tri, resolution, ranges=None, grad_db=True):
    """nvdiffrast's: which triangle a pixel sees, and where in it.

    pos [B,V,4] clip space, or [V,4] with ranges [B,2]; tri [T,3] int32; resolution (height, width). Returns rast
    [B,H,W,4] (u, v, z/w, triangle from 1) and rast_db [B,H,W,4] (du/dX, du/dY, dv/dX, dv/dY; [B,H,W,0] where the
    context has output_db=False). Gradients by pos; grad_db=False: without those through rast_db. glctx may be None.
    """
    slopes = getattr(glctx, "output_db", True)
    if isinstance(pos, torch.Tensor) and pos.dim() == 3:
        ranges = None  # as there
    return _Rasterize.apply(pos, tri, ranges, _size(resolution), slopes, grad_db)


def _attributes(attr, rast, rast_db, wanted):
    pictures, height, width, _ = rast.shape
    return lib.Attributes(values=_at(attr), rast=_at(rast), rast_db=_at(rast_db), differentiated=_at(wanted),
                          differentiated_count=len(wanted), channels=attr.shape[-1],
                          by_picture=attr.dim() == 3 and len(attr) == pictures, pictures=pictures, width=width,
                          height=height, threads=torch.get_num_threads())


class _Interpolate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, attr, rast, tri, rast_db, wanted):
        picture, values, corners, slopes = Shapes("interpolate")(dict(rast=rast, attr=attr, tri=tri, rast_db=rast_db))
        out = values.new_empty(*rast.shape[:3], attr.shape[-1])
        out_da = values.new_empty(*rast.shape[:3], 2 * len(wanted))
        lib.call("interpolate", _triangles(corners, values.shape[-2]), _attributes(values, picture, slopes, wanted),
                 _at(out), _at(out_da))
        ctx.save_for_backward(attr, rast, tri, rast_db)
        ctx.wanted = wanted
        ctx.set_materialize_grads(False)
        return out, out_da

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, v_out, v_out_da):
        attr, rast, tri, rast_db = (None if t is None else t.detach() for t in ctx.saved_tensors)
        if v_out is None:
            v_out = attr.new_zeros(*rast.shape[:3], attr.shape[-1])
        rast, attr, tri, rast_db, v_out, v_out_da = Shapes("interpolate", E=2 * len(ctx.wanted))(
            {"rast": rast, "attr": attr, "tri": tri, "rast_db": rast_db, "the gradient of out": v_out,
             "the gradient of out_da": v_out_da})
        found = [torch.empty_like(t) if asked else None
                 for t, asked in zip((attr, rast, tri, rast_db), ctx.needs_input_grad)]
        lib.call("interpolate_backward", _triangles(tri, attr.shape[-2]),
                 _attributes(attr, rast, rast_db, ctx.wanted), _at(v_out), _at(v_out_da),
                 lib.Gradients(values=_at(found[0]), rast=_at(found[1]), rast_db=_at(found[3])))
        return (*found, None)


def interpolate(attr, rast, tri, rast_db=None, diff_attrs=None):
    """nvdiffrast's: what the corners carry, at the pixels.

    attr [B,V,A], of which one B serves all, or [V,A]; rast, rast_db as rasterize() gave them. diff_attrs: "all", or
    which attributes derivatives by X and Y are wanted of. Returns out [B,H,W,A] and out_da [B,H,W,2D]; gradients by
    attr, rast and rast_db.
    """
    if diff_attrs is None:
        diff_attrs = []
    elif isinstance(diff_attrs, str) and diff_attrs == "all":
        diff_attrs = range(attr.shape[-1] if getattr(attr, "ndim", 0) else 0)
    try:  # one more than is possible, which is then refused
        wanted = [_library.whole("an attribute of diff_attrs", i) for i in islice(diff_attrs, _MOST_ATTRIBUTES + 1)]
    except TypeError:
        raise ArgumentError(f"diff_attrs is {diff_attrs!r}, but should be a list, \"all\" or None") from None
    wanted = torch.tensor(wanted, dtype=torch.int32)
    if len(wanted) and rast_db is None:
        raise ArgumentError("diff_attrs are given, but no rast_db")
    return _Interpolate.apply(attr, rast, tri, rast_db if len(wanted) else None, wanted)


# ---- Hunyuan3D

def rasterize_image(V, F, D, width, height, occlusion_truncation, use_depth_prior):
    """custom_rasterizer_kernel's: findices [H,W] int32, the face from 1 or 0, and barycentric [H,W,3].

    V [N,4] clip space; F [T,3] int32; D [H,W], with use_depth_prior alone: z/w, and what is nearer is not seen.
    """
    height, width = _size((height, width))
    given = dict(V=V, F=F, **(dict(D=D) if use_depth_prior else {}))
    points, faces, *priors = (t.detach() for t in Shapes("rasterize_image", H=height, W=width)(given))
    prior = priors[0] if priors else None
    occlusion_truncation = _library.real("occlusion_truncation", occlusion_truncation)
    numbers, shares = points.new_empty(height, width, dtype=torch.int32), points.new_empty(height, width, 3)
    lib.call("rasterize_faces", _triangles(faces, len(points)),
             lib.FaceScene(positions=_at(points), depth_prior=_at(prior), occlusion_truncation=occlusion_truncation,
                           width=width, height=height, threads=torch.get_num_threads()), _at(numbers), _at(shares))
    return numbers, shares


def rasterize_faces(pos, tri, resolution, clamp_depth=None, use_depth_prior=0):
    """custom_rasterizer.rasterize(): rasterize_image() of pos[0], with resolution (height, width)."""
    pos, = Shapes("rasterize_faces")(dict(pos=pos))
    height, width = _size(resolution)
    if len(pos) == 0:
        raise ArgumentError("pos is empty: there is no mesh to draw")
    return rasterize_image(pos[0], tri, clamp_depth, width, height, 1e-6, use_depth_prior)


def interpolate_faces(col, findices, barycentric, tri):
    """custom_rasterizer.interpolate(): col [1,N,A] at the pixels, [1,...,A]; 0 where there is no face. findices [...],
    barycentric [...,3]."""
    values, numbers, shares, faces = Shapes("interpolate_faces")(
        dict(col=col, findices=findices, barycentric=barycentric, tri=tri))
    if len(values) == 0:
        raise ArgumentError("col is empty: there is no mesh to draw")
    values = values[0]
    if torch.is_grad_enabled() and (values.requires_grad or shares.requires_grad) or values.dtype != torch.float32:
        return _interpolate_by_torch(values, numbers, shares, faces)[None]
    out = values.new_empty(*numbers.shape, values.shape[1])
    lib.call("interpolate_faces", _triangles(faces, len(values)),
             lib.FaceValues(values=_at(values), face_numbers=_at(numbers), shares=_at(shares),
                            pixels=numbers.numel(), channels=values.shape[1], threads=torch.get_num_threads()),
             _at(out))
    return out[None]


def _interpolate_by_torch(values, numbers, shares, faces):
    seen = (numbers > 0) & (numbers <= len(faces))
    if len(faces) == 0:
        nothing = values[:0].sum() + shares.reshape(-1)[:0].sum()  # with gradients, of 0
        return nothing + values.new_zeros(*numbers.shape, values.shape[1])
    if int(faces.min()) < 0 or int(faces.max()) >= len(values):
        raise ArgumentError(f"tri has vertices {int(faces.min())} to {int(faces.max())} of {len(values)}")
    corners = values[faces.long()[torch.where(seen, numbers - 1, torch.zeros_like(numbers)).long()]]
    parts = corners * shares[..., None]
    return torch.where(seen[..., None, None], parts, torch.zeros_like(parts)).sum(-2)
