"""gsplat 1.5.3's functions (gsplat.rendering.rasterization and what its examples call beside it)."""
import weakref

import torch

from hipsplat.torch import _draw


def _refuse(**options):
    for name, (value, allowed) in options.items():
        if value not in allowed:
            raise NotImplementedError(f"hipsplat.torch.rasterization does not offer {name}={value!r}")


def _sizes(means, viewmats, Ks):
    batch, splats, count = means.shape[:-2], means.shape[-2], viewmats.shape[-3]
    for name, tensor, shape in (("viewmats", viewmats, (*batch, count, 4, 4)), ("Ks", Ks, (*batch, count, 3, 3))):
        if tuple(tensor.shape) != shape:
            raise ValueError(f"{name} is {tuple(tensor.shape)}, but should be {shape}")
    return batch, splats, count


def rasterization(means, quats, scales, opacities, colors, viewmats, Ks, width, height, near_plane=0.01,
                  far_plane=1e10, radius_clip=0.0, eps2d=0.3, sh_degree=None, packed=True, tile_size=16,
                  backgrounds=None, render_mode="RGB", sparse_grad=False, absgrad=False, rasterize_mode="classic",
                  channel_chunk=32, distributed=False, camera_model="pinhole", segmented=False, covars=None,
                  with_ut=False, with_eval3d=False, radial_coeffs=None, tangential_coeffs=None,
                  thin_prism_coeffs=None, ftheta_coeffs=None, rolling_shutter=None, viewmats_rs=None):
    """Splats to pictures, with gsplat's arguments and results: (colors [...,C,H,W,X], alphas [...,C,H,W,1], meta).

    means [...,N,3]; quats [...,N,4] wxyz of any length; scales [...,N,3]; opacities [...,N]; colors [...,(C,)N,D], or
    SH coefficients [...,(C,)N,K,3] with sh_degree; viewmats [...,C,4,4] world to camera; Ks [...,C,3,3]. meta has what
    gsplat's strategies read: means2d (with .grad, and .absgrad on request), radii, depths, conics, opacities, ids,
    sizes. Gradients reach means, quats, scales, covars, opacities, colors, viewmats and backgrounds. What is not
    offered raises NotImplementedError that names it. A picture can be differentiated once.
    """
    _refuse(sparse_grad=(sparse_grad, (False,)), distributed=(distributed, (False,)), segmented=(segmented, (False,)),
            camera_model=(camera_model, ("pinhole",)), with_ut=(with_ut, (False,)), with_eval3d=(with_eval3d, (False,)),
            radial_coeffs=(radial_coeffs, (None,)), tangential_coeffs=(tangential_coeffs, (None,)),
            thin_prism_coeffs=(thin_prism_coeffs, (None,)), ftheta_coeffs=(ftheta_coeffs, (None,)),
            viewmats_rs=(viewmats_rs, (None,)), render_mode=(render_mode, ("RGB", "D", "ED", "RGB+D", "RGB+ED")),
            rasterize_mode=(rasterize_mode, ("classic", "antialiased")))
    batch, splats, count = _sizes(means, viewmats, Ks)
    settings = dict(width=width, height=height, near_plane=near_plane, far_plane=far_plane, radius_clip=radius_clip,
                    low_pass=eps2d, alpha_max=0.999, compensation=1 if rasterize_mode == "antialiased" else 0,
                    depth={"D": 1, "ED": 2}.get(render_mode.split("+")[-1], 0))
    inputs = dict(means=means, quats=quats, scales=scales, opacities=opacities, colors=colors, viewmats=viewmats, Ks=Ks,
                  covars=covars, backgrounds=backgrounds)
    options = (settings, sh_degree, "RGB" in render_mode, absgrad, packed)
    number = 1
    for length in batch:
        number *= length
    one_by_one = [inputs]  # as they are: the gradient of a view is a copy
    if batch:
        one_by_one = [{name: None if t is None else t.reshape(number, *t.shape[len(batch):])[i]
                       for name, t in inputs.items()} for i in range(number)]
    drawn = [_one_scene(splats, count, options, **scene) for scene in one_by_one]
    meta = _meta(drawn, packed, splats, count, width, height, tile_size)
    colours, alphas = drawn[0][:2]
    if batch:
        colours, alphas = (torch.stack([d[i] for d in drawn]).reshape(*batch, count, height, width, -1) for i in (0, 1))
    if batch and not packed:
        for name in ("means2d", "radii", "depths", "conics", "opacities"):
            if number > 1 or name != "means2d":
                meta[name] = meta[name].reshape(*batch, *meta[name].shape[1:])
    return colours, alphas, meta


def _one_scene(splats, count, options, means, quats, scales, opacities, colors, viewmats, Ks, covars, backgrounds):
    settings, sh_degree, wants_colours, absgrad, packed = options
    expected = colors.dim() - (3 if sh_degree is not None else 2)
    if expected not in (0, 1):
        raise ValueError(f"colors is {tuple(colors.shape)}: [(C,)N,D], or [(C,)N,K,3] with sh_degree")
    if sh_degree is not None and (expected == 1 or sh_degree > 3 or colors.shape[-1] != 3):
        colors, sh_degree = _colours_of_directions(sh_degree, colors, means, viewmats), None
        expected = 1
    call = _draw.Call([(k[0][0], k[1][1], k[0][2], k[1][2]) for k in Ks.detach().cpu().tolist()], settings,
                      [*(["colour"] if wants_colours else []), "alpha", *(["depth"] if settings["depth"] else []),
                       "radii", "depths", "conics", "compensations"], False)
    call.absgrad, call.by_camera, call.sh_degree = absgrad, expected == 1 and wants_colours, sh_degree or 0
    shape = {}
    if covars is not None:
        shape["covariances"] = covars if covars.shape[-1] == 6 else torch.stack(
            [covars[..., i, j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))], -1)
    else:
        shape.update(quats=quats, scales=scales)
    if wants_colours:
        shape["sh" if sh_degree is not None else "colours"] = colors
        if backgrounds is not None:
            shape["background"] = backgrounds
    kinds = [name for name in ("colour", "alpha", "depth") if name in call.wants]
    means2d = _draw.draw(call, means, opacities=opacities, cam_from_world=viewmats[:, :3, :], **shape)
    out = call.outputs
    ids, rows = (None, None), None
    if packed:
        rows = (out["radii"][..., 0] > 0).logical_and_(out["radii"][..., 1] > 0).reshape(-1).nonzero()[:, 0]
        ids = torch.zeros_like(rows), rows
        if count > 1:
            ids = rows.div(splats, rounding_mode="floor"), rows.remainder(splats)
        means2d = _draw.Pack.apply(means2d, rows)
    pictures = dict(zip(kinds, _draw.blend(call, means2d, rows)))
    if absgrad:
        held = weakref.ref(means2d)
        call.on_abs = lambda found: _set_absgrad(held(), found)
    colours = [pictures[n] if n == "colour" else pictures[n][..., None] for n in ("colour", "depth") if n in pictures]
    meta = dict(means2d=means2d, radii=out["radii"], depths=out["depths"], conics=out["conics"],
                opacities=opacities[None] * out["compensations"], camera_ids=ids[0], gaussian_ids=ids[1])
    if packed:
        for name in ("radii", "depths", "conics", "opacities"):
            meta[name] = meta[name].flatten(0, 1).index_select(0, rows)
    return torch.cat(colours, -1) if len(colours) > 1 else colours[0], pictures["alpha"][..., None], meta


def _set_absgrad(means2d, found):
    if means2d is not None:
        means2d.absgrad = found


def _meta(drawn, packed, splats, count, width, height, tile_size):
    parts = [d[2] for d in drawn]
    if len(parts) == 1:
        meta = dict(parts[0])
    elif packed:
        meta = {name: torch.cat([p[name] for p in parts]) for name in parts[0]}
    else:
        meta = {name: None if parts[0][name] is None else torch.stack([p[name] for p in parts]) for name in parts[0]}
    batch_ids = [torch.full_like(p["camera_ids"], i) for i, p in enumerate(parts)] if packed else None
    meta["batch_ids"] = torch.cat(batch_ids) if packed else None
    meta.update(width=width, height=height, tile_size=tile_size, n_cameras=count, n_batches=len(parts),
                tile_width=-(-width // tile_size), tile_height=-(-height // tile_size))
    return meta


def _colours_of_directions(degree, coefficients, means, viewmats):
    centres = -(viewmats[:, :3, :3].transpose(1, 2) @ viewmats[:, :3, 3:])[..., 0]
    directions = means[None] - centres[:, None]
    if coefficients.dim() == 3:
        coefficients = coefficients[None].expand(len(viewmats), -1, -1, -1)
    return (spherical_harmonics(degree, directions, coefficients) + 0.5).clamp_min(0)


def spherical_harmonics(degrees_to_use, dirs, coeffs, masks=None):
    """sum over k of Y_k(dirs) coeffs: dirs [...,3] of any length, coeffs [...,K,D]; degree 0 to 4. [...,D], 0 where
    masks [...] is False. The basis of INRIA and gsplat (Sloan, JCGT 2013)."""
    if not 0 <= degrees_to_use <= 4 or (degrees_to_use + 1) ** 2 > coeffs.shape[-2]:
        raise ValueError(f"degrees_to_use is {degrees_to_use}, and coeffs hold {coeffs.shape[-2]} coefficients")
    x, y, z = torch.nn.functional.normalize(dirs, dim=-1).unbind(-1)
    basis = _sh_basis(degrees_to_use, x, y, z)
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
    w, x, y, z = quat.unbind(-1)
    rows = (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    return torch.stack(rows, -1).reshape(*quat.shape[:-1], 3, 3)


def quat_scale_to_covar_preci(quats, scales, compute_covar=True, compute_preci=True, triu=False):
    """Covariances R S S R^T and their inverses, [...,3,3], or with triu [...,6] (xx xy xz yy yz zz); quats of any
    length. None for what is not asked for."""
    rotation = normalized_quat_to_rotmat(torch.nn.functional.normalize(quats, dim=-1))

    def product(by):
        factor = rotation * by[..., None, :]
        whole = factor @ factor.transpose(-1, -2)
        return whole.reshape(*whole.shape[:-2], 9)[..., [0, 1, 2, 4, 5, 8]] if triu else whole
    return product(scales) if compute_covar else None, product(1 / scales) if compute_preci else None


def compute_relocation(opacities, scales, ratios, binoms):
    """3DGS-MCMC, equation 9: opacities [N] and scales [N,3] of a splat that becomes `ratios` [N] equal ones at its
    place. binoms [n,n]: binomial coefficients; ratios above n count as n."""
    most = binoms.shape[0]
    ratios = ratios.clamp(1, most)
    new = 1 - (1 - opacities) ** (1 / ratios)
    k = torch.arange(most, device=opacities.device)
    terms = (-1.0) ** k * new[:, None] ** (k + 1) / torch.sqrt(k + 1.0)
    inner = torch.cumsum(torch.tril(binoms)[None] * terms[:, None, :], -1)[..., -1]
    denominator = torch.cumsum(inner, 1).gather(1, (ratios.long() - 1)[:, None])[:, 0]
    return new, (opacities / denominator)[:, None] * scales
