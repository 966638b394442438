"""diff_gaussian_rasterization: INRIA's interface and four forks of it, a class each.

All take splats activated (scales, opacities), matrices transposed (row vectors), quaternions as they are, and draw with
INRIA's constants: near plane 0.2, alpha at most 0.99, squares of 3 sigma in whole tiles. `means2D` is a dummy [N,3]
whose gradient is that of the centres on the screen in NDC units; its third column is 0, of mip-splatting the sum over
the pixels of |gx| W/2 + |gy| H/2.
"""
from typing import NamedTuple

import torch

from hipsplat.torch import _draw

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


def _camera(s):
    """(pose [1,3,4], (fx, fy, cx, cy)) of the settings' matrices."""
    pose = s.viewmatrix.detach().transpose(0, 1)
    full = s.projmatrix.detach().transpose(0, 1).to("cpu", torch.float64)
    raw = full @ torch.linalg.inv(pose.to("cpu", torch.float64))
    focal = (s.image_width / (2 * s.tanfovx), s.image_height / (2 * s.tanfovy))
    for axis, size in ((0, s.image_width), (1, s.image_height)):
        if abs(float(raw[axis, axis]) * size / 2 - focal[axis]) > 1e-3 * focal[axis]:
            raise NotImplementedError("projmatrix has another field of view than tanfovx and tanfovy say")
    centre = ((float(raw[0, 2]) + 1) * s.image_width / 2, (float(raw[1, 2]) + 1) * s.image_height / 2)
    return pose[None, :3, :], (*focal, *centre)


def _given(tensor):
    return None if tensor is None or tensor.numel() == 0 else tensor


def _draw_settings(s, variant):
    settings = dict(width=s.image_width, height=s.image_height, near_plane=_NEAR, scale_modifier=s.scale_modifier,
                    raw_quats=1, jacobian_clamp=1, footprint=1, channels_first=1, low_pass=0.3)
    if variant == "mip":
        if _given(s.subpixel_offset) is not None and bool((s.subpixel_offset != 0).any()):
            raise NotImplementedError("hipsplat draws no subpixel_offset other than 0")
        settings.update(low_pass=s.kernel_size, compensation=2)
    if variant == "inria_aa":
        settings.update(depth=3, compensation=3 if s.antialiasing else 0)
    if variant in ("ashawkey", "w_pose"):
        settings["depth"] = 1
    return settings


def _rasterize(variant, s, means3D, means2D, sh, colors, opacities, scales, rotations, covariances, theta, rho):
    pose, focal = _camera(s)
    if theta is not None or rho is not None:
        none = means3D.new_zeros(3)
        pose = _Twist.apply(pose, none if theta is None else theta, none if rho is None else rho)
    wants = ["colour", "alpha", "radii"]
    settings = _draw_settings(s, variant)
    if settings.get("depth"):
        wants.append("depth")
    if variant == "w_pose":
        wants.append("touched")
    call = _draw.Call([focal], settings, wants, False)
    call.sh_degree, call.absgrad, call.on_abs = s.sh_degree, variant == "mip", lambda found: None
    centres = _draw.draw(call, means3D, quats=_given(rotations), scales=_given(scales),
                         covariances=_given(covariances), opacities=opacities.reshape(-1), sh=_given(sh),
                         colours=_given(colors), cam_from_world=pose.to(means3D.dtype),
                         background=s.bg.reshape(1, -1).to(means3D.dtype))
    if means2D is not None:
        centres = _Screen.apply(call, centres, means2D)
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


def _either(a, b, what):
    if (_given(a) is None) == (_given(b) is None):
        raise Exception(f"Please provide exactly one of either {what}!")


class _Rasterizer(torch.nn.Module):
    variant = "inria"

    def __init__(self, raster_settings):
        super().__init__()
        self.raster_settings = raster_settings

    @torch.no_grad()
    def markVisible(self, positions):
        """[N,3] to bool [N]: in front of the near plane."""
        pose = self.raster_settings.viewmatrix.transpose(0, 1)
        return positions @ pose[2, :3] + pose[2, 3] > _NEAR

    def forward(self, means3D, means2D, opacities, shs=None, colors_precomp=None, scales=None, rotations=None,
                cov3D_precomp=None, theta=None, rho=None):
        _either(shs, colors_precomp, "SHs or precomputed colors")
        _either(scales, cov3D_precomp, "scale/rotation pair or precomputed 3D covariance")
        _either(rotations, cov3D_precomp, "scale/rotation pair or precomputed 3D covariance")
        return _rasterize(self.variant, self.raster_settings, means3D, means2D, shs, colors_precomp, opacities, scales,
                          rotations, cov3D_precomp, theta, rho)


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
        return _rasterize(variant, raster_settings, means3D, means2D, sh, colors_precomp, opacities, scales, rotations,
                          cov3Ds_precomp, theta, rho)
    return {"GaussianRasterizationSettings": settings, "GaussianRasterizer": rasterizer,
            "rasterize_gaussians": rasterize_gaussians}
