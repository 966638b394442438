#!/usr/bin/env python3
"""gsplat's kernels on what export_scene wrote; prints one JSON object. Needs torch and gsplat, and their GPU.

  time_gsplat.py time SCENE [WARM TIMED]   ms of an iteration (forward, L1, backward, fused Adam with rates of zero), and
                                           PSNR and SSIM of its picture against hipsplat's, which the file holds
  time_gsplat.py quality VIEWS             mean PSNR and SSIM of the views against their photos, on 8-bit values, SSIM
                                           with a window of 11 and sigma 1.5 padded with zeros, as hipsplat's
"""
import json
import math
import sys
import time

import torch
from gsplat import rasterization


class File:
    """Lines of `name numbers` up to `end`, then arrays in their order."""

    def __init__(self, path):
        self.raw = bytearray(open(path, "rb").read())
        end = self.raw.index(b"\nend\n") + 5
        self.at, self.header, self.views = end, {}, []
        for line in self.raw[:end].decode().splitlines():
            name, *numbers = line.split()
            if name == "view":
                self.views.append([float(number) for number in numbers])
            else:
                self.header[name] = [float(number) for number in numbers]

    def array(self, kind, *shape):
        count = math.prod(shape)
        values = torch.frombuffer(self.raw, dtype=kind, count=count, offset=self.at) if count else torch.zeros(0)
        self.at += count * values.element_size()
        return values.reshape(shape).cuda()

    def splats(self):
        n, k = int(self.header["splats"][0]), int(self.header["coefficients"][0])
        shapes = {"means": (n, 3), "log_scales": (n, 3), "quats": (n, 4), "logits": (n,), "sh": (n, k, 3)}
        return {name: self.array(torch.float32, *shape) for name, shape in shapes.items()}


class View:
    """width height fx fy cx cy, rotation[9], translation[3]."""

    def __init__(self, numbers):
        self.width, self.height = int(numbers[0]), int(numbers[1])
        fx, fy, cx, cy = numbers[2:6]
        self.camera = torch.tensor([[[fx, 0, cx], [0, fy, cy], [0, 0, 1]]], device="cuda")
        self.pose = torch.eye(4, device="cuda")[None]
        self.pose[0, :3, :3] = torch.tensor(numbers[6:15]).reshape(3, 3)
        self.pose[0, :3, 3] = torch.tensor(numbers[15:18])


def draw(splats, view, antialiased=False):
    degree = math.isqrt(splats["sh"].shape[1]) - 1
    image, _, _ = rasterization(splats["means"], splats["quats"], splats["log_scales"].exp(), splats["logits"].sigmoid(),
                                splats["sh"], view.pose, view.camera, view.width, view.height, sh_degree=degree,
                                packed=False, near_plane=0.01,
                                rasterize_mode="antialiased" if antialiased else "classic")
    return image[0].permute(2, 0, 1)


def compare(drawn, wanted):
    """PSNR and SSIM of two pictures [3,H,W] of values from 0 to 1."""
    drawn, wanted = drawn.double(), wanted.double()
    error = float((drawn - wanted).square().mean())
    at = torch.arange(11, dtype=torch.float64, device=drawn.device) - 5
    window = torch.exp(-at.square() / (2 * 1.5**2))
    window = window / window.sum()

    def blur(x):
        x = torch.nn.functional.conv2d(x[:, None], window[None, None, None, :], padding=(0, 5))
        return torch.nn.functional.conv2d(x, window[None, None, :, None], padding=(5, 0))[:, 0]

    mu1, mu2 = blur(drawn), blur(wanted)
    s11, s22, s12 = blur(drawn * drawn) - mu1 * mu1, blur(wanted * wanted) - mu2 * mu2, blur(drawn * wanted) - mu1 * mu2
    c1, c2 = 0.01**2, 0.03**2
    ssim = ((2 * mu1 * mu2 + c1) * (2 * s12 + c2)) / ((mu1 * mu1 + mu2 * mu2 + c1) * (s11 + s22 + c2))
    return {"psnr": 100.0 if error == 0 else min(100.0, -10 * math.log10(error)), "ssim": float(ssim.mean())}


def eight_bits(image):
    return (image.clamp(0, 1) * 255).round() / 255


def time_iterations(path, warm, timed):
    file = File(path)
    splats = {name: torch.nn.Parameter(values) for name, values in file.splats().items()}
    view = View(file.views[0])
    target = file.array(torch.uint8, 3, view.height, view.width).float() / 255
    ours = file.array(torch.float32, 3, view.height, view.width)
    optimizer = torch.optim.Adam(splats.values(), lr=0.0, eps=1e-15, fused=True)

    def iterate():
        (draw(splats, view) - target).abs().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    with torch.no_grad():
        found = compare(draw(splats, view), ours)
    for _ in range(warm):
        iterate()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    start = time.perf_counter()
    for _ in range(timed):
        iterate()
    torch.cuda.synchronize()
    found["ms_per_iteration"] = (time.perf_counter() - start) * 1e3 / timed
    found["peak_bytes"] = torch.cuda.max_memory_allocated()
    return found


@torch.no_grad()
def quality(path):
    file = File(path)
    splats = file.splats()
    totals = {"psnr": 0.0, "ssim": 0.0}
    for numbers in file.views:
        view = View(numbers)
        photo = file.array(torch.uint8, 3, view.height, view.width).float() / 255
        drawn = eight_bits(draw(splats, view, bool(file.header["antialiased"][0])))
        for name, value in compare(drawn, photo).items():
            totals[name] += value / len(file.views)
    return totals


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("time", "quality"):
        sys.exit(__doc__)
    if sys.argv[1] == "quality":
        found = quality(sys.argv[2])
    else:
        found = time_iterations(sys.argv[2], *(int(v) for v in (sys.argv[3:5] if len(sys.argv) > 4 else (200, 1000))))
    print(json.dumps({**found, "device": torch.cuda.get_device_name()}))


if __name__ == "__main__":
    main()
