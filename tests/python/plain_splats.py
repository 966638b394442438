"""Splats drawn pixel by pixel with torch's own operations, to compare with: slow, any precision, gradients by autograd.
"""
import torch

from hipsplat.torch import quat_scale_to_covar_preci


def draw(means, covariances, opacities, colours, viewmat, K, width, height, low_pass=0.3, alpha_max=0.999, near=0.01,
         antialias=False, background=None, margin=0.15):
    """One camera: colours [N,D]. Returns colour [H,W,D], alpha [H,W], depth sums [H,W], means2d [N,2]."""
    seen = means @ viewmat[:3, :3].T + viewmat[:3, 3]
    x, y, z = seen.unbind(-1)
    fx, fy, cx, cy = K[0, 0], K[1, 1], K[0, 2], K[1, 2]
    u = (x / z).clamp(-(cx + margin * width) / fx, ((1 + margin) * width - cx) / fx)
    v = (y / z).clamp(-(cy + margin * height) / fy, ((1 + margin) * height - cy) / fy)
    zero = torch.zeros_like(z)
    jacobian = torch.stack([fx / z, zero, -fx * u / z, zero, fy / z, -fy * v / z], -1).reshape(-1, 2, 3)
    turned = jacobian @ viewmat[:3, :3]
    sharp = turned @ covariances @ turned.transpose(1, 2)
    blurred = sharp + low_pass * torch.eye(2, dtype=means.dtype)
    if antialias:
        opacities = opacities * torch.sqrt((torch.linalg.det(sharp) / torch.linalg.det(blurred)).clamp_min(0))
    conic = torch.linalg.inv(blurred)
    means2d = torch.stack([fx * x / z + cx, fy * y / z + cy], -1)
    rows, columns = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    pixels = torch.stack([columns, rows], -1).reshape(-1, 1, 2).to(means.dtype) + 0.5
    order = torch.argsort(z)
    order = order[z[order] >= near]
    offset = pixels - means2d[order]
    power = -0.5 * (offset[..., None, :] @ conic[order] @ offset[..., None])[..., 0, 0]
    alpha = (opacities[order] * torch.exp(power)).clamp_max(alpha_max)
    alpha = torch.where(alpha >= 1 / 255, alpha, torch.zeros_like(alpha))
    after = torch.cumprod(1 - alpha, 1)
    before = torch.cat([torch.ones_like(after[:, :1]), after[:, :-1]], 1)
    weight = torch.where(after >= 1e-4, alpha * before, torch.zeros_like(alpha))
    left = 1 - weight.sum(1)
    colour = weight @ colours[order]
    if background is not None:
        colour = colour + left[:, None] * background
    return (colour.reshape(height, width, -1), (1 - left).reshape(height, width),
            (weight @ z[order]).reshape(height, width), means2d)


def scene(splats, channels=3, dtype=torch.float64, seed=1, size=1.0):
    """A cloud before a camera at the origin."""
    g = torch.Generator().manual_seed(seed)

    def normal(*shape):
        return torch.randn(*shape, generator=g, dtype=dtype)
    means = normal(splats, 3) * torch.tensor([1.0, 0.7, 1.0], dtype=dtype) + torch.tensor([0, 0, 5.0], dtype=dtype)
    return dict(means=means, quats=normal(splats, 4), scales=torch.exp(normal(splats, 3) * 0.4 - 1.6) * size,
                opacities=torch.sigmoid(normal(splats)), colours=torch.sigmoid(normal(splats, channels)))


def camera(width=40, height=30, dtype=torch.float64):
    pose = torch.eye(4, dtype=dtype)
    turn = 0.05
    pose[:3, :3] = torch.linalg.matrix_exp(turn * torch.tensor([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], dtype=dtype))
    pose[:3, 3] = torch.tensor([0.1, -0.2, 0.3], dtype=dtype)
    K = [[0.9 * width, 0, 0.52 * width], [0, 0.95 * width, 0.47 * height], [0, 0, 1]]
    return pose, torch.tensor(K, dtype=dtype)


def covariances(quats, scales):
    return quat_scale_to_covar_preci(quats, scales, compute_preci=False)[0]
