"""gsplat 1.5.3's functions (gsplat.rendering.rasterization and what its examples call beside it)."""
import math
import weakref

import torch

from hipsplat import _library
from hipsplat._errors import ArgumentError
from hipsplat.torch import _draw
from hipsplat.torch._shapes import Shapes

_LARGEST_SIDE = 1 << 15  # px, of hs_rasterize()
_MOST_CHANNELS, _MOST_COEFFICIENTS = 32, 16


def _refuse(**options):
    for name, (value, *allowed) in options.items():
        if not any(value is a or (a is not None and getattr(value, "ndim", 0) == 0 and value == a) for a in allowed):
            raise NotImplementedError(f"hipsplat.torch.rasterization does not offer {name}={value!r}")


def rasterization(means, quats, scales, opacities, colors, viewmats, Ks, width, height, near_plane=0.01,
                  far_plane=1e10, radius_clip=0.0, eps2d=0.3, sh_degree=None, packed=True, tile_size=16,
                  backgrounds=None, render_mode="RGB", sparse_grad=False, absgrad=False, rasterize_mode="classic",
                  channel_chunk=32, distributed=False, camera_model="pinhole", segmented=False, covars=None,
                  with_ut=False, with_eval3d=False, radial_coeffs=None, tangential_coeffs=None,
                  thin_prism_coeffs=None, ftheta_coeffs=None, rolling_shutter=None, viewmats_rs=None,
                  return_normals=False, global_z_order=True, rays=None, lidar_coeffs=None,
                  external_distortion_coeffs=None, ut_params=None, extra_signals=None, extra_signals_sh_degree=None,
                  renderer_config=None):
    """Splats to pictures, with gsplat's arguments and results: (colors [...,C,H,W,X], alphas [...,C,H,W,1], meta).

    means [...,N,3]; quats [...,N,4] wxyz of any length; scales [...,N,3]; or covars [...,N,3,3] in their place;
    opacities [...,N]; colors [...,(C,)N,D], or SH coefficients [...,(C,)N,K,3] with sh_degree, or None where
    render_mode is "D" or "ED"; viewmats [...,C,4,4] world to camera; Ks [...,C,3,3]; backgrounds [...,C,D]. meta has
    what gsplat's strategies read: means2d (with .grad, and .absgrad on request), radii, depths, conics, opacities, ids,
    sizes. Gradients reach means, quats, scales, covars, opacities, colors, viewmats and backgrounds. What is not
    offered raises NotImplementedError that names it. A picture can be differentiated once.
    """
    _refuse(sparse_grad=(sparse_grad, False), distributed=(distributed, False), segmented=(segmented, False),
            camera_model=(camera_model, "pinhole"), with_ut=(with_ut, False), with_eval3d=(with_eval3d, False),
            radial_coeffs=(radial_coeffs, None), tangential_coeffs=(tangential_coeffs, None),
            thin_prism_coeffs=(thin_prism_coeffs, None), ftheta_coeffs=(ftheta_coeffs, None),
            viewmats_rs=(viewmats_rs, None), render_mode=(render_mode, "RGB", "D", "ED", "RGB+D", "RGB+ED"),
            rasterize_mode=(rasterize_mode, "classic", "antialiased"), return_normals=(return_normals, False),
            global_z_order=(global_z_order, True), rays=(rays, None), lidar_coeffs=(lidar_coeffs, None),
            external_distortion_coeffs=(external_distortion_coeffs, None), extra_signals=(extra_signals, None),
            extra_signals_sh_degree=(extra_signals_sh_degree, None), renderer_config=(renderer_config, None))
    settings = _settings(width, height, near_plane, far_plane, radius_clip, eps2d)
    settings.update(alpha_max=0.999, compensation=1 if rasterize_mode == "antialiased" else 0,
                    depth={"D": 1, "ED": 2}.get(render_mode.split("+")[-1], 0))
    tile_size = 16 if tile_size is None else _library.whole("tile_size", tile_size, 1)
    options = _Options(settings, sh_degree, "RGB" in render_mode, bool(absgrad))
    inputs, batch = options.check(dict(means=means, quats=quats, scales=scales, covars=covars, opacities=opacities,
                                       colors=colors, viewmats=viewmats, Ks=Ks, backgrounds=backgrounds))
    scenes = [options.draw(**scene) for scene in _one_by_one(inputs, batch)]
    rows = [_seen(call) if packed else None for call, _ in scenes]
    means2d, parts = _joined([centres for _, centres in scenes], rows, batch)
    pictures = [dict(zip(options.kinds, _draw.blend(call, part, row)))
                for (call, _), part, row in zip(scenes, parts, rows)]
    if absgrad:
        _watch_absgrad([call for call, _ in scenes], means2d, parts)
    calls = [call for call, _ in scenes]
    meta = dict(means2d=means2d, **_meta(calls, inputs["opacities"], rows, batch))
    count = inputs["viewmats"].shape[-3]
    meta.update(width=settings["width"], height=settings["height"], tile_size=tile_size, n_cameras=count,
                n_batches=len(scenes), tile_width=-(-settings["width"] // tile_size),
                tile_height=-(-settings["height"] // tile_size))
    colours, alphas = [_colours(p) for p in pictures], [p["alpha"][..., None] for p in pictures]
    if not batch:
        return colours[0], alphas[0], meta
    return (*(torch.stack(each).reshape(*batch, *each[0].shape) for each in (colours, alphas)), meta)


def _colours(pictures):
    if "depth" not in pictures:
        return pictures["colour"]
    depth = pictures["depth"][..., None]
    return torch.cat([pictures["colour"], depth], -1) if "colour" in pictures else depth


def _settings(width, height, near_plane, far_plane, radius_clip, eps2d):
    return dict(width=_library.whole("width", width, 1, _LARGEST_SIDE),
                height=_library.whole("height", height, 1, _LARGEST_SIDE),
                near_plane=_library.real("near_plane", near_plane), far_plane=_library.real("far_plane", far_plane),
                radius_clip=_library.real("radius_clip", radius_clip), low_pass=_not_negative("eps2d", eps2d))


def _not_negative(name, value):
    number = _library.real(name, value)
    if number < 0:
        raise ArgumentError(f"{name} is {number}; it must not be negative")
    return number


def _one_by_one(inputs, batch):
    """The inputs of each scene of a batch."""
    if not batch:
        return [inputs]  # as they are: the gradient of a view is a copy
    number = math.prod(batch)
    parts = {name: [None] * number if t is None else t.reshape(number, *t.shape[len(batch):]).unbind(0)
             for name, t in inputs.items()}
    return [{name: t[i] for name, t in parts.items()} for i in range(number)]


class _Options:
    """What the scenes of a call have in common."""

    def __init__(self, settings, sh_degree, wants_colours, absgrad):
        self.settings, self.wants_colours, self.absgrad = settings, wants_colours, absgrad
        self.sh_degree = None if sh_degree is None else _library.whole("sh_degree", sh_degree, 0, 4)
        self.kinds = [*(["colour"] if wants_colours else []), "alpha", *(["depth"] if settings["depth"] else [])]

    def check(self, given):
        """The inputs to draw by the table, None those that do not count; and the shape of the batch."""
        shapes = Shapes("rasterization", **({} if self.sh_degree is None else {"D": 3}))
        geometry = ("quats", "scales") if given["covars"] is None else ("covars",)
        names = ["means", *geometry, "opacities", "viewmats", "Ks"]
        if self.wants_colours:
            names += ["colors", "backgrounds"]
        elif given["colors"] is not None:
            names += ["colors"]
        row = "colors" if self.sh_degree is None else "colors with sh_degree"
        inputs = {**dict.fromkeys(given), **dict(zip(names, shapes({n: given[n] for n in names}, colors=row)))}
        sizes = shapes.sizes
        if self.sh_degree is not None and (self.sh_degree + 1) ** 2 > sizes.get("K", 25):
            raise ArgumentError(f"colors is {list(given['colors'].shape)}: {sizes['K']} coefficients are too few for "
                                f"sh_degree {self.sh_degree}")
        if not self.wants_colours:
            inputs["colors"] = None
        elif sizes["D"] > _MOST_CHANNELS:
            raise ArgumentError(f"colors has {sizes['D']} channels; hipsplat draws at most {_MOST_CHANNELS}")
        if 0 in sizes["..."] or sizes["C"] == 0:
            raise ArgumentError(f"viewmats is {list(given['viewmats'].shape)}: there is no camera to draw for")
        return inputs, sizes["..."]

    def draw(self, means, quats, scales, covars, opacities, colors, viewmats, Ks, backgrounds):
        """One scene: its Call, drawn, and means2d [C,N,2]."""
        shape = dict(quats=quats, scales=scales)
        if covars is not None:
            shape = dict(covariances=covars[..., [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]])
        sh_degree, by_camera = self.sh_degree, False
        if colors is not None:
            by_camera = colors.dim() == (3 if sh_degree is None else 4)
            if sh_degree is not None and (by_camera or sh_degree > 3):
                colors, sh_degree, by_camera = _colours_of_directions(sh_degree, colors, means, viewmats), None, True
            elif sh_degree is not None and colors.shape[1] > _MOST_COEFFICIENTS:
                colors = colors[:, :_MOST_COEFFICIENTS]
        call = _draw.Call([(k[0][0], k[1][1], k[0][2], k[1][2]) for k in Ks.detach().cpu().tolist()], self.settings,
                          [*self.kinds, "radii", "depths", "conics", "compensations"])
        call.absgrad, call.by_camera, call.sh_degree = self.absgrad, by_camera, sh_degree or 0
        call.on_abs = lambda found: None
        if colors is not None:
            shape["sh" if sh_degree is not None else "colours"] = colors
        return call, _draw.draw(call, means, opacities=opacities, cam_from_world=viewmats[:, :3, :],
                                background=backgrounds, **shape)


def _seen(call):
    """The places in [C*N] of what is drawn."""
    radii = call.outputs["radii"]
    return (radii[..., 0] > 0).logical_and_(radii[..., 1] > 0).reshape(-1).nonzero()[:, 0]


def _joined(centres, rows, batch):
    """meta's means2d, and the parts of it that the scenes' pictures are made of: so it has their gradients."""
    if rows[0] is not None:
        packed = [_draw.Pack.apply(c, row) for c, row in zip(centres, rows)]
        if not batch:
            return packed[0], packed
        whole = torch.cat(packed)
        return whole, whole.split([len(row) for row in rows])
    if not batch:
        return centres[0], centres
    whole = torch.stack(centres).reshape(*batch, *centres[0].shape)
    return whole, whole.reshape(len(centres), *centres[0].shape).unbind(0)


def _watch_absgrad(calls, means2d, parts):
    """Lets every scene's backward pass write its rows of means2d.absgrad."""
    held, first = weakref.ref(means2d), 0
    for call, part in zip(calls, parts):
        rows = slice(first, first + part.numel() // 2)
        call.on_abs = _absgrad_writer(held, rows if len(calls) > 1 else None)
        first = rows.stop


def _absgrad_writer(held, rows):
    def write(found):
        means2d = held()
        if means2d is None:
            return
        if rows is None:
            means2d.absgrad = found.reshape(means2d.shape)
            return
        if not hasattr(means2d, "absgrad"):
            means2d.absgrad = torch.zeros_like(means2d, requires_grad=False)
        means2d.absgrad.view(-1, 2)[rows] = found.reshape(-1, 2)
    return write


def _meta(calls, opacities, rows, batch):
    """What is known of every splat, [...,C,N,...], or of those that are drawn alone."""
    names = ("radii", "depths", "conics", "compensations")
    out = {name: calls[0].outputs[name][None] if len(calls) == 1 else torch.stack([c.outputs[name] for c in calls])
           for name in names}
    number, count, splats = out["depths"].shape
    out["opacities"] = opacities.reshape(number, 1, splats) * out.pop("compensations")
    ids = dict.fromkeys(("batch_ids", "camera_ids", "gaussian_ids"))
    if rows[0] is None:
        return {**{name: t.reshape(*batch, *t.shape[1:]) for name, t in out.items()}, **ids}
    if number == 1 and count == 1:
        places = rows[0]
        ids.update(batch_ids=torch.zeros_like(places), camera_ids=torch.zeros_like(places), gaussian_ids=places)
    else:
        places = torch.cat([row + i * count * splats for i, row in enumerate(rows)])
        pictures = places.div(max(splats, 1), rounding_mode="floor")
        ids.update(batch_ids=pictures.div(count, rounding_mode="floor"), camera_ids=pictures.remainder(count),
                   gaussian_ids=places.remainder(max(splats, 1)))
    return {**{name: t.flatten(0, 2).index_select(0, places) for name, t in out.items()}, **ids}


def _colours_of_directions(degree, coefficients, means, viewmats):
    centres = -(viewmats[:, :3, :3].transpose(1, 2) @ viewmats[:, :3, 3:])[..., 0]
    directions = means[None] - centres[:, None]
    return (spherical_harmonics(degree, directions, coefficients) + 0.5).clamp_min(0)


def spherical_harmonics(degrees_to_use, dirs, coeffs, masks=None):
    """sum over k of Y_k(dirs) coeffs: dirs [...,3] of any length, coeffs [...,K,D], or [N,K,D] for dirs [...,N,3];
    degree 0 to 4. [...,D], 0 where masks [...] is False. The basis of INRIA and gsplat (Sloan, JCGT 2013)."""
    degree = _library.whole("degrees_to_use", degrees_to_use, 0, 4)
    shapes = Shapes("spherical_harmonics", **({"N": dirs.shape[-2]} if getattr(dirs, "ndim", 0) > 1 else {}))
    dirs, coeffs, masks = shapes(dict(dirs=dirs, coeffs=coeffs, masks=masks))
    if (degree + 1) ** 2 > coeffs.shape[-2]:
        raise ArgumentError(f"degrees_to_use is {degree}, and coeffs hold {coeffs.shape[-2]} coefficients")
    x, y, z = torch.nn.functional.normalize(dirs, dim=-1).unbind(-1)
    basis = _sh_basis(degree, x, y, z)
    colours = (torch.stack(basis, -1)[..., None] * coeffs[..., :len(basis), :]).sum(-2)
    return colours if masks is None else torch.where(masks[..., None], colours, torch.zeros_like(colours))


def _sh_basis(degree, x, y, z):
    """Twin of splat/math/sh.h, with degree 4 besides, in torch's operations: for tensors of any device, with gradients.
    A test holds them together."""
    xx, yy, zz, xy = x * x, y * y, z * z, x * y
    basis = [torch.full_like(x, 0.28209479177387814)]
    if degree > 0:
        basis += [-0.4886025119029199 * y, 0.4886025119029199 * z, -0.4886025119029199 * x]
    if degree > 1:
        basis += [1.0925484305920792 * xy, -1.0925484305920792 * y * z, 0.31539156525252005 * (2 * zz - xx - yy),
                  -1.0925484305920792 * x * z, 0.5462742152960396 * (xx - yy)]
    if degree > 2:
        ring = 4 * zz - xx - yy
        basis += [-0.5900435899266435 * y * (3 * xx - yy), 2.890611442640554 * xy * z, -0.4570457994644658 * y * ring,
                  0.3731763325901154 * z * (2 * zz - 3 * (xx + yy)), -0.4570457994644658 * x * ring,
                  1.4453057213202769 * z * (xx - yy), -0.5900435899266435 * x * (xx - 3 * yy)]
    if degree > 3:
        basis += [2.5033429417967046 * xy * (xx - yy), -1.7701307697799304 * y * z * (3 * xx - yy),
                  0.9461746957575601 * xy * (7 * zz - 1), -0.6690465435572892 * y * z * (7 * zz - 3),
                  0.10578554691520431 * (35 * zz * zz - 30 * zz + 3), -0.6690465435572892 * x * z * (7 * zz - 3),
                  0.47308734787878004 * (xx - yy) * (7 * zz - 1), -1.7701307697799304 * x * z * (xx - 3 * yy),
                  0.6258357354491761 * (xx * (xx - 3 * yy) - yy * (3 * xx - yy))]
    return basis


def normalized_quat_to_rotmat(quat):
    """[...,4] wxyz of length 1 to [...,3,3]."""
    quat, = Shapes("normalized_quat_to_rotmat")(dict(quat=quat))
    w, x, y, z = quat.unbind(-1)
    rows = (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    return torch.stack(rows, -1).reshape(*quat.shape[:-1], 3, 3)


def quat_scale_to_covar_preci(quats, scales, compute_covar=True, compute_preci=True, triu=False):
    """Covariances R S S R^T and their inverses, [...,3,3], or with triu [...,6] (xx xy xz yy yz zz); quats of any
    length. None for what is not asked for."""
    quats, scales = Shapes("quat_scale_to_covar_preci")(dict(quats=quats, scales=scales))
    rotation = normalized_quat_to_rotmat(torch.nn.functional.normalize(quats, dim=-1))

    def product(by):
        factor = rotation * by[..., None, :]
        whole = factor @ factor.transpose(-1, -2)
        return whole.reshape(*whole.shape[:-2], 9)[..., [0, 1, 2, 4, 5, 8]] if triu else whole
    return product(scales) if compute_covar else None, product(1 / scales) if compute_preci else None


def compute_relocation(opacities, scales, ratios, binoms, min_opacity=None):
    """3DGS-MCMC, equation 9: opacities [N] or [N,1] and scales [N,3] of a splat that becomes `ratios` [N] equal ones at
    its place. binoms [n,n]: binomial coefficients; ratios above n count as n. min_opacity: of the new ones, which
    gsplat 1.6 asks for and takes into account in their scales; None: none, as 1.5."""
    given, scales, ratios, binoms = Shapes("compute_relocation")(
        dict(opacities=opacities, scales=scales, ratios=ratios, binoms=binoms))
    opacities, most = given.reshape(-1), len(binoms)
    if most == 0:
        raise ArgumentError("binoms is [0,0], but should have at least one row")
    ratios = ratios.long().clamp(1, most)
    new = 1 - (1 - opacities) ** (1 / ratios.to(opacities.dtype))
    if min_opacity is not None:
        new = new.clamp(_library.real("min_opacity", min_opacity), 1 - torch.finfo(new.dtype).eps)
    k = torch.arange(most, device=opacities.device)
    terms = (-1.0) ** k * new[:, None] ** (k + 1) / torch.sqrt(k + 1.0)
    inner = torch.cumsum(torch.tril(binoms)[None] * terms[:, None, :], -1)[..., -1]
    denominator = torch.cumsum(inner, 1).gather(1, (ratios - 1)[:, None])[:, 0]
    return new.reshape(given.shape), (opacities / denominator)[:, None] * scales
