"""Triangles for PyTorch: nvdiffrast's rasterize() and interpolate(), with gradients, and Hunyuan3D's custom_rasterizer.

Float32. Tensors are drawn where they lie: of the CPU by all its cores, of a GPU by its plugin, on torch's stream.
"""
import torch

from hipsplat import _triangles as lib
from hipsplat.torch import _draw


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


def _checked(name, tensor, dtype, shape, like=None):
    """The tensor, contiguous, or a sentence about it. shape: numbers, and letters for any number."""
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name} is {type(tensor).__name__}, not a tensor")
    if tensor.dtype != dtype:
        raise TypeError(f"{name} is {tensor.dtype}, but triangles take {dtype}: use {name}.to({dtype})")
    if tensor.dim() != len(shape) or any(isinstance(want, int) and n != want
                                         for n, want in zip(tensor.shape, shape)):
        raise ValueError(f"{name} is {list(tensor.shape)}, but should be [{','.join(map(str, shape))}]")
    if like is not None and tensor.device != like.device:
        raise ValueError(f"{name} is on {tensor.device}, and other tensors on {like.device}")
    return tensor.detach().contiguous()


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
        points = _checked("pos", pos, torch.float32, ("B", "V", 4) if ranges is None else ("V", 4))
        corners = _checked("tri", tri, torch.int32, ("T", 3), pos)
        parts = None if ranges is None else _checked("ranges", ranges, torch.int32, ("B", 2)).to(pos.device)
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
        pos, tri, ranges, rast = (None if t is None else t.detach().contiguous() for t in ctx.saved_tensors)
        v_rast = torch.zeros_like(rast) if v_rast is None else v_rast.contiguous()
        v_rast_db = v_rast_db.contiguous() if ctx.grad_db and v_rast_db is not None else None
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
    return _Rasterize.apply(pos, tri, ranges, tuple(int(n) for n in resolution), slopes, grad_db)


def _attributes(attr, rast, rast_db, wanted):
    pictures, height, width, _ = rast.shape
    return lib.Attributes(values=_at(attr), rast=_at(rast), rast_db=_at(rast_db), differentiated=_at(wanted),
                          differentiated_count=len(wanted), channels=attr.shape[-1],
                          by_picture=attr.dim() == 3 and len(attr) == pictures, pictures=pictures, width=width,
                          height=height, threads=torch.get_num_threads())


class _Interpolate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, attr, rast, tri, rast_db, wanted):
        shape = ("V", "A") if getattr(attr, "ndim", 3) == 2 else ("B", "V", "A")
        values = _checked("attr", attr, torch.float32, shape)
        picture = _checked("rast", rast, torch.float32, ("B", "H", "W", 4), attr)
        corners = _checked("tri", tri, torch.int32, ("T", 3), attr)
        if values.dim() == 3 and len(values) not in (1, len(picture)):
            raise ValueError(f"attr is of {len(values)} pictures, but rast of {len(picture)}")
        slopes = None if rast_db is None else _checked("rast_db", rast_db, torch.float32, tuple(rast.shape), attr)
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
        attr, rast, tri, rast_db = (None if t is None else t.detach().contiguous() for t in ctx.saved_tensors)
        v_out = attr.new_zeros(*rast.shape[:3], attr.shape[-1]) if v_out is None else v_out.contiguous()
        v_out_da = None if v_out_da is None else v_out_da.contiguous()
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
        diff_attrs = range(attr.shape[-1])
    wanted = torch.tensor([int(i) for i in diff_attrs], dtype=torch.int32)
    if len(wanted) and rast_db is None:
        raise ValueError("diff_attrs are given, but no rast_db")
    return _Interpolate.apply(attr, rast, tri, rast_db if len(wanted) else None, wanted)


# ---- Hunyuan3D

def rasterize_image(V, F, D, width, height, occlusion_truncation, use_depth_prior):
    """custom_rasterizer_kernel's: findices [H,W] int32, the face from 1 or 0, and barycentric [H,W,3].

    V [N,4] clip space; F [T,3] int32; D [H,W], with use_depth_prior alone: z/w, and what is nearer is not seen.
    """
    points = _checked("V", V, torch.float32, ("N", 4))
    faces = _checked("F", F, torch.int32, ("T", 3), V)
    prior = _checked("D", D, torch.float32, (height, width), V) if use_depth_prior else None
    numbers, shares = points.new_empty(height, width, dtype=torch.int32), points.new_empty(height, width, 3)
    lib.call("rasterize_faces", _triangles(faces, len(points)),
             lib.FaceScene(positions=_at(points), depth_prior=_at(prior), occlusion_truncation=occlusion_truncation,
                           width=width, height=height, threads=torch.get_num_threads()), _at(numbers), _at(shares))
    return numbers, shares


def rasterize_faces(pos, tri, resolution, clamp_depth=None, use_depth_prior=0):
    """custom_rasterizer.rasterize(): rasterize_image() of pos[0], with resolution (height, width)."""
    return rasterize_image(pos[0], tri, clamp_depth, resolution[1], resolution[0], 1e-6, use_depth_prior)


def interpolate_faces(col, findices, barycentric, tri):
    """custom_rasterizer.interpolate(): col [1,N,A] at the pixels, [1,H,W,A]; 0 where there is no face."""
    if torch.is_grad_enabled() and (col.requires_grad or barycentric.requires_grad) or col.dtype != torch.float32:
        corners = col[0, tri.long()[(findices.long() - 1).clamp_min(0)]]
        return (corners * barycentric[..., None] * (findices > 0)[..., None, None]).sum(-2)[None]
    values = _checked("col", col[0], torch.float32, ("N", "A"))
    numbers = _checked("findices", findices, torch.int32, ("H", "W"), col)
    shares = _checked("barycentric", barycentric, torch.float32, (*findices.shape, 3), col)
    faces = tri.detach().to(values.device, torch.int32).contiguous()
    out = values.new_empty(*findices.shape, values.shape[1])
    lib.call("interpolate_faces", _triangles(faces, len(values)),
             lib.FaceValues(values=_at(values), face_numbers=_at(numbers), shares=_at(shares),
                            pixels=numbers.numel(), channels=values.shape[1], threads=torch.get_num_threads()),
             _at(out))
    return out[None]
