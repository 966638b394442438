"""diff_gaussian_rasterization: INRIA's interface and four forks of it, a class each.

All take splats activated (scales, opacities), matrices transposed (row vectors), quaternions as they are, and draw with
INRIA's constants: near plane 0.2, alpha at most 0.99, squares of 3 sigma in whole tiles. `means2D` is a dummy [N,3]
whose gradient is that of the centres on the screen in NDC units; its third column is 0, of mip-splatting the sum over
the pixels of |gx| W/2 + |gy| H/2.
"""
from typing import NamedTuple

import torch

from hipsplat import _library
from hipsplat._errors import ArgumentError
from hipsplat.torch import _draw
from hipsplat.torch._shapes import Shapes

_LARGEST_SIDE = 1 << 15  # px, of hs_rasterize()
_NEAR = 0.2


def _settings_type(name, **extra):
    fields = {"image_height": int, "image_width": int, "tanfovx": float, "tanfovy": float}
    fields.update({k: v for k, v in extra.items() if k in ("kernel_size", "subpixel_offset")})
    fields.update(bg=torch.Tensor, scale_modifier=float, viewmatrix=torch.Tensor, projmatrix=torch.Tensor)
    if "projmatrix_raw" in extra:
        fields["projmatrix_raw"] = torch.Tensor
    fields.update(sh_degree=int, campos=torch.Tensor, prefiltered=bool, debug=bool)
    if "antialiasing" in extra:
        fields["antialiasing"] = bool
    return NamedTuple(name, list(fields.items()))


class _Screen(torch.autograd.Function):
    """Passes the centres on, and gives their gradient to the dummy as well."""

    @staticmethod
    def forward(ctx, call, means2d, dummy):
        ctx.call = call
        return means2d.view_as(means2d)

    @staticmethod
    def backward(ctx, v_px):
        call = ctx.call
        half = v_px.new_tensor([call.settings["width"] / 2, call.settings["height"] / 2])
        v_dummy = torch.zeros(v_px.shape[1], 3, dtype=v_px.dtype, device=v_px.device)
        v_dummy[:, :2] = v_px[0] * half
        if call.means2d_abs is not None:
            v_dummy[:, 2] = (call.means2d_abs[0] * half).sum(-1)
        return None, v_px, v_dummy


class _Twist(torch.autograd.Function):
    """The pose, with the gradients by a turn `theta` and a shift `rho` of the camera's frame, both at zero."""

    @staticmethod
    def forward(ctx, pose, theta, rho):
        ctx.save_for_backward(pose)
        ctx.shapes = (theta.shape, rho.shape)
        return pose.clone()

    @staticmethod
    def backward(ctx, v):
        pose, = ctx.saved_tensors
        turn = torch.cross(pose.transpose(-1, -2), v.transpose(-1, -2), dim=-1).sum((0, 1))
        return None, turn.reshape(ctx.shapes[0]), v[..., 3].sum(0).reshape(ctx.shapes[1])


def _positive(name, value):
    number = _library.real(name, value)
    if not number > 0:
        raise ArgumentError(f"{name} is {number}; it must be above 0")
    return number


def _camera(viewmatrix, projmatrix, size, tangents):
    """(pose [1,3,4], (fx, fy, cx, cy)) of the settings' matrices; size, tangents: of x and y."""
    pose = viewmatrix.detach().transpose(0, 1)
    full = projmatrix.detach().transpose(0, 1).to("cpu", torch.float64)
    try:
        raw = full @ torch.linalg.inv(pose.to("cpu", torch.float64))
    except RuntimeError:  # torch's LinAlgError
        raise ArgumentError("viewmatrix has no inverse") from None
    focal = [n / (2 * tangent) for n, tangent in zip(size, tangents)]
    for axis in (0, 1):
        if abs(float(raw[axis, axis]) * size[axis] / 2 - focal[axis]) > 1e-3 * focal[axis]:
            raise NotImplementedError("projmatrix has another field of view than tanfovx and tanfovy say")
    centre = [(float(raw[axis, 2]) + 1) * size[axis] / 2 for axis in (0, 1)]
    return pose[None, :3, :], (*focal, *centre)


def _given(tensor):
    """None also for torch.Tensor([]), which rasterize_gaussians() takes for what is not given."""
    return None if isinstance(tensor, torch.Tensor) and tensor.shape == (0,) else tensor


def _draw_settings(s, variant, size, offset):
    settings = dict(width=size[0], height=size[1], near_plane=_NEAR,
                    scale_modifier=_library.real("scale_modifier", s.scale_modifier), raw_quats=1, jacobian_clamp=1,
                    footprint=1, channels_first=1, low_pass=0.3)
    if variant == "mip":
        if offset is not None and bool((offset != 0).any()):
            raise NotImplementedError("hipsplat draws no subpixel_offset other than 0")
        settings.update(low_pass=_library.real("kernel_size", s.kernel_size), compensation=2)
    for name, value in (("scale_modifier", settings["scale_modifier"]), ("kernel_size", settings["low_pass"])):
        if value < 0:
            raise ArgumentError(f"{name} is {value}; it must not be negative")
    if variant == "inria_aa":
        settings.update(depth=3, compensation=3 if s.antialiasing else 0)
    if variant in ("ashawkey", "w_pose"):
        settings["depth"] = 1
    return settings


def _either(a, b, what):
    if (a is None) == (b is None):
        raise Exception(f"Please provide exactly one of either {what}!")


def _checked(variant, s, given):
    """The tensors of a call and of its settings by the table; width and height; the degree of shs."""
    size = [_library.whole(name, getattr(s, name), 1, _LARGEST_SIDE) for name in ("image_width", "image_height")]
    shapes = Shapes("rasterize_gaussians", W=size[0], H=size[1], **({} if given["shs"] is None else {"D": 3}))
    for name in ("bg", "viewmatrix", "projmatrix"):
        given[name] = getattr(s, name)
    if variant == "mip":
        given["subpixel_offset"] = _given(s.subpixel_offset)
    t = dict(zip(given, shapes(given)))
    degree = 0
    if t["shs"] is not None:
        degree = _library.whole("sh_degree", s.sh_degree, 0, 3)
        if (degree + 1) ** 2 > shapes.sizes["K"]:
            raise ArgumentError(f"shs is {list(t['shs'].shape)}: {shapes.sizes['K']} coefficients are too few for "
                                f"sh_degree {degree}")
        if shapes.sizes["K"] > 16:
            t["shs"] = t["shs"][:, :16]
    elif shapes.sizes["D"] > 32:
        raise ArgumentError(f"colors_precomp has {shapes.sizes['D']} channels; hipsplat draws at most 32")
    return t, size, degree


def _rasterize(variant, s, **given):
    """given: means3D, means2D, shs, colors_precomp, opacities, scales, rotations, cov3D_precomp, theta, rho."""
    for name in ("shs", "colors_precomp", "scales", "rotations", "cov3D_precomp", "theta", "rho"):
        given[name] = _given(given[name])
    _either(given["shs"], given["colors_precomp"], "SHs or precomputed colors")
    for name in ("scales", "rotations"):
        _either(given[name], given["cov3D_precomp"], "scale/rotation pair or precomputed 3D covariance")
    t, size, degree = _checked(variant, s, given)
    tangents = [_positive(name, getattr(s, name)) for name in ("tanfovx", "tanfovy")]
    pose, focal = _camera(t["viewmatrix"], t["projmatrix"], size, tangents)
    if t["theta"] is not None or t["rho"] is not None:
        none = pose.new_zeros(3)
        pose = _Twist.apply(pose, none if t["theta"] is None else t["theta"], none if t["rho"] is None else t["rho"])
    settings = _draw_settings(s, variant, size, t.get("subpixel_offset"))
    wants = ["colour", "alpha", "radii", *(["depth"] if settings.get("depth") else []),
             *(["touched"] if variant == "w_pose" else [])]
    call = _draw.Call([focal], settings, wants)
    call.sh_degree, call.absgrad, call.on_abs = degree, variant == "mip", lambda found: None
    centres = _draw.draw(call, t["means3D"], quats=t["rotations"], scales=t["scales"], covariances=t["cov3D_precomp"],
                         opacities=t["opacities"].reshape(-1), sh=t["shs"], colours=t["colors_precomp"],
                         cam_from_world=pose, background=t["bg"].reshape(1, -1), beside=t["means2D"])
    if t["means2D"] is not None:
        centres = _Screen.apply(call, centres, t["means2D"])
    pictures = _draw.blend(call, centres)
    colour, alpha, radii = pictures[0][0], pictures[1], call.outputs["radii"][0, :, 0]
    if variant in ("inria", "mip"):
        return colour, radii
    depth = pictures[2]
    if variant == "inria_aa":
        return colour, radii, depth
    if variant == "ashawkey":
        return colour, radii, depth, alpha
    return colour, radii, depth, alpha, call.outputs["touched"][0]


class _Rasterizer(torch.nn.Module):
    variant = "inria"

    def __init__(self, raster_settings):
        super().__init__()
        self.raster_settings = raster_settings

    @torch.no_grad()
    def markVisible(self, positions):
        """[N,3] to bool [N]: in front of the near plane."""
        shapes = Shapes("markVisible")
        positions, pose = shapes(dict(positions=positions, viewmatrix=self.raster_settings.viewmatrix))
        pose = pose.transpose(0, 1)
        return positions @ pose[2, :3] + pose[2, 3] > _NEAR

    def forward(self, means3D, means2D, opacities, shs=None, colors_precomp=None, scales=None, rotations=None,
                cov3D_precomp=None, theta=None, rho=None):
        return _rasterize(self.variant, self.raster_settings, means3D=means3D, means2D=means2D, shs=shs,
                          colors_precomp=colors_precomp, opacities=opacities, scales=scales, rotations=rotations,
                          cov3D_precomp=cov3D_precomp, theta=theta, rho=rho)


def module_contents(variant):
    """What a variant's diff_gaussian_rasterization has: {name: object}."""
    extra = {"inria": {}, "inria_aa": {"antialiasing": 1}, "ashawkey": {}, "w_pose": {"projmatrix_raw": 1},
             "mip": {"kernel_size": float, "subpixel_offset": torch.Tensor}}[variant]
    settings = _settings_type("GaussianRasterizationSettings", **extra)
    rasterizer = type("GaussianRasterizer", (_Rasterizer,), {"variant": variant, "__doc__": __doc__})

    def rasterize_gaussians(means3D, means2D, sh, colors_precomp, opacities, scales, rotations, cov3Ds_precomp,
                            *rest):
        *pose, raster_settings = rest
        theta, rho = pose if pose else (None, None)
        return _rasterize(variant, raster_settings, means3D=means3D, means2D=means2D, shs=sh,
                          colors_precomp=colors_precomp, opacities=opacities, scales=scales, rotations=rotations,
                          cov3D_precomp=cov3Ds_precomp, theta=theta, rho=rho)
    return {"GaussianRasterizationSettings": settings, "GaussianRasterizer": rasterizer,
            "rasterize_gaussians": rasterize_gaussians}
