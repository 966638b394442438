"""Triangles by asking each of them at every pixel, in torch's own operations and float64, for comparison."""
import torch


def scene(count, size, behind=False, seed=1, pictures=1):
    """pos [B,3T,4] around w = 2, float32, with `behind` some of it behind the eye; tri [T,3] in an order of its own."""
    g = torch.Generator().manual_seed(seed)

    def number(*shape):
        return 2 * torch.rand(*shape, generator=g) - 1
    centre = torch.cat([1.2 * number(pictures, count, 1, 2), 0.9 * number(pictures, count, 1, 1)], -1)
    places = centre + torch.tensor([size, size, 0.2]) * number(pictures, count, 3, 3)
    w = 2 + number(pictures, count, 3, 1)
    if behind:
        w = torch.where(number(pictures, count, 3, 1) > 0.6, number(pictures, count, 3, 1), w)
    order = torch.randperm(3 * count, generator=g)
    pos = torch.empty(pictures, 3 * count, 4)
    pos[:, order] = torch.cat([places * w, w], -1).reshape(pictures, 3 * count, 4)
    return pos, order.reshape(count, 3).int()


def _planes(pos, tri, width, height):
    """[T,3,3]: s = (x, y, 1) @ planes are a pixel's shares of the corners, over w."""
    corner = pos.double()[tri.long()]
    x, y, w = ((corner[..., 0] + corner[..., 3]) * width / 2, (corner[..., 1] + corner[..., 3]) * height / 2,
               corner[..., 3])
    return torch.linalg.inv(torch.stack([x, y, w], -1))


def _pixels(width, height):
    y, x = torch.meshgrid(torch.arange(height).double() + 0.5, torch.arange(width).double() + 0.5, indexing="ij")
    return torch.stack([x, y, torch.ones_like(x)], -1).reshape(-1, 3)


def nearest(pos, tri, width, height):
    """Numbers [H,W] from 1, and [H,W] whether rounding decides nothing there."""
    pixels, planes = _pixels(width, height), _planes(pos, tri, width, height)
    s = torch.einsum("pi,tik->tpk", pixels, planes)
    border = (s / planes[:, :2].norm(dim=1)[:, None]).amin(-1)  # px
    depth = (s * pos.double()[tri.long()][:, None, :, 2]).sum(-1)
    inside = (border >= 0) & (s.sum(-1) > 0) & (depth.abs() <= 1)
    unsure = ((border.abs() < 1e-3) | ((depth.abs() - 1).abs() < 1e-4) & (border > -1e-3)).any(0)
    depth = torch.where(inside, depth, torch.full_like(depth, 9.0))
    two = torch.cat([depth, torch.full_like(depth[:2], 8.0)]).topk(2, 0, largest=False).values
    number = torch.where(inside.any(0), depth.argmin(0) + 1, torch.zeros(len(pixels), dtype=torch.long))
    sure = ~unsure & (((two[1] - two[0]) > 1e-4) | (number == 0))
    return number.reshape(height, width), sure.reshape(height, width)


def rasterize(pos, tri, numbers):
    """rast and rast_db [H,W,4] in float64, of triangles that are known, with gradients by pos."""
    height, width = numbers.shape
    number = numbers.reshape(-1).long()
    seen, at = number > 0, (number - 1).clamp_min(0)
    pixels, planes = _pixels(width, height), _planes(pos, tri, width, height)[at]
    s = torch.einsum("pi,pik->pk", pixels, planes)
    total = s.sum(-1, keepdim=True)
    share = s / total
    slope = (planes[:, :2] - share[:, None] * planes[:, :2].sum(-1, keepdim=True)) / total[:, None]
    depth = (s * pos.double()[tri.long()[at]][..., 2]).sum(-1).detach()
    rast = torch.stack([share[:, 0], share[:, 1], depth, number.double()], -1) * seen[:, None]
    rast_db = slope[:, :, :2].transpose(1, 2).reshape(-1, 4) * seen[:, None]
    return rast.reshape(height, width, 4), rast_db.reshape(height, width, 4)


def interpolate(attr, rast, tri, rast_db=None, wanted=()):
    """attr [V,A] at rast [H,W,4], and derivatives [H,W,2D]."""
    at, seen = (rast[..., 3].long() - 1).clamp_min(0), (rast[..., 3:] > 0).double()
    a, b, c = attr.double()[tri.long()[at]].unbind(-2)
    u, v = rast[..., :1], rast[..., 1:2]
    out = (u * a + v * b + (1 - u - v) * c) * seen
    if not len(wanted):
        return out, out[..., :0]
    a, b, c = ((t[..., wanted, None]) for t in (a, b, c))
    da = rast_db[..., None, :2] * (a - c) + rast_db[..., None, 2:] * (b - c)
    return out, da.flatten(-2) * seen
